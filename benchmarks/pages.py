"""The page of 100 documents of 2,000 words with 30,000 mentions: how large, how long to write, to open and to scroll.

    python benchmarks/pages.py [DOCUMENTS WORDS MENTIONS]

WORDS and MENTIONS are those of a document. It needs Chromium and Playwright, as the tests of pages do.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

import corefeval
from corefeval import Corpus
from corefeval.corpus.tokens import Tokens
from corefeval.show import pages
from corpora import Size, corpus

_SENTENCE = 22  # words
_TEXT_IS_THERE = """() => new Promise((done) => {
  const begin = performance.now();
  location.hash = "#text/3";
  const look = () => (document.querySelector("#sides .m")
    ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)))
    : requestAnimationFrame(look));
  look();
})"""
_FRAMES = """() => new Promise((done) => {
  const times = [];
  const end = document.documentElement.scrollHeight - innerHeight;
  let [last, y] = [performance.now(), 0];
  const step = (now) => {
    times.push(now - last);
    last = now;
    y += 80;
    scrollTo(0, y);
    if (y < end && times.length < 400) requestAnimationFrame(step);
    else done(times.slice(1));
  };
  requestAnimationFrame(step);
})"""


def main() -> None:
    documents, words, mentions = map(int, sys.argv[1:] or ("100", "2000", "300"))
    size = Size(documents, mentions, words)
    key, *responses = (_in_sentences(corpus(size, noise=noise)) for noise in (None, 0.3, 0.15))
    print(f"{documents} documents, {words:,} words each; {len(key):,} mentions in the key")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for count in (1, 2):
            evaluations = {f"r{i}": corefeval.score(key, response) for i, response in enumerate(responses[:count])}
            path = Path(folder) / f"{count}.html"
            begin = time.perf_counter()
            pages.write(evaluations, path)
            print(f"{count} response{'' if count == 1 else 's'}:")
            print(f"  written in {time.perf_counter() - begin:.1f} s, {path.stat().st_size / 1e6:.1f} MB")
            _opened(browser, path)
        browser.close()


def _in_sentences(made: Corpus) -> Corpus:
    assert made.tokens is not None
    words = [made.tokens.words(document) for document in range(len(made.documents))]
    numbers = np.concatenate([np.arange(len(each)) // _SENTENCE for each in words])
    return made.replace(tokens=Tokens.from_words(words, numbers=numbers))


def _opened(browser: Any, path: Path) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    begin = time.perf_counter()
    page.goto(f"file://{path}")
    page.locator("[data-about]").first.click()
    print(f"  opened, and a click answered, in {time.perf_counter() - begin:.2f} s")
    print(f"  a document's text in {page.evaluate(_TEXT_IS_THERE):.0f} ms")
    for name in ("side by side", "overlaid"):
        if name == "overlaid":
            page.locator("#overlaid").check()
        page.evaluate("scrollTo(0, 0)")
        median, most, worst = np.percentile(page.evaluate(_FRAMES), (50, 95, 100))
        print(
            f"  {name}, frames while scrolling: median {median:.0f} ms, 95% under {most:.0f} ms, worst {worst:.0f} ms"
        )


if __name__ == "__main__":
    main()
