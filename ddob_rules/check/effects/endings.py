"""How a game ends: who has won, who has lost, or a rank; all of these become one effect that ends the game.

Players with an attribute `team` win and lose together with all who have the same.
"""

from __future__ import annotations

from ddob_rules.check.scope import WRONG, Here, Scope
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.written import shown
from ddob_rules.syntax.nodes import Leaf
from ddob_rules.syntax.nodes import effects as nodes
from ddob_rules.syntax.nodes.expressions import Expression
from interpreter import ir

Ending = nodes.Wins | nodes.NobodyWins | nodes.EveryoneWins | nodes.Loses | nodes.EveryoneLoses | nodes.Rank

_PLAYERS = ir.set_of(ir.PLAYER)
_EVERYONE = ir.Extent(kind="player", type=_PLAYERS)
_NOBODY = ir.Const(value=0, type=_PLAYERS)


class Endings:
    def __init__(self, here: Here, scope: Scope) -> None:
        self.here = here
        self.scope = scope
        self.values = Expressions(here, scope)

    def of(self, place: Ending) -> list[ir.Statement]:
        """The statement that ends the game; none after a mistake."""
        match place:
            case nodes.NobodyWins():
                return self._end(_NOBODY, place)
            case nodes.EveryoneWins():
                return self._end(_EVERYONE, place)
            case nodes.EveryoneLoses():
                return self._end(_NOBODY, place, lost=True)
            case nodes.Wins():
                found = self._players(place.winner)
                return self._end(self._all_of("some", found), place) if found is not None else []
            case nodes.Loses():
                found = self._players(place.loser)
                return self._end(self._all_of("no", found), place, lost=True) if found is not None else []
            case nodes.Rank():
                return self._rank(place)

    def _end(
        self, winners: ir.Expression, place: Ending, *, lost: bool = False, ranking: str = ""
    ) -> list[ir.Statement]:
        text: Leaf | None = place.text
        words = self.values.text(text) if text is not None else ir.Const(value="", type=ir.TEXT)
        site = self.here.site(place)
        return [ir.EndGame(winners=winners, text=words, site=site, lost=lost, ranking=ranking)]

    def _players(self, place: Expression) -> ir.Expression | None:
        """One player or several, as a set."""
        found = self.values.of(place)
        if found.type == ir.PLAYER:
            return ir.MakeSet(items=(found,), type=_PLAYERS)
        if found.type == _PLAYERS:
            return found
        if found.type != WRONG:
            self.here.error("E0202", place, text=shown(place), actual=str(found.type), wanted="player")
        return None

    def _team(self, player: ir.Expression) -> ir.Expression | None:
        """The team of a player, where players have one."""
        if ("enum player", "team") not in self.here.vocabulary.attributes:
            return None
        return self.values.get(player, Leaf("NAME", "team", self.here.rule.span))

    def _all_of(self, how: ir.Gather, named: ir.Expression) -> ir.Expression:
        """The players of whom `some` or `no` one that was named is himself, or of his team."""
        one = ir.Local(name=self.scope.fresh("one"), type=ir.PLAYER)
        other = ir.Local(name=self.scope.fresh("other"), type=ir.PLAYER)
        mine, theirs = self._team(one), self._team(other)
        if mine is None or theirs is None:
            if how == "some":
                return named
            return ir.Binary(operator="-", left=_EVERYONE, right=named, type=_PLAYERS)
        same: ir.Expression = ir.Binary(operator="=", left=mine, right=theirs, type=ir.FLAG)
        both = ir.Binary(operator="=", left=one, right=other, type=ir.FLAG)
        same = ir.Binary(operator="or", left=both, right=same, type=ir.FLAG)
        return self._those(one, self._quantified(how, other, named, same))

    def _rank(self, place: nodes.Rank) -> list[ir.Statement]:
        """Who has most points by a definition wins; all are told in their order."""
        name = place.points
        known = self.here.vocabulary.functions.get(name.text)
        if known is None:
            self.here.unknown(name.text, name, list(self.here.vocabulary.functions))
            return []
        self.here.vocabulary.used.add(name.text)
        kinds = tuple(parameter.type for parameter in known.parameters)
        if known.sort != "define" or known.type != ir.NUMBER or kinds != (ir.PLAYER,):
            self.here.error("E0341", name, name=name.text)
            return []
        one = ir.Local(name=self.scope.fresh("one"), type=ir.PLAYER)
        other = ir.Local(name=self.scope.fresh("other"), type=ir.PLAYER)
        mine, theirs = (ir.Call(name=name.text, arguments=(who,), type=ir.NUMBER) for who in (one, other))
        more = ir.Binary(operator=">", left=theirs, right=mine, type=ir.FLAG)
        first = self._those(one, self._quantified("no", other, _EVERYONE, more))
        return self._end(self._all_of("some", first), place, ranking=name.text)

    def _those(self, one: ir.Local, test: ir.Expression) -> ir.Expression:
        return ir.Quantify(
            gather="set", variable=one.name, variable_type=ir.PLAYER, source=_EVERYONE, where=test, body=one,
            type=_PLAYERS,
        )  # fmt: skip

    def _quantified(
        self, how: ir.Gather, other: ir.Local, source: ir.Expression, test: ir.Expression
    ) -> ir.Expression:
        return ir.Quantify(
            gather=how, variable=other.name, variable_type=ir.PLAYER, source=source, where=test, body=None,
            type=ir.FLAG,
        )  # fmt: skip
