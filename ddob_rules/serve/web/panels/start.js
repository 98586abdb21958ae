// The start page: games that were kept, and a new one with its seats, options, overlays and seed.

import { Component, createRef, h, render } from "../vendor/preact.mjs";
import { fetchDetails, fetchGames, fetchKept, fetchSmall, newTable } from "../house.js";
import { picture } from "../picture.js";
import { speak, words } from "../words.js";

/**
 * @typedef {import("../table").Listed} Listed
 * @typedef {import("../table").Details} Details
 * @typedef {import("../table").Book} Book
 * @typedef {import("../table").Table} Table
 * @typedef {import("../table").Finding} Finding
 */

/** @param {HTMLElement} page */
export async function start(page) {
  render(h("main", { class: "start" }, h("h1", {}, words("title")), h("p", {}, words("loading"))), page);
  const found = await fetchGames();
  document.title = words("title");
  if (found === null || found.games === undefined) {
    return render(h("main", { class: "start" }, h("h1", {}, words("title")), h("p", { class: "notice" }, found?.why ?? words("by link"))), page);
  }
  await speak(found.language);
  render(h(Begin, { listed: found }), page);
}

/** Pictures are fetched one after the other: whoever wants to play does not wait for all of them. */
let before = Promise.resolve();

/** Kept games that are shown at once. */
const MOST_KEPT = 8;

/** @extends {Component<{listed: Listed}, {chosen: string, find: string, more: boolean}>} */
class Begin extends Component {
  state = { chosen: this.props.listed.first[0] ?? "", find: "", more: false };

