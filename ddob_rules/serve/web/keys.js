// Keys of the map: a cursor that walks over spaces, lit things one after the other, and the letters of the wireframe.
// They work while the map has the focus; Ctrl+Z and the slash work everywhere but in a field.

/** @typedef {import("./sitting.js").Sitting} Sitting */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/**
 * @param {Sitting} table
 * @param {KeyboardEvent} event
 */
export function mapKey(table, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key];
  if (arrow !== undefined) {
    if (event.shiftKey) table.board?.panBy(-arrow[0] * 60, -arrow[1] * 60);
    else table.walk(arrow);
  } else {
    const does = MAP_KEYS[event.key];
    if (does === undefined) return;
    does(table);
  }
  event.preventDefault();
}

const MAP_KEYS = /** @type {Record<string, (table: Sitting) => void>} */ ({
  Enter: (table) => table.clickCursor(),
  " ": (table) => table.clickCursor(),
  n: (table) => table.hop(1),
  p: (table) => table.hop(-1),
  "?": (table) => table.askAtCursor(),
  ".": (table) => table.endNow(),
  r: (table) => table.reachAtCursor(),
  Escape: (table) => table.letGo(),
  "+": (table) => table.board?.zoomBy(1.25),
  "=": (table) => table.board?.zoomBy(1.25),
  "-": (table) => table.board?.zoomBy(0.8),
  0: (table) => table.board?.fit(),
});

/**
 * @param {Sitting} table
 * @param {KeyboardEvent} event
 */
export function pageKey(table, event) {
  const field = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog");
  if (field) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    if (event.shiftKey) table.redo();
    else table.undo();
  } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "y") table.redo();
  else if (event.key === "/" && !event.ctrlKey && !event.metaKey) table.openLineBox();
  else if (event.key === "Escape") table.letGo();
  else return;
  event.preventDefault();
}
