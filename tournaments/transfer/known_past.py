"""Check of a file that returns: it doesn't deny what stood when the tournament left. It writes nothing.

Log, settings that the draw froze, seeds, who played whom and the results of then come back as they were, or with the
act that changed them.
"""

from collections.abc import Mapping
from typing import Any

from tournaments.core.log_details import ACT
from tournaments.models import Fixture, LineUp, Loan, LogEntry, Tournament
from tournaments.transfer.faults import FileFault, FileRefused
from tournaments.transfer.log_references import ENTRY, FIXTURE, PERSON, translate_detail
from tournaments.transfer.outgoing import OpaqueIds, list_log, name_board, name_slot, write_play_off
from tournaments.transfer.rows import read_row
from tournaments.transfer.venue import OF_VENUE

FREE_AFTER_DRAW = (
    "name", "description", "time_zone", "state", "finished_at", "closed_at", "play_offs_opened", "round_hours",
    "prizes", "prizes_each",
)  # may come back changed  # fmt: skip
KEPT = ("created_at", "hall_tables", "registration", "guests_allowed")  # each site's own
RESULT = (
    "winner", "double_forfeit", "forfeit_by", "points_0", "points_1", "mp_0", "mp_1", "vp_0", "vp_1", "annulled",
    "games",
)  # fmt: skip
CHANGED_PEOPLE = (f"{ACT}replace", "team_grown")  # acts that change who is in an entry
Keys = Mapping[str, Mapping[int, str]]  # opaque ids, by kind and key
People = tuple[str, ...]
SIDES = ("first", "second")
PLAY_OFF = "play_off_"  # begins the code of every act on a play-off


def require_known_past(tournament: Tournament, body: Mapping[str, Any], loan: Loan) -> None:
    """Raise FileRefused where a file denies what stood when the tournament left: log, settings of a draw, results."""
    faults = [*_check_log(tournament, body, loan), *_check_settings_kept(tournament, body)]
    if not faults and tournament.drawn_at is not None:
        faults = _check_rows_kept(tournament, body, loan)
    if faults:
        raise FileRefused(faults)


def _check_log(tournament: Tournament, body: Mapping[str, Any], loan: Loan) -> list[FileFault]:
    stored = list(list_log(tournament)[: loan.logged])
    brought = body["log"]
    for place, entry in enumerate(stored, start=1):
        values = brought[place - 1] if place <= len(brought) else None
        if values is None or (values["code"], read_row(LogEntry, values)["at"]) != (entry.code, entry.at):
            return [FileFault("denied", f"log[{place}]")]
    return []


def _check_settings_kept(tournament: Tournament, body: Mapping[str, Any]) -> list[FileFault]:
    """Return the settings that the draw froze and that came back changed (E6)."""
    if tournament.drawn_at is None:
        return []
    values = read_row(Tournament, body["tournament"])
    own = OF_VENUE if values["venue"] != tournament.venue else ()
    frozen = [name for name in values if name not in (*FREE_AFTER_DRAW, *KEPT, *own)]
    return [FileFault("denied", f"tournament.{name}") for name in frozen if values[name] != getattr(tournament, name)]


