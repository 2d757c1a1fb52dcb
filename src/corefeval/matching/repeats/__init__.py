"""Mentions that stand in several entities of one side."""
