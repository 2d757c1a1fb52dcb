"""A session of Spark for all tests of engines, for it starts slowly."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="package")
def spark() -> Iterator[Any]:
    """A session of Spark in local mode; skips where no Java machine is at hand."""
    if shutil.which("java") is None:
        pytest.skip("there is no Java machine, which Spark needs")
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # of workers; otherwise the first `python3` of the path
    builder = sql.SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "3")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    session = builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR").getOrCreate()
    yield session
    session.stop()
