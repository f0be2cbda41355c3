"""Names of the tournaments that the house opens itself, in the reader's language. What people named stays as it is."""

from django.utils.translation import gettext_lazy as _

HOUSE_TITLES = {
    "KO veloce di scopa": _("KO veloce di scopa"),
    "Girone veloce di tresette": _("Girone veloce di tresette"),
    "Coppie veloci di tresette": _("Coppie veloci di tresette"),
    "KO veloce di asso piglia tutto": _("KO veloce di asso piglia tutto"),
    "KO veloce di briscola": _("KO veloce di briscola"),
    "Coppie veloci di scopone": _("Coppie veloci di scopone"),
    "Girone della casa": _("Girone della casa"),
    "KO lampo della casa": _("KO lampo della casa"),
}


def show_title(title: str) -> str:
    """Return a tournament's name as the reader sees it."""
    return str(HOUSE_TITLES.get(title, title))
