"""``python -m tests.zone_names``: write what Babel calls time zones and countries into ``players/zone_names.json``.

The site itself needs no Babel, whose data weigh 33 MB: of them it shows these names, in the languages it speaks.
``make messages`` writes the file anew; a test holds it against the Babel that is installed.
"""

import json
import os
import zoneinfo
from pathlib import Path
from typing import Any

from babel import Locale
from babel.core import get_global
from babel.dates import get_timezone_location
from django.conf import settings

NAMES = Path(__file__).resolve().parent.parent / "players" / "zone_names.json"
NO_COUNTRY = ("001", "ZZ")  # the world, and unknown


def build_names() -> dict[str, dict[str, Any]]:
    """Return the names that zones have now by those they had, and by language each zone's country and place."""
    there = zoneinfo.available_timezones()
    renamed = {old: new for old, new in sorted(get_global("zone_aliases").items()) if old in there}
    zones = sorted(there & {*get_global("zone_territories"), *renamed})
    languages = {language: Locale.parse(language, sep="-") for language, _name in settings.LANGUAGES}
    return {"renamed": renamed} | {
        language: {zone: [name_country(zone, locale), name_place(zone, locale)] for zone in zones}
        for language, locale in languages.items()
    }


def name_place(zone: str, locale: Locale) -> str:
    return str(get_timezone_location(zone, locale=locale, return_city=True)).replace("/", " – ")


def name_country(zone: str, locale: Locale) -> str:
    """Return the country of a time zone; empty for what Babel can't place."""
    territories = get_global("zone_territories")
    code = territories.get(zone) or territories.get(get_global("zone_aliases").get(zone, ""))
    return "" if code is None or code in NO_COUNTRY else str(locale.territories.get(code, ""))


def write_names(names: dict[str, dict[str, Any]]) -> str:
    """Return the text of the file: a zone a row."""
    parts = (
        f"{json.dumps(key)}: {{\n"
        + ",\n".join(f"{json.dumps(zone)}: {json.dumps(value, ensure_ascii=False)}" for zone, value in rows.items())
        + "\n}"
        for key, rows in names.items()
    )
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    NAMES.write_text(write_names(build_names()), encoding="utf-8")
