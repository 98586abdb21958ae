// The map: three layers of SVG (ground, light, counters) under one transform, and the pointer upon it.
// It draws what it is told and tells what was pointed at; what a click means is `choose`'s.

import { HALF, counter } from "./counters.js";
import { ground, patterns, print } from "./ground.js";
import { set, svg } from "./nodes.js";
import { mapBoards } from "./reading.js";
import { RADIUS, corners, next, outline, plane, round, under } from "./shapes.js";

/**
 * @typedef {import("./table").Book} Book
 * @typedef {import("./counters.js").Look} Look
 * @typedef {import("./shapes.js").Space} Space
 * @typedef {import("./shapes.js").Plane} Plane
 * @typedef {import("./shapes.js").Point} Point
 *
 * A thing on the map; a token is no thing but a value of its space.
 * @typedef {{id: string, at: string, look: Look, token?: boolean}} Placed
 *
 * @typedef {import("./ground.js").Change} Change
 *
 * @typedef {{lit: Set<string>, picked: readonly string[], chosen: readonly string[], last: readonly string[],
 *   about: readonly string[], reach: Record<string, readonly string[]>, cursor: string | null, held: string | null}} Lights
 *
 * @typedef {{
 *   click: (candidates: string[], exact: boolean) => void,
 *   hover: (candidates: string[] | null) => void,
 *   context: (candidates: string[], x: number, y: number) => void,
 *   drop: (things: string[], candidates: string[]) => void,
 *   movable: (thing: string) => boolean,
 * }} Handlers
 */

/** A pointer that moves less than this many pixels has clicked. */
const STILL = { mouse: 4, touch: 9, pen: 9 };
/** Cells narrower than this on the screen show tint and symbol only; wider than that, names as well. */
const FAR = 46;
const NEAR = 54;
/** Cells are at least so wide at the first look. */
const READABLE = 72;
/** On a low screen they are smaller, so that there is something around what is asked about. */
const LOW = 420;
const READABLE_LOW = 56;
const LEAST_ZOOM = 0.12;
const MOST_ZOOM = 3;
/** What is smaller than this on the screen is hard to hit. */
const TARGET = 44;
/** A finger that rests this long means the right button. */
const HOLD = 550;

export class Board {
  /**
   * @param {HTMLElement} host
   * @param {Handlers} handlers
   */
  constructor(host, handlers) {
    this.host = host;
    this.handlers = handlers;
    /** @type {Plane} */
    this.plane = { spaces: new Map(), list: [], left: 0, top: 0, width: 1, height: 1 };
    /** @type {Book | null} */
    this.book = null;
    /** @type {Book["boards"]} */
    this.boards = [];
    this.ground = svg("g", { class: "ground" });
    this.light = svg("g", { class: "light" });
    this.print = svg("g", { class: "print" });
    this.counters = svg("g", { class: "counters" });
    this.above = svg("g", { class: "above" });
    this.picture = svg("svg", { class: "map-picture", "aria-hidden": "true" }, patterns(), this.ground, this.light, this.print, this.counters, this.above);
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet";
    this.sheet.append(this.picture);
    this.host.append(this.sheet);
    /** @type {Map<string, {node: SVGElement, key: string, x: number, y: number}>} */
    this.drawn = new Map();
    /** @type {Placed[]} */
    this.things = [];
    /** @type {Map<string, string[]>} */
    this.stacks = new Map();
    /** @type {Lights} */
    this.lights = { lit: new Set(), picked: [], chosen: [], last: [], about: [], reach: {}, cursor: null, held: null };
    /** @type {string | null} */
    this.fan = null;
    this.groundKey = "";
    this.zoom = 1;
    this.left = 0;
    this.top = 0;
    this.untouched = true;
    this.opening = true;
    this.light.append(...LIGHTS.map((name) => svg("path", { class: `light-${name}` })));
    this.listen();
    /** Where the map begins on the page. @type {Point | null} */
    this.corner = null;
    new ResizeObserver(() => this.resized()).observe(host);
  }

  // ------------------------------------------------------------ what is drawn

