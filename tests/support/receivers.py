"""Servers out there that webhooks are sent to: real ones, with certificates of an authority made for one test."""

import ipaddress
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

NAME = "hooks.example.org"
DAY = timedelta(days=1)


@dataclass
class Received:
    """A request as it came: the name asked for in TLS, path, headers with small names, body."""

    name: str | None
    path: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[BaseHTTPRequestHandler, int], None]
"""Answers a request; the number is how many came before it."""


@dataclass
class ReceivingServer:
    port: int = 0
    received: list[Received] = field(default_factory=list)
    connections: int = 0
    names: list[str | None] = field(default_factory=list)

    def build_url(self, path: str = "/hook", host: str = NAME) -> str:
        return f"https://{host}:{self.port}{path}"


def statuses(*codes: int) -> Answer:
    """Answer with these one after the other, then with the last."""

    def answer(handler: BaseHTTPRequestHandler, before: int) -> None:
        handler.send_response(codes[min(before, len(codes) - 1)])
        handler.send_header("Content-Length", "2")
        handler.end_headers()
        handler.wfile.write(b"ok")

    return answer


def redirect_to(url: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler, before: int) -> None:
        handler.send_response(307)
        handler.send_header("Location", url)
        handler.end_headers()

    return answer


@contextmanager
def receiving(folder: Path, answer: Answer) -> Iterator[ReceivingServer]:
    """Serve https on the loopback under ``NAME``, until the block ends."""
    server = ReceivingServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            before = len(server.received)
            server.received.append(Received(server.names[-1], self.path, headers, body))
            answer(self, before)

        def log_message(self, *args: object) -> None:
            return

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def get_request(self) -> tuple[ssl.SSLSocket, object]:
            server.connections += 1
            return super().get_request()  # type: ignore[return-value]

        def handle_error(self, request: object, client_address: object) -> None:
            return  # whoever reads no further has had enough

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    context.sni_callback = lambda line, name, _context: server.names.append(name)  # type: ignore[assignment,func-returns-value]
    with Quiet(("127.0.0.1", 0), Handler) as listening:
        listening.socket = context.wrap_socket(listening.socket, server_side=True, do_handshake_on_connect=False)
        server.port = listening.server_address[1]
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()


def write_certificates(folder: Path) -> Path:
    """Write an authority and a server's certificate by it. Return the authority's file, for SSL_CERT_FILE."""
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = _sign("Prova", "Prova", authority_key, authority_key, is_authority=True)
    certificate = _sign(NAME, "Prova", key, authority_key, is_authority=False)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.pem").write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "authority.pem").write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    return folder / "authority.pem"


def _sign(
    name: str,
    issuer: str,
    key: ec.EllipticCurvePrivateKey,
    by: ec.EllipticCurvePrivateKey,
    *,
    is_authority: bool,
) -> x509.Certificate:
    subject, issued_by = (x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)]) for text in (name, issuer))
    names = [x509.DNSName(NAME), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issued_by)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()), critical=False)
    )
    if is_authority:
        usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
        builder = builder.add_extension(usage, critical=True)
    else:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(by, hashes.SHA256())
