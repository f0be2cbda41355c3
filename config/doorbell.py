"""The doorbell of a web process: whoever asks for a page or opens a socket is noted as somebody on the site.

What asks by itself rings nobody: the watch at the front door, a proxy's questions, a program that reads figures.
"""

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope

from games.site_rest import Visits

UNHEARD = frozenset({"/healthz", "/readyz", "/metrics"})


class Doorbell:
    """An ASGI application in front of all others: it notes visits, and answers nothing."""

    def __init__(self, application: ASGI3Application, visits: Visits) -> None:
        self.application, self.visits = application, visits

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Note who comes, and pass everything on."""
        if scope["type"] == "websocket":
            self.visits.enter()
            try:
                await self.application(scope, receive, send)
            finally:
                self.visits.leave()
            return
        if scope["type"] == "http" and scope["path"] not in UNHEARD:
            self.visits.note()
        await self.application(scope, receive, send)
