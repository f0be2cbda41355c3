"""Pages that may open a socket: ours, by scheme, host and port."""

import pytest
from django.test import override_settings

from players.realtime.origin import is_same_origin


def scope(
    origin: str | None, host: str | None = "play.example:8000", scheme: str = "ws", **more: str
) -> dict[str, object]:
    headers = [(name.replace("_", "-").encode(), value.encode()) for name, value in more.items()]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    if host is not None:
        headers.append((b"host", host.encode()))
    return {"headers": headers, "scheme": scheme}


@override_settings(ALLOWED_HOSTS=["play.example"], DEBUG=False, SECURE_PROXY_SSL_HEADER=None)
@pytest.mark.parametrize(
    ("asked", "ours"),
    [
        (scope("http://play.example:8000"), True),
        (scope("http://PLAY.example:8000"), True),
        (scope("http://play.example", host="play.example"), True),
        (scope("http://play.example:80", host="play.example"), True),
        (scope("https://play.example", host="play.example", scheme="wss"), True),
        (scope("https://play.example:8000"), False),  # another scheme
        (scope("http://play.example:8001"), False),  # another port of the same host
        (scope("http://play.example"), False),
        (scope("http://evil.example:8000"), False),
        (scope("http://play.example.evil.example:8000"), False),
        (scope("http://play.example:8000@evil.example"), False),
        (scope("http://evil.example:8000", host="evil.example:8000"), False),  # a Host that isn't ours
        (scope("http://play.example:99999"), False),
        (scope("http://play.example:8000/path"), False),
        (scope("null"), False),
        (scope(""), False),
        (scope(None), False),
        (scope("http://play.example:8000", host=None), False),
    ],
)
def test_only_the_same_scheme_host_and_port_is_ours(asked: dict[str, object], ours: bool) -> None:
    assert is_same_origin(asked) is ours


def test_two_origins_are_no_origin() -> None:
    twice = scope("http://play.example:8000")
    twice["headers"] = [*twice["headers"], (b"origin", b"http://play.example:8000")]  # type: ignore[misc]
    with override_settings(ALLOWED_HOSTS=["*"]):
        assert not is_same_origin(twice)


@override_settings(ALLOWED_HOSTS=["play.example"], SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"))
def test_behind_a_proxy_the_scheme_is_the_one_the_browser_sees() -> None:
    forwarded = scope("https://play.example", host="play.example", x_forwarded_proto="https")
    assert is_same_origin(forwarded)
    assert not is_same_origin(scope("http://play.example", host="play.example", x_forwarded_proto="https"))


@override_settings(ALLOWED_HOSTS=["play.example"], CSRF_TRUSTED_ORIGINS=["https://other.example"])
def test_an_origin_the_settings_trust_is_ours() -> None:
    assert is_same_origin(scope("https://other.example", host="play.example"))
