"""From actions to what they need, what they cost and what they do, in the version that is in force.

A condition of a version counts while that version does. Costs and limits become conditions and effects of
their own; the counter of a limit is reset by the phase or the turn that it is for.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from ddob_rules.check.editions import editions, either, negated, own_parameters, test_of
from ddob_rules.check.effects.changes import Changes
from ddob_rules.check.effects.limits import Limit, build_limit
from ddob_rules.check.effects.statements import Statements
from ddob_rules.check.effects.triggers import watched_body
from ddob_rules.check.knowing import with_known_names
from ddob_rules.check.scope import Held, Here, Scope, Signature, Vocabulary, of_phase, renamed_scope
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.needs import Stated, cited, condition_of, stated
from ddob_rules.reports.spelling import suggest
from ddob_rules.stack.book import text_of
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes import Leaf
from ddob_rules.syntax.nodes import rules as nodes
from interpreter import ir


@dataclass(eq=False, slots=True)
class BuiltAction:
    action: ir.Action
    procedures: list[ir.Procedure]  # what `base` stands for
    limits: list[Limit]


@dataclass(frozen=True, slots=True)
class _Header:
    """The first line of an action, in the version that decides it."""

    title: str
    actor: ir.Parameter
    by: ir.Expression | None
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Without:
    """A condition that is dropped, and the conditions below that line, which take its place."""

    refs: nodes.Refs
    instead: list[Stated]


@dataclass(eq=False, slots=True)
class _Lines:
    """The lines of an action: conditions, effects of costs and limits, the `do` block and the label."""

    conditions: list[Stated] = field(default_factory=list)
    without: list[_Without] = field(default_factory=list)
    effects: list[ir.Statement] = field(default_factory=list)
    body: tuple[ir.Statement, ...] | None = None
    label: ir.Expression | None = None

    def state(self, one: Stated) -> None:
        (self.without[-1].instead if self.without else self.conditions).append(one)


class _Builder:
    def __init__(self, words: Vocabulary, entry: Entry) -> None:
        self.words = words
        self.entry = entry
        self.signature = words.actions[entry.name]
        self.header = _header(words, entry)
        self.parameters = (self.header.actor, *self.signature.parameters)
        self.procedures: list[ir.Procedure] = []
        self.limits: list[Limit] = []
        self.label: ir.Expression | None = None
        self.started: ir.Expression | None = None

    def build(self) -> BuiltAction:
        entry, words = self.entry, self.words
        site = Here(entry.base.rule, words).site(entry.base.span)
        conditions, body = self._versions()
        for edit in entry.edits:
            before, after = self._edit(edit, conditions)
            body = (*before, *body, *after)
        watches = words.watches.get(("action", entry.name), [])
        if watches:
            body = watched_body(words, self.signature.parameters, watches, body, site)
        action = ir.Action(
            name=entry.name, title=self.header.title, actor=self.header.actor.name, by=self.header.by,
            groups=self.header.groups, parameters=self.signature.parameters,
            conditions=tuple(one.condition for one in conditions if not one.gone),
            body=body, label=self.label, started=self.started, site=site,
        )  # fmt: skip
        return BuiltAction(action, self.procedures, self.limits)

    # ------------------------------------------------------------ versions

    def _versions(self) -> tuple[list[Stated], tuple[ir.Statement, ...]]:
        """Conditions and effects, each while its version is in force."""
        alive = editions(self.entry.versions)
        conditions: list[Stated] = []
        body: tuple[ir.Statement, ...] = ()
        base: Signature | None = None
        for version in self.entry.versions:
            held = next((conditions for other, conditions in alive if other is version), None)
            here = Here(version.rule, self.words, base)
            site = here.site(version.rule.span)
            scope = self._scope(here, version)
            if version.declaration is None:
                if held is not None:
                    conditions.append(Stated(self._off(held, scope, version, site)))
                continue
            lines = self._lines(here, scope, version.declaration.read(nodes.Action).body)
            if lines.body is None:
                here.error("E0402", version.declaration.span, name=self.entry.name)
            for without in lines.without:
                here.error("E0525", without.refs)
            own = (*lines.effects, *(lines.body or ()))
            base = self._keep(version, here, own)
            if held is None:
                continue
            active = test_of(self.words, scope, held)
            conditions.extend(_while(active, one) for one in lines.conditions)
            body = self._over(version, scope, own, body, site)
        return [*map(Stated, self._somewhere(alive)), *conditions], body

    def _scope(self, here: Here, version: Version) -> Scope:
        own = self.signature.parameters
        if version.declaration is not None and version is not self.entry.versions[0]:
            stated = version.declaration.read(nodes.Action).parameters
            own = own_parameters(here, self.signature, version, stated)
        scope = renamed_scope(self.parameters, (self._own_actor(version), *own))
        scope.phase = self._phase_variables()
        return scope

    def _phase_variables(self) -> dict[str, ir.Global]:
        """What every phase that offers the action goes through: its conditions and effects may look at it."""
        found: dict[str, ir.Global] | None = None
        for group in self.header.groups:
            own = {p.name: self._kept(group, p) for p in self.words.phases.get(group, ())}
            shared = own if found is None else {n: k for n, k in found.items() if own.get(n) == k}
            found = shared
        taken = {parameter.name for parameter in self.parameters}
        return {name: kind for name, kind in (found or {}).items() if name not in taken}

    def _kept(self, group: str, parameter: ir.Parameter) -> ir.Global:
        """The variable that keeps a parameter of a phase."""
        called = self.words.inside_called.get(group, "")
        own = [known.name for known in self.words.called_phases.get(called, ())]
        name = parameter.name
        inside = of_phase(name, called) if name in own else f"phase {name}"
        return ir.Global(name=inside, type=parameter.type)

    def _own_actor(self, version: Version) -> ir.Parameter:
        """Whoever acts has the name that the version gives, or `actor`."""
        if version.declaration is None:
            return self.header.actor
        name, _ = _actor(self.words, version.declaration.read(nodes.Action).actor)
        return ir.Parameter(name=name, type=ir.PLAYER)

    def _off(self, held: tuple[Held, ...], scope: Scope, version: Version, site: ir.Site) -> ir.Condition:
        active = test_of(self.words, scope, held)
        test = negated(active) if active is not None else ir.Const(value=False, type=ir.FLAG)
        return ir.Condition(test=test, reason=None, rules=(version.rule.id,), site=site)

    def _somewhere(self, alive: list[tuple[Version, tuple[Held, ...]]]) -> list[ir.Condition]:
        """An action that a rule brings under a condition is not there without it."""
        first = self.entry.versions[0]
        if first.condition is None or alive[0][0] is not first:
            return []
        here = Here(first.rule, self.words)
        test: ir.Expression | None = None
        for version, _ in alive:
            assert version.condition is not None
            if version.declaration is not None:
                scope = self._scope(Here(version.rule, self.words), version)
                own = Expressions(Here(version.rule, self.words), scope).flag(version.condition)
                test = own if test is None else either(test, own)
        assert test is not None
        site = here.site(first.rule.span)
        return [ir.Condition(test=test, reason=None, rules=(first.rule.id,), site=site)]

    def _keep(self, version: Version, here: Here, body: tuple[ir.Statement, ...]) -> Signature:
        """A procedure with the effects of a version, for the next one's `base`."""
        assert version.declaration is not None
        name = f"action {self.entry.name} as of {version.rule.id}"
        place = version.declaration.span
        if version is not self.entry.versions[-1]:
            self.procedures.append(
                ir.Procedure(name=name, parameters=self.parameters, body=body, site=here.site(place))
            )
        return Signature("action", name, self.parameters, ir.EFFECT, place)

    def _over(
        self,
        version: Version,
        scope: Scope,
        own: tuple[ir.Statement, ...],
        before: tuple[ir.Statement, ...],
        site: ir.Site,
    ) -> tuple[ir.Statement, ...]:
        if version.condition is None or version is self.entry.versions[0]:
            return own
        test = Expressions(Here(version.rule, self.words), scope).flag(version.condition)
        return (ir.If(condition=test, then=own, otherwise=before, site=site),)

    # ------------------------------------------------------------ lines

    def _edit(
        self, edit: Version, conditions: list[Stated]
    ) -> tuple[tuple[ir.Statement, ...], tuple[ir.Statement, ...]]:
        """`action NAME also`: conditions, costs before what the action does, effects after it."""
        assert edit.declaration is not None
        here = Here(edit.rule, self.words)
        scope = renamed_scope(self.parameters, self.parameters)
        scope.phase = self._phase_variables()
        lines = self._lines(here, scope, edit.declaration.read(nodes.ActionAlso).body)
        before, after = tuple(lines.effects), lines.body or ()
        held = Expressions(here, scope).flag(edit.condition) if edit.condition is not None else None
        for without in lines.without:
            self._drop(here, without, held, conditions)
        conditions.extend(_while(held, one) for one in lines.conditions)
        if held is None:
            return before, after
        site = here.site(edit.rule.span)
        guarded = [
            (ir.If(condition=held, then=effects, otherwise=(), site=site),) if effects else ()
            for effects in (before, after)
        ]
        return guarded[0], guarded[1]

    def _drop(
        self, here: Here, without: _Without, held: ir.Expression | None, conditions: list[Stated]
    ) -> None:
        """Takes the one condition away that cites just these rules, and puts in what stands for it."""
        wanted = frozenset(number.text for number in without.refs.numbers)
        found = [number for number, one in enumerate(conditions) if one.cited == wanted]
        cited = ", ".join(number.text for number in without.refs.numbers)
        if len(found) > 1:
            here.error("E0522", without.refs, name=self.entry.name, rules=cited, count=len(found))
        elif not found:
            handles = [f"({', '.join(sorted(one.cited))})" for one in conditions if one.cited]
            known = ", ".join(dict.fromkeys(handles)) or "-"
            here.error("E0521", without.refs, name=self.entry.name, rules=cited, known=known)
        if len(found) != 1:
            return
        dropped = conditions[found[0]]
        if held is None:
            dropped.gone = True
        else:
            test = either(held, dropped.condition.test)
            dropped.condition = replace(dropped.condition, test=test)
        conditions[found[0] + 1 : found[0] + 1] = [_while(held, one) for one in without.instead]

    def _lines(self, here: Here, scope: Scope, body: nodes.ActionBody) -> _Lines:
        values = Expressions(here, scope)
        lines = _Lines()
        for place in body.lines:
            match place:
                case nodes.MustHold():
                    for one in stated(values, place):
                        lines.state(one)
                    values = values.given(place.condition)
                case nodes.ActionCost():
                    self._cost(here, values, place, lines)
                case nodes.ActionLimit():
                    found = build_limit(
                        here, values, place, self.entry.name, self.signature, self.header.groups
                    )
                    if found is not None:
                        reason = found.reason or place.reason
                        condition = condition_of(here, values, place, found.test, reason)
                        lines.state(Stated(condition, cited(place.reason)))
                        lines.effects.append(found.count)
                        self.limits.append(found)
                case nodes.ActionLabel():
                    self.label = values.text(place.text)
                case nodes.ActionStarted():
                    self.started = values.of(place.things, ir.set_of(ir.PIECE))
                case nodes.ActionWithout():
                    lines.without.append(_Without(place.refs, []))
                case nodes.ActionDo() if lines.body is not None:
                    here.error("E0405", place)
                case nodes.ActionDo():
                    actor = ir.Local(name=self.header.actor.name, type=ir.PLAYER)
                    inner = with_known_names(scope, values.scope.known, place.block)
                    lines.body = Statements(here, inner, actor).block(place.block, inner)
                case _:
                    assert_never(place)
        return lines

    def _cost(self, here: Here, values: Expressions, place: nodes.ActionCost, lines: _Lines) -> None:
        have, cost = values.number(place.source), values.number(place.amount)
        enough = ir.Binary(operator=">=", left=have, right=cost, type=ir.FLAG)
        # What it takes away stays, so nothing finds this condition.
        lines.state(Stated(condition_of(here, values, place, enough, place.reason)))
        lines.effects.extend(Changes(here, values.scope).change(place.source, "-", place.amount, place))


