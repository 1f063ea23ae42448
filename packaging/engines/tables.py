"""What all engines are asked: the tables of an installation, and checksums of
their columns that do not depend on who read them."""

import hashlib
import json
import math
import pathlib
import re
import subprocess
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pyarrow.parquet as pq
import pyarrow.types as pt


def pingmill(*args):
    return subprocess.check_output(["pingmill", *args], text=True, stderr=subprocess.DEVNULL)


class Table:
    """A table or a snapshot: its name, its folder, its Arrow schema, and its day column, or the first one if it has none."""

    def __init__(self, name, data, snapshot=None):
        described = json.loads(pingmill("schema", name, "--format", "json", "--root", data))
        self.name, self.folder, self.snapshot = name, pathlib.Path(described["location"]), snapshot
        if snapshot and not name.endswith(snapshot):
            self.folder /= snapshot
        self.schema = pq.read_schema(next(self.folder.glob("**/*.parquet")))
        self.day = (described["partitionKeys"] or self.schema.names)[0]

    def statements(self, engine, root):
        """The statements of pingmill schema as they are, one by one, with the snapshot filled in."""
        text = pingmill("schema", self.name, "--format", engine, "--root", root)
        if self.snapshot:
            text = re.sub("^--.*\n", "", text).replace("vYYYYMMDD", self.snapshot)
        return [s for s in text.strip().removesuffix(";").split(";\n") if s]


def tables(data):
    """The tables of an installation with rows but for the one that is not for queries; the newest snapshot of a table has two names."""
    listed = pingmill("tables")
    rows = re.findall(r"^(\w+) +v\d+ +\d+ +\d+ +\d{8} +\d{8} +([\d,]+)", listed, re.M)
    named = [Table(name, data) for name, count in rows if count != "0" and name != "longitudinal_pings"]
    [(of, day)] = re.findall(r"^(longitudinal) +\d+ +\d+ +\d{8} +(\d{8})", listed, re.M)
    return [*named, Table(of, data, f"v{day}"), Table(f"{of}_v{day}", data, f"v{day}")]


def rounded(at, digits):
    """A time with this number of decimals of a second."""
    unit = 10 ** (6 - digits)
    return at + timedelta(microseconds=(at.microsecond + unit // 2) // unit * unit - at.microsecond)


def plain(value, typ, digits=6):
    """A value as every engine would have it: structs and maps as lists, numbers by their type, times with this number of decimals."""
    if value is None:
        return None
    if pt.is_struct(typ):
        members = value.values() if isinstance(value, dict) else value
        return [plain(v, f.type, digits) for v, f in zip(members, typ, strict=True)]
    if pt.is_map(typ):
        pairs = value.items() if isinstance(value, dict) else value
        return sorted(([plain(k, typ.key_type, digits), plain(v, typ.item_type, digits)] for k, v in pairs), key=repr)
    if pt.is_list(typ):
        return [plain(v, typ.value_type, digits) for v in value]
    if pt.is_boolean(typ):
        return bool(value)
    if pt.is_integer(typ):
        return int(value)
    if pt.is_floating(typ):
        return "NaN" if math.isnan(float(value)) else float(value)
    if pt.is_decimal(typ):
        return str(Decimal(str(value)).quantize(Decimal(1).scaleb(-typ.scale)))
    if pt.is_timestamp(typ):
        at = datetime.fromisoformat(value) if isinstance(value, str) else value
        at = at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at
        return rounded(at, digits).isoformat(sep=" ", timespec="microseconds")
    return str(value)


def checksums(schema, names, rows, digits=6):
    """Of each column, and of whole rows, the sum of the hashes of the values: {column: hex}."""

    def digest(value):
        return int.from_bytes(hashlib.sha256(repr(value).encode()).digest()[:8], "big")

    lower = [n.lower() for n in names]  # as Trino has them
    order = [lower.index(f.name.lower()) for f in schema]
    sums, count = [0] * (len(order) + 1), 0
    for row in rows:
        values = [plain(row[at], f.type, digits) for at, f in zip(order, schema)]
        for n, v in enumerate([*values, values]):
            sums[n] += digest(v)
        count += 1
    out = {name: f"{s % 2**64:016x}" for name, s in zip([*schema.names, "(row)"], sums)}
    return {"(count)": count} | out


def differences(want, got):
    return [name for name in want if want[name] != got.get(name)]
