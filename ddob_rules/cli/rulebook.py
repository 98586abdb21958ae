"""The commands that read a rulebook in force, after all overlays: rules, show, diff, book."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ddob_rules.check.program import Checked
from ddob_rules.cli.output import harmless, harmless_lines, print_data, print_table, stop, tell
from ddob_rules.cli.targets import language_option, overlay_option, playable, printable, readable, stack_of
from ddob_rules.cli.writing import check_writable, write_whole
from ddob_rules.library.finding import find_ruleset
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.resources import shown_path
from ddob_rules.stack.book import RuleBlock
from ddob_rules.stack.overlay import Merged
from ddob_rules.stack.references import pointed, references_of
from ddob_rules.syntax.nodes.rules import Reference
from interpreter.ir import Program
from interpreter.telling.sentences import sentence

if TYPE_CHECKING:
    from ddob_rules.compare.errata import Errata

_VERBS = {
    "en": {
        "amends": "amended by",
        "replaces": "replaced by",
        "removes": "removed by",
        "when": "when",
        "see": "see",
    },
    "fr": {
        "amends": "modifiée par",
        "replaces": "remplacée par",
        "removes": "retirée par",
        "when": "quand",
        "see": "voir",
    },
}


@click.command(short_help="List every rule in force.")
@click.argument("name")
@click.option("as_json", "--json", is_flag=True, help="For programs.")
@overlay_option
@language_option
def rules(name: str, as_json: bool, overlays: tuple[str, ...], language: str) -> None:
    """List every rule in force: its number, title, place, and what it amends.

    NAME may be a stack, such as base+errata. Rules that others have taken away are not listed.

    \b
    Example:  ddob rules my-game
    """
    checked = readable(name, overlays, language)
    merged = checked.merged
    found = [_record(merged, merged.rules[number], checked.program) for number in in_force(merged)]
    if as_json:
        print_data(found)
        return
    headings = ("Rule", "Title", "Ruleset", "Amends", "Amended by", "See", "Place")
    print_table(headings, [_row(record) for record in found])


def in_force(merged: Merged) -> list[str]:
    """The numbers of the rules in force, in the order of a rulebook."""
    return sorted((number for number in merged.rules if number not in merged.gone), key=merged.order)


def _targets(block: RuleBlock) -> list[str]:
    return [target.text for target in block.amendment.targets] if block.amendment is not None else []


def _amending(merged: Merged, number: str) -> list[RuleBlock]:
    return [block for block in merged.amended.get(number, []) if block.id not in merged.gone]


def _record(merged: Merged, block: RuleBlock, program: Program | None) -> dict[str, object]:
    return {
        "id": block.id,
        "title": block.title,
        "file": block.span.source.path,
        "line": block.span.line,
        "ruleset": block.ruleset,
        "amends": _targets(block),
        "amended_by": [other.id for other in _amending(merged, block.id)],
        "when": _condition(block),
        "text": sentence(block.text, program, block.language) if program is not None else block.text,
        "mechanism": bool(block.declarations),
        "see": [number.text for number in block.see],
    }


def _row(record: dict[str, object]) -> tuple[str, ...]:
    lists = [record[key] for key in ("amends", "amended_by", "see")]
    place = f"{record['file']}:{record['line']}"
    shown = (str(record[key]) for key in ("id", "title", "ruleset"))
    return (*shown, *(", ".join(numbers) for numbers in lists if isinstance(numbers, list)), place)


def _condition(block: RuleBlock) -> str:
    condition = block.amendment.condition if block.amendment is not None else None
    return " ".join(condition.span.text.split()) if condition is not None else ""


@click.command(short_help="Show a rule with every exception to it.")
@click.argument("name")
@click.argument("rule")
@overlay_option
@language_option
def show(name: str, rule: str, overlays: tuple[str, ...], language: str) -> None:
    """Show a rule as it is in force: its text, and below it every exception to it, with its condition.

    RULE is its number. Of a word, the rules are listed that have it in their titles, or in the name of
    something that they declare; if that is one rule, it is shown.

    \b
    Example:  ddob show my-game 3
    """
    checked = readable(name, overlays, language)
    merged = checked.merged
    block = merged.rules.get(rule)
    found = _named(merged, rule) if block is None else []
    if block is None and len(found) == 1:
        block = merged.rules[found[0]]
    if block is not None:
        tell("\n".join(rule_lines(merged, block, language)))
        return
    if not found:
        number = did_you_mean(rule, in_force(merged), language)
        stop(_no_such_rule(rule, checked, language), number or f"`ddob rules {name}`")
    for number in found:
        tell(harmless(f'{number} "{merged.rules[number].title}"'))


def _named(merged: Merged, words: str) -> list[str]:
    """The rules that have all words in their titles, or in one name of what they declare."""
    wanted = words.casefold().split()
    if not any(letter.isalpha() for letter in words):
        return []

    def has(text: str) -> bool:
        return all(word in text.casefold() for word in wanted)

    return [
        number
        for number in in_force(merged)
        if has(merged.rules[number].title)
        or any(has(declared.name) for declared in merged.rules[number].declarations)
    ]


def _no_such_rule(rule: str, checked: Checked, language: str) -> str:
    stack = "+".join(book.name for book in checked.books)
    if language == "fr":
        return f"`{stack}` n'a pas de règle {rule}"
    return f"there is no rule {rule} in `{stack}`"


def rule_lines(merged: Merged, block: RuleBlock, language: str, depth: int = 0, verb: str = "") -> list[str]:
    """The rule and, indented below it, the rules that amend it, each with those that amend it in turn."""
    words = _VERBS["fr" if language == "fr" else "en"]
    margin = "    " * depth
    condition = _condition(block)
    head = f"{words[verb]} {block.id}" if verb else block.id
    titled = f'{head} "{block.title}"' if block.title else head
    limited = f"  {words['when']} {condition}" if condition and verb else ""
    place = f"{block.span.source.path}:{block.span.line}"
    lines = [f"{margin}{harmless(titled + limited)}   ({harmless(block.ruleset)}, {harmless(place)})"]
    source = block.node.span.text.rstrip() if block.node is not None else ""
    lines += [f"{margin}  | {line}".rstrip() for line in harmless_lines(source).split("\n")]
    for reference in references_of(block):
        there = merged.rules.get(reference.rule.text)
        if there is not None:
            where = f"{there.span.source.path}:{there.span.line}"
            lines.append(
                f"{margin}{words['see']} {harmless(f'{there.id} {there.title}')}   ({harmless(where)})"
            )
            lines += [f"{margin}  | {line}" for line in _pointed(reference, there)]
    for other in merged.amended.get(block.id, []):
        if other.id in merged.gone:
            continue
        assert other.amendment is not None
        lines += ["", *rule_lines(merged, other, language, depth + 1, other.amendment.verb)]
    return lines


def _pointed(reference: Reference, there: RuleBlock) -> Iterator[str]:
    """The lines of another rule that a rule points at."""
    for found in pointed(reference, there):
        for span in found.lines:
            first = span.source.line_text(span.line)[: span.column - 1]
            yield from harmless_lines(first + span.text.rstrip()).split("\n")


@click.command(short_help="Say in words how two rulesets differ.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("as_json", "--json", is_flag=True, help="For programs.")
@click.option("--sheet", type=click.Path(path_type=Path), help="Write an errata sheet: .html or .md.")
@click.option("--code", is_flag=True, help="With --sheet: also what changes in the code of the rules.")
@language_option
def diff(first: str, second: str, as_json: bool, sheet: Path | None, code: bool, language: str) -> None:
    """Say in words how two rulesets differ: rule by rule, table cell by table cell.

    A and B may be stacks, such as base+errata. With --sheet a file is written for players: the sentences of
    the rules before and after, by number. The exit code is 0 whether they differ or not, and 1 only if one
    of them has errors.

    \b
    Example:  ddob diff my-game my-game+house-rules
              ddob diff my-game my-game+house-rules --sheet errata.html
    """
    from ddob_rules.compare.diff import changes_as_data, render_changes
    from ddob_rules.compare.diff import diff as difference

    writer = _sheet_writer(sheet, language) if sheet is not None else None
    _check_different(first, second, language)
    old, new = (playable(name, language=language)[0] for name in (first, second))
    if sheet is not None and writer is not None:
        from ddob_rules.compare.errata import errata

        write_whole(sheet, writer(errata(old, new, language, code=code)))
        tell(str(sheet))
        return
    changes = difference(old, new, language)
    if as_json:
        print_data(changes_as_data(changes))
    else:
        tell(render_changes(changes, language, outline=new.merged.outline).rstrip("\n"))


@click.command(short_help="Print the whole rulebook in force as one page.")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.html")
@overlay_option
@language_option
def book(name: str, file: Path, overlays: tuple[str, ...], language: str) -> None:
    """Print the whole rulebook in force as one HTML file: every rule with its sentence and what it declares,
    what overlays change behind bars in the margin, the examples with small maps, and an index of terms.

    NAME may be a stack, such as base+errata, or a scenario, whose rules are meant.

    \b
    Example:  ddob book my-game -o house-rules my-game.html
    """
    from ddob_rules.book.page import book_page

    _check_page(file, language)
    check_writable(file, language)
    checked, program, stack = printable(name, overlays, language)
    write_whole(file, book_page(checked, program, language, stack.overlays, brought=bool(stack.extra)))
    tell(str(file))


def _check_page(path: Path, language: str) -> None:
    """Ends the command if a web page would get another ending: nothing could open it."""
    if path.suffix.lower() not in (".html", ".htm"):
        shown = harmless(path.name)
        if language == "fr":
            stop(f"`{shown}` n'est pas un .html", "nommez-le .html ; un navigateur l'imprime en PDF")
        stop(f"`{shown}` is not an .html file", "name it .html; a browser prints it as PDF")


def _sheet_writer(path: Path, language: str) -> Callable[[Errata], str]:
    """What writes a sheet of that sort of file; ends the command if there is no such sort, or no folder."""
    from ddob_rules.compare.errata import as_html, as_markdown

    check_writable(path, language)
    writers = {".html": as_html, ".htm": as_html, ".md": as_markdown}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        shown = harmless(path.name)
        if language == "fr":
            stop(f"`{shown}` n'est ni un .html ni un .md", "nommez le fichier selon ce qu'il doit être")
        stop(f"`{shown}` is neither an .html nor a .md file", "name the file after what it is to be")
    return writer


def _check_different(first: str, second: str, language: str) -> None:
    """Two names may lead to one folder: a copy that kept its name hides the ruleset that it is a copy of."""
    one, other = stack_of(first), stack_of(second)
    places = [Path(entry.word) for stack in (one, other) if (entry := find_ruleset(stack.name)) is not None]
    if first == second or len(places) < 2 or (one.overlays, one.extra) != (other.overlays, other.extra):
        return
    if places[0].resolve() == places[1].resolve():
        shown = shown_path(places[0])
        if language == "fr":
            stop(
                f"`{first}` et `{second}` sont le même dossier, `{shown}`",
                "donnez à une copie un nom à elle sur sa ligne `ruleset`",
            )
        stop(
            f"`{first}` and `{second}` are the same folder, `{shown}`",
            "give a copy a name of its own after `ruleset`",
        )


COMMANDS = (rules, show, diff, book)
