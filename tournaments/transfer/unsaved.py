"""Rows of a file's body that aren't stored: they are checked before anything is written, and then stored as they are.

Until then entries have local keys of their own, from 1 in the order of the file, and fixtures name them by these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from players.clean_text import clean_line
from players.models import Person
from players.names import clean_carried_name
from tournaments.core.play_offs import PlayOffPlan, make_play_off
from tournaments.formats.protocol import Slot
from tournaments.models import (
    Entry,
    Fixture,
    ForbiddenPairing,
    LogEntry,
    PlayOff,
    PlayOffEntry,
    PlayOffResult,
    Round,
    RoundBye,
    Tournament,
)
from tournaments.running.plan_basis import Picture
from tournaments.transfer.faults import JsonObject
from tournaments.transfer.rows import read_row


@dataclass(frozen=True, slots=True)
class UnsavedRows:
    """Rows of a body in the order of the file. ``local``: the local keys of the entries by their opaque ids."""

    tournament: Tournament
    local: Mapping[str, int]
    persons: Sequence[Person]
    entries: Sequence[Entry]
    rounds: Sequence[Round]
    fixtures: Sequence[Fixture]
    byes: Sequence[RoundBye]
    bans: Sequence[ForbiddenPairing]
    log: Sequence[LogEntry]
    play_offs: Sequence[PlayOffPlan]

    def make_picture(self) -> Picture:
        """Return the picture of a tournament that was drawn: each of its entries has a seed."""
        slots = {Slot(fixture.round.number, fixture.board): fixture for fixture in self.fixtures if fixture.part < 2}
        seconds = {Slot(fixture.round.number, fixture.board): fixture for fixture in self.fixtures if fixture.part == 2}
        rounds = {round_.number: round_ for round_ in self.rounds}
        entries = sorted(self.entries, key=lambda entry: entry.seed or 0)
        own = (self.byes, self.bans)
        return Picture(self.tournament, entries, rounds, slots, seconds, *own, play_offs=self.play_offs)


def make_rows(tournament: Tournament, body: Mapping[str, Any]) -> UnsavedRows:
    """Return the rows of a sound body; its persons have no accounts."""
    local = {entry["id"]: key for key, entry in enumerate(body["entries"], start=1)}
    entries = [Entry(pk=local[entry["id"]], **read_row(Entry, entry)) for entry in body["entries"]]
    by_key = {entry.pk: entry for entry in entries}
    rounds = [Round(**read_row(Round, round_)) for round_ in body["rounds"]]
    fixtures = [
        _make_fixture(round_, fixture, local, by_key)
        for round_, values in zip(rounds, body["rounds"], strict=True)
        for fixture in values["fixtures"]
    ]
    byes = [
        RoundBye(entry_id=local[entry["id"]], **read_row(RoundBye, bye))
        for entry in body["entries"]
        for bye in entry["byes"]
    ]
    bans = [ForbiddenPairing(first_id=local[ban["first"]], second_id=local[ban["second"]]) for ban in body["forbidden"]]
    persons, log = make_persons(body["persons"]), make_log(body["log"])
    play_offs = tuple(_make_play_off(values, local) for values in body.get("play_offs", ()))
    return UnsavedRows(tournament, local, persons, entries, rounds, fixtures, byes, bans, log, play_offs)


def _make_play_off(values: Mapping[str, Any], local: Mapping[str, int]) -> PlayOffPlan:
    entries, results = make_play_off_rows(PlayOff(), values, local)
    return make_play_off(PlayOff(**read_row(PlayOff, values)), entries, results)


def make_play_off_rows(
    play_off: PlayOff, values: Mapping[str, Any], entries: Mapping[str, int]
) -> tuple[list[PlayOffEntry], list[PlayOffResult]]:
    """Return the entries of a play-off, by their keys, and its results, as the ``values`` of a file have them."""
    return (
        [
            PlayOffEntry(play_off=play_off, entry_id=entries[opaque], number=number)
            for number, opaque in enumerate(values["entries"], start=1)
        ],
        [PlayOffResult(play_off=play_off, **read_row(PlayOffResult, result)) for result in values["results"]],
    )


def _make_fixture(
    round_: Round, values: Mapping[str, Any], local: Mapping[str, int], entries: Mapping[int, Entry]
) -> Fixture:
    fixture = Fixture(**read_fixture(values, local))
    fixture.round = round_
    for side in ("first", "second"):
        if values[side] is not None:
            setattr(fixture, side, entries[local[values[side]]])
    return fixture


def make_persons(persons: Sequence[Mapping[str, Any]]) -> list[Person]:
    """Return persons without accounts, of names that were checked."""
    return [
        Person(
            **{
                **read_row(Person, person),
                "typed_name": clean_carried_name(person["name"]),
                "suffix": clean_line(person["suffix"]),
            }
        )
        for person in persons
    ]


def make_log(values: Sequence[Mapping[str, Any]]) -> list[LogEntry]:
    """Return entries of the log under the names of whoever acted, which were checked; their details are stored
    later."""
    names: dict[str, str] = {}
    for brought in values:
        if brought["by"] not in names:
            names[brought["by"]] = clean_carried_name(brought["by"]) if clean_line(brought["by"]) else ""
    return [
        LogEntry(by_name=names[brought["by"]], **{**read_row(LogEntry, brought), "detail": {}}) for brought in values
    ]


def read_fixture(fixture: Mapping[str, Any], entries: Mapping[str, int]) -> JsonObject:
    """Return the values of a fixture, its entries by their keys."""
    sides = {f"{side}_id": None if fixture[side] is None else entries[fixture[side]] for side in ("first", "second")}
    return {**read_row(Fixture, fixture), **sides}
