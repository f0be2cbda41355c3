"""Texts about a format come from its file and from the rulebook, never from its name."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.game import Length
from players.models import Player
from tests.support.entries import enter_all
from tests.support.pages import post_tournament, show_anew
from tests.support.people import create_person
from tests.support.tournaments import GIRONE, KO, Opened
from tests.tournaments.formats.added.challenge import FORMAT as CHALLENGE
from tournaments.core import format_wording, wording
from tournaments.formats import FORMATS
from tournaments.models import LogEntry, Tournament
from tournaments.running import start

pytestmark = pytest.mark.django_db


ROOT = Path(__file__).parents[3]
HOUR = timedelta(hours=1)


def page(client: Client, tournament: Tournament) -> str:
    return client.get(reverse("tournament", args=[tournament.public_id])).content.decode().replace("&#x27;", "'")


def begun(opened: Opened, players: list[Player], now: datetime, **changed: Any) -> Tournament:
    """A tournament drawn at its hour with these players, out of the 8 places it has."""
    base = {"min_entries": 2, "max_entries": 8, "starts_at": now + HOUR, "checkin_minutes": None}
    made = opened(GIRONE, **{**base, **changed})
    enter_all(made, players, now)
    assert start.start_due(tournament_id=made.pk, now=now + HOUR)
    made.refresh_from_db()
    return made


@pytest.mark.rule("D1", "V3")
def test_a_danese_tells_the_worth_of_a_bye_and_of_a_match_by_its_rulebook(client: Client, opened: Opened) -> None:
    text = page(client, opened(GIRONE, format="danese"))
    assert "prende 14 VP e 4 MP." in text
    assert "da 0 a 20 VP secondo lo scarto" in text
    text = page(client, opened(GIRONE, format="danese", ruleset="asso-piglia-tutto"))
    assert "prende 20 VP e 0 MP." in text
    assert "20 VP a chi vince, 10 a testa se è patta, 0 a chi perde" in text
    assert "secondo lo scarto" not in text
    assert "14 VP" not in text


def test_an_added_format_is_told_in_its_own_words_and_an_unknown_one_in_none(
    client: Client, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, CHALLENGE.id, CHALLENGE)
    text = page(client, opened(KO, format=CHALLENGE.id, max_entries=2))
    assert "Vince chi vince due partite." in text
    assert "Sfida al meglio delle tre" in text
    assert "Ognuno incontra tutti gli altri" not in text
    assert (wording.name_format("scala"), format_wording.describe_leaving("scala")) == ("scala", "")
    assert format_wording.describe_format("scala", "scopa", Length("deals", 1)) == ""


@pytest.mark.rule("D1")
def test_the_form_says_how_many_rounds_there_can_be_and_refuses_more_beside_the_field(organisers: Client) -> None:
    text = show_anew(organisers, reverse("tournament-new"), format="danese").content.decode()
    assert "Al massimo quanti se ne fanno senza incontrarsi due volte" in text
    asked = {"format": "danese", "rounds": "10", "min_entries": "4", "max_entries": "4"}
    form = post_tournament(organisers, **asked).context["form"]
    assert form.errors["rounds"] == ["Con 4 iscritti si fanno al massimo 3 turni senza incontrarsi due volte."]
    assert post_tournament(organisers, **{**asked, "rounds": "3"}).status_code == 302


@pytest.mark.rule("D5")
def test_the_limit_of_the_chosen_format_stands_beside_the_field(organisers: Client) -> None:
    for format_id, limit in (("ko", "KO: fino a 4096."), ("gironi", "Gironi e KO: fino a 64 per girone.")):
        form = show_anew(organisers, reverse("tournament-new"), format=format_id).context["form"]
        assert form.fields["max_entries"].help_text == f"I posti in tutto. {limit}"
    wide = {"format": "gironi", "groups": "2", "max_entries": "129"}
    form = post_tournament(organisers, **wide).context["form"]
    assert form.errors["max_entries"] == ["In 2 gironi stanno al massimo 128 iscritti."]


@pytest.mark.rule("D1", "E6")
def test_with_fewer_entries_than_planned_the_rounds_are_cut_at_the_draw_and_everybody_is_told(
    client: Client, opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, four[:3], now, format="danese", format_options={"rounds": 6})
    assert (tournament.format_options["rounds"], tournament.rounds.count()) == (3, 3)
    entry = LogEntry.objects.get(tournament=tournament, code="option_reduced")
    assert entry.detail == {"option": "rounds", "planned": 6, "drawn": 3, "entries": 3}
    text = page(client, tournament)
    assert "Con 3 iscritti: turni: 3 (erano previsti 6)" in text
    assert "Danese (sistema svizzero), turni: 3" in text


@pytest.mark.rule("Q1", "E6")
def test_with_fewer_entries_than_planned_there_are_fewer_groups_and_everybody_is_told(
    client: Client, opened: Opened, four: list[Player], now: datetime
) -> None:
    options = {"groups": 3, "qualify": 1}
    tournament = begun(opened, four, now, format="gironi", min_entries=4, format_options=options)
    assert tournament.format_options["groups"] == 2
    assert "Con 4 iscritti: gironi: 2 (erano previsti 3)" in page(client, tournament)


@pytest.mark.rule("D1", "E6")
def test_the_proposed_rounds_are_frozen_at_the_draw_without_a_word(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, [*four, create_person("Elio", now)], now, format="danese")
    assert tournament.format_options["rounds"] == 3
    assert not LogEntry.objects.filter(code="option_reduced").exists()


@pytest.mark.parametrize("format_id", sorted(FORMATS))
def test_leaving_is_told_in_the_words_of_the_format(
    client: Client, opened: Opened, four: list[Player], now: datetime, format_id: str
) -> None:
    options = {"groups": 2} if "groups" in FORMATS[format_id].options else {}
    tournament = begun(opened, four, now, format=format_id, min_entries=4, format_options=options)
    client.force_login(four[0].user)
    text = client.get(reverse("tournament-withdraw", args=[tournament.public_id])).content.decode()
    assert FORMATS[format_id].leaving_text in text.replace("&#x27;", "'")
