// One seat at one table: what it sees, what is picked and pointed at, and what gestures do.
// It keeps the state of the page and asks the panels to draw it; nothing here knows a game or a message's form.

import { click, dragged, fitting, lit, missing, optionsOf, ready, starters, understand } from "./choose.js";
import { SPEEDS } from "./panels/replay.js";
import { Reading } from "./reading.js";
import { say } from "./say.js";
import { words } from "./words.js";

/**
 * @typedef {import("./table").Book} Book
 * @typedef {import("./table").Table} Table
 * @typedef {import("./table").Line} Line
 * @typedef {import("./board.js").Board} Board
 * @typedef {import("./choose.js").Option} Option
 * @typedef {import("./shapes.js").Point} Point
 *
 * @typedef {{title: string | null, text: string, rule: string | null}} Reason
 * @typedef {import("./table").Seat} Seat
 * @typedef {{text: string, rule: string | null}} Told
 *
 * A button beside something on the map.
 * @typedef {{label: string, rule: string | null, does: () => void}} Button
 *
 * @typedef {{kind: "brief"} | {kind: "seats"} | {kind: "help"} | {kind: "legend"}
 *   | {kind: "rule", rule: string, title: string, text: string | null, amendments: {by: string, text: string}[]}
 *   | {kind: "line", line: Line, causes: Told[] | null, choice: number | null}
 *   | {kind: "lines", title: string, lines: Told[]}
 *   | {kind: "hint", best: {o: number | null, text: string, why: string}[] | null}} Opened
 *
 * What a sitting asks of the server; each is answered by a call of `table`, `news` or the promise.
 * @typedef {{
 *   answer: (q: number, o: number) => void,
 *   undo: (to: number | null) => void,
 *   redo: () => void,
 *   onward: () => void,
 *   vote: (yes: boolean) => void,
 *   at: (n: number) => Promise<Table | null>,
 *   whyNot: (q: number, things: string[], act: string | null) => Promise<Reason[]>,
 *   history: (thing: string) => Promise<Told[]>,
 *   why: (line: number) => Promise<{causes: Told[], choice: number | null}>,
 *   rule: (rule: string) => Promise<{title: string, text: string, amendments: {by: string, text: string}[]}>,
 *   hint: () => Promise<{o: number | null, text: string, why: string}[]>,
 *   link: (seat: string) => Promise<string | null>,
 *   leads: (things: string[], place: string) => Promise<{leads: number[], reasons: Reason[]}>,
 *   trial: (o: number) => Promise<Told[]>,
 * }} Server
 */

/** A pointer that rests this long wants to know more, in milliseconds. */
const REST = 350;

export class Sitting {
  /**
   * @param {Book} book
   * @param {Table} table
   * @param {Server} server
   * @param {() => void} changed
   */
  constructor(book, table, server, changed) {
    this.book = book;
    this.table = table;
    this.shown = table;
    this.server = server;
    this.changed = changed;
    this.reading = new Reading(book, table);
    /** @type {Option[]} */
    this.options = optionsOf(table.question);
    /** @type {string[]} */
    this.picked = [];
    /** @type {string[] | null} */
    this.pointed = null;
    /** @type {string | null} */
    this.cursor = null;
    /** Of an open stack under the cursor, the one that is meant. @type {string | null} */
    this.held = null;
    /** @type {Point} */
    this.aim = [0, 0];
    /** @type {string | null} */
    this.reach = null;
    /** @type {{things: string[], reasons: Reason[] | null} | null} */
    this.why = null;
    /** @type {{o: number, title: string} | null} */
    this.asking = null;
    /** What a gesture could mean, asked back where it was made. @type {{at: string, buttons: Button[]} | null} */
    this.offered = null;
    /** What a drag answers next, if that is asked. @type {{place: string, choice: number} | null} */
    this.wish = null;
    /** @type {Line[]} */
    this.outcome = [];
    /** @type {Opened | null} */
    this.opened = null;
    /** @type {{findings: import("./table").Finding[], text?: string, rule?: string, old?: Table, new?: Table} | null} */
    this.rules = null;
    /** @type {Seat[]} */
    this.seats = [];
    /** Links to seats, by seat. @type {Record<string, string>} */
    this.links = {};
    /** @type {Board | null} */
    this.board = null;
    this.isBack = false;
    this.stale = "";
    this.notice = "";
    this.lineBox = false;
    this.lineReply = "";
    this.tab = "";
    this.bare = false;
    this.seenStory = table.story.at(-1)?.n ?? -1;
    /** Tables to show one after the other, before the newest is reached. @type {Table[]} */
    this.queue = [];
    this.timer = 0;
    this.speed = Number(localStorage.getItem("ddob speed") ?? "1");
    this.answered = -1;
  }

