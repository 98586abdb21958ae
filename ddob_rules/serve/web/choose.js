// From the options of a question to gestures: what is lit, and what a click means. Pure: no page, no game.
// The cases in tests/cases/choose hold for every face of the table. What a gesture looks like is left to others.

/**
 * @typedef {import("./table").Question} Question
 * @typedef {import("./table").Act} Act
 * @typedef {import("./table").Tree} Tree
 *
 * One answer that can be given: its number, the act it belongs to, what it names in order, and what starts it.
 * @typedef {{o: number, act: number, path: string[], by: string[]}} Option
 *
 * What a click means. `picked` is what is chosen from then on.
 * @typedef {{does: "play", o: number}
 *   | {does: "select", picked: string[]}
 *   | {does: "let go", picked: string[]}
 *   | {does: "why not", things: string[]}} Meaning
 */

/**
 * All answers to a question, in the order of its acts.
 * @param {Question | null | undefined} question
 * @returns {Option[]}
 */
export function optionsOf(question) {
  /** @type {Option[]} */
  const found = [];
  (question?.acts ?? []).forEach((act, number) => collect(act, number, act.tree, [], found));
  // An object lists names that are numbers first, `1017` before `0617`; answers go by their own order.
  return found.sort((one, other) => one.act - other.act || one.o - other.o);
}

/**
 * @param {Act} act
 * @param {number} number
 * @param {Tree} tree
 * @param {string[]} path
 * @param {Option[]} found
 */
function collect(act, number, tree, path, found) {
  if (typeof tree === "number") {
    const by = path.length > 0 ? (act.by?.[/** @type {string} */ (path[0])] ?? []) : [];
    found.push({ o: tree, act: number, path, by });
    return;
  }
  for (const [name, rest] of Object.entries(tree)) collect(act, number, rest, [...path, name], found);
}

/**
 * What begins an answer: who does it, where that is known, and otherwise the first thing that it names.
 * @param {Option} option
 * @returns {string[]}
 */
export function startersOf(option) {
  return option.by.length > 0 ? option.by : option.path.slice(0, 1);
}

/**
 * @param {readonly Option[]} options
 * @returns {Set<string>}
 */
export function starters(options) {
  return new Set(options.flatMap(startersOf));
}

/**
 * The answers in which everything picked has a part.
 * @param {readonly Option[]} options
 * @param {readonly string[]} picked
 * @returns {Option[]}
 */
export function fitting(options, picked) {
  return options.filter((option) =>
    picked.every((thing) => option.path.includes(thing) || option.by.includes(thing)),
  );
}

/**
 * What an answer still needs to be named.
 * @param {Option} option
 * @param {readonly string[]} picked
 * @returns {string[]}
 */
export function missing(option, picked) {
  return option.path.filter((thing) => !picked.includes(thing));
}

/**
 * What is lit, each with the acts that it leads to.
 * @param {readonly Option[]} options
 * @param {readonly string[]} picked
 * @returns {Map<string, Set<number>>}
 */
export function lit(options, picked) {
  /** @type {Map<string, Set<number>>} */
  const found = new Map();
  for (const option of fitting(options, picked)) {
    const next = picked.length === 0 ? startersOf(option) : missing(option, picked).slice(0, 1);
    for (const thing of next) {
      const acts = found.get(thing) ?? new Set();
      found.set(thing, acts.add(option.act));
    }
  }
  return found;
}

/**
 * The answers that are whole with what is picked: a button each.
 * @param {readonly Option[]} options
 * @param {readonly string[]} picked
 * @returns {Option[]}
 */
export function ready(options, picked) {
  return fitting(options, picked).filter((option) => missing(option, picked).length === 0);
}

/**
 * What a click means. The candidates are what lies under it, the topmost first: a counter, then its space.
 * @param {readonly Option[]} options
 * @param {readonly string[]} picked
 * @param {readonly string[]} candidates
 * @returns {Meaning}
 */
export function click(options, picked, candidates) {
  const lights = lit(options, picked);
  const chosen = candidates.find((thing) => picked.includes(thing));
  const bright = candidates.find((thing) => lights.has(thing));
  if (bright !== undefined) return taken(options, [...picked, bright], true);
  if (chosen !== undefined) {
    return { does: "let go", picked: picked.slice(0, picked.indexOf(chosen)) };
  }
  const part = candidates.find((thing) => fitting(options, [...picked, thing]).length > 0);
  if (part !== undefined) return taken(options, [...picked, part], picked.length > 0);
  const first = starters(options);
  const other = candidates.find((thing) => first.has(thing));
  if (other !== undefined) return taken(options, [other], false);
  return { does: "why not", things: [...picked, ...candidates.slice(0, 1)] };
}

/**
 * What is meant by a drag of some things, the one in the hand first, to what lies somewhere: the one in the hand if an
 * answer takes it there, and otherwise all those that one takes there.
 * @param {readonly Option[]} options
 * @param {readonly string[]} things
 * @param {readonly string[]} candidates
 * @returns {string[]}
 */
export function dragged(options, things, candidates) {
  const able = things.filter((thing) => candidates.some((id) => lit(options, [thing]).has(id)));
  return able[0] === things[0] ? able.slice(0, 1) : able;
}

/**
 * @param {readonly Option[]} options
 * @param {string[]} picked
 * @param {boolean} meant whether this was lit: what was not lit never plays at one click
 * @returns {Meaning}
 */
