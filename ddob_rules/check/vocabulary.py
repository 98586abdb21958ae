"""From the declarations of words to the vocabulary: enums, kinds, attributes, piles, dice, options.

This is also what scenario data is checked against. Signatures of what can be called are collected here too,
so that rules may refer to each other in any order; their bodies are the business of `behaviour`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from ddob_rules.check.memory import Memory
from ddob_rules.check.modifiers import check_modifiers
from ddob_rules.check.scope import (
    DIRECTIONS,
    FACE_UP,
    WRONG,
    Here,
    Part,
    Renewal,
    Scope,
    Signature,
    Vocabulary,
    empty,
)
from ddob_rules.check.tables.cells import cell_name
from ddob_rules.check.type_names import PLAIN, bounds_of, type_of
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.ranges import keyed, within
from ddob_rules.check.values.ratios import ratio, rises
from ddob_rules.reports.diagnostics import Label, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.stack.book import Declaration, ExampleBlock, RuleBlock, text_of
from ddob_rules.stack.overlay import Entry, Merged
from ddob_rules.stack.references import pointed, references_of
from ddob_rules.syntax.nodes import Leaf, Node, rules
from ddob_rules.syntax.nodes.overlay import AddRow, TableEdit
from ddob_rules.syntax.nodes.tables import Chart
from ddob_rules.syntax.parse import reserved_words
from interpreter import ir

_OWNERS: dict[str, ir.Owner] = {
    "piece": "piece", "card": "card", "record": "piece", "space": "space", "edge": "edge",
}  # fmt: skip
# More faces than any dice has; a slip such as `1..6000000` must not fill the memory.
MOST_FACES = 1000
#: Names of types that no enum or kind may have.
_TAKEN = frozenset({*PLAIN, "player", "direction"})
#: What every piece or space has, beside what is declared.
_ALWAYS_THERE = frozenset({("piece", "at"), ("space", "row"), ("space", "column")})


def build_vocabulary(merged: Merged, *, noting: bool = False) -> Vocabulary:
    """All words; with `noting`, what every word stands for at its place is written down from here on."""
    words = Vocabulary(language=merged.books[0].language, meanings={} if noting else None)
    for book in merged.books:
        for seat in book.seats:
            if seat.name not in [player.name for player in words.players]:
                words.players.append(ir.Player(name=seat.name, title=seat.title, automated=seat.automated))
    _range(words, merged)
    words.enums["player"] = ir.Enum(name="player", values=tuple(player.name for player in words.players))
    words.enums["direction"] = ir.Enum(name="direction", values=DIRECTIONS)
    for entry in merged.of_kind("enum"):
        if not _refused(words, entry):
            _enum(words, entry)
    for entry in merged.of_kind("chart"):
        if entry.name not in words.enums and not _refused(words, entry):
            _chart_enum(words, entry)
    kinds = [entry for entry in merged.of_kind(*_OWNERS) if not _refused(words, entry)]
    for entry in kinds:
        _kind(words, entry)
    for entry in merged.of_kind("pile"):
        _pile(words, entry)
    for entry in merged.of_kind("dice"):
        _dice(words, entry)
    for entry in merged.of_kind("option"):
        _option(words, entry)
    for entry in kinds:
        _attributes(words, entry)
    for declaration in added(merged, rules.Each):
        _each(words, declaration)
    for entry in merged.of_kind("variable"):
        _variable(words, entry)
    for entry in merged.of_kind("called_phase"):
        _parts(words, entry)
    return words


def _range(words: Vocabulary, merged: Merged) -> None:
    """How many play, as the topmost ruleset that says so has it."""
    for book in reversed(merged.books):
        if book.number is None:
            continue
        fewest, most = (int(leaf.text[:6]) for leaf in (book.number.fewest, book.number.most))
        people = sum(not player.automated for player in words.players)
        if not 1 <= fewest <= most or most != people:
            words.problems.append(
                report(
                    "E0340", book.number.span, language=book.language, fewest=fewest, most=most, people=people
                )
            )
        else:
            words.fewest = fewest
        return


def _parts(words: Vocabulary, entry: Entry) -> None:
    """The parts of a phase that rules run, each kept in a variable that nobody is told of."""
    for declaration in in_force(entry):
        here = here_of(words, declaration)
        for line in declaration.node.walk():
            if not isinstance(line, rules.PhasePart):
                continue
            for name in line.names.names:
                kind = type_of(here, line.type, inline_name=name.text)
                part = Part(entry.name, name, kind, line.value, declaration.rule)
                known = words.places.get(name.text)
                if known is not None:
                    here.error("E0206", name, Label(known, "the first one"), name=name.text)
                    continue
                words.parts[name.text] = part
                words.places[name.text] = name.span
                words.kept.variables[part.variable] = ir.Variable(
                    name=part.variable, type=kind, start=empty(kind), untold=True, site=here.site(name)
                )


def here_of(words: Vocabulary, declaration: Declaration) -> Here:
    return Here(declaration.rule, words)


def current(entry: Entry) -> Declaration:
    """The version in force; words have no conditions."""
    declaration = entry.versions[-1].declaration
    assert declaration is not None
    return declaration


def in_force(entry: Entry) -> list[Declaration]:
    """What is declared of a word: the version in force, and what is added to it."""
    versions = (*entry.versions[-1:], *entry.edits)
    return [version.declaration for version in versions if version.declaration is not None]


def added(merged: Merged, kind: type[Node]) -> list[Declaration]:
    """The declarations of a kind that is never replaced."""
    declarations = [version.declaration for version in merged.additions]
    return [one for one in declarations if one is not None and isinstance(one.node, kind)]


def lines_of(declaration: Declaration) -> tuple[rules.AttributeOrLook, ...]:
    """The lines of a kind or of an enum."""
    declared = declaration.node
    assert isinstance(declared, (rules.Piece, rules.Card, rules.Record, rules.Space, rules.Edge, rules.Each))
    return declared.attributes.lines


def _enum(words: Vocabulary, entry: Entry) -> None:
    values: list[str] = []
    titles: dict[str, str] = {}
    for declaration in in_force(entry):
        for value in declaration.read(rules.Enum).values:
            words.note(value.name, "value", entry.name, ir.enum_type(entry.name))
            if value.name.text in values:
                here_of(words, declaration).error("E0206", value.name, name=value.name.text)
            else:
                values.append(value.name.text)
                _check_ratio(here_of(words, declaration), values, value.name)
                if value.title is not None:
                    titles[value.name.text] = text_of(value.title)
    place = current(entry).span
    site = here_of(words, current(entry)).site(place)
    words.enums[entry.name] = ir.Enum(
        name=entry.name, values=tuple(values), titles=tuple(titles.items()), site=site
    )
    words.places[entry.name] = place


def _check_ratio(here: Here, values: list[str], place: Leaf) -> None:
    """Ratios are found by their size, so they must rise, and nothing else may stand among them."""
    mixed = len(values) > 1 and (ratio(values[-1]) is None) != (ratio(values[-2]) is None)
    pair = ratio(values[-1])
    if mixed or (pair is None and ":" in values[-1]) or not rises(values[-2:]):
        here.error("E0321", place, value=values[-1])


def _refused(words: Vocabulary, entry: Entry) -> bool:
    """Whether the name is that of a type that is always there; reported if so."""
    if entry.name in _TAKEN:
        here_of(words, entry.base).error("E0223", entry.base.span, name=entry.name)
    return entry.name in _TAKEN


def _chart_enum(words: Vocabulary, entry: Entry) -> None:
    """A chart names the values of its enum in its first column, unless the enum is declared by itself."""
    declaration = current(entry)
    rows = [*declaration.read(Chart).rows[1:]]
    for version in entry.edits:
        if version.declaration is not None and version.condition is None:
            edits = version.declaration.read(TableEdit).edits
            rows.extend(edit.row for edit in edits if isinstance(edit, AddRow))
    names = [cell_name(row.cells[0]) for row in rows]
    for name in names:
        if name is not None:
            words.note(name, "value", entry.name, ir.enum_type(entry.name))
    values = tuple(dict.fromkeys(name.text for name in names if name is not None))
    site = here_of(words, declaration).site(declaration.span)
    words.enums[entry.name] = ir.Enum(name=entry.name, values=values, site=site)
    words.places[entry.name] = declaration.span


def _kind(words: Vocabulary, entry: Entry) -> None:
    declaration = current(entry)
    made = ir.Kind(
        name=entry.name,
        owner=_OWNERS[entry.kind],
        untold=any(
            isinstance(one.node, (rules.Piece, rules.Card)) and not one.node.modifiers.told
            for one in in_force(entry)
        ),
        record=entry.kind == "record",
        site=here_of(words, declaration).site(declaration.span),
    )
    match declaration.node:
        case rules.Space(board=board):
            made = replace(made, board=board.words[1].text if board is not None else "box")
        case rules.Edge(between=between):
            made = replace(made, of=tuple(name.text for name in between.names))
    words.kinds[entry.name] = made
    words.places[entry.name] = declaration.span


def _attributes(words: Vocabulary, entry: Entry) -> None:
    kind = words.kinds[entry.name]
    for declaration in in_force(entry):
        if isinstance(declaration.node, (rules.Piece, rules.Card)):
            check_modifiers(here_of(words, declaration), declaration.node.modifiers, "piece")
    space = "piece" if kind.owner in ("piece", "card") else kind.owner
    declared = current(entry).node
    if isinstance(declared, rules.Edge):
        spaces = [known.name for known in words.kinds.values() if known.owner == "space"]
        for name in declared.between.names:
            if name.text not in spaces:
                here_of(words, current(entry)).unknown(name.text, name, spaces)
    attributes: list[ir.Attribute] = []
    for declaration in in_force(entry):
        here = here_of(words, declaration)
        for line in lines_of(declaration):
            if not isinstance(line, rules.AttributeLine):
                continue
            if kind.record:
                _check_recorded(here, line)
            attributes.extend(_attribute_line(here, line, space, entry.name, attributes))
            if isinstance(line.type, rules.NamedType) and line.type.name.text in words.dice:
                shown = [(name.text, line.type.name.text) for name in line.names.names]
                words.faces.setdefault(entry.name, []).extend(shown)
            hidden = line.modifiers.hidden
            if hidden is not None and _may_hide(here, line, hidden, kind.owner):
                attributes.extend(_face(here, hidden, entry.name, attributes))
    words.kinds[entry.name] = replace(kind, attributes=tuple(attributes))


def _check_recorded(here: Here, line: rules.AttributeLine) -> None:
    """What a record says stands in the data and stays so: it has no start value, and nothing renews it."""
    if line.value is not None:
        here.error("E0387", line.value)
    check_modifiers(here, line.modifiers, "record")


def _may_hide(here: Here, line: rules.AttributeLine, hidden: Leaf, owner: str) -> bool:
    """Whether a line may say `hidden`: only pieces and cards have two sides, and who sees one is clear."""
    if owner not in ("piece", "card"):
        here.error("E0235", hidden)
        return False
    if line.modifiers.seen:
        here.error("E0236", hidden, Label(line.modifiers.seen[0].span, "this says otherwise"))
        return False
    return True


def _face(here: Here, hidden: Leaf, holder: str, before: list[ir.Attribute]) -> list[ir.Attribute]:
    """Which side is up, once for each kind with something to hide; face down unless the scenario says so."""
    words = here.vocabulary
    known = words.attributes.get(("piece", FACE_UP))
    start = ir.Const(value=False, type=ir.FLAG)
    face = ir.Attribute(name=FACE_UP, type=ir.FLAG, start=start, site=here.site(hidden))
    if any(other.name == FACE_UP for other in before):
        if holder not in words.faced:
            here.error("E0223", words.places[f"piece.{FACE_UP}"], name=FACE_UP)
        return []
    if not _alike(known, face):
        place = words.places.get(f"piece.{FACE_UP}")
        here.error("E0207", hidden, *((Label(place, "the other one"),) if place else ()), name=FACE_UP)
        return []
    words.faced.add(holder)
    words.attributes["piece", FACE_UP] = face
    words.holders.setdefault(("piece", FACE_UP), []).append(holder)
    words.places.setdefault(f"piece.{FACE_UP}", hidden.span)
    words.used.add(f"piece.{FACE_UP}")
    return [face]


def _attribute_line(
    here: Here, line: rules.AttributeLine, space: str, holder: str, before: list[ir.Attribute]
) -> list[ir.Attribute]:
    words = here.vocabulary
    found: list[ir.Attribute] = []
    modifiers = line.modifiers
    check_modifiers(here, modifiers, "attribute")
    carried = _carried(here, line, space)
    for name in line.names.names:
        kind = type_of(here, line.type, inline_name=name.text, ranged=True)
        words.note(name, "attribute", space, kind)
        bounds, start = bounds_of(here, line.type), _start(here, line, kind)
        attribute = ir.Attribute(
            name=name.text, type=kind, start=start, optional=modifiers.optional is not None,
            untold=not modifiers.told, bounds=bounds, carried=carried, site=here.site(name),
        )  # fmt: skip
        every = _by_enum(here, line.each, space, attribute) if line.each is not None else [attribute]
        known = words.attributes.get((space, every[0].name)) if every else None
        other_sort = (space, name.text) in (words.attributes if line.each is not None else words.families)
        if (space, name.text) in _ALWAYS_THERE:
            here.error("E0223", name, name=name.text)
        elif any(name.text == other.given_as for other in (*before, *found)):
            here.error("E0206", name, name=name.text)
        elif other_sort or (every and not _alike(known, every[0])):
            place = words.places.get(f"{space}.{name.text}")
            here.error("E0207", name, *((Label(place, "the other one"),) if place else ()), name=name.text)
        else:
            words.places.setdefault(f"{space}.{name.text}", name.span)
            if line.each is not None and every:
                words.families[space, name.text] = line.each.text
            for one in every:
                words.attributes[space, one.name] = one
                words.holders.setdefault((space, one.name), []).append(holder)
                if modifiers.renewed is not None:
                    _renew(here, modifiers.renewed, space, holder, one)
            found.extend(every)
    return found


def _carried(here: Here, line: rules.AttributeLine | rules.Variable, space: str) -> bool:
    """Whether a line is carried over into the next game of a campaign, and may be."""
    word, renewed = line.modifiers.carried, line.modifiers.renewed
    if word is None:
        return False
    if renewed is not None:
        here.error("E0670", word, Label(renewed.span, "this makes it begin anew"))
    elif line.value is None:
        here.error("E0671", word)
    elif space == "edge":
        here.error("E0672", word)
    return True


def _start(here: Here, line: rules.AttributeLine | rules.Variable, kind: ir.Type) -> ir.Expression | None:
    """The value at the start, which must lie within the ends that the type states."""
    if line.value is None:
        return None
    start, bounds = Expressions(here, Scope()).of(line.value, kind), bounds_of(here, line.type)
    if isinstance(start, ir.Const) and isinstance(start.value, int) and bounds is not None:
        if not bounds[0] <= start.value <= bounds[1]:
            here.error("E0275", line.value, value=start.value, low=bounds[0], high=bounds[1])
        return start
    return within(bounds, start)


def _by_enum(here: Here, enum: Leaf, space: str, attribute: ir.Attribute) -> list[ir.Attribute]:
    """One attribute for each value of the enum; an overlay that adds values adds those of its own."""
    words = here.vocabulary
    if enum.text not in words.enums or not words.enums[enum.text].values:
        here.unknown(enum.text, enum, list(words.enums))
        return []
    words.use(enum)
    name = attribute.name
    return [
        replace(attribute, name=keyed(name, value), family=name, key=value)
        for value in words.enums[enum.text].values
    ]


def _renew(here: Here, item: rules.Renewed, space: str, holder: str, attribute: ir.Attribute) -> None:
    """`= no each turn`: the attribute goes back to its start value when a turn or phase begins."""
    if attribute.start is None:
        here.error("E0232", item, name=attribute.name)
        return
    owner: ir.Owner = "enum" if space.startswith("enum ") else _OWNERS[space]
    kind = ir.Type("piece" if owner == "card" else owner, (holder,))
    enum = holder if owner == "enum" else ""
    each = ir.Local(name="each", type=kind)
    back = ir.SetAttribute(
        owner=owner, attribute=attribute.name, subject=each, value=attribute.start, site=attribute.site,
        enum=enum,
    )  # fmt: skip
    loop = ir.ForEach(
        variable="each", variable_type=kind, source=ir.Extent(kind=holder, type=ir.set_of(kind)), where=None,
        keys=(), body=(back,), site=attribute.site,
    )  # fmt: skip
    _go_back(here, item, loop)


def _go_back(here: Here, item: rules.Renewed, effect: ir.Statement) -> None:
    phase = None if isinstance(item, rules.EachTurn) else item.phase
    at_end = isinstance(item, rules.UntilEnd)
    here.vocabulary.renewals.append(Renewal(phase, here.rule, effect, at_end=at_end))


def _alike(other: ir.Attribute | None, attribute: ir.Attribute) -> bool:
    """All pieces share their attributes, all spaces theirs, so those with one name must be of one sort."""
    if other is None or WRONG in (other.type, attribute.type):
        return True
    alike = (attribute.type, attribute.start is None, attribute.bounds)
    return (other.type, other.start is None, other.bounds) == alike


def _each(words: Vocabulary, declaration: Declaration) -> None:
    here = here_of(words, declaration)
    name = declaration.read(rules.Each).name
    if name.text not in words.enums:
        here.unknown(name.text, name, list(words.enums))
        return
    space = f"enum {name.text}"
    attributes = list(words.kinds[name.text].attributes) if name.text in words.kinds else []
    for line in lines_of(declaration):
        if isinstance(line, rules.AttributeLine):
            attributes.extend(_attribute_line(here, line, space, name.text, attributes))
            if line.modifiers.hidden is not None:
                _may_hide(here, line, line.modifiers.hidden, "enum")
    words.kinds[name.text] = ir.Kind(
        name=name.text, owner="enum", attributes=tuple(attributes), site=here.site(name)
    )


def _pile(words: Vocabulary, entry: Entry) -> None:
    here = here_of(words, current(entry))
    declared = current(entry).read(rules.Pile)
    of, name, modifiers = declared.of, declared.name, declared.modifiers
    check_modifiers(here, modifiers, "pile")
    pieces = [kind.name for kind in words.kinds.values() if kind.owner in ("piece", "card")]
    for held in of.names:
        if held.text not in pieces:
            here.unknown(held.text, held, pieces)
        elif words.kinds[held.text].record:
            here.error("E0386", held, kind=held.text)
    each = ""
    parameters: tuple[ir.Parameter, ...] = ()
    if declared.each is not None:
        each = declared.each.text
        if each not in words.enums:
            here.unknown(each, declared.each, list(words.enums))
            each = "player"
        parameters = (ir.Parameter(name=each, type=ir.enum_type(each)),)
    for held in of.names:
        words.use(held)
    words.kinds[entry.name] = ir.Kind(
        name=entry.name,
        owner="pile",
        board=declared.sort.word.text,
        of=tuple(dict.fromkeys(held.text for held in of.names)),
        each=each,
        refill=modifiers.refilled.text if modifiers.refilled is not None else "",
        untold=not modifiers.told,
        site=here.site(name),
    )
    words.places[entry.name] = name.span
    kind = ir.Type("pile", (entry.name,))
    words.functions[entry.name] = Signature("pile", entry.name, parameters, kind, name.span)


def _dice(words: Vocabulary, entry: Entry) -> None:
    declaration = current(entry)
    here = here_of(words, declaration)
    faces: list[str] = []
    numbers: list[int] = []
    known = len(words.problems)
    for face in declaration.read(rules.Dice).faces:
        match face:
            case rules.Face():
                times = here.number(face.times) if face.times is not None else 1
                faces.extend([face.name.text] * min(times, MOST_FACES + 1))
            case rules.FaceNumber():
                numbers.append(here.number(face.number))
            case rules.FaceRange():
                low, high = here.number(face.low), here.number(face.high)
                if high < low:
                    here.error("E0231", face, low=low, high=high)
                numbers.extend(range(low, min(high, low + MOST_FACES) + 1))
            case _:
                assert_never(face)
    if max(len(faces), len(numbers)) > MOST_FACES and len(words.problems) == known:
        here.error("E0241", declaration.span, name=entry.name, limit=MOST_FACES)
    if faces and numbers:
        here.error("E0224", declaration.span, name=entry.name)
    words.places[entry.name] = declaration.span
    site = here.site(declaration.span)
    if numbers or not faces:
        words.dice[entry.name] = ir.Dice(name=entry.name, type=ir.NUMBER, faces=tuple(numbers), site=site)
        return
    enum = _face_enum(words, entry.name, faces, here, declaration)
    indices = tuple(words.enums[enum].values.index(face) for face in faces)
    words.dice[entry.name] = ir.Dice(name=entry.name, type=ir.enum_type(enum), faces=indices, site=site)


def _face_enum(words: Vocabulary, name: str, faces: list[str], here: Here, declaration: Declaration) -> str:
    """The faces are values of an enum: one that has them all, or a new one named after the dice."""
    for enum in words.enums.values():
        if set(faces) <= set(enum.values):
            return enum.name
    words.enums[name] = ir.Enum(
        name=name, values=tuple(dict.fromkeys(faces)), site=here.site(declaration.span)
    )
    return name


def _variable(words: Vocabulary, entry: Entry) -> None:
    here = here_of(words, current(entry))
    declared = current(entry).read(rules.Variable)
    kind = type_of(here, declared.type, inline_name=entry.name, ranged=True)
    start = _start(here, declared, kind)
    modifiers = declared.modifiers
    check_modifiers(here, modifiers, "variable")
    variable = ir.Variable(
        name=entry.name,
        type=kind,
        start=start,
        untold=not modifiers.told,
        bounds=bounds_of(here, declared.type),
        carried=_carried(here, declared, "variable"),
        site=here.site(declared.name),
    )
    words.variables[entry.name] = variable
    if modifiers.renewed is not None:
        if start is None:
            here.error("E0232", modifiers.renewed, name=entry.name)
        else:
            back = ir.SetGlobal(name=entry.name, value=start, site=variable.site)
            _go_back(here, modifiers.renewed, back)
    words.places[entry.name] = declared.name.span


def _option(words: Vocabulary, entry: Entry) -> None:
    here = here_of(words, entry.base)
    declared = entry.base.read(rules.Option)
    words.options[entry.name] = ir.Option(
        name=entry.name,
        title=declared.title.text[1:-1],
        rules=tuple(number.text for number in _numbers(declared.refs)),
        conflicts=tuple(name.text for name in _conflicts(declared)),
        reason=declared.reason.text[1:-1] if declared.reason is not None else "",
        site=here.site(declared.name),
    )
    words.places[entry.name] = declared.name.span


def _numbers(refs: rules.Refs | None) -> tuple[Leaf, ...]:
    return refs.numbers if refs is not None else ()


def _conflicts(option: rules.Option) -> tuple[Leaf, ...]:
    return option.conflicts.names if option.conflicts is not None else ()


def check_references(words: Vocabulary, merged: Merged) -> None:
    """Rules, options and piles that are only named must exist."""
    piles = [kind.name for kind in words.kinds.values() if kind.owner == "pile"]
    for entry in merged.of_kind("pile"):
        refill = current(entry).read(rules.Pile).modifiers.refilled
        if refill is not None and refill.text not in piles:
            here_of(words, current(entry)).unknown(refill.text, refill, piles)
    for entry in merged.of_kind("option"):
        here = here_of(words, entry.base)
        option = entry.base.read(rules.Option)
        for number in _numbers(option.refs):
            _check_rule(here, merged, number)
        for name in _conflicts(option):
            if name.text not in words.options:
                here.unknown(name.text, name, list(words.options))
    for book in merged.books:
        holders = {id(inner): rule for rule in book.rules if rule.node for inner in rule.node.declarations}
        for example in book.examples:
            for number in example.rules:
                holder = holders.get(id(example.node)) or _nowhere(example)
                _check_rule(Here(holder, words), merged, number)


def check_citations(words: Vocabulary, merged: Merged, memory: Memory) -> None:
    """The rules that a reason cites must exist; those that an overlay takes away were there."""
    for book in merged.books:
        for rule in book.rules:
            cited = memory.fact(_cited, rule.node) if rule.node is not None else []
            for number in (*rule.see, *cited):
                _check_rule(Here(rule, words), merged, number)
            for reference in references_of(rule):
                _check_reference(Here(rule, words), merged, reference)


def _check_reference(here: Here, merged: Merged, reference: rules.Reference) -> None:
    """What a rule points at in another must be there."""
    there = merged.rules.get(reference.rule.text)
    for found in pointed(reference, there) if there is not None else ():
        name = found.part.name
        if found.declaration is None and there is not None:
            known = [declared.name for declared in there.declarations if " " not in declared.name]
            advice = did_you_mean(name.text, known, here.rule.language)
            here.error("E0278", name, help=advice or None, number=there.id, name=name.text)
            continue
        here.vocabulary.note(name, "name")
        if found.part.row is not None and not found.rows:
            here.error("E0279", found.part.row, name=name.text)


def _cited(rule: rules.Rule) -> list[Leaf]:
    """The rule numbers that the reasons in a rule cite."""
    return [
        number for part in rule.walk() if isinstance(part, rules.Reason) for number in _numbers(part.refs)
    ]


def _nowhere(example: ExampleBlock) -> RuleBlock:
    """An example outside all rules is reported without a rule number."""
    return RuleBlock("", "", "", example.ruleset, example.language, example.node.span, None)


def _check_rule(here: Here, merged: Merged, number: Leaf) -> None:
    if number.text not in merged.rules:
        advice = did_you_mean(number.text, list(merged.rules), here.rule.language)
        here.error("E0225", number, number=number.text, help=advice or None)


def check_names(words: Vocabulary, merged: Merged) -> None:
    """One name, one meaning: a definition may not be called like an enum value, or like a chart."""
    # Directions are there in every ruleset, so a ruleset may use their short names for something else.
    owners: dict[str, str] = {}
    for enum in words.enums.values():
        for value in enum.values if enum.name != "direction" else ():
            owners.setdefault(value, enum.name)
    for (space, name), entry in merged.entries.items():
        here = here_of(words, entry.base)
        if space == "name" and name in reserved_words(entry.base.rule.language):
            here.error("E0234", entry.base.span, name=name)
        if space != "name" or entry.kind == "enum":
            continue
        if name in owners:
            place = words.places.get(owners[name])
            labels = (Label(place, f"a value of `{owners[name]}`"),) if place is not None else ()
            here.error("E0226", entry.base.span, *labels, name=name, enum=owners[name])
        chart = merged.entries.get(("chart", name))
        if chart is not None:
            here.error("E0206", entry.base.span, Label(chart.base.span, "the chart"), name=name)
