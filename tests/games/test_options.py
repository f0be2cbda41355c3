"""Options fit where the rulesets say so; a refusal says what it is about; every option has its words."""

from typing import Any

import pytest
from django.http import QueryDict

from games import options, wording
from games.engine.game import Length
from games.forms import asks_for_options, read_typed
from games.lobby.forms import FreeTableForm
from games.options import build_setup, find_fault, fits, list_lengths
from games.rules import RULESETS

POINTS, DEALS = Length("points", 11), Length("deals", 2)


def fitting(ruleset: str, players: int, length: Length, context: Any) -> list[str]:
    setup = build_setup(ruleset, players, length, context, {})
    return [name for name in options.list_choices(ruleset) if fits(setup, name)]


@pytest.mark.rule("T6", "T8", "T9", "T10", "G11")
@pytest.mark.parametrize(
    ("players", "length", "context", "expected"),
    [
        (2, POINTS, "free", "vinco_subito accuso cappotto carte_viste"),
        (4, POINTS, "free", "vinco_subito accuso cappotto dichiarazioni carte_viste carte_scoperte"),
        (4, DEALS, "free", "accuso cappotto dichiarazioni carte_viste carte_scoperte"),
        (2, POINTS, "ko", "vinco_subito accuso carte_viste"),
        (2, DEALS, "ko", "accuso carte_viste ko_tie"),
        (4, DEALS, "round_robin", "accuso dichiarazioni carte_viste carte_scoperte"),
    ],
)
def test_only_options_that_fit_are_offered(players: int, length: Length, context: str, expected: str) -> None:
    assert fitting("tresette", players, length, context) == expected.split()


@pytest.mark.rule("A1", "S10")
def test_the_other_games_offer_their_own() -> None:
    assert fitting("tresette-a-perdere", 4, POINTS, "free") == ["dichiarazioni", "carte_viste", "carte_scoperte"]
    for game in ("scopa", "asso-piglia-tutto"):
        assert fitting(game, 2, POINTS, "ko") == ["carte_viste"]
        assert fitting(game, 4, POINTS, "ko") == ["carte_viste", "carte_scoperte"]
    assert fitting("tressette-accusa", 3, POINTS, "free") == ["accusa"]
    assert fitting("tressette-classico", 4, POINTS, "ko") == ["onori", "segnali"]
    assert fitting("tressette-classico", 4, DEALS, "ko") == []


def named(ruleset: str, players: int, context: Any, chosen: dict[str, Any] | None = None) -> str:
    return wording.describe_lengths(list_lengths(build_setup(ruleset, players, POINTS, context, chosen or {})))


@pytest.mark.rule("V4", "M1", "C1")
def test_the_lengths_of_a_game_are_its_own() -> None:
    assert named("tresette", 2, "ko") == "da 1 a 101 punti oppure da 1 a 20 smazzate"
    assert named("tressette-accusa", 2, "free") == "11, 21, 31, 41 punti"
    assert named("tressette-classico", 4, "free") == "21 punti"
    assert named("tressette-classico", 4, "free", {"onori": True}) == "31, 51 punti"


@pytest.mark.rule("M8", "M1", "C1")
@pytest.mark.parametrize(
    ("ruleset", "players", "length", "context", "chosen", "about"),
    [
        ("tressette-accusa", 3, POINTS, "ko", {}, "players"),
        ("tressette-accusa", 2, DEALS, "free", {}, "length"),
        ("tressette-accusa", 2, Length("points", 12), "free", {}, "length"),
        ("tressette-classico", 2, Length("points", 21), "free", {}, "players"),
        ("tressette-classico", 4, Length("points", 21), "free", {"onori": True}, "length"),
        ("tressette-classico", 4, Length("points", 31), "free", {}, "length"),
        ("tressette-classico", 4, Length("points", 21), "free", {"segnali": "quattro"}, "segnali"),
        ("tresette", 2, POINTS, "ko", {"cappotto": True}, "cappotto"),
        ("tresette", 2, POINTS, "round_robin", {"cappotto": True}, "cappotto"),
    ],
)
def test_a_refusal_says_what_it_is_about(
    ruleset: str, players: int, length: Length, context: Any, chosen: dict[str, Any], about: str
) -> None:
    fault = find_fault(build_setup(ruleset, players, length, context, chosen))
    assert fault is not None
    assert fault.about == about
    assert wording.describe_setup_fault(fault.about, fault.code, fault.allowed)
    assert bool(fault.allowed) == (about == "length")


def test_what_can_be_played_has_no_fault() -> None:
    for ruleset, rules in RULESETS.items():
        for players in rules.players:
            length = list_lengths(build_setup(ruleset, players, POINTS, "free", {}))[0]
            assert find_fault(build_setup(ruleset, players, length, "free", {})) is None


@pytest.mark.parametrize("junk", [1, 1.0, [True], {}])
def test_what_only_looks_like_an_options_value_has_no_length(junk: object) -> None:
    for value, known in ((True, True), (junk, False), (True, True)):
        lengths = list_lengths(build_setup("tressette-classico", 4, POINTS, "free", {"onori": value}))
        assert bool(lengths) == known


