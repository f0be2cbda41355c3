"""The root of the API: it names every address below it, where Django REST framework's own knows only the lists."""

from typing import Any

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter
from rest_framework.schemas.generators import EndpointEnumerator
from rest_framework.views import APIView


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
