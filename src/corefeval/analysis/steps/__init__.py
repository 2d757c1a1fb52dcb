"""A score, step by step."""
