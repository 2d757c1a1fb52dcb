"""Corpora that do not fit: a directory of many small files, and files larger than the memory that is allowed.

python benchmarks/large.py directory --files 20000
python benchmarks/large.py memory --gigabytes 2
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from corefeval import read, write
from corpora import Size, files

SUFFIXES = {"conll": "conll", "corefud": "conllu", "jsonlines": "jsonl", "ua": "conllua"}

READ = """
import os, sys
total = 0
for name in sys.argv[1:]:
    for folder, _, inside in os.walk(name):
        for file in inside:
            with open(os.path.join(folder, file), "rb") as stream:
                total += len(stream.read())
print(total)
"""
SCORE = (sys.executable, "-m", "corefeval", "score", "-b")


def make_directory(folder: Path, count: int, format_: str) -> tuple[Path, Path]:
    """A key and a response of `count` files of one document each, of 60 words and 8 mentions."""
    paths = files(folder, Size(1000, 8, 60))
    sides = folder / "key", folder / "response"
    for path, side in zip(paths, sides, strict=True):
        documents = list(split_documents(path, format_))
        for number in range(count):
            content = documents[number % len(documents)].replace(b"(bench/", b"(bench%d/" % (number // len(documents)))
            target = side / f"{number // 1000:03d}" / f"{number:06d}.{SUFFIXES[format_]}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    return sides


def split_documents(path: Path, format_: str) -> Iterator[bytes]:
    """The content of a file for each document of a CoNLL file, with its twelve columns or in another format."""
    if format_ == "conll":
        yield from (b"#begin document " + content for content in path.read_bytes().split(b"#begin document ")[1:])
        return
    corpus, target = read(path), path.with_suffix(".one")
    for name in corpus.documents:
        write(corpus.select_documents((name,)), target, format_, force=True)
        yield target.read_bytes()


def make_files(folder: Path, size: int) -> tuple[Path, Path]:
    """A key and a response of `size` bytes together, of documents of 960 words and 125 mentions."""
    paths = files(folder, Size(263, 125, 960))
    contents = [path.read_bytes() for path in paths]
    copies = max(1, round(size / sum(map(len, contents))))
    for path, content in zip(paths, contents, strict=True):
        with path.open("wb") as stream:
            for number in range(copies):
                stream.write(content.replace(b"(bench/", b"(bench%d/" % number))
    return paths


def measure(*command: str) -> tuple[float, float, str]:
    """Seconds of a command, peak memory in MB of it and its processes together (Linux), and its output."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(find_memory, [process.pid, *find_children(process.pid)])))
        time.sleep(0.02)
    output = process.stdout.read() if process.stdout else ""
    if process.returncode:
        raise SystemExit(f"{command} failed")
    return time.perf_counter() - begin, peak / 1e6, output.strip()


def find_memory(process: int) -> int:
    """Bytes of memory that a process has and does not share with the one that it was forked from; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def find_children(process: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def time_command(*command: str) -> tuple[float, float]:
    """Seconds that a command takes, and those of processor time, of all its processes and their start."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare_directory(folder: Path, count: int, rounds: int, format_: str) -> None:
    """Print how long it takes to list and read all files in a Python process of its own, and to score them."""
    key, response = map(str, make_directory(folder, count, format_))
    commands = (sys.executable, "-c", READ, key, response), (*SCORE, key, response)
    # In turn, so that both see the same machine; the first round is not counted, for it fills the caches.
    times = [[time_command(*command) for command in commands] for _ in range(rounds + 1)][1:]
    for what, number in (("seconds", 0), ("processor time", 1)):
        reading, scoring = (min(each[command][number] for each in times) for command in (0, 1))
        ratio = scoring / reading
        print(f"{2 * count:,} {format_} files, {what}: reading {reading:.2f}, scoring {scoring:.2f}, {ratio:.2f} times")


def compare_memory(folder: Path, gigabytes: float, limit: str) -> None:
    for share in (0.1, 1):
        paths = make_files(folder, int(gigabytes * share * 1e9))
        size = sum(path.stat().st_size for path in paths)
        key, response = map(str, paths)
        seconds, peak, output = measure(*SCORE, "--memory-limit", limit, key, response)
        print(f"{size / 1e9:.2f} GB, limit {limit}: {seconds:.1f} s, peak {peak:.0f} MB, conll {output}", flush=True)
        if share < 1:
            seconds, peak, output = measure(*SCORE, "--memory-limit", "1TB", key, response)
            print(f"    all at once: {seconds:.1f} s, {peak:.0f} MB at the peak, conll {output}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["directory", "memory"])
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--format", choices=SUFFIXES, default="conll")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gigabytes", type=float, default=2)
    parser.add_argument("--limit", default="1GB")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        if given.what == "directory":
            compare_directory(Path(folder), given.files, given.rounds, given.format)
        else:
            compare_memory(Path(folder), given.gigabytes, given.limit)


if __name__ == "__main__":
    main()
