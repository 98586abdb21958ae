"""Input that no author meant to give: each a clear diagnostic with its code, and never a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ddob_rules.cli import main
from ddob_rules.cli.authors import _template

GOOD = b'ruleset game "A Game"\nplayers red "Red"\n\nrule 1 "Words":\n  "Be kind."\n'
BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n"

RULES = {
    "empty": (b"", "E0109"),
    "only blanks": (b"\n  \n", "E0109"),
    "binary": (bytes(range(256)), "E0005"),
    "an image": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "E0005"),
    "latin-1": (b'ruleset game "D\xe9barquement"\n', "E0004"),
    "UTF-16": ("ruleset game\n".encode("utf-16"), "E0010"),
    "two megabytes of rules": (b'rule 1 "A":\n' * 200_000, "E0006"),
    "a line of ten megabytes": (b"rule 1 " + b"x" * 10_000_000, "E0006"),
    "a line of one megabyte": (b"rule 1 " + b"x" * 1_000_000, "E0007"),
    "a huge number": (GOOD + b"\nrule 2:\n  value x = " + b"9" * 5_000 + b"\n", "E0216"),
    "tabs and blanks mixed": (GOOD + b"\nrule 2:\n\tvalue x = 1\n        value y = 2\n", "E01"),
}
DATA = {
    "empty": (b"", "E0601"),
    "binary": (bytes(range(256)), "E0005"),
    "latin-1": (b"scenario: d\xe9but\n", "E0004"),
    "an alias bomb": (BOMB.encode(), "E0608"),
    "duplicate keys": (b"scenario: a\nruleset: game\nscenario: b\n", "E0607"),
    "nesting": (b"scenario: a\nruleset: game\nboards: " + b"[" * 10_000, "E0609"),
    "a huge number": (b"scenario: a\nruleset: game\nturns: " + b"9" * 5_000 + b"\n", "E0616"),
    "a list": (b"- scenario\n", "E0614"),
    "a program's own types": (b"scenario: !!python/object/apply:os.system [ls]\n", "E0608"),
}


def run(*words: str) -> Result:
    result = CliRunner().invoke(main, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (0, 1, 2), result.output
    assert "Traceback" not in result.output
    return result


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DDOB_DEBUG", raising=False)


def put(path: str, data: bytes) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(data)


@pytest.mark.parametrize("name", RULES)
def test_bad_rules_are_told(name: str) -> None:
    data, code = RULES[name]
    put("game/game.rules", data)
    for words in (("check", "game"), ("check", "game/game.rules"), ("check",)):
        result = run(*words)
        assert result.exit_code == 1
        assert code in result.stdout
        assert len(result.stdout) < 5_000, "a diagnostic is short however long the line"


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("command", ["rules", "schema", "show", "texts", "fmt", "translate"])
def test_other_commands_do_not_stumble_over_bad_rules(name: str, command: str) -> None:
    put("game/game.rules", RULES[name][0])
    more = {"show": ["1"], "texts": ["--lang", "fr"], "translate": ["--to", "fr"]}
    run(command, "game/game.rules", *more.get(command, []))
    assert Path("game/game.rules").read_bytes() == RULES[name][0]


@pytest.mark.parametrize("name", DATA)
def test_bad_data_is_told(name: str) -> None:
    put("game/game.rules", GOOD)
    data, code = DATA[name]
    put("game/scenarios/a.yaml", data)
    for words in (("check", "game/scenarios/a.yaml"), ("check", "game")):
        result = run(*words)
        assert result.exit_code == 1
        assert code in result.stdout


def test_deeply_nested_brackets_are_told() -> None:
    put("game/game.rules", GOOD + b"\nrule 2:\n  value x = " + b"(" * 9_900 + b"1" + b")" * 9_900 + b"\n")
    result = run("check", "game")
    assert result.exit_code == 1
    assert "error[E01" in result.stdout


def test_deeply_nested_blocks_are_told() -> None:
    lines = [" " * min(depth, 900) + "if yes:" for depth in range(4, 1_500)]
    put("game/game.rules", GOOD + b"\nrule 2:\n  procedure x():\n" + "\n".join(lines).encode() + b"\n")
    result = run("check", "game")
    assert result.exit_code == 1
    assert "error[E01" in result.stdout


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf" + GOOD, GOOD.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n")],
)
def test_byte_order_marks_and_line_ends_of_other_systems_are_no_mistake(data: bytes) -> None:
    put("game/game.rules", data)
    assert run("check", "game").stdout == "1 rule, 0 scenarios: no findings\n"
    assert run("fmt", "--check", "game").exit_code == 1
    run("fmt", "game")
    assert Path("game/game.rules").read_bytes() == GOOD


def test_tabs_alone_are_told_or_taken() -> None:
    put("game/game.rules", GOOD.replace(b"  ", b"\t"))
    result = run("check", "game")
    assert result.exit_code == 0 or "error[E01" in result.stdout
    run("fmt", "game")
    assert Path("game/game.rules").read_bytes() == GOOD


@pytest.mark.parametrize("word", ["game/gmae.rules", "game/scenarios/b.yaml", "no/such/folder"])
def test_missing_file_is_told(word: str) -> None:
    put("game/game.rules", GOOD)
    result = run("check", word)
    assert result.exit_code == 1
    assert "E0001" in result.stdout


def test_near_name_of_a_missing_file_is_offered() -> None:
    put("game/game.rules", GOOD)
    assert "did you mean `game.rules`?" in run("check", "game/gmae.rules").stdout


def test_folder_named_like_a_file_is_told() -> None:
    Path("game.rules").mkdir()
    Path("game.yaml").mkdir()
    for words in (("translate", "game.rules", "--to", "fr"), ("rules", "game.rules"), ("check", "game.yaml")):
        assert run(*words).exit_code in (1, 2)


def test_device_is_not_read_for_ever() -> None:
    os.mkfifo("game.rules")
    result = run("check", "game.rules")
    assert (result.exit_code, "E0009" in result.stdout) == (1, True)


@pytest.mark.parametrize(
    "word", ["", "\0", "a\0b", "*", "../../..", "x" * 5_000, "\udcff", "-", "+", "a+", "+a"]
)
@pytest.mark.parametrize("command", ["check", "rules", "schema", "fmt"])
def test_strange_words_are_no_mistake_of_ours(command: str, word: str) -> None:
    put("game/game.rules", GOOD)
    if word != "../../..":
        run(command, word)
    else:
        run("rules", word)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_mutations_of_the_template_are_told(data: st.DataObject) -> None:
    for name, text in _template("game", "A Game"):
        content = bytearray(text.encode())
        for _ in range(data.draw(st.integers(0, 3))):
            start = data.draw(st.integers(0, len(content)))
            end = min(len(content), start + data.draw(st.integers(0, 12)))
            content[start:end] = data.draw(
                st.binary(max_size=6) | st.sampled_from([b"\n", b"  ", b"(", b'"', b":"])
            )
        put(f"game/{name}", bytes(content))
    run("check", "game")
    run("rules", "game")


def test_a_book_that_nothing_could_open_and_a_language_that_is_not_there_are_told() -> None:
    put("game/game.rules", GOOD)
    result = run("book", "game", "book.pdf")
    assert result.exit_code != 0 and "is not an .html file" in result.stderr and not Path("book.pdf").exists()
    result = run("translate", "game/game.rules", "--to", "de")
    assert result.exit_code == 2 and "'de' is not one of 'en', 'fr'" in result.stderr
