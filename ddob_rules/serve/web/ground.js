// The ground layer: cells by tint and pattern, sides, roads, links, labels and signs. A few paths, however large the map.

import { tint } from "./counters.js";
import { svg } from "./nodes.js";
import { RADIUS, corners, outline, round, side, spaceIds } from "./shapes.js";
import { lineFor, patternFor } from "./words.js";

/**
 * @typedef {import("./table").Book} Book
 * @typedef {import("./shapes.js").Space} Space
 * @typedef {import("./shapes.js").Plane} Plane
 *
 * What lies between spaces.
 * @typedef {Pick<Book, "lines" | "edges" | "boards">} Lines
 *
 * What a space shows in place of its printed ground, and what is told of it now.
 * @typedef {import("./table").Ground & {now?: string}} Change
 */

/**
 * Everything printed on the boards, with what has changed of it.
 * @param {Lines} book
 * @param {readonly Printed[]} boards those that are drawn
 * @param {Plane} all
 * @param {Record<string, Change>} changes
 * @returns {SVGElement[]}
 */
export function ground(book, boards, all, changes) {
  const printed = boards.map((board, number) => {
    const spaces = all.list.filter((space) => space.board === number);
    return { board, spaces };
  });
  return [
    ...printed.flatMap(({ board, spaces }) => [...linked(board, spaces), ...filled(board, spaces, changes)]),
    ...lined(book, all),
  ];
}

/**
 * What is read on the ground, lit or not: names of cells and signs.
 * @param {readonly Printed[]} boards
 * @param {Plane} all
 * @param {Record<string, Change>} changes
 * @returns {SVGElement[]}
 */
export function print(boards, all, changes) {
  return boards.flatMap((board, number) => {
    const spaces = all.list.filter((space) => space.board === number);
    return [labels(board, spaces), ...written(board, spaces, changes)];
  });
}

/** @typedef {Book["boards"][number]} Printed */

/**
 * One path for each tint and one for each pattern, over all cells that have it.
 * @param {Printed} board
 * @param {readonly Space[]} spaces
 * @param {Record<string, Change>} changes
 * @returns {SVGElement[]}
 */
function filled(board, spaces, changes) {
  const patterned = patternsOf(board, spaces, changes);
  /** @type {Map<string, string[]>} */
  const tints = new Map();
  /** @type {Map<string, string[]>} */
  const signs = new Map();
  const add = (/** @type {Map<string, string[]>} */ all, /** @type {string} */ key, /** @type {string} */ path) =>
    all.set(key, [...(all.get(key) ?? []), path]);
  for (const space of spaces) {
    const ground = changes[space.id] ?? board.grounds[board.ground[space.index] ?? -1];
    const path = outline(corners(space.cell), space.x, space.y);
    add(tints, tint(ground?.tint), path);
    const pattern = patterned.get(space.id);
    if (pattern !== undefined) add(signs, pattern, path);
  }
  return [
    ...[...tints].map(([name, paths]) => svg("path", { class: `cells ${name}`, d: paths.join("") })),
    ...[...signs].map(([name, paths]) => svg("path", { class: "cell-pattern", fill: `url(#pattern-${name})`, d: paths.join("") })),
  ];
}

/**
 * The pattern of each space: as declared, or by the words for what is printed on it or lies there now.
 * @param {Printed} board
 * @param {readonly Space[]} spaces
 * @param {Record<string, Change>} changes
 * @returns {Map<string, string>}
 */
function patternsOf(board, spaces, changes) {
  const columns = board.facts.map((column) => ({ of: column.of, names: column.values.map((value) => patternFor(value)) }));
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const space of spaces) {
    const ground = changes[space.id] ?? board.grounds[board.ground[space.index] ?? -1];
    const printed = columns.map((column) => column.names[column.of[space.index] ?? -1] ?? null);
    const names = [patternFor(ground?.name ?? ""), ...printed, patternFor(changes[space.id]?.now ?? "")].filter((name) => name !== null);
    const name = ground?.pattern ?? names.at(-1);
    if (name !== undefined && name in PATTERNS) found.set(space.id, name);
  }
  return found;
}

/**
 * Lines between the centres of spaces on a network.
 * @param {Printed} board
 * @param {readonly Space[]} spaces
 * @returns {SVGElement[]}
 */
function linked(board, spaces) {
  const lines = (board.links ?? []).map(([one, other]) => between(spaces[one], spaces[other])).join("");
  return lines === "" ? [] : [svg("path", { class: "links", d: lines })];
}

/**
 * @param {Space | undefined} from
 * @param {Space | undefined} to
 */
function between(from, to) {
  return from === undefined || to === undefined ? "" : `M${round(from.x)} ${round(from.y)}L${round(to.x)} ${round(to.y)}`;
}

/**
 * Sides of cells and roads, one path for each sort.
 * @param {Lines} book
 * @param {Plane} all
 * @returns {SVGElement[]}
 */
function lined(book, all) {
  /** @type {Map<number, string>} */
  const paths = new Map();
  const ids = spaceIds(book);
  for (const [one, other, sort] of pairs(book.edges)) {
    const from = all.spaces.get(ids[one] ?? "");
    const to = all.spaces.get(ids[other] ?? "");
    if (from === undefined || to === undefined) continue;
    const [[x, y], [p, q]] = side(from, to);
    const path = book.lines[sort]?.as === "way" ? between(from, to) : `M${round(x)} ${round(y)}L${round(p)} ${round(q)}`;
    paths.set(sort, (paths.get(sort) ?? "") + path);
  }
  const sorted = [...paths].sort(([one], [other]) => Number(isRoad(book, other)) - Number(isRoad(book, one)) || one - other);
  return sorted.flatMap(([sort, d]) => strokes(book, sort).map((stroke) => svg("path", { class: stroke, d })));
}