  // ------------------------------------------------------------ what comes from the server

  /**
   * A newer table, or one after an undo. Others' moves are shown one by one, at the speed that was set.
   * @param {Table} table
   */
  arrive(table) {
    this.queue.push(table);
    const mine = table.n === this.table.n + 1 && this.answered === this.table.n;
    const back = table.n <= (this.queue.at(-2) ?? this.table).n;
    if (this.queue.length === 1 && (mine || back || SPEEDS[this.speed] === 0)) this.step();
    else this.plan();
  }

  plan() {
    const next = this.queue[0];
    // What is not seen on the map needs no time to be seen.
    const pause = next !== undefined && this.isSeen(next) ? (SPEEDS[this.speed] ?? 0) : 0;
    if (this.timer !== 0 || this.queue.length === 0) return;
    if (pause === Infinity) return this.changed();
    if (pause === 0) return this.step();
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.step();
    }, pause);
  }

  /** Shows the next of the tables that have come. */
  step() {
    const next = this.queue.shift();
    if (next === undefined) return;
    const before = this.table;
    this.table = next;
    const newest = this.queue.length === 0;
    this.tell(before, next);
    if (!this.isBack) this.show(newest ? next : { ...next, question: null });
    this.plan();
  }

  /**
   * Whether a table looks different on the map from the one that is shown.
   * @param {Table} next
   */
  isSeen(next) {
    const spaces = this.board?.plane.spaces ?? new Map();
    const { things } = this.table;
    const ids = new Set([...Object.keys(things), ...Object.keys(next.things)]);
    const onMap = (/** @type {string | undefined} */ at) => at !== undefined && spaces.has(at);
    for (const id of ids) {
      const [old, now] = [things[id], next.things[id]];
      if (old !== now && (onMap(old?.at) || onMap(now?.at))) return true;
    }
    return next.spaces !== this.table.spaces;
  }

  get toCome() {
    return this.queue.length;
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    localStorage.setItem("ddob speed", String(speed));
    window.clearTimeout(this.timer);
    this.timer = 0;
    if (SPEEDS[speed] === 0) while (this.queue.length > 0) this.step();
    this.plan();
    this.changed();
  }

  /**
   * @param {Table} before
   * @param {Table} after
   */
  tell(before, after) {
    const last = before.story.at(-1)?.n ?? -1;
    const fresh = after.story.filter((line) => line.n > last);
    if (before.question && !after.question) this.outcome = fresh;
    else this.outcome = this.outcome.length + fresh.length > 0 && !before.question ? [...this.outcome, ...fresh] : fresh;
    say(fresh.slice(-4).map((line) => line.text).join(". "));
    if (after.question && (before.question?.q !== after.question.q)) {
      say(words("your turn", { text: after.question.text }), before.question ? "polite" : "assertive");
    }
  }

  /** @param {Table} table */
  show(table) {
    const asked = this.shown.question?.q;
    this.shown = table;
    this.reading = new Reading(this.book, table);
    this.options = this.isBack ? [] : optionsOf(table.question);
    if (asked !== table.question?.q) {
      this.picked = [];
      this.asking = null;
      this.why = null;
      this.offered = null;
      if (this.held !== null || !this.isLitInFan()) this.spread(null);
    }
    this.picked = fitting(this.options, this.picked).length > 0 ? this.picked : [];
    this.draw();
    const bright = this.brightSpaces();
    if (bright.length > 0) this.board?.look(bright);
    const about = [...table.about, ...this.recent()].find((id) => this.board?.pointOf(id) != null);
    if (about !== undefined && (bright.length === 0 || table.about.includes(about))) this.board?.reveal(about);
    if (asked !== table.question?.q) this.board?.turnTo(bright);
    this.followWish();
    this.changed();
  }

  // ------------------------------------------------------------ the map

  /** @param {Board} board */
  mount(board) {
    this.board = board;
    board.open(this.book);
    this.draw();
    board.look(this.brightSpaces());
  }

  draw() {
    // What can act now, or is asked about, lies on top of its stack; bare markers lie below all.
    const able = new Set([...starters(this.options), ...this.shown.about]);
    const height = (/** @type {import("./board.js").Placed} */ { id, look }) => (able.has(id) ? 2 : look.steps === null && look.symbol === null && !look.hidden ? 0 : 1);
    this.board?.draw(this.reading.placed().sort((one, other) => height(one) - height(other)), this.reading.changes());
    this.shine();
  }

  shine() {
    this.board?.shine({
      lit: new Set(this.lights().keys()),
      picked: this.picked,
      chosen: this.chosen(),
      last: this.recent(),
      about: this.shown.about ?? [],
      reach: this.reach === null ? {} : (this.reading.reachOf(this.reach) ?? {}),
      cursor: this.cursor,
      held: this.held,
    });
  }

  lights() {
    return lit(this.options, this.picked);
  }

  /** @param {string} id */
  isLit(id) {
    return this.lights().has(id);
  }

  /** @param {string} id */
  isPicked(id) {
    return this.picked.includes(id) || this.chosen().includes(id);
  }

  /** What was chosen before, where several are chosen one by one. */
  chosen() {
    const { question } = this.shown;
    if (!question) return [];
    return question.chosen ?? (this.ticked.key === seriesOf(question) && this.ticked.choice < this.shown.choice ? this.ticked.ids : []);
  }

  /** The answers to one question after the other of the same series. */
  ticked = { key: "", choice: -1, ids: /** @type {string[]} */ ([]) };

  /** @param {number} o */
  tick(o) {
    const { question } = this.shown;
    const thing = this.options.find((option) => option.o === o)?.path[0];
    const key = question ? seriesOf(question) : "";
    this.ticked = key === "" || thing === undefined ? { key: "", choice: -1, ids: [] } : { key, choice: this.shown.choice, ids: [...this.chosen(), thing] };
  }

  // ------------------------------------------------------------ gestures

  /**
   * @param {string[]} candidates
   * @param {boolean} exact whether it is clear which counter of a stack was meant
   */
  clicked(candidates, exact) {
    if (candidates.length === 0) return this.letGo();
    const board = this.board;
    const at = /** @type {string} */ (candidates.at(-1));
    const lights = this.lights();
    const bright = candidates.filter((id) => lights.has(id) && this.reading.isThing(id));
    const wanted = exact || board?.fan === at ? 0 : bright.length;
    if (!lights.has(at) && wanted > 1) {
      this.offered = null;
      this.spread(at);
      this.point(candidates);
      return;
    }
    if (board !== null && board.fan !== null && board.fan !== at) this.spread(null);
    this.pick(candidates, false);
  }

  /**
   * @param {string[]} candidates
   * @param {boolean} sure said by a button, so nothing is asked about
   */
  pick(candidates, sure) {
    this.outcome = [];
    this.notice = "";
    this.offered = null;
    this.pointed = candidates.filter((id) => this.reading.isOnTable(id));
    const meaning = click(this.options, this.picked, candidates);
    switch (meaning.does) {
      case "play":
        if (sure || !this.isUntold(candidates)) return this.answer(meaning.o);
        this.picked = candidates.filter((id) => this.isLit(id)).slice(0, 1);
        this.why = null;
        this.shine();
        say(words("begins", { thing: this.reading.nameOf(this.picked[0] ?? ""), act: this.ring().map((button) => button.label).join(", ") }));
        break;
      case "select":
      case "let go":
        this.picked = meaning.picked;
        this.why = null;
        if (!this.isLitInFan() && this.lights().size > 0) this.spread(null);
        if (sure && meaning.does === "select") this.board?.reveal(this.picked.at(-1) ?? "");
        this.shine();
        this.sayPicked();
        break;
      case "why not":
        if (!sure) this.askWhyNot(meaning.things, null);
    }
    this.changed();
  }

  /**
   * Whether a click on the map would do something that nobody has named: one of several acts, at the first click.
   * @param {string[]} candidates
   */
  isUntold(candidates) {
    const acts = new Set(this.options.filter((option) => option.path.length > 0).map((option) => option.act));
    return this.shown.question?.sort === "offer" && this.picked.length === 0 && acts.size > 1 && this.board?.pointOf(candidates[0] ?? "") != null;
  }

  /** What can be done with what the pointer is on, and where that is to be told. @returns {{at: string, text: string} | null} */
  tip() {
    const at = this.isOver && this.shown.question?.sort === "offer" ? this.pointed?.find((id) => this.isLit(id)) : undefined;
    if (at === undefined || this.board?.fan != null) return null;
    return { at, text: [...(this.lights().get(at) ?? [])].map((act) => this.actTitle(act)).join(" · ") };
  }

  /**
   * An order in one go: the act is known, and everything it names.
   * @param {number} act
   * @param {string[]} picked
   */
  order(act, picked) {
    const left = fitting(this.options, picked).filter((option) => option.act === act);
    const only = left.length === 1 ? left[0] : undefined;
    if (only !== undefined && missing(only, picked).length === 0) return this.answer(only.o);
    this.picked = picked;
    this.shine();
    this.changed();
  }

  sayPicked() {
    const last = this.picked.at(-1);
    if (last === undefined) return;
    const count = this.lights().size;
    say(words("selected", { thing: this.reading.nameOf(last), lit: words("lit count", { count }) }));
  }

  letGo() {
    if (this.lineBox) this.lineBox = false;
    else if (this.board?.fan != null) this.spread(null);
    else this.picked = this.picked.slice(0, -1);
    this.why = null;
    this.offered = null;
    this.reach = null;
    this.asking = null;
    this.shine();
    this.changed();
  }

  /** Whether a drag may begin with a thing: it can act, or the question is where it goes. @param {string} thing */
  isMovable(thing) {
    return this.picked.length === 0 && (this.isLit(thing) || (this.shown.question?.sort === "one" && this.shown.about.includes(thing)));
  }

  /**
   * A drag: of the things that it may have meant, and of what each can do, what leads there is done; if that is several, it asks.
   * @param {string[]} things the one in the hand first
   * @param {string[]} candidates
   */
  async drop(things, candidates) {
    const { question } = this.shown;
    const [first, at] = /** @type {[string, string]} */ ([things[0], candidates.at(-1)]);
    if (!question || this.reading.placeOf(first) === at) return this.changed();
    if (!this.isLit(first)) return this.pick(candidates, false);
    const able = dragged(this.options, things, candidates);
    const take = (/** @type {string} */ thing) => {
      this.picked = [thing];
      this.pick(candidates, false);
    };
    if (able.length === 1) return take(/** @type {string} */ (able[0]));
    if (able.length > 1) return this.offer(at, able.map((thing) => ({ label: this.reading.nameOf(thing), rule: null, does: () => take(thing) })));
    const { leads, reasons } = await this.server.leads(things, at);
    if (this.shown.question?.q !== question.q) return;
    const found = this.options.filter((option) => leads.includes(option.o));
    const own = found.filter((option) => option.path[0] === first);
    const meant = own.length > 0 ? own : found;
    const only = meant.length === 1 ? meant[0] : undefined;
    // Another counter of the stack does nothing unasked that the one in the hand could not do anywhere.
    const isLike = only !== undefined && this.options.some((option) => option.act === only.act && option.path[0] === first);
    if (only !== undefined && isLike) return this.answerToGo(only.o, at);
    if (meant.length > 0) return this.offer(at, meant.map((option) => ({ label: words("labelled", { label: this.actTitle(option.act), text: this.reading.nameOf(option.path[0] ?? "") }), rule: question.acts[option.act]?.rule ?? null, does: () => this.answerToGo(option.o, at) })));
    this.picked = [first];
    this.pointed = [...candidates];
    this.shine();
    this.askWhyNot([first, at], null, reasons);
  }

  /**
   * Asks back what was meant, beside where it was said.
   * @param {string} at
   * @param {Button[]} buttons
   */
  offer(at, buttons) {
    this.offered = { at, buttons };
    this.picked = [];
    this.shine();
    say(words("which", { names: buttons.map((button) => button.label).join(", ") }));
    this.changed();
  }

  /**
   * An answer that asks for a place next, and then that place.
   * @param {number} o
   * @param {string} place
   */
  answerToGo(o, place) {
    this.offered = null;
    this.answer(o);
    this.wish = { place, choice: this.shown.choice };
  }

  /** What was wished for is answered as soon as it is asked, or it is forgotten. */
  followWish() {
    const { wish, options } = this;
    if (wish === null || this.isBack || this.shown.choice === wish.choice) return;
    this.wish = null;
    const meant = options.filter((option) => option.path.length === 1 && option.path[0] === wish.place);
    if (meant.length === 1 && this.shown.question?.sort === "one") this.answer(/** @type {Option} */ (meant[0]).o);
  }

  /** The right button: why not. @param {string[]} candidates */
  contextAt(candidates) {
    const first = candidates.find((id) => !this.picked.includes(id));
    if (first === undefined) return;
    this.pointed = candidates;
    this.askWhyNot([...this.picked, first], null);
  }

  /** The map has the focus: the cursor shows where. */
  mapFocused() {
    if (this.cursor !== null) return;
    const first = this.firstCursor();
    if (first !== null) this.goTo(first);
  }

  /** The pointer is over the map, or has left it. @param {string[] | null} candidates */
  hover(candidates) {
    const left = candidates === null && this.isOver;
    this.isOver = candidates !== null;
    this.point(candidates);
    if (left) this.changed();
  }

  isOver = false;

  /** @param {string[] | null} ids */
  point(ids) {
    if (ids === null || same(ids, this.pointed)) return;
    this.pointed = ids;
    this.preview(ids);
    this.changed();
  }

  /**
   * What a click here would bring, if it would play something: asked for when the pointer rests.
   * @param {string[]} ids
   */
  preview(ids) {
    window.clearTimeout(this.rest);
    this.trial = null;
    const meaning = this.picked.length > 0 && !this.isBack && this.stale === "" ? click(this.options, this.picked, ids) : null;
    if (meaning?.does !== "play") return;
    this.rest = window.setTimeout(async () => {
      const lines = await this.server.trial(meaning.o);
      if (!same(ids, this.pointed) || lines.length === 0) return;
      this.trial = lines;
      this.changed();
    }, REST);
  }

  rest = 0;
  /** @type {Told[] | null} */
  trial = null;

  /** @param {number} o */
  answer(o) {
    const { question } = this.shown;
    if (!question || this.stale !== "" || this.isBack) return;
    this.seenStory = this.table.story.at(-1)?.n ?? this.seenStory;
    this.answered = this.table.n;
    this.wish = null;
    this.tick(o);
    this.trial = null;
    this.asking = null;
    this.why = null;
    this.lineBox = false;
    this.server.answer(question.q, o);
  }

  /**
   * Ends something; asks again only if pieces could still act that then cannot. To a question, none is an answer.
   * @param {number} o
   */
  end(o) {
    const { question } = this.shown;
    const option = this.options.find((one) => one.o === o);
    const act = option === undefined ? undefined : question?.acts[option.act];
    if (act?.ends === true && question?.sort === "offer" && this.starterCount() > 0 && this.asking === null) {
      this.asking = { o, title: act.title };
      say(words("sure", { count: this.starterCount(), title: act.title }), "assertive");
      return this.changed();
    }
    this.answer(o);
  }

  endNow() {
    const bare = this.bareOptions();
    if (this.asking !== null) return this.answer(this.asking.o);
    const ends = bare.find((option) => this.shown.question?.acts[option.act]?.ends === true) ?? (bare.length === 1 ? bare[0] : undefined);
    if (ends !== undefined) this.end(ends.o);
  }

  unask() {
    this.asking = null;
    this.changed();
  }

  // ------------------------------------------------------------ answers without a place

  /** Answers that name nothing: pass, done, yes, no. */
  bareOptions() {
    return this.options.filter((option) => option.path.length === 0);
  }

  starterCount() {
    return starters(this.options).size;
  }

  /** @param {string} id */
  isLoose(id) {
    return !this.reading.isOnTable(id);
  }

  /** What begins an answer and lies nowhere: values that get a button beside the question. */
  loose() {
    return [...starters(this.options)].filter((id) => this.isLoose(id));
  }

  /** @param {string[]} values */
  isNumbers(values) {
    return this.shown.question?.sort === "number" || values.every((value) => /^-?\d+$/u.test(value));
  }

  /**
   * Buttons beside what is picked: acts that are whole, and values that are still to be named; or what is asked back.
   * @returns {Button[]}
   */
  ring() {
    if (this.offered !== null) return this.offered.buttons;
    if (this.picked.length === 0) return [];
    const whole = ready(this.options, this.picked).map((option) => ({
      label: this.actTitle(option.act),
      rule: this.shown.question?.acts[option.act]?.rule ?? null,
      does: () => this.answer(option.o),
    }));
    const values = [...this.lights()].filter(([id]) => this.isLoose(id)).map(([id, acts]) => ({
      label: acts.size === 1 ? words("labelled", { label: this.actTitle([...acts][0] ?? 0), text: this.reading.nameOf(id) }) : this.reading.nameOf(id),
      rule: null,
      does: () => this.pick([id], true),
    }));
    return [...whole, ...values];
  }

  /**
   * The boxes of a board that matter now: with something in them, or lit. Those beside the map are drawn there.
   * @param {Book["boards"][number]} board
   */
  boxesOf(board) {
    return board.ids.filter((id) => this.reading.nearOf(id) === null && (this.isLit(id) || this.isPicked(id) || this.reading.thingsAt(id).length > 0 || board.ids.length <= 16));
  }

  /**
   * Boxes are unfolded when one of them is asked for, or when somebody wants to see them.
   * @param {Book["boards"][number]} board
   */
  isUnfolded(board) {
    return this.unfolded[board.id] ?? (board.ids.some((id) => this.isLit(id) || this.isPicked(id)) || this.board?.plane.list.length === 0);
  }

  /**
   * @param {string} board
   * @param {boolean} open
   */
  unfold(board, open) {
    this.unfolded = { ...this.unfolded, [board]: open };
    this.changed();
  }

  /** @type {Record<string, boolean>} */
  unfolded = {};

  /** @param {number} act */
  actTitle(act) {
    return this.shown.question?.acts[act]?.title ?? "";
  }

  // ------------------------------------------------------------ the cursor

  /** @param {Point} direction */
  walk(direction) {
    const { board } = this;
    if (board === null) return;
    const from = this.cursor ?? this.firstCursor();
    if (from === null) return;
    if (this.cursor === null) return this.goTo(from);
    const found = board.nextSpace(from, direction, this.aim);
    if (found === null) return;
    this.aim = direction[0] !== 0 ? [found.x, this.aim[1]] : [this.aim[0], found.y];
    this.goTo(found.id, false);
  }

  firstCursor() {
    const first = this.brightSpaces()[0] ?? this.shown.about[0] ?? this.recent()[0];
    const space = first === undefined ? undefined : (this.reading.placeOf(first) ?? first);
    return space ?? this.board?.plane.list[0]?.id ?? null;
  }

  /**
   * @param {string} id
   * @param {boolean} [aim]
   */
  goTo(id, aim = true) {
    this.cursor = id;
    if (this.held !== null) this.spread(null);
    const point = this.board?.pointOf(id);
    if (aim && point) this.aim = point;
    this.board?.reveal(id);
    this.pointed = [...this.reading.thingsAt(id), id];
    this.shine();
    say(this.spokenSpace(id));
    this.changed();
  }

  /** Spaces that are lit or hold something lit, in reading order. */
  brightSpaces() {
    const spaces = this.board?.plane.spaces ?? new Map();
    const found = new Set([...this.lights().keys()].map((id) => this.reading.placeOf(id) ?? id).filter((id) => spaces.has(id)));
    return [...found].sort((one, other) => spaces.get(one).y - spaces.get(other).y || spaces.get(one).x - spaces.get(other).x);
  }

  /** @param {number} by */
  hop(by) {
    if (this.held !== null) return this.hold(by);
    const all = this.brightSpaces();
    if (all.length === 0) return say(words("lit count", { count: 0 }));
    const at = this.cursor === null ? -1 : all.indexOf(this.cursor);
    const to = at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length;
    this.goTo(/** @type {string} */ (all[to]));
  }

  clickCursor() {
    if (this.cursor === null) return this.hop(1);
    if (this.held !== null) return this.clicked([this.held, this.cursor], true);
    const things = [...this.reading.thingsAt(this.cursor)].reverse();
    // What the first Enter has told, the second does.
    const told = this.picked.length === 1 && [...things, this.cursor].includes(this.picked[0] ?? "") ? this.ring() : [];
    if (told.length === 1 && this.lights().size === 0) return told[0]?.does();
    this.clicked([...things, this.cursor], things.length < 2);
    if (this.board?.fan === this.cursor) this.hold(1);
  }

  /** Opens a stack, and closes any other. @param {string | null} at */
  spread(at) {
    this.held = null;
    this.board?.spread(at);
  }

  /** Whether what can be chosen next is in the open stack alone: else it would lie over what is lit. */
  isLitInFan() {
    const things = this.reading.thingsAt(this.board?.fan ?? "");
    const lights = [...this.lights().keys()];
    return lights.some((id) => things.includes(id)) && lights.every((id) => this.reading.isThing(id) || this.isLoose(id));
  }

  /** The next one that is lit in the open stack under the cursor. @param {number} by */
  hold(by) {
    const lights = this.lights();
    const all = [...this.reading.thingsAt(this.cursor ?? "")].reverse().filter((id) => lights.has(id));
    const at = this.held === null ? -1 : all.indexOf(this.held);
    this.held = all[(at + by + all.length) % all.length] ?? null;
    if (this.held === null) return;
    this.pointed = [this.held];
    this.shine();
    say(this.reading.spokenOf(this.held));
    this.changed();
  }

  askAtCursor() {
    const at = this.cursor;
    if (at === null) return;
    const things = this.held === null ? this.reading.thingsAt(at) : [this.held];
    const first = [...things].reverse().find((id) => !this.picked.includes(id)) ?? at;
    this.askWhyNot([...this.picked, first], null);
  }

  reachAtCursor() {
    const ids = [...(this.pointed ?? []), ...(this.cursor === null ? [] : [...this.reading.thingsAt(this.cursor), this.cursor])];
    const found = ids.find((id) => this.reading.reachOf(id) !== null);
    if (found !== undefined) this.toggleReach(found);
  }

  /** @param {string} id */
  toggleReach(id) {
    this.reach = this.reach === id ? null : id;
    if (this.reach !== null) say(words("fields of", { thing: this.reading.nameOf(id) }));
    this.shine();
    this.changed();
  }

  /** @param {string} id */
  spokenSpace(id) {
    const { reading } = this;
    const lights = this.lights();
    const things = reading.thingsAt(id);
    const acts = new Set([id, ...things].flatMap((one) => [...(lights.get(one) ?? [])]));
    return [
      reading.fullNameOf(id),
      reading.groundOf(id),
      things.length === 0 ? words("nothing here") : things.map((thing) => reading.spokenOf(thing)).join("; "),
      acts.size === 0 ? null : words("lit", { acts: [...acts].map((act) => this.actTitle(act)).join(", ") }),
    ]
      .filter((part) => part)
      .join(". ");
  }

  // ------------------------------------------------------------ asking the server

  /**
   * @param {string[]} things
   * @param {string | null} act
   * @param {Reason[]} [known] what is known already
   */
  async askWhyNot(things, act, known = []) {
    const { question } = this.shown;
    const asked = { things, reasons: /** @type {Reason[] | null} */ (null) };
    this.why = asked;
    this.changed();
    asked.reasons = [...known, ...(question && !this.isBack ? await this.reasons(question.q, things, act) : [])];
    if (this.why !== asked) return;
    const text = asked.reasons.map((reason) => [reason.title, reason.text].filter(Boolean).join(": ")).join(". ");
    say(text === "" ? words("no reason") : text);
    this.changed();
  }

  /**
   * For acts that take all these things, then for those that take the last alone: not every act names who does it.
   * @param {number} q
   * @param {string[]} things
   * @param {string | null} act
   * @returns {Promise<Reason[]>}
   */
  async reasons(q, things, act) {
    const last = things.slice(-1);
    const alone = things.length > 1 && last.every((id) => this.reading.isThing(id));
    const [found, others] = await Promise.all([this.server.whyNot(q, things, act), alone ? this.server.whyNot(q, last, act) : []]);
    return [...found, ...others.filter((other) => !found.some((one) => one.title === other.title))];
  }

  /** @param {string} rule */
  async openRule(rule) {
    /** @type {Extract<Opened, {kind: "rule"}>} */
    const opened = { kind: "rule", rule, title: "", text: null, amendments: [] };
    this.opened = opened;
    this.changed();
    const found = await this.server.rule(rule);
    if (this.opened !== opened) return;
    this.opened = { ...opened, ...found };
    this.changed();
  }

  /** @param {Line} line */
  async openLine(line) {
    /** @type {Extract<Opened, {kind: "line"}>} */
    const opened = { kind: "line", line, causes: null, choice: null };
    this.opened = opened;
    this.changed();
    const found = await this.server.why(line.n);
    if (this.opened !== opened) return;
    this.opened = { ...opened, ...found };
    this.changed();
  }

  /** @param {string} id */
  async history(id) {
    const lines = await this.server.history(id);
    this.opened = { kind: "lines", title: words("labelled", { label: words("history"), text: this.reading.nameOf(id) }), lines };
    this.changed();
  }

  async hint() {
    /** @type {Extract<Opened, {kind: "hint"}>} */
    const opened = { kind: "hint", best: null };
    this.opened = opened;
    this.changed();
    const best = await this.server.hint();
    if (this.opened !== opened) return;
    this.opened = { ...opened, best };
    this.changed();
  }

  /** @param {number | null} [to] */
  undo(to = null) {
    if (this.stale === "") this.server.undo(to);
  }

  redo() {
    if (this.stale === "") this.server.redo();
  }

  /** @param {boolean} yes */
  vote(yes) {
    if (this.stale === "") this.server.vote(yes);
  }

  /** On to the next game of a campaign. */
  onward() {
    if (this.stale === "") this.server.onward();
  }

  /** Whether this page is to say something to a wish to take back. */
  mayVote() {
    const { vote, seat } = this.table;
    return vote !== undefined && vote.of.includes(seat) && !vote.agreed.includes(seat);
  }

  /** Who asks to take back how much, and who has agreed; empty if nobody asks. */
  voteText() {
    const { vote, choice } = this.table;
    if (vote === undefined) return "";
    const title = (/** @type {string} */ id) => this.book.players.find((player) => player.id === id)?.title ?? id;
    return words("vote", { seat: title(vote.by), count: choice - vote.to, agreed: vote.agreed.length, of: vote.of.length });
  }

  /** How many choices the game has, up to now. */
  get length() {
    return Math.max(this.table.choices ?? 0, this.table.choice);
  }

  /** @param {number} n */
  async lookAt(n) {
    if (n >= this.table.choice) {
      this.isBack = false;
      return this.show(this.table);
    }
    this.wanted = n;
    const table = await this.server.at(n);
    if (table === null || this.wanted !== n) return;
    this.isBack = true;
    this.show(table);
  }

  /** @type {number | undefined} */
  wanted = undefined;

  // ------------------------------------------------------------ typed lines

  openLineBox() {
    this.lineBox = true;
    this.lineReply = "";
    this.changed();
  }

  /** @param {string} line */
  type(line) {
    const { question } = this.shown;
    if (!question) return;
    const known = this.reading.everything();
    const meaning = understand(question, this.reading.nameOf, known, line, this.picked);
    this.lineReply = "";
    switch (meaning.does) {
      case "play": {
        const act = this.options.find((option) => option.o === meaning.o);
        if (act?.path.length === 0) this.end(meaning.o);
        else this.answer(meaning.o);
        break;
      }
      case "select":
        this.picked = meaning.picked;
        this.shine();
        this.sayPicked();
        break;
      case "ask back":
        this.lineReply = words("which", { names: meaning.names.map(this.reading.nameOf).join(", ") });
        break;
      case "not understood":
        this.lineReply = words("not understood", { word: meaning.word });
        break;
      case "why not":
        this.askWhyNot(meaning.things, meaning.act);
    }
    if (this.lineReply !== "") say(this.lineReply);
    this.changed();
  }

  // ------------------------------------------------------------ the rest

  get story() {
    return this.shown.story;
  }

  /** What the last lines of the story were about. */
  recent() {
    return this.outcome.flatMap((line) => line.things ?? []);
  }

  /** @param {Line} line */
  thingsOf(line) {
    return line.things ?? null;
  }

  waitingText() {
    const asked = this.shown.asked ?? [];
    if (this.isBack) return words("looking back", { n: this.shown.choice, all: this.table.choice });
    if (this.queue.length > 0) return this.shown.phase ?? "";
    if (asked.length === 0) return this.shown.over?.text ?? words("over");
    const away = asked.some((id) => this.seats.some((seat) => seat.id === id && !seat.here && seat.who === "person"));
    return words(away ? "waiting away" : "waiting", { seats: asked.map((id) => this.seatName(id)).join(", ") });
  }

  /** @param {string} id */
  seatName(id) {
    return this.book.players.find((player) => player.id === id)?.title ?? id;
  }

  /** @param {Opened} opened */
  open(opened) {
    this.opened = opened;
    this.changed();
  }

  /** @param {string} tab */
  setTab(tab) {
    this.tab = tab;
    this.changed();
  }

  toggleBare() {
    this.bare = !this.bare;
    this.changed();
  }

  /** Why undo goes no further, if it does not. */
  undoWhy() {
    const { back, choice } = this.table;
    return back !== undefined && back.why && back.to === choice ? words("undo stops", { why: back.why }) : "";
  }

  /** What was saved in the rules meanwhile. @param {NonNullable<Sitting["rules"]>} rules */
  rulesSaved(rules) {
    this.rules = rules;
    say(rules.text ?? words(rules.findings.length > 0 ? "findings" : "clean"));
    this.changed();
  }

  dismissRules() {
    this.rules = null;
    if (this.isBack) this.lookAt(this.table.choice);
    this.changed();
  }

  /** Shows another future on the map. @param {Table} table */
  peek(table) {
    this.isBack = true;
    this.show({ ...table, question: null });
  }

  /** @param {string} why */
  refused(why) {
    this.wish = null;
    this.notice = words("refused", { why });
    say(this.notice, "assertive");
    this.changed();
  }

  closeDialog() {
    this.opened = null;
    this.changed();
  }

  /** @param {string} seat */
  async makeLink(seat) {
    const link = await this.server.link(seat);
    if (link !== null) this.links = { ...this.links, [seat]: link };
    this.changed();
  }

  /** @param {string} text */
  async copy(text) {
    await navigator.clipboard?.writeText(text);
    say(words("copied"));
  }
}

/**
 * What questions have in common that ask for several things one by one; empty for other questions.
 * @param {NonNullable<Table["question"]>} question
 */
function seriesOf(question) {
  return question.sort === "some" || question.sort === "order" ? `${question.sort} ${question.rule} ${question.text}` : "";
}

/**
 * @param {readonly string[]} one
 * @param {readonly string[] | null} other
 */
function same(one, other) {
  return other !== null && one.length === other.length && one.every((id, index) => id === other[index]);
}
