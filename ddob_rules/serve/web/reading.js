// From a book and a table to what the page shows: names, looks, places, facts. Pure.

import { SYMBOLS, TINTS, spoken, tint } from "./counters.js";
import { spaceIds } from "./shapes.js";
import { patternFor, symbolFor, words } from "./words.js";

/**
 * @typedef {import("./table").Book} Book
 * @typedef {import("./table").Table} Table
 * @typedef {import("./table").Thing} Thing
 * @typedef {import("./table").Pile} Pile
 * @typedef {import("./counters.js").Look} Look
 * @typedef {import("./ground.js").Change} Change
 * @typedef {import("./board.js").Placed} Placed
 */

/** Boards that are drawn as a map; spaces of the others are boxes beside it, unless they lie near a space of the map. */
const DRAWN = ["hex", "square", "network"];

/** @param {Pick<Book, "boards">} book */
export function mapBoards(book) {
  return book.boards.filter((board) => DRAWN.includes(board.kind));
}

/** What a seat sees, with the names and looks of everything in it. */
export class Reading {
  /**
   * @param {Book} book
   * @param {Table} table
   */
  constructor(book, table) {
    this.book = book;
    this.table = table;
    this.things = table.things;
    this.cells = cellsOf(book);
    this.prints = printsOf(book);
    this.sides = book.players.map((player) => player.id);
    /** Players who are all called by tints have those. */
    this.sideTints = this.sides.every((side) => TINTS.includes(side)) ? this.sides : SIDE_TINTS;
    /** @type {Map<string, string[]>} */
    this.held = new Map();
    for (const [id, thing] of Object.entries(this.things)) {
      if (thing.at !== undefined) this.held.set(thing.at, [...(this.held.get(thing.at) ?? []), id]);
    }
    this.piles = new Map(table.piles.map((pile) => [pile.id, pile]));
  }

  /**
   * The only word for a thing, space or value, everywhere on the page.
   * @param {string} id
   * @returns {string}
   */
  nameOf = (id) => {
    const cell = this.cells.get(id);
    const title = cell === undefined ? undefined : cell.board.titles?.[cell.index];
    return this.things[id]?.name ?? title ?? this.table.question?.words?.[id] ?? this.prints.get(id)?.name ?? this.piles.get(id)?.title ?? id;
  };

  /** @param {string} id */
  isThing(id) {
    return id in this.things;
  }

  /** @param {string} id */
  isOnTable(id) {
    return id in this.things || this.cells.has(id);
  }

  /** @param {string} id */
  placeOf(id) {
    const at = this.things[id]?.at;
    return at === undefined || at === "" ? null : (this.nearOf(at) ?? at);
  }

  /**
   * The space of the map that a box lies beside.
   * @param {string} id
   */
  nearOf(id) {
    const cell = this.cells.get(id);
    return cell?.board.near?.[cell.index] || null;
  }

  /**
   * Where a thing is, in words.
   * @param {string} id
   */
  whereOf(id) {
    const at = this.things[id]?.at;
    return at === undefined || at === "" || this.piles.has(at) ? null : words("at", { place: this.fullNameOf(at) });
  }

  /**
   * What lies at a space: its own things, and those in boxes beside it.
   * @param {string} id
   * @returns {string[]}
   */
  thingsAt(id) {
    return [...(this.beside().get(id) ?? []).flatMap((box) => this.held.get(box) ?? []), ...(this.held.get(id) ?? [])];
  }

  /** Boxes by the space of the map that they lie beside. */
  beside() {
    /** @type {Map<string, string[]>} */
    const found = new Map();
    for (const board of this.book.boards) {
      board.near?.forEach((near, index) => {
        const id = board.ids[index];
        if (near !== "" && id !== undefined) found.set(near, [...(found.get(near) ?? []), id]);
      });
    }
    this.beside = () => found;
    return found;
  }

  /** What lies nowhere and is seen all the same, by kind: dice, and the like. @returns {[string, string[]][]} */
  beyond() {
    /** @type {Map<string, string[]>} */
    const found = new Map();
    for (const id of this.held.get("") ?? []) {
      const kind = this.book.kinds[this.things[id]?.kind ?? ""]?.title ?? "";
      found.set(kind, [...(found.get(kind) ?? []), id]);
    }
    return [...found];
  }

