// Where the page begins: the start page, a table, or the screen between two people.

import { h, render } from "./vendor/preact.mjs";
import { pageKey } from "./keys.js";
import { Frame } from "./panels/frame.js";
import { Pass } from "./panels/pass.js";
import { hush, say } from "./say.js";
import { Connection, takeSeat } from "./server.js";
import { Sitting } from "./sitting.js";
import { speak, words } from "./words.js";

/**
 * @typedef {import("./table").Book} Book
 * @typedef {import("./table").Table} Table
 * @typedef {import("./table").Seat} Seat
 */

const page = /** @type {HTMLElement} */ (document.getElementById("page"));

/** One table in the page, whoever of its people sits in front of it. */
class Place {
  /** @param {string} id */
  constructor(id) {
    /** @type {Sitting | null} */
    this.sitting = null;
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {Record<string, string>} */
    this.links = Object.fromEntries(Object.entries(JSON.parse(sessionStorage.getItem(`ddob links ${id}`) ?? "{}")).map(([seat, link]) => [seat, new URL(String(link), location.href).href]));
    this.stale = "";
    /** @type {{seat: string, title: string, other: string} | null} */
    this.passing = null;
    document.addEventListener("keydown", (event) => this.sitting !== null && pageKey(this.sitting, event));
    this.connection = new Connection(id, {
      table: (table, book) => this.arrived(table, book),
      seats: (seats) => this.seated(seats),
      rules: (rules) => this.sitting?.rulesSaved(rules),
      refused: (why) => this.sitting?.refused(why),
      cut: (seconds) => this.cut(words("cut", { seconds })),
      closed: (why) => this.cut(why),
      open: () => this.cut(""),
    });
  }

  /**
   * @param {Table} table
   * @param {Book} book
   */
  async arrived(table, book) {
    await speak(book.language);
    if (this.passing !== null) return;
    const { sitting } = this;
    if (sitting === null || sitting.table.seat !== table.seat || sitting.book.book !== book.book) {
      this.sitting = new Sitting(book, table, this.connection, () => this.draw());
      this.sitting.seats = this.seats;
      this.sitting.links = this.links;
      if (Object.keys(this.links).length > 0 && table.choice === 0) this.sitting.opened = { kind: "seats" };
      else if (!briefed(table, book)) this.sitting.opened = { kind: "brief" };
      if (table.question) say(words("your turn", { text: table.question.text }), "assertive");
      this.redraw();
    } else sitting.arrive(table);
    this.title(table, book);
    this.perhapsPass(table);
  }

  /**
   * Whose turn it is can be read in the tab of the browser.
   * @param {Table} table
   * @param {Book} book
   */
  title(table, book) {
    document.title = `${table.question ? "● " : ""}${book.title}`;
  }

  /** @param {Seat[]} seats */
  seated(seats) {
    this.seats = seats;
    if (this.sitting !== null) this.sitting.seats = seats;
    if (this.connection.seat === "") {
      const mine = seats.filter((seat) => seat.mine === true);
      const first = mine[0];
      if (first !== undefined) this.connection.sit(first.id);
    }
    this.draw();
  }

  /**
   * If only somebody else at this screen is asked, the screen goes to them, and what this one saw leaves the page first.
   * @param {Table} table
   */
  perhapsPass(table) {
    if (table.question || this.seats.length === 0) return;
    const next = this.seats.find((seat) => seat.mine === true && seat.id !== table.seat && table.asked.includes(seat.id));
    if (next === undefined) return;
    const other = this.seats.find((seat) => seat.id === table.seat)?.title ?? "";
    this.passing = { seat: next.id, title: next.title, other };
    this.sitting = null;
    hush();
    this.redraw();
  }

  take() {
    const { passing } = this;
    if (passing === null) return;
    this.passing = null;
    this.connection.sit(passing.seat);
    this.redraw();
  }

  /** @param {string} stale */
  cut(stale) {
    if (this.stale !== "" && stale === "") say(words("back"));
    this.stale = stale;
    if (this.sitting !== null) this.sitting.stale = stale;
    if (stale !== "") say(stale);
    this.draw();
  }

  /** Everything anew: nothing of what stood there before is kept. */
  redraw() {
    render(null, page);
    page.replaceChildren();
    this.draw();
  }

  draw() {
    const { sitting, passing } = this;
    if (passing !== null) return render(h(Pass, { seat: passing.title, other: passing.other, take: () => this.take() }), page);
    if (sitting === null) return render(h("main", { class: "pass" }, h("p", {}, this.stale || words("loading"))), page);
    render(h(Frame, { table: sitting, leave: () => location.assign("/") }), page);
    keepFocus();
  }
}

/** Where the focus was last: a button that was pressed may be gone with its question. */
let region = "";
document.addEventListener("focusin", (event) => {
  const found = event.target instanceof Element ? event.target.closest(REGIONS.join(", ")) : null;
  region = REGIONS.find((one) => found?.matches(one)) ?? "";
});

const REGIONS = ["#orders", ".ask", ".strip"];

/** The focus stays in its region: whoever plays by keys there goes on there. */
function keepFocus() {
  if (region === "" || document.activeElement !== document.body) return;
  const next = page.querySelector(`${region} button:not(:disabled):not(.rule)`);
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/**
 * Whether this briefing was shown already; it opens by itself only once.
 * @param {Table} table
 * @param {Book} book
 */
function briefed(table, book) {
  const key = `ddob briefed ${book.title}`;
  const before = localStorage.getItem(key) !== null;
  localStorage.setItem(key, "1");
  return before || table.over !== undefined;
}

await speak(document.documentElement.lang);
await takeSeat();
const found = /^\/table\/([^/]+)/u.exec(location.pathname);
if (found !== null) new Place(decodeURIComponent(/** @type {string} */ (found[1])));
else import("./panels/start.js").then(({ start }) => start(page));
