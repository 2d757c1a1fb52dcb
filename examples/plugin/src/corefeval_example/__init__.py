"""A measure and a format for corefeval, as another package would bring them."""
