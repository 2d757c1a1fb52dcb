"""One side of an evaluation: mentions as columns, and what surrounds them."""
