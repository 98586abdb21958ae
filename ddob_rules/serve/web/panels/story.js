// The story: a line for each thing that happened, with the number of its rule; names in it light the map.

import { Component, createRef, h } from "../vendor/preact.mjs";
import { told, words } from "../words.js";
import { Rule } from "./parts.js";

/** @typedef {import("../sitting.js").Sitting} Sitting */

/** Lines that are kept on the page; older ones are a replay away. */
const MOST = 150;
/** Within so many pixels of its end a story is read at its end. */
const END = 24;

/** @extends {Component<{table: Sitting}>} */
export class Story extends Component {
  list = createRef();

  componentDidUpdate() {
    this.follow();
  }

  componentDidMount() {
    this.follow();
    // What stands above may take the room of the newest lines.
    new ResizeObserver(() => this.follow()).observe(this.list.current);
  }

  /** Whoever reads further up stays there; at the end, the newest line stays in sight. */
  follow() {
    const list = this.list.current;
    if (list !== null && this.atEnd) list.scrollTop = list.scrollHeight;
  }

  scrolled() {
    const list = this.list.current;
    this.atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < END;
  }

  atEnd = true;

  render() {
    const { table } = this.props;
    const lines = table.story.slice(-MOST);
    const fresh = lines.filter((line) => line.n > table.seenStory).length;
    return h(
      "section",
      { class: "story", "aria-label": words("story") },
      h("h2", {}, words("story"), fresh > 0 && h("span", { class: "quiet" }, ` ${words("since", { count: fresh })}`)),
      h(
        "div",
        { class: "log", ref: this.list, onScroll: () => this.scrolled(), role: "log", "aria-live": "off", tabIndex: 0, "aria-label": words("story") },
        h("ol", {}, ...lines.map((line, number) =>
          h(
            "li",
            { key: `${line.n} ${number}`, class: [line.n > table.seenStory && "new", line.what === "turn" && "turn", line.what === "phase" && "phase", line.deep && "deep"].filter(Boolean).join(" ") },
            h("a", { href: "#", role: "button", class: "line", onClick: (/** @type {Event} */ event) => (event.preventDefault(), table.openLine(line)), onMouseEnter: () => table.point(table.thingsOf(line)), onFocus: () => table.point(table.thingsOf(line)) }, told(line.text)),
            " ",
            h(Rule, { rule: line.rule, table }),
          ),
        )),
      ),
    );
  }
}
