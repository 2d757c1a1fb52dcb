"""Text that a language model has changed, read by corefeval and by the official cleaner of CRAC's shared task.

    python benchmarks/cleaning.py --cleaner .../text2text-coref [--key FILE] [--files 1000] [--seed 1] [--words 250]

Takes passages of a key as CRAC's plaintext, and corrupts them: words inserted, deleted, changed and recased, sentences
missing or repeated, text before and behind, tags unbalanced, all at several rates. Each file is read back in both ways:
by corefeval as it is, and by the cleaner followed by the rules of its conversion to CoNLL-U. Compared are the mentions
that are in their place again, and CoNLL. Nothing of the cleaner is part of this project.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import corefeval
from corefeval import Corpus
from corefeval.formats.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
RATES = (0.0, 0.0, 0.02, 0.05, 0.15, 0.3)
PREAMBLE = ("Sure", "!", "Here", "is", "the", "text", "with", "tags", ":")
CHATTER = ("I", "hope", "this", "helps", ".", "Let", "me", "know", "if", "you", "need", "anything", "else", "!")


class Word(NamedTuple):
    """A word and its tags; `##` is a zero."""

    form: str
    tags: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.form}|{','.join(self.tags)}" if self.tags else self.form


Sentences = list[list[Word]]


def load_cleaner(folder: Path) -> Any:
    """Return the cleaner's module, given a checkout; it needs nothing beside Python."""
    spec = importlib.util.spec_from_file_location("output_cleaner", folder / "src/text2text_coref/output_cleaner.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def list_passages(corpus: Corpus, rng: Random, words: int) -> Iterator[tuple[Sentences, Corpus]]:
    """Passages of a key, without end: sentences of tagged words, zeros among them in some, and the key of each."""
    assert corpus.tokens is not None
    while True:
        document = rng.randrange(len(corpus.documents))
        sentences = corpus.tokens.sentences(document)
        first = rng.randrange(len(sentences))
        lengths = [0]
        for sentence in sentences:
            lengths.append(lengths[-1] + len(sentence))
        last = first
        while last < len(sentences) and lengths[last] - lengths[first] < words:
            last += 1
        here, begin, end = sentences[first:last], lengths[first], lengths[last]
        spans = corpus.select_documents((corpus.documents[document],))
        columns = spans.own_spans.start.tolist(), spans.own_spans.end.tolist(), spans.entity.tolist()
        found = {
            (a - begin, b - begin): int(entity) for a, b, entity in zip(*columns, strict=True) if begin <= a <= b < end
        }
        if found:
            yield make_passage(here, found, rng)


def make_passage(
    sentences: list[list[str]], spans: dict[tuple[int, int], int], rng: Random
) -> tuple[Sentences, Corpus]:
    """A passage with tags, some zeros put in, and its key."""
    often = rng.choice((0.0, 0.0, 0.03))
    forms = [word.replace("|", "/") for sentence in sentences for word in sentence]
    number = [place for place, sentence in enumerate(sentences) for _ in sentence]
    new: list[str] = []
    place, sentence_of, empty, zeros = [], [], [], []
    for form, sentence in zip(forms, number, strict=True):
        place.append(len(new))
        new.append(form)
        sentence_of.append(sentence)
        empty.append(False)
        if rng.random() < often:
            zeros.append(len(new))
            new.append("_")
            sentence_of.append(sentence)
            empty.append(True)
    entities = sorted(set(spans.values()))
    mentions = {(place[a], place[b]): entity for (a, b), entity in spans.items()}
    mentions.update({(zero, zero): rng.choice(entities) for zero in zeros})
    tags: defaultdict[int, list[str]] = defaultdict(list)
    for (a, b), entity in sorted(mentions.items(), key=lambda each: (each[0][0], -each[0][1])):
        if a == b:
            tags[a].append(f"[e{entity}]")
        else:
            tags[a].append(f"[e{entity}")
            tags[b].append(f"e{entity}]")
    tagged: Sentences = [[] for _ in sentences]
    for at, (form, sentence, zero) in enumerate(zip(new, sentence_of, empty, strict=True)):
        tagged[sentence].append(Word("##" if zero else form, tuple(tags[at])))
    return tagged, build_corpus(new, empty, mentions)


def build_corpus(words: list[str], empty: list[bool], mentions: dict[tuple[int, int], int] | list[Any]) -> Corpus:
    """A corpus of one document."""
    draft = Draft("benchmark")
    document = draft.add_document("d", words=words, empty=empty)
    for span, entity in mentions.items() if isinstance(mentions, dict) else mentions:
        document.add_mention(str(entity), span)
    return draft.build_corpus()


def corrupt(sentences: Sentences, rng: Random, vocabulary: list[str]) -> tuple[list[Word], str]:
    """A passage as a language model might give it back, and what was done to it."""
    names = ("insert", "delete", "change", "recase", "retag", "sentence")
    rates = {name: rng.choice(RATES) for name in names}
    rates["sentence"] /= 2
    found: list[Word] = []
    for sentence in sentences:
        times = 1
        if rng.random() < rates["sentence"]:
            times = rng.choice((0, 2))
        for _ in range(times):
            for word in sentence:
                found += _corrupt_word(word, rng, rates, vocabulary)
    if rng.random() < 0.1:
        found = [*map(Word, PREAMBLE), *found]
    if rng.random() < 0.1:
        found += map(Word, CHATTER)
    if rng.random() < 0.1:
        found = found[: rng.randint(len(found) // 2, len(found))]
        rates["cut"] = 1
    return found, " ".join(f"{name}:{rate:g}" for name, rate in rates.items() if rate)


def _corrupt_word(word: Word, rng: Random, rates: dict[str, float], vocabulary: list[str]) -> list[Word]:
    if rng.random() < rates["delete"]:
        return []
    form, tags = word
    if form != "##" and rng.random() < rates["change"]:
        form = rng.choice((rng.choice(vocabulary), form + "s", form[:-1] or "x", form[::-1]))
    if form != "##" and rng.random() < rates["recase"]:
        form = rng.choice((form.upper(), form.lower(), form.capitalize()))
    if tags and rng.random() < rates["retag"]:
        kept = list(tags)
        at = rng.randrange(len(kept))
        kept[at : at + 1] = rng.choice(([], [kept[at].strip("[")], [kept[at].strip("]")]))
        tags = tuple(tag for tag in kept if "[" in tag or "]" in tag)
    found = [Word(form, tags)]
    if rng.random() < rates["insert"]:
        found.append(Word(rng.choice(vocabulary)))
    return found


def read_cleaned(text: str) -> Corpus:
    """The corpus of a text that the cleaner gave back, by the rules of its conversion to CoNLL-U."""
    words, empty = [], []
    opened: defaultdict[str, list[int]] = defaultdict(list)
    mentions = []
    for place, written in enumerate(text.split(" ")):
        form, bar, tags = written.partition("|")
        words.append("_" if form.startswith("##") else form)
        empty.append(form.startswith("##"))
        for tag in tags.split(",") if bar else ():
            entity = tag.replace("[", "").replace("]", "")
            if not entity:
                continue
            if tag.startswith("["):
                opened[entity].append(place)
            if tag.endswith("]") and opened[entity]:
                mentions.append(((opened[entity].pop(), place), entity))
    return build_corpus(words, empty, list(dict.fromkeys(mentions)))


def measure(key: Corpus, response: Corpus) -> tuple[int, float]:
    """How many mentions of the key are found, and CoNLL."""
    evaluation = corefeval.score(key, response, measures=["mentions", "conll"], max_change="1", words="letters")
    return int(evaluation["mentions"].recall_numerator), evaluation["conll"].f1


def main() -> None:
    """Print how often corefeval does better, as well, and worse, and how long both take."""
    warnings.simplefilter("ignore", corefeval.CorefevalWarning)
    parser = argparse.ArgumentParser()
    parser.add_argument("--cleaner", type=Path, required=True)
    parser.add_argument("--key", default=str(HERE.parents[1] / "shared/data/litbank/key.conll.gz"))
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--words", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="how many files to name where corefeval does worse")
    given = parser.parse_args()
    cleaner, rng = load_cleaner(given.cleaner), Random(given.seed)
    corpus = corefeval.read(given.key)
    assert corpus.tokens is not None
    vocabulary = sorted({word for document in range(10) for word in corpus.tokens.words(document)} - {"|"})
    outcomes: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    totals: defaultdict[str, float] = defaultdict(float)
    passages = list_passages(corpus, rng, given.words)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.files):
            words: list[Word] = []
            while not words:  # nothing at all is no file
                sentences, key = next(passages)
                words, what = corrupt(sentences, rng, vocabulary)
            text = " ".join(map(str, words))
            file = Path(folder) / "d.crac"
            file.write_text(text + "\n")
            gold = [[word.form for word in sentence if word.form != "##"] for sentence in sentences]
            start = time.process_time()
            cleaned = clean(cleaner, text, gold)
            between = time.process_time()
            ours = measure(key, corefeval.read(file, "crac"))
            totals["seconds, cleaner"] += between - start
            totals["seconds, corefeval, scoring included"] += time.process_time() - between
            theirs = (0, 0.0) if cleaned is None else measure(key, read_cleaned(cleaned))
            totals["crashes of the cleaner"] += cleaned is None
            totals["mentions"] += len(key)
            totals["mentions, corefeval"] += ours[0]
            totals["mentions, cleaner"] += theirs[0]
            totals["conll, corefeval"] += ours[1]
            totals["conll, cleaner"] += theirs[1]
            losses = any(each in what for each in ("retag", "delete", "cut"))
            damaged = "tags lost or unbalanced" if losses else "words changed only"
            for name, one, other in zip(("mentions", "conll"), ours, theirs, strict=True):
                outcome = "better" if one > other + 1e-12 else "worse" if one < other - 1e-12 else "equal"
                counts = outcomes[damaged, name]
                counts[outcome] += 1
                if outcome == "worse" and counts["worse"] <= given.show:
                    print(f"file {number}: {name} {one} beside {other} ({what})")
    for (damaged, name), counts in sorted(outcomes.items()):
        print(f"{damaged}, {name}: {', '.join(f'{each} {counts[each]}' for each in ('better', 'equal', 'worse'))}")
    for name, total in totals.items():
        print(f"  {name}: {total:.1f}")


def clean(cleaner: Any, text: str, gold: list[list[str]]) -> str | None:
    """The text as the cleaner gives it back; None if it crashes."""
    try:
        cleaned: str = cleaner.clean_data([text], [gold], gold_zeros=False)[0]
    except Exception:  # noqa: BLE001 - whatever it raises
        return None
    return cleaned


if __name__ == "__main__":
    main()
