"""The command for translators: texts."""

from __future__ import annotations

import click
import yaml

from ddob_rules.cli.output import FINDINGS, print_diagnostics, print_table, shown_path, tell
from ddob_rules.cli.targets import overlay_option, playable
from ddob_rules.cli.writing import write_whole
from ddob_rules.translations.catalogue import (
    TEXT,
    Catalogue,
    Title,
    catalogue_for,
    catalogue_path,
    catalogue_problems,
    renewed,
    review,
    texts_of,
)

_HEADING = """\
# What players read, in another language. `titles` say what they were translated from; in `texts`, what stands
# in braces is filled in and may be moved. `ddob texts {name} --lang {language} --write` adds what is missing.
"""


@click.command()
@click.argument("name")
@click.option("language", "--lang", required=True, metavar="LANGUAGE", help="To translate to, such as fr.")
@click.option("--missing", is_flag=True, help="List only what has no translation; exit code 1 if any.")
@click.option("--stale", is_flag=True, help="List only what has changed or is gone; exit code 1 if any.")
@click.option("--write", is_flag=True, help="Add what is missing to the file, to be filled in.")
@overlay_option
def texts(
    name: str, language: str, missing: bool, stale: bool, write: bool, overlays: tuple[str, ...]
) -> None:
    """List what players read in a ruleset, with its translation.

    Translations live in the folder `locale` of the ruleset, one file for each language.

    \b
    Example:  ddob texts my-game --lang fr --write
    """
    if not language.isalpha() or not language.isascii() or not 2 <= len(language) <= 3:
        raise click.BadParameter(f"`{language}` is not a language such as `fr`", param_hint="--lang")
    checked, program = playable(name, overlays, language)
    problems = catalogue_problems(checked, language)
    if problems:
        print_diagnostics(problems, language=language, error=True)
        raise click.exceptions.Exit(FINDINGS)
    if write:
        path = catalogue_path(checked.books[-1].folder, language)
        path.parent.mkdir(exist_ok=True)
        write_whole(path, written(renewed(checked, language), checked.books[-1].name, language))
        tell(shown_path(path))
        return
    left = review(checked, language)
    sources, translations = texts_of(program), catalogue_for(checked, language)
    chosen = [*(left.missing if missing else ()), *(left.stale if stale else ())]
    keys = chosen if missing or stale else list(sources)
    if keys:
        rows = [(key, sources.get(key, ""), translations.get(key, "")) for key in keys]
        print_table(("Key", "Text", "Translation"), [(_short(row[0]), *row[1:]) for row in rows])
    if chosen:
        raise click.exceptions.Exit(FINDINGS)


def _short(key: str) -> str:
    """Texts are known by their own words, which stand beside the key."""
    return "text" if key.startswith(TEXT) else key


def written(catalogue: Catalogue, name: str, language: str) -> str:
    """The catalogue as the text of its file."""
    data = {
        "titles": {key: _title(title) for key, title in catalogue.titles.items()},
        "texts": dict(catalogue.texts),
    }
    text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)
    return _HEADING.format(name=name, language=language) + text


def _title(title: Title) -> dict[str, str]:
    before = {"before": title.before} if title.before else {}
    return {"source": title.source, "translation": title.translation, **before}


COMMANDS = (texts,)
