"""Arrow's own files (.arrow, .feather), in the layout of a file or of a stream, opened without reading them whole."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from corefeval.engines.frames import load_package
from corefeval.errors import Fault, InputError

_FILE_MARK = b"ARROW1"  # how the layout of a file begins; a stream has no mark


def open_batches(path: str) -> Any:
    """Return pyarrow's reader of a file that is mapped into memory: of its batches by number, or of its stream."""
    pyarrow = load_package("pyarrow")
    ipc = import_module("pyarrow.ipc")
    try:
        mapped = pyarrow.memory_map(path)
        return ipc.open_file(mapped) if has_file_layout(path) else ipc.open_stream(mapped)
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(Fault(path, str(error).partition("\n")[0], "an Arrow file or stream")) from None


def has_file_layout(path: str) -> bool:
    """Return whether a file has Arrow's layout of a file, whose batches are found by number."""
    with Path(path).open("rb") as opened:
        return opened.read(len(_FILE_MARK)) == _FILE_MARK


def read_schema(paths: Sequence[str]) -> Any:
    """Return the schema of files; an InputError if one has other columns than the first, or of other types."""
    schema = open_batches(paths[0]).schema
    for path in paths[1:]:
        other = open_batches(path).schema
        if not other.equals(schema):
            shown, expected = (", ".join(f"{each.name} {each.type}" for each in fields) for fields in (other, schema))
            raise InputError(Fault(path, f"columns {shown}", f"those of {paths[0]}: {expected}"))
    return schema


def open_dataset(paths: Sequence[str], folder: str, base: str | None = None) -> Any:
    """Return files as a dataset of pyarrow, which an engine reads batch by batch as often as it needs to.

    folder: where streams, which no dataset reads, are written again in the layout of a file.
    base: the folder of a partitioned table, below which folders such as `region=north` are columns.
    """
    read_schema(paths)
    dataset, filesystem = import_module("pyarrow.dataset"), import_module("pyarrow.fs")
    files = [path if has_file_layout(path) else _write_again(path, base, folder) for path in paths]
    partitions = {"partitioning": "hive", "partition_base_dir": base} if base else {}
    return dataset.dataset(files, format="ipc", filesystem=filesystem.LocalFileSystem(use_mmap=True), **partitions)


def decode_schema(schema: Any) -> Any:
    """Return a schema in which columns of dictionaries, which may differ from batch to batch, have plain values."""
    pyarrow = load_package("pyarrow")
    is_encoded = import_module("pyarrow.types").is_dictionary
    return pyarrow.schema((each.name, each.type.value_type if is_encoded(each.type) else each.type) for each in schema)


def _write_again(path: str, base: str | None, folder: str) -> str:
    """Write the batches of a stream in the layout of a file, one at a time; return the path, of the same partition."""
    ipc = import_module("pyarrow.ipc")
    pyarrow = load_package("pyarrow")
    target = Path(tempfile.mkdtemp(dir=folder), Path(path).relative_to(base) if base else "stream.arrow")
    target.parent.mkdir(parents=True, exist_ok=True)
    reader = open_batches(path)
    schema = decode_schema(reader.schema)
    try:
        with ipc.new_file(str(target), schema) as writer:
            for batch in reader:
                writer.write_table(pyarrow.Table.from_batches([batch]).cast(schema))
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(Fault(path, str(error).partition("\n")[0], "an Arrow file or stream")) from None
    return str(target)
