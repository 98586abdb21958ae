"""What the server says itself, in each language; the words of rules come from catalogues."""

from __future__ import annotations

_ENGLISH = {
    "not asked": "you are not asked now",
    "late": "the table has changed meanwhile",
    "no such answer": "there is no such answer",
    "no such choice": "there is no such choice",
    "nothing to undo": "there is nothing to take back",
    "nothing to redo": "there is nothing to make again",
    "not free": "that cannot be taken back alone: {why}",
    "chance": "chance has decided something",
    "shown": "something was shown",
    "another seat": "somebody else has decided something",
    "took back": "{player} took back ({count})",
    "made again": "{player} made it again ({count})",
    "not yours": "this seat is not yours",
    "no such table": "there is no such table",
    "no such game": "there is no such game",
    "not understood": "this is not understood",
    "too fast": "too many messages",
    "too many": "there are too many tables",
    "in use": "this game is being played in another window or process",
    "broken": "this game cannot be gone on with: {why}",
    "link": "This link leads nowhere any more.",
    "clean": "the rules are clean, and the game plays the same",
    "serving": "The table is at {address}",
    "stop": "Ctrl+C stops it; nothing is lost.",
    "open to all": "Anybody who can reach {host} can try to connect; seats are taken by links only.",
    "no web": '`ddob serve` needs more packages: pip install ".[web]"',
}
_FRENCH = {
    "not asked": "ce n'est pas à vous de répondre",
    "late": "la table a changé entre-temps",
    "no such answer": "cette réponse n'existe pas",
    "no such choice": "ce choix n'existe pas",
    "nothing to undo": "il n'y a rien à reprendre",
    "nothing to redo": "il n'y a rien à refaire",
    "not free": "vous ne pouvez pas reprendre cela seul : {why}",
    "chance": "le hasard a décidé",
    "shown": "quelque chose a été montré",
    "another seat": "un autre a décidé",
    "took back": "{player} a repris ({count})",
    "made again": "{player} a refait ({count})",
    "not yours": "cette place n'est pas la vôtre",
    "no such table": "cette table n'existe pas",
    "no such game": "ce jeu n'existe pas",
    "not understood": "message incompris",
    "too fast": "trop de messages",
    "too many": "il y a trop de tables",
    "in use": "cette partie se joue dans une autre fenêtre ou un autre processus",
    "broken": "cette partie ne peut pas continuer : {why}",
    "link": "Ce lien ne mène plus nulle part.",
    "clean": "les règles sont sans faute, et la partie se joue de même",
    "serving": "La table est à {address}",
    "stop": "Ctrl+C l'arrête ; rien n'est perdu.",
    "open to all": "Qui peut atteindre {host} peut essayer de se connecter ; on ne s'assied que par un lien.",
    "no web": '`ddob serve` demande d\'autres paquets : pip install ".[web]"',
}


def word(language: str, key: str) -> str:
    return (_FRENCH if language == "fr" else _ENGLISH)[key]