function taken(options, picked, meant) {
  const left = fitting(options, picked);
  const only = left[0];
  if (meant && left.length === 1 && only !== undefined && missing(only, picked).length === 0) {
    return { does: "play", o: only.o };
  }
  return { does: "select", picked };
}

/**
 * Options as orders are read: who, then which act, then what it is done to. Acts without a thing are left out.
 * @param {readonly Option[]} options
 * @returns {Map<string, Map<number, Option[]>>}
 */
export function orders(options) {
  /** @type {Map<string, Map<number, Option[]>>} */
  const found = new Map();
  for (const option of options) {
    for (const starter of startersOf(option)) {
      const acts = found.get(starter) ?? new Map();
      acts.set(option.act, [...(acts.get(option.act) ?? []), option]);
      found.set(starter, acts);
    }
  }
  return found;
}

/**
 * @typedef {{does: "play", o: number} | {does: "select", picked: string[]}
 *   | {does: "ask back", word: string, names: string[]}
 *   | {does: "not understood", word: string}
 *   | {does: "why not", things: string[], act: string | null}} Understood
 */

/** How many are asked back at most. */
const ASKED_BACK = 9;

/**
 * A typed line, `[thing] [act] [thing ...]`: parts of names will do where they fit one thing.
 * @param {Question} question
 * @param {(id: string) => string} nameOf
 * @param {readonly string[]} known every thing and space on the table, for why not
 * @param {string} line
 * @param {readonly string[]} picked what was chosen before
 * @returns {Understood}
 */
export function understand(question, nameOf, known, line, picked = []) {
  let left = fitting(optionsOf(question), picked);
  let chosen = [...picked];
  let act = /** @type {string | null} */ (null);
  const words = line.split(/\s+/u).filter((part) => part !== "");
  let number = 0;
  while (number < words.length) {
    const things = [...new Set(left.flatMap((option) => [...missing(option, chosen), ...option.by]))];
    const acts = [...new Set(left.map((option) => option.act))];
    const count = longest(words.slice(number), things, nameOf);
    const word = words.slice(number, number + count).join(" ");
    number += count;
    const titles = acts.filter((number) => like(word, title(question, number)) >= 2);
    const [best, names] = fits(word, things, nameOf);
    if (titles.length > 0 && best < 4) {
      left = left.filter((option) => titles.includes(option.act));
      act = titles.length === 1 ? (question.acts[/** @type {number} */ (titles[0])]?.act ?? null) : null;
    } else if (names.length === 1) {
      chosen = [...chosen, /** @type {string} */ (names[0])];
      left = fitting(left, names);
    } else if (names.length > 1) {
      return { does: "ask back", word, names: names.slice(0, ASKED_BACK) };
    } else {
      const [, others] = fits(word, known, nameOf);
      if (others.length === 0) return { does: "not understood", word };
      return { does: "why not", things: [...chosen, /** @type {string} */ (others[0])], act };
    }
  }
  const whole = left.filter((option) => missing(option, chosen).length === 0);
  if (left.length === 1 || whole.length === 1) {
    const only = whole.length === 1 ? whole[0] : left[0];
    if (only !== undefined) return { does: "play", o: only.o };
  }
  return { does: "select", picked: chosen };
}

/** The longest name that is typed as several words. */
const MOST_WORDS = 5;

/**
 * How many words are the name of one thing, or a part of it; one if they are not.
 * @param {readonly string[]} words
 * @param {readonly string[]} things
 * @param {(id: string) => string} nameOf
 */
function longest(words, things, nameOf) {
  for (let count = Math.min(MOST_WORDS, words.length); count > 1; count -= 1) {
    const [best, names] = fits(words.slice(0, count).join(" "), things, nameOf);
    if (best >= 2 && names.length === 1) return count;
  }
  return 1;
}

/**
 * @param {Question} question
 * @param {number} number
 */
function title(question, number) {
  return question.acts[number]?.title ?? "";
}

/**
 * The things that a word fits best, and how well.
 * @param {string} word
 * @param {readonly string[]} things
 * @param {(id: string) => string} nameOf
 * @returns {[number, string[]]}
 */
function fits(word, things, nameOf) {
  const ranked = things.map((thing) => Math.max(like(word, nameOf(thing)), like(word, thing) === 4 ? 4 : 0));
  const best = Math.max(0, ...ranked);
  const found = best === 0 ? [] : things.filter((_, index) => ranked[index] === best);
  // Copies of a card have one name: any of them will do.
  return [best, new Set(found.map(nameOf)).size === 1 ? found.slice(0, 1) : found];
}

/**
 * How well a word fits a name: 4 the same, 3 its beginning, 2 a part of it, 1 its letters in order, 0 not.
 * @param {string} word
 * @param {string} name
 */
export function like(word, name) {
  const [short, long] = /** @type {[string, string]} */ ([word, name].map((text) => text.toLowerCase().replace(/[-_]/gu, " ")));
  if (short === long) return 4;
  if (long.startsWith(short)) return 3;
  if (long.includes(short)) return 2;
  const bare = [...long.replace(/[^\p{L}\p{N}]/gu, "")];
  let at = 0;
  for (const letter of short.replace(/[^\p{L}\p{N}]/gu, "")) {
    at = bare.indexOf(letter, at) + 1;
    if (at === 0) return 0;
  }
  return at > 0 ? 1 : 0;
}