  /** @param {Book} book */
  open(book) {
    this.book = book;
    this.boards = mapBoards(book);
    this.plane = plane(this.boards);
    const { left, top, width, height } = this.plane;
    set(this.picture, { viewBox: `${left} ${top} ${width} ${height}`, width, height });
    this.groundKey = "";
    this.drawn.forEach(({ node }) => node.remove());
    this.drawn.clear();
    this.fan = null;
    this.untouched = true;
    this.opening = true;
    this.fit();
  }

  /**
   * The first look at a large map: near enough to read, at the part that is asked about, or else where things are.
   * @param {readonly string[]} ids
   */
  look(ids) {
    if (!this.opening || this.host.clientWidth === 0) return;
    this.opening = ids.length === 0;
    this.fit();
    const width = this.zoom * RADIUS * 1.73;
    if (width >= FAR) return;
    const points = (ids.length > 0 ? ids : [...this.drawn.keys()]).map((id) => this.pointOf(id)).filter((point) => point !== null);
    const middle = (/** @type {0 | 1} */ axis) => points.map((point) => point[axis]).sort((one, other) => one - other)[Math.floor(points.length / 2)];
    const x = middle(0) ?? this.plane.width / 2;
    const y = middle(1) ?? this.plane.height / 2;
    this.zoom *= (this.host.clientHeight < LOW ? READABLE_LOW : READABLE) / width;
    this.untouched = false;
    this.centreOn(x, y);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  centreOn(x, y) {
    const { clientWidth, clientHeight } = this.host;
    const inside = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ all) =>
      all * this.zoom < size ? (size - all * this.zoom) / 2 : Math.min(0, Math.max(size - all * this.zoom, size / 2 - at * this.zoom));
    this.left = inside(x - this.plane.left, clientWidth, this.plane.width);
    this.top = inside(y - this.plane.top, clientHeight, this.plane.height);
    this.transform();
  }

  /**
   * @param {readonly Placed[]} things
   * @param {Record<string, Change>} changes
   */
  draw(things, changes) {
    this.things = things.filter((thing) => this.plane.spaces.has(thing.at));
    this.stacks = new Map();
    for (const thing of this.things) if (!thing.token) this.stacks.set(thing.at, [...(this.stacks.get(thing.at) ?? []), thing.id]);
    const key = JSON.stringify(changes);
    if (key !== this.groundKey) {
      this.groundKey = key;
      this.drawGround(changes);
    }
    if (this.fan !== null && (this.stacks.get(this.fan)?.length ?? 0) < 2) this.fan = null;
    this.drawCounters();
  }

  /** @param {Record<string, Change>} changes */
  drawGround(changes) {
    if (this.book === null) return;
    this.ground.replaceChildren(...ground(this.book, this.boards, this.plane, changes));
    this.print.replaceChildren(...print(this.boards, this.plane, changes));
  }

  drawCounters() {
    const wanted = new Set(this.things.map((thing) => thing.id));
    for (const [id, { node }] of this.drawn) {
      if (wanted.has(id)) continue;
      node.remove();
      this.drawn.delete(id);
    }
    for (const thing of this.things) {
      const { look } = thing;
      const key = JSON.stringify(look);
      const before = this.drawn.get(thing.id);
      const node = before?.node ?? svg("g", { class: "counter", "data-thing": thing.token ? null : thing.id });
      if (before?.key !== key) node.replaceChildren(...counter(look), halo());
      const [x, y, scale] = this.spot(thing);
      if (before?.x !== x || before?.y !== y || node.dataset["scale"] !== String(scale)) {
        node.dataset["scale"] = String(scale);
        node.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
      }
      const layer = thing.at === this.fan ? this.above : this.counters;
      if (node.parentNode !== layer) layer.append(node);
      this.drawn.set(thing.id, { node, key, x, y });
    }
    this.pileUp();
    this.drawFan();
    this.drawCounts();
    this.paint();
  }

  /** What lies upon others in a stack is drawn after them: whoever came last may have been drawn first. */
  pileUp() {
    for (const stack of this.stacks.values()) {
      for (let n = 1; n < stack.length; n += 1) {
        const [below, above] = [stack[n - 1], stack[n]].map((id) => this.drawn.get(id ?? "")?.node);
        if (below === undefined || above === undefined || below.parentNode !== above.parentNode) continue;
        if ((below.compareDocumentPosition(above) & Node.DOCUMENT_POSITION_FOLLOWING) === 0) above.parentNode?.append(above);
      }
    }
  }

