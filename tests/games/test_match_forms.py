"""Forms a match is set up with: every game is told from its relatives, begins at its usual length, and nothing that is
offered vanishes when it is chosen, with a script or without one."""

from collections.abc import Iterator
from itertools import product

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from games import options, wording
from games.engine.captures import Captures
from games.engine.cards import DECK_SIZE
from games.forms import MatchForm, read_typed
from games.lobby.forms import FreeTableForm
from games.rules import RULESETS
from games.training.forms import TrainingForm
from players.models import Player
from tests.support.thorough import tries
from tournaments.formats import FORMATS
from tournaments.organise.forms import TournamentForm

FORMS = [(FreeTableForm, None), (TrainingForm, None), *((TournamentForm, format_) for format_ in FORMATS)]
SCRIPTED = pytest.mark.parametrize("scripted", [True, False])
# Of all games in all forms every third: each game, and each form with a script and without, is among them.
CASES = list(product(RULESETS, FORMS, [True, False]))[:: tries(3, 1)]


def list_posted(form: MatchForm) -> dict[str, str]:
    """Return what a browser would send of a form as it is drawn."""
    posted = {"shown": form.memory}
    for name, field in form.fields.items():
        value = form[name].value()
        if value is True:
            posted[name] = "on"
        elif value not in (None, False, ""):
            posted[name] = str(field.widget.format_value(value) if not isinstance(value, str) else value)
    return posted


def redraw(form: type[MatchForm], posted: dict[str, str], *, scripted: bool) -> MatchForm:
    """Return the form as it is drawn anew when one of its choices has changed."""
    data = QueryDict(mutable=True)
    data.update(posted)
    return form(initial=read_typed(form, data), scripted=scripted)


def begin(form: type[MatchForm], ruleset: str, format_: str | None, *, scripted: bool) -> MatchForm:
    """Return a new form in which this game was chosen, and this format."""
    chosen = {"ruleset": ruleset} if format_ is None else {"ruleset": ruleset, "format": format_}
    return redraw(form, {**list_posted(form(scripted=scripted)), **chosen}, scripted=scripted)


def list_offered(form: MatchForm) -> Iterator[tuple[str, str]]:
    """Yield every choice that the fields drawn anew offer, by field and value; "" for what is switched off."""
    for name in ("players", "seats_an_entry", "length_kind", *form.fitting, *form.others):
        if name in form.fields:
            field = form.fields[name]
            yield from ((name, str(value)) for value, _ in getattr(field, "choices", [("", ""), ("on", "")]))


def read_chosen(form: MatchForm, name: str) -> str | None:
    """Return what is chosen in a field; None where it isn't offered."""
    if name not in form.fields:
        return None
    value = form[name].value()
    offered = [str(code) for code, _ in getattr(form.fields[name], "choices", [])]
    if not offered:
        return "on" if value else ""
    return str(value) if str(value) in offered else None


@pytest.mark.parametrize(
    ("ruleset", "form", "format_", "scripted"), [(ruleset, *form, scripted) for ruleset, form, scripted in CASES]
)
def test_nothing_that_is_offered_vanishes_when_it_is_chosen(
    ruleset: str, form: type[MatchForm], format_: str | None, scripted: bool
) -> None:
    before = begin(form, ruleset, format_, scripted=scripted)
    assert before.chosen == ruleset
    offered = list(list_offered(before))
    assert offered
    for name, value in offered:
        posted = {key: sent for key, sent in {**list_posted(before), name: value}.items() if sent}
        after = redraw(form, posted, scripted=scripted)
        assert read_chosen(after, name) == value, (name, value)
        assert after.list_allowed(), "so it can be played"


@pytest.mark.parametrize(("form", "format_"), FORMS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_form_that_begins_with_a_game_offers_only_the_lengths_it_has(
    ruleset: str, form: type[MatchForm], format_: str | None
) -> None:
    initial = {"ruleset": ruleset} if format_ is None else {"ruleset": ruleset, "format": format_}
    begun = form(initial=initial)
    kinds = {code for code, _ in begun.fields["length_kind"].choices}  # type: ignore[attr-defined]
    assert kinds == {length.kind for length in begun.list_allowed()}


@pytest.mark.rule("BR4", "SC2")
@SCRIPTED
@pytest.mark.parametrize(("form", "format_"), FORMS)
def test_br4_sc2_a_game_begins_at_its_usual_length_and_a_length_that_was_typed_stays(
    form: type[MatchForm], format_: str | None, scripted: bool
) -> None:
    def length(drawn: MatchForm) -> tuple[str, int]:
        return str(drawn["length_kind"].value()), int(drawn["length_value"].value())

    drawn = begin(form, "scopa", format_, scripted=scripted)
    assert length(drawn) == ("points", 11)
    for ruleset, usual in (("briscola", 3), ("scopone", 21), ("tresette", 21), ("scopa", 11)):
        drawn = redraw(form, {**list_posted(drawn), "ruleset": ruleset}, scripted=scripted)
        assert length(drawn) == ("points", usual)
    typed = redraw(form, {**list_posted(drawn), "length_value": "7"}, scripted=scripted)
    assert length(redraw(form, {**list_posted(typed), "ruleset": "briscola"}, scripted=scripted)) == ("points", 7)
    assert length(redraw(form, {**list_posted(typed), "ruleset": "scopone"}, scripted=scripted)) == ("points", 11)


def test_the_games_in_which_cards_are_taken_from_the_table_are_those_that_the_engine_plays_so() -> None:
    deals = {}
    for ruleset, length in options.USUAL_LENGTHS.items():
        rules = RULESETS[ruleset]
        setup = options.build_setup(ruleset, rules.players[0], length, "free", {})
        deals[ruleset] = rules.deal(setup, range(DECK_SIZE), 0)
    assert {ruleset for ruleset, deal in deals.items() if isinstance(deal, Captures)} == options.CAPTURING_RULESETS


def test_the_usual_lengths_can_be_played_and_every_game_has_one() -> None:
    assert set(options.USUAL_LENGTHS) == set(RULESETS)
    for ruleset, length in options.USUAL_LENGTHS.items():
        players = RULESETS[ruleset].players[0]
        for context in ("free", "ko", "round_robin"):
            assert options.find_fault(options.build_setup(ruleset, players, length, context, {})) is None  # type: ignore[arg-type]


@pytest.mark.django_db
def test_wherever_a_game_is_chosen_each_has_its_line_the_usual_ones_a_mark_and_the_spelling_is_explained_once(
    client: Client, anna: Player
) -> None:
    client.force_login(anna.user)
    for place in ("free-table-new", "training", "tournament-new", "lobby"):
        text = " ".join(client.get(reverse(place)).content.decode().replace("&#x27;", "'").split())
        for ruleset in RULESETS:
            assert text.count(wording.describe_ruleset(ruleset)) == 1, (place, ruleset)
        assert text.count(str(wording.SAME_NAME)) == 1, place
        marks = [text.count(str(words)) for words in wording.USUAL_RULESETS.values()]
        assert marks == [1, 1], (place, "each says of which games it is the usual one")
