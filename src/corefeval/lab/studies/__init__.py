"""One module per study: set-up, claims, source."""
