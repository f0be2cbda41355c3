from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "players"
    verbose_name = _("Persone")

    def ready(self) -> None:
        from players import converters, receivers

        converters.register_converters()
        receivers.connect()