  everything() {
    return [...Object.keys(this.things), ...this.cells.keys()];
  }

  // ------------------------------------------------------------ looks

  /** Everything that lies on the map. @returns {Placed[]} */
  placed() {
    const things = Object.keys(this.things).flatMap((id) => {
      const at = this.placeOf(id);
      return at === null ? [] : [{ id, at, look: /** @type {Look} */ (this.lookOf(id)) }];
    });
    const tokens = Object.entries(this.table.spaces).flatMap(([at, space]) =>
      (space.tokens ?? []).map((token, number) => ({ id: `${at} token ${number}`, at, look: this.tokenLook(token), token: true })),
    );
    return [...tokens, ...things];
  }

  /**
   * @param {{text: string, side?: string}} token
   * @returns {Look}
   */
  tokenLook(token) {
    const side = token.side === undefined ? -1 : this.sides.indexOf(token.side);
    return { ...BLANK, name: token.text, letters: side >= 0 ? initials(token.text, 1) : initials(token.text, 3), tint: this.sideTints[side] ?? "", side: Math.max(0, side) };
  }

  /**
   * @param {string} id
   * @returns {Look | null}
   */
  lookOf(id) {
    const thing = this.things[id];
    if (thing === undefined) return null;
    const print = this.prints.get(id);
    const side = thing.side === undefined ? -1 : this.sides.indexOf(thing.side);
    const facts = [...(thing.facts ?? []), ...(print?.facts ?? [])];
    const said = thing.symbol ?? print?.symbol;
    const declared = said === undefined ? undefined : said in SYMBOLS ? said : (symbolFor(said) ?? undefined);
    const symbol = declared ?? facts.map(([, value]) => symbolFor(value)).find((name) => name !== null) ?? null;
    const rest = thing.nums ?? (thing.text ?? "").replace(thing.name, "").trim();
    const letters = rest !== "" ? rest : initials(thing.name, 3);
    return {
      name: thing.name,
      symbol,
      letters,
      tint: thing.tint ?? this.sideTints[side] ?? "",
      side: side >= 0 ? side : (this.book.kinds[thing.kind]?.shape ?? 0),
      numbers: thing.nums !== undefined ? [thing.nums] : (symbol !== null && rest !== "" ? [rest.replace(/^\p{L}+(?=\d)/u, "")] : []),
      steps: thing.steps ?? null,
      of: thing.of ?? null,
      marks: thing.marks ?? [],
      facing: thing.facing ?? null,
      hidden: thing.back === true && (thing.text ?? thing.nums ?? "") === "",
      named: rest !== "" || symbol !== null,
    };
  }

  /**
   * A counter of a side, without anything on it.
   * @param {number} side
   * @returns {Look}
   */
  sideLook(side) {
    const own = Object.values(this.things).find((thing) => thing.side === this.sides[side] && thing.tint);
    const title = this.book.players[side]?.title ?? "";
    return { ...BLANK, name: title, letters: initials(title, 2).slice(0, 2), side, tint: own?.tint ?? this.sideTints[side] ?? "" };
  }

  /** @param {string} id */
  spokenOf(id) {
    const look = this.lookOf(id);
    return look === null ? this.nameOf(id) : spoken(look, words);
  }

  /** What spaces show that is not printed. @returns {Record<string, Change>} */
  changes() {
    /** @type {Record<string, Change>} */
    const found = {};
    for (const [id, space] of Object.entries(this.table.spaces)) {
      const cell = this.cells.get(id);
      const printed = cell?.board.grounds[cell.board.ground[cell.index] ?? -1];
      const now = (space.facts ?? []).map(([title, value]) => value || title).join(" ");
      if (space.ground !== undefined || now !== "") found[id] = { ...(space.ground ?? printed), now };
    }
    return found;
  }

  // ------------------------------------------------------------ what is told of things and spaces

  /** @param {string} id */
  groundOf(id) {
    const cell = this.cells.get(id);
    if (cell === undefined) return "";
    return this.table.spaces[id]?.ground?.name ?? cell.board.grounds[cell.board.ground[cell.index] ?? -1]?.name ?? "";
  }

