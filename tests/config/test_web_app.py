"""The site as an app on a telephone (U4): manifest, service worker and the offline page, in either language."""

import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import resolve

from config import web_app
from players.models import Player
from tests.support.html import read_attribute

pytestmark = [pytest.mark.django_db, pytest.mark.rule("U4")]

STATIC = Path(django_settings.BASE_DIR) / "static"


def read_manifest(client: Client, language: str = "it") -> dict[str, Any]:
    answer = client.get("/manifest.webmanifest", {"lingua": language})
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest: dict[str, Any] = json.loads(answer.content)
    return manifest


def find_source(address: str) -> Path:
    return STATIC / address.removeprefix(f"/{django_settings.STATIC_URL.strip('/')}/")


def test_every_page_leads_to_both_in_its_own_language(client: Client) -> None:
    for language in ("it", "en"):
        page = client.get("/", headers={"accept-language": language}).content.decode()
        assert f'<link rel="manifest" href="/manifest.webmanifest?lingua={language}">' in page
        assert read_attribute(page, "data-worker") == [f"/sw.js?lingua={language}"]
        assert "js/app.js" in page


def test_the_manifest_says_all_that_a_telephone_asks_for(client: Client) -> None:
    manifest = read_manifest(client)
    assert (manifest["name"], manifest["short_name"], manifest["lang"]) == ("Smazzata", "Smazzata", "it")
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    assert manifest["description"] != read_manifest(client, "en")["description"]
    assert [shortcut["url"] for shortcut in manifest["shortcuts"]] == ["/sala/", "/"]
    assert all(resolve(shortcut["url"]) for shortcut in manifest["shortcuts"])
    assert re.fullmatch(r"#[0-9a-f]{6}", manifest["theme_color"])
    drawn = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon["purpose"]) for icon in drawn} == {
        (f"{size}x{size}", purpose) for size in (192, 512) for purpose in ("any", "maskable")
    }
    for icon in drawn:
        data = find_source(icon["src"]).read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        assert (data[:8], f"{width}x{height}") == (b"\x89PNG\r\n\x1a\n", icon["sizes"])
        assert len(data) < 20_000
    assert find_source(manifest["icons"][-1]["src"]).read_text().startswith("<svg")


def test_the_worker_comes_from_the_root_as_a_script_that_is_asked_about_each_time(client: Client) -> None:
    answer = client.get("/sw.js", {"lingua": "en"})
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert not answer.cookies
    setup = json.loads(answer.content.decode().split("self.SETUP = ", 1)[1].split(";\n", 1)[0])
    assert setup["offline"] == "/senza-rete/?lingua=en"
    for address in (*setup["files"], setup["icon"], setup["badge"]):
        assert find_source(address).exists(), address
    page = client.get(setup["offline"]).content.decode()
    needed = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert sorted(needed) == sorted(setup["files"]), "all that the offline page needs is kept, and no more"


def test_the_workers_text_changes_with_all_that_it_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_version() -> str:
        web_app.build_worker.cache_clear()
        return web_app.build_worker("it").split('"version": "', 1)[1].split('"')[0]

    first = read_version()
    assert first == read_version()
    with monkeypatch.context() as changed:
        changed.setattr(web_app, "static", lambda name: f"/static/other/{name}")
        assert read_version() != first
    with monkeypatch.context() as changed:
        changed.setattr(web_app, "_draw_offline", lambda language: "another page")
        assert read_version() != first
    assert read_version() == first


@pytest.mark.parametrize(("language", "words"), [("it", "Il sito non risponde."), ("en", "The site isn’t answering.")])
def test_the_offline_page_speaks_the_language_of_its_address_and_knows_nobody(
    client: Client, anna: Player, language: str, words: str
) -> None:
    address = {"lingua": language}
    for_nobody = client.get("/senza-rete/", address, headers={"accept-language": "it"})
    client.force_login(anna.user)
    for_anna = client.get("/senza-rete/", address, headers={"accept-language": "en"})
    assert words in for_anna.content.decode()
    assert f'<html lang="{language}"' in for_anna.content.decode()
    assert for_anna.content == for_nobody.content, "a browser keeps it"
    assert not for_anna.cookies
    assert "nonce" not in for_anna.content.decode()
    assert "csrf" not in for_anna.content.decode()


def test_an_address_without_a_language_or_with_none_of_ours_speaks_the_readers(client: Client) -> None:
    for address in ("/senza-rete/", "/senza-rete/?lingua=xx", "/senza-rete/?lingua="):
        assert '<html lang="en"' in client.get(address, headers={"accept-language": "en"}).content.decode()
