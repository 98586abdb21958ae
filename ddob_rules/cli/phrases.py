"""What the playing commands say themselves, in each language; the words of rules come from catalogues."""

from __future__ import annotations

import errno
import os

from ddob_rules.reports.diagnostics import fill

_ENGLISH = {
    "setup": "set-up",
    "you are": "You play {player}.",
    "all yours": "You play all seats: {player}.",
    "aim": "{text} [{rule}]",
    "a turn": "A turn: {phases}.",
    "so long": "The game lasts {turns|# turn|# turns}.",
    "three commands": "Type what you want to do, such as `{example}`, or the number of an option; `help` has \
all commands, `hint` an advice, `rule N` the rules.",
    "in place": "{name} in {place}",
    "orders": "{name}: {acts}",
    "order": "{act} {targets}",
    "several fit": "`{word}` may be: {names}",
    "goes by": "{name} ({ident})",
    "reason": "{title}: {text} [{rule}]",
    "bare reason": "{text} [{rule}]",
    "no reason": "no action takes these together",
    "no hint": "there is nothing to advise",
    "advice": "{text} ({why})",
    "costs": "this loses {names}; say it again if you mean it",
    "legend": "{sign}  {name}",
    "no legend": "the map needs no legend",
    "stands": "{name}: {told}.",
    "earlier": "… ({count|# line|# lines} before this; `log` has all)",
    "in short": "… (moves of others in short; `log` has all)",
    "next to": "{direction}: {space}, {told}.",
    "linked to": "next to it",
    "empty space": "nothing there",
    "head": "{title} ({scenario}), seed {seed}",
    "campaign goes on": "`next` goes on with the campaign; `undo` takes the last choice back, `quit` leaves",
    "game of": "Game {number} of the campaign: {title} ({scenario})",
    "standing": "After game {number}: {text}",
    "campaign over": "The campaign is over: {text}",
    "campaign won": "won by {players}",
    "campaign lost": "everybody has lost",
    "campaign drawn": "nobody wins",
    "games": "{count|# game|# games}",
    "not its turn": "game {number} of {path} does not follow from those before it",
    "campaign proven": "proven: {games} and all {choices} play the same",
    "single games": "{option} is of single games, and {name} is a campaign; play one of its games with it",
    "length": "{turns}, {choices}",
    "measure": "{title}: {value}",
    "turns": "{count|# turn|# turns}",
    "players": "{count|# player|# players}",
    "choices": "{count|# choice|# choices}",
    "saved": "saved as {path}",
    "kept": "the game is kept in {path}; go on with: ddob play --load {path}",
    "kept as": "the game is kept as {name}; go on with: ddob play --continue",
    "not kept": "the game cannot be kept in {folder}: {reason}; it goes on, `save FILE` keeps it elsewhere",
    "in use": "{name} is being played in another window or process",
    "no diary": "it is not a kept game",
    "not readable": "the kept game {path} cannot be read: {reason}",
    "other rules now": "the rules have changed since {name} was left; it goes on under those of today",
    "cannot follow": "the rules have changed since {name}: choice {number} is no option now: `{option}`",
    "offer": "A game of {name} is kept ({turn}, {choices}, {when}). Go on with it? [Y/n] ",
    "nothing kept": "there is no kept game to go on with; `ddob saves` lists what there is",
    "gone on": "{name}: {choices}; what happened last:",
    "changed meanwhile": "{path} was changed by somebody else meanwhile, and is left alone",
    "lost place": "the game could not be kept here: {reason}",
    "interrupted": "interrupted",
    "asks": "{turn}, {player}: {prompt} [{rule}]",
    "so many": "({count} to choose)",
    "at least": "(at least {count} to choose)",
    "at most": "(up to {count})",
    "idle": "nothing could be done in: {phases}",
    "no end": "there is nothing to end here: the question wants an answer",
    "undone": "taken back: {option}",
    "undo fewer": "{count|# choice is|# choices are} yours; `undo {count}` goes back to the first of them",
    "same dice": "{told} (the dice will be the same)",
    "begun": "(`undo` takes back: {option})",
    "undone several": "{count} choices taken back, the first of them: {option}",
    "so far": "so far: {names}",
    "left over": "something else is asked now; left over: {names}",
    "over": "The game is over: {text}",
    "no such input": "`{line}` is neither an option nor a command; `help` lists the commands",
    "did you mean": "`{line}` is neither an option nor a command; {advice}",
    "no option": "there is no option {number}; there {count|is #|are #}",
    "finished": "the game is over; `undo` takes the last choice back, `quit` leaves",
    "nothing to undo": "there is nothing to undo",
    "nothing to redo": "there is nothing to redo",
    "not a number": "`{word}` is not a number of choices",
    "needs": "`{command}` needs {what}",
    "a file": "a file name",
    "an action": "an action, such as {example}",
    "a rule": "the number of a rule, or a word of its title",
    "a thing": "the name of a piece or space",
    "no thing": "there is nothing called `{name}` that you can see",
    "no history": "nothing has happened to {name} yet",
    "asked by": 'asked by rule {rule} "{title}" ({place})',
    "allowed": "this is allowed",
    "asked later": "this is allowed; `{words}` is no part of it: what follows is asked then",
    "not seen": "you cannot see `{name}`",
    "no rule": "there is no rule {rule}, nor one with that in its title",
    "rule place": '{rule} "{title}"  ({place})',
    "rule title": '{rule} "{title}"',
    "rule more": "  (`rule {rule} all`: its tables)",
    "more rules": "({count} more; another word of the title will leave fewer)",
    "why not": "why not",
    "no log": "nothing has happened yet",
    "no pieces": "there are no pieces",
    "nowhere": "{count|# piece|# pieces} on no board; `pieces all` tells everything of each",
    "other game": "{path} is a game of {theirs}, not of {ours}",
    "other rules": "the rules have changed since {path} was saved: {text}",
    "loaded": "{path}: {choices}",
    "hand over": "Hand over to {player}, then press Enter.",
    "hidden": "hidden",
    "empty": "{count} empty",
    "goodbye": "goodbye",
    "elsewhere": "({kinds}; `board` shows all)",
    "asked now": "that is none of the answers to: {prompt}",
    "answers are": "{told}; they are: {names}",
    "answers near": "{told}; near it are: {names}",
    "not among": "it may begin, but `{word}` is none of the answers to: {prompt}",
    "of": "{name}: {told}",
    "looked at": "{name}, {kind}",
    "called alike": "  (also called so: {names})",
    "look reads": "  on its counter: {told}",
    "with signs": "{text} ({signs})",
    "look here": "  here: {told}",
    "look now": "  now: {told}",
    "look printed": "  printed: {told}",
    "look more": "  (`look {name} all`: everything)",
    "look more and show": "  (`show {name}`: where it reaches; `look {name} all`: everything)",
    "steps": "steps {count} of {of}",
    "step title": "steps",
    "no part": "`board` shows the map",
    "rest of map": "`board all` shows the rest of the map",
    "reaches": "{name}: {legend}",
    "reaches nothing": "{name} refers to no spaces of a board",
    "may go": "{sign} where it could go now",
    "is here": "{sign} here",
    "may go nowhere": "{name} can go nowhere now",
    "then chance": "(then chance, or what you cannot see, decides)",
    "changes nothing": "(nothing that is told in the story)",
    "too many to try": "there are {count} options; `try N` shows what one of them does",
}
_FRENCH = {
    "setup": "mise en place",
    "you are": "Vous jouez {player}.",
    "all yours": "Vous jouez tous les camps : {player}.",
    "aim": "{text} [{rule}]",
    "a turn": "Un tour : {phases}.",
    "so long": "La partie dure {turns|# tour|# tours}.",
    "three commands": "Tapez ce que vous voulez faire, comme `{example}`, ou le numéro d'une option ; `aide` \
dit toutes les commandes, `conseil` en donne un, `règle N` dit les règles.",
    "in place": "{name} en {place}",
    "orders": "{name} : {acts}",
    "order": "{act} {targets}",
    "several fit": "`{word}` peut être : {names}",
    "goes by": "{name} ({ident})",
    "reason": "{title} : {text} [{rule}]",
    "bare reason": "{text} [{rule}]",
    "no reason": "aucune action ne les prend ensemble",
    "no hint": "il n'y a rien à conseiller",
    "advice": "{text} ({why})",
    "costs": "cela fait perdre {names} ; redites-le si vous y tenez",
    "legend": "{sign}  {name}",
    "no legend": "la carte se passe de légende",
    "stands": "{name} : {told}.",
    "earlier": "… ({count|# ligne|# lignes} auparavant ; `journal` a tout)",
    "in short": "… (mouvements des autres en bref ; `journal` a tout)",
    "next to": "{direction} : {space}, {told}.",
    "linked to": "à côté",
    "empty space": "rien",
    "head": "{title} ({scenario}), graine {seed}",
    "campaign goes on": "`suivante` continue la campagne ; `annuler` reprend un choix, `quitter` s'en va",
    "game of": "Partie {number} de la campagne : {title} ({scenario})",
    "standing": "Après la partie {number} : {text}",
    "campaign over": "La campagne est finie : {text}",
    "campaign won": "gagnée par {players}",
    "campaign lost": "tous ont perdu",
    "campaign drawn": "personne ne gagne",
    "games": "{count|# partie|# parties}",
    "not its turn": "la partie {number} de {path} ne suit pas des précédentes",
    "campaign proven": "prouvé : {games} et les {choices} se jouent de même",
    "single games": "{option} est pour une seule partie, et {name} est une campagne ; jouez-en une partie",
    "length": "{turns}, {choices}",
    "measure": "{title} : {value}",
    "turns": "{count|# tour|# tours}",
    "players": "{count|# joueur|# joueurs}",
    "choices": "{count} choix",
    "saved": "sauvegardé dans {path}",
    "kept": "la partie est gardée dans {path} ; continuer avec : ddob play --load {path}",
    "kept as": "la partie est gardée sous le nom {name} ; continuer avec : ddob play --continue",
    "not kept": "la partie ne peut pas être gardée dans {folder} : {reason} ; elle continue quand même",
    "in use": "{name} se joue déjà dans une autre fenêtre ou un autre processus",
    "no diary": "ce n'est pas une partie gardée",
    "not readable": "la partie gardée {path} ne peut pas être lue : {reason}",
    "other rules now": "les règles ont changé depuis {name} ; la partie continue sous celles d'aujourd'hui",
    "cannot follow": "les règles ont changé depuis {name} : le choix {number} n'existe plus : `{option}`",
    "offer": "Une partie de {name} est gardée ({turn}, {choices}, {when}). La continuer ? [O/n] ",
    "nothing kept": "il n'y a pas de partie gardée à continuer ; `ddob saves` montre ce qu'il y a",
    "gone on": "{name} : {choices} ; ce qui s'est passé en dernier :",
    "changed meanwhile": "{path} a été modifié entre-temps par quelqu'un d'autre, et reste tel quel",
    "lost place": "la partie n'a pas pu être gardée ici : {reason}",
    "interrupted": "interrompu",
    "asks": "{turn}, {player} : {prompt} [{rule}]",
    "so many": "({count} à choisir)",
    "at least": "(au moins {count} à choisir)",
    "at most": "({count} au plus)",
    "idle": "rien à faire dans : {phases}",
    "no end": "il n'y a rien à terminer ici : la question attend une réponse",
    "undone": "repris : {option}",
    "undo fewer": "{count|# choix est|# choix sont} de vous ; `annuler {count}` revient au premier",
    "same dice": "{told} (les dés seront les mêmes)",
    "begun": "(`annuler` reprend : {option})",
    "undone several": "{count} choix repris, dont le premier : {option}",
    "so far": "déjà : {names}",
    "left over": "la question n'est plus la même ; il reste : {names}",
    "over": "La partie est finie : {text}",
    "no such input": "`{line}` n'est ni une option ni une commande ; `aide` montre les commandes",
    "did you mean": "`{line}` n'est ni une option ni une commande ; {advice}",
    "no option": "il n'y a pas d'option {number} ; il y en a {count}",
    "finished": "la partie est finie ; `annuler` reprend le dernier choix, `quitter` s'en va",
    "nothing to undo": "il n'y a rien à annuler",
    "nothing to redo": "il n'y a rien à refaire",
    "not a number": "`{word}` n'est pas un nombre de choix",
    "needs": "`{command}` demande {what}",
    "a file": "un nom de fichier",
    "an action": "une action, comme {example}",
    "a rule": "le numéro d'une règle, ou un mot de son titre",
    "a thing": "le nom d'une pièce ou d'un espace",
    "no thing": "il n'y a rien de visible qui s'appelle `{name}`",
    "no history": "il n'est encore rien arrivé à {name}",
    "asked by": "demandé par la règle {rule} « {title} » ({place})",
    "allowed": "c'est permis",
    "asked later": "c'est permis ; `{words}` n'en fait pas partie : la suite est demandée ensuite",
    "not seen": "vous ne voyez pas `{name}`",
    "no rule": "il n'y a pas de règle {rule}, ni de règle dont le titre ait ce mot",
    "rule place": "{rule} « {title} »  ({place})",
    "rule title": "{rule} « {title} »",
    "rule more": "  (`règle {rule} tout` : ses tables)",
    "more rules": "({count} de plus ; un autre mot du titre en laissera moins)",
    "why not": "pourquoi pas",
    "no log": "il ne s'est encore rien passé",
    "no pieces": "il n'y a pas de pièces",
    "nowhere": "{count|# pièce|# pièces} hors du plateau ; `pièces tout` dit tout de chacune",
    "other game": "{path} est une partie de {theirs}, pas de {ours}",
    "other rules": "les règles ont changé depuis que {path} a été sauvegardé : {text}",
    "loaded": "{path} : {choices}",
    "hand over": "Passez à {player}, puis appuyez sur Entrée.",
    "hidden": "caché",
    "empty": "{count|# vide|# vides}",
    "goodbye": "au revoir",
    "elsewhere": "({kinds} ; `plateau` montre tout)",
    "asked now": "ce n'est pas une réponse à : {prompt}",
    "answers are": "{told} ; ce sont : {names}",
    "answers near": "{told} ; il y a tout près : {names}",
    "not among": "cela peut commencer, mais `{word}` n'est pas une réponse à : {prompt}",
    "of": "{name} : {told}",
    "looked at": "{name}, {kind}",
    "called alike": "  (s'appelle aussi ainsi : {names})",
    "look reads": "  sur son pion : {told}",
    "with signs": "{text} ({signs})",
    "look here": "  ici : {told}",
    "look now": "  maintenant : {told}",
    "look printed": "  imprimé : {told}",
    "look more": "  (`voir {name} tout` : tous les détails)",
    "look more and show": "  (`montrer {name}` : où il porte ; `voir {name} tout` : tous les détails)",
    "steps": "pas {count} sur {of}",
    "step title": "pas",
    "no part": "`plateau` montre la carte",
    "rest of map": "`plateau tout` montre le reste de la carte",
    "reaches": "{name} : {legend}",
    "reaches nothing": "{name} ne renvoie à aucun espace d'un plateau",
    "may go": "{sign} où elle pourrait aller maintenant",
    "is here": "{sign} ici",
    "may go nowhere": "{name} ne peut aller nulle part maintenant",
    "then chance": "(ensuite, le hasard ou ce que vous ne voyez pas décide)",
    "changes nothing": "(rien de ce que dit le récit)",
    "too many to try": "il y a {count} options ; `essayer N` montre ce que fait l'une d'elles",
}

