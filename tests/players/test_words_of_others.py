"""Words Django writes for us: in the reader's language, and as that language writes them."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import timezone, translation

from players.templatetags.dates import when


@pytest.mark.parametrize(("language", "short"), [("it", "La password è troppo corta"), ("en", "The password is too")])
def test_a_refused_password_is_refused_in_the_readers_language(language: str, short: str) -> None:
    with translation.override(language), pytest.raises(ValidationError) as caught:
        validate_password("1234")
    assert caught.value.messages[0].startswith(short)
    assert any("numeri" in message for message in caught.value.messages[1:])  # interamente numerica, entirely numeric
    assert any("8" in message for message in caught.value.messages)


def test_italian_writes_days_and_months_small_and_english_capital() -> None:
    moment = datetime(2026, 11, 21, 13, 5, tzinfo=UTC)
    with timezone.override("Europe/Rome"):
        with translation.override("it"):
            assert when(moment, "l j F Y, H:i") == "sabato 21 novembre 2026, 14:05"
        with translation.override("en"):
            assert when(moment, "l j F Y, H:i") == "Saturday 21 November 2026, 14:05"
    assert when(None, "j F") == ""
