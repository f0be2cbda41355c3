"""The root of the API: it names every address below it, where Django REST framework's own knows only the lists."""

from datetime import timedelta
from typing import Any

from django.urls import reverse
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter
from rest_framework.schemas.generators import EndpointEnumerator
from rest_framework.views import APIView, exception_handler

from games.engine.record import Json
from players.wording import describe_throttling


def answer_refusal(error: Exception, context: Json) -> Response | None:
    """Answer as Django REST framework does, with the refusal's code beside its sentence: its handler of exceptions."""
    answer = exception_handler(error, context)
    if answer is None or not isinstance(answer.data, dict) or "detail" not in answer.data:
        return answer
    code = getattr(answer.data["detail"], "code", "error")
    wait = getattr(error, "wait", None)
    if isinstance(error, Throttled) and wait is not None:
        answer.data["detail"] = describe_throttling(timedelta(seconds=wait))
    answer.data["code"] = code
    return answer


def describe_refusals(result: Json, **_: Any) -> Json:
    """Add to every operation of the schema the answer to too many requests: its hook after the rest is made."""
    answer = {"description": "Too many requests: ``Retry-After`` says for how many seconds to wait."}
    for operations in result.get("paths", {}).values():
        for operation in operations.values():
            operation["responses"].setdefault("429", answer)
    return result


class Root(APIView):
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
        return Root.as_view(
            paths=tuple(enumerator.get_path_from_regex(str(url.pattern)).lstrip("/") for url in api_urls)
        )
