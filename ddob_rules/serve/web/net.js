// The line to the server: what is sent, what comes, and coming back after the line was cut.
// It knows messages and times; what they mean for the page is left to others.

/**
 * @typedef {import("./table").Book} Book
 * @typedef {import("./table").Table} Table
 * @typedef {import("./table").News} News
 */

/** The first wait before the line is tried again, doubled each time up to the last, in milliseconds. */
export const FIRST_WAIT = 1000;
export const LAST_WAIT = 30000;

/**
 * How long to wait before trying again.
 * @param {number} failures in a row
 */
export function wait(failures) {
  return Math.min(LAST_WAIT, FIRST_WAIT * 2 ** Math.max(0, failures - 1));
}

/** Maps of which only the changed members travel. */
const MAPS = ["things", "spaces"];

/**
 * A table with its news: things and spaces merge, null removes, everything else replaces, the story grows.
 * @param {Table} table
 * @param {News} news
 * @returns {Table | null} null if these are not the news of this table
 */
export function merged(table, news) {
  if (news.from !== table.n) return null;
  /** @type {Record<string, any>} */
  const after = { ...table };
  for (const [key, value] of Object.entries(/** @type {Record<string, any>} */ (news))) {
    if (key === "from") continue;
    if (key === "story") after[key] = [...table.story, ...value];
    else if (MAPS.includes(key)) after[key] = withChanges(after[key], value);
    else if (value === null && key !== "question") delete after[key];
    else after[key] = value;
  }
  return /** @type {Table} */ (after);
}

/**
 * @param {Record<string, unknown>} old
 * @param {Record<string, unknown>} changes
 */
function withChanges(old, changes) {
  return Object.fromEntries(Object.entries({ ...old, ...changes }).filter(([, value]) => value !== null));
}

export class Line {
  /**
   * @param {string} address
   * @param {{open: () => void, message: (message: any) => void, cut: (seconds: number) => void, closed: (why: string) => void}} handlers
   */
  constructor(address, handlers) {
    this.address = address;
    this.handlers = handlers;
    this.failures = 0;
    this.wanted = true;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    this.connect();
    window.addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => !document.hidden && this.hurry());
  }

  connect() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.failures = 0;
      this.handlers.open();
    });
    socket.addEventListener("message", (event) => this.handlers.message(JSON.parse(String(event.data))));
    socket.addEventListener("close", (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (!this.wanted) return;
      this.failures += 1;
      const pause = wait(this.failures);
      if (event.code === 1008 && event.reason) return this.handlers.closed(event.reason);
      this.handlers.cut(pause / 1000);
      this.timer = window.setTimeout(() => this.connect(), pause);
    });
  }

  /** Tries at once: the network or the person came back. */
  hurry() {
    if (this.socket !== null || !this.wanted) return;
    window.clearTimeout(this.timer);
    this.connect();
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.wanted = false;
    window.clearTimeout(this.timer);
    this.socket?.close();
    this.socket = null;
  }
}
