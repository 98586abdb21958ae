// Between two people at one screen: nothing of the table is on the page.

import { Component, createRef, h } from "../vendor/preact.mjs";
import { words } from "../words.js";

/** @extends {Component<{seat: string, other: string, take: () => void}>} */
export class Pass extends Component {
  button = createRef();

  componentDidMount() {
    this.button.current.focus();
  }

  render() {
    const { seat, other, take } = this.props;
    return h(
      "main",
      { class: "pass" },
      h("h1", {}, words("pass to", { seat })),
      other !== "" && h("p", {}, words("pass why", { other })),
      h("button", { type: "button", class: "main", ref: this.button, onClick: take }, words("i am", { seat })),
    );
  }
}
