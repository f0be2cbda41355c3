"""Previews of a referee's acts for programs (F5): the act itself, carried out and rolled back.

Whatever it would be refused for is refused here.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers

from api.acts import find_organised
from api.answers import EntrySerializer, list_codes
from api.log import ResultSerializer
from players.api.api_view import ApiView, Scope
from players.api.bodies import StrictSerializer
from players.api.writes import Write, serve
from tournaments.desk.rehearsal import Consequences, FixtureChange, StandingChange, rehearse

Standing = tuple[int | None, int, int]  # rank, VP and MP


class FixtureChangeSerializer(serializers.Serializer[FixtureChange]):
    fixture = serializers.SerializerMethodField(help_text="by round and board, `2-5`")
    first = EntrySerializer(allow_null=True)
    second = EntrySerializer(allow_null=True)
    before = ResultSerializer()
    after = ResultSerializer()

    def get_fixture(self, change: FixtureChange) -> str:
        return f"{change.fixture.round.number}-{change.fixture.board}"


class StoredStandingSerializer(serializers.Serializer[Standing]):
    overall = serializers.IntegerField(allow_null=True, help_text="the rank over all entries")
    vp = serializers.IntegerField()
    mp = serializers.IntegerField()

    def to_representation(self, standing: Standing) -> dict[str, int | None]:
        return dict(zip(("overall", "vp", "mp"), standing, strict=True))


class StandingChangeSerializer(serializers.Serializer[StandingChange]):
    entry = EntrySerializer()
    before = StoredStandingSerializer()
    after = StoredStandingSerializer()


class ConsequencesSerializer(serializers.Serializer[Consequences]):
    results = FixtureChangeSerializer(many=True, help_text="other results that it changes or annuls")
    pairings = FixtureChangeSerializer(many=True, help_text="that it makes or changes")
    closed = FixtureChangeSerializer(many=True, help_text="whose tables it closes")
    standings = StandingChangeSerializer(many=True)
    recipients = serializers.IntegerField(help_text="how many people are told")
    asked = serializers.BooleanField(help_text="somebody has to accept first: until then nothing changes")
    stays = serializers.ListField(
        child=serializers.CharField(), help_text="codes of what it doesn't undo: notices, pairings, prints, prizes"
    )
    stuck = serializers.IntegerField(allow_null=True, help_text="the round that can't be paired any more after it")
    ends = serializers.BooleanField(help_text="the tournament is over by it")


NO_CONSEQUENCES: dict[str, Any] = {
    "results": [], "pairings": [], "closed": [], "standings": [], "recipients": 0, "asked": False, "stays": [],
    "stuck": None, "ends": False,
}  # fmt: skip
ANNA = {
    "id": 12, "name": "Anna", "people": ["Anna"],
    "persons": [{"name": "Anna", "club": "", "player": "k3m9x2v7q1", "card": None}], "team": "",
    "seed": 1, "group": None, "side": "", "tie": None, "house": False,
    "guest": False, "confirmed": True, "checked_in": True, "withdrawn": False,
}  # fmt: skip


def build_previews(
    about: str,
    acts: Mapping[str, tuple[str, type[StrictSerializer]]],
    example: tuple[str, Mapping[str, Any]],
    *,
    path: str = "preview",
    detail: bool = True,
) -> Any:
    """Return the act that previews these: a view's methods with their bodies, by the last words of their addresses.

    ``about``: what they are about, for the document; ``example``: one of the acts with a body of it; ``path``: of the
    preview, below one thing (``detail``) or all.
    """
    fields = {
        "act": serializers.ChoiceField(list_codes(acts), help_text="the last word of its address"),
        "body": serializers.DictField(
            required=False,
            default=dict,
            help_text="what would be sent to that address: "
            + "; ".join(f"`{act}` {_describe_body(kind)}" for act, (_method, kind) in acts.items()),
        ),
    }
    preview_body = type(f"{about}PreviewBody", (StrictSerializer,), fields)

    act, body = example
    change = {"overall": 1, "vp": 18, "mp": 2}, {"overall": 3, "vp": 2, "mp": 0}
    standing = {"entry": ANNA, "before": change[0], "after": change[1]}
    answer = {**NO_CONSEQUENCES, "standings": [standing], "recipients": 6, "stays": ["notices"]}

    examples = [
        OpenApiExample(f"what {act} would do", value={"act": act, "body": body}, request_only=True),
        OpenApiExample("its consequences", value=answer, response_only=True, status_codes=["200"]),
    ]

    def preview(self: ApiView, write: Write, public_id: str, **place: str) -> Consequences:
        """Tell what an act would do, without doing it."""
        tournament, (name, kind) = find_organised(write, public_id), acts[write.data["act"]]
        form = kind(data=write.data["body"])
        if not form.is_valid():
            raise serializers.ValidationError({"body": form.errors})
        work, inner = getattr(type(self), name).__wrapped__, replace(write, data=form.validated_data)

        def carry_out() -> bool:
            return getattr(work(self, inner, public_id=public_id, **place), "done", True)

        return rehearse(tournament, write.player, carry_out)

    preview.__name__ = path.replace("/", "_")  # as the view has to name it
    served = serve(path=path, detail=detail, scope=Scope.ORGANISE, body=preview_body, answer=ConsequencesSerializer)
    return extend_schema(examples=examples)(served(preview))


def _describe_body(kind: type[StrictSerializer]) -> str:
    """Return the names of a body's fields, those that may be missing in brackets."""
    names = [name if field.required else f"[{name}]" for name, field in kind().fields.items()]
    return ", ".join(names)
