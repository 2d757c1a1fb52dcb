"""From two corpora to scores."""