HELP_ENGLISH = """\
Type what you want to do: a piece, an action, a target, in any order
(`red-3 b2`, `move red-3`), and behind it what is asked next (`move red-3 c4`);
a part of a name will do. A piece alone shows what it can do, or begins it if
that is one thing. Or type the number of an option, or its text. Where things
are asked for one after the other, commas go between them (`red-3, red-4, .`).
Enter alone takes the only option there is, or repeats the question; `.` is
done, or none.

  why THING             what happened to a piece or space, and by which rule (why: who asks this question)
  why not ACTION ARGS   why an action is not allowed, such as: why not {example}
  why not THING         why it is none of the answers to what is asked
  rule N                the title and text of a rule (rule WORD: the rules with it in their titles; \
rule N all: as it is written, with its tables)
  hint                  what the computer would do, and what that is worth
  brief, legend         what the game is about; the signs of the map
  around THING          what lies next to a space or piece, in sentences
  look THING            how a piece or space stands, what is printed on it (look THING all: everything)
  board, pieces         the board where pieces lie; who lies where (board all, pieces all: everything)
  show THING            the board with the spaces that a piece could go to now, or that a thing refers to, \
such as where it reaches; or with a place
  try N                 what option N would do at once (try: what each option would do)
  log [N]               the last N things that happened
  undo [N], redo [N]    take choices back, make them again
  save FILE, load FILE  keep the game, go on with another
  quit                  leave; an unfinished game is kept

A word that is both an option and a command is the option; /{command} is always
the command."""
HELP_FRENCH = """\
Tapez ce que vous voulez faire : une pièce, une action, une cible, et derrière
ce qui est demandé ensuite (`bouger rouge-3 c4`) ; une partie d'un nom suffit.
Une pièce seule dit ce qu'elle peut faire, ou le commence si c'est une seule
chose. Ou le numéro d'une option, ou son texte. Là où des choses sont demandées
l'une après l'autre, des virgules les séparent (`rouge-3, rouge-4, .`). Entrée
seule prend l'unique option, ou répète la question ; `.` veut dire terminé, ou
rien.

  pourquoi CHOSE              ce qui est arrivé à une pièce ou un espace, et la règle (seul : qui demande)
  pourquoi pas ACTION NOMS    pourquoi une action n'est pas permise, par exemple : pourquoi pas {example}
  pourquoi pas CHOSE          pourquoi ce n'est pas une réponse à la question posée
  règle N                     le titre et le texte d'une règle (règle MOT : celles dont le titre l'a, \
règle N tout : comme elle est écrite, avec ses tables)
  conseil                     ce que ferait l'ordinateur, et ce que cela vaut
  mission, légende            de quoi il s'agit ; les signes de la carte
  autour CHOSE                ce qui touche un espace ou une pièce, en phrases
  voir CHOSE                  son état, et ce qui est imprimé dessus (voir CHOSE tout : tous les détails)
  plateau, pièces             le plateau là où sont des pièces ; qui est où (plateau tout, pièces tout)
  montrer CHOSE               le plateau, avec les espaces où une pièce pourrait aller, ou auxquels une \
chose renvoie, comme ceux où elle tire ; ou avec un lieu
  essayer N                   ce que ferait aussitôt l'option N (essayer : ce que ferait chaque option)
  journal [N]                 les N derniers événements
  annuler [N], refaire [N]    reprendre des choix, les refaire
  sauver FICHIER, charger FICHIER  garder la partie, continuer une autre
  quitter                     partir ; une partie inachevée est gardée

Un mot qui est une option et une commande est l'option ; /{command} est toujours
la commande."""

