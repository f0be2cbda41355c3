"""Wishes for the rounds of a danese that aren't drawn yet: byes and absences (D3), forbidden pairings (D4)."""

from collections.abc import Collection
from datetime import datetime
from itertools import combinations

from django.db import transaction
from django.utils.crypto import constant_time_compare

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import EntriesDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNDRAWN
from tournaments.formats import FORMATS
from tournaments.models import Entry, ForbiddenPairing, RoundBye, Tournament
from tournaments.own_names.self_entry import list_key_digests
from tournaments.running.dead_ends import note_wish

Kind = RoundBye.Kind
State = Tournament.State
MAX_BANS = 200  # of one tournament
MAX_HALF_BYES = 2  # byes asked for and missed rounds of one entry (D3)
LOGGED = {Kind.ASKED: "bye_asked", Kind.ABSENT: "bye_absent"}


def takes_wishes(tournament: Tournament) -> bool:
    """Tell if something can be asked of its rounds: it draws them by the results, and isn't over."""
    return FORMATS[tournament.format].keeps_rounds and tournament.state in (*UNDRAWN, State.RUNNING)


def list_open_rounds(tournament: Tournament) -> list[int]:
    """Return the rounds that aren't published; before the draw those that so many entries would play."""
    if tournament.drawn_at is None:
        entries = max(FORMATS[tournament.format].min_size, tournament.entries.in_place().count())
        planned = FORMATS[tournament.format].freeze_options(tournament.format_options, entries)
        return list(range(1, int(planned["rounds"]) + 1))
    waiting = tournament.rounds.filter(published_at__isnull=True).order_by("number")
    return list(waiting.values_list("number", flat=True))


@transaction.atomic
def forbid_pairings(*, tournament_id: int, entry_ids: Collection[int], by: Player, now: datetime) -> int:
    """Don't let any two of these entries meet, in the whole tournament. Return how many pairs are new.

    TournamentError: not_organiser, wishes_elsewhere, ban_of_one, bans_many.
    """
    tournament = _lock(tournament_id, by)
    entries = sorted(tournament.entries.filter(pk__in=entry_ids).values_list("pk", flat=True))
    if len(entries) < 2:
        raise TournamentError("ban_of_one")
    bans = set(tournament.forbidden_pairings.values_list("first", "second"))
    new = [pair for pair in combinations(entries, 2) if pair not in bans]
    if len(bans) + len(new) > MAX_BANS:
        raise TournamentError("bans_many", limit=MAX_BANS)
    for first, second in new:
        ForbiddenPairing.objects.create(tournament=tournament, first_id=first, second_id=second)
    if new:
        write_log(tournament, "pairing_forbidden", now, by, EntriesDetail(entries=tuple(entries)))
        store_version(tournament)
    return len(new)


@transaction.atomic
def allow_pairing(*, tournament_id: int, ban_id: int, by: Player, now: datetime) -> None:
    """Let two entries meet after all. TournamentError: not_organiser, wishes_elsewhere, no_such_ban."""
    tournament = _lock(tournament_id, by)
    ban = tournament.forbidden_pairings.filter(pk=ban_id).first()
    if ban is None:
        raise TournamentError("no_such_ban")
    ban.delete()
    write_log(tournament, "pairing_allowed", now, by, EntriesDetail(entries=(ban.first_id, ban.second_id)))
    store_version(tournament)


@transaction.atomic
def leave_out(
    *, tournament_id: int, entry_id: int, number: int, kind: str, by: Player | None, now: datetime, own_key: str = ""
) -> None:
    """Don't draw an entry to a round: a bye it asked for, half the points of a win, or an absence, none.

    Players say so of their own entry, without an account by its key (O2); who runs the tournament, of anybody's.
    TournamentError: not_organiser,
    wishes_elsewhere, no_such_entry, bye_round, bye_last_round, bye_asked_already, bye_once, byes_many,
    byes_leave_nobody.
    """
    tournament = lock_tournament(tournament_id)
    entry = tournament.entries.filter(pk=entry_id, withdrawn_at=None).first()
    own = entry is not None and _is_own(entry, by, own_key)
    if not own:
        _require_organiser(tournament, by)
    if not takes_wishes(tournament):
        raise TournamentError("wishes_elsewhere")
    if entry is None:
        raise TournamentError("no_such_entry")
    rounds = list_open_rounds(tournament)
    if number not in rounds or kind not in LOGGED:
        raise TournamentError("bye_round")
    _require_allowed(tournament, entry, number, kind, last=rounds[-1])
    RoundBye.objects.create(entry=entry, number=number, kind=kind, by_player=own)
    write_log(tournament, LOGGED[Kind(kind)], now, by, EntriesDetail(entries=(entry.pk,), round=number))
    note_wish(tournament, now)
    store_version(tournament)


@transaction.atomic
def take_bye_back(*, tournament_id: int, bye_id: int, by: Player | None, now: datetime, own_key: str = "") -> None:
    """Let an entry be drawn after all to a round that isn't published; players, after a bye, or what they said.

    TournamentError: not_organiser, no_such_bye.
    """
    tournament = lock_tournament(tournament_id)
    byes = RoundBye.objects.filter(entry__tournament=tournament, pk=bye_id).exclude(kind=Kind.MISSED)
    bye = byes.select_related("entry").first()
    if bye is None or not ((bye.by_player or bye.kind == Kind.ASKED) and _is_own(bye.entry, by, own_key)):
        _require_organiser(tournament, by)
    if bye is None or not takes_wishes(tournament) or bye.number not in list_open_rounds(tournament):
        raise TournamentError("no_such_bye")
    bye.delete()
    write_log(tournament, "bye_taken_back", now, by, EntriesDetail(entries=(bye.entry_id,), round=bye.number))
    note_wish(tournament, now)
    store_version(tournament)


def _is_own(entry: Entry, by: Player | None, own_key: str) -> bool:
    """Tell if an entry is the player's own, or of whoever has its key."""
    if by is not None:
        return entry.members.of_player(by).exists()
    if not own_key:
        return False
    stored = filter(None, [entry.link_digest, *entry.members.values_list("link_digest", flat=True)])
    return any(constant_time_compare(one, digest) for one in stored for digest in list_key_digests(own_key))


def _require_organiser(tournament: Tournament, by: Player | None) -> None:
    if by is None:
        raise TournamentError("not_organiser")
    require_organiser(tournament, by)


def _require_allowed(tournament: Tournament, entry: Entry, number: int, kind: str, *, last: int) -> None:
    own = list(entry.byes.all())
    if any(bye.number == number for bye in own):
        raise TournamentError("bye_asked_already")
    if kind == Kind.ASKED:
        if number == last:
            raise TournamentError("bye_last_round")
        if any(bye.kind == Kind.ASKED for bye in own):
            raise TournamentError("bye_once")
        if sum(bye.kind != Kind.ABSENT for bye in own) >= MAX_HALF_BYES:
            raise TournamentError("byes_many")
    out = RoundBye.objects.filter(entry__tournament=tournament, number=number, entry__withdrawn_at=None).count()
    if tournament.drawn_at is not None and tournament.entries.filter(withdrawn_at=None).count() - out < 3:
        raise TournamentError("byes_leave_nobody")


def _lock(tournament_id: int, by: Player) -> Tournament:
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if not takes_wishes(tournament):
        raise TournamentError("wishes_elsewhere")
    return tournament