def test_every_option_and_value_on_offer_has_words_and_no_words_are_left_over() -> None:
    known = {(ruleset, name): values for ruleset in RULESETS for name, values in options.list_choices(ruleset).items()}
    used = {f"{ruleset}.{name}" if f"{ruleset}.{name}" in wording.OPTIONS else name for ruleset, name in known}
    assert used == set(wording.OPTIONS)
    for ruleset, name in known:
        label, sentence = wording.describe_option(ruleset, name)
        assert label
        assert sentence.endswith(".")
    values = {f"{name}.{value}" for (_, name), values in known.items() for value in values if isinstance(value, str)}
    assert values == set(wording.OPTION_VALUES)
    assert set(wording.OPTION_FITS) <= {name for _, name in known}


# --- The form --------------------------------------------------------------------------------------------------------


def form(data: str, **changed: Any) -> FreeTableForm:
    return FreeTableForm(QueryDict(data), **changed)


def asked(data: str, *, scripted: bool = True) -> FreeTableForm:
    return FreeTableForm(initial=read_typed(FreeTableForm, QueryDict(f"{data}&mostra=1")), scripted=scripted)


GOOD = "ruleset=tresette&players=4&length_kind=points&length_value=21&turn_timeout=60&match_clock="


def test_a_new_form_suggests_what_most_clubs_play() -> None:
    page_form = asked("ruleset=tresette&players=4&length_kind=points&length_value=21")
    on = {field.name for field in page_form.fitting_options if field.value() is True}
    assert on == {"option_vinco_subito", "option_dichiarazioni"}
    classico = asked("ruleset=tressette-classico")
    assert [(field.name, field.value()) for field in classico.fitting_options] == [
        ("option_onori", False), ("option_segnali", "tre"),
    ]  # fmt: skip


def test_with_a_script_only_what_fits_is_on_the_page_and_without_one_the_rest_too() -> None:
    two = "ruleset=tresette&players=2&length_kind=deals&length_value=2"
    assert asked(two).fitting == ["option_accuso", "option_cappotto", "option_carte_viste"]
    assert asked(two).others == []
    plain = asked(two, scripted=False)
    assert plain.others == ["option_vinco_subito", "option_dichiarazioni", "option_carte_scoperte"]
    assert not any(field.value() for field in plain.other_options)


def test_what_was_chosen_stays_when_something_else_changes() -> None:
    shown = "shown=tresette vinco_subito accuso cappotto carte_viste"
    page_form = asked(f"ruleset=tresette&players=4&length_kind=points&length_value=33&option_accuso=on&{shown}")
    values = {field.name: field.value() for field in page_form.fitting_options}
    assert values["option_accuso"] is True
    assert values["option_vinco_subito"] is False, "seen, and switched off"
    assert values["option_dichiarazioni"] is True, "not seen yet"
    assert page_form["length_value"].value() == "33"


@pytest.mark.rule("M1", "C1")
def test_a_game_of_few_lengths_moves_the_length_to_one_it_has() -> None:
    for data, expected in (
        ("ruleset=tressette-accusa&length_kind=points&length_value=11", ("points", "11")),
        ("ruleset=tressette-accusa&length_kind=points&length_value=30", ("points", 31)),
        ("ruleset=tressette-accusa&length_kind=deals&length_value=3", ("points", 11)),
        ("ruleset=tressette-classico&length_kind=points&length_value=11", ("points", 21)),
        (
            "ruleset=tressette-classico&length_kind=points&length_value=21&option_onori=on"
            "&shown=tressette-classico onori segnali",
            ("points", 31),
        ),
        ("ruleset=tresette&length_kind=points&length_value=abc", ("points", "abc")),
    ):
        page_form = asked(data)
        assert (page_form["length_kind"].value(), page_form["length_value"].value()) == expected


def test_nobody_plays_by_options_they_have_not_seen() -> None:
    assert asks_for_options(QueryDict("ruleset=tresette&shown=scopa carte_viste"))
    assert asks_for_options(QueryDict("mostra=&ruleset=tresette&shown=tresette"))
    assert not asks_for_options(QueryDict("ruleset=tresette&shown=tresette accuso"))
    assert not asks_for_options(QueryDict("ruleset=tresette"))
    assert not asks_for_options(QueryDict("ruleset=boh&shown=scopa"))


def test_an_option_that_was_sent_and_does_not_fit_stays_in_sight() -> None:
    page_form = form(f"{GOOD}&option_onori=on&option_vinco_subito=on".replace("points", "deals"), scripted=True)
    assert "option_vinco_subito" in page_form.fitting
    assert "option_onori" not in page_form.fields, "another game's"
    assert page_form.is_valid()
    assert page_form.chosen_options() == {"vinco_subito": True}


def test_an_option_that_would_mean_nothing_is_left_out() -> None:
    page_form = form(f"{GOOD}&option_ko_tie=deals&option_accuso=on")
    assert page_form.is_valid()
    assert page_form.chosen_options() == {"accuso": True}


@pytest.mark.parametrize(
    "data",
    [
        "",
        "ruleset=__class__",
        "ruleset=tresette&players=٣&length_kind=points&length_value=٢١",
        "ruleset=tressette-accusa&option_accusa=sempre",
        "ruleset=tressette-classico&players=4&option_segnali=%00",
        "ruleset=tresette&players=4&length_value=" + "9" * 400,
        "ruleset=tresette&ruleset=scopa&shown=" + "x " * 4000,
        "length_kind=ore&players=-1&turn_timeout=1e9",
    ],
)
def test_whatever_is_sent_is_answered(data: str) -> None:
    for page_form in (form(data), asked(data), asked(data, scripted=False)):
        assert str(page_form)
        assert page_form.length_help is not None
        assert not page_form.is_valid()
