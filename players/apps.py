from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "players"
    verbose_name = _("Persone")

    def ready(self) -> None:
        from players import converters, receivers
        from players.services import (
            calls,
            counted_acts,
            halls,
            housekeeping,
            mail,
            marks,
            own_account,
            own_company,
            players,
            push_devices,
            push_messages,
            sessions,
            tokens,
        )

        converters.register_converters()
        receivers.connect()
        own_account.register_parts()
        own_company.register_parts()
        housekeeping.register_step("counted acts", lambda now: counted_acts.forget_acts(now=now))
        housekeeping.register_step("calls of friends", calls.forget_calls)
        housekeeping.register_step("marks", marks.forget_marks)
        housekeeping.register_step("halls", lambda now: halls.forget_halls(now=now))
        housekeeping.register_step("unused guests", lambda now: players.forget_unused_guests(now=now))
        housekeeping.register_step("idle guests", lambda now: players.close_idle_guests(now=now))
        housekeeping.register_step("house players", lambda now: players.forget_unused_house_players(now=now))
        housekeeping.register_step("sessions", lambda now: sessions.forget_ended_sessions(now=now))
        housekeeping.register_step("devices", lambda now: push_devices.forget_ended_devices(now=now))
        housekeeping.register_step("messages to devices", lambda now: push_messages.forget_messages(now=now))
        housekeeping.register_step("sent mails", lambda now: mail.forget_sent_mails(now=now))
        housekeeping.register_step("keys of programs", lambda now: tokens.forget_tokens(now=now))
