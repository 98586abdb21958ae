"""From triggers to what they watch and the procedures they run; from procedures to those with triggers.

Triggers on an attribute are put in by `statements`, where the attribute changes. Those on a procedure or an
action go round its body here.
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.check.editions import chain_names, editions, own_parameters
from ddob_rules.check.effects.changes import in_force
from ddob_rules.check.effects.statements import Statements, called_with, given
from ddob_rules.check.scope import (
    WRONG,
    Held,
    Here,
    Scope,
    Signature,
    Vocabulary,
    Watch,
    attribute_space,
    locals_of,
    scope_of,
)
from ddob_rules.check.type_names import parameters_of
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.written import shown
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes.expressions import Attribute, Expression, Name
from ddob_rules.syntax.nodes.rules import Becomes, Happens, Procedure, Trigger
from interpreter import ir

# ---------------------------------------------------------------- what is watched


def collect_watches(words: Vocabulary, entry: Entry) -> None:
    """Makes known what a trigger watches, so that the change can run it."""
    for version, conditions in editions(entry.versions):
        if version.declaration is not None:
            _watch(words, entry, version, conditions)


def _procedure_name(entry: Entry, version: Version) -> str:
    last = version is entry.versions[-1]
    return f"trigger {entry.name}" + ("" if last else f" as of {version.rule.id}")


def _watch(words: Vocabulary, entry: Entry, version: Version, conditions: tuple[Held, ...]) -> None:
    assert version.declaration is not None
    here = Here(version.rule, words)
    declared = version.declaration.read(Trigger)
    change = declared.change
    parameters = parameters_of(here, declared.parameters)
    watch = Watch(
        procedure=_procedure_name(entry, version),
        timing=declared.timing.word.text,
        parameters=parameters,
        becomes=change.value if isinstance(change, Becomes) else None,
        condition=declared.condition,
        rule=version.rule,
        in_force=conditions,
    )
    if isinstance(change, Happens):
        key = _watched_call(here, entry.name, change.call, parameters)
    else:
        key = _watched_attribute(here, entry.name, change.target, watch)
    if key is None:
        return
    in_force(words, watch, scope_of(parameters))
    words.watches.setdefault(key, []).append(watch)


def _watched_call(
    here: Here, name: str, subject: Expression, parameters: tuple[ir.Parameter, ...]
) -> tuple[str, str] | None:
    """`after retreat(u)`: the parameters must be those of the procedure or action, in its order."""
    words = here.vocabulary
    called, arguments = called_with(subject)
    given = [argument.name.text if isinstance(argument, Name) else "" for argument in arguments]
    sort = "action" if called is not None and called.text in words.actions else "procedure"
    known = words.actions if sort == "action" else words.procedures
    if called is None or called.text not in known:
        here.error("E0411", subject, text=shown(subject))
        return None
    wanted = [parameter.type for parameter in known[called.text].parameters]
    types = [parameter.type for parameter in parameters]
    if [parameter.name for parameter in parameters] != given or types != wanted:
        if WRONG not in types:
            here.error("E0412", subject, name=name)
        return None
    return sort, called.text


def _watched_attribute(here: Here, name: str, subject: Expression, watch: Watch) -> tuple[str, str] | None:
    """`after u.steps changes`: the only parameter is what has the attribute."""
    parameters = watch.parameters
    if not isinstance(subject, Attribute) or not parameters:
        here.error("E0411", subject, text=shown(subject))
        return None
    scope = scope_of(parameters)
    owner = Expressions(here, scope).of(subject.owner)
    if owner.type == WRONG:
        return None
    if not isinstance(owner, ir.Local) or owner.name != parameters[0].name or len(parameters) != 1:
        here.error("E0412", subject, name=name)
        return None
    found = Expressions(here, scope).get(owner, subject.name)
    if found.type == WRONG:
        return None
    if isinstance(found, ir.Call) or (isinstance(found, ir.Get) and found.fixed):
        here.error("E0411", subject, text=shown(subject))
        return None
    if watch.becomes is not None:
        Expressions(here, scope).of(watch.becomes, found.type)
    return attribute_space(owner.type) or "", subject.name.text


# ---------------------------------------------------------------- procedures


def build_trigger(words: Vocabulary, entry: Entry) -> list[ir.Procedure]:
    """A procedure for each version that can be in force."""
    made: list[ir.Procedure] = []
    for version, _ in editions(entry.versions):
        if version.declaration is None:
            continue
        here = Here(version.rule, words)
        declared = version.declaration.read(Trigger)
        parameters = parameters_of(here, declared.parameters)
        scope = scope_of(parameters)
        body = Statements(here, scope).block(declared.block, scope)
        name, site = _procedure_name(entry, version), here.site(version.declaration.span)
        made.append(ir.Procedure(name=name, parameters=parameters, body=body, site=site, role="trigger"))
    return made


def build_procedures(words: Vocabulary, entry: Entry) -> list[ir.Procedure]:
    """The versions of a procedure, the one in force last; with triggers, that one goes round it."""
    signature = words.procedures[entry.name]
    watches = words.watches.get(("procedure", entry.name), [])
    names = chain_names(entry)
    if watches:
        names[-1] = f"{entry.name} itself"
    made: list[ir.Procedure] = []
    base: Signature | None = None
    declarations = [one.declaration.read(Procedure) if one.declaration else None for one in entry.versions]
    citing = any(one is not None and one.citing is not None for one in declarations)
    for name, version, declared in zip(names, entry.versions, declarations, strict=True):
        place = (version.declaration or version.rule).span
        here = Here(version.rule, words, result=signature.type)
        parameters = signature.parameters
        if base is not None:
            if declared is not None:
                parameters = own_parameters(here, signature, version, declared.parameters)
            here.base = Signature("procedure", base.name, parameters, signature.type, base.span)
        scope = scope_of(parameters)
        body = Statements(here, scope).block(declared.block, scope) if declared is not None else ()
        body = guarded_body(here, version, parameters, body)
        site = here.site(place)
        made.append(ir.Procedure(name=name, parameters=parameters, body=body, site=site, cites_cause=citing))
        base = Signature("procedure", name, parameters, ir.EFFECT, place)
    if watches and base is not None:
        site = made[-1].site
        *begin, end = passed_on(base.name, signature.type, base.parameters, site)
        if signature.type == ir.EFFECT:
            body = watched_body(words, base.parameters, watches, (end,), site)
        else:
            # The result waits until the triggers have run; if one acts instead, there is none.
            empty = ir.Let(name=_RESULT, value=given(signature.type), site=site)
            body = (empty, *watched_body(words, base.parameters, watches, tuple(begin), site), end)
        made.append(
            ir.Procedure(
                name=entry.name, parameters=base.parameters, body=body, site=site, cites_cause=citing
            )
        )
    return made


#: A local that no author can name.
_RESULT = "result of it"


def passed_on(
    name: str, kind: ir.Type, parameters: tuple[ir.Parameter, ...], site: ir.Site
) -> tuple[ir.Statement, ...]:
    """A call of the version before, whose result becomes one's own."""
    call = ir.Perform(name=name, arguments=locals_of(parameters), site=site)
    if kind == ir.EFFECT:
        return (call,)
    kept = ir.Let(name=_RESULT, value=given(kind), site=site)
    return replace(call, gives=kind), kept, ir.Give(value=ir.Local(name=_RESULT, type=kind), site=site)


