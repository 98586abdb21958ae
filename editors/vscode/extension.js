// Starts `ddob lsp` for files of rules and data, and runs ddob's commands in a terminal. All that is known of
// rules is known by the server.
"use strict";

const { execFile } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

const settings = () => vscode.workspace.getConfiguration("ddob");
const command = () => settings().get("command") || "ddob";

function start() {
  const options = {
    documentSelector: [
      { scheme: "file", language: "ddob" },
      { scheme: "file", language: "yaml", pattern: "**/{scenarios,data,locale}/*.{yaml,yml}" },
    ],
    initializationOptions: { turn: settings().get("turn") },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{rules,yaml,yml}") },
  };
  const run = { command: command(), args: ["lsp", "--lang", settings().get("language") || "en"] };
  client = new LanguageClient("ddob", "ddob rules", { run, debug: run }, options);
  return client.start().catch((failure) => {
    const advice = 'pip install "ddob-rules[lsp]", or set ddob.command to where ddob is';
    vscode.window.showErrorMessage(`ddob lsp does not start (${failure.message}): ${advice}`);
  });
}

/** The folder of the ruleset that is being edited: above its scenarios, data, examples and catalogues. */
function ruleset() {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.document.uri.scheme !== "file") return undefined;
  const folder = path.dirname(editor.document.uri.fsPath);
  const inner = ["scenarios", "data", "examples", "locale"].includes(path.basename(folder));
  return inner ? path.dirname(folder) : folder;
}

/** Runs ddob in a terminal; what the author names is handed over as one word, whatever is in it. */
function inTerminal(title, words) {
  const terminal = vscode.window.createTerminal({ name: title, shellPath: command(), shellArgs: words });
  terminal.show();
}

function scenarios(folder) {
  return new Promise((resolve) => {
    execFile(command(), ["list", "--json"], { cwd: folder }, (failure, printed) => {
      try {
        resolve(failure ? [] : JSON.parse(printed).scenarios);
      } catch {
        resolve([]);
      }
    });
  });
}

async function withScenario(work) {
  const folder = ruleset() || vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const known = await scenarios(folder);
  const items = known.map((one) => ({ label: one.name, description: one.title, detail: one.ruleset }));
  const chosen = items.length
    ? (await vscode.window.showQuickPick(items, { placeHolder: "Scenario", matchOnDescription: true }))?.label
    : await vscode.window.showInputBox({ prompt: "Scenario, by name or path" });
  if (chosen) work(chosen);
}

function activate(context) {
  const commands = {
    "ddob.check": () => inTerminal("ddob check", ["check", ...(ruleset() ? [ruleset()] : [])]),
    "ddob.test": () => ruleset() && inTerminal("ddob test", ["test", ruleset()]),
    "ddob.play": () => withScenario((name) => inTerminal("ddob serve", ["serve", name, "--open"])),
    "ddob.simulate": () => withScenario((name) => inTerminal("ddob simulate", ["simulate", name])),
    "ddob.restart": async () => {
      await client?.stop();
      await start();
    },
  };
  for (const [name, work] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, work));
  }
  return start();
}

const deactivate = () => client?.stop();

module.exports = { activate, deactivate };
