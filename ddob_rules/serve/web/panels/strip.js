// What lies beside the map: cards in hand, piles, boxes, tracks and dice.

import { h } from "../vendor/preact.mjs";
import { words } from "../words.js";
import { Chip } from "./parts.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** @param {{table: Sitting}} props */
export function Strip({ table }) {
  const { reading } = table;
  const piles = table.shown.piles.filter((pile) => pile.quiet !== true && (pile.count > 0 || pile.as === "hand"));
  const hands = piles.filter((pile) => (pile.cards ?? []).length > 0 && (pile.as === "hand" || (pile.cards ?? []).some((card) => table.isLit(card))));
  const others = piles.filter((pile) => !hands.includes(pile));
  const boards = reading.boxBoards().map((board) => ({ board, ids: table.boxesOf(board), open: table.isUnfolded(board) })).filter(({ ids }) => ids.length > 0);
  const folded = boards.filter(({ open }) => !open);
  const beyond = reading.beyond();
  if (hands.length + others.length + boards.length + beyond.length === 0) return null;
  return h(
    "section",
    { class: hands.length + beyond.length > 0 || boards.some(({ open }) => open) ? "strip" : "strip idle", "aria-label": words("boxes"), tabIndex: 0 },
    ...beyond.map(([title, ids]) => h("div", { key: `beyond ${title}` }, h("h2", {}, title), h("div", { class: "loose" }, ...ids.map((id) => h(Loose, { table, id, key: id }))))),
    ...hands.map((pile) =>
      h("div", { key: pile.id }, h("h2", {}, pile.title), h("div", { class: "hand" }, ...(pile.cards ?? []).map((card) => h(Card, { table, id: card, key: card })))),
    ),
    ...boards
      .filter(({ open }) => open)
      .map(({ board, ids }) =>
        h(
          "div",
          { key: `board ${board.id}` },
          h("h2", { class: "row" }, board.title, h("button", { type: "button", class: "plain", onClick: () => table.unfold(board.id, false) }, words("less"))),
          h("div", { class: board.kind === "track" ? "track" : "boxes" }, ...ids.map((id) => h(Box, { table, id, key: id }))),
        ),
      ),
    folded.length > 0 &&
      h(
        "div",
        { key: "folded", class: "folded" },
        ...folded.map(({ board, ids }) => h("button", { type: "button", key: board.id, "aria-expanded": false, onClick: () => table.unfold(board.id, true) }, `${board.title} ${ids.reduce((sum, id) => sum + reading.thingsAt(id).length, 0)}`)),
      ),
    others.length > 0 &&
      h(
        "div",
        { key: "piles" },
        h(
          "div",
          { class: "boxes" },
          ...others.map((pile) =>
            h(
              "span",
              { class: "box pile", key: pile.id },
              h("span", { class: "name" }, pile.title),
              " ",
              h("strong", {}, pile.count),
              (pile.cards ?? []).length > 0 && h("span", { class: "name" }, ` ${reading.nameOf(/** @type {string} */ ((pile.cards ?? []).at(-1)))}`),
            ),
          ),
        ),
      ),
  );
}

/** Something that lies nowhere: a die. @param {{table: Sitting, id: string}} props */
function Loose({ table, id }) {
  const { reading } = table;
  const picked = table.isPicked(id) || table.chosen().includes(id);
  return h(
    "button",
    { type: "button", class: [table.isLit(id) && "is-lit", picked && "is-picked"].filter(Boolean).join(" "), "data-thing": id, "aria-pressed": picked, onClick: () => table.clicked([id], true), onMouseEnter: () => table.point([id]) },
    h(Chip, { look: /** @type {any} */ ({ ...reading.lookOf(id), named: false }) }),
    h("span", { class: "away" }, reading.spokenOf(id)),
    h("span", { "aria-hidden": "true" }, reading.nameOf(id)),
  );
}

/** @param {{table: Sitting, id: string}} props */
function Card({ table, id }) {
  const { reading } = table;
  return h(
    "button",
    {
      type: "button",
      class: ["playing-card", table.isLit(id) && "is-lit", table.isPicked(id) && "is-picked"].filter(Boolean).join(" "),
      "data-thing": id,
      "aria-pressed": table.isPicked(id),
      onClick: () => table.clicked([id], true),
      onMouseEnter: () => table.point([id]),
    },
    h("strong", {}, reading.nameOf(id)),
    reading.textOf(id) && h("span", { class: "text" }, reading.textOf(id)),
  );
}

/** @param {{table: Sitting, id: string}} props */
function Box({ table, id }) {
  const { reading } = table;
  const things = reading.thingsAt(id);
  return h(
    "div",
    { class: ["box", table.isLit(id) && "lit-box", table.isPicked(id) && "picked-box"].filter(Boolean).join(" ") },
    h("button", { type: "button", class: table.isLit(id) ? "plain lit-box" : "plain", onClick: () => table.clicked([id], true), onMouseEnter: () => table.point([id]) }, reading.nameOf(id)),
    h(
      "span",
      { class: "inside" },
      ...things.map((thing) =>
        h(
          "button",
          {
            type: "button",
            key: thing,
            class: ["plain", table.isLit(thing) && "lit-box", table.isPicked(thing) && "picked-box"].filter(Boolean).join(" "),
            "aria-label": reading.spokenOf(thing),
            onClick: () => table.clicked([thing, id], true),
            onMouseEnter: () => table.point([thing]),
          },
          h(Chip, { look: /** @type {any} */ (reading.lookOf(thing)) }),
        ),
      ),
    ),
  );
}