  /**
   * What stands on a counter: numbers, steps, marks.
   * @param {Thing} thing
   * @returns {[string, string][]}
   */
  onCounter(thing) {
    if (this.book.kinds[thing.kind]?.as === "card") return (thing.marks ?? []).map((mark) => ["●", mark]);
    return [
      ...(thing.nums === undefined ? [] : [/** @type {[string, string]} */ ([this.book.kinds[thing.kind]?.numbers ?? words("numbers"), thing.nums])]),
      ...(thing.steps === undefined ? [] : [/** @type {[string, string]} */ ([words("steps"), thing.of === undefined ? String(thing.steps) : words("so many of", { count: thing.steps, of: thing.of })])]),
      ...(thing.marks ?? []).map((mark) => /** @type {[string, string]} */ (["●", mark])),
    ];
  }

  /**
   * Whether a fact is told by the counter already.
   * @param {Thing} thing
   * @param {string} title
   * @param {string} value
   */
  isOnCounter(thing, title, value) {
    const same = (/** @type {string} */ one, /** @type {string | undefined} */ other) => other !== undefined && bare(one) === bare(other);
    const numbers = same(title, this.book.kinds[thing.kind]?.numbers) && same(value, thing.nums);
    const steps = thing.steps !== undefined && same(title, words("steps")) && value === String(thing.steps);
    return numbers || steps || (thing.marks ?? []).some((mark) => same(title, mark) || same(value, mark) || (value === words("yes") && bare(mark).endsWith(bare(title))));
  }

  /** What the map calls a space besides its number; empty if nothing. @param {string} id */
  labelOf(id) {
    const cell = this.cells.get(id);
    const label = this.table.spaces[id]?.ground?.label ?? cell?.board.grounds[cell.board.ground[cell.index] ?? -1]?.label ?? "";
    return cell !== undefined && /\p{L}{3}/u.test(label) && !bare(this.nameOf(id)).includes(bare(label)) ? label : "";
  }

  /** A thing or a place as people know it: 0818 Carentan. @param {string} id */
  fullNameOf(id) {
    return [this.nameOf(id), this.labelOf(id)].filter(Boolean).join(" ");
  }

  /**
   * @param {string} id
   * @returns {[string, string][]}
   */
  factsOf(id) {
    const thing = this.things[id];
    if (thing !== undefined) {
      const kind = this.book.kinds[thing.kind]?.title ?? thing.kind;
      const owner = this.book.players.find((player) => player.id === thing.side)?.title;
      const where = !thing.at || this.piles.has(thing.at) ? [] : [/** @type {[string, string]} */ ([words("place"), this.described(thing.at)])];
      const printed = this.prints.get(id)?.facts ?? [];
      const counts = (/** @type {[string, string]} */ [, value]) => /^[\d, ]+$/u.test(value);
      return [
        ...this.onCounter(thing),
        [words("kind"), owner === undefined ? kind : `${kind}, ${owner}`],
        ...where,
        ...(thing.back === true ? [/** @type {[string, string]} */ (["", words("hidden")])] : []),
        // Whose it is stands beside its kind; what stands on the counter is not told again. Numbers come first.
        ...[...(thing.facts ?? []), ...printed.filter(counts), ...printed.filter((fact) => !counts(fact))].filter(([title, value]) => value !== owner && !this.isOnCounter(thing, title, value)),
      ];
    }
    const cell = this.cells.get(id);
    if (cell === undefined) return [];
    const printed = cell.board.facts.flatMap((column) => {
      const value = column.of[cell.index] ?? -1;
      return value < 0 ? [] : [/** @type {[string, string]} */ ([column.title, column.values[value] || words("yes")])];
    });
    const now = (this.table.spaces[id]?.facts ?? []).map(([title, value]) => /** @type {[string, string]} */ ([title, value || words("yes")]));
    return [...now, ...printed];
  }

  /** @param {string} id */
  described(id) {
    const ground = this.groundOf(id);
    return ground === "" ? this.fullNameOf(id) : `${this.fullNameOf(id)} (${ground})`;
  }