#: What may be typed for each command; the first is its name.
COMMAND_WORDS = {
    "why": ("why", "pourquoi"),
    "rule": ("rule", "règle", "regle"),
    "look": ("look", "voir", "regarder", "regarde"),
    "board": ("board", "plateau", "map", "carte"),
    "show": ("show", "montrer"),
    "try": ("try", "essayer"),
    "pieces": ("pieces", "pièces"),
    "log": ("log", "journal", "story"),
    "hint": ("hint", "conseil", "indice"),
    "brief": ("brief", "mission"),
    "legend": ("legend", "légende", "legende"),
    "around": ("around", "autour"),
    "undo": ("undo", "annuler"),
    "redo": ("redo", "refaire"),
    "save": ("save", "sauver"),
    "load": ("load", "charger"),
    "help": ("help", "aide", "?"),
    "quit": ("quit", "quitter", "exit"),
}
NOT_WORDS = ("not", "pas")
#: What ends a question where it can be ended, whatever that is called there.
DONE_WORDS = (".", "done", "none", "pass", "terminé", "fini", "aucun", "aucune", "rien", "passer")
ALL_WORDS = ("all", "tout")


def phrase(language: str, key: str, **arguments: object) -> str:
    text = (_FRENCH if language == "fr" else _ENGLISH)[key]
    return fill(text, {name: str(value) for name, value in arguments.items()}, language)