  /** Whether others lie upon a thing, so that its name would be cut. @param {Placed} thing */
  isBuried(thing) {
    return thing.at !== this.fan && this.stacks.get(thing.at)?.at(-1) !== thing.id && !thing.token;
  }

  /**
   * Where a thing lies: in its cell, a little aside in a stack, or apart from the others while the stack is fanned out.
   * @param {Placed} thing
   * @returns {[number, number, number]}
   */
  spot(thing) {
    const space = /** @type {Space} */ (this.plane.spaces.get(thing.at));
    const stack = this.stacks.get(thing.at) ?? [];
    const index = stack.indexOf(thing.id);
    if (thing.at !== this.fan) {
      if (stack.length <= 1 || thing.token) return [round(space.x), round(space.y), 1];
      const step = Math.min(7, 18 / (stack.length - 1));
      const from = (-(stack.length - 1) * step) / 2;
      return [round(space.x + from + index * step), round(space.y + from * 0.8 + index * step * 0.8), 0.86];
    }
    const scale = this.fanScale();
    const columns = Math.ceil(Math.sqrt(stack.length));
    const rows = Math.ceil(stack.length / columns);
    const pitch = (2 * HALF + 12) * scale;
    const x = space.x + ((index % columns) - (columns - 1) / 2) * pitch;
    const y = space.y + (Math.floor(index / columns) - (rows - 1) / 2) * pitch;
    return [round(x), round(y), scale];
  }

  fanScale() {
    return Math.max(1, TARGET / (2 * HALF * this.zoom));
  }

  drawFan() {
    this.above.querySelector(".fan")?.remove();
    if (this.fan === null) return;
    const space = /** @type {Space} */ (this.plane.spaces.get(this.fan));
    const count = this.stacks.get(this.fan)?.length ?? 0;
    const columns = Math.ceil(Math.sqrt(count));
    const pitch = (2 * HALF + 12) * this.fanScale();
    const width = columns * pitch + 8;
    const height = Math.ceil(count / columns) * pitch + 8;
    this.above.prepend(svg("rect", { class: "fan", x: space.x - width / 2, y: space.y - height / 2, width, height, rx: 8 }));
  }

  /** How many lie in a stack of three and more. */
  drawCounts() {
    this.counters.querySelectorAll(".count").forEach((node) => node.remove());
    for (const [at, stack] of this.stacks) {
      if (stack.length < 3 || at === this.fan) continue;
      const space = /** @type {Space} */ (this.plane.spaces.get(at));
      this.counters.append(
        svg("g", { class: "count", transform: `translate(${round(space.x - HALF - 2)} ${round(space.y - HALF - 2)})` }, svg("circle", { r: 9 }), svg("text", { y: 4 }, String(stack.length))),
      );
    }
  }

  // ------------------------------------------------------------ light

  /** @param {Lights} lights */
  shine(lights) {
    this.lights = lights;
    this.paint();
  }

  paint() {
    const { lit, picked, chosen, last, about, reach, cursor, held } = this.lights;
    const spaces = (/** @type {Iterable<string>} */ ids) =>
      [...ids].map((id) => this.plane.spaces.get(id)).filter((space) => space !== undefined);
    const cells = (/** @type {Iterable<string>} */ ids, /** @type {number} */ scale) =>
      spaces(ids).map((space) => outline(corners(space.cell, scale), space.x, space.y)).join("");
    const sets = Object.values(reach).slice(-3);
    const dots = spaces(lit).map((space) => `M${round(space.x - 5)} ${round(space.y)}a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z`).join("");
    /** @type {Record<(typeof LIGHTS)[number], string>} */
    const paths = {
      strong: cells(sets[0] ?? [], 0.97),
      steady: cells(sets[1] ?? [], 0.97),
      weak: cells(sets[2] ?? [], 0.97),
      last: cells(last, 0.9),
      about: cells(about, 0.82),
      lit: cells(lit, 0.86),
      dots,
      picked: cells([...picked, ...chosen], 0.94) + cells([...picked, ...chosen], 0.8),
      cursor: cursor === null ? "" : cells([cursor], 1),
    };
    LIGHTS.forEach((name, index) => this.light.children[index]?.setAttribute("d", paths[name]));
    const recent = new Set(last);
    const named = new Set(about);
    const buried = new Set(this.things.filter((thing) => this.isBuried(thing)).map((thing) => thing.id));
    for (const [id, { node }] of this.drawn) {
      const number = chosen.indexOf(id);
      set(node, {
        class: ["counter", buried.has(id) && "is-buried", lit.has(id) && "is-lit", picked.includes(id) && "is-picked", number >= 0 && "is-chosen", id === held && "is-held", recent.has(id) && "is-last", named.has(id) && "is-about"]
          .filter(Boolean)
          .join(" "),
      });
    }
    // What is picked lies on top of its stack.
    for (const id of picked) {
      const node = this.drawn.get(id)?.node;
      if (node !== undefined && node !== node.parentNode?.lastChild) node.parentNode?.append(node);
    }
    this.number(chosen);
  }

