// Small parts that several panels share: a counter as a chip, the number of a rule, why not, a dialog that holds the focus.

import { Component, createRef, h } from "../vendor/preact.mjs";
import { HALF, counter } from "../counters.js";
import { svg } from "../nodes.js";
import { words } from "../words.js";

/**
 * @typedef {import("../counters.js").Look} Look
 * @typedef {import("../sitting.js").Sitting} Sitting
 */

/**
 * A counter among words. Drawn once for each look.
 * @extends {Component<{look: Look}>}
 */
export class Chip extends Component {
  host = createRef();
  key = "";

  componentDidMount() {
    this.paint();
  }

  componentDidUpdate() {
    this.paint();
  }

  paint() {
    const key = JSON.stringify(this.props.look);
    if (key === this.key) return;
    this.key = key;
    const far = HALF + 4;
    const picture = svg("svg", { viewBox: `${-far} ${-far} ${2 * far} ${2 * far}`, "aria-hidden": "true" });
    picture.append(svg("g", { class: "counter" }, ...counter(this.props.look)));
    this.host.current.replaceChildren(picture);
  }

  render() {
    return h("span", { class: "chip", ref: this.host });
  }
}

/**
 * @param {{rule: string | null | undefined, table: Sitting}} props
 */
export function Rule({ rule, table }) {
  if (!rule) return null;
  return h("button", { type: "button", class: "rule", "aria-label": words("rule", { rule }), onClick: () => table.openRule(rule) }, rule);
}

/** Why something is not possible. @param {{table: Sitting}} props */
export function WhyNot({ table }) {
  const why = table.why;
  if (why === null) return null;
  return h(
    "article",
    { class: "why" },
    h("h3", {}, words("why not of", { things: why.things.map((id) => table.reading.fullNameOf(id)).join(", ") })),
    why.reasons === null
      ? h("p", { class: "quiet" }, words("thinking"))
      : h(
          "ul",
          {},
          ...why.reasons.map((reason, number) => h("li", { key: number }, reason.title && h("strong", {}, words("labelled", { label: reason.title, text: "" })), reason.text, " ", h(Rule, { rule: reason.rule, table }))),
          why.reasons.length === 0 && h("li", {}, words("no reason")),
        ),
  );
}

/**
 * A dialog of the browser's own: it holds the focus, Esc closes it, and the focus returns.
 * @extends {Component<{title: string, close: () => void, children?: any, wide?: boolean, closes?: string}>}
 */
export class Dialog extends Component {
  host = createRef();

  componentDidMount() {
    if (!this.host.current.open) this.host.current.showModal();
  }

  componentWillUnmount() {
    this.host.current.close();
  }

  render() {
    const { title, close, children, closes } = this.props;
    return h(
      "dialog",
      {
        ref: this.host,
        "aria-labelledby": "dialog-title",
        onCancel: (/** @type {Event} */ event) => (event.preventDefault(), close()),
      },
      h("header", {}, h("h2", { id: "dialog-title" }, title), h("button", { type: "button", class: closes === undefined ? "" : "main", onClick: close }, closes ?? words("close"))),
      children,
    );
  }
}
