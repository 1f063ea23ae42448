"""Runs one job with ClickHouse (chdb) or polars on one thread. The job is JSON on standard input; the result is JSON on standard output."""

import json
import resource
import sys
import time


def used():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


def clickhouse(job):
    """Executes statements in a folder; the last one gives rows as CSV."""
    import chdb  # noqa: F401  what is measured begins with its library loaded
    from chdb import session

    def run():
        s = session.Session(job["folder"])
        each = []
        for statement in job["statements"]:
            before = used()
            out = s.query(statement, "CSV")
            each.append(used() - before)
        text = out.bytes().decode()
        s.close()
        return {"csv": text, "each": each}

    return run


def polars(job):
    """Makes clients_daily, one file of main_summary after the other."""
    import os
    from pathlib import Path

    os.environ["POLARS_MAX_THREADS"] = "1"
    import polars as pl

    def counts(keep):
        e = pl.element()
        each = pl.element().filter(keep(e.struct.field("source")) & (e.struct.field("count") > 0)).struct.field("count").sum()
        return pl.col("search_counts").list.eval(each).list.first().fill_null(0).sum()

    def first(e):
        return e.drop_nulls().first()

    def total(e):
        return pl.when(e.count() > 0).then(e.sum())  # null if all are

    def column(c):
        name, rule, source = c["name"], c["rule"], pl.col(c["source"]) if c["source"] else None
        found = pl.col("country") != "??"
        if rule == "place" and name == "country":
            return first(pl.col("country").filter(found))
        if rule == "place":
            return first(pl.col(name).fill_null("??").filter(found))
        if rule in ("first", "partition"):
            return first(source)
        if rule == "total":
            return total(source)
        if rule == "mean":
            return source.mean()
        if rule == "max":
            return source.max()
        if rule == "hours":
            return total((source.cast(pl.Int64) * 1_000_000 + 1800) // 3600) / 1e6
        if rule == "combined":
            a, b = c["source"].split(", ")
            return total(pl.col(a) + pl.col(b))
        if rule == "searches":
            return counts(lambda s: s == c["arg"])
        places = ["abouthome", "contextmenu", "newtab", "searchbar", "system", "urlbar"]
        day = pl.col("subsession_start_date").str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False).cast(pl.Int64)
        return {
            "active_hours_sum": total(pl.col("active_ticks")) / 720,
            "experiments": first(pl.col("experiments")),
            "pings_aggregated_by_this_row": pl.col("document_id").n_unique(),
            "profile_age_in_days": first(day - pl.col("profile_creation_date")),
            "profile_creation_date": first(pl.col("profile_creation_date")).cast(pl.Int32).cast(pl.Date).dt.strftime("%Y-%m-%d 00:00:00"),
            "search_count_all": counts(lambda s: s.is_in(places)),
            "sessions_started_on_this_day": (pl.col("subsession_counter") == 1).sum(),
        }[name]

    def run():
        exprs = [column(c).alias(c["name"]) for c in job["columns"]]
        Path(job["output"]).mkdir(parents=True)
        rows = 0
        for path in sorted(Path(job["input"]).glob("*.parquet")):
            frame = pl.scan_parquet(path).group_by("client_id").agg(exprs).collect()
            frame.write_parquet(Path(job["output"]) / path.name, compression="zstd", compression_level=1)
            rows += frame.height
        return {"rows": rows}

    return run


def main():
    job = json.load(sys.stdin)
    run = {"clickhouse": clickhouse, "polars": polars}[job["tool"]](job)
    before, start = used(), time.monotonic()
    result = run()
    result |= {"seconds": used() - before, "wall": time.monotonic() - start, "peak": peak()}
    json.dump(result, sys.stdout)


main()
