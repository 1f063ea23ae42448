"""Publishing versions of a day under the eyes of readers."""

import subprocess
import threading

import duckdb
from tables import pingmill

DAY = "20180302"
# Of a version: rows, rows by their times, and samples. Another version has another answer, and so has a mix of two.
QUESTIONS = {
    "main_summary": f"SELECT count(*), sum(timestamp % 1000003), count(DISTINCT sample_id) FROM main_summary WHERE submission_date_obj = '{DAY}'",
    "clients_daily": f"SELECT count(*), sum(subsession_hours_sum), count(DISTINCT sample_id) FROM clients_daily WHERE submission_date_obj = '{DAY}'",
}


def answer(rows):
    return [str(v) for v in rows[0]]


def published(table, local=str):
    """What is published now: of the files that the manifest lists, whose place on this machine local says."""
    files = [local(f) for f in pingmill("tables", "--files", table, "--from", DAY, "--to", DAY).split()]
    with duckdb.connect() as db:
        db.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet({files}, union_by_name = true, hive_partitioning = false)")
        return answer(db.execute(QUESTIONS[table]).fetchall())


class Publisher(threading.Thread):
    """Publishes the day in versions with ever more pings, and knows what each of them answers."""

    def __init__(self, folder, versions, seed, local=str):
        super().__init__()
        self.versions, self.local = [], local
        for n in range(versions):
            file = folder / f"more-{seed + n}.ndjson"
            with open(file, "w") as out:
                subprocess.run(["pingmill", "generate", "--form", "pings", "--days", "1", "--start", DAY, "--clients", "8", "--seed", str(seed + n)], stdout=out, stderr=subprocess.DEVNULL, check=True)
            self.versions.append(file)
        self.right = {t: [published(t, local)] for t in QUESTIONS}
        self.error = None

    def run(self):
        try:
            for file in self.versions:
                subprocess.run(["pingmill", "load", str(file)], check=True, capture_output=True)
                subprocess.run(["pingmill", "run", "main_summary", "--date", DAY, "--downstream"], check=True, capture_output=True)
                for table in QUESTIONS:
                    self.right[table].append(published(table, self.local))
        except subprocess.CalledProcessError as e:
            self.error = f"{e}: {e.stderr[-500:]}"


def watch(publisher, ask):
    """Asks, while versions are published, until all are: per table the queries, those that failed, and the mixed ones."""
    publisher.start()
    seen = {t: [] for t in QUESTIONS}
    while publisher.is_alive():
        for table, sql in QUESTIONS.items():
            try:
                seen[table].append(answer(ask(sql)[1]))
            except Exception as e:  # counted, with its message
                seen[table].append(e)
    publisher.join()
    if publisher.error:
        raise RuntimeError(publisher.error)
    out = {}
    for table, answers in seen.items():
        failed = [str(a) for a in answers if isinstance(a, Exception)]
        mixed = [a for a in answers if not isinstance(a, Exception) and a not in publisher.right[table]]
        versions = len({tuple(a) for a in answers if not isinstance(a, Exception)})
        out[table] = {"queries": len(answers), "versions": versions, "failed": failed, "mixed": mixed}
    return out
