"""Moderation for programs (U2): reports with all that belongs to them, acts, appeals. For the site's staff alone, by a
session or by a key that was made for it."""

from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.access import require_owner
from api.answers import build_page, list_codes
from api.company import CompanionSerializer
from api.refusals import RefusingView
from api.settings_body import list_numbers
from games.models import Report
from games.moderation import actions, hints, queries
from players.api.api_view import Scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_rows
from players.api.problems import ApiRefusal
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from players.models import ModerationAct, Player
from players.services.moderation import DAYS, MAX_REASON_CHARACTERS, ModerationRefused
from players.services.tokens import MODERATION

Kind = ModerationAct.Kind


class ReportSerializer(serializers.ModelSerializer[Report]):
    """Report of somebody at a table."""

    match = serializers.CharField(source="match.public_id", help_text="its public id")
    reason = serializers.ChoiceField(list_codes(value for value in Report.Reason.values if value != Report.Reason.CALL))
    reporter = CompanionSerializer()
    about = CompanionSerializer(allow_null=True, help_text="null: nobody in particular")
    quote = serializers.CharField(help_text="the line of the chat that it is about, or empty")
    closed_by = CompanionSerializer(allow_null=True)

    class Meta:
        model = Report
        fields: tuple[str, ...] = (
            "public_id", "match", "reason", "reporter", "about", "quote", "text", "at", "closed_at", "closed_by",
            "closing_note",
        )  # fmt: skip
        read_only_fields = fields


class ChatMessageSerializer(serializers.Serializer[queries.SaidLine]):
    """Message in the chat."""

    name = serializers.CharField(help_text="who said it, or empty")
    seat = serializers.IntegerField(source="line.seat", allow_null=True, help_text="null: somebody who watches")
    text = serializers.CharField(source="line.text")
    phrase = serializers.CharField(source="line.phrase", help_text="the code of a ready-made one, or empty")
    at = serializers.DateTimeField(source="line.at")


class MeetingsSerializer(serializers.Serializer[hints.Meetings]):
    """Meetings of two in the last matches of the first: a hint, no verdict."""

    name = serializers.CharField()
    other = serializers.CharField()
    matches = serializers.IntegerField()
    together = serializers.IntegerField()
    against = serializers.IntegerField()
    won = serializers.IntegerField(help_text="by the first, of those against each other")


class SharedMarksSerializer(serializers.Serializer[hints.SharedMarks]):
    """Address and browser of two on the day of the match, in common or not: a hint, no verdict."""

    first = serializers.CharField()
    second = serializers.CharField()
    address = serializers.BooleanField()
    browser = serializers.BooleanField()


class TimingSerializer(serializers.Serializer[hints.Timing]):
    """Pauses before a card, with a strong hand and with a weak one: a hint, no verdict."""

    name = serializers.CharField()
    strong = serializers.FloatField(help_text="median, in seconds")
    weak = serializers.FloatField(help_text="median, in seconds")
    strong_count = serializers.IntegerField()
    weak_count = serializers.IntegerField()
    percent = serializers.IntegerField(help_text="of comparisons, those in which the strong hand took longer")


class CaseSerializer(serializers.Serializer[queries.Case]):
    """Report with all that belongs to it."""

    report = ReportSerializer()
    players = CompanionSerializer(many=True, help_text="who sat there, in the order of the seats")
    deals = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="the moves of each deal, in the record's words; of a running one what everybody saw",
    )
    chat = ChatMessageSerializer(many=True)
    others = ReportSerializer(many=True, help_text="further reports about the same match")
    meetings = MeetingsSerializer(many=True)
    shared = SharedMarksSerializer(many=True)
    timings = TimingSerializer(many=True)


class ModerationActSerializer(serializers.ModelSerializer[ModerationAct]):
    """Act of the moderators about somebody, with its appeal and what came of it."""

    player = CompanionSerializer()
    kind = serializers.ChoiceField(list_codes(Kind.values))
    match = serializers.CharField(source="about_match", help_text="its public id, or empty")
    by = CompanionSerializer(allow_null=True)
    answered_by = CompanionSerializer(allow_null=True)
    lifted_by = CompanionSerializer(allow_null=True)

    class Meta:
        model = ModerationAct
        fields = (
            "public_id", "player", "kind", "reason", "match", "by", "at", "until", "read_at", "appeal", "appealed_at",
            "answer", "answered_by", "answered_at", "lifted_by", "lifted_at", "lift_reason",
        )  # fmt: skip
        read_only_fields = fields


class ReportFilters(PageFilters):
    state = serializers.ChoiceField(list_codes(("open", "closed")), required=False)
    about = serializers.CharField(required=False, max_length=12, help_text="the public id of whoever is reported")
    reporter = serializers.CharField(required=False, max_length=12, help_text="the public id of whoever reports")


class ModerationActFilters(PageFilters):
    player = serializers.CharField(required=False, max_length=12, help_text="the public id of whom it is about")
    appeal = serializers.ChoiceField(list_codes(("waiting", "answered")), required=False)


class JudgementBody(StrictSerializer):
    player = serializers.CharField(max_length=12, help_text="their public id")
    kind = serializers.ChoiceField(list_codes(Kind.values))
    days = serializers.ChoiceField(
        list_numbers(DAYS), required=False, allow_null=True, default=None, help_text="of a warning null"
    )
    reason = serializers.CharField(max_length=MAX_REASON_CHARACTERS, help_text="its player reads it")


class ClosingBody(StrictSerializer):
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=MAX_REASON_CHARACTERS)


class AppealAnswerBody(StrictSerializer):
    text = serializers.CharField(max_length=MAX_REASON_CHARACTERS, help_text="its player reads it")
    lift = serializers.BooleanField(required=False, default=False, help_text="whether the act is lifted by it")


