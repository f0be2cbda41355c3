"""Sessions of an account: allauth's list of them, kept true and ended one by one.

The sessions themselves are Django's; a row of the list stands for one of them.
"""

from datetime import datetime

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest

from players.broadcast import announce_session_end
from players.models import User
from players.services.push_devices import end_devices

LONGEST_AGENT = UserSession._meta.get_field("user_agent").max_length


def note_session(*, request: HttpRequest, user: User, now: datetime) -> None:
    """Store in the list that ``user`` has just used this request's session."""
    key = request.session.session_key
    if not key or UserSession.objects.filter(session_key=key).update(last_seen_at=now):
        return
    row = {
        "user": user,
        "ip": get_adapter(request).get_client_ip(request),
        "user_agent": request.META.get("HTTP_USER_AGENT", "")[:LONGEST_AGENT],
        "created_at": now,
        "last_seen_at": now,
    }
    UserSession.objects.get_or_create(session_key=key, defaults=row)


def end_session(*, session: UserSession) -> None:
    """Log that session out, close its open pages, and tell its devices no more."""
    user_id, key = session.user_id, session.session_key
    session.end()
    end_devices(user_id=user_id, session_key=key)
    transaction.on_commit(lambda: announce_session_end(user_id, key))


def forget_ended_sessions(*, now: datetime) -> int:
    """Delete sessions that ran out and rows without a session. Return how many rows."""
    Session.objects.filter(expire_date__lte=now).delete()
    standing = Session.objects.values("session_key")
    return int(UserSession.objects.exclude(session_key__in=standing).delete()[0])
