"""Names of time zones in the reader's language, and the list one chooses from.

Places and countries are named as Babel names them, in ``zone_names.json``, which ``make messages`` writes: Babel itself
is 33 MB and not installed with the site. A zone that isn't there is called by the end of its name, and has no country.
"""

import functools
import json
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.selectors import list_time_zones

Choices = list[tuple[str, str]]
NAMES = Path(__file__).with_name("zone_names.json")


def name_zone(zone: str) -> str:
    """Return the place of a time zone in the reader's language: "Europe/Rome" is Roma."""
    return _name_place(zone, _read_language())


def group_time_zones(held: str = "") -> list[tuple[str, str] | tuple[str, Choices]]:
    """Return the zones to choose from: the site's, the reader's and the one ``held``, then the others by country.

    A country of several zones is a group of them; one of a single zone is a choice like "Giappone (Tokyo)".
    """
    nearest = (settings.TIME_ZONE, timezone.get_current_timezone_name(), held)
    ahead = [zone for zone in dict.fromkeys(nearest) if zone in list_time_zones()]
    language = _read_language()
    choices: list[tuple[str, str] | tuple[str, Choices]] = []
    choices += [(zone, _name_with_country(zone, language)) for zone in ahead]
    for country, places in _list_countries(language):
        others = [(zone, place) for zone, place in places if zone not in ahead]
        if len(places) == 1 and country:
            choices += [(zone, _name_with_country(zone, language)) for zone, _place in others]
        elif others:
            choices.append((country or _("Altri"), others))
    return choices


def _read_language() -> str:
    return get_language() or settings.LANGUAGE_CODE


@functools.cache
def _read_names() -> Mapping[str, Mapping[str, Any]]:
    """Return the file: by language each zone's country and place; under "renamed" the new names of old ones."""
    names: Mapping[str, Mapping[str, Any]] = json.loads(NAMES.read_text(encoding="utf-8"))
    return names


def _find_names(zone: str, language: str) -> tuple[str, str]:
    """Return the country and the place of a time zone in that language; no country for UTC and what isn't there."""
    country, place = _read_names().get(language, {}).get(zone) or ("", zone.rpartition("/")[2].replace("_", " "))
    return country, place


def _name_place(zone: str, language: str) -> str:
    return _find_names(zone, language)[1]


def _name_country(zone: str, language: str) -> str:
    return _find_names(zone, language)[0]


def _name_in_country(zone: str, language: str) -> str:
    """Return the place without the country before it: "Argentina – Salta" is Salta."""
    return _name_place(zone, language).removeprefix(f"{_name_country(zone, language)} – ")


@functools.cache
def _name_with_country(zone: str, language: str) -> str:
    country, place = _name_country(zone, language), _name_in_country(zone, language)
    return f"{country} ({place})" if country and country != place else place


def _order(name: str) -> str:
    return unicodedata.normalize("NFKD", name).casefold()


@functools.cache
def _list_countries(language: str) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return each country with its zones and their places, by the alphabet; those of no country at the end.

    Each place is there once, where two names of a zone are in use.
    """
    zones, renamed = list_time_zones(), _read_names()["renamed"]
    countries: dict[str, list[tuple[str, str]]] = {}
    for zone in zones:
        if renamed.get(zone) not in zones:
            places = countries.setdefault(_name_country(zone, language), [])
            places.append((zone, _name_in_country(zone, language)))
    return tuple(
        (country, tuple(sorted(countries[country], key=lambda choice: _order(choice[1]))))
        for country in sorted(countries, key=lambda name: (not name, _order(name)))
    )