  render() {
    const { kept, games, first } = this.props.listed;
    const { chosen, find, more } = this.state;
    const titles = new Map(games.flatMap((game) => [...game.scenarios, ...game.campaigns].map((one) => [one.id, one.title])));
    const fits = (/** @type {string} */ text) => text.toLowerCase().includes(find.toLowerCase());
    const found = games
      .map((game) => ({ ...game, entries: [...game.campaigns.map((one) => ({ ...one, campaign: true })), ...game.scenarios.map((one) => ({ ...one, campaign: false }))].filter((one) => fits(`${one.title} ${game.title}`)) }))
      .filter((game) => game.entries.length > 0)
      .sort((one, other) => Number(other.entries.some(({ id }) => first.includes(id))) - Number(one.entries.some(({ id }) => first.includes(id))));
    return h(
      "main",
      { class: "start" },
      h("h1", {}, words("welcome")),
      kept.length > 0 &&
        h(
          "section",
          { "aria-labelledby": "kept" },
          h("h2", { id: "kept" }, words("kept games")),
          h(
            "div",
            { class: "cards" },
            ...kept.slice(0, more ? kept.length : MOST_KEPT).map((one) =>
              h(
                "a",
                { class: "game", key: one.table, href: `/table/${encodeURIComponent(one.table)}` },
                h(Small, { wanted: () => fetchKept(one.table) }),
                h("strong", {}, titles.get(one.scenario) ?? one.scenario),
                h("span", { class: "about" }, [one.campaign === undefined ? "" : words("game number", { number: one.campaign }), words("turn", { turn: one.turn }), one.onward ? words("next waits") : one.over ? words("ended") : "", new Date(one.when * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })].filter(Boolean).join(", ")),
              ),
            ),
          ),
          kept.length > MOST_KEPT && !more && h("p", {}, h("button", { type: "button", onClick: () => this.setState({ more: true }) }, words("more of", { count: kept.length - MOST_KEPT }))),
        ),
      h(
        "section",
        { "aria-labelledby": "new" },
        h("h2", { id: "new" }, words("new game")),
        titles.size > 12 &&
          h("p", {}, h("input", { type: "search", value: find, "aria-label": words("find game"), placeholder: words("find game"), onInput: (/** @type {any} */ event) => this.setState({ find: event.currentTarget.value }) })),
        chosen !== "" && h(Setup, { scenario: chosen, title: titles.get(chosen) ?? chosen, computers: this.props.listed.computers, key: chosen }),
        ...found.map((game) =>
          h(
            "section",
            { key: game.id, "aria-label": game.title },
            h("h3", {}, game.title),
            h(
              "div",
              { class: "cards" },
              ...game.entries.map((one) =>
                h(
                  "button",
                  { type: "button", class: "game", key: one.id, "aria-pressed": chosen === one.id, onClick: () => this.setState({ chosen: one.id }) },
                  h(Small, { wanted: () => fetchSmall(one.id) }),
                  h("strong", {}, one.title),
                  one.campaign && h("span", { class: "about" }, words("campaign")),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }
}

/** A map in small, fetched when it comes into sight. @extends {Component<{wanted: () => Promise<{book: Book, table: Table} | null>}>} */
class Small extends Component {
  host = createRef();

  componentDidMount() {
    const node = this.host.current;
    this.watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      this.watch?.disconnect();
      before = before.then(() => this.draw(node)).catch(() => {});
    });
    this.watch.observe(node);
  }

  /** @type {IntersectionObserver | undefined} */
  watch = undefined;

  componentWillUnmount() {
    this.watch?.disconnect();
  }

  /** @param {Element} node */
  async draw(node) {
    if (!node.isConnected) return;
    const found = await this.props.wanted();
    const drawn = found?.book === undefined ? null : picture(found.book, found.table);
    if (drawn !== null) node.replaceChildren(drawn);
  }

  render() {
    return h("span", { class: "picture", ref: this.host, "aria-hidden": "true" });
  }
}

/**
 * Who sits where, which further rules, which chance.
 * @extends {Component<{scenario: string, title: string, computers: string[]}, {details: Details | null, seats: Record<string, string>, options: string[], overlays: string[], seed: string, why: string, findings: Finding[], busy: boolean}>}
 */
class Setup extends Component {
  host = createRef();
  state = {
    details: /** @type {Details | null} */ (null),
    seats: /** @type {Record<string, string>} */ ({}),
    options: /** @type {string[]} */ ([]),
    overlays: /** @type {string[]} */ ([]),
    seed: "",
    why: "",
    findings: /** @type {Finding[]} */ ([]),
    busy: false,
  };

  componentDidMount() {
    this.host.current.scrollIntoView({ block: "nearest" });
    this.fetch([], []);
  }

  /**
   * What was chosen changes what there is: seats, options, overlays that do not go together.
   * @param {string[]} options
   * @param {string[]} overlays
   * @returns {Promise<void>}
   */
  async fetch(options, overlays) {
    this.setState({ options, overlays, why: "", findings: [] });
    const details = await fetchDetails(this.props.scenario, options, overlays);
    if (details?.players === undefined) return this.setState({ why: details?.why ?? "", findings: details?.findings ?? [] });
    const numbers = open(details.options);
    // Until somebody says how many, as few as can: a dozen seats are no way to begin.
    if (numbers.length > 0 && !options.some(count)) return this.fetch([...options, /** @type {Details["options"][number]} */ (numbers[0]).id], overlays);
    const people = details.players.filter((player) => player.automated !== true);
    const seats = Object.fromEntries(people.map((player, number) => [player.id, this.state.seats[player.id] ?? (number === 0 || player.later === true ? "me" : (this.props.computers[1] ?? "me"))]));
    this.setState({ details, seats });
  }

  /** Whoever has chosen a game can begin at once. */
  componentDidUpdate() {
    if (this.ready || this.state.details === null) return;
    this.ready = true;
    this.host.current.querySelector("button.main").focus({ preventScroll: true });
  }

  ready = false;

  async play() {
    const { seats, options, overlays, seed } = this.state;
    this.setState({ busy: true, why: "", findings: [] });
    const made = await newTable({ scenario: this.props.scenario, seats, options, overlays, ...(/^\d{1,15}$/u.test(seed) ? { seed: Number(seed) } : {}) });
    if (made?.table !== undefined) {
      sessionStorage.setItem(`ddob links ${made.table}`, JSON.stringify(made.links ?? {}));
      return location.assign(`/table/${encodeURIComponent(made.table)}`);
    }
    this.setState({ busy: false, why: made?.why ?? (made?.findings ? "" : words("not made")), findings: made?.findings ?? [] });
  }

  render() {
    const { details, seats, seed, why, findings, busy } = this.state;
    const people = (details?.players ?? []).filter((player) => player.automated !== true);
    const rest = people.filter((player) => player.later === true);
    const seat = (/** @type {Details["players"][number]} */ player) =>
      h(
        "label",
        { key: player.id },
        words("seat of", { seat: player.title }),
        h(
          "select",
          { onChange: (/** @type {any} */ event) => this.setState({ seats: { ...seats, [player.id]: event.currentTarget.value } }) },
          ...["me", "link", ...this.props.computers].map((kind) => h("option", { value: kind, key: kind, selected: seats[player.id] === kind }, kindName(kind))),
        ),
      );
    return h(
      "form",
      { class: "new-game", ref: this.host, "aria-label": this.props.title, onSubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.play()) },
      h("h2", {}, this.props.title),
      details === null && why === "" && findings.length === 0 && h("p", { class: "quiet" }, words("loading")),
      details?.campaign && h("p", {}, details.campaign.text),
      details?.campaign && h("ol", { class: "games" }, ...details.campaign.games.map((title) => h("li", { key: title }, title))),
      details?.book.brief.text && h("p", {}, details.book.brief.text),
      this.number(details?.options ?? []),
      people.length > 0 &&
        h(
          "fieldset",
          {},
          h("legend", {}, words("seats")),
          ...people.filter((player) => player.later !== true).map(seat),
          rest.length > 0 && h("details", {}, h("summary", {}, `${words("seats later")} (${rest.length})`), ...rest.map(seat)),
        ),
      this.choices("options", (details?.options ?? []).filter((option) => !count(option.id))),
      this.choices("overlays", details?.overlays ?? []),
      details !== null &&
        h("label", {}, words("seed"), h("input", { value: seed, inputMode: "numeric", size: 8, onInput: (/** @type {any} */ event) => this.setState({ seed: event.currentTarget.value }) }), h("span", { class: "quiet" }, words("seed help"))),
      why !== "" && h("p", { class: "notice", role: "alert" }, why),
      findings.length > 0 && h("div", { class: "notice", role: "alert" }, ...findings.slice(0, 3).map((finding, number) => h("pre", { key: number, tabIndex: 0 }, finding.told ?? finding.text))),
      h("p", {}, h("button", { type: "submit", class: "main", disabled: busy || details === null || findings.length > 0 }, words(busy ? "loading" : "play"))),
    );
  }

  /**
   * How many play, where that is open; each number is an option.
   * @param {Details["options"]} options
   */
  number(options) {
    const numbers = open(options);
    if (numbers.length === 0) return null;
    const choose = (/** @type {string} */ id) => this.fetch([...this.state.options.filter((one) => !count(one)), id], this.state.overlays);
    return h(
      "label",
      {},
      words("how many"),
      h(
        "select",
        { name: "players", onChange: (/** @type {any} */ event) => choose(event.currentTarget.value) },
        ...numbers.map((option) => h("option", { value: option.id, key: option.id, selected: option.on === true }, option.title)),
      ),
    );
  }

  /**
   * @param {"options" | "overlays"} which
   * @param {{id: string, title: string, on?: boolean, fixed?: boolean, conflicts?: string[], reason?: string}[]} entries
   */
  choices(which, entries) {
    const ticked = this.state[which].filter((id) => !count(id));
    /** @type {typeof entries} */
    const known = [...ticked.filter((id) => !entries.some((entry) => entry.id === id)).map((id) => ({ id, title: id })), ...entries];
    if (known.length === 0) return null;
    const toggle = (/** @type {string} */ id) => {
      const before = this.state[which];
      const after = before.includes(id) ? before.filter((one) => one !== id) : [...before, id];
      this.fetch(which === "options" ? after : this.state.options, which === "overlays" ? after : this.state.overlays);
    };
    return h(
      "details",
      { key: which, open: ticked.length > 0 },
      h("summary", {}, `${words(which)} (${known.length})`),
      h(
        "fieldset",
        {},
        h("legend", { class: "away" }, words(which)),
        ...known.map((entry) => {
          const against = (entry.conflicts ?? []).find((id) => ticked.includes(id));
          return h(
            "label",
            { key: entry.id },
            h("input", { type: "checkbox", checked: ticked.includes(entry.id) || entry.fixed === true, disabled: entry.fixed === true, onChange: () => toggle(entry.id) }),
            entry.title,
            against !== undefined && h("span", { class: "quiet" }, words("conflict", { one: entry.title, other: against, why: entry.reason ?? "" })),
          );
        }),
      ),
    );
  }
}

/**
 * The numbers of players that can be chosen; none, if there is no choice.
 * @param {Details["options"]} options
 */
function open(options) {
  const numbers = options.filter((option) => count(option.id));
  return numbers.length < 2 || numbers.some((option) => option.fixed === true) ? [] : numbers;
}

/** @param {string} option */
function count(option) {
  return /^\d+ players?$/.test(option);
}

/** @param {string} kind */
function kindName(kind) {
  if (kind === "me") return words("me");
  if (kind === "link") return words("person");
  return words("labelled", { label: words("seat computer"), text: kind });
}