class LiftBody(StrictSerializer):
    reason = serializers.CharField(max_length=MAX_REASON_CHARACTERS, help_text="its player reads it")


class ModeratingView(RefusingView, ViewSet):
    """View for the site's staff."""

    lookup_value_regex = PUBLIC_ID

    def require_moderator(self, request: Request) -> Player:
        """Return the moderator who asks. ApiRefusal for a key that wasn't made for it, and for everybody else."""
        player = require_owner(request, MODERATION)
        if not player.user.is_staff:
            raise ModerationRefused("not_staff")
        return player


class ReportViewSet(ModeratingView):
    """Reports from tables, the latest first. Calls for the referee are none."""

    lookup_field = "report"
    filters = {"list": ReportFilters}

    @extend_schema(
        operation_id="moderation_reports_list", parameters=[ReportFilters], responses=build_page(ReportSerializer)
    )
    def list(self, request: Request) -> Response:
        """List the reports (a session of the staff, or a key with the scope *organise* made for moderation)."""
        rows, wanted = queries.list_reports(self.require_moderator(request)), self.query
        if "state" in wanted:
            rows = rows.filter(closed_at__isnull=wanted["state"] == "open")
        rows = rows.filter(**{f"{name}__public_id": wanted[name] for name in ("about", "reporter") if name in wanted})
        page, key = cut_rows(rows, wanted)
        return answer_page(request, ReportSerializer, page, key)

    @extend_schema(operation_id="moderation_reports_retrieve", responses=CaseSerializer)
    def retrieve(self, request: Request, report: str) -> Response:
        """A report with the moves, the whole chat, and the hints of U3. There is none for whoever is a party to it."""
        moderator, row, now = self.require_moderator(request), _find_report(report), timezone.now()
        if not queries.may_read_case(row, moderator, now):
            raise Http404
        return Response(CaseSerializer(queries.open_case(row, moderator, now)).data)

    @serve(path="judge", scope=Scope.ORGANISE, body=JudgementBody, answer=ModerationActSerializer, status=201)
    def judge(self, write: Write, report: str) -> ModerationAct:
        """Warn, mute or suspend somebody of the reported match."""
        by, row = self.require_moderator(write.request), _find_report(report)
        data = _find_judged(write.data)
        return actions.judge_report(report_id=row.pk, by=by, now=write.now, **data)

    @serve(path="close", scope=Scope.ORGANISE, body=ClosingBody, answer=ReportSerializer)
    def close(self, write: Write, report: str) -> Report:
        """Close a report."""
        by, row = self.require_moderator(write.request), _find_report(report)
        actions.close_report(report_id=row.pk, by=by, note=write.data["note"], now=write.now)
        return _find_report(report)


class ModerationActViewSet(ModeratingView):
    """Acts of the moderators, the latest first."""

    lookup_field = "act"
    filters = {"list": ModerationActFilters}

    @extend_schema(
        operation_id="moderation_acts_list",
        parameters=[ModerationActFilters],
        responses=build_page(ModerationActSerializer),
    )
    def list(self, request: Request) -> Response:
        """List the acts (a session of the staff, or a key with the scope *organise* made for moderation)."""
        self.require_moderator(request)
        rows, wanted = queries.list_acts(), self.query
        if "player" in wanted:
            rows = rows.filter(player__public_id=wanted["player"])
        if "appeal" in wanted:
            rows = rows.filter(appealed_at__isnull=False, answered_at__isnull=wanted["appeal"] == "waiting")
        page, key = cut_rows(rows, wanted)
        return answer_page(request, ModerationActSerializer, page, key)

    @extend_schema(operation_id="moderation_acts_retrieve", responses=ModerationActSerializer)
    def retrieve(self, request: Request, act: str) -> Response:
        """An act with its appeal."""
        self.require_moderator(request)
        return Response(ModerationActSerializer(_find_act(act)).data)

    @serve(scope=Scope.ORGANISE, body=JudgementBody, answer=ModerationActSerializer, status=201)
    def create(self, write: Write) -> ModerationAct:
        """Warn, mute or suspend somebody, without a report."""
        by = self.require_moderator(write.request)
        return actions.judge_person(by=by, now=write.now, **_find_judged(write.data))

    @serve(path="answer", scope=Scope.ORGANISE, body=AppealAnswerBody, answer=ModerationActSerializer)
    def answer(self, write: Write, act: str) -> ModerationAct:
        """Answer the appeal, once, and lift the act or leave it."""
        by, row, data = self.require_moderator(write.request), _find_act(act), write.data
        actions.answer_decision(act=row, by=by, text=data["text"], lift=data["lift"], now=write.now)
        return _find_act(act)

    @serve(path="lift", scope=Scope.ORGANISE, body=LiftBody, answer=ModerationActSerializer)
    def lift(self, write: Write, act: str) -> ModerationAct:
        """Lift an act."""
        by, row = self.require_moderator(write.request), _find_act(act)
        actions.lift_decision(act=row, by=by, reason=write.data["reason"], now=write.now)
        return _find_act(act)


def _find_report(public_id: str) -> Report:
    report = queries.find_report(public_id)
    if report is None:
        raise Http404
    return report


def _find_act(public_id: str) -> ModerationAct:
    act = queries.list_acts().filter(public_id=public_id).first()
    if act is None:
        raise Http404
    return act


def _find_judged(data: Any) -> Any:
    """Return the body of a judgement with its player. ApiRefusal for an id that is nobody's."""
    player = Player.objects.select_related("user").filter(public_id=data["player"]).first()
    if player is None:
        raise ApiRefusal(404, "player_unknown", _("Questo giocatore non c'è."))
    return {**data, "player": player}
