"""The line of a page that is dead though nobody said so: nothing is heard on it, and a new one is begun."""

from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute

BEAT, SILENCE = 25_000, 7_000  # ms, of static/js/live.js and reconnecting_socket.js


class DeadLine:
    """Stands between a page and the site: of the first line only the greeting comes through."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines = 0
        self.greeted = False
        page.route_web_socket("**/ws/persona/**", self._between)

    def _between(self, line: WebSocketRoute) -> None:
        self.lines += 1
        first = self.lines == 1

        def pass_on(message: str | bytes) -> None:
            if not first or not self.greeted:
                self.greeted = True
                line.send(message)

        line.connect_to_server().on_message(pass_on)

    def wait_for(self, condition: Callable[[], bool], *, ms: int = 0) -> None:
        """Wait for it, with so much of the page's clock gone by at each look."""
        for _ in range(4800):
            if condition():
                return
            self.page.clock.run_for(ms)
            self.page.wait_for_timeout(25)
        raise AssertionError("waited in vain")


def test_a_line_on_which_nothing_is_heard_is_begun_anew(open_as_organiser: Callable[..., Page]) -> None:
    page = open_as_organiser("/classifiche/")
    dead = DeadLine(page)
    page.clock.install()
    page.reload()
    dead.wait_for(lambda: dead.greeted)
    page.clock.run_for(BEAT + SILENCE - 1000)
    assert dead.lines == 1, "it has a while to answer"
    dead.wait_for(lambda: dead.lines == 2, ms=1000)
