"""Refusals of tournaments, clubs, circuits, registers, webhooks and moderation as the API answers them: their codes,
each with a status."""

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from datetime import timedelta
from typing import Any

from rest_framework.response import Response

from players.api.api_view import ApiView
from players.api.problems import ApiRefusal
from players.services.moderation import ModerationRefused
from players.wording import describe_moderation_refusal
from tournaments.circuits import wording as circuits
from tournaments.circuits.errors import CircuitError
from tournaments.clubs import wording as clubs
from tournaments.clubs.actions import ClubError
from tournaments.core.errors import TournamentError
from tournaments.core.refusals import describe_refusal
from tournaments.register import wording as register
from tournaments.register.errors import RegisterError
from tournaments.webhooks import wording as webhooks
from tournaments.webhooks.actions import WebhookError

# By the code: who asks may not, what is named isn't there, too often. All else is refused as things stand (409).
FORBIDDEN = {
    "not_organiser", "not_referee", "not_of_club", "not_a_member", "not_admin", "plays_there", "plays_against",
    "not_series", "account_needed", "guests_not_allowed", "link_needed", "code_needed", "code_wrong", "list_only",
    "not_keeper", "not_yours", "suspended", "not_staff", "own_case", "on_staff", "not_oneself",
}  # fmt: skip
MISSING = {
    "no_such_fixture", "no_such_entry", "entry_gone", "invitation_gone", "not_in", "no_referee", "no_card", "no_name",
    "no_such_webhook", "no_such_ban", "no_such_bye", "no_such_call", "table_gone", "act_gone",
}  # fmt: skip
OFTEN = {"too_many_codes", "too_many_asked", "file_busy"}


class RefusingView(ApiView):
    """View whose services refuse by codes."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, TournamentError):
            exc = make_refusal(exc.code, exc.values, describe_refusal(exc.code, exc.values))
        elif isinstance(exc, ClubError):
            exc = make_refusal(exc.code, exc.values, clubs.describe_refusal(exc.code, exc.values))
        elif isinstance(exc, CircuitError):
            exc = make_refusal(exc.code, exc.values, circuits.describe_refusal(exc.code, exc.values))
        elif isinstance(exc, RegisterError):
            exc = make_refusal(exc.code, exc.values, register.describe_refusal(exc.code, exc.values))
        elif isinstance(exc, ModerationRefused):
            exc = make_refusal(exc.code, {}, describe_moderation_refusal(exc.code))
        elif isinstance(exc, WebhookError):
            exc = make_refusal(exc.code, exc.values, webhooks.describe_refusal(exc.code, exc.values))
        return super().handle_exception(exc)


def make_refusal(code: str, values: Mapping[str, Any], detail: str) -> ApiRefusal:
    """Return the answer to a refusal of a service."""
    wait = values.get("wait")
    status = 403 if code in FORBIDDEN else 404 if code in MISSING else 429 if wait or code in OFTEN else 409
    plain = json.loads(json.dumps({name: value for name, value in values.items() if name != "wait"}, default=_encode))
    return ApiRefusal(status, code, detail, wait if isinstance(wait, timedelta) else None, **plain)


def _encode(value: Any) -> Any:
    """Return what JSON can hold of a value that a refusal names."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return list(value) if isinstance(value, range | set | frozenset) else str(value)
