"""Figures of this process's sockets and hints for whoever runs the site (config/exposition.py). They name nobody."""

from prometheus_client import Counter, Gauge

SOCKETS_OPEN = Gauge("smazzata_sockets_open", "Sockets open in this process.", ["kind"])
HINTS_SENT = Counter("smazzata_hints_sent", "Hints that Redis took.")
HINTS_DROPPED = Counter("smazzata_hints_dropped", "Hints given up: Redis was away, or too many waited.")
PUSHES = Counter("smazzata_pushes", "Messages to devices, by what came of them.", ["outcome"])
PAGES_FROM_MEMORY = Counter("smazzata_pages_from_memory", "Public pages answered without making them anew.")