def guarded_body(
    here: Here, version: Version, parameters: tuple[ir.Parameter, ...], body: tuple[ir.Statement, ...]
) -> tuple[ir.Statement, ...]:
    """A body that hands over to the version before it, if there is one, when its condition does not hold."""
    if version.condition is None:
        return body
    condition = Expressions(here, scope_of(parameters)).flag(version.condition)
    site = here.site(version.rule.span)
    before: tuple[ir.Statement, ...] = ()
    if here.base is not None:
        before = passed_on(here.base.name, here.base.type, parameters, site)
    return (ir.If(condition=condition, then=body, otherwise=before, site=site),)


def watched_body(
    words: Vocabulary,
    parameters: tuple[ir.Parameter, ...],
    watches: list[Watch],
    body: tuple[ir.Statement, ...],
    site: ir.Site,
) -> tuple[ir.Statement, ...]:
    """Puts triggers round a body: before it, after it, instead of it."""
    for timing in ("before", "after", "instead of"):
        # Each goes round what is there already: those before it are put in from the last to the first.
        for watch in reversed(watches) if timing == "before" else watches:
            if watch.timing != timing:
                continue
            fired = _fired(words, parameters, watch, site)
            if timing == "before":
                body = (fired, *body)
            elif timing == "after":
                body = (*body, fired)
            else:
                body = (ir.If(condition=fired.condition, then=fired.then, otherwise=body, site=site),)
    return body


def _fired(words: Vocabulary, parameters: tuple[ir.Parameter, ...], watch: Watch, site: ir.Site) -> ir.If:
    scope = Scope()
    for own, parameter in zip(watch.parameters, parameters, strict=True):
        scope.names[own.name] = (parameter.name, parameter.type)
        scope.taken[parameter.name] = 1
    tests = in_force(words, watch, scope, quiet=True)  # what a trigger says was checked where it stands
    condition: ir.Expression = tests[0] if tests else ir.Const(value=True, type=ir.FLAG)
    for test in tests[1:]:
        condition = ir.Binary(operator="and", left=condition, right=test, type=ir.FLAG)
    call = ir.Perform(name=watch.procedure, arguments=locals_of(parameters), site=site)
    return ir.If(condition=condition, then=(call,), otherwise=(), site=site)
