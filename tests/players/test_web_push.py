"""Web Push: a message that one browser alone can read, and how its service knows the site (RFC 8291, 8292)."""

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from players.web_push import KeyInvalid, build_headers, decode, encode, read_keys, read_public_key, seal
from tests.support.push import Subscriber, write

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
ENDPOINT = "https://push.example.org:8443/send/abc?d=e"


def make_private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decode(text), "big"), ec.SECP256R1())


def test_the_example_of_rfc_8291_comes_out_byte_by_byte() -> None:
    keys = read_keys(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    sealed = seal(
        b"When I grow up, I want to be a watermelon",
        keys,
        own=make_private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        salt=decode("DGv6ra1nlYgDCS1FRnbzlw"),
        padded_to=1,
    )
    assert encode(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@pytest.mark.rule("U4")
def test_only_the_browser_it_is_for_reads_it_and_no_two_are_alike() -> None:
    anna, bruno = Subscriber(ENDPOINT), Subscriber(ENDPOINT)
    sealed = [seal("Coppa è «»".encode(), read_keys(anna.given["p256dh"], anna.given["auth"])) for _ in range(2)]
    assert [anna.decrypt(body).decode() for body in sealed] == ["Coppa è «»"] * 2
    assert sealed[0] != sealed[1]
    assert b"Coppa" not in sealed[0]
    with pytest.raises(InvalidTag):
        bruno.decrypt(sealed[0])


@pytest.mark.rule("U4")
def test_the_length_says_nothing_of_a_name_and_no_service_is_sent_more_than_it_takes() -> None:
    keys = read_keys(*(Subscriber(ENDPOINT).given[name] for name in ("p256dh", "auth")))
    assert len({len(seal(b"x" * length, keys)) for length in range(200)}) == 1
    assert len(seal(b"x" * 3_800, keys)) <= 4_096
    with pytest.raises(ValueError, match="too long"):
        seal(b"x" * 3_801, keys)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("p256dh", ""),
        ("p256dh", "x"),
        ("p256dh", "è" * 87),
        ("p256dh", write(b"\x04" + b"\x01" * 64)),  # a point that isn't on the curve
        ("p256dh", write(b"\x04" + b"\xff" * 64)),
        ("p256dh", write(b"\x02" + b"\x01" * 32)),  # half a point
        ("auth", ""),
        ("auth", write(b"fifteen bytes!!")),
        ("auth", "*" * 22),
    ],
)
def test_keys_that_no_browser_makes_are_refused(name: str, wrong: str) -> None:
    given = {**Subscriber(ENDPOINT).given, name: wrong}
    with pytest.raises(KeyInvalid):
        read_keys(given["p256dh"], given["auth"])


def test_the_service_knows_the_site_by_the_key_that_the_browser_was_given(settings: Any) -> None:
    settings.DEFAULT_FROM_EMAIL = "Smazzata <carte@laptop>"
    headers = build_headers(ENDPOINT, ttl=timedelta(minutes=5), topic="t" * 32, now=NOW)
    assert {name: value for name, value in headers.items() if name != "Authorization"} == {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": "300",
        "Topic": "t" * 32,
        "Urgency": "high",
    }
    assert Vapid02.verify(headers["Authorization"])
    scheme, _space, parts = headers["Authorization"].partition(" ")
    fields = dict(part.split("=", 1) for part in parts.split(","))
    claims = json.loads(base64.urlsafe_b64decode(fields["t"].split(".")[1] + "=="))
    assert (scheme, fields["k"]) == ("vapid", read_public_key())
    assert claims["aud"] == "https://push.example.org:8443", "and no other service may use it"
    assert claims["sub"] == "mailto:carte@laptop"
    assert NOW.timestamp() < claims["exp"] <= NOW.timestamp() + 24 * 3600


def test_the_key_is_the_settings_and_another_is_another(settings: Any) -> None:
    first = read_public_key()
    assert len(decode(first)) == 65
    settings.VAPID_PRIVATE_KEY = "3Zr1mUq8Xw0c9pJt5vKs7bN2dQ6hYf4gLa-TeRi_Ox0"
    assert read_public_key() != first
