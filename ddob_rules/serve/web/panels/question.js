// What is asked, by which rule, and the answers that have no place on the map: buttons, chips, a stepper.

import { Component, h } from "../vendor/preact.mjs";
import { told, words } from "../words.js";
import { Rule, WhyNot } from "./parts.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** More numbers than this get a stepper, more values than this are found in the orders. */
export const MOST_CHIPS = 12;

/** @param {{table: Sitting}} props */
export function Question({ table }) {
  const { question } = table.shown;
  const mine = question !== null && question !== undefined;
  return h(
    "section",
    { class: ["ask", mine && "mine", table.shown.over && "over"].filter(Boolean).join(" "), "data-question": mine ? question.q : "", "aria-label": words("your turn", { text: "" }).replace(/\s*:\s*$/u, "") },
    h("span", { class: "question" }, mine ? question.text : table.waitingText(), mine && amount(table) && h("span", { class: "quiet" }, ` ${amount(table)}`)),
    mine && h(Rule, { rule: question.rule, table }),
    mine && h(Answers, { table, key: question.q }),
    mine && h(Buttons, { table, key: `buttons ${question.q}` }),
    h(Campaign, { table }),
    h("div", { class: "news" }, h(Status, { table }), h(Outcome, { table })),
    table.why !== null && h("div", { class: "beside" }, h(WhyNot, { table })),
  );
}

/** How a campaign stands when a game of it is over, and the way to the next one. @param {{table: Sitting}} props */
function Campaign({ table }) {
  const { campaign, over, seat } = table.shown;
  if (!over || campaign?.text === undefined) return null;
  return h(
    "span",
    { class: "campaign" },
    h("strong", {}, campaign.text),
    campaign.next !== undefined && seat !== "" && h("button", { type: "button", class: "main", onClick: () => table.onward() }, words("onward", { title: campaign.next })),
  );
}

/** Where the game stands, as the rules tell it. @param {{table: Sitting}} props */
function Status({ table }) {
  const { status, counts } = table.shown;
  return h(
    "span",
    { class: "status" },
    ...status.map((entry) =>
      h("span", { key: entry.text },
        entry.text,
        entry.value !== undefined && h("strong", {}, ` ${entry.of === undefined ? entry.value : `${entry.value}/${entry.of}`}`),
        entry.value !== undefined && entry.of !== undefined && h("meter", { value: entry.value, max: entry.of, "aria-hidden": "true" }),
      ),
    ),
    ...counts.map((entry) => h("span", { key: entry.name }, entry.name && h("strong", {}, `${entry.name} `), entry.facts.map(([name, value]) => `${name} ${value}`).join(", "))),
  );
}

/** @param {{table: Sitting}} props */
function Answers({ table }) {
  const values = table.loose();
  if (values.length === 0) return null;
  if (table.isNumbers(values) && values.length > MOST_CHIPS) return h(Stepper, { table, values });
  if (values.length > MOST_CHIPS) return null;
  return h(
    "span",
    { class: "answers" },
    ...values.map((value) =>
      h("button", { type: "button", key: value, onClick: () => table.pick([value], true) }, table.reading.nameOf(value)),
    ),
  );
}

/** @extends {Component<{table: Sitting, values: string[]}, {value: number}>} */
class Stepper extends Component {
  state = { value: Number(this.props.values[0]) };

  render() {
    const { table, values } = this.props;
    const least = Number(values[0]);
    const most = Number(values[values.length - 1]);
    const { value } = this.state;
    const move = (/** @type {number} */ to) => this.setState({ value: Math.min(most, Math.max(least, to)) });
    return h(
      "span",
      { class: "stepper" },
      h("button", { type: "button", "aria-label": "-1", onClick: () => move(value - 1) }, "−"),
      h("input", {
        type: "number",
        min: least,
        max: most,
        value,
        "aria-label": table.shown.question?.text,
        onInput: (/** @type {any} */ event) => move(Number(event.currentTarget.value)),
      }),
      h("button", { type: "button", "aria-label": "+1", onClick: () => move(value + 1) }, "+"),
      h("button", { type: "button", class: "main", onClick: () => table.pick([String(value)], true) }, words("number set", { number: value })),
    );
  }
}

/** @param {{table: Sitting}} props */
function Buttons({ table }) {
  const { question } = table.shown;
  const bare = table.bareOptions();
  if (!question) return null;
  if (table.asking !== null) {
    const asked = table.asking;
    return h(
      "span",
      { class: "buttons", role: "group" },
      h("span", {}, words("sure", { count: table.starterCount(), title: asked.title })),
      h("button", { type: "button", class: "main", onClick: () => table.answer(asked.o) }, words("yes, really")),
      h("button", { type: "button", onClick: () => table.unask() }, words("no")),
    );
  }
  return h(
    "span",
    { class: "buttons" },
    ...bare.map(({ o, act }) => {
      const one = question.acts[act];
      return h(
        "button",
        { type: "button", key: o, class: bare.length <= 2 && one?.ends !== true ? "main" : "", title: one?.rule ? words("rule", { rule: one.rule }) : undefined, onClick: () => table.end(o) },
        doneTitle(table, one),
      );
    }),
  );
}

/**
 * How many are chosen is told on the button that ends it.
 * @param {Sitting} table
 * @param {import("../table").Act | undefined} act
 */
function doneTitle(table, act) {
  const { question } = table.shown;
  const count = table.chosen().length;
  if (act?.act !== "done" || !question || (count === 0 && question.most === undefined)) return act?.title;
  return question.most === undefined ? `${act.title} (${count})` : words("done of", { count, most: count + question.most });
}

/** How many more can be chosen, or must be. @param {Sitting} table */
function amount(table) {
  const { least, most } = table.shown.question ?? {};
  if (least !== undefined && least > 0) return words(least === most ? "choose more" : "choose at least", { count: least });
  return most === undefined ? "" : words("choose up to", { count: most });
}

/** Lines of the outcome that are told; the story has all. */
const TOLD = 12;

/** What came of the last answer, until the next click. @param {{table: Sitting}} props */
function Outcome({ table }) {
  const lines = table.outcome.filter((line) => line.what !== "phase" && line.what !== "turn");
  return h(
    "p",
    { class: "outcome" },
    lines.length > TOLD && "… ",
    ...lines.slice(-TOLD).map((line, number) => h("span", { key: `${line.n} ${number}` }, told(line.text), " ", h(Rule, { rule: line.rule, table }))),
  );
}
