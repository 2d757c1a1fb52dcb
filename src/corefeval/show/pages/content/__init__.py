"""The page's data: one versioned JSON object for the report and one for each document; `schema.json` describes them."""

FORMAT = 1
"""The version of the data. It rises when what is there already changes its meaning, its name or its type."""
