"""Acts of a referee are rows: one that stands in the tests alone is on the desk's page, previewed and done (F2, F5)."""

from collections.abc import Iterator

import pytest
from django import forms
from django.urls import reverse

from players.models import Player
from tests.support.desk import WHY, send_act
from tests.support.people import sign_in
from tournaments.core.errors import REFUSALS, TournamentError
from tournaments.core.refusals import describe_refusal
from tournaments.desk import acts, results
from tournaments.desk.acts import FixtureAct, register_acts
from tournaments.desk.forms import ActForm, ForfeitForm, ReplayForm
from tournaments.models import Fixture, Tournament

pytestmark = pytest.mark.django_db


class ThrowInForm(ActForm):
    """Has both sides lose, once the word is said."""

    what, title, button = "getta", "Getta le carte", "Getta"
    word = forms.CharField(label="La parola")


def throw_in(form: ThrowInForm, about: acts.About) -> None:
    if form.cleaned_data["word"] != "basta":
        raise TournamentError("word_missing")
    results.declare_forfeit(lines=(0, 1), **about)


@pytest.fixture
def row() -> Iterator[None]:
    """An act and a refusal more, a row each."""
    register_acts(FixtureAct(ThrowInForm, lambda at: at.judges and at.is_open, throw_in), before=ReplayForm)
    REFUSALS["word_missing"] = "Manca la parola."
    yield
    del REFUSALS["word_missing"]
    acts.FIXTURE_ACTS[:] = [act for act in acts.FIXTURE_ACTS if act.form is not ThrowInForm]


@pytest.mark.rule("F2", "F5")
def test_a_row_is_an_act_on_the_page_with_its_preview_and_its_refusal(
    row: None, cup: Tournament, referee: Player
) -> None:
    fixture = Fixture.objects.of(cup).ready().first()
    assert fixture is not None
    desk, address = sign_in(referee), reverse("desk-fixture", args=[cup.public_id, fixture.pk])
    whats = [form.what for form in desk.get(address).context["acts"]]
    assert whats.index("getta") > whats.index(ForfeitForm.what), "in the order of the rows"
    sent = {"what": "getta", "reason": WHY, "word": "forse"}
    refused = desk.post(address, sent)
    assert describe_refusal("word_missing") in refused.content.decode()
    answer = send_act(desk, address, {**sent, "word": "basta"})
    assert answer.status_code == 302
    fixture.refresh_from_db()
    assert fixture.double_forfeit
