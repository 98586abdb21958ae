// The way through the game: a slider over its choices, and how fast others' moves are shown.

import { h } from "../vendor/preact.mjs";
import { words } from "../words.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** How long a step of the others stays before the next, in milliseconds; the last waits for a click. */
export const SPEEDS = [0, 250, 900, Infinity];

/** @param {{table: Sitting}} props */
export function Replay({ table }) {
  const all = table.table.choice;
  const n = table.shown.choice;
  const go = (/** @type {number} */ to) => table.lookAt(Math.min(all, Math.max(0, to)));
  return h(
    "footer",
    { class: "foot", "aria-label": words("moment") },
    h("button", { type: "button", class: "plain", "aria-label": words("first"), disabled: n === 0, onClick: () => go(0) }, "«"),
    h("button", { type: "button", class: "plain", "aria-label": words("previous"), disabled: n === 0, onClick: () => go(n - 1) }, "‹"),
    h("input", {
      type: "range",
      class: "slider",
      min: 0,
      max: all,
      value: n,
      "aria-label": words("moment"),
      "aria-valuetext": words("choice of", { n, all }),
      onInput: (/** @type {any} */ event) => go(Number(event.currentTarget.value)),
    }),
    h("button", { type: "button", class: "plain", "aria-label": words("next"), disabled: n >= all, onClick: () => go(n + 1) }, "›"),
    h("button", { type: "button", class: "plain", "aria-label": words("last"), disabled: n >= all, onClick: () => go(all) }, "»"),
    h("span", {}, words("choice of", { n, all })),
    n < all && table.isBack && h("button", { type: "button", class: "main", onClick: () => go(all) }, words("now")),
    h(
      "label",
      { class: "row" },
      words("speed"),
      h(
        "select",
        { value: table.speed, onChange: (/** @type {any} */ event) => table.setSpeed(Number(event.currentTarget.value)) },
        ...SPEEDS.map((_, number) => h("option", { value: number, key: number, selected: number === table.speed }, words(/** @type {any} */ (`speed ${number}`)))),
      ),
    ),
    table.toCome > 0 && h("button", { type: "button", onClick: () => table.step() }, `${words("step")} (${words("steps to come", { count: table.toCome })})`),
  );
}
