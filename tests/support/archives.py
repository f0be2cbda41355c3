"""Archives of one's own data, as tests read them."""

import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any


def read_zip(pieces: Iterable[bytes]) -> dict[str, Any]:
    """Return the rows of each file of an archive that came in pieces."""
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archive:
        assert archive.testzip() is None
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}
