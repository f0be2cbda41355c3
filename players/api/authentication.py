"""Programs prove who they are by a key in the header ``Authorization: Bearer <key>``; a wrong one is 401 everywhere."""

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players.models import AccessToken, User
from players.services.tokens import find_token


class TokenAuthentication(BaseAuthentication):
    """Authentication by an access token; without the header whoever comes next looks."""

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        kind, _space, text = get_authorization_header(request).decode("latin-1").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = find_token(text.strip(), timezone.now())
        if token is None:
            raise AuthenticationFailed(_("Questa chiave non vale: è scaduta, tolta o scritta male."), "token_invalid")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class TokenScheme(OpenApiAuthenticationExtension):
    """The key as the document describes it."""

    target_class = "players.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A key made at /profilo/chiavi/."}
