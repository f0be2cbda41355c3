"""The page that shows the API's document to people (``/api/docs/``): made on the server from what the site serves.

It needs no script and nothing from elsewhere, so that it works under the site's own security policy.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from config.api import REFUSALS
from games.engine.record import Json
from tournaments.formats import FORMATS

METHODS = ("get", "post", "put", "patch", "delete")
SCHEMAS = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class DescribedType:
    """Type of a value in words, and the object it names, to link to."""

    text: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class DescribedField:
    """Field of a body or an answer, or a parameter of an address. ``place``: path, query or header."""

    name: str
    type: DescribedType
    required: bool
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class DescribedOperation:
    """Method of an address, with what it takes and what it gives. ``answers``: by status, without the refusals."""

    key: str
    method: str
    path: str
    text: str
    parameters: tuple[DescribedField, ...]
    body: DescribedType | None
    answers: tuple[tuple[str, DescribedType | None], ...]
    refusals: tuple[str, ...]


@require_safe
def show_document(request: HttpRequest) -> HttpResponse:
    """Show every address of the API, and every object that it takes or gives."""
    document = read_document()
    context = {
        "operations": list(_list_operations(document)),
        "objects": [
            (name, list(_list_fields(schema))) for name, schema in sorted(document["components"]["schemas"].items())
        ],
        "refusals": sorted(REFUSALS.items()),
        "format": next(iter(FORMATS)),
    }
    return render(request, "api/docs.html", context)


@cache
def read_document() -> Json:
    """Return the API's document, made once in a process."""
    document: Json = SchemaGenerator().get_schema(request=None, public=True)
    return document


def _list_operations(document: Json) -> Iterator[DescribedOperation]:
    for path, methods in sorted(document["paths"].items()):
        for method in METHODS:
            if method in methods:
                yield _describe_operation(path, method, methods[method])


def _describe_operation(path: str, method: str, operation: Json) -> DescribedOperation:
    body = operation.get("requestBody")
    answers = operation["responses"]
    return DescribedOperation(
        key=slugify(f"{method} {path.replace('/', ' ')}"),
        method=method.upper(),
        path=path,
        text=operation.get("description", ""),
        parameters=tuple(
            DescribedField(
                row["name"],
                _describe_type(row["schema"]),
                row.get("required", False),
                row.get("description", ""),
                row["in"],
            )
            for row in operation.get("parameters", ())
        ),
        body=None if body is None else _find_content(body),
        answers=tuple((code, _find_content(row)) for code, row in sorted(answers.items()) if code not in REFUSALS),
        refusals=tuple(sorted(code for code in answers if code in REFUSALS)),
    )


def _find_content(row: Json) -> DescribedType | None:
    """Return the type of a body or an answer; None where there is none."""
    content = next(iter(row.get("content", {}).values()), None)
    return None if content is None else _describe_type(content["schema"])


def _list_fields(schema: Json) -> Iterator[DescribedField]:
    required = schema.get("required", ())
    for name, row in schema.get("properties", {}).items():
        yield DescribedField(name, _describe_type(row), name in required, row.get("description", ""))


def _describe_type(schema: Json) -> DescribedType:
    """Return a type in words: names of JSON, codes, and the names of objects."""
    parts = [schema, *schema.get("allOf", ())]
    name = next((part["$ref"].removeprefix(SCHEMAS) for part in parts if "$ref" in part), "")
    if name:
        return DescribedType(name, name)
    choices = [value for value in schema.get("enum", ()) if value is not None]
    if choices:
        return DescribedType(" | ".join(str(value) for value in choices))
    if "oneOf" in schema:
        inner = [_describe_type(row) for row in schema["oneOf"]]
        return DescribedType(" | ".join(row.text for row in inner), next((row.link for row in inner if row.link), ""))
    if schema.get("type") == "array":
        items = _describe_type(schema["items"])
        return DescribedType(f"[{items.text}]", items.link)
    return DescribedType(str(schema.get("format") or schema.get("type", "object")))
