"""A tournament's match options: offered where they fit, refused beside their field, frozen, told to whoever looks."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.game import Length
from games.models import Match
from games.rules import RULESETS
from players.models import Player
from scoring import vp
from tests.support import play as running
from tests.support.pages import post_tournament
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened
from tournaments.core.errors import TournamentError
from tournaments.entries.pairs import confirm_pair, enter_pair
from tournaments.models import Tournament
from tournaments.organise import lifecycle, settings
from tournaments.organise.forms import TournamentForm
from tournaments.organise.settings import Settings, check_settings

pytestmark = pytest.mark.django_db


def test_every_game_can_be_chosen_and_its_tournament_is_created(organisers: Client) -> None:
    form = organisers.get(reverse("tournament-new")).context["form"]
    assert [code for code, _name in form.fields["ruleset"].choices] == list(RULESETS)
    for ruleset, rules in RULESETS.items():
        pairs = {"seats_an_entry": "2"} if 2 not in rules.players else {}
        length = "21" if ruleset == "tressette-classico" else "11"
        assert (
            post_tournament(organisers, publish=False, ruleset=ruleset, length_value=length, **pairs).status_code == 302
        )
    assert Tournament.objects.count() == len(RULESETS)


@pytest.mark.rule("T6", "M8")
def test_neither_cappotto_nor_three_players_are_offered(organisers: Client) -> None:
    for ruleset in RULESETS:
        form = TournamentForm(initial={"ruleset": ruleset, "seats_an_entry": "2"})
        assert "option_cappotto" not in form.fields
        assert {code for code, _ in form.fields["seats_an_entry"].choices} <= {"1", "2"}
    post_tournament(organisers, ruleset="tresette", option_cappotto="on", option_accuso="on")
    assert Tournament.objects.get().options == {"accuso": True}


@pytest.mark.rule("T9", "T10", "G11", "M1", "C1", "V4")
@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"length_kind": "deals", "length_value": "4", "option_vinco_subito": "on"}, "option_vinco_subito", "a punti"),
        ({"option_dichiarazioni": "on"}, "option_dichiarazioni", "a coppie"),
        ({"option_carte_scoperte": "on"}, "option_carte_scoperte", "a coppie"),
        ({"ruleset": "tressette-accusa", "length_value": "12"}, "length_value", "11, 21, 31, 41 punti"),
        ({"ruleset": "tressette-classico", "length_value": "21"}, "seats_an_entry", "così tanti o così pochi"),
        ({"ruleset": "tressette-classico", "seats_an_entry": "2", "length_value": "11"}, "length_value", "21 punti"),
        (
            {"ruleset": "tressette-classico", "seats_an_entry": "2", "length_value": "51", "option_onori": "on",
             "format": "girone"},
            "length_value",
            "31 punti",
        ),
        ({"format": "girone", "length_value": "12"}, "length_value", "6, 11, 17, 21, 26, 31, 36, 41 punti oppure 1,"),
    ],
)  # fmt: skip
def test_a_combination_that_does_not_fit_is_refused_beside_its_field(
    organisers: Client, changed: dict[str, str], field: str, words: str
) -> None:
    answer = post_tournament(
        organisers, **{"ruleset": "tresette", "max_entries": "6", "option_carte_viste": "on", **changed}
    )
    assert answer.status_code == 200
    errors = answer.context["form"].errors
    assert list(errors) == [field]
    assert words in errors[field][0]
    text = answer.content.decode()
    assert f'id="id_{field}_error"' in text
    if "ruleset" not in changed:
        assert 'id="id_option_carte_viste" checked' in text, "what was chosen stays"
    assert not Tournament.objects.exists()


def test_a_refused_form_offers_the_numbers_of_players_that_its_game_knows(organisers: Client) -> None:
    for ruleset, seats in (("scopa", ["1", "2"]), ("tressette-accusa", ["1", "2"]), ("tressette-classico", ["2"])):
        answer = post_tournament(organisers, ruleset=ruleset, length_value="102")
        assert [radio.data["value"] for radio in answer.context["form"]["seats_an_entry"]] == seats


@pytest.mark.rule("V4", "M1", "C1", "V3")
def test_a_girone_takes_the_lengths_that_have_vp_and_no_other() -> None:
    lengths = [Length(kind, value) for kind in ("points", "deals") for value in (0, 1, 2, 6, 7, 11, 12, 21, 31)]
    for ruleset, rules in RULESETS.items():
        seats = 1 if 2 in rules.players else 2
        base = replace(GIRONE, ruleset=ruleset, seats_an_entry=seats)
        taken = {length for length in lengths if code_of(base, length) is None}
        assert taken
        assert taken <= set(vp.list_allowed_lengths(ruleset))
    assert code_of(base, Length("points", 12)) == "setup_refused", "a game of few lengths"
    assert code_of(GIRONE, Length("points", 12)) == "length_without_vp"


def code_of(base: Settings, length: Length) -> str | None:
    """Return the code by which such a tournament is refused."""
    try:
        check_settings(replace(base, length_kind=length.kind, length_value=length.value))
    except TournamentError as error:
        return error.code
    return None


def test_another_game_shows_its_options_first_and_keeps_what_was_typed(organisers: Client) -> None:
    answer = post_tournament(organisers, name="Coppa Anna", ruleset="tresette", shown="scopa carte_viste")
    assert answer.status_code == 200
    assert not answer.context["form"].errors
    text = answer.content.decode()
    assert 'value="Coppa Anna"' in text
    assert "Chi ha appena fatto la presa" in text, "its sentence"
    assert not Tournament.objects.exists()
    post_tournament(organisers, ruleset="tresette", shown="tresette vinco_subito accuso")
    assert Tournament.objects.get().options == {}


def test_options_are_edited_until_the_draw_and_frozen_with_it(
    organisers: Client, organiser: Player, opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = opened(PAIRS, format="ko", max_entries=2, options={"accuso": True})
    url = reverse("tournament-edit", args=[tournament.public_id])
    form = organisers.get(url).context["form"]
    assert {field.name for field in form.fitting_options if field.value() is True} == {"option_accuso"}, "as it is"
    changed = replace(settings.read_settings(tournament), options={"dichiarazioni": True, "ko_tie": "deals"})
    lifecycle.edit_tournament(tournament_id=tournament.pk, by=organiser, settings=changed, now=now)
    for first, second in ((four[0], four[2]), (four[1], four[3])):
        entry = enter_pair(tournament_id=tournament.pk, player=first, partner=second.name, now=now)
        confirm_pair(tournament_id=tournament.pk, player=second, entry_id=entry.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    with pytest.raises(TournamentError, match="drawn"):
        lifecycle.edit_tournament(
            tournament_id=tournament.pk, by=organiser, settings=replace(changed, options={"accuso": True}), now=now
        )
    running.open_ready(tournament, now + running.OPENING)
    assert Match.objects.get().options == {"dichiarazioni": True, "ko_tie": "deals"}


@pytest.mark.parametrize(
    ("changed", "stated", "unstated"),
    [
        (
            {"ruleset": "tresette", "seats_an_entry": 2, "options": {"vinco_subito": True, "dichiarazioni": True}},
            ["Vinco subito", "«Busso»", "Dichiarazioni"],
            ["Accuso", "Carte viste", "In parità dopo"],
        ),
        (
            {"ruleset": "tresette", "options": {"ko_tie": "deals"}},
            ["In parità dopo", "si gioca lo spareggio"],
            ["Accuso"],
        ),
        ({"ruleset": "tressette-accusa"}, ["Accusa", "obbligatoria: il sistema"], ["facoltativa"]),
        ({"ruleset": "scopa"}, ["nessuna"], ["Carte viste"]),
    ],
)
def test_the_page_and_the_api_tell_the_options(
    client: Client, opened: Opened, changed: dict[str, Any], stated: list[str], unstated: list[str]
) -> None:
    tournament = opened(KO, length_kind="points", length_value=11, **changed)
    text = client.get(reverse("tournament", args=[tournament.public_id])).content.decode()
    rules = text.partition('id="rules-title"')[2].partition("</section>")[0]
    assert [words for words in stated if words not in rules] == []
    assert [words for words in unstated if words in rules] == []
    answer = client.get(reverse("tournament-detail", args=[tournament.public_id])).json()
    assert answer["tournament"]["options"] == changed.get("options", {})


def test_a_tournament_of_a_game_that_is_gone_can_still_be_read(client: Client, opened: Opened) -> None:
    tournament = opened(KO)
    Tournament.objects.update(ruleset="scopa", options={"di_una_volta": True})
    assert client.get(reverse("tournament", args=[tournament.public_id])).status_code == 200
