"""The page's data: versioned JSON for the report, for each system's lists, for each document; see `schema.json`."""

FORMAT = 2
"""The version of the data. It rises when what is there already changes its meaning, its name or its type."""