def build_action(words: Vocabulary, entry: Entry) -> BuiltAction:
    return _Builder(words, entry).build()


def _while(active: ir.Expression | None, one: Stated) -> Stated:
    return one.unless(negated(active) if active is not None else None)


def _header(words: Vocabulary, entry: Entry) -> _Header:
    """The last version without a condition decides; those with one must agree with it."""
    deciding = entry.base
    for version in entry.versions:
        if version.declaration is not None and version.condition is None:
            deciding = version.declaration
    header = deciding.read(nodes.Action)
    for version in entry.versions:
        if version.declaration is None or version.condition is None or version.declaration is deciding:
            continue
        own = version.declaration.read(nodes.Action)
        if own.phases != header.phases or _actor(words, own.actor)[1] != _actor(words, header.actor)[1]:
            Here(version.rule, words).error("E0507", version.declaration.span)
    _check_actor(words, Here(deciding.rule, words), header)
    actor, by = _actor(words, header.actor)
    title = text_of(header.title) or entry.name.replace("_", " ")
    groups = tuple(group.text for group in header.phases.names)
    if deciding is not entry.base and any(actor == one.name for one in words.actions[entry.name].parameters):
        actor = f"_{actor}"  # the things have the names of the rule that is amended
    return _Header(title, ir.Parameter(name=actor, type=ir.PLAYER), by, groups)


def _actor(words: Vocabulary, name: Leaf) -> tuple[str, ir.Expression | None]:
    """`by us` names a player; any other name stands for whoever is acting."""
    players = words.enums["player"].values
    if name.text in players:
        return "actor", ir.Const(value=players.index(name.text), type=ir.PLAYER)
    return name.text, None


def _check_actor(words: Vocabulary, here: Here, action: nodes.Action) -> None:
    """A name that is nearly a player's, and is not used in the action, is that player's, misspelt."""
    name, players = action.actor, words.enums["player"].values
    if name.text in players or suggest(name.text, players) is None:
        return
    if sum(isinstance(part, Leaf) and part.text == name.text for part in action.walk()) == 1:
        here.unknown(name.text, name, players)
