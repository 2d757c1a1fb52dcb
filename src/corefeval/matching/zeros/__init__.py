"""Mentions that are not written in the text."""
