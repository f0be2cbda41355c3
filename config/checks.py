"""The list of config.safety as Django's deployment checks, and the refusal of an unsafe site to start.

``manage.py check --deploy`` shows them, ids ``smazzata.<name>``, anywhere. In production every process that serves,
works or prepares asks ``refuse_if_unsafe`` first; Django's own deployment checks of security count too. What only a
server can answer is asked by that command and by ``config.launcher.prepare``, not at every start.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register, run_checks

from config.environment import BrokenSetting, read_environment
from config.minimum_versions import find_installed_below
from config.open_redis import lets_anybody_in
from config.safety import DANGERS, find_dangers

SERVERS = "servers"  # tag of what a server is asked for


class Unsafe(BrokenSetting):
    """Production would be unsafe; the text names every reason."""


@register(Tags.security, deploy=True)
def check_safety(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each unsafe thing about this site."""
    return [
        Error(f"{_describe_danger(name)}.", id=f"smazzata.{name}")
        for name in find_dangers(read_environment(), settings)
    ]


@register(SERVERS, deploy=True)
def check_redis(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error if the Redis of REDIS_URL takes its password, and asks nobody for one."""
    url = read_environment().redis_url
    if not urlsplit(url).password or not lets_anybody_in(url):
        return []
    name = "redis_without_password"
    return [Error(f"{_describe_danger(name)}: it lets in whoever gives none.", id=f"smazzata.{name}")]


def _describe_danger(name: str) -> str:
    details = f": {'; '.join(find_installed_below())}" if name == "package_below_floor" else ""
    return DANGERS[name][1] + details


def refuse_if_unsafe() -> None:
    """Raise Unsafe, with every reason in one sentence, if this is production and something about it is unsafe."""
    _refuse(Tags.security)


def refuse_open_servers() -> None:
    """Raise Unsafe if this is production and a server that it uses lets anybody in."""
    _refuse(SERVERS)


def _refuse(tag: str) -> None:
    if not read_environment().production:
        return
    checks = run_checks(tags=[tag], include_deployment_checks=True)
    messages = [message for message in checks if not message.is_silenced()]
    reasons = [f"{message.id} ({str(message.msg).split('. ')[0].rstrip('.')})" for message in messages]
    if reasons:
        raise Unsafe(f"Refused to start, unsafe in production: {'; '.join(reasons)}.")
