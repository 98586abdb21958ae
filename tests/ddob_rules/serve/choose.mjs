// Plays the cases of tests/cases/choose with web/choose.js and prints what comes of each, as JSON.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, file] = process.argv.slice(2);
const { click, lit, optionsOf, ready, understand } = await import(pathToFileURL(module).href);
const { questions, cases, lines, names, known } = JSON.parse(readFileSync(file, "utf8"));

const seen = (options, picked) => ({ lit: [...lit(options, picked).keys()].sort(), ready: ready(options, picked).map((one) => one.o) });

const played = cases.map(({ name, question, clicks }) => {
  const options = optionsOf(questions[question]);
  let picked = [];
  const first = seen(options, picked);
  const done = clicks.map(({ on }) => {
    const meaning = click(options, picked, on);
    if (meaning.picked !== undefined) picked = meaning.picked;
    return { ...meaning, ...seen(options, picked) };
  });
  return { name, lit: first.lit, clicks: done };
});
const typed = lines.map(({ name, question, line }) => ({
  name,
  ...understand(questions[question], (id) => names[id] ?? id, known, line),
}));
console.log(JSON.stringify({ played, typed }));
