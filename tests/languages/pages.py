"""Pages read in the brackets language."""

import re

from django.http import HttpResponse

from tests.languages import pseudo


def read_body(answer: HttpResponse) -> str:
    return answer.content.decode()


def read_raw(answer: HttpResponse, names: set[str]) -> set[str]:
    page = read_body(answer)
    assert re.search(f'<html lang="{pseudo.CODE}"[ >]', page)
    return pseudo.read(page, names)[0]


def has_errors(answer: HttpResponse) -> bool:
    """Return whether the page shows an error."""
    return re.search(r'class="(error|form-error)"', read_body(answer)) is not None
