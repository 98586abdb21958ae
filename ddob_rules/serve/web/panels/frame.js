// The whole table: head, question, orders, map, strip, side and foot, each a region that Tab finds.

import { Component, createRef, h } from "../vendor/preact.mjs";
import { Board } from "../board.js";
import { mapKey } from "../keys.js";
import { words } from "../words.js";
import { About } from "./about.js";
import { Dialogs } from "./dialogs.js";
import { Orders } from "./orders.js";
import { Chip, Rule } from "./parts.js";
import { Question } from "./question.js";
import { Replay } from "./replay.js";
import { Findings } from "./author.js";
import { Story } from "./story.js";
import { Strip } from "./strip.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** @param {{table: Sitting, leave: () => void}} props */
export function Frame({ table, leave }) {
  const bare = table.board !== null && table.board.plane.list.length === 0;
  return h(
    "div",
    { class: ["table", table.stale !== "" && "stale", bare && "no-map"].filter(Boolean).join(" "), "data-tab": table.tab },
    h("a", { class: "skip", href: "#orders", onClick: (/** @type {Event} */ event) => (event.preventDefault(), document.querySelector(/** @type {any} */ ("#orders button"))?.focus()) }, words("skip")),
    h(Head, { table, leave }),
    h(Question, { table }),
    h(Orders, { table }),
    h(Map, { table }),
    h(Strip, { table }),
    h("aside", { class: "side", "aria-label": words("story") }, h(About, { table }), h(Story, { table })),
    h(Replay, { table }),
    h(Tabs, { table }),
    h(Dialogs, { table }),
  );
}

/** @param {{table: Sitting, leave: () => void}} props */
function Head({ table, leave }) {
  const { shown, book } = table;
  const side = book.players.findIndex((player) => player.id === shown.seat);
  return h(
    "header",
    { class: "head" },
    h("h1", {}, book.title, shown.campaign && h("span", { class: "of-campaign", title: shown.campaign.title }, ` ${words("game of", { number: shown.campaign.number })}`)),
    h("span", {}, words("turn", { turn: book.brief.turns > 0 ? `${shown.turn}/${book.brief.turns}` : shown.turn }), shown.phase && shown.phase !== shown.question?.text && ` · ${shown.phase}`),
    h("span", { class: "you" }, side >= 0 && h(Chip, { look: table.reading.sideLook(side) }), side < 0 ? words("watching") : words("you are", { seat: table.seatName(shown.seat) })),
    h(
      "span",
      { class: "buttons" },
      h("button", { type: "button", disabled: table.table.back?.none ?? table.table.choice === 0, onClick: () => table.undo(), title: table.undoWhy() || undefined }, words("undo")),
      h("button", { type: "button", class: "secondary", disabled: (table.table.undone ?? 0) === 0, onClick: () => table.redo() }, words("redo")),
      h("button", { type: "button", disabled: !shown.question || table.isBack, onClick: () => table.hint() }, words("hint")),
      h("button", { type: "button", onClick: () => table.open({ kind: "brief" }) }, words("brief")),
      table.seats.length > 0 && h("button", { type: "button", class: "secondary", onClick: () => table.open({ kind: "seats" }) }, words("seats")),
      h("button", { type: "button", class: "secondary", onClick: () => table.open({ kind: "legend" }) }, words("legend")),
      h("button", { type: "button", class: "secondary", onClick: () => table.open({ kind: "help" }) }, words("help")),
      h("button", { type: "button", class: "secondary", onClick: leave }, words("back to start")),
    ),
    table.stale !== "" && h("p", { class: "notice", role: "status" }, table.stale),
    table.notice !== "" && h("p", { class: "notice", role: "status" }, table.notice),
    h(Voting, { table }),
    h(Findings, { table }),
  );
}

/** Somebody asks to take back more than is free. @param {{table: Sitting}} props */
function Voting({ table }) {
  const text = table.voteText();
  if (text === "") return null;
  return h(
    "p",
    { class: "notice vote", role: "alert" },
    text,
    " ",
    table.mayVote() && h("button", { type: "button", class: "main", onClick: () => table.vote(true) }, words("vote yes")),
    h("button", { type: "button", onClick: () => table.vote(false) }, words(table.mayVote() ? "vote no" : "vote withdraw")),
  );
}

/** The map and what floats over it. @extends {Component<{table: Sitting}>} */
class Map extends Component {
  host = createRef();

  componentDidMount() {
    const { table } = this.props;
    table.mount(
      new Board(this.host.current, {
        click: (candidates, exact) => table.clicked(candidates, exact),
        hover: (candidates) => table.hover(candidates),
        context: (candidates) => table.contextAt(candidates),
        drop: (things, candidates) => table.drop(things, candidates),
        movable: (thing) => table.isMovable(thing),
      }),
    );
    table.changed();
  }

