"""Building blocks that formats share; formats themselves don't know each other."""
