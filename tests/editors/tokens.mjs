// Reads rules from standard input and prints, for each line, its pieces with their scopes: as an editor colours them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , grammarPath, modules] = process.argv;
const require = createRequire(`${modules}/any.js`);
const { Registry, INITIAL, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => parseRawGrammar(readFileSync(grammarPath, "utf8"), grammarPath),
});
const grammar = await registry.loadGrammar("source.ddob");
let state = INITIAL;
const lines = readFileSync(0, "utf8").split("\n").map((line) => {
  const found = grammar.tokenizeLine(line, state);
  state = found.ruleStack;
  return found.tokens.map((one) => [line.slice(one.startIndex, one.endIndex), one.scopes.at(-1)]);
});
process.stdout.write(JSON.stringify(lines));
