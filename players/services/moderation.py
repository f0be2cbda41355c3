"""Moderation (U2): staff warn, mute and suspend, the player is told and may appeal once, staff answer and lift.

Acts are rows that stay, and each step of one has its hour and who took it: they are the log. What they close, until
when, is kept with the account, as the latest of its acts that weren't lifted says.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse

from players.broadcast import announce_session_end, notify
from players.clean_text import clean_line
from players.models import ModerationAct, Player, User
from players.services.mail import MailValues, mail_account
from players.signals import player_suspended

Kind = ModerationAct.Kind
DAYS = (1, 3, 7, 30, 365)  # a muting or a suspension lasts one of these
MAX_REASON_CHARACTERS, MAX_APPEAL_CHARACTERS = 500, 1000


class ModerationRefused(Exception):
    """Refusal of an act of moderation; ``code`` says why, one of wording.MODERATION_REFUSALS."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def judge_player(
    *, player: Player, by: Player, kind: str, reason: str, days: int | None, now: datetime, about_match: str = ""
) -> ModerationAct:
    """Warn, mute or suspend a player. ModerationRefused: not_staff, not_oneself, on_staff, nobody_to_judge,
    reason_missing, text_too_long, no_such_time."""
    _require_staff(by)
    written = _clean(reason, MAX_REASON_CHARACTERS, "reason_missing")
    if player.pk == by.pk:
        raise ModerationRefused("not_oneself")
    if player.is_house or not player.user.is_active:
        raise ModerationRefused("nobody_to_judge")
    if player.user.is_staff:
        raise ModerationRefused("on_staff")
    if kind not in Kind.values or (kind == Kind.WARN) != (days is None) or days not in (None, *DAYS):
        raise ModerationRefused("no_such_time")
    with transaction.atomic():
        user = _lock_user(player)
        act = ModerationAct.objects.create(
            player=player,
            kind=kind,
            reason=written,
            about_match=about_match,
            by=by,
            at=now,
            until=None if days is None else now + timedelta(days=days),
        )
        _tell(user, act, "moderation", now)
        if kind == Kind.SUSPEND:
            player_suspended.send(sender=Player, player=player, now=now)
            transaction.on_commit(lambda: announce_session_end(user.pk, None))
    return act


def lift_act(*, act_id: int, by: Player, reason: str, now: datetime) -> ModerationAct:
    """Lift an act. ModerationRefused: not_staff, not_oneself, act_gone, act_lifted, reason_missing, text_too_long."""
    _require_staff(by)
    written = _clean(reason, MAX_REASON_CHARACTERS, "reason_missing")

    def lift(act: ModerationAct, user: User) -> None:
        _require_other(act, by)
        _lift(act, user, by, written, now)

    return _change(act_id, lift)


def appeal_act(*, act_id: int, player: Player, text: str, now: datetime) -> ModerationAct:
    """Appeal against an act, as the player it is about: once. ModerationRefused: act_gone, act_lifted, appealed,
    text_missing, text_too_long."""
    written = _clean(text, MAX_APPEAL_CHARACTERS, "text_missing")

    def appeal(act: ModerationAct, user: User) -> None:
        if act.player_id != player.pk:
            raise ModerationRefused("act_gone")
        if act.appealed_at is not None:
            raise ModerationRefused("appealed")
        if act.lifted_at is not None:
            raise ModerationRefused("act_lifted")
        act.appeal, act.appealed_at = written, now
        act.save(update_fields=["appeal", "appealed_at"])

    return _change(act_id, appeal)


def answer_appeal(*, act_id: int, by: Player, text: str, lift: bool, now: datetime) -> ModerationAct:
    """Answer an appeal, once, and lift the act or leave it. ModerationRefused: not_staff, not_oneself, act_gone,
    no_appeal, answered, reason_missing, text_too_long."""
    _require_staff(by)
    written = _clean(text, MAX_REASON_CHARACTERS, "reason_missing")

    def answer(act: ModerationAct, user: User) -> None:
        _require_other(act, by)
        if act.appealed_at is None:
            raise ModerationRefused("no_appeal")
        if act.answered_at is not None:
            raise ModerationRefused("answered")
        act.answer, act.answered_by, act.answered_at = written, by, now
        act.save(update_fields=["answer", "answered_by", "answered_at"])
        if lift and act.lifted_at is None:
            _lift(act, user, by, written, now)
        else:
            _tell(user, act, "moderation_answer", now)

    return _change(act_id, answer)


def mark_acts_read(*, player: Player, now: datetime) -> None:
    """Note that the player has read what was done about them."""
    with transaction.atomic():
        ModerationAct.objects.filter(player=player, read_at=None).update(read_at=now)
        User.objects.filter(pk=player.user_id).update(moderation_news=False)


def _require_staff(by: Player) -> None:
    if not by.user.is_staff:
        raise ModerationRefused("not_staff")


def _require_other(act: ModerationAct, by: Player) -> None:
    """Refuse who was judged by this act, and is one of the staff since."""
    if act.player_id == by.pk:
        raise ModerationRefused("not_oneself")


def _clean(text: str, longest: int, missing: str) -> str:
    written = clean_line(text)
    if not written:
        raise ModerationRefused(missing)
    if len(written) > longest:
        raise ModerationRefused("text_too_long")
    return written


def _lock_user(player: Player) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=player.user_id)


def _change(act_id: int, change: Callable[[ModerationAct, User], None]) -> ModerationAct:
    """Change an act under the lock of its account. Return it."""
    with transaction.atomic():
        row = ModerationAct.objects.select_related("player").filter(pk=act_id).first()
        if row is None:
            raise ModerationRefused("act_gone")
        user = _lock_user(row.player)
        act = ModerationAct.objects.get(pk=act_id)
        change(act, user)
    return act


def _lift(act: ModerationAct, user: User, by: Player, reason: str, now: datetime) -> None:
    if act.lifted_at is not None:
        raise ModerationRefused("act_lifted")
    act.lifted_by, act.lifted_at, act.lift_reason = by, now, reason
    act.save(update_fields=["lifted_by", "lifted_at", "lift_reason"])
    _tell(user, act, "moderation_lifted", now)


def _tell(user: User, act: ModerationAct, kind: str, now: datetime) -> None:
    """Store what is closed to the account now, and tell its owner: on every page, and by mail."""
    standing = list(ModerationAct.objects.filter(player=act.player_id, lifted_at=None, until__gt=now))
    user.muted_until = max((row.until for row in standing if row.kind == Kind.MUTE and row.until), default=None)
    user.suspended_until = max((row.until for row in standing if row.kind == Kind.SUSPEND and row.until), default=None)
    user.moderation_news = True
    user.save(update_fields=["muted_until", "suspended_until", "moderation_news"])
    path = reverse("own-moderation")
    frame = {"t": "notice", "code": "moderation", "url": path, "title": ""}
    player_id = act.player_id
    transaction.on_commit(lambda: notify(player_id, frame))
    reason = {"moderation": act.reason, "moderation_answer": act.answer, "moderation_lifted": act.lift_reason}[kind]
    values = MailValues(path=path, why=act.kind, reason=reason)
    if act.until is not None:
        values |= {"at": act.until.isoformat(), "zone": user.time_zone}
    mail_account(user=user, kind=kind, key=act.public_id, values=values, now=now)