  /**
   * What a card says.
   * @param {string} id
   * @returns {string}
   */
  textOf(id) {
    const thing = this.things[id];
    if (thing === undefined || this.book.kinds[thing.kind]?.as !== "card") return "";
    const text = thing.nums ?? (thing.text ?? "").replace(thing.name, "").trim();
    const explained = this.prints.get(id)?.text ?? "";
    if (explained !== "") return explained;
    const facts = [...(thing.facts ?? []), ...(this.prints.get(id)?.facts ?? [])].filter(([, value]) => !bare(thing.name).includes(bare(value)));
    return text !== "" ? text : facts.map(([title, value]) => (value === "" ? title : `${title}: ${value}`)).join("; ");
  }

  /**
   * The sets of spaces that a thing, its space, or what its space names can reach.
   * @param {string} id
   * @returns {Record<string, string[]> | null}
   */
  reachOf(id) {
    const at = this.things[id]?.at ?? id;
    const cell = this.cells.get(at);
    const named = cell === undefined ? [] : cell.board.facts.map((column) => column.values[column.of[cell.index] ?? -1]);
    const found = [id, at, ...named].find((key) => key !== undefined && key in this.book.reach);
    if (found === undefined) return null;
    const ids = spaceIds(this.book);
    return Object.fromEntries(Object.entries(this.book.reach[found] ?? {}).map(([title, steps]) => [title, added(steps).map((number) => ids[number] ?? "")]));
  }

  /** Boxes and tracks that are not drawn on the map. */
  boxBoards() {
    return this.book.boards.filter((board) => !DRAWN.includes(board.kind));
  }

  /** What the tints of counters stand for, where each goes with values of one attribute. @returns {{name: string, look: Look}[]} */
  tintsInUse() {
    /** By attribute, the tint of each of its values; null where one value has several. @type {Map<string, Map<string, string | null>>} */
    const byTitle = new Map();
    const all = Object.entries(this.things).filter(([, thing]) => thing.tint);
    for (const [id, thing] of all) {
      for (const [title, value] of [...(this.prints.get(id)?.facts ?? []), ...(thing.facts ?? [])]) {
        const tints = byTitle.get(title) ?? new Map();
        byTitle.set(title, tints.set(value, (tints.get(value) ?? thing.tint) === thing.tint ? (thing.tint ?? null) : null));
      }
    }
    const used = new Set(all.map(([, thing]) => thing.tint));
    const telling = [...byTitle].filter(([, tints]) => ![...tints.values()].includes(null) && new Set(tints.values()).size === used.size && used.size > 1);
    const [, best] = telling.sort(([, one], [, other]) => one.size - other.size)[0] ?? [];
    return [...used].sort().flatMap((name) => {
      const values = [...(best ?? [])].filter(([, other]) => other === name).map(([value]) => value);
      return values.length === 0 ? [] : [{ name: values.join(", "), look: { ...BLANK, tint: name ?? "", side: this.shapeOfTint(name ?? "") } }];
    });
  }

  /** @param {string} tint */
  shapeOfTint(tint) {
    const id = Object.keys(this.things).find((other) => this.things[other]?.tint === tint);
    return (id === undefined ? null : this.lookOf(id))?.side ?? 0;
  }

  /** What the numbers on counters are, on one counter of each kind, and the number beside a stack. */
  numbersInUse() {
    const kinds = Object.entries(this.book.kinds).flatMap(([kind, { title, numbers }]) => {
      const id = Object.keys(this.things).find((other) => this.things[other]?.kind === kind && this.things[other]?.nums);
      const look = id === undefined ? null : this.lookOf(id);
      return numbers === undefined || look === null ? [] : [{ name: words("labelled", { label: title, text: numbers }), look: { ...look, marks: [] } }];
    });
    const most = Math.max(0, ...[...this.held.values()].map((stack) => stack.length));
    return [...kinds, ...(most < 3 ? [] : [{ name: words("legend stack"), count: 3 }])];
  }

