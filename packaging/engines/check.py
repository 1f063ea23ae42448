"""Reads the tables of a demo with other engines, as README and docs/engines.md say,
and compares what they read with pingmill and DuckDB.

Called by try-engines.sh, with the folders of the sources, of the demo, of what
was fetched and of Trino's server, and the jar of its command line. Exits with 1 if anything is wrong."""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import bucket
import duckdb
import lines
import queries
import spark
import tables as lake
import trino
from publisher import QUESTIONS, Publisher, answer, watch

SOURCES, WORK, CACHE, TRINO, CLI = (pathlib.Path(a).resolve() for a in sys.argv[1:6])
PORT = 9280
VERSIONS = int(os.environ.get("ENGINES_VERSIONS", "8"))
PARTS = os.environ.get("ENGINES_PARTS", "python_lines try_bucket try_trino try_spark").split()
NAMED = "clients_daily"  # the table that README's lines name
DERBY = 32672  # characters of a column's type that Hive's metastore keeps in Derby
DATA = WORK / "demo/data"

tried, wrong = 0, []
begun = time.monotonic()


def say(text):
    print(f"[{time.monotonic() - begun:4.0f} s] {text}", flush=True)


def expect(what, good, detail=""):
    global tried
    tried += 1
    if not good:
        wrong.append(what)
        say(f"WRONG {what} {detail}")
    return good


@functools.cache
def with_duckdb(table, digits):
    """The checksums that DuckDB has by the printed view, and nothing of pingmill, with times of this number of decimals.
    Until something is published."""
    with duckdb.connect() as db:
        [view] = table.statements("duckdb", str(DATA))
        db.execute(view)
        read = db.execute(f"SELECT * FROM {table.name}")
        return lake.checksums(table.schema, [c[0] for c in read.description], iter(read.fetchone, None), digits)


def compare(engine, all_tables, checksums, digits=6):
    """Every column of every table, as the engine reads it and as DuckDB does."""
    for table in all_tables:
        want = with_duckdb(table, digits)
        other = lake.differences(want, checksums(table))
        expect(f"{engine}: {table.name}", not other, f"other values in {other[:9]}")
    say(f"{engine}: {len(all_tables)} tables with the checksums of DuckDB, column by column")


def answers(all_tables, ask):
    """The answers to one question of each table, for what reads a table again in another way: {name: row}."""
    rows = {t.name: ask(lines.question(t)) for t in all_tables}
    return {name: [v if n in (2, 3) else int(v or 0) for n, v in enumerate(row)] for name, row in rows.items()}


def pingmill_answers(all_tables):
    return answers(all_tables, lambda sql: list(json.loads(lake.pingmill("query", "--format", "json", sql))[0].values()))


def ask_again(engine, all_tables, ask):
    want, got = pingmill_answers(all_tables), answers(all_tables, lambda sql: ask(sql)[1][0])
    for name in want:
        expect(f"{engine}: {name}", got[name] == want[name], f"{got[name]}, not {want[name]}")
    say(f"{engine}: {len(want)} tables with the rows and a sum of pingmill")


def python_lines(readme, all_tables):
    want = pingmill_answers(all_tables)
    for line in lines.blocks(readme, "python"):
        engine = line.split("(")[0]
        got = lines.ask(line, all_tables)
        for name in want:
            expect(f"{engine}: {name}", got[name] == want[name], f"{got[name]}, not {want[name]}")
        say(f"{engine}: {len(want)} tables")


def shell_line(readme, engine):
    """Runs README's line for a shell, as it is."""
    [line] = [s for s in lines.blocks(readme, "sh engines") if s.rsplit("| ", 1)[1].split()[0] == engine]
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{line}: {done.stdout[-500:]} {done.stderr[-1500:]}")


def under_publications(engine, ask, seed, local=str, whole=True):
    """Queries while versions of a day are published, which has new samples each time. whole says
    that they are published in one step, so that no query may see two."""
    publisher = Publisher(WORK, VERSIONS, seed, local)
    samples = publisher.right["main_summary"][0][2]
    for table, seen in watch(publisher, ask).items():
        say(f"{engine}: {seen['queries']} queries of {table} under {VERSIONS} publications saw {seen['versions']} versions, {len(seen['failed'])} failed, {len(seen['mixed'])} mixed")
        for message in sorted({m.split(":")[0] for m in seen["failed"]}):
            say(f"  {message}")
        expect(f"{engine}: no mixed versions of {table}", not (whole and seen["mixed"]), seen["mixed"][:3])
        got = answer(ask(QUESTIONS[table])[1])
        expect(f"{engine}: {table} with new samples", got == publisher.right[table][-1], got)
    with_duckdb.cache_clear()
    expect("the day has got samples", publisher.right["main_summary"][-1][2] > samples)


def create(engine, all_tables, root, ask, but=(), edit=lambda statement: statement):
    for table in all_tables:
        if table.name not in but:
            for statement in table.statements(engine, root):
                ask(edit(statement))


