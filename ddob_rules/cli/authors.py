"""The commands that an author begins with: new, check, fmt, explain, list, schema, translate."""

from __future__ import annotations

import re
import sys
from importlib import resources
from pathlib import Path
from typing import NoReturn

import click

from ddob_rules.cli.checking import Examination, everything_here, rule_files
from ddob_rules.cli.output import (
    FINDINGS,
    FORMS,
    Form,
    print_data,
    print_diagnostics,
    print_page,
    print_table,
    shown_path,
    stop,
    tell,
    tell_exactly,
)
from ddob_rules.cli.targets import language_option, overlay_option, playable, scenario_programs
from ddob_rules.cli.writing import write_whole
from ddob_rules.library.finding import campaigns, find_ruleset, rulesets, scenarios
from ddob_rules.reports.diagnostics import Diagnostic, catalogue
from ddob_rules.reports.explain import explain as page_of
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.scenarios.schema import derive_schema
from ddob_rules.syntax.format import format_source
from ddob_rules.syntax.source import LARGEST_FILE, MEGABYTE, Source, read_source, source_from_bytes
from ddob_rules.syntax.translate import translate_source
from ddob_rules.syntax.upgrade import upgrade_source
from ddob_rules.syntax.words import languages


@click.command()
@click.argument("targets", nargs=-1, metavar="[PATH|NAME]...")
@click.option("form", "--format", type=click.Choice(FORMS), default="text", help="For people or for tools.")
@click.option("--strict", is_flag=True, help="Let warnings count as findings.")
@click.option("--hints", is_flag=True, help="Tell also what could be kinder to players.")
@overlay_option
@language_option
def check(
    targets: tuple[str, ...], form: Form, strict: bool, hints: bool, overlays: tuple[str, ...], language: str
) -> None:
    """Find every mistake in rulesets and scenarios, in one go.

    A ruleset is checked with its scenarios and translations. Without arguments everything in the current
    folder is checked. The exit code is 1 if there are errors (with --strict: or warnings).

    \b
    Example:  ddob check my-game
    """
    work = Examination(overlays, language, hints)
    for target in targets or (everything_here(),):
        work.target(target)
    found = list(work.problems)
    print_diagnostics(found, form, language)
    if form == "text" and not found:
        tell(_all_well(len(work.rules), len(work.scenarios), language))
    if work.problems.has_errors or (strict and work.problems.warnings):
        raise click.exceptions.Exit(FINDINGS)


def _all_well(rules: int, scenarios: int, language: str) -> str:
    if language == "fr":
        return f"{_counted(rules, 'règle')}, {_counted(scenarios, 'scénario')} : rien à signaler"
    return f"{_counted(rules, 'rule')}, {_counted(scenarios, 'scenario')}: no findings"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


@click.command(short_help="Lay rules files out in the house style.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--check", "only_check", is_flag=True, help="Only list what would change; exit code 1 if any.")
@click.option("--upgrade", is_flag=True, help="Rewrite what earlier versions of the language had.")
@language_option
def fmt(paths: tuple[str, ...], only_check: bool, upgrade: bool, language: str) -> None:
    """Lay rules files out in the house style: indentation, blanks, tables with their bars in line.

    Comments and meaning stay. Files are changed in place; without arguments, all those in the current folder.
    A file with mistakes is left alone. `-` reads standard input and prints the result. `--upgrade` also
    rewrites what earlier versions of the language said otherwise, as far as that needs no decision of yours.

    \b
    Example:  ddob fmt --check my-game
    """
    if paths == ("-",):
        _format_input(only_check, upgrade, language)
        return
    failed: list[Diagnostic] = []
    changed = 0
    for path in _files(paths):
        source, problems = read_source(path, language=language)
        text, more = _formatted(source, upgrade) if source is not None else ("", [])
        failed += [*problems, *more]
        if source is not None and not more and text.encode("utf-8") != path.read_bytes():
            changed += 1
            tell(shown_path(path))
            if not only_check:
                write_whole(path, text)
    print_diagnostics(failed, language=language, error=True)
    if failed or (changed and only_check):
        raise click.exceptions.Exit(FINDINGS)


def _files(words: tuple[str, ...]) -> list[Path]:
    """The rules files that are named by path, by folder, or by the name of their ruleset."""
    found: dict[Path, None] = {}
    for word in words or (everything_here(),):
        path = Path(word)
        entry = find_ruleset(word) if not path.exists() and path.suffix != ".rules" else None
        inner = rule_files(path) if path.is_dir() else list(entry.files) if entry is not None else [path]
        found.update(dict.fromkeys(inner))
    return list(found)


def _formatted(source: Source, upgrade: bool) -> tuple[str, list[Diagnostic]]:
    return format_source(upgrade_source(source) if upgrade else source)


def _format_input(only_check: bool, upgrade: bool, language: str) -> None:
    source = _standard_input(language)
    text, problems = _formatted(source, upgrade)
    if problems:
        _stop_at(problems, language)
    if not only_check:
        tell_exactly(text)
    elif text != source.text:
        raise click.exceptions.Exit(FINDINGS)


def _standard_input(language: str) -> Source:
    # One byte more than a file may have is enough to be refused.
    data = sys.stdin.buffer.read(LARGEST_FILE * MEGABYTE + 1)
    source, problems = source_from_bytes(data, "<stdin>", language=language)
    return source if source is not None else _stop_at(problems, language)


def _source(path: Path, language: str) -> Source:
    source, problems = read_source(path, language=language)
    return source if source is not None else _stop_at(problems, language)


