"""Reads files with pyarrow: the types of the columns and the rows of each, as a line of JSON."""

import datetime
import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def plain(v):
    """A value as in the rows of pingmill."""
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, datetime.datetime):
        return v.strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
    return v.isoformat() if isinstance(v, datetime.date) else v


for name in sys.argv[1:]:
    table = pa.ipc.open_stream(name).read_all() if name.endswith(".arrow") else pq.ParquetFile(name).read()
    json.dump({"types": {f.name: str(f.type) for f in table.schema}, "rows": plain(table.to_pylist(maps_as_pydicts="strict"))}, sys.stdout)
    print()
