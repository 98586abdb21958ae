// What opens over the table: the briefing, a rule with its amendments, a line of the story, hints, seats, findings.

import { h } from "../vendor/preact.mjs";
import { told, words } from "../words.js";
import { strokes } from "../ground.js";
import { Chip, Dialog, Rule } from "./parts.js";

/**
 * @typedef {import("../sitting.js").Sitting} Sitting
 * @typedef {import("../sitting.js").Opened} Opened
 */

/** @param {{table: Sitting}} props */
export function Dialogs({ table }) {
  const opened = table.opened;
  if (opened === null) return null;
  const close = () => table.closeDialog();
  switch (opened.kind) {
    case "brief":
      return h(Dialog, { title: words("labelled", { label: words("brief"), text: table.book.title }), close, key: "brief", closes: words("play") }, h(Brief, { table }));
    case "rule":
      return h(Dialog, { title: `${opened.rule} ${opened.title}`, close, key: `rule ${opened.rule}` }, h(RuleText, { table, opened }));
    case "line":
      return h(Dialog, { title: told(opened.line.text), close, key: "line" }, h(LineOf, { table, opened }));
    case "lines":
      return h(
        Dialog,
        { title: opened.title, close, key: "lines" },
        h("ol", {}, ...opened.lines.map((line, number) => h("li", { key: number }, told(line.text), " ", h(Rule, { rule: line.rule, table })))),
        opened.lines.length === 0 && h("p", { class: "quiet" }, words("not found")),
      );
    case "hint":
      return h(Dialog, { title: words("hint"), close, key: "hint" }, h(Hint, { table, opened }));
    case "seats":
      return h(Dialog, { title: words("seats"), close, key: "seats" }, h(Seats, { table }));
    case "help":
      return h(Dialog, { title: words("help"), close, key: "help" }, h("p", {}, words("keys text")), h("h3", {}, words("legend")), h(Legend, { table }));
    case "legend":
      return h(Dialog, { title: words("legend"), close, key: "legend" }, h(Legend, { table }));
  }
}

/** @param {{table: Sitting}} props */
function Brief({ table }) {
  const { brief } = table.book;
  return h(
    "div",
    {},
    brief.text && h("section", {}, h("p", {}, brief.text)),
    brief.aim.length > 0 &&
      h("section", {}, h("h3", {}, words("aim")), h("ul", { class: "plain" }, ...brief.aim.map(([text, rule]) => h("li", { key: text }, text, " ", h(Rule, { rule, table }))))),
    brief.turn.length > 0 && h("section", {}, h("h3", {}, words("sequence")), h(Steps, { steps: brief.turn })),
    h("section", {}, h("h3", {}, words("keys")), h("p", { class: "quiet" }, words("keys text"))),
  );
}

/** The phases of a turn; those within one stand behind it. @param {{steps: import("../table").Steps}} props @returns {any} */
function Steps({ steps }) {
  return h("ol", { class: "steps" }, ...steps.map(([title, within], number) => h("li", { key: number }, title, within.length > 0 && h(Steps, { steps: within }))));
}

/** @param {{table: Sitting, opened: Extract<Opened, {kind: "rule"}>}} props */
function RuleText({ table, opened }) {
  return h(
    "div",
    {},
    opened.text === null && h("p", { class: "quiet" }, words("thinking")),
    opened.text && h("pre", {}, opened.text),
    ...opened.amendments.map((entry, number) => h("section", { key: number }, h("h3", {}, `${words("amended by")} ${entry.by}`), entry.text && h("pre", {}, entry.text))),
  );
}

/** @param {{table: Sitting, opened: Extract<Opened, {kind: "line"}>}} props */
function LineOf({ table, opened }) {
  const { line } = opened;
  return h(
    "div",
    {},
    line.rule && h("p", {}, h(Rule, { rule: line.rule, table })),
    opened.causes !== null && h("ol", { class: "plain" }, ...opened.causes.map((cause, number) => h("li", { key: number }, told(cause.text), " ", h(Rule, { rule: cause.rule, table })))),
    opened.choice !== null &&
      h(
        "p",
        { class: "row" },
        h("button", { type: "button", onClick: () => (table.closeDialog(), table.lookAt(/** @type {number} */ (opened.choice))) }, words("look here")),
        h("button", { type: "button", onClick: () => (table.closeDialog(), table.undo(/** @type {number} */ (opened.choice))) }, words("undo to here")),
      ),
  );
}

/** @param {{table: Sitting, opened: Extract<Opened, {kind: "hint"}>}} props */
function Hint({ table, opened }) {
  if (opened.best === null) return h("p", { class: "quiet" }, words("thinking"));
  return h(
    "div",
    {},
    h("p", {}, words("hint best")),
    h(
      "ol",
      { class: "plain" },
      ...opened.best.map((one) =>
        h("li", { key: one.text }, one.o === null ? one.text : h("button", { type: "button", onClick: () => (table.closeDialog(), table.answer(/** @type {number} */ (one.o))) }, one.text), one.why && h("span", { class: "quiet" }, ` ${one.why}`)),
      ),
    ),
  );
}

/** @param {{table: Sitting}} props */
function Seats({ table }) {
  return h(
    "ul",
    {},
    ...table.seats.map((seat) => {
      const link = table.links[seat.id];
      return h(
        "li",
        { key: seat.id, class: "row" },
        h("strong", {}, seat.title),
        h("span", { class: "quiet" }, seat.who === "person" ? words(seat.here ? "seat here" : "seat away") : `${words("seat computer")} (${seat.who})`),
        link !== undefined && h("input", { readOnly: true, value: link, "aria-label": words("link for", { seat: seat.title }), size: 32 }),
        link !== undefined && h("button", { type: "button", onClick: () => table.copy(link) }, words("copy")),
        link === undefined && seat.who === "person" && h("button", { type: "button", onClick: () => table.makeLink(seat.id) }, words("make link")),
      );
    }),
  );
}

/** What tints, patterns and outlines stand for on this map. @param {{table: Sitting}} props */
function Legend({ table }) {
  return h(
    "section",
    {},
    h("ul", { class: "legend" }, ...table.reading.legend().map((entry) => h("li", { key: entry.name, class: "row" }, entry.look ? h(Chip, { look: entry.look }) : h("svg", { class: "swatch", viewBox: "0 0 24 24", "aria-hidden": "true" }, ...swatch(table, entry)), entry.name))),
  );
}

/**
 * A piece of ground, or of a line.
 * @param {Sitting} table
 * @param {ReturnType<import("../reading.js").Reading["legend"]>[number]} entry
 */
function swatch(table, entry) {
  if (entry.count !== undefined) return [h("g", { class: "count", transform: "translate(12 12)" }, h("circle", { r: 9 }), h("text", { y: 4 }, entry.count))];
  if (entry.line !== undefined) return strokes(table.book, entry.line).map((stroke) => h("path", { key: stroke, class: stroke, d: "M2 12H22" }));
  const pattern = entry.pattern ? [h("rect", { width: 24, height: 24, fill: `url(#pattern-${entry.pattern})` })] : [];
  return [h("rect", { width: 24, height: 24, class: entry.tint }), ...pattern];
}
