"""Free tables: people sit down, and with the last seat the match opens."""
