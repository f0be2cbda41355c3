"""Names of time zones in the reader's language, and the list one chooses from. Places are named as Babel names them."""

import functools
import unicodedata

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import get_timezone_location
from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.selectors import list_time_zones

Choices = list[tuple[str, str]]


def name_zone(zone: str) -> str:
    """Return the place of a time zone in the reader's language: "Europe/Rome" is Roma."""
    return _name_place(zone, get_language() or settings.LANGUAGE_CODE)


@functools.cache
def _name_place(zone: str, language: str) -> str:
    try:
        place: str = get_timezone_location(zone, locale=Locale.parse(language, sep="-"), return_city=True)
    except (LookupError, ValueError, UnknownLocaleError):
        place = zone.rpartition("/")[2].replace("_", " ")
    return place.replace("/", " – ")


@functools.cache
def _list_places(language: str) -> tuple[tuple[str, str], ...]:
    """Return every zone and its place, by the alphabet; each place once, where two names of a zone are in use."""
    zones, renamed = list_time_zones(), get_global("zone_aliases")
    places = ((zone, _name_place(zone, language)) for zone in zones if renamed.get(zone) not in zones)
    return tuple(sorted(places, key=lambda choice: unicodedata.normalize("NFKD", choice[1]).casefold()))


def _name_regions() -> dict[str, str]:
    return {
        "Europe": _("Europa"),
        "Africa": _("Africa"),
        "America": _("America"),
        "Antarctica": _("Antartide"),
        "Asia": _("Asia"),
        "Atlantic": _("Oceano Atlantico"),
        "Australia": _("Australia"),
        "Indian": _("Oceano Indiano"),
        "Pacific": _("Oceano Pacifico"),
        "UTC": "UTC",
    }


def group_time_zones(held: str = "") -> list[tuple[str, str] | tuple[str, Choices]]:
    """Return the zones to choose from: the site's, the reader's and the one ``held``, then the others by region."""
    nearest = (settings.TIME_ZONE, timezone.get_current_timezone_name(), held)
    ahead = [zone for zone in dict.fromkeys(nearest) if zone in list_time_zones()]
    groups: dict[str, Choices] = {region: [] for region in _name_regions()}
    for zone, place in _list_places(get_language() or settings.LANGUAGE_CODE):
        if zone not in ahead:
            groups[zone.partition("/")[0]].append((zone, place))
    regions = _name_regions()
    return [*((zone, name_zone(zone)) for zone in ahead), *((regions[key], group) for key, group in groups.items())]
