"""How well annotators agree: by measures, above chance, and mention by mention."""
