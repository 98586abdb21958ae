// From the centres and cell shapes of a book to points on a plane: where a cell lies, what is under a point,
// which cell is next in a direction. Pure, and the same for hexes, squares, networks and boxes.

/**
 * @typedef {import("./table").Book} Book
 * @typedef {[number, number]} Point
 * @typedef {"hex-pointy" | "hex-flat" | "square" | "dot" | "box"} Cell
 * @typedef {{id: string, x: number, y: number, board: number, index: number, cell: Cell}} Space
 * @typedef {{spaces: Map<string, Space>, list: Space[], left: number, top: number, width: number, height: number}} Plane
 */

/** From the centre of a hex to its corner, in units of the plane; everything else is measured by it. */
export const RADIUS = 48;
const ROOT = Math.sqrt(3);
/** Between the centres of two squares: about as large as a hex. */
export const SIDE = RADIUS * ROOT;
/** A map that is only a handful of nodes would be drawn huge: they are as large as this. */
const NODE = RADIUS * 0.82;
/** Between two boards that lie side by side. */
const GAP = RADIUS * 1.5;

/**
 * The corners of a cell around its centre.
 * @param {Cell} cell
 * @param {number} [scale]
 * @returns {Point[]}
 */
export function corners(cell, scale = 1) {
  if (cell === "hex-pointy" || cell === "hex-flat") return ring(6, cell === "hex-flat" ? 0 : 30, RADIUS * scale);
  if (cell === "dot") return ring(16, 0, NODE * scale);
  const half = ((cell === "box" ? SIDE * 0.94 : SIDE) / 2) * scale;
  return [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ];
}

/**
 * @param {number} count
 * @param {number} from in degrees
 * @param {number} radius
 * @returns {Point[]}
 */
export function ring(count, from, radius) {
  return Array.from({ length: count }, (_, number) => {
    const angle = ((from + (number * 360) / count) * Math.PI) / 180;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/**
 * @param {readonly Point[]} points
 * @param {number} x
 * @param {number} y
 */
export function outline(points, x = 0, y = 0) {
  return `M${points.map(([across, down]) => `${round(x + across)} ${round(y + down)}`).join("L")}Z`;
}

/**
 * The ids of all spaces of a book, in the order of its boards: what numbers of spaces mean.
 * @param {Pick<Book, "boards">} book
 * @returns {string[]}
 */
export function spaceIds(book) {
  return book.boards.flatMap((board) => board.ids);
}

/** @param {number} value */
export function round(value) {
  return Math.round(value * 10) / 10;
}

/**
 * All spaces of some boards on one plane, board beside board. Neighbours on a grid are one side apart.
 * @param {readonly Book["boards"][number][]} boards
 * @returns {Plane}
 */
export function plane(boards) {
  /** @type {Space[]} */
  const list = [];
  let right = 0;
  let bottom = 0;
  boards.forEach((board, number) => {
    const cell = /** @type {Cell} */ (board.cell);
    const [wide, high] = [SIDE * (board.step[0] ?? 1), SIDE * (board.step[1] ?? 1)];
    const start = right === 0 ? 0 : right + GAP;
    board.ids.forEach((id, index) => {
      const x = (board.x[index] ?? 0) * wide + start + RADIUS;
      const y = (board.y[index] ?? 0) * high + RADIUS;
      list.push({ id, x, y, board: number, index, cell });
      bottom = Math.max(bottom, y + RADIUS);
    });
    right = Math.max(right, ...list.map((space) => space.x + RADIUS));
  });
  const margin = RADIUS * 0.3;
  const spaces = new Map(list.map((space) => [space.id, space]));
  return { spaces, list, left: -margin, top: -margin, width: right + 2 * margin, height: bottom + 2 * margin };
}

/**
 * The space under a point: cells are nearer to their own centre than to any other.
 * @param {Plane} all
 * @param {number} x
 * @param {number} y
 * @returns {Space | null}
 */
export function under(all, x, y) {
  const found = nearest(all.list, x, y);
  return found !== null && Math.hypot(found.x - x, found.y - y) <= RADIUS * 1.25 ? found : null;
}

/**
 * @param {readonly Space[]} spaces
 * @param {number} x
 * @param {number} y
 * @returns {Space | null}
 */
export function nearest(spaces, x, y) {
  let best = null;
  let least = Infinity;
  for (const space of spaces) {
    const far = (space.x - x) ** 2 + (space.y - y) ** 2;
    if (far < least) [best, least] = [space, far];
  }
  return best;
}

/**
 * The next space in a direction, and where the way aims at: going up and down again comes back to the same cell.
 * @param {Plane} all
 * @param {Space} from
 * @param {Point} direction of length one, down is positive
 * @param {Point} aim
 * @returns {Space | null}
 */
export function next(all, from, direction, aim) {
  let best = null;
  let least = Infinity;
  for (const space of all.list) {
    const across = space.x - from.x;
    const down = space.y - from.y;
    const along = across * direction[0] + down * direction[1];
    const beside = Math.abs((space.x - aim[0]) * direction[1]) + Math.abs((space.y - aim[1]) * direction[0]);
    if (along < RADIUS * 0.5) continue;
    const cost = along + beside * 1.5;
    if (cost < least) [best, least] = [space, cost];
  }
  return best;
}

/**
 * The side that two cells share: it stands across the line between their centres.
 * @param {Space} one
 * @param {Space} other
 * @returns {[Point, Point]}
 */
export function side(one, other) {
  const across = other.x - one.x;
  const down = other.y - one.y;
  const length = Math.hypot(across, down) || 1;
  const half = (one.cell === "square" || one.cell === "box" ? SIDE : RADIUS) / 2;
  const middle = [(one.x + other.x) / 2, (one.y + other.y) / 2];
  const turned = [(-down / length) * half, (across / length) * half];
  const [mx, my] = /** @type {Point} */ (middle);
  const [tx, ty] = /** @type {Point} */ (turned);
  return [
    [mx - tx, my - ty],
    [mx + tx, my + ty],
  ];
}
