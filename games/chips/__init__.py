"""Play chips: a double-entry ledger, stakes at free tables, and what each match moved (Z1-Z5). No money anywhere."""
