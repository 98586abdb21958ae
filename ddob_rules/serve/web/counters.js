// What a thing looks like as a counter: side by outline, branch by symbol, steps by pips, states by marks.
// Colour only repeats what shape says already.

import { svg } from "./nodes.js";
import { outline, ring } from "./shapes.js";

/**
 * All that a counter shows; two things with equal looks are drawn alike.
 * @typedef {{name: string, symbol: string | null, letters: string, tint: string, side: number, numbers: string[],
 *   steps: number | null, of: number | null, marks: string[], facing: number | null, hidden: boolean, named: boolean}} Look
 */

/** Half the width of a counter, in units of the plane. */
export const HALF = 27;

/** What stands for a branch, drawn in a box of 28 by 18 around 0, 0: lines in `line`, filled parts in `fill`. */
export const SYMBOLS = /** @type {Record<string, {line?: string, fill?: string, box?: boolean}>} */ ({
  infantry: { box: true, line: "M-14-8.500L14 8.500M-14 8.500L14-8.500" },
  armour: { box: true, line: "M-6-5H6A5 5 0 0 1 6 5H-6A5 5 0 0 1-6-5Z" },
  artillery: { box: true, fill: "M-4.500 0a4.500 4.500 0 1 0 9 0a4.500 4.500 0 1 0-9 0Z" },
  engineer: { box: true, line: "M-8 6V-3H8V6M0-3V4" },
  headquarters: { line: "M-12 10V-9H12V2H-12" },
  gun: { line: "M0 9V-9M-5-4L0-9L5-4M-8 9H8M-5 9V3M5 9V3" },
  nest: { line: "M-12 8A12 14 0 0 1 12 8M-5 8A5 6 0 0 1 5 8M0-6V-10" },
  supply: { box: true, line: "M-14 4H14" },
  ship: { line: "M-14 1H14L9 8H-9ZM-4 1V-8L6 1" },
  leader: { fill: "M0-10L2.900-3.100L10.500-3.100L4.400 1.500L6.600 8.500L0 4.300L-6.600 8.500L-4.400 1.500L-10.500-3.100L-2.900-3.100Z" },
});

const SQUARE = `M${-HALF + 3} ${-HALF}H${HALF - 3}a3 3 0 0 1 3 3V${HALF - 3}a3 3 0 0 1-3 3H${-HALF + 3}a3 3 0 0 1-3-3V${-HALF + 3}a3 3 0 0 1 3-3Z`;
const ROUND = `M0${-HALF}a${HALF} ${HALF} 0 1 1 0 ${2 * HALF}a${HALF} ${HALF} 0 1 1 0${-2 * HALF}Z`;
const NOTCHED = outline([
  [-HALF + 10, -HALF],
  [HALF - 10, -HALF],
  [HALF, -HALF + 10],
  [HALF, HALF - 10],
  [HALF - 10, HALF],
  [-HALF + 10, HALF],
  [-HALF, HALF - 10],
  [-HALF, -HALF + 10],
]);
const POINTED = outline(ring(6, 0, HALF * 1.08));
/** By the number of a side. */
export const OUTLINES = /** @type {const} */ ([SQUARE, ROUND, NOTCHED, POINTED]);

/**
 * @param {number} side
 * @returns {string}
 */
export function outlineOf(side) {
  return /** @type {string} */ (OUTLINES[Math.max(0, side) % OUTLINES.length]);
}

/** Tints that people with any colour vision can tell from each other, in the order in which they are given out. */
export const TINTS = ["blue", "orange", "teal", "purple", "yellow", "red", "grey", "brown", "white", "black", "green", "pink"];
const OTHERS = ["sand", "olive", "stone", "water", "sky", "khaki", "field"];
const ALIASES = /** @type {Record<string, string>} */ ({
  dark: "olive", gray: "grey", cyan: "teal", turquoise: "teal", magenta: "purple", violet: "purple", gold: "yellow", beige: "sand",
  // As rules in French, and catalogues, call them.
  rouge: "red", jaune: "yellow", sable: "sand", vert: "green", bleu: "blue", rose: "pink", brun: "brown", gris: "grey",
  sombre: "olive", blanc: "white", noir: "black",
});

/**
 * The class of a tint; a name that is none of ours always gets the same one of ours.
 * @param {string | null | undefined} name
 * @returns {string}
 */
export function tint(name) {
  if (name === null || name === undefined || name === "") return "tint-plain";
  const plain = name.toLowerCase().replace(/^bright[_ -]/u, "");
  const known = ALIASES[plain] ?? plain;
  if (TINTS.includes(known) || OTHERS.includes(known)) return `tint-${known}`;
  let sum = 0;
  for (const letter of known) sum = (sum * 31 + /** @type {number} */ (letter.codePointAt(0))) % 9973;
  return `tint-${/** @type {string} */ (TINTS[sum % TINTS.length])}`;
}

/**
 * The parts of a counter around 0, 0.
 * @param {Look} look
 * @returns {SVGElement[]}
 */
