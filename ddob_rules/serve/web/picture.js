// A map in small, for the start page: ground and counters, nothing to click.

import { counter } from "./counters.js";
import { ground, patterns } from "./ground.js";
import { svg } from "./nodes.js";
import { Reading, mapBoards } from "./reading.js";
import { plane } from "./shapes.js";

/**
 * @param {import("./table").Book} book
 * @param {import("./table").Table} table
 * @returns {SVGElement | null} null if the game has no map
 */
export function picture(book, table) {
  const boards = mapBoards(book);
  if (boards.length === 0) return null;
  const all = plane(boards);
  const reading = new Reading(book, table);
  const counters = reading.placed().flatMap(({ at, look }) => {
    const space = all.spaces.get(at);
    return space === undefined ? [] : [svg("g", { class: "counter", transform: `translate(${space.x} ${space.y})` }, ...counter(look))];
  });
  const made = svg("svg", { viewBox: `${all.left} ${all.top} ${all.width} ${all.height}`, "data-detail": "far", preserveAspectRatio: "xMidYMid meet" });
  made.append(patterns(), ...ground(book, boards, all, reading.changes()), ...counters);
  return made;
}