/**
 * The classes of what is drawn for a sort of line, one upon the other: a road lies on its bed.
 * @param {Lines} book
 * @param {number} sort
 */
export function strokes(book, sort) {
  const line = book.lines[sort];
  if (isRoad(book, sort)) return ["road-bed", `road ${lineClass(line?.name ?? "", sort)}`];
  return [`cell-side ${lineClass(line?.name ?? "", sort, line?.as)}`];
}

/**
 * Pairs of spaces, and the sort of line between them; written as steps from the pair before.
 * @param {Book["edges"]} edges
 * @returns {[number, number, number][]}
 */
function pairs(edges) {
  return edges.flatMap((steps, sort) => {
    let at = 0;
    return Array.from({ length: steps.length / 2 }, (_, number) => {
      at += steps[2 * number] ?? 0;
      return /** @type {[number, number, number]} */ ([at, at + (steps[2 * number + 1] ?? 0), sort]);
    });
  });
}

/** Sorts of sides without a word for them that can be told apart; further ones look like earlier ones. */
const SIDES = 8;

/**
 * How a line is drawn: by a usual word for it, else by its number.
 * @param {string} name
 * @param {number} sort
 * @param {string} [as]
 */
function lineClass(name, sort, as) {
  if (as === "limit") return "line-limit";
  const known = lineFor(name);
  return known === null ? `line-${sort % SIDES}` : `line-${known}`;
}

/**
 * @param {Lines} book
 * @param {number} sort
 */
export function isRoad(book, sort) {
  return book.lines[sort]?.as === "way";
}

/**
 * The printed names of cells, one text for all.
 * @param {Printed} board
 * @param {readonly Space[]} spaces
 * @returns {SVGElement}
 */
function labels(board, spaces) {
  const low = board.cell === "hex-pointy" ? 0.62 : board.cell === "hex-flat" ? 0.68 : board.cell === "dot" ? 1.02 : 0.74;
  return svg(
    "text",
    { class: "labels" },
    ...spaces.map((space) => svg("tspan", { x: round(space.x), y: round(space.y - RADIUS * low + 4) }, String(board.titles?.[space.index] ?? space.id))),
  );
}

/**
 * Signs of spaces without a pattern, and what is printed beside them.
 * @param {Printed} board
 * @param {readonly Space[]} spaces
 * @param {Record<string, Change>} changes
 * @returns {SVGElement[]}
 */
function written(board, spaces, changes) {
  const patterned = patternsOf(board, spaces, changes);
  return spaces.flatMap((space) => {
    const ground = changes[space.id] ?? board.grounds[board.ground[space.index] ?? -1];
    const read = ground?.sign ?? "";
    const sign = (patterned.has(space.id) && !NUMBER.test(read)) || TEXTURE.test(read) ? "" : read;
    const size = sign.length <= 1 ? 34 : sign.length <= 3 ? 22 : 14;
    return [
      ...(sign === "" ? [] : [svg("text", { class: "cell-sign", x: round(space.x), y: round(space.y + size * 0.36), "font-size": size }, sign)]),
      ...(ground?.label ? [svg("text", { class: "cell-label", x: round(space.x), y: round(space.y + RADIUS * 0.72) }, ground.label)] : []),
    ];
  });
}

/** Signs that are read on a pattern, too: the number of a space. */
const NUMBER = /\d/;
/** Signs that only make a texture in a terminal. */
const TEXTURE = /^[!-\/:-@[-`{-~]*$/u;

/** A tile of each pattern: its size and its path. */
export const PATTERNS = /** @type {Record<string, [number, string]>} */ ({
  dots: [12, "M3 3h.01M9 9h.01"],
  waves: [20, "M0 6q5-5 10 0t10 0M0 16q5-5 10 0t10 0"],
  trees: [22, "M6 10l4-7l4 7zM10 10v3M15 20l3-5l3 5z"],
  houses: [24, "M4 10v-4l3-3l3 3v4zM15 21v-4l3-3l3 3v4z"],
  hedges: [16, "M2 4h6M10 12h5M12 4q2-3 3 0M4 12q2-3 3 0"],
  hatch: [9, "M0 9L9 0M-2 2L2-2M7 11L11 7"],
  wire: [15, "M3 3l5 5M8 3l-5 5M10 10l4 4M14 10l-4 4"],
  slope: [14, "M1 4l3 5l3-5M8 11l3 5l3-5M8-3l3 5l3-5"],
  paving: [16, "M0 5h7M9 12h7"],
  rocks: [18, "M3 8l2-4h3l2 4zM11 16l2-3h2l1 3z"],
});

export function patterns() {
  return svg(
    "defs",
    {},
    ...Object.entries(PATTERNS).map(([name, [size, d]]) =>
      svg("pattern", { id: `pattern-${name}`, width: size, height: size, patternUnits: "userSpaceOnUse" }, svg("path", { class: `tile tile-${name}`, d })),
    ),
  );
}
