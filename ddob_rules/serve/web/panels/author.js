// For authors: what the last save of a rules file found, or how the game goes on under the new rules.

import { h } from "../vendor/preact.mjs";
import { words } from "../words.js";
import { Rule } from "./parts.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** @param {{table: Sitting}} props */
export function Findings({ table }) {
  const { rules } = table;
  if (rules === null) return null;
  const errors = rules.text === undefined || rules.findings.some((finding) => finding.error);
  const findings = rules.findings.slice(0, 5).map((finding, number) => h("pre", { key: number }, finding.told ?? `${finding.code}: ${finding.text}`));
  return h(
    "section",
    { class: errors ? "notice findings" : "notice good findings", "aria-label": words("findings"), role: "status" },
    h("div", { class: "row" }, h("strong", {}, rules.text || words(errors ? "findings" : "clean")), rules.rule && h(Rule, { rule: rules.rule, table }), h("button", { type: "button", class: "plain", onClick: () => table.dismissRules() }, words("close"))),
    // What does not keep the rules from being played is there for who opens it.
    ...(errors || findings.length === 0 ? findings : [h("details", { key: "findings" }, h("summary", {}, `${words("findings")} (${rules.findings.length})`), ...findings)]),
    rules.rule && rules.old && rules.new && h(Futures, { table, old: rules.old, now: rules.new }),
  );
}

/**
 * Two futures from the same choice and dice, side by side.
 * @param {{table: Sitting, old: import("../table").Table, now: import("../table").Table}} props
 */
function Futures({ table, old, now }) {
  return h(
    "div",
    { class: "futures" },
    ...[["old future", old], ["new future", now]].map(([word, future]) =>
      h(
        "section",
        { key: String(word) },
        h("h3", {}, words(/** @type {any} */ (word))),
        h("ol", { class: "scroll" }, .../** @type {import("../table").Table} */ (future).story.slice(-8).map((line) => h("li", { key: line.n }, line.text, " ", h(Rule, { rule: line.rule, table })))),
        h("p", { class: "row" }, h("button", { type: "button", onClick: () => table.peek(/** @type {import("../table").Table} */ (future)) }, words("look here"))),
      ),
    ),
  );
}
