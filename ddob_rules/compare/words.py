"""From a change of rules to a sentence, in English and in French, and to the words for its parts.

What authors wrote stays in the language they wrote it in. What is new or gone is cut if it is long; the
whole text is in the data. How changes are put together on a sheet is left to `sheet`.
"""

from __future__ import annotations

from ddob_rules.compare.changes import Change
from ddob_rules.compare.identity import PLAYERS
from ddob_rules.compare.marks import compared

#: Of what is new or gone; a whole procedure on a line would hide what is said about it.
_LONGEST = 120

_ENGLISH = {
    "rule added": "{rule} added{colon}{new}{about}",
    "rule removed": "{rule} removed{by}{colon}{old}",
    "rule replaced": "{rule} replaced{by}{colon}{new}",
    "rule amended": "{rule} amended{by}{colon}{new}{when}",
    "added": "{rule}: {what} added{place}{colon}{new}{when}{by_rule}",
    "removed": "{rule}: {what} removed{colon}{old}{when}{by_rule}",
    "changed": "{rule} changed{subject}: {change}{when}{by_rule}",
    "moved": "{rule}: {what} moved{place}{when}{by_rule}",
    "moved rule": "{rule}: {what} moved from rule {old}",
    "reordered": "{rule}: {what} in another order{by_rule}",
    "dropped": "{rule}: {what} no longer{place}{colon}{old}{when}{by_rule}",
    "by": " by {by}",
    "colon": ": ",
    "amends": "amends {target}",
    "replaces": "replaces {target}",
    "removes": "removes {target}",
    "in force": ", {when}",
    "from": "from turn {first}",
    "until": "until turn {last}",
    "turns": "turns {first} to {last}",
    "turn": "on turn {first}",
    "never": "on no turn",
    "when": "when {condition}",
    "after": " after {target}",
    "before": " before {target}",
    "inside": " inside {target}",
    "first": " at the beginning",
    "moved first": " to the beginning",
    "of": "{part} of {subject}",
    "texts": "Texts:",
    "same": "no differences",
}
_FRENCH = {
    "rule added": "{rule} ajoutée{colon}{new}{about}",
    "rule removed": "{rule} supprimée{by}{colon}{old}",
    "rule replaced": "{rule} remplacée{by}{colon}{new}",
    "rule amended": "{rule} amendée{by}{colon}{new}{when}",
    "added": "{rule} : ajout : {what}{place}{colon}{new}{when}{by_rule}",
    "removed": "{rule} : suppression : {what}{colon}{old}{when}{by_rule}",
    "changed": "{rule} modifiée{subject} : {change}{when}{by_rule}",
    "moved": "{rule} : déplacement : {what}{place}{when}{by_rule}",
    "moved rule": "{rule} : {what}, auparavant dans la règle {old}",
    "reordered": "{rule} : autre ordre : {what}{by_rule}",
    "dropped": "{rule} : ne vaut plus : {what}{place}{colon}{old}{when}{by_rule}",
    "by": " par {by}",
    "colon": " : ",
    "amends": "amende {target}",
    "replaces": "remplace {target}",
    "removes": "supprime {target}",
    "in force": ", {when}",
    "from": "à partir du tour {first}",
    "until": "jusqu'au tour {last}",
    "turns": "tours {first} à {last}",
    "turn": "au tour {first}",
    "never": "à aucun tour",
    "when": "quand {condition}",
    "after": " après {target}",
    "before": " avant {target}",
    "inside": " dans {target}",
    "first": " au début",
    "moved first": " au début",
    "of": "{part} ({subject})",
    "texts": "Textes :",
    "same": "aucune différence",
}
#: What the declarations and their parts are called; English has most of the nouns as they are.
_ENGLISH_NOUNS = {"attach": "attachment", "called_phase": "phase"}
_FRENCH_NOUNS = {
    "action": "action", "addition": "complément", "part": "élément", "called_phase": "phase",
    "restriction": "restriction",
    "amendment": "amendement", "attach": "ajout", "attribute": "attribut",
    "automation": "automatisme du joueur", "board": "plateau", "card": "carte", "cell": "cellule",
    "change": "changement", "chart": "tableau", "condition": "condition",
    "condition of phase": "condition de la phase", "conflicts": "exclusions", "contents": "contenu",
    "cost": "coût", "criterion": "critère", "define": "définition", "dice": "dé", "each": "chaque",
    "edge": "côté", "effect": "effet", "effect of phase": "effet de la phase", "ends": "extrémités",
    "enum": "énumération", "face": "face", "limit": "limite", "option": "option", "owners": "propriétaires",
    "parameters": "paramètres", "phase": "phase", "phases": "phases", "piece": "pièce", "pile": "pile",
    "player": "joueur", "players": "joueurs", "fixing": "moment où elle est fixée",
    "more parameters": "autres paramètres",
    "policy": "méthode", "record": "fiche", "priority": "priorité", "procedure": "procédure",
    "refill": "réserve", "repetition": "répétition de la phase", "row": "ligne", "score": "score",
    "sequence": "séquence", "setup": "mise en place", "sort": "sorte", "space": "case",
    "spaces": "cases", "stop": "arrêt", "way": "trajet",
    "start": "valeur de départ", "table": "table", "text": "texte", "tie": "égalité", "timing": "moment",
    "title": "titre", "todo": "à écrire", "trigger": "déclencheur", "type": "type", "value": "valeur",
    "variable": "variable", "victory": "victoire", "visibility": "visibilité",
    "citation": "citation", "look": "aspect", "telling": "mention dans le récit", "status": "situation",
    "measure": "mesure", "number": "nombre", "renewal": "renouvellement",
}  # fmt: skip


