"""Web process: the site served by uvicorn on a socket its parent opened, or on HOST and PORT.

The parent keeps the socket open while a web process is started again, so that nobody's connection is refused meanwhile;
several processes may share it.
"""

import socket
import sys
from importlib import import_module

import uvicorn

from config.environment import BrokenSetting, read_environment

WS_MAX_BYTES = 8192


def main() -> int:
    """Serve until told to stop; 2 if a setting is broken, or unsafe in production."""
    try:
        values = read_environment()
        import_module("config.asgi")  # refuses what is unsafe; the server finds it loaded
    except BrokenSetting as error:
        print(error, file=sys.stderr)  # noqa: T201 the person at the terminal reads it
        return 2
    settings = uvicorn.Config(
        "config.asgi:application",
        host=values.host,
        port=values.port,
        ws_max_size=WS_MAX_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        proxy_headers=True,
        forwarded_allow_ips=values.trusted_proxies,
        access_log=False,
        server_header=False,
        lifespan="on",
    )
    server = uvicorn.Server(settings)
    server.run(sockets=[socket.socket(fileno=values.listen_fd)] if values.listen_fd is not None else None)
    return 0 if server.started else 3


if __name__ == "__main__":
    sys.exit(main())
