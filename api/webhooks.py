"""An organiser's webhooks for programs (W5-W7): made, tried, put on again, deleted; and what became of each event.

By a key made for what is the organiser's own. The secret is told once, to whoever makes the webhook or changes it.
"""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from api.access import require_owner
from api.answers import build_page, list_codes
from api.refusals import RefusingView
from players.api.api_view import Scope
from players.api.bodies import PageFilters, StrictSerializer, answer_page, cut_rows
from players.api.writes import Write, serve
from players.converters import PUBLIC_ID
from players.outgoing import OutgoingRefused, check_address
from tournaments.models import Webhook, WebhookDelivery
from tournaments.webhooks import actions, wording
from tournaments.webhooks.outbox import Event

TOLD = ("public_id", "url", "since", "off_at", "failures", "failing_since", "rests_until", "old_secret_until")


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    class Meta:
        model = Webhook
        fields = TOLD
        read_only_fields = fields


class SecretWebhookSerializer(serializers.ModelSerializer[Webhook]):
    class Meta:
        model = Webhook
        fields = (*TOLD, "secret")
        read_only_fields = fields


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    type = serializers.ChoiceField(list_codes(Event), source="kind")
    error = serializers.CharField(help_text="the code of why there was no answer; empty where there was one")

    class Meta:
        model = WebhookDelivery
        fields = ("event_id", "type", "data", "at", "due_at", "attempts", "delivered_at", "status", "error")
        read_only_fields = fields


class WebhookBody(StrictSerializer):
    url = serializers.CharField(max_length=Webhook._meta.get_field("url").max_length)

    def validate_url(self, url: str) -> str:
        try:
            check_address(url)
        except OutgoingRefused as refused:
            raise serializers.ValidationError(wording.describe_error(refused.code), refused.code) from None
        return url


class WebhookViewSet(RefusingView, GenericViewSet[Webhook]):
    """Webhooks of the key's owner."""

    queryset = Webhook.objects.none()
    pagination_class = None
    lookup_field = "webhook"
    lookup_value_regex = PUBLIC_ID
    filters = {"deliveries": PageFilters}

    @extend_schema(responses=WebhookSerializer(many=True))
    def list(self, request: Request) -> Response:
        rows: Any = require_owner(request).webhooks.order_by("pk")
        return Response(WebhookSerializer(rows, many=True).data)

    @extend_schema(responses=WebhookSerializer)
    def retrieve(self, request: Request, webhook: str) -> Response:
        return Response(WebhookSerializer(find_webhook(request, webhook)).data)

    @extend_schema(parameters=[PageFilters], responses=build_page(DeliverySerializer))
    @action(detail=True)
    def deliveries(self, request: Request, webhook: str) -> Response:
        """The log of a webhook: each event with its attempts and its last answer, the latest first."""
        page, key = cut_rows(find_webhook(request, webhook).deliveries.all(), self.query)
        return answer_page(request, DeliverySerializer, page, key)

    @serve(scope=Scope.ORGANISE, body=WebhookBody, answer=SecretWebhookSerializer, status=201)
    def create(self, write: Write) -> Webhook:
        """Make a webhook of an address; this answer alone has the secret that signs."""
        owner = require_owner(write.request)
        return actions.create_webhook(owner=owner, url=write.data["url"], now=write.now)

    @serve(path="test", scope=Scope.ORGANISE, answer=WebhookSerializer)
    def try_out(self, write: Write, webhook: str) -> Webhook:
        """Send an event that tells nothing."""
        row = find_webhook(write.request, webhook)
        actions.try_webhook(webhook_id=row.pk, by=write.player, now=write.now)
        return find_webhook(write.request, webhook)

    @serve(path="secret", scope=Scope.ORGANISE, answer=SecretWebhookSerializer)
    def change_secret(self, write: Write, webhook: str) -> Webhook:
        """Make a new secret; for a day the one before it signs too."""
        row = find_webhook(write.request, webhook)
        actions.change_secret(webhook_id=row.pk, by=write.player, now=write.now)
        return find_webhook(write.request, webhook)

    @serve(path="on", scope=Scope.ORGANISE, answer=WebhookSerializer)
    def put_on(self, write: Write, webhook: str) -> Webhook:
        """Put a webhook on again that went off."""
        row = find_webhook(write.request, webhook)
        actions.put_webhook_on(webhook_id=row.pk, by=write.player, now=write.now)
        return find_webhook(write.request, webhook)

    @serve(scope=Scope.ORGANISE)
    def destroy(self, write: Write, webhook: str) -> None:
        """Delete a webhook with what is on its way."""
        actions.delete_webhook(webhook_id=find_webhook(write.request, webhook).pk, by=write.player)


def find_webhook(request: Request, public_id: str) -> Webhook:
    """Return a webhook of the reader's own; Http404 for any other."""
    webhook: Webhook | None = require_owner(request).webhooks.filter(public_id=public_id).first()
    if webhook is None:
        raise Http404
    return webhook
