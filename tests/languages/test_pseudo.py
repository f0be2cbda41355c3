"""Words of codes, lists, hours and rulings, and pages of what goes wrong, in brackets: all are in the catalogues."""

import re
from datetime import datetime, time, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation

from games import wording as games
from games import wording as games_words
from players import wording as players
from players.models import WISHES
from scoring.standings import TieBreakReason
from tests.languages import pseudo
from tests.languages.extraction import said as messages_said
from tests.languages.pages import read_raw
from tests.languages.pseudo import raw_words
from tournaments.clubs import wording as clubs
from tournaments.clubs.actions import CLUB_CODES
from tournaments.core import dates, refusals, wording
from tournaments.core.errors import REFUSALS
from tournaments.core.log_details import (
    ACT,
    KINDS,
    ActDetail,
    CancellationDetail,
    ClocksActDetail,
    CountDetail,
    LoggedResult,
    TimeActDetail,
)
from tournaments.core.order_wording import describe_separation
from tournaments.core.result import NO_RESULT
from tournaments.desk.wording import describe_log_entry, name_act
from tournaments.lists.problems import PROBLEMS
from tournaments.lists.wording import describe_problem
from tournaments.models import RegisterLogEntry
from tournaments.register import wording as registers
from tournaments.register.errors import REGISTER_CODES
from tournaments.register.imports import FAULTS, Fault
from tournaments.standings.wording import describe_lead, describe_outcome

COUNTED = ("approved", "moved_up", "not_checked_in", "entered_by_list")
SEPARATIONS = ("vp", "direct", "mp", "won", "lot", "equal", "round", "qualified", "left", "group_place", "vp_average")

pytestmark = pytest.mark.django_db


def test_pages_of_what_goes_wrong_speak_the_readers_language(brackets: None) -> None:
    assert read_raw(Client().get("/tornei/nessuno/"), set()) == set()
    assert read_raw(Client(enforce_csrf_checks=True).post(reverse("play-now")), set()) == set()
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with translation.override(pseudo.CODE):
        for name in ("403.html", "405.html", "429.html", "500.html"):
            assert read_raw(HttpResponse(render_to_string(name, request=request)), set()) == set(), name


def test_every_code_has_words_in_the_readers_language(brackets: None) -> None:
    values: dict[str, object] = {name: 3 for _, text, _ in messages_said() for name in re.findall(r"%\((\w+)\)", text)}
    values["allowed"] = [("points", 11), ("points", 21), ("deals", 1)]
    values["about"] = "length"
    values |= {"fault": "points_impossible", "details": {}}
    values["fixtures"] = [("final", 2, 1), ("round", 1, 3)]
    values["wait"] = timedelta(hours=3)
    values |= {"stored": LoggedResult(over=False, playing=True, annulled=False, result=NO_RESULT), "names": ("A", "B")}
    with translation.override(pseudo.CODE):
        texts = [refusals.describe_refusal(code, values) for code in REFUSALS]
        texts += [text for pair in wording.list_notices().values() for text in pair]
        texts += [describe_log_entry("cancelled", CancellationDetail(because="too_few_entries"))]
        texts += [
            describe_log_entry("house_joined", CountDetail(count=3)),
            describe_separation("direct", 12, 8),
        ]
        texts += [games_words.describe_duration(None), games_words.describe_duration(90)]
        tables = {name for name in dir(games) if name.isupper()} - {
            "RANKS",
            "SUITS",
            "FRENCH",
            "BETWEEN_DEALS",
        }  # those are codes
        texts += [str(text) for name in tables for text in _texts(getattr(games, name))]
        texts += [
            players.describe_frame_error(code)
            for code in ("malformed", "too_long", "unknown", "unavailable", "internal")
        ]
        waits = (timedelta(minutes=1), timedelta(minutes=7), timedelta(hours=1), timedelta(hours=3))
        texts += [
            players.describe_crowd(code, wait) for code in ("too_many_guests", "too_many_signups") for wait in waits
        ]
        texts += [players.describe_throttling(wait) for wait in waits]
        texts += [games.describe_lobby_refusal("too_many_tables", wait) for wait in waits]
        assert raw_words(texts) == set()
        assert all(pseudo.OPEN in text for text in texts)


def test_every_word_about_lists_clubs_hours_standings_and_rulings_is_the_readers(brackets: None, now: datetime) -> None:
    numbers = {name: 3 for _, text, _ in messages_said() for name in re.findall(r"%\((\w+)\)", text)}
    with translation.override(pseudo.CODE):
        texts = [describe_problem(code, "3", 3) for code in PROBLEMS]
        texts += [clubs.describe_refusal(code, numbers) for code in CLUB_CODES]
        texts += [registers.describe_refusal(code, {**numbers, "name": 3}) for code in REGISTER_CODES]
        texts += [registers.describe_fault(Fault(1, "name", code, "3", 3)) for code in FAULTS]
        acts_of_register = [
            RegisterLogEntry(code=code)
            for code in ("added", "edited", "imported", "exported", "merged", "unmerged", "forgotten")
        ]
        texts += [registers.describe_register_act(entry) for entry in acts_of_register]
        texts += [describe(wish) for wish in WISHES for describe in (players.name_wish, players.describe_wish)]
        texts += [describe_log_entry(code, CountDetail(count=n)) for code in COUNTED for n in (1, 2)]
        acts = {code.removeprefix(ACT) for code in KINDS if code.startswith(ACT)} - {"time"}
        texts += [name_act(code, ActDetail()) for code in acts]
        texts += [name_act(code, ClocksActDetail(count=n, all=True)) for code in ("pause", "resume") for n in (0, 1, 2)]
        texts += [name_act("time", TimeActDetail(minutes=n, before=None, after=None)) for n in (1, 2)]
        texts += [dates.describe_weekly(3, time(21), zone) for zone in ("", "3/3")]
        texts += [
            dates.describe_hour_elsewhere(now, "3/3"),
            dates.describe_hour(now),
            dates.describe_series_trouble("not_of_club"),
        ]
        texts += [describe_lead(TieBreakReason(code, 3, 2), "3") for code in SEPARATIONS]
        texts += [describe_outcome(code) for code in ("won", "given", "nobody", "annulled")]
        assert raw_words(texts) == set()
        assert [text for text in texts if pseudo.OPEN not in text] == []


def _texts(words: object) -> list[object]:
    if isinstance(words, dict):
        return [text for value in words.values() for text in _texts(value)]
    if isinstance(words, int):
        return []
    return [text for word in words for text in _texts(word)] if isinstance(words, tuple) else [words]


def test_the_crawl_would_see_a_forgotten_word(brackets: None) -> None:
    with translation.override(pseudo.CODE):
        good = '<html lang="xx"><p title="⟦Vinte⟧">⟦Ciao <b>Anna</b>⟧, 3–1</p><button lang="it">Italiano</button>'
        assert pseudo.read(good) == (set(), [])
        assert pseudo.read("<p>⟦Ciao⟧ Anna</p>", {"Anna"}) == (set(), [])
        assert pseudo.read("<p>⟦Ciao⟧ Anna</p>")[0] == {"Anna"}
        assert pseudo.read('<p title="Vinte">⟦Ciao⟧</p>')[0] == {"Vinte"}
        assert pseudo.read('<script type="application/json">{"a": ["⟦b⟧", "Gioca"]}</script>')[0] == {"Gioca"}
        assert pseudo.read("<svg><use/></svg><code>abc</code><p>fuori</p>")[0] == {"fuori"}
        assert str(games.RULESET_NAMES["scopa"]) == "⟦Scopa⟧"