  /**
   * What was chosen in an order is numbered.
   * @param {readonly string[]} chosen
   */
  number(chosen) {
    this.above.querySelectorAll(".ordinal").forEach((node) => node.remove());
    chosen.forEach((id, index) => {
      const point = this.pointOf(id);
      if (point === null) return;
      this.above.append(svg("g", { class: "ordinal", transform: `translate(${point[0] + HALF - 4} ${point[1] + HALF - 4})` }, svg("circle", { r: 11 }), svg("text", { y: 5 }, String(index + 1))));
    });
  }

  /**
   * Where a thing or space is drawn, on the plane.
   * @param {string} id
   * @returns {Point | null}
   */
  pointOf(id) {
    const thing = this.drawn.get(id);
    if (thing !== undefined) return [thing.x, thing.y];
    const space = this.plane.spaces.get(id);
    return space === undefined ? null : [space.x, space.y];
  }

  /** @param {string | null} at */
  spread(at) {
    this.fan = at !== null && (this.stacks.get(at)?.length ?? 0) > 1 ? at : null;
    this.drawCounters();
  }

  // ------------------------------------------------------------ pan and zoom

  /** What is above the map or beside it has grown or shrunk: what is seen of the map stays where it is on the screen. */
  resized() {
    const { left, top } = this.host.getBoundingClientRect();
    const before = this.corner;
    this.corner = [left + window.scrollX, top + window.scrollY];
    if (this.untouched) return this.fit();
    if (before === null) return;
    this.left += before[0] - this.corner[0];
    this.top += before[1] - this.corner[1];
    this.transform();
  }

  fit() {
    const { clientWidth, clientHeight } = this.host;
    if (clientWidth === 0 || this.plane.list.length === 0) return;
    this.zoom = Math.min(clientWidth / this.plane.width, clientHeight / this.plane.height, 1.6);
    this.left = (clientWidth - this.plane.width * this.zoom) / 2;
    this.top = (clientHeight - this.plane.height * this.zoom) / 2;
    this.transform();
  }

  transform() {
    this.sheet.style.transform = `translate(${this.left}px, ${this.top}px) scale(${this.zoom})`;
    const width = this.zoom * RADIUS * 1.73;
    const detail = width < FAR ? "far" : width < NEAR ? "middle" : "near";
    if (this.picture.dataset["detail"] !== detail) this.picture.dataset["detail"] = detail;
  }

