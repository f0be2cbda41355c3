"""Series of an organiser for programs (E7): tournaments that come again every week, by a key for what is their own."""

from typing import Any

from django.db import transaction
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import require_owner
from api.answers import SETTING_NAMES, name_order
from api.organise import require_club_chosen
from api.refusals import RefusingView
from api.settings_body import SettingsBody, make_settings, take_settings
from games.engine.record import Json
from players.api.api_view import Scope
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from scoring.tiebreaks import read_order
from tournaments.models import Series
from tournaments.organise.settings import change_settings
from tournaments.series import actions
from tournaments.series.actions import MAX_DAYS_AHEAD, UNREPEATED_SETTINGS, Weekly

REPEATED = tuple(name for name in SETTING_NAMES if name not in UNREPEATED_SETTINGS)


class SeriesSerializer(serializers.ModelSerializer[Series]):
    club = serializers.CharField(source="club.public_id", allow_null=True, default=None, help_text="its public id")
    weekday = serializers.IntegerField(help_text="Monday is 0")
    due_at = serializers.DateTimeField(allow_null=True, help_text="when the next one is opened; null: stopped")
    trouble = serializers.CharField(help_text="the code of why it can't go on, or empty")
    settings = serializers.SerializerMethodField(help_text="of each tournament, by their names")

    class Meta:
        model = Series
        fields = (
            "public_id", "club", "weekday", "hour", "time_zone", "days_ahead", "next_start", "due_at", "trouble",
            "settings",
        )  # fmt: skip
        read_only_fields = fields

    def get_settings(self, series: Series) -> Json:
        settings = actions.read_series_settings(series)
        values = {name: getattr(settings, name) for name in REPEATED} | {"venue": settings.venue.code}
        order = settings.tie_break
        return values | {"tie_break": name_order(order), "tie_break_order": list(read_order(order).criteria)}


class SeriesBody(SettingsBody):
    """Settings of each tournament, without a start, and the day and the hour of the week."""

    round_hours = None  # type: ignore[assignment]  # they belong to one day
    weekday = serializers.IntegerField(min_value=0, max_value=6, help_text="Monday is 0")
    hour = serializers.TimeField(help_text="of the organiser's clock, in `time_zone`")
    days_ahead = serializers.IntegerField(min_value=1, max_value=MAX_DAYS_AHEAD, required=False, default=6)

    class Meta(SettingsBody.Meta):
        fields = (*REPEATED, "club", "weekday", "hour", "days_ahead")


class SeriesViewSet(RefusingView, GenericViewSet[Series]):
    """Series of the key's owner."""

    queryset = Series.objects.none()
    pagination_class = None
    lookup_field = "series"
    lookup_value_regex = PUBLIC_ID

    @extend_schema(responses=SeriesSerializer(many=True))
    def list(self, request: Request) -> Response:
        rows: Any = require_owner(request).series.select_related("club").order_by("pk")
        return Response(SeriesSerializer(rows, many=True).data)

    @extend_schema(responses=SeriesSerializer)
    def retrieve(self, request: Request, series: str) -> Response:
        return Response(SeriesSerializer(find_series(request, series)).data)

    @serve(scope=Scope.ORGANISE, body=SeriesBody, answer=SeriesSerializer, status=201)
    def create(self, write: Write) -> Series:
        """Make a series, which runs from now on."""
        owner, data = require_owner(write.request), write.data
        require_club_chosen(write, data.get("club"))
        settings = make_settings(data)
        weekly = Weekly(data["weekday"], data["hour"], data["days_ahead"])
        return actions.create_series(organiser=owner, settings=settings, weekly=weekly, now=write.now)

    @serve(scope=Scope.ORGANISE, body=SeriesBody, answer=SeriesSerializer, partial=True)
    def partial_update(self, write: Write, series: str) -> Series:
        """Change the tournaments still to be opened. A stopped series runs again."""
        arguments: Any = {"series_id": find_series(write.request, series).pk, "by": write.player}
        with transaction.atomic():
            row, data = actions.lock_own_series(**arguments), write.data
            require_club_chosen(write, data.get("club", row.club))
            settings = change_settings(actions.read_series_settings(row), take_settings(data))
            before = {"weekday": row.weekday, "hour": row.hour, "days_ahead": row.days_ahead}
            weekly = Weekly(**{name: data.get(name, value) for name, value in before.items()})
            return actions.edit_series(settings=settings, weekly=weekly, now=write.now, **arguments)

    @serve(path="stop", scope=Scope.ORGANISE, answer=SeriesSerializer)
    def stop(self, write: Write, series: str) -> Series:
        """Open no more tournaments; the open ones stay."""
        actions.stop_series(series_id=find_series(write.request, series).pk, by=write.player)
        return find_series(write.request, series)

    @serve(path="resume", scope=Scope.ORGANISE, answer=SeriesSerializer)
    def resume(self, write: Write, series: str) -> Series:
        """Run a stopped series again, from its next start on."""
        row = find_series(write.request, series)
        require_club_chosen(write, row.club)
        actions.resume_series(series_id=row.pk, by=write.player, now=write.now)
        return find_series(write.request, series)

    @serve(scope=Scope.ORGANISE)
    def destroy(self, write: Write, series: str) -> None:
        """Delete a series; the tournaments it opened stay."""
        actions.delete_series(series_id=find_series(write.request, series).pk, by=write.player)


def find_series(request: Request, public_id: str) -> Series:
    """Return a series of the reader's own; Http404 for any other."""
    series: Series | None = require_owner(request).series.select_related("club").filter(public_id=public_id).first()
    if series is None:
        raise Http404
    return series
