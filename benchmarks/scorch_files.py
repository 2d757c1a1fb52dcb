"""scorch on two CoNLL files: its reader and its measures, document by document."""

from __future__ import annotations

import sys

from scorch import conll, scores


def main() -> None:
    documents = [dict(conll.parse_file(open(path, encoding="utf-8"))) for path in sys.argv[1:3]]  # noqa: SIM115, PTH123
    for name, key in documents[0].items():
        sides = [[set(entity) for entity in side.values()] for side in (key, documents[1][name])]
        for measure in (scores.muc, scores.b_cubed, scores.ceaf_m, scores.ceaf_e, scores.blanc):
            measure(*sides)


if __name__ == "__main__":
    main()
