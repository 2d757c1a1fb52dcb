"""One table for every result, its writers (text, Markdown, LaTeX, CSV, HTML, JSON, data frames), the base of results.

Nothing here knows coreference: a result builds its tables in its own folder, and these modules write them.
"""
