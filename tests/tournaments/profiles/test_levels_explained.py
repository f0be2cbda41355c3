"""A number with a question mark is explained on every page on which a reader may first meet one (L5)."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from tests.support.html import read_hooks
from tests.support.levels import settle_match
from tests.support.lobby import open_free_table
from tests.support.rankings import make_rankings


@pytest.mark.django_db
@pytest.mark.rule("L5")
def test_levels_are_explained_where_they_stand(anna: Player, bruno: Player) -> None:
    now = timezone.now()
    settle_match([anna, bruno], now)
    make_rankings(now)
    table = open_free_table(anna, now, ruleset="scopa", players=2)
    for address in (
        reverse("person", args=[anna.public_id]),
        reverse("free-table", args=[table.public_id]),
        f"{reverse('rankings')}?gioco=scopa&forma=alone&classifica=level",
    ):
        page = Client().get(address).content.decode()
        assert "1500?" in page, "the example"
        assert "levels_explained" in read_hooks(page, "note"), address
