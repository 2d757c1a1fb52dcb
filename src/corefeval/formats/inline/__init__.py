"""Texts with mentions marked in them, as language models write them: a module for each notation, and what all share."""
