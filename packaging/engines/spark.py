"""A Spark session in a process of its own, which is asked over pipes: it dies with its JVM."""

import json
import os
import pathlib
import subprocess
import sys

HEAP = "4g"  # a row of firefox_desktop_metrics has 5,900 values


class Failed(Exception):
    """A statement that Spark did not carry out."""


class Spark:
    """A session whose metastore is in the folder."""

    def __init__(self, folder, conf=None):
        self.folder, self.conf = folder, conf or {}

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, __file__, json.dumps(self.conf)], cwd=self.folder, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(self.folder / "spark.log", "a"),
        )
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def call(self, **what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "Spark has ended: see spark.log"}')
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def ask(self, sql):
        answer = self.call(sql=sql)
        return answer["names"], answer["rows"]

    def checksums(self, table):
        return self.call(table=table.name, folder=str(table.folder))["checksums"]


def serve(conf):
    """Answers the lines of standard input on standard output."""
    import pyarrow.parquet as pq
    import tables
    from pyspark.sql import SparkSession

    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the JVM prints is no reply
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", HEAP).config("spark.sql.parquet.columnarReaderBatchSize", "256").config("spark.ui.enabled", "false")
    for key, value in conf.items():
        builder = builder.config(key, value)
    session = builder.enableHiveSupport().getOrCreate()
    for line in sys.stdin:
        call = json.loads(line)
        try:
            if "table" in call:
                schema = pq.read_schema(next(pathlib.Path(call["folder"]).glob("**/*.parquet")))
                frame = session.table(call["table"])
                reply = {"checksums": tables.checksums(schema, frame.columns, frame.collect())}
            else:
                frame = session.sql(call["sql"])
                reply = {"names": frame.columns, "rows": [list(r) for r in frame.collect()]}
        except Exception as e:  # whatever it is, the other side decides
            reply = {"error": f"{type(e).__name__}: {str(e)[:2000]}"}
        replies.write(json.dumps(reply, default=str) + "\n")
        replies.flush()
    session.stop()


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))
