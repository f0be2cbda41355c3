"""The site's own faces: small, licensed, and asked for from nowhere else."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

STATIC = Path(__file__).resolve().parents[2] / "static"
FONTS = STATIC / "fonts"
MAX_FONT_BYTES = 120_000


def test_the_faces_are_small_and_their_licences_stand_beside_them() -> None:
    files = sorted(FONTS.glob("*.woff2"))
    assert files
    assert sum(file.stat().st_size for file in files) <= MAX_FONT_BYTES
    for file in files:
        licence = FONTS / f"{file.stem.partition('-')[0]}-OFL.txt"
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text()


def test_every_face_of_the_style_sheet_is_there_and_every_file_is_used() -> None:
    style = (STATIC / "css/site.css").read_text()
    named = set(re.findall(r'url\("\.\./fonts/([^"]+)"\)', style))
    assert named == {file.name for file in FONTS.glob("*.woff2")}
    assert style.count("font-display: swap") == len(named)


@pytest.mark.django_db
def test_a_page_asks_for_the_text_face_first_and_faces_come_from_the_site_alone(client: Client) -> None:
    answer = client.get(reverse("home"))
    page = answer.content.decode()
    preloads = re.findall(r'<link\s+rel="preload"\s+as="font"[^>]*href="([^"]+)"', page)
    assert [Path(address).name.partition(".")[0] for address in preloads] == ["figtree-latin"]
    assert page.index(preloads[0]) < page.index('rel="stylesheet"')
    assert "font-src 'self'" in answer.headers["Content-Security-Policy"].split("; ")
