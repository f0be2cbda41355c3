"""Requests that go out (W4): to checked addresses of the internet alone, over https, with no redirect and no delay."""

import socket
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from players import caps, outgoing
from players.outgoing import OutgoingAnswer, OutgoingRefused, Resolver, check_address, is_public, send_request
from tests.support.receivers import NAME, ReceivingServer, receiving, redirect_to, statuses, write_certificates
from tests.support.waiting import PATIENCE

PUBLIC = "93.184.215.14"


@pytest.fixture
def certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SSL_CERT_FILE", str(write_certificates(tmp_path)))
    return tmp_path


@pytest.fixture
def inside(settings: Any) -> None:
    """Let requests reach the loopback, where the tests' servers are."""
    settings.OUTGOING_OPEN = True


def resolving(*answers: Sequence[str]) -> tuple[Resolver, list[str]]:
    """A resolver that gives these answers one after the other, and the names it was asked for."""
    asked: list[str] = []

    def resolve(host: str, port: int, seconds: float) -> Sequence[str]:
        asked.append(host)
        return answers[min(len(asked), len(answers)) - 1]

    return resolve, asked


def send(server: ReceivingServer, url: str = "", *addresses: str) -> OutgoingAnswer:
    resolve, _asked = resolving(addresses or ("127.0.0.1",))
    return send_request(url or server.build_url(), body=b"{}", headers={"webhook-id": "1"}, resolve=resolve)


def catch_code(call: object, *args: object, **values: object) -> str:
    with pytest.raises(OutgoingRefused) as refused:
        call(*args, **values)  # type: ignore[operator]
    return refused.value.code


@pytest.mark.rule("W4")
@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.127.255.255",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.1.2.3",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        f"::ffff:{PUBLIC}",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::10.0.0.1",
        "2002:7f00:1::1",
        "2001:0:53aa:64c:0:0:80ff:fffe",
        "2001:db8::1",
    ],
)
def test_addresses_that_are_not_the_internets_are_refused(address: str) -> None:
    assert not is_public(address)
    resolve, _asked = resolving((PUBLIC, address))
    assert catch_code(check_address, f"https://{NAME}/", resolve=resolve) == "inside", "among others, too"


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_addresses_of_the_internet_are_accepted(address: str) -> None:
    assert is_public(address)
    resolve, _asked = resolving((address,))
    check_address(f"https://{NAME}/hook?a=b", resolve=resolve)


@pytest.mark.rule("W4")
@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://example.org/", "not_https"),
        ("https://example.org:22/", "wrong_port"),
        ("https://example.org:6379/", "wrong_port"),
        ("ftp://example.org/", "not_https"),
        ("example.org/hook", "not_https"),
        ("https:///hook", "malformed"),
        ("https://anna:parola@example.org/", "malformed"),
        ("https://@example.org/", "malformed"),
        ("https://example.org:0/", "malformed"),
        ("https://example.org:99999/", "malformed"),
        ("https://example.org/#qui", "malformed"),
        ("https://example.org/a b", "malformed"),
        ("https://example.org/\r\nHost: x", "malformed"),
        ("https://èsempio.it/", "malformed"),
        ("https://[::1", "malformed"),
        ("https://127.0.0.1/", "inside"),
        ("https://2130706433/", "inside"),
        ("https://0x7f.1/", "inside"),
        ("https://127.1/", "inside"),
        ("https://[::1]/", "inside"),
        ("https://[::ffff:127.0.0.1]/", "inside"),
        ("https://localhost/", "inside"),
        ("https://nessuno.invalid/", "unknown_name"),
    ],
)
def test_an_address_that_will_not_do_is_refused_before_anything_is_sent(url: str, code: str) -> None:
    assert catch_code(check_address, url) == code
    assert catch_code(send_request, url, body=b"", headers={}) == code


def test_a_request_comes_to_the_checked_address_under_its_own_name(certificates: Path, inside: None) -> None:
    with receiving(certificates, statuses(202)) as server:
        answer = send(server, server.build_url("/hook?a=b"))
        (request,) = server.received
    assert answer == OutgoingAnswer(202, b"ok")
    assert (request.name, request.path, request.body) == (NAME, "/hook?a=b", b"{}")
    assert request.headers["host"] == f"{NAME}:{server.port}"
    assert request.headers["webhook-id"] == "1"


