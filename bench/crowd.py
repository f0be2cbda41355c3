"""The load program of crowds: opens thousands of sockets at once and takes the time until each has its first view.

``python -m bench.crowd`` reads a line of JSON (open_all's arguments; of ``lines`` each is a table and a Cookie
header) and prints one: the seconds of each. Then the sockets stay open, and silent, until its standard input ends. Each
comes from an address of its own, as by a proxy. The program speaks to the loopback only, and ends with code 1 if a
socket is refused or never gets its view.
"""

import asyncio
import json
import resource
import sys
import time

import uvloop

from bench.wire import Refused, dial

PATIENCE = 120.0  # seconds until everybody has a view
FIELD = '"t":"view"'


class Silent(Exception):
    """A socket was opened, and nothing came."""


async def open_all(port: int, lines: list[list[str]], at_once: int) -> list[float]:
    """Return the seconds from the beginning to each one's first view; the sockets stay open. ``at_once`` shake hands at
    the same time."""
    began = time.perf_counter()
    seen: dict[int, float] = {}
    everybody = asyncio.Event()
    room = asyncio.Semaphore(at_once)

    async def open_one(number: int, table: str, cookie: str) -> None:
        def hear(text: str) -> None:
            if number not in seen and FIELD in text:
                seen[number] = time.perf_counter() - began
                if len(seen) == len(lines):
                    everybody.set()

        address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        headers = {"Origin": f"http://127.0.0.1:{port}", "Cookie": cookie, "X-Forwarded-For": address}
        async with room:
            await dial(port, f"/ws/tavolo/{table}/", headers, hear, patience=PATIENCE)

    await asyncio.gather(*(open_one(number, *line) for number, line in enumerate(lines)))
    try:
        await asyncio.wait_for(everybody.wait(), PATIENCE)
    except TimeoutError:
        raise Silent(f"{len(lines) - len(seen)} sockets were shown nothing") from None
    return [seen[number] for number in range(len(lines))]


async def run() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    job = json.loads(sys.stdin.readline())
    print(json.dumps(await open_all(**job)), flush=True)  # noqa: T201 the bench reads it
    await asyncio.to_thread(sys.stdin.read)


def main() -> int:
    try:
        uvloop.run(run())
    except (OSError, Refused, Silent, TimeoutError, ValueError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
