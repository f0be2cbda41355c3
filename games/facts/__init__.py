"""Facts of finished matches, a row a seat: counted once from the record, so that a page of statistics costs the same
for ten matches and for ten thousand."""
