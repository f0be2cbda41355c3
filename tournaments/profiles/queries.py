"""Reads of a person's page as far as its reader may see it: nothing is read that they don't show. They never write."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import F, Q, QuerySet

from games.facts.queries import FactSums, read_sums
from games.levels import PAIRS, ShownLevel, average_levels, read_levels
from games.models import SeatFacts
from players.models import FixedPair, Player
from players.selectors import find_shown, list_seen_parts
from scoring.levels import LevelHistory, list_level_history
from scoring.models import Level
from tournaments.profiles.history import HistoryPage, choose_counted, read_history
from tournaments.profiles.played_tournaments import PlayedTournamentsPage, read_played_tournaments

LATEST = 10  # tournaments of the page itself
LATEST_MATCHES = 7


@dataclass(frozen=True, slots=True)
class PersonPage:
    """The page of a person for one reader: only the ``parts`` that the reader is shown are filled."""

    person: Player
    own: bool
    parts: frozenset[str]
    history: HistoryPage = field(default_factory=HistoryPage)
    tournaments: PlayedTournamentsPage = field(default_factory=PlayedTournamentsPage)
    sums: FactSums = field(default_factory=FactSums)
    levels: tuple[LevelHistory, ...] = ()
    pairs: tuple[FixedPair, ...] = ()


def find_person(public_id: str) -> Player | None:
    """Return the player of that address, those of closed accounts too; None if there is none."""
    return Player.objects.select_related("user").filter(public_id=public_id).first()


def read_person(person: Player, reader: Player | None, now: datetime) -> PersonPage:
    """Return the page of a person as far as the reader may see it."""
    parts = list_seen_parts(person, reader)
    blank = PersonPage(person, own=reader is not None and reader.pk == person.pk, parts=parts)
    return PersonPage(
        person=person,
        own=blank.own,
        parts=parts,
        history=read_history(person, size=LATEST_MATCHES) if "history" in parts else blank.history,
        tournaments=read_played_tournaments(person, size=LATEST) if "tournaments" in parts else blank.tournaments,
        sums=read_sums(choose_counted(person)) if "statistics" in parts else blank.sums,
        levels=tuple(list_level_history(person.pk, now)) if "levels" in parts else (),
        pairs=tuple(_list_shown_pairs(person, reader)) if "pairs" in parts else (),
    )


def list_pairs(player: Player) -> QuerySet[FixedPair]:
    """Return the pairs that a player has formed, those that ended last."""
    own = FixedPair.objects.filter(Q(first=player) | Q(second=player), formed_at__isnull=False)
    return own.select_related("first", "second").order_by(F("ended_at").desc(nulls_first=True), "-formed_at")


def _list_shown_pairs(person: Player, reader: Player | None) -> list[FixedPair]:
    """Return the pairs of a person whose other player shows the reader theirs, too."""
    pairs = list(list_pairs(person))
    others = [player for pair in pairs for player in pair.players if player.pk != person.pk]
    shown = find_shown(others, reader, "pairs") | {person.pk}
    own = reader is not None and reader.pk == person.pk
    return [pair for pair in pairs if own or all(player.pk in shown for player in pair.players)]


def list_pair_invitations(player: Player) -> QuerySet[FixedPair]:
    """Return the invitations to a pair that nobody has answered, from the player and, unless they block who invites,
    to them."""
    from_others = Q(second=player) & ~Q(first__blocked_by__player=player)
    own = FixedPair.objects.filter(Q(first=player) | from_others, formed_at=None)
    return own.select_related("first", "second").order_by("-invited_at")


def find_pair(public_id: str) -> FixedPair | None:
    """Return the formed pair of that address; None if there is none."""
    formed = FixedPair.objects.filter(public_id=public_id, formed_at__isnull=False)
    return formed.select_related("first__user", "second__user").first()


@dataclass(frozen=True, slots=True)
class PairLevel:
    """Level of a pair in a game: the mean of its two players' levels in pairs (L5)."""

    ruleset: str
    level: ShownLevel


def read_pair_levels(pair: FixedPair, now: datetime) -> list[PairLevel]:
    """Return the levels of a pair in the games that either has a level in, by game."""
    ids = [player.pk for player in pair.players]
    rulesets = Level.objects.filter(player__in=ids, form=PAIRS).values_list("ruleset", flat=True).distinct()
    return [
        PairLevel(ruleset, average_levels([read.get(pk) for pk in ids]))
        for ruleset in sorted(rulesets)
        if (read := read_levels(ids, ruleset, PAIRS, now))
    ]


def choose_together(pair: FixedPair) -> QuerySet[SeatFacts]:
    """Return the facts of the first of a pair in matches in which both sat on one side."""
    own = choose_counted(pair.first)
    return own.filter(match__facts__player=pair.second, match__facts__side=F("side"))
