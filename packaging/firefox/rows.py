"""Rows of tables, read by pyarrow from the files of the lake."""

import functools
import json
import pathlib
import re
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq


class Tables:
    def __init__(self, program, data, settings):
        self.program, self.data, self.settings = program, pathlib.Path(data), settings

    def command(self, *arguments):
        done = subprocess.run([self.program, *arguments, "--config", self.settings, "--data", self.data], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"pingmill {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    @functools.cache
    def schema(self, name):
        return json.loads(self.command("schema", name, "--format", "json", "--root", self.data))

    @functools.cache
    def rows(self, name):
        """All rows, with maps as dictionaries; none if the table has no file."""
        rows = []
        folder = pathlib.Path(self.schema(name)["location"])
        for file in sorted(f for f in folder.glob("*=*/**/*.parquet") if "_generations" not in f.parts):
            table = pq.ParquetFile(file).read()
            fields = list(table.schema)
            rows += [{f.name: plain(v, f.type) for f, v in zip(fields, row.values())} for row in table.to_pylist()]
        return rows

    def query(self, text):
        return json.loads(self.command("query", "--format", "json", text))


def plain(value, kind):
    """The value with maps, which pyarrow has as pairs, as dictionaries."""
    if value is None:
        return None
    if pa.types.is_map(kind):
        return {k: plain(v, kind.item_type) for k, v in value}
    if pa.types.is_struct(kind):
        return {f.name: plain(value[f.name], f.type) for f in kind}
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [plain(v, kind.value_type) for v in value]
    return value


def column(name):
    """The name of a metric as a column."""
    name = re.sub("[^A-Za-z0-9_]", "_", name)
    name = re.sub("([a-z])([A-Z])", r"\1_\2", name)
    name = re.sub("([A-Z])([A-Z][a-z])", r"\1_\2", name).lower()
    name = re.sub("_+", "_", name).strip("_")
    return "_" + name if name[:1].isdigit() else name