def _stop_at(problems: list[Diagnostic], language: str) -> NoReturn:
    print_diagnostics(problems, language=language, error=True)
    raise click.exceptions.Exit(FINDINGS)


@click.command(short_help="Rewrite the keywords of a rules file in another language.")
@click.argument("file")
@click.option("--to", required=True, type=click.Choice(languages()), help="The language of the keywords.")
@click.option("--write", is_flag=True, help="Change the file in place.")
@language_option
def translate(file: str, to: str, write: bool, language: str) -> None:
    """Rewrite the keywords of a rules file in another language; comments, names and layout stay.

    The result is printed, and means exactly the same. (`ddob texts` is for what players read.)

    \b
    Example:  ddob translate my-game.rules --to fr
    """
    source = _standard_input(language) if file == "-" else _source(Path(file), language)
    text, problems = translate_source(source, to)
    if problems:
        _stop_at(problems, language)
    if write and file != "-":
        write_whole(Path(file), text)
    else:
        tell_exactly(text)


@click.command(short_help="Say what the code of a finding means.")
@click.argument("code", required=False)
@language_option
def explain(code: str | None, language: str) -> None:
    """Say what a code such as E0201 means, with an example; without a code, list them all.

    \b
    Example:  ddob explain E0201
    """
    known = catalogue()
    if code is None:
        print_table(("Code", "Meaning"), [(entry.code, entry.title(language)) for entry in known.values()])
        return
    page = page_of(code, language)
    entry = known.get(code.strip().upper())
    if page is not None:
        print_page(page)
    elif entry is not None:
        tell(f"{entry.code}: {entry.title(language)}")
    else:
        advice = did_you_mean(code, known, language)
        stop(f"there is no code `{code}`", advice or "`ddob explain` lists them all")


@click.command(short_help="Print the JSON Schema of a ruleset's scenarios.")
@click.argument("name")
@overlay_option
@language_option
def schema(name: str, overlays: tuple[str, ...], language: str) -> None:
    """Print the JSON Schema of a ruleset's scenarios, for editors that complete and check YAML.

    It knows the words of rules that scenarios in the ruleset's folder bring; that of a scenario knows its own
    only.

    \b
    Example:  ddob schema my-game > my-game.schema.json
    """
    _, program = playable(name, overlays, language)
    print_data(derive_schema(program, *scenario_programs(name, overlays)))


@click.command(name="list", short_help="List rulesets, scenarios and campaigns.")
@click.option("as_json", "--json", is_flag=True, help="For programs.")
def list_all(as_json: bool) -> None:
    """List rulesets, scenarios and campaigns: those in the current folder, and those that come with ddob.

    \b
    Example:  ddob list
    """
    books = [
        {"name": e.name, "title": e.title, "folder": str(e.folder), "shipped": e.shipped} for e in rulesets()
    ]
    games = [
        {"name": e.name, "title": e.title, "ruleset": e.ruleset, "file": str(e.path), "shipped": e.shipped}
        for e in scenarios()
    ]
    series = [
        {"name": e.name, "title": e.title, "ruleset": e.ruleset, "file": str(e.path), "shipped": e.shipped}
        for e in campaigns()
    ]
    if as_json:
        print_data({"rulesets": books, "scenarios": games, "campaigns": series})
        return
    print_table(("Ruleset", "Title", "Folder"), [(e.name, e.title, str(e.folder)) for e in rulesets()])
    tell()
    print_table(("Scenario", "Title", "Ruleset"), [(e.name, e.title, e.ruleset) for e in scenarios()])
    if series:
        tell()
        print_table(("Campaign", "Title", "Ruleset"), [(e.name, e.title, e.ruleset) for e in campaigns()])


@click.command(short_help="Begin a ruleset with a small game that works.")
@click.argument("folder", metavar="DIR")
@click.option("--title", help="The game's title; the folder's name if left out.")
def new(folder: str, title: str | None) -> None:
    """Begin a ruleset: a small game that already works, with a scenario and an example, to change bit by bit.

    \b
    Example:  ddob new my-game --title "My Game"
    """
    target = Path(folder)
    name = re.sub(r"\W+", "-", target.resolve().name, flags=re.ASCII).strip("-_").lower().replace("_", "-")
    if not re.match(r"[a-z]", name):
        name = f"game-{name}".rstrip("-")
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            stop(f"`{folder}` is not an empty folder")
        for file, text in _template(name, title or target.resolve().name):
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            write_whole(target / file, text)
            tell(str(target / file))
    except OSError as error:
        stop(f"`{folder}` cannot be written: {(error.strerror or str(error)).lower()}")


def _template(name: str, title: str) -> list[tuple[str, str]]:
    """The files of a new ruleset. Inside the language, names have underscores for hyphens."""
    plain = " ".join(title.split()).replace("\\", "").replace('"', "'") or name
    words = {"@name@": name, "@NAME@": name.replace("-", "_"), "@title@": plain}
    files = {
        f"{name}.rules": "game.rules.txt",
        f"scenarios/{name}.yaml": "scenario.yaml.txt",
        f"examples/{name}-examples.rules": "examples.rules.txt",
    }
    folder = resources.files("ddob_rules") / "templates"
    found = []
    for file, template in files.items():
        text = (folder / template).read_text(encoding="utf-8")
        found.append((file, re.sub(r"@\w+@", lambda word: words[word[0]], text)))
    return found


COMMANDS = (new, check, fmt, explain, list_all, schema, translate)
