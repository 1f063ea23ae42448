"""Queries that Trino is asked word for word as pingmill is."""

import json
import re
import subprocess

from tables import pingmill
from trino import Failed

CLOSE = 0.05  # what approx_distinct and approx_percentile may be off by; pingmill's are exact


def all_queries(sources):
    """The examples of the program, and the queries of reference.sql: (name, SQL)."""
    examples = json.loads(subprocess.check_output(["go", "run", "./packaging/engines"], cwd=sources))
    reference = (sources / "packaging/engines/reference.sql").read_text()
    named = re.findall(r"^-- (.*)\n((?:SELECT|WITH)[^;]*);", reference, re.M)
    return [*examples.items(), *named]


def compare(sql, ask):
    """What is wrong with an answer of another engine, if anything, and what is to be said about it."""
    want = [list(r.values()) for r in json.loads(pingmill("query", "--format", "json", "--all-days", sql))]
    try:
        _, rows = ask(sql)
    except Failed as e:
        if not want and "TABLE_NOT_FOUND" in str(e):
            return "", "its table has no files in a demo"
        return str(e), ""
    if len(rows) != len(want):
        return f"{len(rows)} rows, not {len(want)}", ""
    for tolerance in (1e-9, CLOSE):
        for order in (list, lambda r: sorted(r, key=repr)):
            if all(same(a, b, tolerance) for a, b in zip(order(want), order(rows))):
                return "", "approximate numbers are within 5 %" if tolerance == CLOSE else ""
        if "approx_" not in sql:
            break
    return next((f"{b}, not {a}" for a, b in zip(want, rows) if not same(a, b, 1e-9)), "another order"), ""


def same(a, b, tolerance):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y, tolerance) for x, y in zip(a, b))
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    try:
        return abs(float(a) - float(b)) <= tolerance * max(1, abs(float(a)))
    except (TypeError, ValueError):
        return a == b
