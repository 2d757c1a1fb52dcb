"""Responses that need no system, and scores relative to them."""
