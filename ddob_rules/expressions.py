"""From expression trees to typed expressions.

Every expression is given the type wanted of it, so that a bare word can be an enum value, and a text or
number the id of a piece or space, where one is wanted. A mistake is reported once and stands in as
something that fits anywhere.
"""

from __future__ import annotations

import re

from ddob_rules.builtins import BUILTINS
from ddob_rules.parse import parse_expression, reserved_words
from ddob_rules.scope import MISTAKE, WRONG, Here, Scope, Signature, attribute_space, fits, joined, locals_of
from ddob_rules.source import Span
from ddob_rules.spelling import did_you_mean
from ddob_rules.tree import Item, Leaf, Node, Tree, leaf, node, tree
from interpreter import ir

LARGEST = 10**12
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_COMPARATORS: dict[str, ir.Operator] = {
    "=": "=", "!=": "!=", "≠": "!=", "<": "<", "<=": "<=", "≤": "<=", ">": ">", ">=": ">=", "≥": ">=",
}  # fmt: skip

_SIGNS: dict[str, ir.Operator] = {"+": "+", "-": "-", "*": "*"}
_ROUNDINGS: dict[str, ir.Operator] = {"up": "up", "down": "down", "nearest": "near"}
_FOLDS: dict[str, ir.Gather] = {"sum": "sum", "most": "most", "least": "least"}
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

    def of(self, item: Item, wanted: ir.Type | None = None) -> ir.Expression:
        """The expression; with `wanted`, reported if it does not fit."""
        place = tree(item)
        found = self._build(place, wanted)
        if wanted is not None and not self.expect(found.type, wanted, place):
            return MISTAKE
        return found

    def expect(self, actual: ir.Type, wanted: ir.Type, place: Tree) -> bool:
        """Whether the type fits; reported if it does not."""
        if fits(actual, wanted):
            return True
        self.here.error("E0202", place, text=shown(place), actual=str(actual), wanted=str(wanted))
        return False

    def flag(self, item: Item) -> ir.Expression:
        return self.of(item, ir.FLAG)

    def number(self, item: Item) -> ir.Expression:
        return self.of(item, ir.NUMBER)

    def collection(self, item: Item) -> tuple[ir.Expression, ir.Type]:
        """A set, list or pile, and the type of what is in it."""
        place = tree(item)
        found = self._build(place, None)
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

    def _build(self, place: Tree, wanted: ir.Type | None) -> ir.Expression:
        assert isinstance(place, Node), place
        items = place.items
        match place.kind:
            case "name":
                return self._name(leaf(items[0]), wanted)
            case "number":
                return self._number(leaf(items[0]), wanted)
            case "string":
                return self._string(leaf(items[0]), wanted)
            case "yes":
                return ir.Const(value=True, type=ir.FLAG)
            case "no":
                return ir.Const(value=False, type=ir.FLAG)
            case "nothing":
                return ir.Const(value=-1, type=ir.NOTHING)
            case "turn":
                return ir.Global(name="turn", type=ir.NUMBER, builtin=True)
            case "group":
                return self._build(tree(items[0]), wanted)
            case "call":
                return self._call(place, wanted)
            case "base":
                return self._base(place)
            case "attribute":
                return self._attribute(place)
            case "located":
                return self._located(place)
            case "conditional":
                return self._conditional(place, wanted)
            case "disjunction" | "conjunction":
                return self._join("or" if place.kind == "disjunction" else "and", items)
            case "negation":
                return ir.Unary(operator="not", operand=self.flag(items[0]), type=ir.FLAG)
            case "comparison":
                return self._comparison(place)
            case "membership":
                return self._membership(place)
            case "non_membership":
                return ir.Unary(operator="not", operand=self._membership(place), type=ir.FLAG)
            case "in_range":
                return self._in_range(place)
            case "from_turn" | "until_turn" | "turns":
                return self.period(place)
            case "arithmetic":
                return self._arithmetic(place, wanted)
            case "division":
                return self._division(place)
            case "negative":
                return ir.Unary(operator="-", operand=self.number(items[1]), type=ir.NUMBER)
            case "set_literal":
                return self._set_literal(place, wanted)
            case "list_literal":
                return self._list_literal(place, wanted)
            case "set_builder" | "set_map":
                return self._set_builder(place)
            case "some" | "none" | "universal" | "count" | "fold" | "extreme" | "nearest":
                return self._quantifier(place)
            case "edge_between":
                return self._edge(place)
            case "along":
                return self._along(place)
            case "reachable":
                return self._reachable(place)
            case "sight":
                return self._sight(place)
            case "matching":
                return self._matching(place)
            case _:
                raise AssertionError(place.kind)

    # ------------------------------------------------------------ words and literals

    def _name(self, name: Leaf, wanted: ir.Type | None) -> ir.Expression:
        text = name.text
        words = self.words
        if text in self.scope.names:
            inside, kind = self.scope.names[text]
            return ir.Local(name=inside, type=kind)
        if text in self.scope.phase:
            words.phase_variables[text] = self.scope.phase[text]
            return ir.Global(name=f"phase {text}", type=self.scope.phase[text])
        if wanted is not None and wanted.tag == "enum":
            enum = words.enums.get(wanted.names[0])
            if enum is not None and text in enum.values:
                return ir.Const(value=enum.values.index(text), type=wanted)
        found = self._declared(name)
        if found is not None:
            return found
        owners = words.enum_of(text)
        if len(owners) > 1:
            self.here.error("E0208", name, name=text, enums=", ".join(owners))
            return MISTAKE
        if owners:
            index = words.enums[owners[0]].values.index(text)
            return ir.Const(value=index, type=ir.enum_type(owners[0]))
        if text in BUILTINS and not BUILTINS[text].parameters:
            return ir.Builtin(name=text, arguments=(), type=BUILTINS[text].result, site=self.here.site(name))
        self._unknown(name)
        return MISTAKE

    def _declared(self, name: Leaf) -> ir.Expression | None:
        text, words = name.text, self.words
        if text in words.variables:
            words.used.add(text)
            return ir.Global(name=text, type=words.variables[text].type)
        if text in words.functions and not words.functions[text].parameters:
            signature = words.functions[text]
            words.used.add(text)
            if signature.sort == "pile":
                return ir.Ref(id=text, type=signature.type, site=self.here.site(name))
            return ir.Call(name=text, arguments=(), type=signature.type, site=self.here.site(name))
        if text in words.kinds and words.kinds[text].owner in ("piece", "card", "space"):
            tag: ir.Tag = "space" if words.kinds[text].owner == "space" else "piece"
            words.used.add(text)
            return ir.Extent(kind=text, type=ir.set_of(ir.Type(tag, (text,))))
        if text in words.enums:
            words.used.add(text)
            return ir.Extent(kind=text, type=ir.set_of(ir.enum_type(text)))
        if text in words.options:
            words.used.add(text)
            return ir.Global(name=text, type=ir.FLAG, builtin=True)
        if text in words.functions:
            signature = words.functions[text]
            self.here.error("E0203", name, name=text, needed=len(signature.parameters), given=0)
            return MISTAKE
        if words.ids is not None and text in words.ids:
            return ir.Ref(id=text, type=words.ids[text], site=self.here.site(name))
        return None

    def _unknown(self, name: Leaf) -> None:
        words = self.words
        if name.text in words.procedures or name.text in words.actions:
            self.here.error("E0212", name, name=name.text)
            return
        if name.text in BUILTINS:
            self.here.error(
                "E0203", name, name=name.text, needed=len(BUILTINS[name.text].parameters), given=0
            )
            return
        declared = [*words.variables, *words.functions, *words.kinds, *words.enums, *words.options]
        self._suggest(name, [*self.scope.names, *declared, *words.value_names()])

    def _suggest(self, name: Leaf, known: list[str]) -> None:
        """What is not known may be a slip in a name, in one of the library, or in a word such as `count`."""
        keywords = sorted(reserved_words(self.here.rule.language))
        self.here.unknown(name.text, name, [*known, *BUILTINS, *keywords])

    def _number(self, number: Leaf, wanted: ir.Type | None) -> ir.Expression:
        if wanted is not None and wanted.tag in ("piece", "space", "pile"):
            return self._reference(number, number.text, wanted)
        if len(number.text) > 1 and number.text[0] == "0":
            return self._reference(number, number.text, ir.Type("space"))
        if len(number.text) > 13 or int(number.text) > LARGEST:
            self.here.error("E0216", number, limit=LARGEST)
            return MISTAKE
        return ir.Const(value=int(number.text), type=ir.NUMBER)

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
        return ir.Ref(id=name, type=kind, site=self.here.site(place))

    def _string(self, place: Leaf, wanted: ir.Type | None) -> ir.Expression:
        raw = place.text[1:-1]
        if wanted is not None and wanted.tag in ("piece", "space", "pile"):
            return self._reference(place, raw, wanted)
        if wanted is None and self.words.ids is not None and raw in self.words.ids:
            return self._reference(place, raw, self.words.ids[raw])
        return self.text(place)

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
            self.words.problems.extend(problems)
            parts.append(self._build(tree(inner), None) if inner is not None else MISTAKE)
            last = found.end()
        parts.append(_unescaped(raw[last:]))
        kept = tuple(part for part in parts if part != "")
        if all(isinstance(part, str) for part in kept):
            return ir.Const(value="".join(str(part) for part in kept), type=ir.TEXT)
        return ir.Format(parts=kept)

    # ------------------------------------------------------------ calls and attributes

    def _call(self, place: Node, wanted: ir.Type | None) -> ir.Expression:
        name = leaf(place.items[0])
        arguments = node(place.items[1]).items if place.items[1] is not None else ()
        if name.text in BUILTINS and name.text not in self.words.functions:
            return self._builtin(name, arguments, place)
        signature = self.words.functions.get(name.text)
        if signature is None:
            if name.text in self.words.procedures or name.text in self.words.actions:
                self.here.error("E0212", name, name=name.text)
            else:
                self._suggest(name, list(self.words.functions))
            return MISTAKE
        self.words.used.add(name.text)
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

    def arguments(
        self, signature: Signature, arguments: tuple[Item, ...], place: Tree | Span
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

    def _builtin(self, name: Leaf, arguments: tuple[Item, ...], place: Node) -> ir.Expression:
        builtin = BUILTINS[name.text]
        fewest = len(builtin.parameters)
        if len(arguments) < fewest or (len(arguments) > fewest and not builtin.more):
            self.here.error("E0203", name, name=name.text, needed=fewest, given=len(arguments))
            return MISTAKE
        values: list[ir.Expression] = []
        for position, argument in enumerate(arguments):
            wanted = builtin.parameters[min(position, fewest - 1)]
            if wanted == "collection":
                values.append(self.collection(argument)[0])
            elif wanted == "any":
                values.append(self._build(tree(argument), None))
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

    def _attribute(self, place: Node) -> ir.Expression:
        subject = self._build(tree(place.items[0]), None)
        return self.get(subject, leaf(place.items[1]))

    def get(self, subject: ir.Expression, name: Leaf) -> ir.Expression:
        """`subject.name`."""
        kind = subject.type
        if kind == WRONG:
            return MISTAKE
        if name.text == "at" and kind.tag == "piece":
            return ir.Builtin(name="place_of", arguments=(subject,), type=ir.Type("space"))
        if name.text in ("row", "column") and kind.tag == "space":
            return ir.Builtin(name=f"{name.text}_of", arguments=(subject,), type=ir.NUMBER)
        space = attribute_space(kind)
        attribute = self.words.attributes.get((space, name.text)) if space is not None else None
        if attribute is None or space is None:
            known = [attr for owner, attr in self.words.attributes if owner == space]
            hint = did_you_mean(name.text, [*known, "at"], self.here.rule.language)
            self.here.error("E0204", name, attribute=name.text, type=str(kind), help=hint or None)
            return MISTAKE
        holders = self.words.holders[space, name.text]
        if kind.names and kind.tag in ("piece", "space", "edge") and not set(kind.names) & set(holders):
            self.here.error("E0204", name, attribute=name.text, type=str(kind), help=None)
            return MISTAKE
        self.words.used.add(f"{space}.{name.text}")
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

    def _located(self, place: Node) -> ir.Expression:
        left, right = place.items
        where = self.of(right, ir.Type("space"))
        what = self._build(tree(left), None)
        if what.type.tag == "piece":
            found = ir.Builtin(name="place_of", arguments=(what,), type=ir.Type("space"))
            return ir.Binary(operator="=", left=found, right=where, type=ir.FLAG)
        if what.type.tag == "set" and what.type.element is not None and what.type.element.tag == "piece":
            inside = ir.Builtin(name="contents", arguments=(where,), type=what.type)
            return ir.Binary(operator="both", left=inside, right=what, type=what.type)
        if WRONG not in (what.type, where.type):
            self.here.error("E0211", tree(left), text=shown(tree(left)), actual=str(what.type))
        return MISTAKE

    # ------------------------------------------------------------ operators

    def _conditional(self, place: Node, wanted: ir.Type | None) -> ir.Expression:
        value, condition, otherwise = place.items
        test = self.flag(condition)
        then = self._build(tree(value), wanted)
        other = self._build(tree(otherwise), wanted or then.type)
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

    def _join(self, operator: ir.Operator, items: tuple[Item, ...]) -> ir.Expression:
        result = self.flag(items[0])
        for item in items[1:]:
            result = ir.Binary(operator=operator, left=result, right=self.flag(item), type=ir.FLAG)
        return result

    def _comparison(self, place: Node) -> ir.Expression:
        left_item, comparator, right_item = place.items
        operator = _COMPARATORS[leaf(node(comparator).items[0]).text]
        left, right = self._both(tree(left_item), tree(right_item))
        if WRONG in (left.type, right.type):
            return MISTAKE
        if operator in ("=", "!="):
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

    def _both(self, left: Tree, right: Tree) -> tuple[ir.Expression, ir.Expression]:
        """Both sides, the plainer one read in the light of the other."""
        if _literal(left) and not _literal(right):
            second = self._build(right, None)
            return self._build(left, second.type), second
        first = self._build(left, None)
        return first, self._build(right, first.type)

    def _membership(self, place: Node) -> ir.Expression:
        listed, or_nothing = _without_nothing(place.items[1])
        group, element = self.collection(listed)
        if element == WRONG:
            self._build(tree(place.items[0]), None)
            return MISTAKE
        subject = self.of(place.items[0], None if element == ir.NOTHING else element)
        site = self.here.site(place)
        inside = ir.Binary(operator="in", left=subject, right=group, type=ir.FLAG, site=site)
        if or_nothing is None:
            return inside
        # A set has no room for `nothing`, and yet `x in {nothing, a}` asks whether x is one of the two.
        none = ir.Binary(
            operator="=", left=subject, right=self._build(or_nothing, subject.type), type=ir.FLAG, site=site
        )
        return ir.Binary(operator="or", left=none, right=inside, type=ir.FLAG, site=site)

    def _in_range(self, place: Node) -> ir.Expression:
        subject, (low_item, high_item) = self.number(place.items[0]), node(place.items[1]).items
        low, high = self.number(low_item), self.number(high_item)
        self._check_range(low, high, node(place.items[1]))
        return ir.Between(subject=subject, low=low, high=high)

    def _check_range(self, low: ir.Expression, high: ir.Expression, place: Node) -> None:
        if not (isinstance(low, ir.Const) and isinstance(high, ir.Const)) or WRONG in (low.type, high.type):
            return
        if int(low.value) > int(high.value):
            self.here.error("E0231", place, low=low.value, high=high.value)

    def _arithmetic(self, place: Node, wanted: ir.Type | None) -> ir.Expression:
        sign = leaf(place.items[1]).text
        left = self._build(tree(place.items[0]), wanted)
        right = self._build(tree(place.items[2]), left.type if left.type.tag != "number" else None)
        if WRONG in (left.type, right.type):
            return MISTAKE
        if left.type == right.type == ir.NUMBER:
            operator = _SIGNS[sign]
            return ir.Binary(
                operator=operator, left=left, right=right, type=ir.NUMBER, site=self.here.site(place)
            )
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

    def _division(self, place: Node) -> ir.Expression:
        word = leaf(node(place.items[2]).items[0]).text
        operator = _ROUNDINGS[word]
        left, right = self.number(place.items[0]), self.number(place.items[1])
        return ir.Binary(
            operator=operator, left=left, right=right, type=ir.NUMBER, site=self.here.site(place)
        )

    def period(self, place: Node) -> ir.Expression:
        """`from turn n`, `until turn n`, `turns n to m`."""
        turn = ir.Global(name="turn", type=ir.NUMBER, builtin=True)
        values = [self.number(item) for item in place.items]
        if len(values) == 2:
            self._check_range(values[0], values[1], place)
        match place.kind:
            case "from_turn":
                return ir.Between(subject=turn, low=values[0], high=None)
            case "until_turn":
                return ir.Between(subject=turn, low=None, high=values[0])
            case _:
                return ir.Between(subject=turn, low=values[0], high=values[1])

    # ------------------------------------------------------------ sets and quantifiers

    def _list_literal(self, place: Node, wanted: ir.Type | None) -> ir.Expression:
        element = wanted.element if wanted is not None and wanted.tag == "list" else None
        values: list[ir.Expression] = []
        for item in node(place.items[0]).items if place.items[0] is not None else ():
            value = self._build(tree(item), element)
            merged = value.type if element is None else joined(element, value.type)
            if merged is None:
                self.here.error(
                    "E0202", tree(item), text=shown(tree(item)), actual=str(value.type), wanted=str(element)
                )
                return MISTAKE
            element = merged
            values.append(value)
        if element == WRONG:
            return MISTAKE
        kind = ir.list_of(element or ir.NOTHING)
        return ir.Builtin(name="number_list", arguments=tuple(values), type=kind)

    def _set_literal(self, place: Node, wanted: ir.Type | None) -> ir.Expression:
        element = wanted.element if wanted is not None and wanted.tag == "set" else None
        items = node(place.items[0]).items if place.items[0] is not None else ()
        values = []
        kind = element
        for item in items:
            value = self._build(tree(item), kind)
            merged = value.type if kind is None else joined(kind, value.type)
            if value.type == ir.NOTHING:
                merged = None  # it would be left out without a word
            if merged is None or merged.tag not in ("enum", "piece", "space", "edge", "nothing", "number"):
                wanted_text = "number, value, piece or space" if kind is None else str(kind)
                actual = str(value.type)
                self.here.error(
                    "E0202", tree(item), text=shown(tree(item)), actual=actual, wanted=wanted_text
                )
                return MISTAKE
            kind = merged
            values.append(value)
        if kind == WRONG:
            return MISTAKE
        if kind == ir.NUMBER:
            return ir.Builtin(name="number_list", arguments=tuple(values), type=ir.list_of(ir.NUMBER))
        if kind is None:
            return ir.MakeSet(items=(), type=ir.set_of(ir.NOTHING))
        return ir.MakeSet(items=tuple(values), type=ir.set_of(kind))

    def _set_builder(self, place: Node) -> ir.Expression:
        body_item: Item = None
        if place.kind == "set_builder":
            name, source_item, where_item = place.items
        else:
            body_item, name, source_item, where_item = place.items
        source, element = self.collection(source_item)
        inner = Expressions(self.here, self.scope.inner())
        inside = inner.scope.add(leaf(name).text, element)
        where = inner.flag(where_item) if where_item is not None else None
        body = (
            inner._build(tree(body_item), None)
            if body_item is not None
            else ir.Local(name=inside, type=element)
        )
        if body.type == WRONG or element == WRONG:
            return MISTAKE
        kind = ir.set_of(body.type)
        if body.type.tag in ("number", "flag", "text") or source.type.tag == "list":
            kind = ir.list_of(body.type)
        gather: ir.Gather = "set" if kind.tag == "set" else "list"
        return ir.Quantify(
            gather=gather,
            variable=inside,
            variable_type=element,
            source=source,
            where=where,
            body=body,
            type=kind,
            site=self.here.site(place),
        )

    def binding(self, item: Item) -> tuple[Expressions, str, ir.Expression, ir.Type, ir.Expression | None]:
        """`u in S where C`: the inner scope, the variable's name inside, source, element type, condition."""
        place = node(item)
        if place.kind == "bound":
            name, source_item, where_item = place.items
            author = leaf(name).text
        else:
            source_item, where_item = place.items
            author = "it"
        source, element = self.collection(source_item)
        inner = Expressions(self.here, self.scope.inner())
        inside = inner.scope.add(author, element)
        where = inner.flag(where_item) if where_item is not None else None
        return inner, inside, source, element, where

    def _quantifier(self, place: Node) -> ir.Expression:
        items = place.items
        bound = {"some": 0, "none": 1, "universal": 0, "count": 0, "fold": 2, "extreme": 1, "nearest": 0}[
            place.kind
        ]
        inner, inside, source, element, where = self.binding(items[bound])
        self._warn_of_alternatives(place)
        gather: ir.Gather
        body: ir.Expression | None = None
        kind = ir.FLAG
        match place.kind:
            case "some":
                gather = "some"
            case "none":
                gather = "no"
            case "universal":
                gather, body = "every", inner.flag(items[1])
            case "count":
                gather, kind = "count", ir.NUMBER
            case "fold":
                gather = _FOLDS[leaf(items[0]).text]
                body, kind = inner.number(items[1]), ir.NUMBER
            case "extreme":
                gather = "highest" if leaf(items[0]).text.endswith("highest") else "lowest"
                body, kind = inner.number(items[2]), element
            case _:
                target = self.of(items[1], ir.Type("space"))
                spot: ir.Expression = ir.Local(name=inside, type=element)
                if element.tag != "piece":
                    self.expect(element, ir.Type("space"), node(items[bound]))
                else:
                    spot = ir.Builtin(name="place_of", arguments=(spot,), type=ir.Type("space"))
                body = ir.Builtin(name="distance", arguments=(spot, target), type=ir.NUMBER)
                gather, kind = "lowest", element
        if element == WRONG:
            return MISTAKE
        return ir.Quantify(
            gather=gather,
            variable=inside,
            variable_type=element,
            source=source,
            where=where,
            body=body,
            type=kind,
            site=self.here.site(place),
        )

    def _warn_of_alternatives(self, place: Node) -> None:
        """An `or` at the end belongs to the `where` or `has`, though it may have been meant for the whole."""
        bound = place.items[-1] if place.kind in ("some", "none") else place.items[0]
        if place.kind not in ("some", "none", "universal") or node(bound).kind != "bound":
            return
        name = leaf(node(bound).items[0]).text
        condition = place.items[1] if place.kind == "universal" else node(bound).items[2]
        if condition is None or node(condition).kind != "disjunction":
            return
        for alternative in node(condition).items[1:]:
            if not any(isinstance(part, Leaf) and part.text == name for part in node(alternative).walk()):
                self.here.error("W0204", tree(alternative), text=shown(tree(alternative)), name=name)

    # ------------------------------------------------------------ the board

    def _edge(self, place: Node) -> ir.Expression:
        first, second = (self.of(item, ir.Type("space")) for item in place.items)
        kinds = tuple(kind.name for kind in self.words.kinds.values() if kind.owner == "edge")
        if not kinds:
            self.here.error("E0229", place)
            return MISTAKE
        return ir.Builtin(name="edge_between", arguments=(first, second), type=ir.Type("edge", kinds))

    def _along(self, place: Node) -> ir.Expression:
        start_item, direction_item, name, condition_item = place.items
        start = self.of(start_item, ir.Type("space"))
        direction = self.of(direction_item, ir.DIRECTION)
        inner = Expressions(self.here, self.scope.inner())
        kind = start.type if start.type.tag == "space" else ir.Type("space")
        inside = inner.scope.add(leaf(name).text, kind)
        condition = inner.flag(condition_item)
        return ir.Along(
            start=start,
            direction=direction,
            variable=inside,
            condition=condition,
            type=ir.list_of(kind),
            site=self.here.site(place),
        )

    def _reachable(self, place: Node) -> ir.Expression:
        start_item, goal_item, from_name, to_name, step, limit_item, stop_item = place.items
        start = self._start(tree(start_item))
        goal = self.of(goal_item, ir.Type("space")) if goal_item is not None else None
        limit = self.number(limit_item) if limit_item is not None else None
        first = start.type.element if start.type.tag == "set" and start.type.element else start.type
        kind = first if first.tag == "space" else ir.Type("space")
        inner = Expressions(self.here, self.scope.inner())
        step_from = inner.scope.add(leaf(from_name).text, kind)
        step_to = inner.scope.add(leaf(to_name).text, kind)
        rule = node(step)
        condition = inner.flag(rule.items[0]) if rule.kind != "step_costing" else None
        cost = inner.number(rule.items[-1]) if rule.kind != "step_where" else None
        stop = inner.flag(stop_item) if stop_item is not None else None
        return ir.Reach(
            start=start, step_from=step_from, step_to=step_to, condition=condition, cost=cost, limit=limit,
            stop=stop, goal=goal,
            type=ir.set_of(kind) if goal is None else ir.NUMBER, site=self.here.site(place),
        )  # fmt: skip

    def _start(self, place: Tree) -> ir.Expression:
        """Where a search begins: a space, or each of several."""
        one = ir.Type("space")
        found = self._build(place, one)
        wanted = ir.set_of(one) if found.type.tag == "set" else one
        return found if self.expect(found.type, wanted, place) else MISTAKE

    def _sight(self, place: Node) -> ir.Expression:
        start_item, end_item, name, blocks_item = place.items
        start, end = self.of(start_item, ir.Type("space")), self.of(end_item, ir.Type("space"))
        inner = Expressions(self.here, self.scope.inner())
        inside = inner.scope.add(
            leaf(name).text, start.type if start.type.tag == "space" else ir.Type("space")
        )
        return ir.Sight(
            start=start, end=end, variable=inside, blocks=inner.flag(blocks_item), site=self.here.site(place)
        )

    def _matching(self, place: Node) -> ir.Expression:
        left_name, left_item, right_name, right_item, where_item, capacity_item = place.items
        left, left_type = self.collection(left_item)
        right, right_type = self.collection(right_item)
        inner = Expressions(self.here, self.scope.inner())
        left_inside = inner.scope.add(leaf(left_name).text, left_type)
        capacity = inner.number(capacity_item) if capacity_item is not None else None
        right_inside = inner.scope.add(leaf(right_name).text, right_type)
        return ir.Matching(
            left=left_inside, left_source=left, right=right_inside, right_source=right,
            condition=inner.flag(where_item),
            capacity=capacity, site=self.here.site(place),
        )  # fmt: skip


def shown(place: Tree) -> str:
    """The author's text, short enough for a message."""
    text = " ".join(place.span.text.split())
    return text if len(text) <= 50 else text[:47] + "..."


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


def _without_nothing(item: Item) -> tuple[Item, Tree | None]:
    """A set as it is written without its `nothing`, and that `nothing`, if it has one."""
    if not isinstance(item, Node) or item.kind != "set_literal" or item.items[0] is None:
        return item, None
    inner = node(item.items[0])
    kept = tuple(part for part in inner.items if not (isinstance(part, Node) and part.kind == "nothing"))
    if len(kept) == len(inner.items):
        return item, None
    found = next(part for part in inner.items if isinstance(part, Node) and part.kind == "nothing")
    rest = Node(inner.kind, kept, inner.span) if kept else None
    return Node(item.kind, (rest,), item.span), found


def _literal(place: Tree) -> bool:
    return isinstance(place, Node) and place.kind in ("name", "number", "string", "nothing", "set_literal")
