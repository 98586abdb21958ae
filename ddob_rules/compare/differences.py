"""From where a replayed game goes another way to a sentence: the choice, the rule, and what is different."""

from __future__ import annotations

from collections.abc import Sequence

from ddob_rules.compare.identity import PLAYERS
from interpreter.ir import Program
from interpreter.records.replays import Difference

# More options or rules than this are counted, not named.
_MOST_NAMED = 4

_ENGLISH = {
    "at": "differs at choice {choice} ({time})",
    "last": "differs after the last choice ({time})",
    "turn": "turn {turn}",
    "phase": "turn {turn}, {phase}",
    "because": ", because of rule {rule}",
    "probably": ", probably because of rule {rule}",
    "one of": ", because of one of the rules {rules}",
    "more rules": "{rules} and {count} more",
    "players": ", because of the players",
    "place": " ({file}:{line})",
    "colon": ": ",
    "not offered": "`{key}` is no longer offered",
    "ended": "the game is already over, and `{key}` cannot be chosen",
    "failed": "the rules fail: {failure}",
    "instead": "`{new}` instead of `{old}`",
    "more": "`{new}` happens now",
    "less": "`{old}` no longer happens",
    "gone": "no longer offered: {options}",
    "new": "newly offered: {options}",
    "order": "the options come in another order",
    "otherwise": "something else happens or is offered",
    "hash": "the position is another, though the rules are the same",
    "stated": "the game is the same, but the save says otherwise of it: {parts}",
    "and": "; ",
    "more options": "{options} and {count} more",
}
_FRENCH = {
    "at": "diffère au choix {choice} ({time})",
    "last": "diffère après le dernier choix ({time})",
    "turn": "tour {turn}",
    "phase": "tour {turn}, {phase}",
    "because": ", à cause de la règle {rule}",
    "probably": ", sans doute à cause de la règle {rule}",
    "one of": ", à cause de l'une des règles {rules}",
    "more rules": "{rules} et {count} de plus",
    "players": ", à cause des joueurs",
    "place": " ({file}:{line})",
    "colon": " : ",
    "not offered": "`{key}` n'est plus proposé",
    "ended": "la partie est déjà finie, et `{key}` ne peut pas être choisi",
    "failed": "les règles échouent : {failure}",
    "instead": "`{new}` au lieu de `{old}`",
    "more": "`{new}` se produit maintenant",
    "less": "`{old}` ne se produit plus",
    "gone": "plus proposé : {options}",
    "new": "nouvellement proposé : {options}",
    "order": "les options viennent dans un autre ordre",
    "otherwise": "autre chose se produit ou est proposé",
    "hash": "la position est autre, bien que les règles soient les mêmes",
    "stated": "la partie est la même, mais la sauvegarde en dit autre chose : {parts}",
    "and": " ; ",
    "more options": "{options} et {count} de plus",
}


def rule_place(rule: str, *programs: Program) -> tuple[str, int]:
    """The file and line of a rule, in the first program that has it; an empty path if none has."""
    for program in programs:
        for entry in program.rules:
            if entry.id == rule:
                return entry.file, entry.line
    return "", 0


def describe_difference(
    difference: Difference, choices: int, *programs: Program, language: str = "en"
) -> str:
    """One sentence. `choices` is how many the save has; `programs` are asked for the place of the rule."""
    words = _FRENCH if language == "fr" else _ENGLISH
    time = words["phase" if difference.phase else "turn"]
    text = words["last" if difference.choice > choices else "at"].format(
        choice=difference.choice, time=time.format(turn=difference.turn, phase=difference.phase)
    )
    if difference.rule == PLAYERS:
        text += words["players"]
    elif len(difference.causes) > 1:
        text += words["one of"].format(rules=named_rules(difference.causes, language))
    elif difference.rule:
        sure = difference.causes or len(difference.rules) == 1
        text += words["because" if sure else "probably"].format(rule=difference.rule)
        file, line = rule_place(difference.rule, *programs)
        text += words["place"].format(file=file, line=line) if file else ""
    return text + words["colon"] + what_differs(difference, language)


def named_rules(rules: Sequence[str], language: str = "en") -> str:
    """Some rules by number; the rest are counted."""
    words = _FRENCH if language == "fr" else _ENGLISH
    text, rest = ", ".join(rules[:_MOST_NAMED]), len(rules) - _MOST_NAMED
    return words["more rules"].format(rules=text, count=rest) if rest > 0 else text


def what_differs(difference: Difference, language: str = "en") -> str:
    """What is different, without the time and the rule."""
    words = _FRENCH if language == "fr" else _ENGLISH
    match difference.sort:
        case "not offered":
            told = words["not offered"].format(key=difference.key)
            return f"{told}{words['colon']}{difference.refusal}" if difference.refusal is not None else told
        case "happened":
            return _happened(difference, words)
        case "offered":
            return _offered(difference, words)
        case "ended":
            return words["ended"].format(key=difference.key)
        case "failed":
            return words["failed"].format(failure=difference.failure)
        case "stated":
            return words["stated"].format(parts=", ".join(f"`{part}`" for part in difference.stated))
        case "otherwise" | "hash":
            return words[difference.sort]


def _happened(difference: Difference, words: dict[str, str]) -> str:
    old = difference.old.text if difference.old is not None else ""
    new = difference.new.text if difference.new is not None else ""
    key = "less" if difference.new is None else "more" if difference.old is None else "instead"
    return words[key].format(old=old, new=new)


def _offered(difference: Difference, words: dict[str, str]) -> str:
    parts = [
        words[key].format(options=_named(options, words))
        for key, options in (("gone", difference.gone), ("new", difference.added))
        if options
    ]
    return words["and"].join(parts) or words["order"]


def _named(options: tuple[str, ...], words: dict[str, str]) -> str:
    text = ", ".join(f"`{option}`" for option in options[:_MOST_NAMED])
    rest = len(options) - _MOST_NAMED
    return words["more options"].format(options=text, count=rest) if rest > 0 else text
