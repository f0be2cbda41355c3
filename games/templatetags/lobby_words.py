"""The words of the lobby for templates."""

from django import template

from games.lobby.wording import describe_kind

register = template.Library()

register.filter("kind_said", describe_kind)
