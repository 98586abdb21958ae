"""Definitions that list what must hold, and what players are told who ask why it does not.

`when can_act(u)` in an action stands for the lines of `can_act`, each with its reason and the rules that it
cites, and so does `else why not can_act(u)` below a question: the first line that fails is told. Everywhere
else such a definition is a flag. A reason with values in it becomes a definition of its own, so it is one
text, and translated once, whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce

from ddob_rules.check.editions import both, chain_names, editions, either, negated, own_parameters, test_of
from ddob_rules.check.scope import MISTAKE, WRONG, Here, Scope, Signature, Vocabulary, scope_of
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.written import in_brackets
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes import Node
from ddob_rules.syntax.nodes import expressions as written
from ddob_rules.syntax.nodes import rules as nodes
from interpreter import ir
from interpreter.ir.walk import substitute

#: What a definition listed before a rule amended it, if one did.
_Before = Callable[[], "list[Stated]"] | None


@dataclass(eq=False, slots=True)
class Stated:
    """A condition, the rules that its reason cites (by which `without` finds it), whether it is dropped."""

    condition: ir.Condition
    cited: frozenset[str] = frozenset()
    gone: bool = False

    def unless(self, other: ir.Expression | None) -> Stated:
        """The same where something else does not hold."""
        return self if other is None else self.testing(either(other, self.condition.test))

    def testing(self, test: ir.Expression) -> Stated:
        return replace(self, condition=replace(self.condition, test=test))


def stated(
    values: Expressions, place: nodes.MustHold, inside: frozenset[str] = frozenset(), before: _Before = None
) -> list[Stated]:
    """What a line says must hold: one condition, or those that the definitions list which it asks.

    `inside` are the definitions whose lines are being read; one that asks itself is reported elsewhere.
    `before` gives what `base` lists.
    """
    test = values.flag(place.condition)
    terms = terms_of(place.condition) if place.reason is None else []
    asked = [_asked(values, term, inside) for term in terms]
    bases = [before is not None and isinstance(term, written.Base) for term in terms]
    if not any(asked) and not any(bases):
        return [Stated(condition_of(values.here, values, place, test, place.reason), cited(place.reason))]
    found: list[Stated] = []
    values = _quiet(values)
    for term, entry, is_base in zip(terms, asked, bases, strict=True):
        if is_base and before is not None:
            found += before()
        elif entry is not None:
            found += _Listing(values, entry, term, inside).conditions()
        else:
            found.append(Stated(condition_of(values.here, values, term, values.flag(term), None)))
        values = values.given(term)
    return found


def listed(values: Expressions, place: written.Expression) -> list[Stated] | None:
    """What the definition lists that is asked here; None if it lists nothing, nor ever did."""
    place, quiet = _bare(place), _quiet(values)
    entry = _asked(quiet, place, frozenset())
    return _Listing(quiet, entry, place, frozenset()).conditions() if entry is not None else None


def why_not(values: Expressions, place: written.Expression) -> ir.Expression | None:
    """The reason of the first line that does not hold, as a text, empty where it has none."""
    found = listed(values, place)
    if found is None:
        return None
    said: ir.Expression = ir.Const(value="", type=ir.TEXT)
    for one in reversed(found):
        reason = one.condition.reason or ir.Const(value="", type=ir.TEXT)
        said = ir.Conditional(condition=one.condition.test, then=said, otherwise=reason, type=ir.TEXT)
    return said


def condition_of(
    here: Here, values: Expressions, place: Node, test: ir.Expression, reason: nodes.Reason | str | None
) -> ir.Condition:
    """A condition with the text that says why not, and the rules that the text cites."""
    rules: tuple[str, ...] = (here.rule.id,)
    text: ir.Expression | None = None
    if isinstance(reason, str):
        text = ir.Const(value=reason, type=ir.TEXT)
    elif reason is not None:
        text = values.text(reason.text)
        rules = tuple(number.text for number in reason.refs.numbers) if reason.refs is not None else rules
    return ir.Condition(test=test, reason=text, rules=rules, site=here.site(place))


def cited(reason: nodes.Reason | None) -> frozenset[str]:
    if reason is None or reason.refs is None:
        return frozenset()
    return frozenset(number.text for number in reason.refs.numbers)


def terms_of(place: written.Expression) -> list[written.Expression]:
    """The parts that must all hold, without brackets around them."""
    place = _bare(place)
    if isinstance(place, written.Conjunction):
        return [term for part in place.parts for term in terms_of(part)]
    return [place]


def _bare(place: written.Expression) -> written.Expression:
    while isinstance(place, written.Group):
        place = place.inner
    return place


def _asked(values: Expressions, place: written.Expression, inside: frozenset[str]) -> Entry | None:
    """The definition with lines of its own that is asked, unless a local has its name."""
    name = place.name.text if isinstance(place, (written.Call, written.Name)) else ""
    known = name not in values.scope.names and name not in inside
    return values.words.needs.get(name) if known else None


def _quiet(values: Expressions) -> Expressions:
    """What is wrong is reported where it stands, and what words mean is noted there, once."""
    words = replace(values.words, meanings=None)
    return Expressions(replace(values.here, vocabulary=words, quiet=True), values.scope)


# ---------------------------------------------------------------- as a definition


def all_hold(here: Here, values: Expressions, place: nodes.Needs, wanted: ir.Type) -> ir.Expression:
    """The definition as a flag; what is wrong with its reasons is reported here."""
    if wanted not in (ir.FLAG, WRONG):
        here.error("E0254", place.lines[0], type=wanted)
        return MISTAKE
    result: ir.Expression | None = None
    for _, line, known in _known(values, place):
        test = known.flag(line.condition)
        if line.reason is not None:
            known.text(line.reason.text)
        result = both(result, test)
    return result if result is not None else MISTAKE


def reasons_of(here: Here, values: Expressions, name: str, place: nodes.Needs) -> Iterator[ir.Definition]:
    """The reasons of a version that have values in them, under names that no author can write."""
    for number, line, known in _known(values, place):
        if line.reason is not None:
            yield from _worded(here, known, _reason_name(name, number), line.reason)


def reasons_added(words: Vocabulary, entry: Entry) -> Iterator[ir.Definition]:
    """The same for what other rules narrow a definition by."""
    for number, edit in enumerate(entry.edits):
        line = edit.declaration.node if edit.declaration is not None else None
        if not isinstance(line, nodes.DefineOnly) or line.reason is None:
            continue
        if words.functions[entry.name].type != ir.FLAG:
            continue  # which is told of its condition
        here = Here(edit.rule, words)
        if entry.name not in words.needs:
            here.error("E0526", line.reason, name=entry.name)
            continue
        values = Expressions(here, scope_of(words.functions[entry.name].parameters))
        values.text(line.reason.text)
        yield from _worded(here, values, _reason_name(f"{entry.name} only", number), line.reason)


def _known(values: Expressions, place: nodes.Needs) -> Iterator[tuple[int, nodes.MustHold, Expressions]]:
    """Each line, with what those before it tell of things."""
    for number, line in enumerate(place.lines):
        yield number, line, values
        values = values.given(line.condition)


def _worded(here: Here, values: Expressions, name: str, reason: nodes.Reason) -> Iterator[ir.Definition]:
    body = _quiet(values).text(reason.text)
    if not isinstance(body, ir.Const):
        parameters = tuple(
            ir.Parameter(name=inside, type=kind) for inside, kind in values.scope.names.values()
        )
        yield ir.Definition(name=name, parameters=parameters, type=ir.TEXT, body=body, site=here.site(reason))


def _reason_name(name: str, number: int) -> str:
    return f"why not {name} {number + 1}"


# ---------------------------------------------------------------- as what must hold


def _or_else(found: list[Stated], more: list[ir.Expression]) -> list[Stated]:
    """The lines, or something else: it is asked where one of them fails, and those below are not."""
    if not more:
        return found
    result: list[Stated] = []
    above: ir.Expression | None = None
    for one in found:
        test = one.condition.test
        let_through = reduce(either, more, test)
        result.append(one.testing(let_through if above is None else either(negated(above), let_through)))
        above = both(above, test)
    return result


class _Listing:
    """The lines of a definition, with what it is asked about in place of its parameters."""

    def __init__(
        self, values: Expressions, entry: Entry, place: written.Expression, inside: frozenset[str]
    ) -> None:
        self.values = values
        self.words = values.words
        self.entry = entry
        self.inside = inside | {entry.name}
        self.signature = self.words.functions[entry.name]
        given = in_brackets(place.arguments) if isinstance(place, written.Call) else ()
        self.arguments = values.arguments(self.signature, given, place)
        self.stands_for: dict[str, ir.Expression] = {}

    def conditions(self) -> list[Stated]:
        if self.arguments is None:
            return []
        fixed = [self._whole(self.entry.versions[-1], self.entry.name)] if self._is_fixed() else []
        found = fixed or self._as_amended()
        return [replace(one, condition=self._filled(one.condition)) for one in found]

    def _is_fixed(self) -> bool:
        """Whether it is worked out at the start of a phase, and no longer by its lines."""
        last = self.entry.versions[-1]
        assert last.declaration is not None
        return last.declaration.read(nodes.Define).fixed_at is not None

    def _whole(self, version: Version, name: str) -> Stated:
        """A version as a flag without reasons."""
        assert self.arguments is not None and version.declaration is not None
        here, place = Here(version.rule, self.words), version.declaration.node
        test = ir.Call(name=name, arguments=self.arguments, type=ir.FLAG, site=here.site(place))
        return Stated(condition_of(here, self.values, place, test, None))

    def _as_amended(self) -> list[Stated]:
        found = self._versions(len(self.entry.versions))
        more = [self._more(edit) for edit in self.entry.edits]
        found = _or_else(found, [one for one in more if one is not None])
        narrowed = (self._narrowed(edit, number) for number, edit in enumerate(self.entry.edits))
        return [*found, *(one for one in narrowed if one is not None)]

    def _versions(self, count: int) -> list[Stated]:
        """What the first versions list, each while it is in force."""
        found: list[Stated] = []
        for version, held in editions(self.entry.versions[:count]):
            here, scope = self._at(version)
            active = test_of(self.words, scope, held)
            otherwise = None if active is None else negated(active)
            found += [one.unless(otherwise) for one in self._version(here, scope, version)]
        return found

    def _at(self, version: Version) -> tuple[Here, Scope]:
        """Where a version stands, and what its own names and `base` mean."""
        number, here = self.entry.versions.index(version), Here(version.rule, self.words, quiet=True)
        if not number:
            return here, self._scope(self.signature.parameters)
        assert version.declaration is not None
        declared = version.declaration.read(nodes.Define)
        scope = self._scope(own_parameters(here, self.signature, version, declared.parameters))
        before, inside = chain_names(self.entry)[number - 1], scope.names.values()
        parameters = tuple(ir.Parameter(name=name, type=kind) for name, kind in inside)
        here.base = Signature("define", before, parameters, ir.FLAG, self.signature.span)
        return here, scope

    def _scope(self, parameters: tuple[ir.Parameter, ...]) -> Scope:
        """Parameters as locals that nothing else is called, until what is asked about takes their place."""
        assert self.arguments is not None
        scope = Scope(taken=self.values.scope.taken)
        for parameter, argument in zip(parameters, self.arguments, strict=True):
            inside = scope.fresh(parameter.name)
            scope.names[parameter.name] = (inside, parameter.type)
            self.stands_for[inside] = argument
        return scope

    def _version(self, here: Here, scope: Scope, version: Version) -> list[Stated]:
        assert version.declaration is not None and self.arguments is not None
        declared, values = version.declaration.read(nodes.Define), Expressions(here, scope)
        place = self.entry.versions.index(version)
        name = chain_names(self.entry)[place]
        if isinstance(declared.value, nodes.Cases):
            return [self._whole(version, name)]
        if not isinstance(declared.value, nodes.Needs):
            return [Stated(condition_of(here, values, declared, values.flag(declared.value), None))]
        found = []
        for number, line, known in _known(values, declared.value):
            said = _reason_name(name, number)
            lines = stated(known, line, self.inside, lambda: self._versions(place))
            found += [self._worded(one, said, line.reason) for one in lines]
        return found

    def _more(self, edit: Version) -> ir.Expression | None:
        """`define NAME also E when C`: what lets through whatever the lines say."""
        line = edit.declaration.node if edit.declaration is not None else None
        if not isinstance(line, nodes.DefineAlso):
            return None
        values = self._edit(edit)
        more = values.flag(line.value)
        for condition in (edit.condition, line.condition):
            if condition is not None:
                more = both(values.flag(condition), more)
        return more

    def _narrowed(self, edit: Version, number: int) -> Stated | None:
        """`define NAME only if E else "..."`: one more line."""
        line = edit.declaration.node if edit.declaration is not None else None
        if not isinstance(line, nodes.DefineOnly):
            return None
        values = self._edit(edit)
        condition = condition_of(values.here, values, line, values.flag(line.condition), line.reason)
        name = _reason_name(f"{self.entry.name} only", number)
        one = self._worded(Stated(condition, cited(line.reason)), name, line.reason)
        return one.unless(negated(values.flag(edit.condition)) if edit.condition is not None else None)

    def _edit(self, edit: Version) -> Expressions:
        return Expressions(Here(edit.rule, self.words, quiet=True), self._scope(self.signature.parameters))

    def _worded(self, one: Stated, name: str, told: nodes.Reason | None) -> Stated:
        """A reason with values in it is asked of its definition."""
        assert self.arguments is not None
        if told is None or isinstance(one.condition.reason, ir.Const):
            return one
        reason = ir.Call(name=name, arguments=self.arguments, type=ir.TEXT, site=one.condition.site)
        return replace(one, condition=replace(one.condition, reason=reason))

    def _filled(self, condition: ir.Condition) -> ir.Condition:
        for name, argument in self.stands_for.items():
            condition = substitute(condition, name, argument)
        return condition