@pytest.mark.rule("W4")
def test_a_name_that_leads_elsewhere_the_second_time_is_not_asked_twice(
    certificates: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rebinding: an innocent address for the check, an inner one for the connection."""
    with receiving(certificates, statuses(200)) as server:
        monkeypatch.setattr(outgoing, "PORTS", (urlsplit(server.build_url()).port,))
        resolve, asked = resolving((PUBLIC,), ("127.0.0.1",))
        check_address(server.build_url(), resolve=resolve)
        assert catch_code(send_request, server.build_url(), body=b"", headers={}, resolve=resolve) == "inside"
        assert server.connections == 0
        settings.OUTGOING_OPEN = True
        resolve, asked = resolving(("127.0.0.1",), ("127.0.0.2",))
        send_request(server.build_url(), body=b"", headers={}, resolve=resolve)
        assert (asked, server.connections) == ([NAME], 1), "the connection goes where the one answer said"


@pytest.mark.rule("W4")
def test_a_redirect_is_followed_nowhere(certificates: Path, inside: None) -> None:
    with (
        receiving(certificates, statuses(200)) as inner,
        receiving(certificates, redirect_to(inner.build_url(host="127.0.0.1"))) as server,
    ):
        assert catch_code(send, server) == "redirected"
    assert (len(server.received), inner.connections) == (1, 0)


@pytest.mark.rule("W4")
def test_the_next_address_is_tried_where_the_first_does_not_listen(certificates: Path, inside: None) -> None:
    with receiving(certificates, statuses(200)) as server:
        assert send(server, "", "127.0.0.2", "127.0.0.1").status == 200
    assert catch_code(send, server) == "no_answer"


@pytest.mark.rule("W4")
def test_a_certificate_of_another_name_is_refused(certificates: Path, inside: None) -> None:
    with receiving(certificates, statuses(200)) as server:
        assert catch_code(send, server, server.build_url(host="altro.example.org")) == "no_tls"
    assert server.received == []


def test_a_certificate_nobody_vouches_for_is_refused(
    certificates: Path, inside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with receiving(certificates, statuses(200)) as server:
        assert catch_code(send, server) == "no_tls"


@pytest.mark.rule("W4")
def test_an_answer_is_read_no_further_than_its_limit(certificates: Path, inside: None) -> None:
    def talk(handler: BaseHTTPRequestHandler, before: int) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"x" * (2 * caps.OUTGOING_BYTES))

    with receiving(certificates, talk) as server:
        assert catch_code(send, server) == "too_long"


@pytest.mark.rule("W4")
def test_who_sends_an_answer_byte_by_byte_is_not_waited_for(
    certificates: Path, inside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte would come in time; all of them together don't."""
    monkeypatch.setattr(caps, "OUTGOING_SECONDS", 0.5)
    enough = Event()

    def drip(handler: BaseHTTPRequestHandler, before: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "60000")
        handler.end_headers()
        while not enough.wait(0.01):
            handler.wfile.write(b"x")

    with receiving(certificates, drip) as server:
        try:
            assert catch_code(send, server) == "too_late"
        finally:
            enough.set()


def test_a_server_that_speaks_something_else_is_told_apart(certificates: Path, inside: None) -> None:
    def babble(handler: BaseHTTPRequestHandler, before: int) -> None:
        handler.wfile.write(b"220 ciao\r\n\r\n")

    with receiving(certificates, babble) as server:
        assert catch_code(send, server) == "not_http"


@pytest.mark.rule("W4")
@pytest.mark.parametrize(
    ("framing", "code"),
    [
        ("Content-Length: 999999999999999", "too_long"),
        ("Content-Length: 99999999999999999999999", "too_long"),
        (f"Content-Length: {caps.OUTGOING_BYTES + 1}", "too_long"),
        ("Content-Length: 3", "not_http"),
        ("Transfer-Encoding: chunked\r\n\r\n-5", "not_http"),
        ("Transfer-Encoding: chunked\r\n\r\n-1", "not_http"),
        ("Transfer-Encoding: chunked\r\n\r\nffffffffffff", "not_http"),
        ("Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffff", "not_http"),
    ],
)
def test_a_length_that_is_no_answers_is_refused(certificates: Path, inside: None, framing: str, code: str) -> None:
    """A length that is not there, or that no machine has room for."""

    def announce(handler: BaseHTTPRequestHandler, before: int) -> None:
        lines = f"HTTP/1.1 200 OK\r\n{framing}\r\n" + ("" if "chunked" in framing else "\r\n")
        handler.wfile.write(lines.encode() + b"ok")

    with receiving(certificates, announce) as server:
        assert catch_code(send, server) == code


@pytest.mark.parametrize("size", [0, 2, 30_000])
@pytest.mark.parametrize("framing", ["Content-Length", "Transfer-Encoding", ""])
def test_an_answer_is_read_whole_however_its_length_is_told(
    certificates: Path, inside: None, framing: str, size: int
) -> None:
    body = b"x" * size

    def talk(handler: BaseHTTPRequestHandler, before: int) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        if framing == "Content-Length":
            handler.wfile.write(b"Content-Length: %d\r\n\r\n%s" % (size, body))
        elif framing:
            halves = [half for half in (body[: size // 2], body[size // 2 :]) if half]
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(half), half) for half in halves)
            handler.wfile.write(b"Transfer-Encoding: chunked\r\n\r\n%s0\r\n\r\n" % chunks)
        else:
            handler.wfile.write(b"\r\n" + body)

    with receiving(certificates, talk) as server:
        assert send(server) == OutgoingAnswer(200, body)


def test_a_server_without_tls_is_refused(inside: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as plain:
        plain.settimeout(PATIENCE)
        port = plain.getsockname()[1]

        def answer_plainly(host: str, port: int, seconds: float) -> Sequence[str]:
            return ("127.0.0.1",)

        def serve() -> None:
            line, _address = plain.accept()
            with line:
                line.recv(100)
                line.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

        thread = Thread(target=serve, daemon=True)
        thread.start()
        url = f"https://{NAME}:{port}/"
        assert catch_code(send_request, url, body=b"", headers={}, resolve=answer_plainly) == "no_tls"
        thread.join()
