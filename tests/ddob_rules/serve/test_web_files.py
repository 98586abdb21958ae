"""The files of the page: small, checked, and without a way for a text to become code."""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ddob_rules.serve.files import content

ROOT = Path(__file__).parents[3]
WEB = ROOT / "ddob_rules/serve/web"
SENT = (".js", ".mjs", ".css", ".html", ".svg")
# What a browser fetches for the page, gzipped file by file; as docs/table.md says.
MOST_BYTES = 60 * 1024


def sent() -> list[Path]:
    found = sorted(path for path in WEB.rglob("*") if path.suffix in SENT)
    assert len(found) > 15
    return found


def fetched(name: str) -> set[Path]:
    """A file of the page with all that it imports."""
    path = (WEB / name).resolve()
    imports = re.findall(r'^(?:import|export) .*?from "(\.[^"]+)"', path.read_text(encoding="utf-8"), re.M)
    return {path}.union(*(fetched(str(path.parent / other)) for other in imports))


@pytest.mark.parametrize(
    ("page", "language"), [("main.js", "en"), ("main.js", "fr"), ("panels/start.js", "fr")]
)
def test_page_is_small(page: str, language: str) -> None:
    files = fetched(page) | {
        WEB / f"words/{language}.js",
        WEB / "index.html",
        WEB / "style.css",
        WEB / "icon.svg",
    }
    assert len(files) > 5
    assert sum(len(gzip.compress(content(path))) for path in files) <= MOST_BYTES


def test_types_are_those_of_the_schema() -> None:
    assert subprocess.run([sys.executable, str(ROOT / "scripts/web-types"), "--check"]).returncode == 0


def test_types_hold() -> None:
    tsc = shutil.which("tsc")
    if tsc is None:
        pytest.skip("tsc is not installed: `npm install -g typescript`; .ci/run does that where it may")
    done = subprocess.run([tsc, "-p", str(WEB)], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0)


@pytest.mark.parametrize("word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("])
def test_no_text_becomes_code(word: str) -> None:
    own = [path for path in sent() if path.parent.name != "vendor"]
    assert [path.name for path in own if word in path.read_text(encoding="utf-8")] == []


def test_page_has_no_script_or_style_of_its_own_and_may_be_zoomed() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", page) == []
    assert "user-scalable" not in page and "maximum-scale" not in page


def test_modules_are_fetched_all_at_once() -> None:
    """None waits for the one that imports it: all that the page begins with are named in it."""
    page = (WEB / "index.html").read_text(encoding="utf-8")
    named = {(WEB / name).resolve() for name in re.findall(r'rel="modulepreload" href="/web/([^"]+)"', page)}
    assert all(path.is_file() for path in named)
    reached, left = set[Path](), [WEB.resolve() / "main.js"]
    while left:
        path = left.pop()
        if path not in reached:
            reached.add(path)
            text = path.read_text(encoding="utf-8")
            left += [
                path.parent / name
                for name in re.findall(r'^(?:im|ex)port .*from "(\.[^"]+)"', text, re.MULTILINE)
            ]
            left = [one.resolve() for one in left]
    assert len(reached) > 20
    assert reached - {WEB.resolve() / "main.js"} <= named


def test_code_of_others_is_as_it_was_published() -> None:
    table = (WEB / "vendor/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+\.mjs) \|.*\| ([0-9a-f]{64}) \|$", table, re.MULTILINE)
    assert rows
    for name, digest in rows:
        assert hashlib.sha256((WEB / "vendor" / name).read_bytes()).hexdigest() == digest


def test_code_is_sent_without_comments_and_with_its_lines() -> None:
    for path in sent():
        before, after = path.read_text(encoding="utf-8"), content(path).decode()
        assert len(before.split("\n")) == len(after.split("\n"))
        kept = [line for line in after.split("\n") if line.strip()]
        assert kept == [line for line in before.split("\n") if line in set(kept)]
    assert "@param" not in content(WEB / "choose.js").decode()
    assert "@type" in content(WEB / "choose.js").decode()  # a cast stands before code, and stays


def test_the_page_knows_every_name_of_a_colour_in_any_language() -> None:
    text = (WEB / "counters.js").read_text(encoding="utf-8")
    lists = re.findall(r"const (?:TINTS|OTHERS) = \[([^\]]*)\]", text)
    lists += re.findall(r"const ALIASES = .*?\(\{(.*?)\}\)", text, re.DOTALL)
    known = set(re.findall(r"\w+", " ".join(lists)))
    entries = yaml.safe_load((ROOT / "grammar/colours.yaml").read_text(encoding="utf-8"))["colours"]
    assert {name for entry in entries for name in entry["names"]} - known == set()
