"""Installation, preparation, start and end of the product on one machine."""
