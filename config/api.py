"""The API's root, which names every address below it, and what its document says of every operation alike."""

from typing import Any

from django.urls import reverse
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter
from rest_framework.schemas.generators import EndpointEnumerator

from games.engine.record import Json
from players.api.api_view import ApiView
from players.api.problems import CONTENT_TYPE

WRITES = ("post", "put", "patch", "delete")
PROBLEM = {
    "type": "object",
    "description": "What is wrong (RFC 9457). Programs read `code` and `errors`; `detail` is for people.",
    "required": ["type", "title", "status", "code", "detail"],
    "additionalProperties": False,
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "values": {"type": "object", "description": "what the sentence names: codes and numbers"},
        "errors": {
            "type": "array",
            "description": "fields and filters that won't do",
            "items": {
                "type": "object",
                "required": ["field", "code", "detail"],
                "properties": {name: {"type": "string"} for name in ("field", "code", "detail")},
            },
        },
    },
}
LEFT = {
    "RateLimit-Limit": "requests in a window",
    "RateLimit-Remaining": "requests left in this one",
    "RateLimit-Reset": "seconds until there are more",
}
REFUSALS = {
    "400": "A field or a filter that isn't known or won't do: `errors` names each.",
    "401": "A key that doesn't hold, or none where one is needed.",
    "403": "The key wasn't made for this, or its player may not do it.",
    "404": "Nothing here that this reader may know of.",
    "405": "Not with this method.",
    "406": "Not in this form: the API speaks JSON.",
    "409": "Refused as things stand, by the rule that `code` names; or an `Idempotency-Key` sent with another body.",
    "413": "Too long.",
    "415": "Not in this form: the API reads JSON.",
    "429": "Too many requests: `Retry-After` says for how many seconds to wait.",
    "500": "A fault of ours, which the site's log has.",
    "503": "Busy; nothing was changed, and it may be tried again.",
}
OF_WRITES = ("409", "413", "415")


def describe_refusals(result: Json, **_: Any) -> Json:
    """Add to every operation of the document the answers that any may give: its hook after the rest is made."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    result["components"]["headers"] = {
        name: {"description": text, "schema": {"type": "integer"}} for name, text in LEFT.items()
    }
    result["components"]["responses"] = {
        f"Problem{status}": {"description": text, "content": content} for status, text in REFUSALS.items()
    }
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in LEFT}
    for path, operations in result.get("paths", {}).items():
        for method, operation in operations.items():
            for answer in operation["responses"].values():
                answer["headers"] = headers
            for status in REFUSALS:
                reads = method not in WRITES  # a write's body, too, may name somebody who isn't there
                foreign = reads and (status in OF_WRITES or (status == "404" and "{" not in path))
                if status in operation["responses"] or not foreign:
                    operation["responses"][status] = {"$ref": f"#/components/responses/Problem{status}"}
    return result


class SchemaView(SpectacularAPIView):
    """The document itself, in YAML or JSON; refusals are JSON, as everywhere."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        if getattr(response, "exception", False):
            request.accepted_renderer = JSONRenderer()
            request.accepted_media_type = JSONRenderer.media_type
            response["Cache-Control"] = "no-store"
        answer: Response = super().finalize_response(request, response, *args, **kwargs)
        return answer


class Root(ApiView):
    """Every address by its path, with {public_id} where an id stands; and the schema that describes them."""

    schema = None  # not part of what it describes
    paths: tuple[str, ...] = ()

    def get(self, request: Request) -> Response:
        root = request.build_absolute_uri(request.path)
        addresses = {path.strip("/"): root + path for path in self.paths}
        return Response({**addresses, "schema": request.build_absolute_uri(reverse("api-schema"))})


class Api(DefaultRouter):
    """The API's addresses, collected from the apps."""

    include_format_suffixes = False

    def get_api_root_view(self, api_urls: Any = None) -> Any:
        enumerator = EndpointEnumerator(patterns=[])
        paths = dict.fromkeys(enumerator.get_path_from_regex(str(url.pattern)).lstrip("/") for url in api_urls)
        return Root.as_view(paths=tuple(paths))
