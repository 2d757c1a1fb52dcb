"""A page that shows where a response errs: scores, documents, text, entities, two systems side by side.

`write` makes one file that needs nothing else, or a folder. What is shown is gathered here (`overview.py`,
`documents.py`, `errors.py`); how it looks is in `template.html`, `style/` and `script/`.
"""

from corefeval.show.pages.writing import WrittenPage, write

__all__ = ["WrittenPage", "write"]