# What the system says of files, in French; it speaks English whatever the language of the game is.
_FILE_REASONS = {
    errno.ENOENT: "le fichier ou le dossier n'existe pas",
    errno.EACCES: "la permission manque",
    errno.EPERM: "ce n'est pas permis",
    errno.EISDIR: "c'est un dossier",
    errno.ENOTDIR: "une partie du chemin n'est pas un dossier",
    errno.EEXIST: "le fichier existe déjà",
    errno.ENOSPC: "il n'y a plus de place",
    errno.EROFS: "on ne peut rien y écrire",
    errno.ENAMETOOLONG: "le nom est trop long",
}


def file_reason(reason: str, language: str) -> str:
    """What the system says of a file, in a language; as it is where we have no words for it."""
    if language != "fr":
        return reason
    known = {os.strerror(number).lower(): text for number, text in _FILE_REASONS.items()}
    return known.get(reason.lower(), reason)


def command_word(command: str, language: str) -> str:
    """What a command is called in a language."""
    return COMMAND_WORDS[command][1 if language == "fr" else 0]


def counted(language: str, key: str, count: int) -> str:
    """A number with its noun."""
    return phrase(language, key, count=count)


def help_text(language: str, example: str) -> str:
    text = HELP_FRENCH if language == "fr" else HELP_ENGLISH
    return text.format(example=example, command="quitter" if language == "fr" else "quit")
