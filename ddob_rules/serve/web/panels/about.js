// What the pointer or the cursor is on: a card of the thing or the space; and why something is not possible.

import { h } from "../vendor/preact.mjs";
import { told, words } from "../words.js";
import { Chip, Rule, WhyNot } from "./parts.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** @param {{table: Sitting}} props */
export function About({ table }) {
  const ids = table.pointed ?? (table.picked.length > 0 ? table.picked.slice(-1) : []);
  return h(
    "section",
    { class: "card-of", "aria-label": words("pieces"), tabIndex: 0 },
    table.why !== null && h(WhyNot, { table }),
    table.trial !== null && h("article", {}, h("h3", {}, words("would")), h("ul", {}, ...table.trial.map((line, number) => h("li", { key: number }, told(line.text), " ", h(Rule, { rule: line.rule, table }))))),
    ids.length === 0 && table.why === null && h("p", { class: "quiet" }, words("pointer")),
    ...ids.map((id) => (table.reading.isThing(id) ? h(Thing, { table, id, key: id }) : h(Space, { table, id, key: id }))),
  );
}

/** @param {{table: Sitting, id: string}} props */
function Thing({ table, id }) {
  const { reading } = table;
  const look = reading.lookOf(id);
  const facts = reading.factsOf(id);
  return h(
    "article",
    {},
    h("h3", { class: "row" }, look && h(Chip, { look }), reading.nameOf(id)),
    h(Facts, { facts: facts.slice(0, SHOWN) }),
    facts.length > SHOWN && h("details", {}, h("summary", {}, words("more of", { count: facts.length - SHOWN })), h(Facts, { facts: facts.slice(SHOWN) })),
    reading.textOf(id) && h("p", {}, reading.textOf(id)),
    h(
      "p",
      { class: "row" },
      h("button", { type: "button", class: "plain", onClick: () => table.history(id) }, words("history")),
      reading.reachOf(id) !== null &&
        h("button", { type: "button", class: "plain", "aria-pressed": table.reach === id, onClick: () => table.toggleReach(id) }, words("fields")),
    ),
  );
}

/** Facts of a thing that are shown at once. */
const SHOWN = 7;

/** @param {{facts: [string, string][]}} props */
function Facts({ facts }) {
  return h("dl", { class: "facts" }, ...facts.flatMap(([name, value], number) => [h("dt", { key: `${number} name` }, name), h("dd", { key: number }, value)]));
}

/** @param {{table: Sitting, id: string}} props */
function Space({ table, id }) {
  const { reading } = table;
  return h(
    "article",
    {},
    h("h3", {}, reading.fullNameOf(id)),
    h(Facts, { facts: reading.factsOf(id) }),
    reading.reachOf(id) !== null &&
      h("button", { type: "button", class: "plain", "aria-pressed": table.reach === id, onClick: () => table.toggleReach(id) }, words("fields")),
  );
}
