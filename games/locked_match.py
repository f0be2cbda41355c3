"""A match in the hands of one transaction that holds its row: moves, deals, clocks and the result.

It decides nothing of the game (the rules do) nor who may act (the services do). All that follows from a move is written
with it: the calls the system makes (X1), the next deadline, the count of a deal, the next deal, the result. Everything
it tells others, it tells after the commit.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from secrets import SystemRandom

from django.conf import settings

from games import broadcast, clocks, match_cache, metrics, outages, shuffles
from games.engine import match as engine
from games.engine.cards import DECK_SIZE
from games.engine.game import GameMove, controlling_seat
from games.engine.match import Progress
from games.engine.record import write_move
from games.locked_row import LockedRow, MoveRow
from games.match_cache import Position, Redealt
from games.models import Commitment, Deal, Match, Seat
from games.sealing import read_deck, seal_deck

NOSHOW = "noshow"
DESERTED, SET_ASIDE = "deserted", "set_aside"  # how a match without a result ended, but for a referee's
HOUSE_RESTED = timedelta(seconds=5)  # a house player who is so late waited for somebody to come
PLAY = "play"  # any other verb, but for forfeits, is a call: the turn goes on, on the same clock

_dice = SystemRandom()


def shuffle_deck() -> list[int]:
    """Return forty cards in an order from a cryptographic source (G4)."""
    deck = list(range(DECK_SIZE))
    _dice.shuffle(deck)
    return deck


class LockedMatch(LockedRow):
    """Match in the hands of one transaction: what is overdue, what is played, and all that follows from it."""

    def expire(self) -> bool:
        """Do what is overdue at this instant, unless an outage kept somebody from acting. Return whether
        something was."""
        match = self.match
        if match.paused_at is not None:
            return False
        if not match.people and match.bot_due_at is not None:
            return self._make_up_for_rest(match.bot_due_at)
        if self.waiting and match.mixing_until is not None:
            return self._expire_mixing(match.mixing_until)
        nobody = clocks.is_over(match.noshow_at, self.now)  # while it is played: nobody is left, or it was training
        due = match.noshow_at if self.waiting or nobody else match.deadline_at
        if not clocks.is_over(due, self.now) or outages.has_outage(self.now):
            return False
        assert due is not None
        metrics.SWEEP_LAG_SECONDS.observe((self.now - due - clocks.GRACE).total_seconds())
        if nobody and (self.playing or match.training):
            self.set_aside()
        elif self.waiting:
            self._close_to_absent()
        elif match.absence == Match.Absence.HOUSE:
            assert match.turn_seat is not None
            self._take_over(match.mask(controlling_seat(match.turn_seat, match.players)))
            self._changed()
        else:
            assert match.turn_seat is not None
            self.play([GameMove(match.turn_seat, match.deadline_verb)])
        return True

    def acting(self, seat: int) -> int:
        """The seat whose moves the player at ``seat`` makes now: the morto's too, when it is its turn (M3)."""
        turn = self.match.turn_seat
        return turn if turn is not None and controlling_seat(turn, self.match.players) == seat else seat

    def was_seen_in_this_deal(self, version: int) -> bool:
        """Return whether whoever saw that version of the table saw the cards that are being played."""
        return self.playing and self.match.version - self.position.ply <= version <= self.match.version

    # --- Playing ----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Everybody is here: once their browsers have had time to add their nonces (J2), the first deal is dealt."""
        match = self.match
        if not settings.MIXING_SECONDS or not shuffles.list_present(match) or not shuffles.takes_nonces(match):
            self.begin()
            return
        match.mixing_until = self.now + timedelta(seconds=settings.MIXING_SECONDS)
        match.noshow_at = match.noshow_at if match.training else None
        self.mix(shuffles.lock(match))

    def mix(self, commitment: Commitment) -> None:
        """Go on from hashes to nonces, and from those to the cards, as far as nobody has to be waited for."""
        match = self.match
        present = shuffles.list_present(match)
        mixing = match.mixing_until is not None and match.paused_at is None
        if mixing and commitment.stage == Commitment.Stage.HASHES and all(commitment.hashes[at] for at in present):
            self._ask_nonces(commitment)
            return
        if (
            mixing
            and commitment.stage == Commitment.Stage.NONCES
            and all(commitment.nonces[at] for at in present if commitment.hashes[at])
        ):
            self.begin()
            return
        self._changed()

    def _make_up_for_rest(self, bot_due_at: datetime) -> bool:
        """Shift the house's turn at a table where it sits alone, if nobody was there to be played for: it loses nothing
        by time."""
        waited = self.now - bot_due_at
        if waited < HOUSE_RESTED:
            return False
        for name in ("turn_from", "deadline_at", "opening_until", "bot_due_at"):
            at = getattr(self.match, name)
            if at is not None:
                setattr(self.match, name, at + waited)
        self._changed()
        return True

    def _expire_mixing(self, until: datetime) -> bool:
        """Wait no longer for hashes, or for nonces: what isn't there is the empty text."""
        if not clocks.is_over(until, self.now) or outages.has_outage(self.now):
            return False
        commitment = shuffles.lock(self.match)
        if commitment.stage == Commitment.Stage.HASHES and any(commitment.hashes):
            self._ask_nonces(commitment)
        else:
            self.begin()
        return True

    def _ask_nonces(self, commitment: Commitment) -> None:
        commitment.stage = Commitment.Stage.NONCES
        commitment.save(update_fields=["stage"])
        self.match.mixing_until = self.now + timedelta(seconds=settings.MIXING_SECONDS)
        self._changed()

    def begin(self) -> None:
        """Wind the clocks and deal the first deal."""
        self._begin_play()
        self._deal()
        self._first_turn(pause=timedelta())
        self._bump()
        self._call()
        self._save()

    def play(self, moves: Iterable[GameMove], client_id: str | None = None) -> None:
        """Make these moves and all that follows from them. ``client_id`` is written with the last row of it all, so
        that its version is the answer.

        IllegalMove if the rules refuse one of them: the transaction must then be rolled back.
        """
        for move in moves:
            self._make(move)
        self._call()
        if self._rows:
            self._rows[-1].client_id = client_id
        self._save()

    def house_calls(self, calls: Iterable[GameMove]) -> None:
        """The house's players say what they have to say in the opening window (C2, C4, C5): once a deal."""
        deal = self.position.deal_id
        for move in calls:
            if self.playing and self.position.deal_id == deal:  # else the cards they spoke of are gone
                self._make(move)
        if self.playing and self.position.deal_id == deal:
            self._house_turn()
        self._call()
        self._save()

    def prefer(self, seat: int, automatic: Collection[str]) -> None:
        """The system makes these calls for ``seat`` from now on, and at once those that may be made (X1)."""
        self.match.choose_automatic(seat, automatic)
        if self.playing and self.match.paused_at is None:
            self._call()
        self._save()

    def give_control(self, seat: int, token: str) -> None:
        """Let the window ``token`` play for ``seat``, and no other: nothing that anybody is shown."""
        match = self.match
        match.controls = [token if number == seat else control for number, control in enumerate(match.controls)]
        self._write()
        position = match_cache.find_position(match)
        if position is not None:
            match_cache.keep_committed(match, position)

    def show_arrival(self) -> None:
        """Show on the others' pages that somebody sat down."""
        self._bump()
        self._save()

    # --- Where the house plays for somebody absent --------------------------------------------------------------------

    def come_back(self, seat: int) -> None:
        """Give a seat that was taken over back to its player: a turn whose clock runs is still the house's, if they
        don't make it themselves. To be saved by the caller; nothing if they never were away, or left for good."""
        match = self.match
        mask = match.mask(seat)
        if not match.taken_over & mask or match.given_up & mask:
            return
        match.taken_over &= ~mask
        if not match.training:
            match.noshow_at = None
        if match.clocks_ms and match.match_clock is not None:
            share = clocks.compute_tie_break_share(match.match_clock, match.length_kind, match.length_value)
            match.clocks_ms = [left or share * (mask >> hand & 1) for hand, left in enumerate(match.clocks_ms)]
        if match.turn_seat is not None and mask >> match.turn_seat & 1:
            assert match.turn_from is not None
            if self.now < match.turn_from:
                self._set_deadline()
                if match.opening_until is None:
                    self._house_turn()

    def show_return(self, seat: int) -> None:
        """Give a seat back, and show it to everybody at the table."""
        before = self.match.taken_over
        self.come_back(seat)
        if self.match.taken_over != before:
            self._changed()

    def give_up(self, seat: int) -> None:
        """Leave the seat to the house for good: its player is free. Who is left alone with those who left before, and
        leaves too, ends the match without a result."""
        match = self.match
        mask = match.mask(seat)
        match.given_up |= mask
        if not match.people & ~match.given_up:
            self.set_aside()
            return
        match.controls = ["" if number == seat else control for number, control in enumerate(match.controls)]
        Seat.objects.filter(match=match, number=seat).update(live=False)
        self._take_over(mask)
        self._changed()

    def set_aside(self) -> None:
        """End the match without a result: nobody plays it any more."""
        match = self.match
        match.stopped_at = self.now
        match.decided_by = SET_ASIDE if match.training else DESERTED
        self._close()
        self._changed()

    def _take_over(self, mask: int) -> None:
        """Have the house play these hands until their player is back; its thinking is charged to nobody."""
        match = self.match
        match.taken_over |= mask
        if not match.training and match.noshow_at is None and not match.people & ~match.taken_over:
            match.noshow_at = self.now + clocks.DESERTED
        seat = match.turn_seat
        if seat is None or not mask >> seat & 1:
            return
        if match.deadline_at is not None:
            self._spend(controlling_seat(seat, match.players))
        self._set_deadline()
        if match.opening_until is None or self.now >= match.opening_until - clocks.HOUSE_CALLS:
            self._house_turn()

    # --- What follows -----------------------------------------------------------------------------------------------

    def _make(self, move: GameMove) -> None:
        """Make one move of the record. A call leaves the running turn and its clock as they are."""
        before, match = self.position, self.match
        progress = engine.play(before.progress, move)
        ends_turn = move.verb == PLAY or move.verb in engine.FORFEITS
        match.version += 1
        assert before.deal_id is not None
        self._rows.append(
            MoveRow(
                match_id=match.pk,
                deal_id=before.deal_id,
                ply=before.ply,
                version=match.version,
                text=write_move(move),
                played_at=self.now,
            )
        )
        after = Position(match.version, progress, before.number, before.deal_id, before.ply + 1, before.redealt)
        self._position = after
        if ends_turn:
            player = controlling_seat(move.seat, match.players)
            if move.seat == match.turn_seat and match.deadline_at is not None:
                self._spend(player)
            match.beginners &= ~(1 << player)
        if len(progress.deals) > len(before.progress.deals):
            self._count(before, progress)
        if progress.outcome is not None:
            self._finish(progress)
        elif progress.needs_deck:
            self._add_tie_break_share(before.progress, progress)
            void = progress.deals[-1].void
            self._deal(Redealt(move.seat) if void else None)
            self._first_turn(pause=timedelta() if void else clocks.PAUSE_DEAL)
        elif ends_turn:
            shown = after.open_view.piles != before.open_view.piles  # there is something to look at
            self._next_turn(pause=clocks.PAUSE_TRICK if shown else timedelta())

    def _call(self) -> None:
        """Make the calls of the system (X1, M4, C4) at the instant at which they become possible, whatever the hand."""
        while calls := engine.automatic(self.position.progress, self.match.automatic_calls):
            for move in calls:
                self._make(move)

    def _begin_play(self) -> None:
        match = self.match
        if shuffles.fix(match):
            self._position = match_cache.replay_position(match)  # by the dealer who was drawn
        match.mixing_until = None
        match.status = Match.Status.PLAYING
        match.started_at = self.now
        match.noshow_at = match.noshow_at if match.training else None
        match.clocks_ms = [] if match.match_clock is None else [match.match_clock * 1000] * match.hands

    def _deal(self, redealt: Redealt | None = None) -> None:
        """Deal until a deal isn't void (G5). The order is stored before anybody sees a card, and never changed."""
        position = self.position
        progress, number = position.progress, position.number + (position.deal_id is not None)
        while progress.needs_deck:
            again = self._find_taken_back(number)
            deck = list(read_deck(again.deck)) if again is not None else self._shuffle(number)
            dealt = engine.deal(progress, deck)
            void = len(dealt.deals) > len(progress.deals)
            row = again or Deal(match=self.match, number=number, deck=seal_deck(deck))
            row.dealer, row.dealt_at, row.undone_at = progress.dealer, self.now, None
            row.finished = row.void = void
            row.save()
            position = Position(self.match.version, dealt, number, row.pk, 0, redealt)
            progress, number, redealt = dealt, number + 1, Redealt(None) if void else redealt
        self._position = position

    def _shuffle(self, number: int) -> list[int]:
        """Return the deck of a deal; a match that was opened before there were commitments goes on as it began."""
        return shuffle_deck() if self.match.commitment_id is None else shuffles.deal(self.match, number)

    def _find_taken_back(self, number: int) -> Deal | None:
        """Return the deal that was taken back and comes again: its cards are not dealt anew (B7)."""
        taken_back = Deal.objects.with_results().filter(match=self.match, number=number)
        return taken_back.first() if self.match.training else None

    def _count(self, before: Position, progress: Progress) -> None:
        assert before.deal_id is not None
        done = progress.deals[-1]
        match_cache.keep_count(self.match, before.number + 1, progress)
        self.match.score_0, self.match.score_1 = progress.score
        Deal.objects.filter(pk=before.deal_id).update(
            finished=True, void=done.void, points_0=done.points[0], points_1=done.points[1]
        )

    def _add_tie_break_share(self, before: Progress, after: Progress) -> None:
        match = self.match
        if after.tie_break > before.tie_break and match.match_clock is not None:
            share = clocks.compute_tie_break_share(match.match_clock, match.length_kind, match.length_value)
            match.clocks_ms = [left + share for left in match.clocks_ms]

    def _first_turn(self, pause: timedelta) -> None:
        """Begin the first turn of a deal. Where everybody may call before the first card, its clock waits too, for
        every deal as long."""
        opening = self.position.progress.terms.opening_calls
        self._next_turn(pause + clocks.OPENING if opening else pause)
        if opening:
            match = self.match
            match.opening_until = self.now + pause + clocks.OPENING
            match.bot_due_at = match.opening_until - clocks.HOUSE_CALLS if match.played_by_house else None

    def _next_turn(self, pause: timedelta) -> None:
        match, seat = self.match, engine.turn(self.position.progress)
        assert seat is not None
        match.turn_seat = seat
        match.turn_from = self.now + pause
        match.opening_until = None
        match.extension_ms = 0
        self._set_deadline()
        self._house_turn()

    def _spend(self, player: int) -> None:
        """Charge the running turn to the match clock of its player."""
        match = self.match
        assert match.turn_from is not None
        extra = clocks.compute_extra(match.beginners, player)
        match.clocks_ms = clocks.spend(match.clocks_ms, player, match.turn_from, match.extension_ms, self.now, extra)

    def _set_deadline(self) -> None:
        """Set when the running turn is over; never, where the house would only take over from itself."""
        match = self.match
        assert match.turn_seat is not None
        assert match.turn_from is not None
        player = controlling_seat(match.turn_seat, match.players)
        left = match.clocks_ms[player] if match.clocks_ms else None
        extra = clocks.compute_extra(match.beginners, player)
        end = clocks.compute_deadline(match.turn_from, match.turn_timeout, left, extra)
        if match.absence == Match.Absence.HOUSE and match.played_by_house >> match.turn_seat & 1:
            end = None
        match.deadline_at, match.deadline_verb = (end.at, end.verb) if end else (None, "")

    def _house_turn(self) -> None:
        """Set when the house moves, if it is its turn."""
        match = self.match
        assert match.turn_seat is not None
        assert match.turn_from is not None
        match.bot_due_at = (
            clocks.choose_house_due(max(match.turn_from, self.now))
            if match.played_by_house >> match.turn_seat & 1
            else None
        )

    def _finish(self, progress: Progress) -> None:
        outcome = progress.outcome
        assert outcome is not None
        match = self.match
        match.winner, match.decided_by, match.margin = outcome.winner, outcome.decided_by, outcome.margin
        match.offender = outcome.offender
        match.stakes_0, match.stakes_1 = progress.stakes
        self._close()

    def _close(self) -> None:
        match = self.match
        match.status = Match.Status.FINISHED
        match.finished_at = self.now
        match.turn_seat = match.turn_from = match.deadline_at = match.noshow_at = match.bot_due_at = None
        match.opening_until = match.paused_at = match.mixing_until = None
        match.deadline_verb = ""
        shuffles.reveal(match, self.now)
        Seat.objects.filter(match=match).update(live=False)
        broadcast.notify_closed(match)

    def _close_to_absent(self) -> None:
        """Forfeit the line that is absent when the no-show time is over, before the first card; both, if both are (E9,
        G8, K5). Or have the house play for them, if somebody has come."""
        absent = list(Seat.objects.filter(match=self.match, arrived_at=None).values_list("number", flat=True))
        if self.match.absence == Match.Absence.HOUSE:
            mask = sum(self.match.mask(seat) for seat in absent)
            if not self.match.people & ~mask:
                self.set_aside()
                return
            self.match.taken_over = mask
            self.start()
            return
        if len({number % 2 for number in absent}) == 2:
            self.match.both_forfeited = True
            self.match.decided_by = NOSHOW
            self._close()
            self._bump()
            self._save()
            return
        self._begin_play()
        self._deal()
        self.play([GameMove(absent[0], NOSHOW)])
