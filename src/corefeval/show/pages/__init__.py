"""A page that shows where a response errs: scores, errors, text, entities, documents, two systems side by side.

`write` makes one file that needs nothing else, or a folder. What is shown is gathered in `content/`; how it looks is in
`template.html`, `style/` and `bundle/`, which `scripts/build-web` makes of the modules in `web/`.
"""

from corefeval.show.pages.writing import WrittenPage, write

__all__ = ["WrittenPage", "write"]