def _check_rows_kept(tournament: Tournament, body: Mapping[str, Any], loan: Loan) -> list[FileFault]:
    """Return entries and fixtures of the draw that are missing, and who or what changed in them without an act."""
    ids = OpaqueIds.from_json(loan.ids).by_key
    members, played = _read_members(tournament, ids), _read_line_ups(tournament, ids)
    brought = {entry["id"]: entry for entry in body["entries"]}
    acted = _list_acted_on(body, loan)
    faults: list[FileFault] = []
    for pk, seed in tournament.entries.order_by("seed").values_list("pk", "seed"):
        opaque = ids[ENTRY][pk]
        if opaque not in brought or brought[opaque]["seed"] != seed:
            faults.append(FileFault("denied", f"entries: {seed}"))
        elif _list_people(brought[opaque]) != members.get(opaque, ()) and (ENTRY, opaque) not in acted:
            faults.append(FileFault("no_act", f"entries: {seed}"))
    faults += _check_play_offs(tournament, body, loan)
    fixtures = {
        name_slot(round_["number"], fixture["board"], fixture["part"]): fixture
        for round_ in body["rounds"]
        for fixture in round_["fixtures"]
    }
    for stored in Fixture.objects.of(tournament).select_related("round").order_by("round__number", "board"):
        slot = name_slot(stored.round.number, stored.board, stored.part)
        values = fixtures.get(slot)
        place = f"rounds[{stored.round.number}].fixtures[{stored.board}]"
        if values is None:
            faults.append(FileFault("denied", place))
            continue
        if stored.result_at is None or (FIXTURE, name_slot(stored.round.number, stored.board, 0)) in acted:
            continue
        changed = any(values.get(name) != getattr(stored, name) for name in RESULT)
        for side, entry_id in (("first", stored.first_id), ("second", stored.second_id)):
            entry = None if entry_id is None else ids[ENTRY][entry_id]
            before = played.get((stored.pk, side), ())
            after = tuple(values["line_ups"][SIDES.index(side)])
            changed |= values[side] != entry
            if entry is not None and entry in brought and (before or after):
                changed |= (before or members.get(entry, ())) != (after or _list_people(brought[entry]))
        if changed:
            faults.append(FileFault("no_act", place))
    return faults


def _check_play_offs(tournament: Tournament, body: Mapping[str, Any], loan: Loan) -> list[FileFault]:
    """Return the play-offs that are missing, or that changed, without an act (EV11)."""
    brought = {values["number"]: values for values in body.get("play_offs", ())}
    new = body["log"][loan.logged :]
    acted = {entry["detail"].get("number") for entry in new if entry["code"].startswith(PLAY_OFF)}
    ids = OpaqueIds.from_json(loan.ids)
    return [
        FileFault("no_act", f"play_offs[{stored.number}]")
        for stored in tournament.play_offs.all()
        if stored.number not in acted and brought.get(stored.number) != write_play_off(stored, ids)
    ]


def _read_members(tournament: Tournament, ids: Keys) -> dict[str, People]:
    """Return the people of each entry as they are stored, by opaque ids."""
    members: dict[str, People] = {}
    rows = tournament.members.order_by("entry", "position").values_list("entry_id", "person_id")
    for entry_id, person_id in rows:
        opaque = ids[ENTRY][entry_id]
        members[opaque] = (*members.get(opaque, ()), ids[PERSON][person_id])
    return members


def _read_line_ups(tournament: Tournament, ids: Keys) -> dict[tuple[int, str], People]:
    """Return who is named for a side of a fixture, as it is stored."""
    line_ups: dict[tuple[int, str], People] = {}
    for row in LineUp.objects.of(tournament).order_by("fixture", "side", "position"):
        at = (row.fixture_id, SIDES[row.side])
        line_ups[at] = (*line_ups.get(at, ()), ids[PERSON][row.person_id])
    return line_ups


def _list_people(entry: Mapping[str, Any]) -> People:
    return tuple(member["person"] for member in entry["members"])


def _list_acted_on(body: Mapping[str, Any], loan: Loan) -> set[tuple[str, str]]:
    """Return the fixtures, by round and board, that log entries made elsewhere name, and the entries in which somebody
    was replaced. An act at one of two tables (O12) changes what both are worth."""
    acted: set[tuple[str, str]] = set()

    def note(kind: str, opaque: Any) -> Any:
        if kind == FIXTURE:
            acted.add((kind, name_board(str(opaque))))
        elif kind == ENTRY and values["code"] in CHANGED_PEOPLE:
            acted.add((kind, str(opaque)))
        return opaque

    for place, values in enumerate(body["log"][loan.logged :], start=loan.logged + 1):
        try:
            translate_detail(values["code"], values["detail"], note)
        except ValueError:
            raise FileRefused([FileFault("log_impossible", f"log[{place}]", {"code": values["code"]})]) from None
    return acted
