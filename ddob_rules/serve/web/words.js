// What the page itself says, in the language of the game. Texts of a game come from the server, in the same language.

/** @typedef {keyof typeof import("./words/en.js").catalogue} Word */

const CATALOGUES = /** @type {const} */ (["en", "fr"]);
/** @type {Record<string, string>} */
let catalogue = {};
let language = "";
/** By a word for ground, its pattern. @type {Map<string, string>} */
let patterns = new Map();
/** By a word for a branch, its symbol. @type {Map<string, string>} */
let symbols = new Map();
/** By a word for a line between spaces, how it is drawn. @type {Map<string, string>} */
let lines = new Map();

/**
 * Fetches the words of a language, English where there are none.
 * @param {string | null | undefined} code
 */
export async function speak(code) {
  const wanted = CATALOGUES.find((known) => known === code?.slice(0, 2)) ?? "en";
  if (wanted === language) return;
  const found = await import(`./words/${wanted}.js`);
  catalogue = found.catalogue;
  patterns = byWord(found.patterns);
  symbols = byWord(found.symbols);
  lines = byWord(found.lines);
  language = wanted;
  document.documentElement.lang = wanted;
}

/**
 * @param {Word} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function words(key, values = {}) {
  // `{count|# card|# cards}`: the first form for one, which in French is the one for nothing, too.
  return (catalogue[key] ?? key).replace(/\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}/gu, (whole, name, one, several) => {
    const value = values[name];
    if (value === undefined || one === undefined) return String(value ?? whole);
    const single = Number(value) === 1 || (language === "fr" && Number(value) === 0);
    return (single ? one : several).replace("#", String(value));
  });
}

/**
 * What is told by the rules, as it is printed: an arrow of two signs would be torn apart at the end of a line.
 * @param {string} text
 */
export function told(text) {
  return text.replaceAll("->", "→");
}

/**
 * @param {Record<string, string>} lists
 * @returns {Map<string, string>}
 */
function byWord(lists) {
  return new Map(Object.entries(lists).flatMap(([name, known]) => known.split(" ").map((word) => [word, name])));
}

/**
 * The symbol that a word stands for.
 * @param {string} word
 * @returns {string | null}
 */
export function symbolFor(word) {
  return symbols.get(word.toLowerCase()) ?? null;
}

/**
 * How a line with this name is drawn.
 * @param {string} text
 * @returns {string | null}
 */
export function lineFor(text) {
  return wordIn(lines, text);
}

/**
 * The pattern that a text about ground calls for.
 * @param {string} text
 * @returns {string | null}
 */
export function patternFor(text) {
  return wordIn(patterns, text);
}

/**
 * @param {Map<string, string>} known
 * @param {string} text
 */
function wordIn(known, text) {
  const found = text.toLowerCase().split(/[^\p{L}]+/u).map((word) => known.get(word)).filter((name) => name !== undefined);
  return found.at(-1) ?? null;
}
