"""How a number was made, in one line that can be read back."""

from __future__ import annotations

from corefeval._lazy import NamedTuple
from corefeval.errors import OptionError
from corefeval.measures.parameters import escape, unescape
from corefeval.options import Options

_ALWAYS = ("match", "zeros", "singletons", "duplicates", "average")
"""Decisions that are written always; the others where they are not those of the default profile."""

_ESCAPES = {"%": "%25", "|": "%7C", "\n": "%0A", "\r": "%0D"}
"""What a regular expression among the decisions may have, and a signature must not."""


class Signature(NamedTuple):
    """Everything that decides a score, beside the data.

    `str(signature)` writes it, `Signature.parse(text)` reads it, and `corefeval.score(key, response,
    **signature.options())` evaluates in the same way again.
    """

    version: str
    measures: tuple[str, ...]
    decisions: Options
    documents: int

    def __str__(self) -> str:
        unusual = self._find_unusual_decisions()
        decisions = [(name, value) for name, value in self.decisions._asdict().items() if name in {*_ALWAYS, *unusual}]
        return "|".join((
            f"corefeval:{self.version}",
            f"measures:{'+'.join(self.measures)}",
            *(f"{name}:{escape(value, _ESCAPES)}" for name, value in decisions),
            f"documents:{self.documents}",
        ))  # fmt: skip

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Return the signature that a text in one line or several holds; an OptionError if it holds none."""
        line = "".join(map(str.strip, text.splitlines()))
        fields = dict(item.partition(":")[::2] for item in line.split("|"))
        try:
            return cls(
                version=fields["corefeval"],
                measures=tuple(fields["measures"].split("+")),
                decisions=Options(
                    **{
                        name: unescape(fields[name], _ESCAPES)
                        for name in Options._fields
                        if name in {*_ALWAYS, *fields}
                    }
                ),
                documents=int(fields["documents"]),
            )
        except (KeyError, ValueError) as error:
            raise OptionError(f"{text!r} is not a corefeval signature ({error})") from None

    def options(self) -> dict[str, object]:
        """Return a dict of keywords for `corefeval.score`: the measures, and decisions unlike the default profile's.

        What the default profile decides anyway is left to it: a decision that is given says that someone has taken it,
        and what would be told about it is not told then.
        """
        return {"measures": list(self.measures), **self._find_unusual_decisions()}

    def _find_unusual_decisions(self) -> dict[str, str]:
        """Return the decisions whose values are not the default profile's, by name."""
        usual = Options()._asdict()
        return {name: value for name, value in self.decisions._asdict().items() if value != usual[name]}
