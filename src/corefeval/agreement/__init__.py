"""How well annotators agree."""
