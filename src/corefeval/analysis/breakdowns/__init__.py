"""Scores by document, genre, size, type and other fields."""
