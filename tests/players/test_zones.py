"""Time zones in words: their places in the reader's language, each once in the list one chooses from."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from players.models import Player, User
from players.selectors import list_time_zones
from players.zones import NAMES, group_time_zones, name_zone
from tests import zone_names
from tests.support.html import read_attribute


@pytest.mark.parametrize(
    ("zone", "italian", "english"),
    [
        ("Europe/Rome", "Roma", "Rome"),
        ("America/New_York", "New York", "New York"),
        ("Asia/Calcutta", "Kolkata", "Kolkata"),  # as many browsers still call it
        ("America/Argentina/Buenos_Aires", "Argentina – Buenos Aires", "Argentina – Buenos Aires"),
        ("Nowhere/Old_Town", "Old Town", "Old Town"),
        ("", "", ""),
    ],
)
def test_a_zone_is_named_after_its_place_in_the_readers_language(zone: str, italian: str, english: str) -> None:
    named = []
    for language in ("it", "en"):
        with translation.override(language):
            named.append(name_zone(zone))
    assert named == [italian, english]


def test_the_names_are_those_of_babel_in_every_language_of_the_site() -> None:
    """Red where Babel names something otherwise since: `make messages` writes them anew."""
    assert NAMES.read_text(encoding="utf-8") == zone_names.write_names(zone_names.build_names())


JANUARY = datetime(2026, 1, 15)


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_place_is_listed_once_after_the_sites_and_the_readers(language: str) -> None:
    with translation.override(language), timezone.override("Asia/Tokyo"):
        choices = group_time_zones("America/New_York")
    assert [zone for zone, _place in choices[:3]] == ["Europe/Rome", "Asia/Tokyo", "America/New_York"]
    alone = [choice for choice in choices if isinstance(choice[1], str)]
    listed = alone + [pair for _country, group in choices if isinstance(group, list) for pair in group]
    for values in map(list, zip(*listed, strict=True)):
        assert len(values) == len(set(values))
    named = {zone for zone, _place in listed}
    assert named <= list_time_zones()
    assert "UTC" in named
    clocks = {zone: ZoneInfo(zone).utcoffset(JANUARY) for zone in list_time_zones()}
    assert set(clocks.values()) == {clocks[zone] for zone in named}, "no hour is left out"
    for _country, group in choices:
        places = [place for _zone, place in group] if isinstance(group, list) else []
        assert len(set(map(str.casefold, places))) == len(places)


@pytest.mark.parametrize(
    ("language", "alone", "country", "place"),
    [
        ("it", ("Asia/Tokyo", "Giappone (Tokyo)"), "Spagna", ("Atlantic/Canary", "Canarie")),
        ("en", ("Asia/Tokyo", "Japan (Tokyo)"), "Spain", ("Atlantic/Canary", "Canary")),
    ],
)
def test_zones_stand_by_country_in_the_readers_language(
    language: str, alone: tuple[str, str], country: str, place: tuple[str, str]
) -> None:
    with translation.override(language), timezone.override("Europe/Rome"):
        choices = group_time_zones()
    groups = {name: group for name, group in choices if isinstance(group, list)}
    assert alone in choices
    assert place in groups[country]
    assert ("America/Argentina/Salta", "Salta") in groups["Argentina"]
    assert all(len(group) > 1 for group in groups.values())
    *countries, rest = groups
    assert ("UTC", "UTC") in groups[rest]
    assert countries == sorted(countries)


@pytest.mark.django_db
def test_who_has_a_zone_under_its_old_name_keeps_it(client: Client, anna: Player) -> None:
    User.objects.filter(pk=anna.user_id).update(time_zone="Asia/Calcutta")
    client.force_login(anna.user)
    page = client.get(reverse("preferences")).content.decode()
    assert read_attribute(page, "value", "option").count("Asia/Calcutta") == 1
    assert client.post(reverse("preferences"), {"language": "", "time_zone": "Asia/Calcutta"}).status_code == 302
    client.cookies["timezone"] = "America/Buenos_Aires"
    page = client.get(reverse("tournament-new")).content.decode()
    assert "Asia/Calcutta" in read_attribute(page, "value", "option")
