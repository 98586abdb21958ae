"""Checks of the whole program: circles, things never used, phases nobody reaches, choices nobody can make.

Everything here looks at what the rules became, so it runs last and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddob_rules.check.memory import Memory
from ddob_rules.check.review.contradictions import never
from ddob_rules.check.scope import Here, Vocabulary
from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.stack.book import Book
from ddob_rules.stack.overlay import Entry, Merged, resembled
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.source import Span
from interpreter import ir
from interpreter.ir.walk import callees_first, parts


def called(item: object) -> list[str]:
    """The names of what a body calls; definitions and procedures have different names."""
    found: list[str] = []
    for part in parts(item):
        match part:
            case ir.Call(name=name) | ir.Perform(name=name):
                found.append(name)
            case ir.Apply(table=name):
                found.append(name)
            case ir.PickBy(priority=name):
                found.append(f"priority {name}")
            case ir.Offer(group=group):
                found.append(f"group {group}")
            case ir.Take(action=name):
                found.append(f"action {name}")
    return found


# ---------------------------------------------------------------- circles


def check_circles(program: ir.Program, merged: Merged, words: Vocabulary, memory: Memory) -> None:
    """No definition or procedure may need itself: that is what makes every game go on."""
    graph = calls(program, memory)
    done: set[str] = set()
    circles = [circle for start in graph if (circle := _circle(graph, start, done)) is not None]
    for circle in circles:
        _report_circle(circle, merged, words)
    if not circles:
        _check_depth(graph, merged, words)


#: So many definitions or procedures may call one another, one inside the other.
_DEEPEST = 100


def _check_depth(graph: dict[str, list[str]], merged: Merged, words: Vocabulary) -> None:
    """Chains of calls end, but long ones use up the memory for calls under way."""
    depth: dict[str, int] = {}
    below: dict[str, str] = {}
    for name in callees_first(graph):
        deepest = max((one for one in graph[name] if one in depth), key=lambda one: depth[one], default="")
        depth[name], below[name] = 1 + depth.get(deepest, 0), deepest
    start = max(depth, key=lambda one: depth[one], default="")
    if depth.get(start, 0) <= _DEEPEST:
        return
    chain = [start]
    while below[chain[-1]]:
        chain.append(below[chain[-1]])
    found = [(name, entry) for name in chain if (entry := entry_of(name, merged)) is not None]
    if found:
        name, entry = found[0]
        version = entry.versions[-1]
        place = version.declaration.span if version.declaration is not None else version.rule.span
        Here(version.rule, words).error("E0240", place, name=name, depth=depth[name], limit=_DEEPEST)


def calls(program: ir.Program, memory: Memory) -> dict[str, list[str]]:
    """What calls what."""
    graph: dict[str, list[str]] = {}
    for definition in program.definitions:
        graph[definition.name] = memory.fact(called, definition.body)
    for table in program.tables:
        graph[table.name] = memory.fact(called, table.rows)
    for procedure in program.procedures:
        graph[procedure.name] = memory.fact(called, procedure.body)
    for priority in program.priorities:
        graph[f"priority {priority.name}"] = called((priority.criteria, priority.player))
    for action in program.actions:
        graph[f"action {action.name}"] = called((action.conditions, action.body, action.label))
        for group in action.groups:
            graph.setdefault(f"group {group}", []).append(f"action {action.name}")
    return graph


def _circle(graph: dict[str, list[str]], start: str, done: set[str]) -> list[str] | None:
    path: list[str] = []
    on_path: set[str] = set()
    stack: list[tuple[str, Iterator[str]]] = []

    def push(name: str) -> None:
        path.append(name)
        on_path.add(name)
        stack.append((name, iter(graph.get(name, []))))

    if start in done:
        return None
    push(start)
    found = None
    while stack:
        name, rest = stack[-1]
        following = next(rest, None)
        if following is None:
            stack.pop()
            path.pop()
            on_path.discard(name)
            done.add(name)
        elif following in on_path:
            found = found or [*path[path.index(following) :], following]
        elif following not in done:
            push(following)
    return found


_SORTS = ("table ", "trigger ", "priority ", "group ", "action ", "phase ")


def _report_circle(circle: list[str], merged: Merged, words: Vocabulary) -> None:
    plain = [name.split(" as of ")[0].removesuffix(" rows").removesuffix(" itself") for name in circle]
    shown = [name for number, name in enumerate(plain) if number == 0 or name != plain[number - 1]]
    if len(shown) == 1:
        shown.append(shown[0])
    text = " -> ".join(f"`{name}`" for name in shown)
    for name in shown:
        entry = entry_of(name, merged)
        if entry is not None:
            version = entry.versions[-1]
            place = version.declaration.span if version.declaration is not None else version.rule.span
            Here(version.rule, words).error("E0209", place, circle=text)
            return
    for book in merged.books:
        for rule in book.rules[:1]:
            Here(rule, words).error("E0209", rule.span, circle=text)
            return


def entry_of(name: str, merged: Merged) -> Entry | None:
    sort = next((sort for sort in _SORTS if name.startswith(sort)), "")
    plain = name.removeprefix(sort)
    kinds = {
        "trigger ": ("trigger",),
        "action ": ("action",),
        "priority ": ("priority",),
        "table ": ("table",),
    }
    for entry in merged.entries.values():
        if entry.kind == "attach" and name == f"{entry.name} of {entry.base.rule.id}":
            return entry
        if entry.kind == "way" and name.startswith(f"{entry.name} "):
            return entry
        wanted = kinds.get(sort, ("define", "value", "table", "procedure"))
        if entry.name == plain and entry.kind in wanted and sort not in ("group ", "phase "):
            return entry
    return None


# ---------------------------------------------------------------- what nobody uses


#: Kinds of which it is known who uses them.
_USED = ("define", "value", "way", "table", "procedure", "priority", "variable", "dice")


def check_unused(merged: Merged, words: Vocabulary, memory: Memory) -> list[Diagnostic]:
    """Words that no rule uses: usually a misspelling somewhere else. Overlays may leave base words unused."""
    if len(merged.books) > 1:
        return []
    used = words.used | _mentioned(merged.books, memory)
    found: list[Diagnostic] = []
    for entry in merged.of_kind(*_USED):
        only_set = entry.kind == "variable" and f"set {entry.name}" in used
        if entry.name not in used and not only_set:
            found.append(_unused("W0201", entry))
    found.extend(_unused("W0203", entry) for entry in merged.of_kind("option") if entry.name not in used)
    return found


def _mentioned(books: list[Book], memory: Memory) -> set[str]:
    """The words of all examples."""
    return set().union(*(memory.fact(_words, example.node) for book in books for example in book.examples))


def _words(tree: Node) -> set[str]:
    return {part.text for part in tree.walk() if isinstance(part, Leaf)}


def check_slips(merged: Merged, words: Vocabulary, memory: Memory) -> list[Diagnostic]:
    """New names in amending rules that nobody uses and that look like one of the rule amended."""
    mentioned = _mentioned(merged.books, memory) if merged.new_names else set()
    found: list[Diagnostic] = []
    for declaration, targets in merged.new_names:
        if declaration.kind not in _USED:
            continue
        used = {declaration.name, f"set {declaration.name}"} & {*words.used, *mentioned}
        meant = "" if used else resembled(merged, declaration, targets)
        entry = next((entry for entry in merged.entries.values() if entry.name == meant), None)
        if entry is None:
            continue
        rule, owner = declaration.rule, entry.base.rule
        arguments = {"name": declaration.name, "other": meant, "number": owner.id}
        advice = did_you_mean(declaration.name, [meant], rule.language)
        place = Label(entry.base.span, f"rule {owner.id}")
        found.append(
            report(
                "E0515", declaration.span, place, language=rule.language, rule=rule.id, help=advice,
                **arguments,
            )
        )  # fmt: skip
    return found


def _unused(code: str, entry: Entry) -> Diagnostic:
    rule = entry.base.rule
    return report(code, entry.base.span, language=rule.language, rule=rule.id, name=entry.name)


# ---------------------------------------------------------------- phases and actions


def check_phases(program: ir.Program, merged: Merged, words: Vocabulary, memory: Memory) -> None:
    """Actions never offered or never possible, groups without actions, phases never reached."""
    bodies = [procedure.body for procedure in program.procedures]
    bodies += [action.body for action in program.actions]
    bodies += [victory.body for victory in program.victories]
    inside = [part for body in bodies for part in memory.fact(_steps, body)]
    offered = {part.group for part in inside if isinstance(part, ir.Offer)}
    taken = {part.action for part in inside if isinstance(part, ir.Take)}
    actions = {action.name: action for action in program.actions}
    for entry in merged.of_kind("action"):
        action = actions.get(entry.name)
        if action is not None:
            _check_action(words, entry, action, offered, taken)
    groups = {group for action in program.actions for group in action.groups}
    for group in sorted(offered - groups):
        place = words.groups.get(group)
        if place is not None:
            help_text = did_you_mean(group, sorted(groups), words.language) or None
            _report_at(merged, words, "E0404", place, help=help_text, group=group)
    _check_reached(inside, merged, words)


def _steps(body: tuple[ir.Statement, ...]) -> list[object]:
    """What says where a body leads: offers, actions taken, calls and conditions."""
    return [part for part in parts(body) if isinstance(part, (ir.Offer, ir.Take, ir.If, ir.Perform))]


def _check_action(
    words: Vocabulary, entry: Entry, action: ir.Action, offered: set[str], taken: set[str]
) -> None:
    here = Here(entry.base.rule, words)
    removed = set(action.groups) & words.removed_phases
    if not set(action.groups) & offered and entry.name not in taken and not removed:
        meant = [did_you_mean(group, sorted(offered), here.rule.language) for group in action.groups]
        groups = ", ".join(f"`{group}`" for group in action.groups)
        advice = next(filter(None, meant), None)
        here.error("E0403", entry.base.span, help=advice, name=entry.name, groups=groups)
    elif never(condition.test for condition in action.conditions):
        here.error("W0401", entry.base.span, name=entry.name)


def _check_reached(inside: list[object], merged: Merged, words: Vocabulary) -> None:
    """A phase that stands only where the conditions exclude each other."""
    guarded = [part for part in inside if isinstance(part, ir.If) and never([part.condition])]
    dead = [name for part in guarded for name in called(part.then) if name.startswith("phase ")]
    calls = [part.name for part in inside if isinstance(part, ir.Perform)]
    for name in dict.fromkeys(dead):
        place = words.places.get(name)
        if place is not None and calls.count(name) == dead.count(name):
            _report_at(merged, words, "W0402", place, name=name.removeprefix("phase "))


def _report_at(
    merged: Merged, words: Vocabulary, code: str, place: Span, help: str | None = None, **arguments: object
) -> None:
    for book in merged.books:
        for rule in book.rules:
            span = rule.node.span if rule.node is not None else None
            if span is not None and span.source is place.source and span.start <= place.start < span.end:
                Here(rule, words).error(code, place, help=help, **arguments)
                return