  render() {
    const { table } = this.props;
    return h(
      "main",
      {
        class: table.bare ? "map bare" : "map",
        role: "application",
        "aria-label": words("map"),
        "aria-describedby": "map-help",
        tabIndex: 0,
        id: "map",
        onKeyDown: (/** @type {KeyboardEvent} */ event) => event.target === event.currentTarget && mapKey(table, event),
        // A pointer focuses the map too, and then nothing may move under it.
        onFocus: (/** @type {any} */ event) => event.target === event.currentTarget && event.target.matches(":focus-visible") && table.mapFocused(),
      },
      h("div", { class: "board", ref: this.host }),
      h("p", { id: "map-help", class: "away" }, words("map help")),
      table.cursor !== null && h("p", { class: "compass" }, table.held === null ? table.spokenSpace(table.cursor) : table.reading.spokenOf(table.held)),
      h(Tip, { table }),
      h(Ring, { table }),
      table.lineBox && h(LineBox, { table }),
      h(
        "div",
        { class: "tools" },
        h("button", { type: "button", class: "zoom", "aria-label": words("zoom in"), onClick: () => table.board?.zoomBy(1.3) }, "+"),
        h("button", { type: "button", class: "zoom", "aria-label": words("zoom out"), onClick: () => table.board?.zoomBy(1 / 1.3) }, "−"),
        h("button", { type: "button", title: words("fit"), onClick: () => table.board?.fit() }, words("fit short")),
        h("button", { type: "button", "aria-pressed": table.bare, title: words("bare"), onClick: () => table.toggleBare() }, words("bare short")),
      ),
    );
  }
}

/** What a click on what the pointer is on would begin. @extends {Component<{table: Sitting}>} */
class Tip extends Component {
  host = createRef();

  componentDidMount() {
    this.place();
  }

  componentDidUpdate() {
    this.place();
  }

  place() {
    const { board } = this.props.table;
    const point = board?.pointOf(this.props.table.tip()?.at ?? "") ?? null;
    const node = this.host.current;
    if (node === null || board === null) return;
    const [x, y] = point === null ? [-999, 0] : board.onScreen(point);
    node.style.left = `${Math.max(4, x - node.offsetWidth / 2)}px`;
    node.style.top = `${y + 40 * board.zoom + 4}px`;
  }

  render() {
    const tip = this.props.table.tip();
    return tip && h("p", { class: "tip", ref: this.host, "aria-hidden": "true" }, tip.text);
  }
}

/** Buttons beside what is picked. @extends {Component<{table: Sitting}>} */
class Ring extends Component {
  host = createRef();

  componentDidMount() {
    this.place();
  }

  componentDidUpdate() {
    this.place();
  }

  place() {
    const node = this.host.current;
    const { board, picked, offered } = this.props.table;
    if (node === null || board === null) return;
    const point = board.pointOf(offered?.at ?? picked.at(-1) ?? "");
    const [x, y] = point === null ? [12, 40] : board.onScreen(point);
    const free = Math.max(0, board.host.clientWidth - node.offsetWidth - 8);
    const room = Math.max(0, board.host.clientHeight - node.offsetHeight - 8);
    node.style.left = `${Math.min(free, Math.max(8, x + 42 * Math.max(0.6, board.zoom)))}px`;
    node.style.top = `${Math.min(room, Math.max(8, y - 20))}px`;
  }

  render() {
    const { table } = this.props;
    const items = table.ring();
    if (items.length === 0) return null;
    return h(
      "div",
      { class: "ring", ref: this.host, role: "group", "aria-label": words("orders") },
      ...items.slice(0, 12).map((item) => h("button", { type: "button", key: item.label, onClick: item.does }, item.label, item.rule && h("span", { class: "quiet" }, ` ${item.rule}`))),
    );
  }
}

/** A line as in a terminal. @extends {Component<{table: Sitting}>} */
class LineBox extends Component {
  field = createRef();

  componentDidMount() {
    this.field.current.focus();
  }

  componentWillUnmount() {
    document.getElementById("map")?.focus();
  }

  render() {
    const { table } = this.props;
    return h(
      "form",
      {
        class: "line-box",
        onSubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const typed = this.field.current.value;
          this.field.current.value = "";
          table.type(typed);
        },
        onKeyDown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && table.letGo(),
      },
      h("input", { ref: this.field, type: "text", "aria-label": words("line"), placeholder: words("line"), autocomplete: "off" }),
      h("button", { type: "submit" }, words("say")),
      table.lineReply && h("p", {}, table.lineReply),
    );
  }
}

/** On a small screen the panels are a tap away. @param {{table: Sitting}} props */
function Tabs({ table }) {
  const tabs = /** @type {const} */ (["orders", "story", "boxes", "moment"]);
  return h(
    "div",
    { class: "tabs" },
    ...tabs.map((tab) => h("button", { type: "button", key: tab, "aria-pressed": table.tab === tab, onClick: () => table.setTab(table.tab === tab ? "" : tab) }, words(tab))),
  );
}

export { Rule };
