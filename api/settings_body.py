"""Settings of a tournament as a program writes them: every one that the form has, by the same name as in answers.

Fields follow ``organise.settings.Settings`` and the model: a setting that is added there is here too.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models import DateTimeField, JSONField, PositiveSmallIntegerField
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.answers import LENGTH_KINDS, SETTING_NAMES, list_codes
from games.forms import MATCH_CLOCKS, TURN_TIMEOUTS
from games.rules import RULESETS
from players.api.bodies import HourField, StrictSerializer
from scoring.tiebreaks import CRITERIA, PRESETS, write_order
from tournaments.formats import FORMATS
from tournaments.game_counts import CHOICES, LATE
from tournaments.models import Club, Tournament
from tournaments.organise.forms import NOSHOW_SECONDS
from tournaments.organise.order_form import OWN
from tournaments.organise.settings import TEAM_SIZES, Settings, admit_guests, propose_tie_break
from tournaments.venues import VENUES, VenueField, list_venues

MAX_SMALL, MAX_NUMBER = 32_767, 10_000_000
MAX_PAUSE_SECONDS = 600
Values = dict[str, Any]  # settings by their names


@extend_schema_field({"oneOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "string"}]})
class ScalarField(serializers.Field[Any, Any, Any, Any]):
    """Value of an option: true or false, a whole number, or a code."""

    def to_internal_value(self, data: Any) -> bool | int | str:
        if isinstance(data, bool | int) and abs(data) <= MAX_NUMBER:
            return data
        if isinstance(data, str) and len(data) <= 64 and "\0" not in data:
            return data
        raise serializers.ValidationError(_("Non è il valore di un'opzione."), "invalid")

    def to_representation(self, value: Any) -> Any:
        return value


class OptionsField(serializers.DictField):
    """Options by their names; which there are, and what each may be, their game or their format decides."""

    child = ScalarField()

    def to_internal_value(self, data: Any) -> Values:
        if isinstance(data, dict) and any(len(name) > 64 or "\0" in name for name in data):
            raise serializers.ValidationError(_("Questo nome non c'è."), "unknown")
        options: Values = super().to_internal_value(data)
        return options


def list_numbers(numbers: Any) -> list[tuple[int, str]]:
    """Return numbers as the choices of a field."""
    return [(number, str(number)) for number in numbers]


class SettingsBody(StrictSerializer, serializers.ModelSerializer[Tournament]):
    """Settings of a tournament. What is left out is as the form proposes it, or in a change as it was."""

    name = serializers.CharField(max_length=80)
    description = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    club = serializers.CharField(required=False, allow_null=True, max_length=12, help_text="its public id")
    format = serializers.ChoiceField(list_codes(FORMATS))
    ruleset = serializers.ChoiceField(list_codes(RULESETS))
    length_kind = serializers.ChoiceField(LENGTH_KINDS)
    format_options = OptionsField(required=False)
    options = OptionsField(required=False)
    tie_break = serializers.ChoiceField(
        list_codes((*PRESETS, OWN)),
        required=False,
        help_text="a preset; own: by tie_break_order, which may be alone",
    )
    tie_break_order = serializers.ListField(
        child=serializers.ChoiceField(list_codes(CRITERIA)),
        required=False,
        max_length=len(CRITERIA),
        help_text="criteria, the first one first, which is vp, wins or percentage; the lot only at the end",
    )
    turn_timeout = serializers.ChoiceField(list_numbers(TURN_TIMEOUTS), allow_null=True, required=False)
    match_clock = serializers.ChoiceField(list_numbers(MATCH_CLOCKS), allow_null=True, required=False)
    noshow_after = serializers.ChoiceField(list_numbers(NOSHOW_SECONDS), required=False)
    pause = serializers.IntegerField(min_value=0, max_value=MAX_PAUSE_SECONDS, required=False)
    seats_an_entry = serializers.ChoiceField(list_numbers((1, 2)), required=False, help_text="2: pairs")
    team_size = serializers.ChoiceField(
        list_numbers((0, *TEAM_SIZES)),
        required=False,
        help_text="the most people of a team; 0: no teams; on the site those of both tables",
    )
    team_tables = serializers.ChoiceField(
        list_numbers((1, 2)),
        required=False,
        help_text="of a fixture of teams; 2: both count together; on the site with equal_deals",
    )
    games = serializers.ChoiceField(
        list_numbers(CHOICES), required=False, help_text="of a fixture, at real tables; the better half decides it"
    )
    games_in_ko = serializers.ChoiceField(
        list_numbers(CHOICES), required=False, allow_null=True, help_text="of the KO after groups; null: as many"
    )
    late_games = serializers.ChoiceField(
        list_numbers(CHOICES), required=False, allow_null=True, help_text="of a KO's last rounds; null: as many"
    )
    late_from = serializers.ChoiceField(
        list_codes(("", *LATE)), required=False, allow_blank=True, help_text="the first of those rounds"
    )
    min_entries = serializers.IntegerField(min_value=2, max_value=4096, required=False)
    max_entries = serializers.IntegerField(min_value=2, max_value=4096, required=False)
    round_hours = serializers.ListField(child=HourField(), required=False, max_length=4096)
    join_code = serializers.CharField(required=False, allow_blank=True, max_length=64)

    serializer_field_mapping = {**serializers.ModelSerializer.serializer_field_mapping, DateTimeField: HourField}

    class Meta:
        model = Tournament
        fields = (*SETTING_NAMES, "tie_break_order", "club")

    def build_standard_field(self, field_name: str, model_field: Any) -> tuple[type, Values]:
        """Return a field whose numbers have the same bounds on every database."""
        assert not isinstance(model_field, JSONField), f"say what {field_name} may hold"
        kind, values = super().build_standard_field(field_name, model_field)
        if isinstance(model_field, VenueField):
            values["choices"] = list(list_venues())
        if issubclass(kind, serializers.IntegerField):
            values.pop("validators", None)
            most = MAX_SMALL if isinstance(model_field, PositiveSmallIntegerField) else MAX_NUMBER
            values |= {"min_value": 0, "max_value": most}
        return kind, values

    def validate_club(self, public_id: str | None) -> Club | None:
        club = None if public_id is None else Club.objects.filter(public_id=public_id).first()
        if public_id is not None and club is None:
            raise serializers.ValidationError(_("Questo circolo non c'è."), "unknown_club")
        return club


class NewTournamentBody(SettingsBody):
    """Settings of a new tournament; ``publish``: its registration opens at once."""

    publish = serializers.BooleanField(required=False, default=False)

    class Meta(SettingsBody.Meta):
        fields = (*SettingsBody.Meta.fields, "publish")


def take_settings(data: Mapping[str, Any]) -> Values:
    """Return the settings that a checked body has, as ``Settings`` names them."""
    values = {name: value for name, value in data.items() if name in SETTING_NAMES}
    if "club" in data:
        values["club_id"] = None if data["club"] is None else data["club"].pk
    order = data.get("tie_break_order", [])
    if order and values.get("tie_break", OWN) == OWN:
        values["tie_break"] = write_order(order)
    if "venue" in values:
        values["venue"] = VENUES[values["venue"]]
    if "round_hours" in values:
        values["round_hours"] = tuple(values["round_hours"])
    return values


def make_settings(data: Mapping[str, Any]) -> Settings:
    """Return the settings of something new: what a checked body leaves out is as the form proposes it."""
    values = {"tie_break": propose_tie_break(FORMATS[data["format"]]), **take_settings(data)}
    settings = Settings(**values)
    if "guests_allowed" in data:
        return settings
    return replace(settings, guests_allowed=admit_guests(settings.registration))
