"""From expression trees to typed expressions.

Every expression is given the type wanted of it, so that a bare word can be an enum value, and a text or
number the id of a piece or space, where one is wanted. A mistake is reported once and stands in as
something that fits anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from ddob_rules.check.knowing import Known, memberships, narrowed, of_kinds, path_of, with_known
from ddob_rules.check.scope import (
    MISTAKE,
    WRONG,
    Here,
    Scope,
    Signature,
    attribute_space,
    fits,
    in_progress,
    joined,
    locals_of,
    of_phase,
)
from ddob_rules.check.values.board import OnBoard
from ddob_rules.check.values.builtins import BUILTINS
from ddob_rules.check.values.ranges import keyed, reader
from ddob_rules.check.values.ratios import is_scale, ratio_name, shift_name
from ddob_rules.check.values.several import Several
from ddob_rules.check.values.written import in_brackets, shown
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.syntax.nodes import Leaf, Node, Tree
from ddob_rules.syntax.nodes import expressions as nodes
from ddob_rules.syntax.parse import parse_expression, reserved_words
from ddob_rules.syntax.source import Span
from ddob_rules.syntax.words import words as words_of
from interpreter import ir

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_COMPARATORS: dict[str, ir.Operator] = {
    "=": "=", "!=": "!=", "≠": "!=", "<": "<", "<=": "<=", "≤": "<=", ">": ">", ">=": ">=", "≥": ">=",
}  # fmt: skip

_SIGNS: dict[str, ir.Operator] = {"+": "+", "-": "-", "*": "*"}
_ROUNDINGS: dict[str, ir.Operator] = {"up": "up", "down": "down", "nearest": "near"}
#: Calls that give the spaces around a space.
_AROUND = frozenset({"neighbours", "spaces_within", "ring", "line_between"})
#: Whose attributes a thing of a type has.
_OWNERS: dict[str, ir.Owner] = {
    "piece": "piece", "space": "space", "pile": "space", "edge": "edge", "enum": "enum",
}  # fmt: skip


class Expressions:
    """Turns trees into expressions, in one rule and with the locals in sight."""

    def __init__(self, here: Here, scope: Scope) -> None:
        self.here = here
        self.scope = scope
        self.words = here.vocabulary

    # ------------------------------------------------------------ entry points

    def of(self, place: nodes.Expression, wanted: ir.Type | None = None) -> ir.Expression:
        """The expression; with `wanted`, reported if it does not fit."""
        found = self._asked_for(place, wanted) or self.build(place, wanted)
        if wanted is None:
            return found
        return _only(found, wanted) if self.expect(found.type, wanted, place) else MISTAKE

    def given(self, condition: nodes.Expression, holds: bool = True) -> Expressions:
        """Values where a condition holds, or does not: it may tell of which kind a thing is."""
        known = self.known(condition, holds)
        return Expressions(self.here, with_known(self.scope, known)) if known else self

    def known(self, condition: nodes.Expression, holds: bool = True) -> Known:
        known: Known = {}
        quiet = Expressions(replace(self.here, quiet=True), self.scope)
        for path, item, group, inside in memberships(condition, holds):
            found = of_kinds(quiet.build(item, None).type, quiet.build(group, None), inside)
            if found is not None:
                known[path] = found
        return known

    def inside(self) -> Expressions:
        """Values in a scope of their own, in which more can be named."""
        return Expressions(self.here, self.scope.inner())

    def near(self, place: nodes.Expression, likely: ir.Type) -> ir.Expression:
        """The expression, read as what it most likely is; whether it fits is for the caller to see."""
        return self.build(place, likely)

    def _asked_for(self, place: nodes.Expression, wanted: ir.Type | None) -> ir.Expression | None:
        """Spaces around a space, where the kinds that are wanted are stated: those, whatever lies there."""
        while isinstance(place, nodes.Group):
            place = place.inner
        kind = wanted.element if wanted is not None and wanted.tag == "set" else None
        if kind is None or kind.tag != "space" or not kind.names:
            return None
        match place:
            case nodes.Call(name=name) if name.text in _AROUND:
                found = self._call(place)
                plain = isinstance(found, ir.Builtin) and found.type.element != kind
                return replace(found, type=ir.set_of(ir.Type("space"))) if plain else found
            case _:
                return None

    def expect(self, actual: ir.Type, wanted: ir.Type, place: Tree) -> bool:
        """Whether the type fits; reported if it does not."""
        if fits(actual, wanted):
            return True
        self.here.error("E0202", place, text=shown(place), actual=str(actual), wanted=str(wanted))
        return False

    def flag(self, place: nodes.Expression) -> ir.Expression:
        return self.of(place, ir.FLAG)

    def number(self, place: nodes.Expression) -> ir.Expression:
        return self.of(place, ir.NUMBER)

    def collection(
        self, place: nodes.Expression, likely: ir.Type | None = None
    ) -> tuple[ir.Expression, ir.Type]:
        """A set, list or pile, and the type of what is in it."""
        found = self.build(place, likely)
        if found.type == WRONG:
            return found, WRONG
        if found.type.tag == "pile":
            kinds = self.pile_kinds(found.type)
            element = ir.Type("piece", kinds)
            return ir.Builtin(name="contents", arguments=(found,), type=ir.set_of(element)), element
        if found.type.tag in ("set", "list") and found.type.element is not None:
            return found, found.type.element
        self.here.error("E0211", place, text=shown(place), actual=str(found.type))
        return MISTAKE, WRONG

    def pile_kinds(self, kind: ir.Type) -> tuple[str, ...]:
        holds = [self.words.kinds[name].of for name in kind.names if name in self.words.kinds]
        return tuple(dict.fromkeys(name for names in holds for name in names))

    # ------------------------------------------------------------ dispatch

    def build(self, place: nodes.Expression, wanted: ir.Type | None) -> ir.Expression:
        match place:
            case nodes.Name():
                return narrowed(self._name(place.name, wanted), self.scope.known.get(place.name.text))
            case nodes.Number():
                return self._number(place.digits, wanted)
            case nodes.String():
                return self._string(place.text, wanted)
            case nodes.Yes() | nodes.No():
                return ir.Const(value=isinstance(place, nodes.Yes), type=ir.FLAG)
            case nodes.Nothing():
                return ir.Const(value=-1, type=ir.NOTHING)
            case nodes.Turn():
                return ir.Global(name="turn", type=ir.NUMBER, builtin=True)
            case nodes.Group():
                return self.build(place.inner, wanted)
            case nodes.Call():
                return self._call(place)
            case nodes.Base():
                return self._base(place)
            case nodes.Attribute():
                found = self.get(self.owner(place), place.name)
                return narrowed(found, self.scope.known.get(path_of(place)) if self.scope.known else None)
            case nodes.AttributeFor():
                return self._get_for(place)
            case nodes.Located():
                return self._located(place)
            case nodes.Conditional():
                return self._conditional(place, wanted)
            case nodes.Disjunction():
                return self._join("or", place.parts)
            case nodes.Conjunction():
                return self._join("and", place.parts)
            case nodes.Negation():
                return ir.Unary(operator="not", operand=self.flag(place.part), type=ir.FLAG)
            case nodes.Comparison():
                return self._comparison(place)
            case nodes.Membership():
                return self._membership(place)
            case nodes.NonMembership():
                return ir.Unary(operator="not", operand=self._membership(place), type=ir.FLAG)
            case nodes.InRange():
                return self._in_range(place)
            case nodes.IsSo():
                return self._is_so(place)
            case nodes.IsNotSo():
                return ir.Unary(operator="not", operand=self._is_so(place), type=ir.FLAG)
            case nodes.DuringPhase():
                return self._during(place.phase)
            case nodes.FromTurn() | nodes.UntilTurn() | nodes.Turns():
                return self._period(place)
            case nodes.Arithmetic():
                return self._arithmetic(place, wanted)
            case nodes.Division():
                return self._division(place)
            case nodes.Negative():
                return ir.Unary(operator="-", operand=self.number(place.number), type=ir.NUMBER)
            case nodes.SetLiteral():
                return Several(self).set_literal(place, wanted)
            case nodes.ListLiteral():
                return Several(self).list_literal(place, wanted)
            case nodes.SetBuilder():
                return Several(self).set_builder(place, None)
            case nodes.SetMap():
                return Several(self).set_builder(place, place.value)
            case (
                nodes.Some() | nodes.NotAny() | nodes.Universal() | nodes.Count() | nodes.Fold()
                | nodes.Extreme()
            ):  # fmt: skip
                return Several(self).quantifier(place)
            case nodes.TheOne():
                return Several(self).the_one(place)
            case nodes.EdgeBetween():
                return OnBoard(self).edge(place)
            case nodes.Along():
                return OnBoard(self).along(place)
            case nodes.Sight():
                return OnBoard(self).sight(place)
            case _:
                assert_never(place)

    # ------------------------------------------------------------ words and literals

    def _name(self, name: Leaf, wanted: ir.Type | None) -> ir.Expression:
        text = name.text
        words = self.words
        if text in self.scope.names:
            inside, kind = self.scope.names[text]
            words.note(name, "local", inside, kind)
            return ir.Local(name=inside, type=kind)
        if text in self.scope.phase:
            kept = self.scope.phase[text]
            words.phase_variables[kept.name] = kept.type
            return kept
        if wanted is not None and wanted.tag == "enum":
            enum = words.enums.get(wanted.names[0])
            if enum is not None and text in enum.values:
                words.note(name, "value", enum.name, wanted)
                return ir.Const(value=enum.values.index(text), type=wanted)
        found = self._declared(name)
        if found is not None:
            return found
        owners = words.enum_of(text)
        if len(owners) > 1:
            self.here.error("E0208", name, name=text, enums=", ".join(owners))
            return MISTAKE
        if owners:
            words.note(name, "value", owners[0], ir.enum_type(owners[0]))
            index = words.enums[owners[0]].values.index(text)
            return ir.Const(value=index, type=ir.enum_type(owners[0]))
        if text in BUILTINS and not BUILTINS[text].parameters:
            words.note(name, "library", type=BUILTINS[text].result)
            return ir.Builtin(name=text, arguments=(), type=BUILTINS[text].result, site=self.here.site(name))
        return self._parameter_of_phase(name) or self._not_known(name, wanted)

    def _parameter_of_phase(self, name: Leaf) -> ir.Expression | None:
        """What a phase that rules run was run with, if only one of them has such a parameter."""
        words = self.words
        found = [
            ir.Global(name=of_phase(name.text, phase), type=parameter.type)
            for phase, parameters in words.called_phases.items()
            for parameter in parameters
            if parameter.name == name.text
        ]
        if len(found) != 1:
            return None
        if words.ids is not None and found[0].name not in words.phase_variables:
            self.here.error("E0385", name, name=name.text)
            return MISTAKE
        words.phase_variables[found[0].name] = found[0].type
        return found[0]

    def _not_known(self, name: Leaf, wanted: ir.Type | None) -> ir.Expression:
        self._unknown(name, wanted)
        return MISTAKE

    def _declared(self, name: Leaf) -> ir.Expression | None:
        text, words = name.text, self.words
        if text in words.variables:
            words.use(name, words.variables[text].type)
            return ir.Global(name=text, type=words.variables[text].type)
        if text in words.parts:
            words.use(name, words.parts[text].type)
            return ir.Global(name=words.parts[text].variable, type=words.parts[text].type)
        if text in words.functions and not words.functions[text].parameters:
            signature = words.functions[text]
            words.use(name, signature.type)
            if signature.sort == "pile":
                return ir.Ref(id=text, type=signature.type, site=self.here.site(name))
            return ir.Call(name=text, arguments=(), type=signature.type, site=self.here.site(name))
        if text in words.kinds and words.kinds[text].owner in ("piece", "card", "space"):
            tag: ir.Tag = "space" if words.kinds[text].owner == "space" else "piece"
            words.use(name)
            return ir.Extent(kind=text, type=ir.set_of(ir.Type(tag, (text,))))
        if text in words.enums:
            words.use(name)
            return ir.Extent(kind=text, type=ir.set_of(ir.enum_type(text)))
        if text in words.options:
            words.used.add(text)
            words.note(name, "option", type=ir.FLAG)
            return ir.Global(name=text, type=ir.FLAG, builtin=True)
        if text in words.functions:
            signature = words.functions[text]
            self.here.error("E0203", name, name=text, needed=len(signature.parameters), given=0)
            return MISTAKE
        if words.ids is not None and text in words.ids:
            words.note(name, "id", type=words.ids[text])
            return ir.Ref(id=text, type=words.ids[text], site=self.here.site(name))
        return None

    def _unknown(self, name: Leaf, wanted: ir.Type | None = None) -> None:
        words = self.words
        enum = words.enums.get(wanted.names[0]) if wanted is not None and wanted.tag == "enum" else None
        if name.text in words.procedures or name.text in words.actions:
            self.here.error("E0212", name, name=name.text)
            return
        if name.text in words.ways:
            self.here.error("E0384", name, name=name.text)
            return
        if name.text in BUILTINS:
            self.here.error(
                "E0203", name, name=name.text, needed=len(BUILTINS[name.text].parameters), given=0
            )
            return
        declared = [*words.variables, *words.parts, *words.functions, *words.kinds, *words.enums]
        likely = enum.values if enum is not None else ()
        self._suggest(name, [*likely, *self.scope.names, *declared, *words.options, *words.value_names()])

    def _suggest(self, name: Leaf, known: list[str]) -> None:
        """What is not known may be a slip in a name, in one of the library, or in a word such as `count`."""
        language = self.here.rule.language
        library = [words_of(language).builtin.get(each, each) for each in BUILTINS]
        self.here.unknown(name.text, name, [*known, *library, *sorted(reserved_words(language))])

    def _number(self, number: Leaf, wanted: ir.Type | None) -> ir.Expression:
        # Spaces have numbers for names; pieces do in scenarios alone, and in rules a number is a number.
        named = ("space", "pile") if self.words.ids is None else ("piece", "space", "pile")
        if wanted is not None and wanted.tag in named:
            return self._reference(number, number.text, wanted)
        if len(number.text) > 1 and number.text[0] == "0":
            return self._reference(number, number.text, ir.Type("space"))
        return ir.Const(value=self.here.number(number), type=ir.NUMBER)

    def _reference(self, place: Leaf, name: str, wanted: ir.Type) -> ir.Expression:
        kind = wanted
        if self.words.ids is not None:
            found = self.words.ids.get(name)
            if found is None:
                self.here.error(
                    "E0221",
                    place,
                    name=name,
                    help=did_you_mean(name, list(self.words.ids), self.here.rule.language) or None,
                )
                return MISTAKE
            kind = found
        self.words.note(place, "id", type=kind)
        return ir.Ref(id=name, type=kind, site=self.here.site(place))

    def _string(self, place: Leaf, wanted: ir.Type | None) -> ir.Expression:
        raw = place.text[1:-1]
        if wanted is not None and wanted.tag in ("piece", "space", "pile"):
            return self._reference(place, raw, wanted)
        if wanted is None and self.words.ids is not None and raw in self.words.ids:
            return self._reference(place, raw, self.words.ids[raw])
        return self.text(place)

    def owner(self, place: nodes.Attribute | nodes.AttributeFor) -> ir.Expression:
        """The thing whose attribute it is."""
        return self.build(place.owner, self.meant_as(place.owner))

    def meant_as(self, place: nodes.Expression) -> ir.Type | None:
        """A name in quotes where no text makes sense is that of a thing, and of no other than there are."""
        named = isinstance(place, nodes.String) and self.words.ids is not None
        return ir.Type("piece") if named else None

    def text(self, place: Leaf) -> ir.Expression:
        """A text, with values where it has names in braces."""
        raw = place.text[1:-1]
        parts: list[str | ir.Expression] = []
        last = 0
        for found in _PLACEHOLDER.finditer(raw):
            parts.append(_unescaped(raw[last : found.start()]))
            start = place.span.start + 1
            source = place.span.source
            inner, problems = parse_expression(
                source, start + found.start(1), start + found.end(1), self.here.rule.language
            )
            self.here.tell(problems)
            parts.append(self.build(inner, None) if inner is not None else MISTAKE)
            last = found.end()
        parts.append(_unescaped(raw[last:]))
        kept = tuple(part for part in parts if part != "")
        if all(isinstance(part, str) for part in kept):
            return ir.Const(value="".join(str(part) for part in kept), type=ir.TEXT)
        return ir.Format(parts=kept)

    # ------------------------------------------------------------ calls and attributes

    def _call(self, place: nodes.Call) -> ir.Expression:
        name, arguments = place.name, in_brackets(place.arguments)
        if name.text in BUILTINS and name.text not in self.words.functions:
            return self._builtin(name, arguments, place)
        signature = self.words.functions.get(name.text)
        if signature is None and self._is_scale(name.text):
            return self._ratio(name, arguments)
        if signature is None:
            if name.text in self.words.procedures or name.text in self.words.actions:
                self.here.error("E0212", name, name=name.text)
            elif name.text in self.words.ways:
                self.here.error("E0384", name, name=name.text)
            else:
                self._suggest(name, list(self.words.functions))
            return MISTAKE
        self.words.use(name, signature.type)
        values = self.arguments(signature, arguments, name)
        if values is None:
            return MISTAKE
        site = self.here.site(name)
        if signature.sort == "pile":
            return ir.Builtin(
                name="pile_of",
                arguments=(ir.Const(value=name.text, type=ir.TEXT), *values),
                type=signature.type,
                site=site,
            )
        return ir.Call(name=name.text, arguments=values, type=signature.type, site=site)

    def _is_scale(self, name: str) -> bool:
        return name in self.words.enums and is_scale(self.words.enums[name])

    def _ratio(self, name: Leaf, arguments: Sequence[nodes.Expression]) -> ir.Expression:
        """`odds(first, second)`."""
        if len(arguments) != 2:
            self.here.error("E0203", name, name=name.text, needed=2, given=len(arguments))
            return MISTAKE
        values = tuple(self.number(argument) for argument in arguments)
        kind = ir.enum_type(name.text)
        return ir.Call(name=ratio_name(name.text), arguments=values, type=kind, site=self.here.site(name))

    def _shift(self, place: nodes.Arithmetic, left: ir.Expression, right: ir.Expression) -> ir.Expression:
        """`column + 2`: along an enum, up to its ends."""
        enum, sign = left.type.names[0], place.operator.text
        if enum in ("player", "direction"):
            self.here.error("E0322", place, enum=enum)
            return MISTAKE
        known = enum in self.words.shifted or self._is_scale(enum)
        if self.words.ids is not None and not known:
            # Examples add nothing to a program, so they shift only what its rules do.
            self.here.error("E0210", place, operator=sign, left=str(left.type), right=str(right.type))
            return MISTAKE
        self.words.shifted.add(enum)
        steps = right if sign == "+" else ir.Unary(operator="-", operand=right, type=ir.NUMBER)
        return ir.Call(
            name=shift_name(enum), arguments=(left, steps), type=left.type, site=self.here.site(place)
        )

    def arguments(
        self, signature: Signature, arguments: Sequence[nodes.Expression], place: Tree | Span
    ) -> tuple[ir.Expression, ...] | None:
        """The arguments, checked against the parameters; None after a mistake in their number."""
        if len(arguments) != len(signature.parameters):
            self.here.error(
                "E0203", place, name=signature.name, needed=len(signature.parameters), given=len(arguments)
            )
            return None
        return tuple(
            self.of(argument, parameter.type)
            for argument, parameter in zip(arguments, signature.parameters, strict=True)
        )

    def _builtin(self, name: Leaf, arguments: Sequence[nodes.Expression], place: Node) -> ir.Expression:
        builtin = BUILTINS[name.text]
        self.words.note(name, "library", type=builtin.result)
        fewest = len(builtin.parameters)
        if len(arguments) < fewest or (len(arguments) > fewest and not builtin.more):
            self.here.error("E0203", name, name=name.text, needed=fewest, given=len(arguments))
            return MISTAKE
        if builtin.parameters[:1] == ("way",):
            return OnBoard(self).search(name, arguments, place)
        values: list[ir.Expression] = []
        for position, argument in enumerate(arguments):
            wanted = builtin.parameters[min(position, fewest - 1)]
            if wanted == "collection":
                values.append(self.collection(argument)[0])
            elif wanted == "any":
                values.append(self.build(argument, None))
            else:
                assert isinstance(wanted, ir.Type)
                values.append(self.of(argument, wanted))
        kind = builtin.result
        if builtin.like is not None and values:
            like = values[builtin.like].type
            if like == WRONG:
                return MISTAKE
            if builtin.like_element:
                like = like.element or (
                    ir.Type("piece", self.pile_kinds(like)) if like.tag == "pile" else like
                )
            kind = ir.set_of(like) if builtin.result.tag == "set" else like
        return ir.Builtin(name=name.text, arguments=tuple(values), type=kind, site=self.here.site(place))

    def _base(self, place: Node) -> ir.Expression:
        base = self.here.base
        if base is None or base.sort not in ("define", "value", "table") or base.type == ir.EFFECT:
            self.here.error("E0214", place)
            return MISTAKE
        arguments = locals_of(base.parameters)
        return ir.Call(name=base.name, arguments=arguments, type=base.type, site=self.here.site(place))

    def placed(self, kind: ir.Type, place: Tree) -> None:
        """Reports a record where a thing is meant that can be somewhere."""
        known = [self.words.kinds[name] for name in kind.names if name in self.words.kinds]
        if known and all(one.record for one in known):
            self.here.error("E0386", place, kind=known[0].name)

    def get(self, subject: ir.Expression, name: Leaf) -> ir.Expression:
        """`subject.name`."""
        kind = subject.type
        if kind == WRONG:
            return MISTAKE
        if name.text == "at" and kind.tag == "piece":
            self.placed(kind, name)
            self.words.note(name, "library", type=ir.Type("space"))
            return ir.Builtin(name="place_of", arguments=(subject,), type=ir.Type("space"))
        if name.text in ("row", "column") and kind.tag == "space":
            self.words.note(name, "library", type=ir.NUMBER)
            return ir.Builtin(name=f"{name.text}_of", arguments=(subject,), type=ir.NUMBER)
        space = attribute_space(kind)
        attribute = self.words.attributes.get((space, name.text)) if space is not None else None
        if space is not None and (space, name.text) in self.words.families:
            self.here.error("E0276", name, name=name.text, enum=self.words.families[space, name.text])
            return MISTAKE
        if attribute is None or space is None:
            known = [entry.given_as for (owner, _), entry in self.words.attributes.items() if owner == space]
            hint = did_you_mean(name.text, [*known, "at"], self.here.rule.language)
            self.here.error("E0204", name, attribute=name.text, type=str(kind), help=hint or None)
            return MISTAKE
        holders = self.words.holders[space, name.text]
        if kind.names and kind.tag in ("piece", "space", "edge") and not set(kind.names) & set(holders):
            self.here.error("E0204", name, attribute=name.text, type=str(kind), help=None)
            return MISTAKE
        self.words.used.add(f"{space}.{name.text}")
        self.words.note(replace(name, text=attribute.given_as), "attribute", space, attribute.type)
        if space is not None and (space, name.text) in self.words.chart_variants:
            return ir.Call(
                name=f"chart {space}.{name.text}",
                arguments=(subject,),
                type=attribute.type,
                site=self.here.site(name),
            )
        owner = _OWNERS[kind.tag]
        enum = kind.names[0] if kind.tag == "enum" else ""
        fixed = attribute.start is None
        return ir.Get(
            owner=owner, attribute=name.text, subject=subject, type=attribute.type, fixed=fixed, enum=enum
        )

    def key_of(self, subject: ir.Expression, place: nodes.AttributeFor) -> ir.Expression:
        """The value of the enum for which an attribute is asked."""
        enum = self.words.families.get((attribute_space(subject.type) or "", place.name.text))
        if enum is None:
            found = self.get(subject, place.name)
            if WRONG not in (subject.type, found.type):
                self.here.error("E0277", place.key, name=place.name.text)
            return MISTAKE
        return self.of(place.key, ir.enum_type(enum))

    def of_key(self, place: nodes.AttributeFor, value: str) -> Leaf:
        """The name of the attribute for one value."""
        return replace(place.name, text=keyed(place.name.text, value))

    def _get_for(self, place: nodes.AttributeFor) -> ir.Expression:
        """`u.stores(fuel)`."""
        subject = self.build(place.owner, None)
        key = self.key_of(subject, place)
        space = attribute_space(subject.type)
        if key.type.tag != "enum" or space is None:
            return MISTAKE
        values = self.words.enums[key.type.names[0]].values
        every = [self.get(subject, self.of_key(place, value)) for value in values]
        if isinstance(key, ir.Const) and isinstance(key.value, int) and key.value >= 0:
            return every[key.value]
        if WRONG in (every[0].type, subject.type):
            return MISTAKE
        site = self.here.site(place)
        name = reader(space, place.name.text)
        return ir.Call(name=name, arguments=(subject, key), type=every[0].type, site=site)

    def _is_so(self, place: nodes.IsSo | nodes.IsNotSo) -> ir.Expression:
        """`u is tired`: a flag of a thing."""
        found = self.get(self.build(place.thing, None), place.name)
        if found.type in (ir.FLAG, WRONG):
            return found
        self.here.error("E0252", place.name, name=place.name.text, actual=str(found.type))
        return MISTAKE

    def _located(self, place: nodes.Located) -> ir.Expression:
        where = self.of(place.place, ir.Type("space"))
        what = self.build(place.things, None)
        self.placed(what.type.element or what.type, place.things)
        if what.type.tag == "piece":
            found = ir.Builtin(name="place_of", arguments=(what,), type=ir.Type("space"))
            return ir.Binary(operator="=", left=found, right=where, type=ir.FLAG)
        if what.type.tag == "set" and what.type.element is not None and what.type.element.tag == "piece":
            inside = ir.Builtin(name="contents", arguments=(where,), type=what.type)
            return ir.Binary(operator="both", left=inside, right=what, type=what.type)
        if WRONG not in (what.type, where.type):
            self.here.error("E0211", place.things, text=shown(place.things), actual=str(what.type))
        return MISTAKE

    # ------------------------------------------------------------ operators

    def _conditional(self, place: nodes.Conditional, wanted: ir.Type | None) -> ir.Expression:
        test = self.flag(place.condition)
        then = self.given(place.condition).build(place.value, wanted)
        other = self.given(place.condition, False).build(place.otherwise, wanted or then.type)
        kind = joined(then.type, other.type)
        if kind is None:
            self.here.error(
                "E0210",
                place,
                operator="otherwise",
                left=str(then.type),
                right=str(other.type),
            )
            return MISTAKE
        return ir.Conditional(condition=test, then=then, otherwise=other, type=kind)

    def _join(self, operator: ir.Operator, parts: Sequence[nodes.Expression]) -> ir.Expression:
        first, *others = parts
        result, values, before = self.flag(first), self, first
        for item in others:  # each is only asked for if those before it hold, or do not
            values, before = values.given(before, operator == "and"), item
            result = ir.Binary(operator=operator, left=result, right=values.flag(item), type=ir.FLAG)
        return result

    def _comparison(self, place: nodes.Comparison) -> ir.Expression:
        operator = _COMPARATORS[place.comparator.sign.text]
        left, right = self._both(place.left, place.right)
        if WRONG in (left.type, right.type):
            return MISTAKE
        if operator in ("=", "!="):
            left, right = _no_way(left, right), _no_way(right, left)
            possible = (
                fits(left.type, right.type)
                or fits(right.type, left.type)
                or joined(left.type, right.type) is not None
            )
        else:
            possible = left.type == right.type and left.type.tag in ("number", "enum")
        if not possible:
            self.here.error(
                "E0210",
                place,
                operator=operator,
                left=str(left.type),
                right=str(right.type),
            )
            return MISTAKE
        return ir.Binary(operator=operator, left=left, right=right, type=ir.FLAG, site=self.here.site(place))

    def _both(self, left: nodes.Expression, right: nodes.Expression) -> tuple[ir.Expression, ir.Expression]:
        """Both sides, the plainer one read in the light of the other."""
        if _literal(left) and not _literal(right):
            second = self.build(right, None)
            return self.build(left, second.type), second
        first = self.build(left, None)
        return first, self.build(right, first.type)

    def _membership(self, place: nodes.Membership | nodes.NonMembership) -> ir.Expression:
        listed, or_nothing = _without_nothing(place.collection)
        # An attribute or a definition says which enum the bare names in a set are of.
        telling = isinstance(place.item, (nodes.Attribute, nodes.AttributeFor, nodes.Call))
        first = self.build(place.item, None) if telling else None
        likely = ir.set_of(first.type) if first is not None and first.type.tag == "enum" else None
        group, element = self.collection(listed, likely)
        subject = first or self.build(place.item, None if element in (ir.NOTHING, WRONG) else element)
        if element == WRONG:
            return MISTAKE
        # Of things of several kinds one may ask whether they are of one of these.
        possible = element == ir.NOTHING or _overlap(subject.type, element)
        if not possible and not self.expect(subject.type, element, place.item):
            return MISTAKE
        site = self.here.site(place)
        inside = ir.Binary(operator="in", left=subject, right=group, type=ir.FLAG, site=site)
        if or_nothing is None:
            return inside
        # A set has no room for `nothing`, and yet `x in {nothing, a}` asks whether x is one of the two.
        none = ir.Binary(
            operator="=", left=subject, right=self.build(or_nothing, subject.type), type=ir.FLAG, site=site
        )
        return ir.Binary(operator="or", left=none, right=inside, type=ir.FLAG, site=site)

    def _in_range(self, place: nodes.InRange) -> ir.Expression:
        subject = self.number(place.number)
        low, high = self.number(place.range.low), self.number(place.range.high)
        self._check_range(low, high, place.range)
        return ir.Between(subject=subject, low=low, high=high)

    def _check_range(self, low: ir.Expression, high: ir.Expression, place: Node) -> None:
        if not (isinstance(low, ir.Const) and isinstance(high, ir.Const)) or WRONG in (low.type, high.type):
            return
        if int(low.value) > int(high.value):
            self.here.error("E0231", place, low=low.value, high=high.value)

    def _arithmetic(self, place: nodes.Arithmetic, wanted: ir.Type | None) -> ir.Expression:
        sign = place.operator.text
        left = self.build(place.left, wanted)
        right = self.build(place.right, left.type if left.type.tag != "number" else None)
        if WRONG in (left.type, right.type):
            return MISTAKE
        if left.type == right.type == ir.NUMBER:
            operator = _SIGNS[sign]
            return ir.Binary(
                operator=operator, left=left, right=right, type=ir.NUMBER, site=self.here.site(place)
            )
        if left.type.tag == "enum" and right.type == ir.NUMBER and sign != "*":
            return self._shift(place, left, right)
        if left.type.tag == right.type.tag == "list" and sign == "+":
            kind = joined(left.type, right.type)
            if kind is not None:
                return ir.Binary(operator="union", left=left, right=right, type=kind)
        if left.type.tag == right.type.tag == "set" and sign != "*":
            kind = joined(left.type, right.type)
            if kind is not None:
                return ir.Binary(
                    operator="union" if sign == "+" else "minus", left=left, right=right, type=kind
                )
        self.here.error("E0210", place, operator=sign, left=str(left.type), right=str(right.type))
        return MISTAKE

    def _division(self, place: nodes.Division) -> ir.Expression:
        operator = _ROUNDINGS[place.rounding.how.text]
        left, right = self.number(place.left), self.number(place.right)
        return ir.Binary(
            operator=operator, left=left, right=right, type=ir.NUMBER, site=self.here.site(place)
        )

    def _during(self, phase: Leaf) -> ir.Expression:
        """Whether a phase, or one inside it, is in progress."""
        words = self.words
        if phase.text in words.removed_phases and phase.text not in words.phases:
            return ir.Const(value=False, type=ir.FLAG)
        if phase.text not in words.phases:
            self.here.unknown(phase.text, phase, list(words.phases))
            return MISTAKE
        words.note(phase, "phase")
        kept = ir.Global(name=in_progress(phase.text), type=ir.FLAG)
        if words.ids is not None and kept.name not in words.phase_variables:
            self.here.error("E0385", phase, name=phase.text)
            return MISTAKE
        words.phase_variables[kept.name] = kept.type
        return kept

    def _period(self, place: nodes.FromTurn | nodes.UntilTurn | nodes.Turns) -> ir.Expression:
        """`from turn n`, `until turn n`, `turns n to m`."""
        turn = ir.Global(name="turn", type=ir.NUMBER, builtin=True)
        low = self.number(place.first) if not isinstance(place, nodes.UntilTurn) else None
        high = self.number(place.last) if not isinstance(place, nodes.FromTurn) else None
        if low is not None and high is not None:
            self._check_range(low, high, place)
        return ir.Between(subject=turn, low=low, high=high)


def _overlap(first: ir.Type, second: ir.Type) -> bool:
    """Whether something can be of both kinds."""
    alike = first.tag == second.tag and first.tag in ("piece", "space", "edge")
    return alike and (not first.names or not second.names or bool(set(first.names) & set(second.names)))


def _only(found: ir.Expression, wanted: ir.Type) -> ir.Expression:
    """Where a set of certain kinds is wanted and it is not known what is in it, those of the kinds."""
    kind, actual = wanted.element, found.type.element
    if wanted.tag != "set" or kind is None or actual is None or not kind.names or actual.names:
        return found
    if kind.tag not in ("piece", "space") or actual.tag != kind.tag:
        return found
    every: ir.Expression = ir.Extent(kind=kind.names[0], type=wanted)
    for name in kind.names[1:]:
        every = ir.Binary(operator="union", left=every, right=ir.Extent(kind=name, type=wanted), type=wanted)
    return ir.Binary(operator="both", left=found, right=every, type=wanted)


def _no_way(item: ir.Expression, other: ir.Expression) -> ir.Expression:
    """`nothing`, beside a number that says how far something is, is the number for "there is no way"."""
    if item.type != ir.NOTHING or other.type != ir.NUMBER:
        return item
    match other:
        case ir.Builtin(name="distance") | ir.Reach() | ir.Quantify(gather="least") | ir.Call() | ir.Local():
            return ir.Const(value=ir.FAR, type=ir.NUMBER)
        case _:
            return item


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


def _without_nothing(item: nodes.Expression) -> tuple[nodes.Expression, nodes.Nothing | None]:
    """A set as it is written without its `nothing`, and that `nothing`, if it has one."""
    if not isinstance(item, nodes.SetLiteral) or item.arguments is None:
        return item, None
    found = next((value for value in item.arguments.values if isinstance(value, nodes.Nothing)), None)
    kept = tuple(value for value in item.arguments.values if not isinstance(value, nodes.Nothing))
    return (replace(item, arguments=replace(item.arguments, values=kept)), found) if found else (item, None)


def _literal(place: nodes.Expression) -> bool:
    return isinstance(place, (nodes.Name, nodes.Number, nodes.String, nodes.Nothing, nodes.SetLiteral))
