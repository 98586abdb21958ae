"""From the declarations of words to the vocabulary: enums, kinds, attributes, piles, dice, options.

This is also what scenario data is checked against. Signatures of what can be called are collected here too,
so that rules may refer to each other in any order; their bodies are the business of `behaviour`.
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.book import Declaration, ExampleBlock, RuleBlock
from ddob_rules.cells import cell_name
from ddob_rules.diagnostics import Label
from ddob_rules.expressions import Expressions
from ddob_rules.overlay import Entry, Merged
from ddob_rules.parse import reserved_words
from ddob_rules.scope import DIRECTIONS, WRONG, Here, Scope, Signature, Vocabulary
from ddob_rules.spelling import did_you_mean
from ddob_rules.tree import Leaf, Node, leaf, node
from ddob_rules.type_names import PLAIN, type_of
from interpreter import ir

_OWNERS: dict[str, ir.Owner] = {"piece": "piece", "card": "card", "space": "space", "edge": "edge"}
# More faces than any dice has; a slip such as `1..6000000` must not fill the memory.
MOST_FACES = 1000
#: Names of types that no enum or kind may have.
_TAKEN = frozenset({*PLAIN, "player", "direction"})
#: What every piece or space has, beside what is declared.
_ALWAYS_THERE = frozenset({("piece", "at"), ("space", "row"), ("space", "column")})


def build_vocabulary(merged: Merged) -> Vocabulary:
    words = Vocabulary(language=merged.books[0].language)
    for book in merged.books:
        for seat in book.seats:
            if seat.name not in [player.name for player in words.players]:
                words.players.append(ir.Player(name=seat.name, title=seat.title, automated=seat.automated))
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
    for version in merged.additions:
        if version.declaration is not None and version.declaration.kind == "each":
            _each(words, version.declaration)
    for entry in merged.of_kind("variable"):
        _variable(words, entry)
    return words


def here_of(words: Vocabulary, declaration: Declaration) -> Here:
    return Here(declaration.rule, words)


def _enum(words: Vocabulary, entry: Entry) -> None:
    values: list[str] = []
    for version in (*entry.versions[-1:], *entry.edits):
        assert version.declaration is not None
        for item in version.declaration.node.items[2:]:
            value = leaf(node(item).items[0])
            if value.text in values:
                Here(version.rule, words).error("E0206", value, name=value.text)
            else:
                values.append(value.text)
    place = _current(entry).span
    site = here_of(words, _current(entry)).site(place)
    words.enums[entry.name] = ir.Enum(name=entry.name, values=tuple(values), site=site)
    words.places[entry.name] = place


def _current(entry: Entry) -> Declaration:
    """The version in force; words have no conditions."""
    declaration = entry.versions[-1].declaration
    assert declaration is not None
    return declaration


def _refused(words: Vocabulary, entry: Entry) -> bool:
    """Whether the name is that of a type that is always there; reported if so."""
    if entry.name in _TAKEN:
        here_of(words, entry.base).error("E0223", entry.base.span, name=entry.name)
    return entry.name in _TAKEN


def _chart_enum(words: Vocabulary, entry: Entry) -> None:
    """A chart names the values of its enum in its first column, unless the enum is declared by itself."""
    declaration = _current(entry)
    rows = [node(row) for row in declaration.node.items[2:]]
    for version in entry.edits:
        if version.declaration is not None and version.condition is None:
            edits = [node(edit) for edit in version.declaration.node.items[1:]]
            rows.extend(node(edit.items[0]) for edit in edits if edit.kind == "add_row")
    names = [cell_name(node(row.items[0])) for row in rows]
    values = tuple(dict.fromkeys(name.text for name in names if name is not None))
    site = here_of(words, declaration).site(declaration.span)
    words.enums[entry.name] = ir.Enum(name=entry.name, values=values, site=site)
    words.places[entry.name] = declaration.span


def _kind(words: Vocabulary, entry: Entry) -> None:
    declaration = _current(entry)
    here = here_of(words, declaration)
    owner = _OWNERS[entry.kind]
    board = ""
    of: tuple[str, ...] = ()
    if owner == "space":
        item = declaration.node.items[2]
        board = leaf(node(item).items[1]).text if item is not None else "box"
    if owner == "edge":
        of = tuple(leaf(name).text for name in node(declaration.node.items[2]).items)
    untold = owner in ("piece", "card") and any(
        version.declaration is not None and version.declaration.node.items[3] is not None
        for version in (*entry.versions[-1:], *entry.edits)
    )
    words.kinds[entry.name] = ir.Kind(
        name=entry.name, owner=owner, board=board, of=of, untold=untold, site=here.site(declaration.span)
    )
    words.places[entry.name] = declaration.span


def _attributes(words: Vocabulary, entry: Entry) -> None:
    kind = words.kinds[entry.name]
    space = "piece" if kind.owner in ("piece", "card") else kind.owner
    if kind.owner == "edge":
        spaces = [known.name for known in words.kinds.values() if known.owner == "space"]
        for item in node(_current(entry).node.items[2]).items:
            if leaf(item).text not in spaces:
                here_of(words, _current(entry)).unknown(leaf(item).text, leaf(item), spaces)
    attributes: list[ir.Attribute] = []
    for version in (*entry.versions[-1:], *entry.edits):
        assert version.declaration is not None
        here = Here(version.rule, words)
        for line in attribute_lines(version.declaration):
            attributes.extend(_attribute_line(here, line, space, entry.name, attributes))
    words.kinds[entry.name] = replace(kind, attributes=tuple(attributes))


def attribute_lines(declaration: Declaration) -> list[Node]:
    """The lines of a kind or of an enum that declare attributes, without the one that says how it looks."""
    lines = [node(item) for item in node(declaration.node.items[-1]).items]
    return [line for line in lines if line.kind == "attribute_line"]


def _attribute_line(
    here: Here, line: Node, space: str, holder: str, before: list[ir.Attribute]
) -> list[ir.Attribute]:
    names, kind_item, start_item, renewed, optional, _, untold = line.items
    words = here.vocabulary
    found: list[ir.Attribute] = []
    for name_item in node(names).items:
        name = leaf(name_item)
        kind = type_of(here, kind_item, inline_name=name.text)
        start = Expressions(here, Scope()).of(start_item, kind) if start_item is not None else None
        attribute = ir.Attribute(
            name=name.text, type=kind, start=start, optional=optional is not None, untold=untold is not None,
            site=here.site(name),
        )  # fmt: skip
        if (space, name.text) in _ALWAYS_THERE:
            here.error("E0223", name, name=name.text)
        elif any(name.text == other.name for other in (*before, *found)):
            here.error("E0206", name, name=name.text)
        elif not _alike(words.attributes.get((space, name.text)), attribute):
            place = words.places.get(f"{space}.{name.text}")
            here.error("E0207", name, *((Label(place, "the other one"),) if place else ()), name=name.text)
        else:
            words.attributes[space, name.text] = attribute
            words.holders.setdefault((space, name.text), []).append(holder)
            words.places.setdefault(f"{space}.{name.text}", name.span)
            if renewed is not None:
                _renew(here, node(renewed), space, holder, attribute)
            found.append(attribute)
    return found


def _renew(here: Here, item: Node, space: str, holder: str, attribute: ir.Attribute) -> None:
    """`= no each turn`: the attribute goes back to its start value when a turn or phase begins."""
    words = here.vocabulary
    if attribute.start is None:
        here.error("E0232", item, name=attribute.name)
        return
    phase = leaf(item.items[-1]) if item.kind == "each_phase" else None
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
    words.renewals.append((phase, here.rule, loop))


def _alike(other: ir.Attribute | None, attribute: ir.Attribute) -> bool:
    """All pieces share their attributes, all spaces theirs, so those with one name must be of one sort."""
    if other is None or WRONG in (other.type, attribute.type):
        return True
    return other.type == attribute.type and (other.start is None) == (attribute.start is None)


def _each(words: Vocabulary, declaration: Declaration) -> None:
    here = here_of(words, declaration)
    name = leaf(declaration.node.items[0])
    if name.text not in words.enums:
        here.unknown(name.text, name, list(words.enums))
        return
    space = f"enum {name.text}"
    attributes: list[ir.Attribute] = (
        list(words.kinds[name.text].attributes) if name.text in words.kinds else []
    )
    for line in attribute_lines(declaration):
        attributes.extend(_attribute_line(here, line, space, name.text, attributes))
    words.kinds[name.text] = ir.Kind(
        name=name.text, owner="enum", attributes=tuple(attributes), site=here.site(name)
    )


def _pile(words: Vocabulary, entry: Entry) -> None:
    declaration = _current(entry)
    here = here_of(words, declaration)
    sort_item, name_item, of_item, each_item, refill_item, _, untold = declaration.node.items
    sort = leaf(node(sort_item).items[0]).text
    of = leaf(of_item)
    if of.text not in words.kinds or words.kinds[of.text].owner not in ("piece", "card"):
        here.unknown(
            of.text, of, [kind.name for kind in words.kinds.values() if kind.owner in ("piece", "card")]
        )
    each = ""
    parameters: tuple[ir.Parameter, ...] = ()
    if each_item is not None:
        each = leaf(each_item).text
        if each not in words.enums:
            here.unknown(each, leaf(each_item), list(words.enums))
            each = "player"
        parameters = (ir.Parameter(name=each, type=ir.enum_type(each)),)
    refill = leaf(refill_item).text if refill_item is not None else ""
    words.used.add(of.text)
    words.kinds[entry.name] = ir.Kind(
        name=entry.name,
        owner="pile",
        board=sort,
        of=(of.text,),
        each=each,
        refill=refill,
        untold=untold is not None,
        site=here.site(leaf(name_item)),
    )
    words.places[entry.name] = leaf(name_item).span
    kind = ir.Type("pile", (entry.name,))
    words.functions[entry.name] = Signature("pile", entry.name, parameters, kind, leaf(name_item).span)


def _dice(words: Vocabulary, entry: Entry) -> None:
    declaration = _current(entry)
    here = here_of(words, declaration)
    faces: list[str] = []
    numbers: list[int] = []
    for item in declaration.node.items[1:]:
        face = node(item)
        if face.kind == "face":
            times = int(leaf(face.items[1]).text) if face.items[1] is not None else 1
            faces.extend([leaf(face.items[0]).text] * min(times, MOST_FACES))
            continue
        low, high = int(leaf(face.items[0]).text), int(leaf(face.items[-1]).text)
        if high < low:
            here.error("E0231", face, low=low, high=high)
        numbers.extend(range(low, min(high, low + MOST_FACES) + 1))
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
    declaration = _current(entry)
    here = here_of(words, declaration)
    name, kind_item, start_item, _, untold = declaration.node.items
    kind = type_of(here, kind_item, inline_name=entry.name)
    start = Expressions(here, Scope()).of(start_item, kind) if start_item is not None else None
    site = here.site(leaf(name))
    words.variables[entry.name] = ir.Variable(
        name=entry.name, type=kind, start=start, untold=untold is not None, site=site
    )
    words.places[entry.name] = leaf(name).span


def _option(words: Vocabulary, entry: Entry) -> None:
    declaration = entry.base
    here = here_of(words, declaration)
    name, title, refs, conflicts, reason = declaration.node.items
    rules = tuple(leaf(item).text for item in node(refs).items) if refs is not None else ()
    others = tuple(leaf(item).text for item in node(conflicts).items) if conflicts is not None else ()
    words.options[entry.name] = ir.Option(
        name=entry.name, title=leaf(title).text[1:-1], rules=rules, conflicts=others,
        reason=leaf(reason).text[1:-1] if reason is not None else "", site=here.site(leaf(name)),
    )  # fmt: skip
    words.places[entry.name] = leaf(name).span


def check_references(words: Vocabulary, merged: Merged) -> None:
    """Rules, options and piles that are only named must exist."""
    for entry in merged.of_kind("pile"):
        refill = _current(entry).node.items[4]
        piles = [kind.name for kind in words.kinds.values() if kind.owner == "pile"]
        if refill is not None and leaf(refill).text not in piles:
            here_of(words, _current(entry)).unknown(leaf(refill).text, leaf(refill), piles)
    for entry in merged.of_kind("option"):
        here = here_of(words, entry.base)
        refs, conflicts = entry.base.node.items[2], entry.base.node.items[3]
        for item in node(refs).items if refs is not None else ():
            _check_rule(here, merged, leaf(item))
        for item in node(conflicts).items if conflicts is not None else ():
            if leaf(item).text not in words.options:
                here.unknown(leaf(item).text, leaf(item), list(words.options))
    for book in merged.books:
        for example in book.examples:
            holder = next((rule for rule in book.rules if _holds(rule, example)), None)
            for number in example.rules:
                _check_rule(Here(holder or _nowhere(example), words), merged, number)


def _holds(rule: RuleBlock, example: ExampleBlock) -> bool:
    return rule.node is not None and example.node in rule.node.items


def _nowhere(example: ExampleBlock) -> RuleBlock:
    """An example outside all rules is reported without a rule number."""
    return RuleBlock("", "", "", example.ruleset, example.language, example.node.span, None)


def _check_rule(here: Here, merged: Merged, number: Leaf) -> None:
    if number.text not in merged.rules:
        advice = did_you_mean(number.text, list(merged.rules), here.rule.language)
        here.error("E0225", number, number=number.text, help=advice or None)


def check_names(words: Vocabulary, merged: Merged) -> None:
    """One name, one meaning: a definition may not be called like an enum value, or like a chart."""
    for (space, name), entry in merged.entries.items():
        here = here_of(words, entry.base)
        if space == "name" and name in reserved_words(entry.base.rule.language):
            here.error("E0234", entry.base.span, name=name)
        if space != "name" or entry.kind == "enum":
            continue
        # Directions are there in every ruleset, so a ruleset may use their short names for something else.
        owners = [owner for owner in words.enum_of(name) if owner != "direction"]
        if owners:
            place = words.places.get(owners[0])
            labels = (Label(place, f"a value of `{owners[0]}`"),) if place is not None else ()
            here.error("E0226", entry.base.span, *labels, name=name, enum=owners[0])
        chart = merged.entries.get(("chart", name))
        if chart is not None:
            here.error("E0206", entry.base.span, Label(chart.base.span, "the chart"), name=name)
