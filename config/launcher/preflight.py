"""Conditions of a start: a folder to write in, nobody else at the same data, a free port, and a
database and a Redis that answer where the environment names them.

It starts nothing and changes nothing but the data folder. Every refusal is a Refused with one sentence for the person
at the terminal, with the way out.
"""

import errno
import fcntl
import os
import socket
from pathlib import Path
from typing import TextIO

from config.environment import BASE_DIR, EVERY_ADDRESS, Environment, find_own_address, make_private
from config.launcher.redis_server import probe_redis
from config.safety import DANGERS

CONNECT_SECONDS = 5


class Refused(Exception):
    """The product can't start; the text is the reason, in one sentence."""


def claim_data(folder: Path) -> TextIO:
    """Make the data folder and lock it for this process; keep what is returned open as long as it runs."""
    denied = f"No permission to write in {folder}: run it as the folder's owner, or set DATA_DIR to another folder."
    try:
        make_private(folder)
        lock = (folder / "supervisor.lock").open("a+")
    except PermissionError as error:
        raise Refused(denied) from error
    except OSError as error:
        raise Refused(f"The data folder {folder} can't be used ({error.strerror}): set DATA_DIR to another.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise Refused(
            f"Smazzata is already running on the data in {folder}: stop it first, or set DATA_DIR to another folder."
        ) from error
    if not os.access(folder, os.W_OK):
        lock.close()
        raise Refused(denied)
    return lock


def listen(host: str, port: int) -> socket.socket:
    """Open the listening socket of the site, which all its web processes share."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise Refused(f"HOST={host} is not an address of this machine.") from error
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise Refused(_explain_refusal(error, host, port)) from error
    return listening


def _explain_refusal(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        return f"Port {port} is taken by another program: stop it, or choose another with `make run PORT={other}`."
    if error.errno == errno.EACCES:
        return f"No permission to listen on port {port}: choose one above 1023, for instance `make run PORT=8000`."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"HOST={host} is not an address of this machine."
    return f"The site can't listen on {host} port {port}: {error.strerror}."


def check_database(values: Environment) -> None:
    """Raise Refused if the PostgreSQL of DATABASE_URL can't be reached. A SQLite file is made when it is first used."""
    database = values.database
    if not database["ENGINE"].endswith("postgresql"):
        folder = Path(database["NAME"]).parent
        if not os.access(folder, os.W_OK):
            raise Refused(f"No permission to write the database in {folder}: change DATABASE_URL or DATA_DIR.")
        return
    import psycopg  # a tenth of a second that SQLite need not wait for

    wanted = {
        "dbname": database["NAME"],
        "user": database.get("USER"),
        "password": database.get("PASSWORD"),
        "host": database.get("HOST"),
        "port": database.get("PORT"),
        "connect_timeout": CONNECT_SECONDS,
        **database.get("OPTIONS", {}),
    }
    try:
        psycopg.connect(**{name: value for name, value in wanted.items() if value}).close()
    except psycopg.Error as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise Refused(f"The database of DATABASE_URL does not let us in: {reason}") from error


def check_redis(values: Environment) -> None:
    """Raise Refused if the Redis of REDIS_URL does not answer, or if production names none."""
    if values.production and not values.redis_url:
        raise Refused(f"{DANGERS['redis_missing'][1]} (redis_missing).")
    if values.redis_url:
        problem = probe_redis(values.redis_url, timeout=CONNECT_SECONDS)
        if problem:
            raise Refused(f"The Redis of REDIS_URL does not answer: {problem}")


def check_machine(values: Environment) -> tuple[TextIO, socket.socket]:
    """Check everything, in the order a person would want to hear of it; return the lock and the listening socket."""
    lock = claim_data(values.data_dir)
    try:
        listening = listen(values.host, values.port)
    except Refused:
        lock.close()
        raise
    try:
        check_database(values)
        check_redis(values)
    except Refused:
        listening.close()
        lock.close()
        raise
    return lock, listening


def build_address(values: Environment) -> str:
    """Return the address at which a browser finds the site."""
    host = find_own_address() if values.host in EVERY_ADDRESS else values.host
    return f"{'https' if values.https else 'http'}://{f'[{host}]' if ':' in host else host}:{values.port}/"


def describe_plain_network(values: Environment) -> str:
    """Return where people log in on a site that its network reads along (O9)."""
    if values.host not in EVERY_ADDRESS:
        return "Nobody can log in: that needs the loopback of this computer. Start it with HOST=0.0.0.0."
    return f"To organise and to log in, on this computer alone: http://localhost:{values.port}/"


def show_path(path: Path) -> str:
    """Return a path as the person at the terminal would type it."""
    return str(path.relative_to(BASE_DIR)) if path.is_relative_to(BASE_DIR) else str(path)
