// Orders: pieces, what each can do, and to what. Any game can be played here alone; no list is longer than a dozen.

import { Component, h } from "../vendor/preact.mjs";
import { like, orders } from "../choose.js";
import { words } from "../words.js";
import { Chip } from "./parts.js";

/**
 * @typedef {import("../sitting.js").Sitting} Sitting
 * @typedef {import("../choose.js").Option} Option
 */

/** The most that is listed at once; the rest is a button away. */
const MOST = 12;

/** @extends {Component<{table: Sitting}, {find: string, shown: number, wide: Record<string, number>}>} */
export class Orders extends Component {
  state = { find: "", shown: MOST, wide: /** @type {Record<string, number>} */ ({}) };

  render() {
    const { table } = this.props;
    const { find, shown } = this.state;
    const all = [...orders(table.options)].filter(([thing]) => !table.isLoose(thing) || table.loose().length > MOST);
    const found = all.filter(([thing, acts]) => this.fits(thing, acts, find));
    return h(
      "nav",
      { class: "orders", "aria-label": words("orders"), id: "orders" },
      h("h2", {}, words("orders"), all.length > 0 && h("span", { class: "quiet" }, ` ${words(table.shown.question?.sort === "offer" ? "play by" : "choose from", { count: all.length })}`)),
      all.length > 6 &&
        h("input", {
          type: "search",
          value: find,
          placeholder: words("search orders"),
          "aria-label": words("search orders"),
          onInput: (/** @type {any} */ event) => this.setState({ find: event.currentTarget.value, shown: MOST }),
        }),
      h(
        "ul",
        { class: "scroll" },
        ...found.slice(0, shown).map(([thing, acts]) => this.piece(thing, acts)),
        found.length > shown &&
          h("li", { key: "more" }, h("button", { type: "button", onClick: () => this.setState({ shown: shown + MOST }) }, words("more of", { count: found.length - shown }))),
        all.length === 0 && h("li", { class: "quiet" }, words(table.options.length > 0 ? "answers beside" : "no orders")),
        all.length > 0 && found.length === 0 && h("li", { class: "quiet" }, words("not found")),
      ),
    );
  }

  /**
   * @param {string} thing
   * @param {Map<number, Option[]>} acts
   * @param {string} find
   */
  fits(thing, acts, find) {
    const { table } = this.props;
    const texts = [table.reading.fullNameOf(thing), table.reading.whereOf(thing) ?? "", ...[...acts.keys()].map((act) => table.actTitle(act))];
    return find.trim() === "" || texts.some((text) => like(find.trim(), text) >= 2);
  }

  /**
   * @param {string} thing
   * @param {Map<number, Option[]>} acts
   */
  piece(thing, acts) {
    const { table } = this.props;
    const look = table.reading.lookOf(thing);
    const open = table.picked[0] === thing;
    const where = table.reading.whereOf(thing);
    // What leaves nothing to choose is done at once, and does not unfold.
    const whole = [...acts.values()].flat().every((option) => option.path.every((id) => id === thing)) && acts.size === 1;
    const told = whole && table.shown.question?.sort === "offer" ? table.actTitle([...acts.keys()][0] ?? 0) : "";
    return h(
      "li",
      { key: thing, class: open ? "piece open" : "piece" },
      h(
        "button",
        { type: "button", "aria-expanded": whole ? undefined : open, onClick: () => (open ? table.letGo() : table.pick([thing], true)), onFocus: () => table.point([thing]), onMouseEnter: () => table.point([thing]) },
        h("span", { class: "row" }, look && h(Chip, { look }), h("span", {}, table.reading.nameOf(thing), table.reading.labelOf(thing) && h("span", { class: "where" }, ` ${table.reading.labelOf(thing)}`), where && h("span", { class: "where" }, ` ${where}`), told && h("span", { class: "where" }, ` · ${told}`))),
        !whole && h("span", { class: "quiet", "aria-hidden": "true" }, open ? "▾" : "▸"),
      ),
      open && h("ul", {}, ...[...acts].map(([act, options]) => this.act(thing, act, options))),
    );
  }

  /**
   * @param {string} thing
   * @param {number} act
   * @param {Option[]} options
   */
  act(thing, act, options) {
    const { table } = this.props;
    const title = table.actTitle(act);
    const only = options.length === 1 ? options[0] : undefined;
    const rest = (/** @type {Option} */ option) => option.path.filter((id) => id !== thing && !table.picked.includes(id));
    if (only !== undefined && rest(only).length === 0) {
      return h("li", { key: act }, h("button", { type: "button", onClick: () => table.answer(only.o) }, title));
    }
    const key = `${thing} ${act}`;
    const shown = this.state.wide[key] ?? MOST;
    const next = [...new Set(options.filter((option) => table.picked.every((id) => option.path.includes(id) || option.by.includes(id))).map((option) => rest(option)[0]))];
    return h(
      "li",
      { key: act },
      h("span", { class: "quiet", id: `act-${act}` }, `${title} (${next.length})`),
      h(
        "div",
        { class: "targets", role: "group", "aria-labelledby": `act-${act}` },
        ...next.slice(0, shown).map((target) =>
          target === undefined
            ? null
            : h("button", { type: "button", key: target, onClick: () => table.order(act, [...table.picked, target]), onFocus: () => table.point([target]), onMouseEnter: () => table.point([target]) }, table.reading.fullNameOf(target)),
        ),
        next.length > shown &&
          h("button", { type: "button", onClick: () => this.setState({ wide: { ...this.state.wide, [key]: shown + MOST } }) }, words("more of", { count: next.length - shown })),
      ),
    );
  }
}
