"""Training at a table (B7): what the house would do, and taking back. Who trains sits alone against the house.

A hint is made of what that seat may know, as a house player's move is. What is taken back stays as rows that nobody
reads: the moves since the player's last card, and deals dealt since, whose cards come again with their number.
"""

import zlib
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction

from games import bots, match_cache, study
from games.bots.questions import HouseQuestion
from games.bots.reasons import Reason, find_advantage
from games.clocks import Now, read_instant
from games.engine.game import GO_WITH_CARD, GameMove, IllegalMove, controlling_seat
from games.engine.record import parse_move
from games.locked_match import PLAY, LockedMatch
from games.models import Deal, Match, Move, Seat, Strength
from games.services.errors import (
    Finished,
    NothingToTakeBack,
    NotStarted,
    NotTraining,
    Replaced,
    Stale,
    StudyRefused,
)
from games.services.playing import Ack
from games.services.settlement import deliver_when_over
from games.thinking import Thinker, make_question

HINT_SECONDS = 2.0  # who asks for a hint waits for the thought of it so long
_thinker = Thinker()  # of this process, started when somebody first asks


class TrainingTable(LockedMatch):
    """A match of training, whose player may take back."""

    def take_back(self, seat: int) -> None:
        """Go back to before the last card of ``seat``, and what was said with it. NothingToTakeBack."""
        first = self._find_last_card(seat)
        if first is None:
            raise NothingToTakeBack(self.match.version)
        Move.objects.filter(match=self.match, undone_at=None, version__gte=first.version).update(undone_at=self.now)
        later = Deal.objects.filter(match=self.match, undone_at=None, number__gt=first.deal.number)
        later.update(undone_at=self.now, finished=False, void=False, points_0=0, points_1=0)
        Deal.objects.filter(pk=first.deal_id).update(finished=False, void=False, points_0=0, points_1=0)
        self._bump()
        self._position = match_cache.replay_position(self.match)
        self.match.score_0, self.match.score_1 = self.position.progress.score
        self.come_back(seat)
        self._next_turn(timedelta())
        self._call()
        self._save()

    def _find_last_card(self, seat: int) -> Move | None:
        """Return the first move to undo: the last card that was played for this player, or what went out with it."""
        first = None
        rows = (
            Move.objects.with_results()
            .filter(match=self.match, undone_at=None)
            .select_related("deal")
            .order_by("-version")
        )
        for row in rows.iterator(chunk_size=50):
            move = parse_move(row.text)
            own = controlling_seat(move.seat, self.match.players) == seat
            if first is None and own and move.verb == PLAY:
                first = row
            elif first is not None:
                if not own or move.verb not in GO_WITH_CARD or row.deal_id != first.deal_id:
                    break
                first = row
        return first


def take_back(*, match_id: int, seat: int, control: str, client_id: str, version: int, now: Now) -> Ack:
    """Take back the last card of the player at ``seat``, and all that followed, at the version they saw.

    Raises NotTraining, NothingToTakeBack, NotStarted, Finished, Replaced, Stale.
    """
    with transaction.atomic():
        table = TrainingTable.lock(match_id, now)
        match = table.match
        late = table.expire()
        if not late:
            _require(match, seat, control, version)
            table.take_back(seat)
        deliver_when_over(table)
    if late:
        raise Stale(match.version)
    return Ack(client_id, match.version)


def prepare_hint(*, match_id: int, seat: int, control: str, version: int, now: Now) -> HouseQuestion:
    """Return what the house's best player is to be asked in the place of the player at ``seat``.

    The same turn gives the same question, dice included, so that asking again gives the same answer. Raises
    NotTraining, NotStarted, Finished, Replaced, Stale, IllegalMove (it isn't their turn), StudyRefused (HP6).
    """
    match, position = match_cache.read_match(match_id)
    _require(match, seat, control, version)
    player = Seat.objects.select_related("player").get(match=match_id, number=seat).player
    refusal = study.find_refusal(player, read_instant(now))
    if refusal is not None:
        raise StudyRefused(refusal, match.version)
    turn = match.turn_seat
    if position is None or turn is None or controlling_seat(turn, match.players) != seat:
        raise IllegalMove("not_your_turn")
    views = match_cache.read_views(match, position, seat)
    if views is None:
        raise Stale(match.version)
    seed = zlib.crc32(f"{match.public_id} {match.version}".encode())
    return make_question(match.ruleset, views, Strength.MASTER, seed=seed)


def think_of_hint(question: HouseQuestion) -> Sequence[GameMove]:
    """Return what the house would do: the calls, then the card. It takes its time, and no database."""
    answer = _thinker.ask(question, HINT_SECONDS)
    return answer.moves if answer is not None else bots.choose_quickly(question.ruleset, question.view)


def explain_hint(question: HouseQuestion, moves: Sequence[GameMove]) -> tuple[GameMove, Reason] | None:
    """Return why the card of a hint is better than most others, with one of them; None where there is no other, or it
    is a call."""
    best = moves[-1] if moves else None
    if best is None or best.verb != PLAY:
        return None
    return find_advantage(question.ruleset, question.view, question.memory, best)


def _require(match: Match, seat: int, control: str, version: int) -> None:
    if not match.training:
        raise NotTraining(match.version)
    if match.status == Match.Status.WAITING:
        raise NotStarted(match.version)
    if match.status == Match.Status.FINISHED:
        raise Finished(match.version)
    if match.controls[seat] != control:
        raise Replaced(match.version)
    if match.version != version:
        raise Stale(match.version)
