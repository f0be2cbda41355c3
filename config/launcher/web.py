"""Web process: the site served by uvicorn on a socket its parent opened, or on HOST and PORT.

The parent keeps the socket open while a web process is started again, so that nobody's connection is refused meanwhile;
several processes may share it.
"""

import os
import socket
import sys
from importlib import import_module
from typing import Any

import uvicorn

from config.environment import WEB_ROLE, BrokenSetting, Environment, read_environment
from config.launcher.front_door import Doorkeeper, build_protocol, raise_file_limit
from config.launcher.web_sockets import PushProtocol
from config.memory import spare_collector
from players import caps

WS_MAX_BYTES = 8192
SWITCH_SECONDS = 0.0005  # a thread that makes a page lets the event loop in so soon
BACKLOG = 4096  # connections that the system holds for us; it may have a lower limit of its own


def build_config(application: Any, values: Environment) -> uvicorn.Config:
    """Return how ``application`` is served, with as many descriptors as the system lets us have."""
    return uvicorn.Config(
        application,
        host=values.host,
        port=values.port,
        http=build_protocol(Doorkeeper(raise_file_limit(), values.trusted_proxies)),
        backlog=BACKLOG,
        timeout_keep_alive=caps.KEEP_ALIVE_SECONDS,
        ws=PushProtocol,
        ws_max_size=WS_MAX_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        proxy_headers=True,
        forwarded_allow_ips=values.trusted_proxies,
        access_log=False,
        log_config=None,  # the settings say what is logged and how
        server_header=False,
        lifespan="on",
    )


def main() -> int:
    """Serve until told to stop; 2 if a setting is broken, or unsafe in production."""
    os.environ["PROCESS_ROLE"] = WEB_ROLE
    try:
        values = read_environment()
        import_module("config.asgi")  # refuses what is unsafe; the server finds it loaded
    except BrokenSetting as error:
        print(error, file=sys.stderr)  # noqa: T201 the person at the terminal reads it
        return 2
    server = uvicorn.Server(build_config("config.asgi:application", values))
    spare_collector()
    sys.setswitchinterval(SWITCH_SECONDS)
    server.run(sockets=[socket.socket(fileno=values.listen_fd)] if values.listen_fd is not None else None)
    return 0 if server.started else 3


if __name__ == "__main__":
    sys.exit(main())
