"""From definitions, values and tables to typed definitions, one for each version of them.

A version with a condition hands over to the one before it when the condition does not hold; `base` is that
one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ddob_rules.check.editions import chain_names, own_parameters, test_of
from ddob_rules.check.scope import MISTAKE, WRONG, Here, Scope, Signature, Vocabulary, locals_of, scope_of
from ddob_rules.check.tables.tables import Variant, build_table
from ddob_rules.check.type_names import bounds_of, type_of
from ddob_rules.check.values.additions import added_up, refuse_additions
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.fixing import fixed_at_phase
from ddob_rules.check.values.needs import all_hold, reasons_added, reasons_of
from ddob_rules.check.values.ranges import within
from ddob_rules.reports.diagnostics import Label
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.stack.periods import FOREVER, Period, period
from ddob_rules.syntax.nodes import Node
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.expressions import Expression, FromTurn, Turns, UntilTurn
from ddob_rules.syntax.nodes.tables import Table
from interpreter import ir


@dataclass(eq=False, slots=True)
class Tables:
    """What the versions of a table become: sets of rows, and the definitions or procedures that pick one."""

    tables: list[ir.Table] = field(default_factory=list)
    definitions: list[ir.Definition] = field(default_factory=list)
    procedures: list[ir.Procedure] = field(default_factory=list)


def build_definitions(words: Vocabulary, entry: Entry) -> list[ir.Definition]:
    """The versions of a definition or value, the one in force last."""
    signature = words.functions[entry.name]
    made: list[ir.Definition] = []
    reasons: list[ir.Definition] = []
    base: Signature | None = None
    for name, version in zip(chain_names(entry), entry.versions, strict=True):
        assert version.declaration is not None
        declared = version.declaration.node
        assert isinstance(declared, (nodes.Define, nodes.Value))
        here = Here(version.rule, words)
        parameters, wanted = signature.parameters, signature.type
        if base is not None:
            if isinstance(declared, nodes.Define):
                parameters = own_parameters(here, signature, version, declared.parameters)
                wanted = check_type(here, entry.name, signature.type, declared.type)
            here.base = Signature(signature.sort, base.name, parameters, signature.type, base.span)
        scope = scope_of(parameters)
        values = Expressions(here, scope)
        if isinstance(declared, nodes.Define):
            body = _value(here, values, declared.value, wanted)
            if isinstance(declared.value, nodes.Needs):
                reasons += reasons_of(here, values, name, declared.value)
            body = within(bounds_of(here, declared.type), body)
        else:
            body = _history(here, values, declared.history, signature.type)
        body = _guarded(here, scope, version, body)
        place = version.declaration.span
        made.append(
            ir.Definition(
                name=name, parameters=parameters, type=signature.type, body=body, site=here.site(place)
            )
        )
        base = Signature(signature.sort, name, parameters, signature.type, place)
    made[-1] = added_up(words, entry, made[-1])
    last = entry.versions[-1]
    in_force = last.declaration.node if last.declaration is not None else None
    if isinstance(in_force, nodes.Define) and entry.edits:
        ends = bounds_of(Here(last.rule, words), in_force.type)
        made[-1] = replace(made[-1], body=within(ends, made[-1].body))
    if isinstance(in_force, nodes.Define) and in_force.fixed_at is not None:
        made[-1:] = fixed_at_phase(Here(last.rule, words), made[-1], in_force.fixed_at)
    return [*reasons, *reasons_added(words, entry), *made]


def _value(
    here: Here, values: Expressions, place: Expression | nodes.Cases | nodes.Needs, wanted: ir.Type
) -> ir.Expression:
    """The value of a definition; of several cases, that of the first which holds."""
    if isinstance(place, nodes.Needs):
        return all_hold(here, values, place, wanted)
    if not isinstance(place, nodes.Cases):
        return values.of(place, wanted)
    values_of, conditions = [], []
    for line in place.lines:  # each holds only where those before it do not
        if isinstance(line, nodes.Case):
            values_of.append(values.given(line.condition).of(line.value, wanted))
            conditions.append(values.flag(line.condition))
            values = values.given(line.condition, False)
        else:
            values_of.append(values.of(line.value, wanted))
    last = next((n for n, line in enumerate(place.lines) if isinstance(line, nodes.OtherwiseCase)), None)
    if last is None:
        here.error("E0250", place.lines[-1])
        return MISTAKE
    for late in place.lines[last + 1 :]:
        here.error("E0251", late, Label(place.lines[last].span))
    result = values_of[last]
    for condition, value in reversed(list(zip(conditions[:last], values_of[:last], strict=True))):
        result = ir.Conditional(condition=condition, then=value, otherwise=result, type=wanted)
    return result


def check_type(here: Here, name: str, declared: ir.Type, item: nodes.Type) -> ir.Type:
    """The type that an amendment states, which may not be another than that of what it amends."""
    own = type_of(here, item, effects=declared == ir.EFFECT, ranged=True)
    if WRONG not in (own, declared) and own != declared:
        here.error("E0511", item, name=name, wanted=declared, actual=own)
    return own


def _guarded(here: Here, scope: Scope, version: Version, value: ir.Expression) -> ir.Expression:
    base = here.base
    if version.condition is None or base is None:
        return value
    condition = Expressions(here, scope).flag(version.condition)
    fallback = ir.Call(
        name=base.name,
        arguments=locals_of(base.parameters),
        type=base.type,
        site=here.site(version.rule.span),
    )
    return ir.Conditional(condition=condition, then=value, otherwise=fallback, type=base.type)


# ---------------------------------------------------------------- values with a history


def _history(
    here: Here, values: Expressions, place: nodes.History | nodes.Periods, kind: ir.Type
) -> ir.Expression:
    """A value, or several with the turns they hold for; together they must cover every turn just once."""
    if isinstance(place, nodes.History):
        return values.of(place.value, kind)
    parts: list[tuple[ir.Expression, ir.Expression, Period, Node]] = []
    for part in place.periods:
        when = _when(part)
        parts.append((values.of(part.value, kind), values.of(when, ir.FLAG), period(when), part))
    _check_periods(here, [(covered, part) for _, _, covered, part in parts])
    result = parts[-1][0]
    for value, condition, _, _ in reversed(parts[:-1]):
        result = ir.Conditional(condition=condition, then=value, otherwise=result, type=kind)
    return result


def _when(part: nodes.Period) -> FromTurn | UntilTurn | Turns:
    match part:
        case nodes.PeriodFrom():
            return FromTurn(part.turn, span=part.span)
        case nodes.PeriodUntil():
            return UntilTurn(part.turn, span=part.span)
        case nodes.PeriodTurns():
            return Turns(part.first, part.last, span=part.span)


def _check_periods(here: Here, parts: list[tuple[Period, Node]]) -> None:
    if any(covered == Period() or covered.empty for covered, _ in parts):
        return  # turns that are computed cannot be judged here, and an empty range has been reported
    ordered = sorted(parts, key=lambda part: part[0].first)
    covered, place = ordered[0]
    if covered.first > 1:
        here.error("E0215", place, turn=covered.first - 1)
    for (one, _), (other, place) in zip(ordered, ordered[1:], strict=False):
        if other.first <= one.last:
            here.error("E0227", place, turn=max(other.first, 1))
        elif other.first > one.last + 1:
            here.error("E0215", place, turn=one.last + 1)
    covered, place = ordered[-1]
    if covered.last < FOREVER:
        here.error("E0215", place, turn=covered.last + 1)


# ---------------------------------------------------------------- charts and tables


def build_chart_readers(words: Vocabulary) -> list[ir.Definition]:
    """Charts with conditional edits are read through a definition that picks the edition in force."""
    made: list[ir.Definition] = []
    for (space, name), hidden in words.chart_variants.items():
        enum = space.removeprefix("enum ")
        attribute = words.attributes[space, name]
        parameters = (ir.Parameter(name="value", type=ir.enum_type(enum)),)
        scope = scope_of(parameters)

        def read(column: str, enum: str = enum, kind: ir.Type = attribute.type) -> ir.Expression:
            subject = ir.Local(name="value", type=ir.enum_type(enum))
            return ir.Get(owner="enum", attribute=column, subject=subject, type=kind, fixed=True, enum=enum)

        body = read(name)
        for conditions, variant in reversed(hidden):
            test = test_of(words, scope, conditions)
            assert test is not None
            body = ir.Conditional(condition=test, then=read(variant), otherwise=body, type=attribute.type)
        made.append(
            ir.Definition(
                name=f"chart {space}.{name}",
                parameters=parameters,
                type=attribute.type,
                body=body,
                site=attribute.site,
            )
        )
    return made


def build_tables(words: Vocabulary, entry: Entry) -> Tables:
    signature = words.functions[entry.name]
    made = Tables()
    base: Signature | None = None
    for number, (name, version) in enumerate(zip(chain_names(entry), entry.versions, strict=True), start=1):
        declaration = version.declaration
        assert declaration is not None
        here = Here(version.rule, words)
        parameters = signature.parameters
        if base is not None:
            table = declaration.node
            assert isinstance(table, Table)
            parameters = own_parameters(here, signature, version, table.parameters, table.columns)
            check_type(here, entry.name, signature.type, table.type)
            here.base = Signature("table", base.name, parameters, signature.type, base.span)
        # Edits apply to the version in force, so only the last one takes them.
        last = version is entry.versions[-1]
        edited = Entry(entry.kind, entry.name, entry.versions, entry.edits if last else [])
        # What another takes the place of need not know of the words that came with it.
        replaced = any(later.condition is None for later in entry.versions[number:])
        variants = build_table(here, edited, declaration, f"{name} rows", parameters, replaced=replaced)
        if not variants:
            return made
        made.tables.extend(table for _, table in variants)
        if signature.type == ir.EFFECT:
            made.procedures.append(_table_procedure(here, name, version, variants))
        else:
            made.definitions.append(_table_definition(here, name, version, variants))
        base = Signature("table", name, parameters, signature.type, declaration.span)
    if signature.type == ir.EFFECT:
        refuse_additions(words, entry)
    else:
        made.definitions[-1] = added_up(words, entry, made.definitions[-1])
        made.definitions.extend(reasons_added(words, entry))
    return made


def _table_definition(
    here: Here, name: str, version: Version, variants: list[tuple[Variant, ir.Table]]
) -> ir.Definition:
    """Several sets of rows under conditions, and what was there before, behind one name."""
    assert version.declaration is not None
    last = variants[-1][1]
    scope, site = scope_of(last.parameters), here.site(version.declaration.span)
    arguments = locals_of(last.parameters)
    value: ir.Expression = ir.Call(name=last.name, arguments=arguments, type=last.type, site=site)
    for variant, table in reversed(variants[:-1]):
        test = test_of(here.vocabulary, scope, variant.conditions)
        assert test is not None
        other = ir.Call(name=table.name, arguments=arguments, type=last.type, site=site)
        value = ir.Conditional(condition=test, then=other, otherwise=value, type=last.type)
    value = _guarded(here, scope, version, value)
    return ir.Definition(name=name, parameters=last.parameters, type=last.type, body=value, site=site)


def _table_procedure(
    here: Here, name: str, version: Version, variants: list[tuple[Variant, ir.Table]]
) -> ir.Procedure:
    """The same for a table of effects."""
    assert version.declaration is not None
    last = variants[-1][1]
    scope, site = scope_of(last.parameters), here.site(version.declaration.span)
    arguments = locals_of(last.parameters)
    body: tuple[ir.Statement, ...] = (ir.Apply(table=last.name, arguments=arguments, site=site),)
    for variant, table in reversed(variants[:-1]):
        test = test_of(here.vocabulary, scope, variant.conditions)
        assert test is not None
        call = ir.Apply(table=table.name, arguments=arguments, site=site)
        body = (ir.If(condition=test, then=(call,), otherwise=body, site=site),)
    if version.condition is not None and here.base is not None:
        own = Expressions(here, scope).flag(version.condition)
        before = ir.Perform(name=f"table {here.base.name}", arguments=arguments, site=site)
        body = (ir.If(condition=own, then=body, otherwise=(before,), site=site),)
    return ir.Procedure(name=f"table {name}", parameters=last.parameters, body=body, site=site, role="table")