export function counter(look) {
  const parts = [
    svg("path", { class: `card ${tint(look.tint)}`, d: outlineOf(look.side) }),
    ...(look.hidden ? [svg("text", { class: "hidden-sign", y: 9 }, "?")] : face(look)),
    ...pips(look),
    ...signs(look),
  ];
  if (look.facing !== null) {
    parts.push(svg("path", { class: "facing", d: `M-7 ${-HALF - 1}L0 ${-HALF - 9}L7 ${-HALF - 1}Z`, transform: `rotate(${look.facing})` }));
  }
  return parts;
}

/**
 * Symbol or letters in the middle, numbers below, the name above.
 * @param {Look} look
 * @returns {SVGElement[]}
 */
function face(look) {
  const symbol = look.symbol === null ? undefined : SYMBOLS[look.symbol];
  const numbers = look.numbers.join(" ");
  const short = shortened(look.name);
  const name = look.named ? [svg("text", { class: "small-name", y: -15, "font-size": Math.min(10.5, WIDEST / short.length).toFixed(1) }, short)] : [];
  if (symbol === undefined) {
    const size = look.letters.length <= 1 ? 32 : look.letters.length <= 3 ? 20 : look.letters.length <= 5 ? 15 : 11;
    return [...name, svg("text", { class: "letters", y: (look.named ? 3 : 0) + size * 0.36, "font-size": size }, look.letters.slice(0, 9))];
  }
  return [
    ...name,
    ...(symbol.box ? [svg("rect", { class: "symbol", x: -14, y: -12, width: 28, height: 17 })] : []),
    ...(symbol.line ? [svg("path", { class: "symbol", d: symbol.line, transform: "translate(0 -3.500)" })] : []),
    ...(symbol.fill ? [svg("path", { class: "symbol filled", d: symbol.fill, transform: "translate(0 -3.500)" })] : []),
    ...(numbers === "" ? [] : [svg("text", { class: "numbers", y: 21, x: look.steps === null ? 0 : 4, "font-size": sizeOf(numbers) }, numbers)]),
  ];
}

/** Long numbers are written small: the pips stand beside them. @param {string} numbers */
function sizeOf(numbers) {
  return numbers.length <= 3 ? 17 : numbers.length <= 4 ? 15 : numbers.length <= 6 ? 13 : 10;
}

/** Letters of a name that fit on a counter, and how wide a name of the usual size may be. */
const LETTERS = 12;
const WIDEST = 95;

/**
 * A long name is told by the first letters of its words; numbers and capitals stay: `2 SS Pz Korps` is 2SSPK.
 * @param {string} name
 */
function shortened(name) {
  if (name.length <= LETTERS) return name;
  const parts = name.split(/[\s_-]+/u).filter((part) => part !== "");
  const short = parts.map((part) => (/\d/u.test(part) || part === part.toUpperCase() ? part : (/[\p{L}\p{N}]/u.exec(part)?.[0] ?? "").toUpperCase())).join("");
  const told = parts.length === 1 ? name : short;
  return told.length <= LETTERS ? told : `${told.slice(0, LETTERS - 1)}…`;
}

/** More steps than this are told as a number. */
const MOST_PIPS = 6;

/**
 * A filled pip for each step that is left, a hollow one for each that is lost.
 * @param {Look} look
 * @returns {SVGElement[]}
 */
function pips(look) {
  if (look.steps === null) return [];
  const all = Math.max(look.of ?? look.steps, look.steps);
  if (all > MOST_PIPS) return [svg("text", { class: "pips", x: -HALF + 8, y: HALF - 4 }, String(look.steps))];
  return Array.from({ length: all }, (_, number) =>
    svg("circle", {
      class: number < /** @type {number} */ (look.steps) ? "pip" : "pip lost",
      cx: -HALF + 5.5,
      cy: HALF - 7 - number * 8,
      r: 2.8,
    }),
  );
}

/**
 * What has happened to a thing: the first letter of each mark in a disc; what it stands for is told beside the map.
 * They stand below the name, at the edge.
 * @param {Look} look
 * @returns {SVGElement[]}
 */
function signs(look) {
  const top = look.named ? -HALF + 22 : -HALF + 6;
  return look.marks.slice(0, 3).map((mark, number) =>
    svg("g", { class: "mark", transform: `translate(${HALF - 1} ${top + number * 14})` },
      svg("circle", { r: 7 }),
      svg("text", { y: 3.6 }, (mark[0] ?? "").toUpperCase()),
    ),
  );
}

/**
 * What a counter tells, in words.
 * @param {Look} look
 * @param {(key: import("./words.js").Word, values?: Record<string, string | number>) => string} words
 * @returns {string}
 */
export function spoken(look, words) {
  return [
    look.name,
    look.hidden ? words("hidden") : look.symbol,
    look.numbers.join(" ") || null,
    look.steps === null ? null : words("steps of", { steps: look.steps, of: look.of ?? look.steps }),
    ...look.marks,
  ]
    .filter((part) => part !== null && part !== "")
    .join(", ");
}
