"""The pages in docs/ tell the truth: every block is checked or run, and every link leads somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.syntax.parse import parse_file
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.nodes import Node
from tests.docs.pages import (
    DOCS,
    LANGUAGES,
    ROOT,
    Block,
    all_pages,
    anchors_of,
    blocks_of,
    generated_pages,
    prose_of,
)
from tests.docs.running import (
    PageRun,
    example_failures,
    findings,
    preludes_of,
    scenario_findings,
    told,
    write_page,
)
from tests.grammar import nodes_of_the_grammar
from tests.rules import check_text
from tests.looping import each

_PAGES = all_pages()
_BLOCKS = [block for page in _PAGES for block in blocks_of(page)]


#: Blocks of the README that do not say what they are.
_EXCERPTS = [block for block in _BLOCKS if block.page.name == "README.md" and not block.language]


def _named(blocks: list[Block]) -> list[object]:
    return [pytest.param(block, id=block.place) for block in blocks]


def _with_rules(*sorts: str) -> list[Block]:
    """Rules blocks whose first word is one of these, or which have no word."""
    return [
        b
        for b in _BLOCKS
        if b.language == "rules" and (set(sorts) & set(b.names) or ("" in sorts and not b.words))
    ]


@pytest.mark.parametrize("block", _named(_with_rules("", "prelude", "fragment", "overlay")))
def test_rules_on_a_page_check_without_findings(block: Block) -> None:
    assert findings(block, preludes_of(block.page)) == []


@pytest.mark.parametrize("block", _named(_with_rules("wrong")))
def test_rules_shown_as_wrong_are_wrong_in_that_way(block: Block) -> None:
    codes = {line[:5] for line in findings(block, preludes_of(block.page))}
    assert codes == {block.names["wrong"]}


_EXAMPLES = [
    block for block in _with_rules("fragment", "overlay") if re.search(r"^ *example ", block.text, re.M)
]


@pytest.mark.parametrize("block", _named(_EXAMPLES))
def test_examples_on_a_page_pass(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_page(block.page, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert example_failures(block, tmp_path) == []


_DATA = [b for b in _BLOCKS if b.language == "yaml" and ("scenario" in b.words or "fragment" in b.names)]


@pytest.mark.parametrize("block", _named(_DATA))
def test_scenario_data_on_a_page_is_valid(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_page(block.page, tmp_path)
    monkeypatch.chdir(tmp_path)
    run = PageRun(tmp_path)
    for other in blocks_of(block.page):
        if other.language == "yaml" and "file" in other.names:
            run.run(other)
    assert scenario_findings(block, tmp_path) == []


_RUNNING = [
    page for page in _PAGES if any(b.language in ("console", "python", "diff") for b in blocks_of(page))
]


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in _RUNNING])
def test_commands_and_python_on_a_page_do_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_page(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    run = PageRun(tmp_path)
    for block in each(blocks_of(page)):
        wrong = run.run(block)
        assert not wrong, f"{block.place}: " + "\n".join(wrong)


def test_every_block_is_of_a_language_that_is_looked_at() -> None:
    lost = [block for block in _BLOCKS if block.language not in LANGUAGES and block not in _EXCERPTS]
    assert [block.place for block in lost] == []


@pytest.mark.parametrize("block", _named(_EXCERPTS))
def test_blocks_of_the_readme_are_from_the_real_thing(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule of a shipped ruleset, an overlay of what `ddob new` makes, or output of the command above."""
    monkeypatch.chdir(tmp_path)
    if block.text.startswith("ruleset "):
        (name,) = re.findall(r"`ddob new (\S+)`", block.page.read_text(encoding="utf-8"))
        CliRunner().invoke(main, ["new", name])
        base = Path(f"{name}/{name}.rules").read_text(encoding="utf-8")
        assert told(check_text(base, block.text).problems) == []
    elif block.text.startswith("rule "):
        shipped = [path.read_text(encoding="utf-8") for path in (ROOT / "rulesets").rglob("*.rules")]
        assert any(block.text in text for text in shipped)
    else:
        before = "\n".join(block.page.read_text(encoding="utf-8").split("\n")[: block.line - 1])
        command = re.findall(r"`ddob ([^`]+)`", before)[-1]
        assert block.text in CliRunner().invoke(main, shlex.split(command)).output


def test_every_yaml_and_rules_block_says_what_it_is() -> None:
    known = {"prelude", "fragment", "overlay", "wrong", "file"}
    lost = [b for b in _BLOCKS if b.language == "rules" and b.words and not known & set(b.names)]
    lost += [
        b
        for b in _BLOCKS
        if b.language == "yaml" and not (b.words and ({"scenario"} & set(b.words) or b.names))
    ]
    assert [block.place for block in lost] == []


def test_links_between_pages_lead_somewhere() -> None:
    lost = []
    for page in [*_PAGES, DOCS / "errors" / "README.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            other = (page.parent / path).resolve() if path else page
            if not other.exists() or (anchor and anchor not in anchors_of(other)):
                lost.append(f"{page.name}: {target}")
    assert lost == []


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in generated_pages()])
def test_generated_parts_are_up_to_date(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == generated_pages()[page](), "run scripts/docs"


def test_the_reference_has_an_example_of_every_construct() -> None:
    """Every node that the grammar can make turns up in a block of the reference."""
    shown: set[str] = set()
    for block in blocks_of(DOCS / "language.md"):
        if block.language == "rules":
            for item in parse_file(Source(block.place, block.text)).items:
                shown.update(part.kind for part in item.walk() if isinstance(part, Node))
    assert sorted(nodes_of_the_grammar() - shown) == []
