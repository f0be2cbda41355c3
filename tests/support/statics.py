"""Static files for the tests: each is looked for when it is asked for; no list of all is made at every new client."""

from django.contrib.staticfiles import finders
from servestatic.middleware import ServeStaticMiddleware


class FoundWhenAsked(ServeStaticMiddleware):
    """Knows the folders alone: with SERVESTATIC_AUTOREFRESH the list, a tenth of a second each, isn't read anyway."""

    def add_files_from_finders(self) -> None:
        for finder in finders.get_finders():
            for storage in finder.storages.values():  # type: ignore[attr-defined]
                self.insert_directory(storage.location, self.static_prefix)