def with_microseconds(statement):
    """A statement for a catalog of Trino with hive.timestamp-precision=MICROSECONDS, as docs/engines.md says."""
    return re.sub(r"\bTIMESTAMP\b", "TIMESTAMP(6)", statement)


def try_spark(readme, all_tables):
    shell_line(readme, "spark-sql")
    with spark.Spark(WORK) as s:
        create("spark", all_tables, str(DATA), s.ask, but=[NAMED])
        compare("Spark", all_tables, s.checksums)
        fitting = [t for t in all_tables if max(map(len, t.statements("hive", str(DATA))[0].splitlines())) <= DERBY]
        say(f"Derby cannot keep the types of {[t.name for t in all_tables if t not in fitting]}")
        for engine in ("hive", "athena"):
            s.ask(f"CREATE DATABASE {engine}")
            s.ask(f"USE {engine}")
            create(engine, fitting, str(DATA), s.ask)
        s.ask("USE hive")
        ask_again("Spark with Hive's statements", fitting, s.ask)
        s.ask("USE default")

        def ask(sql):
            for table in QUESTIONS:
                s.ask(f"REFRESH TABLE {table}")
            return s.ask(sql)

        under_publications("Spark", ask, 1000)
    with spark.Spark(WORK) as s:
        ask_again("Spark, a later session", all_tables, s.ask)


def start_trino(catalog):
    shutil.rmtree(TRINO / "etc", ignore_errors=True)
    return trino.Trino(TRINO, trino.java_home(24), PORT, WORK / "trino", {"hive": catalog})


def everything(server, table, digits=6):
    return lake.checksums(table.schema, *server.ask(f"SELECT * FROM {table.name}"), digits)


def try_bucket(_, all_tables):
    """The same tables in a bucket: Trino and Spark read there what DuckDB reads on the disk."""
    with bucket.Gateway(CACHE / "bin/versitygw", WORK / "buckets", PORT + 1) as g:
        g.fill(WORK / "demo/pings.ndjson")
        with spark.Spark(WORK, g.spark_conf(CACHE / "s3a")) as s:
            s.ask("CREATE DATABASE bucket")
            s.ask("USE bucket")
            create("spark", all_tables, bucket.ROOT.replace("s3:", "s3a:"), s.ask)
            compare("Spark, in a bucket", all_tables, s.checksums)
        with start_trino(g.trino_catalog() + "hive.timestamp-precision=MICROSECONDS\n") as t:
            t.ask("CREATE SCHEMA hive.default")
            create("trino", all_tables, bucket.ROOT, t.ask, edit=with_microseconds)
            compare("Trino, in a bucket", all_tables, lambda table: everything(t, table))
            under_publications("Trino, in a bucket", t.ask, 3000, g.local, whole=False)


def try_trino(readme, all_tables):
    command = WORK / "bin/trino"
    command.write_text(f'#!/bin/sh\nexec "{trino.java_home(24)}/bin/java" -jar "{CLI}" --server http://127.0.0.1:{PORT} "$@"\n')
    command.chmod(0o755)
    with start_trino(trino.local_catalog(WORK / "demo")) as t:
        t.ask("CREATE SCHEMA hive.default")
        shell_line(readme, "trino")
        t.ask("CREATE SCHEMA hive.presto")
        create("trino", all_tables, "local:///data", t.ask, but=[NAMED])
        create("presto", all_tables, "local:///data", lambda sql: t.ask(sql, "presto"))

        compare("Trino", all_tables, lambda table: everything(t, table, 3), 3)
        ask_again("Trino with Presto's statements", all_tables, lambda sql: t.ask(sql, "presto"))
        all_queries = queries.all_queries(SOURCES)
        for name, sql in all_queries:
            problem, note = queries.compare(sql, t.ask)
            expect(f"Trino: query {name}", not problem, problem)
            if note:
                say(f"  {name}: {note}")
        say(f"Trino: {len(all_queries)} queries, word for word")
        under_publications("Trino", t.ask, 2000)
        ask_again("Trino, afterwards", all_tables, t.ask)
        ask_again("Trino with Presto's statements, afterwards", all_tables, lambda sql: t.ask(sql, "presto"))


def main():
    os.chdir(WORK)
    os.environ["PINGMILL_DATA"] = str(DATA)
    os.environ["PATH"] = f"{WORK}/bin:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    readme = (SOURCES / "README.md").read_text()
    all_tables = lake.tables(str(DATA))
    missing = {"main_summary", "addons", "clients_daily", "search_clients_daily", "search_aggregates", "crash_summary", "longitudinal"}
    missing -= {t.name for t in all_tables}
    expect("the tables of a demo", not missing, f"{missing} are missing")
    for part in (python_lines, try_bucket, try_trino, try_spark):
        if part.__name__ in PARTS:
            part(readme, all_tables)
    say(f"{tried - len(wrong)} of {tried} comparisons hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