  /**
   * @param {number} factor
   * @param {number} [x] of what stays where it is, in pixels of the map
   * @param {number} [y]
   */
  zoomBy(factor, x = this.host.clientWidth / 2, y = this.host.clientHeight / 2) {
    const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom * factor));
    this.left = x - ((x - this.left) * zoom) / this.zoom;
    this.top = y - ((y - this.top) * zoom) / this.zoom;
    this.zoom = zoom;
    this.untouched = false;
    this.transform();
    if (this.fan !== null) this.drawCounters();
  }

  /**
   * @param {number} across
   * @param {number} down
   */
  panBy(across, down) {
    this.left += across;
    this.top += down;
    this.untouched = false;
    this.transform();
  }

  /**
   * Brings something into sight, if it is not there already.
   * @param {string} id
   */
  reveal(id) {
    const point = this.pointOf(id);
    if (point === null || this.untouched) return; // the whole map is in sight
    const [x, y] = this.onScreen(point);
    const margin = Math.min(130, this.host.clientWidth / 5, this.host.clientHeight / 5);
    const over = (/** @type {number} */ at, /** @type {number} */ size) => (at < margin ? margin - at : at > size - margin ? size - margin - at : 0);
    const across = over(x, this.host.clientWidth);
    const down = over(y, this.host.clientHeight);
    if (across !== 0 || down !== 0) this.panBy(across, down);
  }

  /**
   * Brings what is lit into sight, if nothing of it is.
   * @param {readonly string[]} ids
   */
  turnTo(ids) {
    const points = ids.map((id) => this.pointOf(id)).filter((point) => point !== null);
    const { clientWidth, clientHeight } = this.host;
    const inSight = points.some((point) => {
      const [x, y] = this.onScreen(point);
      return x > 0 && y > 0 && x < clientWidth && y < clientHeight;
    });
    const middle = points[Math.floor(points.length / 2)];
    if (!inSight && middle !== undefined) this.centreOn(middle[0], middle[1]);
  }

  /**
   * @param {Point} point
   * @returns {Point} in pixels of the map
   */
  onScreen([x, y]) {
    return [(x - this.plane.left) * this.zoom + this.left, (y - this.plane.top) * this.zoom + this.top];
  }

  /**
   * @param {number} clientX
   * @param {number} clientY
   * @returns {Point} on the plane
   */
  onPlane(clientX, clientY) {
    const frame = this.host.getBoundingClientRect();
    return [
      (clientX - frame.left - this.left) / this.zoom + this.plane.left,
      (clientY - frame.top - this.top) / this.zoom + this.plane.top,
    ];
  }

  /**
   * @param {string} from
   * @param {Point} direction
   * @param {Point} aim
   */
  nextSpace(from, direction, aim) {
    const space = this.plane.spaces.get(from);
    return space === undefined ? null : next(this.plane, space, direction, aim);
  }

  // ------------------------------------------------------------ the pointer

  /**
   * What lies under a point, the topmost first, and whether one counter was meant exactly.
   * @param {Event} event
   * @param {number} clientX
   * @param {number} clientY
   * @returns {{candidates: string[], exact: boolean}}
   */
  pointed(event, clientX, clientY) {
    const target = event.target instanceof Element ? event.target : document.elementFromPoint(clientX, clientY);
    // Between the counters of an open stack there is nothing, whatever lies below it.
    if (target?.matches(".fan")) return { candidates: [], exact: false };
    const node = target?.closest?.("[data-thing]");
    const id = node instanceof SVGElement ? node.dataset["thing"] : undefined;
    const thing = id === undefined ? undefined : this.things.find((other) => other.id === id);
    if (thing !== undefined && thing.at === this.fan) return { candidates: [thing.id, thing.at], exact: true };
    const [x, y] = this.onPlane(clientX, clientY);
    const at = thing?.at ?? under(this.plane, x, y)?.id;
    if (at === undefined) return { candidates: [], exact: false };
    const stack = [...(this.stacks.get(at) ?? [])].reverse();
    const first = thing === undefined ? stack : [thing.id, ...stack.filter((other) => other !== thing.id)];
    return { candidates: [...first, at], exact: stack.length < 2 };
  }

  listen() {
    /** @type {Map<number, PointerEvent>} */
    const down = new Map();
    /** The first of the things is in the hand; the others could be meant as well. @type {{things: string[], node: SVGElement} | null} */
    let carried = null;
    let moved = false;
    let held = 0;
    const { host } = this;
    const stop = () => {
      window.clearTimeout(held);
      host.classList.remove("is-panning");
      if (carried !== null) {
        carried = null;
        this.drawn.forEach((entry) => (entry.x = NaN));
        this.drawCounters();
      }
    };
    host.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest("button, input, .ring")) return;
      down.set(event.pointerId, event);
      moved = down.size > 1;
      const { candidates, exact } = this.pointed(event, event.clientX, event.clientY);
      const things = candidates.filter((id) => this.drawn.has(id) && this.handlers.movable(id)).slice(0, exact ? 1 : undefined);
      const entry = !exact && this.fan !== null ? undefined : this.drawn.get(things[0] ?? "");
      carried = entry !== undefined && down.size === 1 ? { things, node: entry.node } : null;
      window.clearTimeout(held);
      if (event.pointerType !== "mouse") {
        held = window.setTimeout(() => {
          if (moved || down.size !== 1) return;
          moved = true;
          this.handlers.context(candidates, event.clientX, event.clientY);
        }, HOLD);
      }
    });
    host.addEventListener("pointermove", (event) => {
      const before = down.get(event.pointerId);
      if (before === undefined) {
        if (event.pointerType === "mouse") this.handlers.hover(this.pointed(event, event.clientX, event.clientY).candidates);
        return;
      }
      const still = STILL[/** @type {"mouse" | "touch" | "pen"} */ (event.pointerType)] ?? STILL.mouse;
      if (!moved && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < still) return;
      if (!moved) {
        moved = true;
        window.clearTimeout(held);
        host.setPointerCapture(event.pointerId);
        host.classList.add("is-panning");
        if (carried !== null && this.fan !== null) this.spread(null); // it may cover where the drag goes
      }
      const across = event.clientX - before.clientX;
      const below = event.clientY - before.clientY;
      const other = [...down.values()].find((pointer) => pointer.pointerId !== event.pointerId);
      if (other !== undefined) this.pinch(before, event, other);
      else if (carried !== null) {
        const [x, y] = this.onPlane(event.clientX, event.clientY);
        carried.node.style.transform = `translate(${x}px, ${y}px)`;
        if (carried.node.parentNode !== this.above) this.above.append(carried.node);
        return;
      } else this.panBy(across, below);
      down.set(event.pointerId, event);
    });
    host.addEventListener("pointerup", (event) => {
      if (!down.delete(event.pointerId)) return;
      const things = carried?.things ?? [];
      const dragged = moved && down.size === 0;
      const [x, y] = this.onPlane(event.clientX, event.clientY);
      const at = under(this.plane, x, y)?.id;
      stop();
      if (dragged && things.length > 0 && at !== undefined) {
        const stack = [...(this.stacks.get(at) ?? [])].reverse().filter((id) => !things.includes(id));
        this.handlers.drop(things, [...stack, at]);
      } else if (!moved) {
        const { candidates, exact } = this.pointed(event, event.clientX, event.clientY);
        this.handlers.click(candidates, exact);
      }
    });
    for (const name of ["pointercancel", "lostpointercapture"]) {
      host.addEventListener(name, (event) => {
        if (event instanceof PointerEvent && down.delete(event.pointerId)) stop();
      });
    }
    host.addEventListener("pointerleave", () => this.handlers.hover(null));
    host.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.handlers.context(this.pointed(event, event.clientX, event.clientY).candidates, event.clientX, event.clientY);
    });
    host.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const frame = host.getBoundingClientRect();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        this.zoomBy(Math.exp(-event.deltaY * lines * 0.0018), event.clientX - frame.left, event.clientY - frame.top);
      },
      { passive: false },
    );
  }

  /**
   * @param {PointerEvent} before
   * @param {PointerEvent} after
   * @param {PointerEvent} other
   */
  pinch(before, after, other) {
    const frame = this.host.getBoundingClientRect();
    const apart = (/** @type {PointerEvent} */ one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const x = (after.clientX + other.clientX) / 2 - frame.left;
    const y = (after.clientY + other.clientY) / 2 - frame.top;
    this.zoomBy(apart(after) / apart(before), x, y);
    this.panBy((after.clientX - before.clientX) / 2, (after.clientY - before.clientY) / 2);
  }
}

/** The paths of the light layer, the lowest first. */
const LIGHTS = /** @type {const} */ (["strong", "steady", "weak", "last", "about", "lit", "dots", "picked", "cursor"]);

/** Rings around a counter, shown when it is lit or picked. */
function halo() {
  const far = HALF + 5;
  return svg("g", { class: "halo" }, svg("circle", { class: "halo-outer", r: far * 1.18 }), svg("circle", { class: "halo-inner", r: far }), svg("circle", { class: "halo-dot", cy: -far * 1.18, r: 5 }));
}
