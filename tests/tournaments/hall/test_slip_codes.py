"""Codes of score slips: what is kept of one is the same in every version of the site, for codes stand on paper (O4)."""

import pytest
from django.test import override_settings

from tournaments.hall.slip_codes import compute_code_digest
from tournaments.models import Tournament


@pytest.mark.rule("O4")
def test_a_code_that_is_printed_stays_good_whatever_the_code_of_the_site_becomes() -> None:
    with override_settings(SECRET_KEY="prima"):
        digest = compute_code_digest(Tournament(pk=7), "ab-c d")
    assert digest == "232be158197b84b17d96eba6cd4fa3b0abab08ead6ef544f28354d6cb455a66c"
