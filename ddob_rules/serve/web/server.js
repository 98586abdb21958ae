// What the page asks of the server and what it is told, as calls: the only place that knows addresses and messages.

import { Line, merged } from "./net.js";

/**
 * @typedef {import("./table").Book} Book
 * @typedef {import("./table").Table} Table
 * @typedef {import("./table").Sent} Sent
 * @typedef {import("./table").Received} Received
 * @typedef {import("./sitting.js").Server} Server
 *
 * @typedef {{
 *   table: (table: Table, book: Book) => Promise<void>,
 *   seats: (seats: import("./table").Seat[]) => void,
 *   rules: (rules: any) => void,
 *   refused: (why: string) => void,
 *   cut: (seconds: number) => void,
 *   closed: (why: string) => void,
 *   open: () => void,
 * }} Handlers
 */

/** An answer that does not come within this many milliseconds is given up. */
const PATIENCE = 15000;
/** More things than this are not asked about at once. */
const MOST_THINGS = 8;

/**
 * A line to one table. Asks for the whole when news do not fit, and for a book only once.
 * @implements {Server}
 */
export class Connection {
  /**
   * @param {string} id
   * @param {Handlers} handlers
   */
  constructor(id, handlers) {
    this.id = id;
    this.handlers = handlers;
    /** @type {Table | null} */
    this.latest = null;
    /** @type {Map<string, Promise<Book>>} */
    this.books = new Map();
    /** @type {Map<number, (message: any) => void>} */
    this.waiting = new Map();
    /** @type {Map<number, (table: Table | null) => void>} */
    this.past = new Map();
    this.count = 0;
    this.seat = "";
    /** Messages are told in the order in which they came, also while a book is fetched. */
    this.turn = Promise.resolve();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.line = new Line(`${scheme}://${location.host}/table/${encodeURIComponent(id)}/line`, {
      open: () => {
        handlers.open();
        if (this.seat !== "") this.send({ do: "sit", seat: this.seat });
      },
      message: (message) => (this.turn = this.turn.then(() => this.told(message))),
      cut: handlers.cut,
      closed: handlers.closed,
    });
  }

  /** @param {Sent & Record<string, any>} message */
  async told(message) {
    switch (message.is) {
      case "table":
        return this.arrived(message.table);
      case "news": {
        const after = this.latest === null ? null : merged(this.latest, message.news);
        if (after !== null) return this.arrived(after);
        this.send({ do: "whole" });
        return;
      }
      case "seats":
        return this.handlers.seats(message.seats);
      case "rules":
        return this.handlers.rules(message);
      case "onward":
        return location.assign(`/table/${encodeURIComponent(message.table)}`);
      case "reply":
        return this.settle(message.id, message);
      case "refused":
        if (message.id !== undefined) this.settle(message.id, null);
        return this.handlers.refused(message.why);
    }
  }

  /** @param {Table} table */
  async arrived(table) {
    if (table.past === true) {
      this.past.get(table.choice)?.(table);
      this.past.delete(table.choice);
      return;
    }
    this.latest = table;
    await this.handlers.table(table, await this.book(table.book));
  }

  /**
   * @param {string} hash
   * @returns {Promise<Book>}
   */
  book(hash) {
    const known = this.books.get(hash);
    if (known !== undefined) return known;
    const fetched = fetch(`/book/${encodeURIComponent(hash)}`).then((answer) => answer.json());
    this.books.set(hash, fetched);
    return fetched;
  }

  /** @param {Received} message */
  send(message) {
    return this.line.send(message);
  }

  /**
   * @param {number} id
   * @param {any} message
   */
  settle(id, message) {
    this.waiting.get(id)?.(message);
    this.waiting.delete(id);
  }

  /**
   * @param {Omit<Extract<Received, {do: "ask"}>, "do" | "id">} question
   * @returns {Promise<any>} null if there is no answer
   */
  ask(question) {
    this.count += 1;
    const id = this.count;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      window.setTimeout(() => this.settle(id, null), PATIENCE);
      if (!this.send({ do: "ask", id, ...question })) this.settle(id, null);
    });
  }

  // ------------------------------------------------------------ what a sitting asks

  /** @param {string} seat */
  sit(seat) {
    this.seat = seat;
    this.latest = null;
    this.send({ do: "sit", seat });
  }

  /**
   * @param {number} q
   * @param {number} o
   */
  answer(q, o) {
    this.send({ do: "answer", q, o });
  }

  /** @param {number | null} to */
  undo(to) {
    this.send(to === null ? { do: "undo" } : { do: "undo", to });
  }

  redo() {
    this.send({ do: "redo" });
  }

  onward() {
    this.send({ do: "onward" });
  }

  /** @param {boolean} yes */
  vote(yes) {
    this.send({ do: "vote", yes });
  }

  /**
   * @param {number} n
   * @returns {Promise<Table | null>}
   */
  at(n) {
    return new Promise((resolve) => {
      this.past.set(n, resolve);
      window.setTimeout(() => resolve(null), PATIENCE);
      if (!this.send({ do: "at", n })) resolve(null);
    });
  }

  /**
   * @param {number} _
   * @param {string[]} things
   * @param {string | null} act
   */
  async whyNot(_, things, act) {
    const reply = await this.ask({ about: "why-not", things, ...(act === null ? {} : { act }) });
    return reply?.reasons ?? [];
  }

  /** @param {string} thing */
  async history(thing) {
    const reply = await this.ask({ about: "history", things: [thing] });
    return reply?.lines ?? [];
  }

  /** @param {number} line */
  async why(line) {
    const reply = await this.ask({ about: "why", o: line });
    return { causes: reply?.lines ?? [], choice: reply?.choice ?? null };
  }

  /** @param {string} rule */
  async rule(rule) {
    const reply = await this.ask({ about: "rule", rule });
    return { title: reply?.title ?? "", text: reply?.text ?? "", amendments: reply?.amendments ?? [] };
  }

  async hint() {
    const reply = await this.ask({ about: "hint" });
    return reply?.best ?? [];
  }

  /**
   * @param {string[]} things
   * @param {string} place
   */
  async leads(things, place) {
    const reply = await this.ask({ about: "leads", things: [...things.slice(0, MOST_THINGS - 1), place] });
    return { leads: reply?.leads ?? [], reasons: reply?.reasons ?? [] };
  }

  /** @param {number} o */
  async trial(o) {
    const reply = await this.ask({ about: "try", o });
    return reply?.lines ?? [];
  }

  /** @param {string} seat */
  async link(seat) {
    const reply = await newLink(this.id, seat);
    return reply?.link === undefined ? null : new URL(reply.link, location.href).href;
  }

  close() {
    this.line.close();
  }
}

/**
 * @template T
 * @param {string} address
 * @param {unknown} [body]
 * @returns {Promise<T | null>} null if the server does not answer so
 */
export async function call(address, body) {
  try {
    const how = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(address, how);
    return (answer.headers.get("Content-Type") ?? "").includes("json") ? await answer.json() : null;
  } catch {
    return null;
  }
}

/**
 * A link for a seat, to give to somebody.
 * @param {string} table
 * @param {string} seat
 * @returns {Promise<{link?: string, why?: string} | null>}
 */
export const newLink = (table, seat) => call(`/table/${encodeURIComponent(table)}/link`, { seat });

/** Swaps the secret of a link for a cookie, and takes it out of the address. */
export async function takeSeat() {
  const token = location.hash.slice(1);
  if (token === "") return;
  history.replaceState(null, "", location.pathname + location.search);
  await call("/sit", { token });
}
