"""The room of *Analisi* (HP6): decisions of a finished match looked back at, and the pages that show them."""
