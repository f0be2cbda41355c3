"""Details of log entries: whole after they were JSON, and refused with a code of another kind."""

import json

import pytest

from tournaments.core.log_details import (
    KINDS,
    ActDetail,
    ClocksActDetail,
    CountDetail,
    DrawDetail,
    EntryDetail,
    FixturePlace,
    LogDetail,
    OptionDetail,
    PrizeDetail,
    ReplacementDetail,
    ReturnDetail,
    RoundClockDetail,
    RoundHourDetail,
    TimeActDetail,
    encode_detail,
    read_detail,
)
from tournaments.models import LogEntry

PLACE = FixturePlace(7, 2, "round", 1, 3, None, ((11, 12), ()))
LOGGED = (
    ("created", LogDetail()),
    ("checked_in", EntryDetail()),
    ("checked_in", EntryDetail(entry=4)),
    ("prize_given", PrizeDetail(place=2, what="una coppa", reason="Così d'accordo", entry=3)),
    ("drawn", DrawDetail(order=(3, 1, 2), lot="abc")),
    ("option_reduced", OptionDetail(option="rounds", planned=6, drawn=3, entries=3)),
    ("round_moved", RoundHourDetail(round=("round", 3), before="", after="")),
    ("clock_extended", RoundClockDetail(round=("round", 1), wave=2, minutes=5, table=3)),
    ("ruling_pause", ClocksActDetail(reason="Pausa", count=2, all=True, fixtures=(5, 6))),
    ("ruling_time", TimeActDetail(reason="Guasto", place=PLACE, entry=3, minutes=2, before=None, after=None)),
    ("ruling_withdrawn", ActDetail(reason="Assente", entry=3, members=(11, 12))),
    ("ruling_replace", ReplacementDetail(reason="Malato", act="k", entry=3, members=(11,), changed=(11, 13))),
    ("ruling_returned", ReturnDetail(reason="Errore", entry=3, was_expelled=True, left_at="", again=(7,))),
)


@pytest.mark.parametrize(("code", "detail"), LOGGED)
def test_details_are_whole_after_they_were_json(code: str, detail: LogDetail) -> None:
    entry = LogEntry(code=code, detail=json.loads(json.dumps(encode_detail(code, detail))))
    assert read_detail(entry, LogDetail) == detail


def test_what_is_left_out_is_not_kept() -> None:
    assert encode_detail("checked_in", EntryDetail()) == {}
    assert encode_detail("moved_up", CountDetail(count=2)) == {"count": 2}


def test_a_code_is_logged_with_its_own_kind_alone() -> None:
    with pytest.raises(TypeError, match="moved_up is logged with CountDetail, not with EntryDetail"):
        encode_detail("moved_up", EntryDetail(entry=1))
    with pytest.raises(TypeError, match="created is logged with LogDetail, not with CountDetail"):
        read_detail(LogEntry(code="created", detail={}), CountDetail)


def test_every_act_of_a_referee_has_the_details_of_an_act() -> None:
    assert all(issubclass(kind, ActDetail) == code.startswith("ruling_") for code, kind in KINDS.items())
