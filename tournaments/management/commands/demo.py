"""Command that makes a fresh installation playable: the house's standing offers and a tournament of its own. It decides
nothing: ``tournaments.standing_offers`` does."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import standing_offers
from tournaments.models import Tournament
from tournaments.standing_offers import SHORT_SHOWCASE, SHOWCASE, keep_offer_open, start_showcase


class Command(BaseCommand):
    help = (
        "Crea le offerte della casa (KO, girone, coppie) con un posto libero ciascuna, e due suoi tornei già in corso."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="solo se non c'è ancora nessun torneo")

    def handle(self, *args: Any, if_empty: bool, **options: Any) -> None:
        if if_empty and Tournament.objects.exists():
            return
        now = timezone.now()
        if Tournament.objects.filter(standing_offer=True).exists():
            keep_offer_open(now=now)
        else:
            for settings in standing_offers.OFFERS:
                standing_offers.publish_offer(settings, now=now)
        shows = [start_showcase(settings, now=now) for settings in (SHOWCASE, SHORT_SHOWCASE)]
        open_now = ", ".join(offer.name for offer in standing_offers.OFFERS)
        done = _("Offerte aperte: %(offers)s. In corso: %(show)s.")
        self.stdout.write(done % {"offers": open_now, "show": ", ".join(show.name for show in shows)})
