"""Throttles of the API (AT6): requests of an address without an account, and of an account.

Django REST framework counts them in the cache, by the rates of ``players.caps``.
"""

from typing import Any

from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from players.addresses import name_household
from players.web.addresses import read_client_address


class CappedThrottle(SimpleRateThrottle):
    """Throttle whose rate stands in the settings under its scope; without one it lets everybody pass."""

    def get_rate(self) -> str | None:
        rate = api_settings.DEFAULT_THROTTLE_RATES.get(str(self.scope))
        return None if rate is None else str(rate)


class AddressThrottle(CappedThrottle):
    scope = "address"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if request.user and request.user.is_authenticated:
            return None
        # Not by a header that anybody can write: the server knows the address from the proxies it trusts.
        return self.cache_format % {"scope": self.scope, "ident": name_household(read_client_address(request._request))}


class AccountThrottle(CappedThrottle):
    scope = "user"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if not (request.user and request.user.is_authenticated):
            return None
        return self.cache_format % {"scope": self.scope, "ident": request.user.pk}
