"""Addresses that let somebody in, one of each route, from the URL map itself (AT10)."""

from collections.abc import Iterator

from django.urls import URLResolver, get_resolver

from players.converters import TokenConverter

SECRET = "s3cr3t-0f-s0mebody"
OF_ACCOUNTS = (f"/account/confirm-email/{SECRET}/", f"/account/password/reset/key/{SECRET}-1/")


def list_secret_paths() -> list[str]:
    """Return a path of every route with a token, and of those by which an account is taken."""
    own = [path for path in _list_paths(get_resolver(), "/") if SECRET in path]
    assert len(own) >= 8, "the routes aren't read"
    return [*own, *OF_ACCOUNTS]


def _list_paths(resolver: URLResolver, before: str) -> Iterator[str]:
    """Yield a path of each route, with the secret where a token stands."""
    for one in resolver.url_patterns:
        path = before + str(one.pattern)
        for name, converter in one.pattern.converters.items():
            kind, value = ("token", SECRET) if isinstance(converter, TokenConverter) else ("id", "a1")
            path = path.replace(f"<{kind}:{name}>", value)
        if isinstance(one, URLResolver):
            yield from _list_paths(one, path)
        else:
            yield path
