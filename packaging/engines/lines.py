"""README's lines for Python: each reads all tables in a process of its own, since
some modules do not bear each other in one."""

import importlib
import json
import re
import subprocess
import sys

import pyarrow.types as pt

README_FOLDER = "demo/data/lake/clients_daily/v6"


def blocks(readme, language):
    lines = []
    for block in re.findall(rf"^```{language}\n(.*?)^```$", readme, re.M | re.S):
        lines += block.splitlines()
    return lines


def summed(table):
    """A column to sum up, whose name needs no quotes, and whether it is a number: of a text the lengths count."""
    numbers = [f.name for f in table.schema if pt.is_integer(f.type) and f.name.isidentifier()]
    texts = [f.name for f in table.schema if pt.is_string(f.type)]
    return (numbers[0], True) if numbers else (texts[0], False)


def question(table):
    """The question in SQL, which each line answers in its own way."""
    column, number = summed(table)
    what = column if number else f"length({column})"
    return f"SELECT count(*), sum({what}), min({table.day}), max({table.day}), count(DISTINCT {table.day}) FROM {table.name}"


def ask(line, tables):
    """The answers of a line, {table: [rows, sum, first day, last day, days]}."""
    calls = {t.name: [line.replace(README_FOLDER, str(t.folder)), *summed(t), t.day] for t in tables}
    done = subprocess.run([sys.executable, __file__, json.dumps(calls)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{line}: {done.stderr[-1500:]}")
    return json.loads(done.stdout)


def columns(result, names):
    """The values of columns of what a line gave; all others are read, too."""
    if hasattr(result, "collect"):  # polars
        result = result.collect()
        return [result[n].to_list() for n in names]
    if hasattr(result, "fetchall"):  # DuckDB
        at = [result.columns.index(n) for n in names]
        rows = result.fetchall()
        return [[row[i] for row in rows] for i in at]
    if hasattr(result, "to_table"):  # pyarrow
        result = result.to_table()
    if hasattr(result, "to_pydict"):  # that, and ClickHouse
        return [result[n].to_pylist() for n in names]
    return [result[n].to_numpy(dtype=object, na_value=None) for n in names]  # a DataFrame


def read(line, column, number, day):
    module = re.match(r"[\w.]*(?=\.)", line)[0]
    importlib.import_module(module)
    root = module.split(".")[0]
    values, days = columns(eval(line, {root: sys.modules[root]}), [column, day])
    sizes = [v if number else len(v) for v in values if v is not None and v == v]
    return [len(values), int(sum(sizes)), str(min(days)), str(max(days)), len(set(days))]


if __name__ == "__main__":
    print(json.dumps({name: read(*call) for name, call in json.loads(sys.argv[1]).items()}))