  /** What tints, patterns and lines stand for. @returns {{name: string, tint?: string, sign?: string, pattern?: string, line?: number, look?: Look, count?: number}[]} */
  legend() {
    const grounds = mapBoards(this.book).flatMap((board) => board.grounds.filter((ground) => ground.name));
    const once = new Map(grounds.map((ground) => [`${ground.name} ${ground.tint} ${ground.pattern}`, ground]));
    const looks = Object.keys(this.things).flatMap((id) => this.lookOf(id) ?? []);
    const symbols = [...new Set(looks.flatMap((look) => look.symbol ?? []))].sort();
    const marks = [...new Set(looks.flatMap((look) => look.marks))].sort();
    const signs = [
      ...symbols.map((symbol) => ({ name: words(/** @type {import("./words.js").Word} */ (`symbol ${symbol}`)), look: { ...BLANK, symbol } })),
      ...(looks.some((look) => look.steps !== null) ? [{ name: words("legend steps"), look: { ...BLANK, steps: 2, of: 3 } }] : []),
      ...marks.map((mark) => ({ name: mark, look: { ...BLANK, marks: [mark] } })),
      ...(looks.some((look) => look.hidden) ? [{ name: words("hidden"), look: { ...BLANK, hidden: true } }] : []),
    ];
    const sides = this.book.players.map((player, number) => ({ name: player.title, look: this.sideLook(number) }));
    return [
      ...sides,
      // What a side is drawn in is told with it.
      ...this.tintsInUse().filter(({ name }) => !sides.some((side) => side.name === name)),
      ...this.numbersInUse(),
      ...signs,
      ...[...once.values()].map((ground) => ({ name: [ground.name, ground.pattern && ground.pattern !== patternFor(ground.name ?? "") ? words(/** @type {import("./words.js").Word} */ (`pattern ${ground.pattern}`)) : ""].filter(Boolean).join(", "), tint: tint(ground.tint), sign: ground.sign ?? "", pattern: ground.pattern ?? patternFor(ground.name ?? "") ?? "" })),
      ...this.book.lines.map((line, number) => ({ name: line.name, line: number })),
    ];
  }
}

/** By the number of a side, where the rules say no tint. */
const SIDE_TINTS = ["blue", "orange", "teal", "purple", "yellow", "grey"];

/** @type {Look} */
const BLANK = { name: "", symbol: null, letters: "", tint: "", side: 0, numbers: [], steps: null, of: null, marks: [], facing: null, hidden: false, named: false };

/**
 * Letters and digits only, to see whether two texts say the same.
 * @param {string} text
 */
function bare(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * The first letters of a name.
 * @param {string} name
 * @param {number} most
 */
function initials(name, most) {
  const parts = name.split(/[\s_-]+/u).filter((part) => part !== "");
  if (parts.length === 1) return name.slice(0, most === 1 ? 1 : 7);
  return parts.map((part) => (/^\d+$/u.test(part) ? part : (part[0] ?? "").toUpperCase())).join("").slice(0, Math.max(most, 3));
}

/** @param {Book} book */
function cellsOf(book) {
  return new Map(book.boards.flatMap((board) => board.ids.map((id, index) => /** @type {const} */ ([id, { board, index }]))));
}

/**
 * Numbers that are written as steps from the one before.
 * @param {readonly number[]} steps
 */
function added(steps) {
  let at = 0;
  return steps.map((step) => (at += step));
}

/**
 * What is printed on each piece.
 * @param {Book} book
 * @returns {Map<string, {name?: string, symbol?: string, text?: string, facts: [string, string][]}>}
 */
function printsOf(book) {
  return new Map(
    Object.values(book.prints).flatMap(({ ids, names, symbols, texts, facts }) =>
      ids.map((id, index) => {
        const told = facts.flatMap(({ title, values, of }) => {
          const value = values[of[index] ?? -1];
          return value === undefined ? [] : [/** @type {[string, string]} */ ([title, value])];
        });
        const text = texts?.values[texts.of[index] ?? -1];
        return [id, { ...(text === undefined ? {} : { text }), ...(names?.[index] ? { name: names[index] } : {}), ...(symbols?.[index] ? { symbol: symbols[index] } : {}), facts: told }];
      }),
    ),
  );
}
