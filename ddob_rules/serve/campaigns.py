"""Campaigns at a table: which game is played now, what came before it, and the table of the next one.

The diary of a game says which campaign it is one of, as in the terminal, so that either goes on with it. The
diary of the next game begins before anybody leaves the one before: the border is never without one.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any

from ddob_rules.campaigns import load_campaign
from ddob_rules.cli.campaigns import OpenCampaign, followed, kept_campaign
from ddob_rules.cli.keeping import lasting_overlay
from ddob_rules.library.finding import CampaignEntry
from ddob_rules.reports.diagnostics import Diagnostic
from interpreter.campaigns.course import Course
from interpreter.campaigns.saves import CampaignSave, campaign_data
from interpreter.records.diaries import Diary
from interpreter.records.saves import Save
from interpreter.records.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Under:
    """A campaign that is under way: the games that are over, and where it stands after them."""

    ident: str  # what it is called among those that are kept
    opened: OpenCampaign
    before: CampaignSave
    course: Course

    @property
    def number(self) -> int:
        """Which of its games is played now, from 0."""
        return len(self.before.games)

    def head(self) -> dict[str, Any]:
        """What the diary of the game says of it."""
        return {"id": self.ident, "number": self.number, "before": campaign_data(self.before)}

    def after(self, session: Session, played: Save) -> Under:
        """The campaign once the game that is played now is over."""
        before = replace(self.before, games=(*self.before.games, played), players=dict(played.players))
        return replace(self, before=before, course=self.opened.after(self.course, session))

    def told(self, session: Session) -> dict[str, Any]:
        """What pages show of it: which game this is, and when it is over what comes then."""
        found: dict[str, Any] = {"title": self.opened.campaign.title, "number": self.number + 1}
        if not session.state.over:
            return found
        course = self.opened.after(self.course, session)
        following = course.next
        if following is not None:
            found["next"] = self.opened.plain(following).scenario.title
        return {**found, "text": self.opened.standing(course)}


def opened_campaign(
    entry: CampaignEntry, options: tuple[str, ...], overlays: tuple[str, ...], language: str
) -> OpenCampaign | list[Diagnostic]:
    """A campaign with all its games, or what is wrong with it."""
    loaded = load_campaign(entry, options=options, overlays=overlays, language=language)
    if loaded.campaign is None:
        return loaded.problems
    return OpenCampaign.made(entry, loaded, options, overlays, language)


def begun(opened: OpenCampaign, seed: int, computers: dict[str, str]) -> Under:
    """A campaign before its first game."""
    before = CampaignSave(
        campaign=opened.word, seed=seed, options=opened.options,
        overlays=tuple(map(lasting_overlay, opened.overlays)), players=computers,
    )  # fmt: skip
    ident = f"{opened.campaign.name}-{secrets.token_hex(4)}"
    course = Course(campaign=opened.campaign, seed=seed)
    return Under(ident=ident, opened=opened, before=before, course=course)


def gone_on(opened: OpenCampaign, diary: Diary) -> Under:
    """The campaign of a kept game; `Refused` if its games do not follow from one another any more."""
    before = kept_campaign(diary.head.campaign, diary.id)
    course = followed(opened, before, diary.id).course
    return Under(ident=diary.campaign, opened=opened, before=before, course=course)