def words_of(language: str) -> dict[str, str]:
    """Our words in a language."""
    return _FRENCH if language == "fr" else _ENGLISH


def sentence(change: Change, language: str = "en") -> str:
    """One change on one line."""
    words = words_of(language)
    about = _amendment(change, words)
    old, new = _cut(change.old), _cut(change.new)
    by = words["by"].format(by=change.by) if change.by else ""
    when = when_of(change, words)
    subject, what = subject_of(change, language), what_of(change, words, language)
    template = words["moved rule" if change.sort == "moved" and change.noun == "rule" else change.sort]
    shown_value = new if change.sort in ("added", "rule added", "rule replaced", "rule amended") else old
    return template.format(
        rule=_rule(change, language),
        change=compared(change.old, change.new, language),
        old=old,
        new=new,
        colon=words["colon"] if shown_value else "",
        about=about,
        by=by,
        by_rule=f" ({change.by})" if change.by else "",
        when=words["in force"].format(when=when) if when else "",
        place=place_of(change, words),
        what=what,
        subject=_changed_part(change, subject, language),
    )


def _rule(change: Change, language: str) -> str:
    """The rule number; an option that stands by itself has none and goes by its ruleset word."""
    if change.rule == PLAYERS:
        return noun_of(PLAYERS, language)
    return noun_of("option", language) if change.rule == f"option {change.subject}" else change.rule


def _amendment(change: Change, words: dict[str, str]) -> str:
    if change.sort != "rule added" or change.noun not in ("amends", "replaces", "removes"):
        return ""
    when = when_of(change, words)
    inside = words[change.noun].format(target=change.target)
    return f" ({inside}{words['in force'].format(when=when) if when else ''})"


def when_of(change: Change, words: dict[str, str]) -> str:
    first, last = change.first, change.last
    if first is not None and last is not None:
        key = "turns" if first < last else "turn" if first == last else "never"
        return words[key].format(first=first, last=last)
    if first is not None:
        return words["from"].format(first=first)
    if last is not None:
        return words["until"].format(last=last)
    return words["when"].format(condition=change.condition) if change.condition else ""


def noun_of(noun: str, language: str) -> str:
    return (_FRENCH_NOUNS if language == "fr" else _ENGLISH_NOUNS).get(noun, noun)


def subject_of(change: Change, language: str) -> str:
    if change.rule == f"option {change.subject}":
        return change.subject
    kind = noun_of(change.kind, language)
    return kind if change.subject in ("", change.kind) else f"{kind} {change.subject}"


def part_of(change: Change, language: str) -> str:
    """The part of a declaration; a cell is plain from its brackets."""
    if change.noun == "cell":
        return change.name
    return " ".join(filter(None, [noun_of(change.noun, language), change.name]))


def what_of(change: Change, words: dict[str, str], language: str) -> str:
    subject, part = subject_of(change, language), part_of(change, language)
    if change.noun == "rule" or not part:
        return subject
    return words["of"].format(part=part, subject=subject) if subject else part


def _changed_part(change: Change, subject: str, language: str) -> str:
    inside = ", ".join(filter(None, [subject, part_of(change, language) if change.noun != "cell" else ""]))
    cell = f" {change.name}" if change.noun == "cell" else ""
    return (f" ({inside})" if inside else "") + cell


def place_of(change: Change, words: dict[str, str]) -> str:
    if not change.place:
        return ""
    key = "moved first" if (change.sort, change.place) == ("moved", "first") else change.place
    return words[key].format(target=change.target)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2].rstrip() + "…"
