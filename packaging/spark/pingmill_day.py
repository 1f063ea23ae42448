"""The tables of a day of pingmill, with Spark: plans on the driver, does the tasks on the executors, publishes on the driver.

    spark-submit --master yarn --deploy-mode cluster --files pingmill pingmill_day.py --date 20180301 --storage s3://bucket/prefix

The program, a static binary (make static), goes with --files. All roots are in buckets, or in folders that every machine has; credentials are
the provider's usual ones of each machine. Whatever dies, the same command goes on where it stopped. A task that
fails is tried again by Spark (spark.task.maxFailures); speculation is safe. docs/tasks.md has more, and the calls for
Kubernetes, EMR and Dataproc.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from pyspark import SparkFiles
from pyspark.sql import SparkSession

PLAN_AGAIN = 65  # exit status of tasks that were planned in another state of things
PARTS_PER_CORE = 4  # of a round: more wait less for the last one, and start more processes
ROUNDS = 10  # two are needed: the tables made of pings, and those made of these


def program():
    """The binary: in the working folder (YARN, Kubernetes), or where Spark puts files."""
    for path in (os.path.abspath("pingmill"), SparkFiles.get("pingmill")):
        if os.path.isfile(path):
            os.chmod(path, 0o755)
            return path
    sys.exit("there is no file pingmill: give it to spark-submit with --files")


def do_with(settings):
    def do(lines):
        """Does the tasks of a partition in one process, and gives the lines about them. What a try before this one has done is found."""
        given = "".join(line + "\n" for line in lines)
        task = subprocess.run([program(), "task", "-", *settings], input=given, stdout=subprocess.PIPE, text=True)
        if task.returncode not in (0, PLAN_AGAIN):
            failed = [line for line in task.stdout.splitlines() if '"failed"' in line]
            raise RuntimeError(f"pingmill task: status {task.returncode}: {' '.join(failed) or 'see stderr of the executor'}")
        return task.stdout.splitlines()

    return do


def spread(lines, parts):
    """Partitions of about the same size, the large tasks first: a task more than a core has leaves it idle for a short while only."""
    lines = sorted(lines, key=lambda line: -json.loads(line)["bytes"])
    return [lines[i::parts] for i in range(parts)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--date", required=True, help="YYYYMMDD, today or yesterday")
    parser.add_argument("--storage", required=True, help="where archive and tables are: the URL of a bucket with a prefix, or a path")
    parser.add_argument("--table", action="append", default=[], help="only this one, with what it needs")
    parser.add_argument("--probes", help="folder of probe definitions, which every machine has")
    args = parser.parse_args()
    settings = ["--storage", args.storage] + (["--probes", args.probes] if args.probes else [])

    spark = SparkSession.builder.appName(f"pingmill {args.date}").getOrCreate()
    sc = spark.sparkContext
    with tempfile.TemporaryDirectory() as data:
        here = [*settings, "--data", data]
        days = ["--date", args.date, *(f"--table={t}" for t in args.table)]
        for _ in range(ROUNDS):
            plan = subprocess.run([program(), "plan", *days, "--json", *here], stdout=subprocess.PIPE, text=True)
            lines = plan.stdout.splitlines()
            if plan.returncode != 0 or not lines:
                break
            parts = spread(lines, min(len(lines), PARTS_PER_CORE * sc.defaultParallelism))
            for result in sc.parallelize(parts, len(parts)).flatMap(do_with(settings)).collect():
                print(result)
            commit = subprocess.run([program(), "commit", "-", *here], input=plan.stdout, text=True)
            if commit.returncode not in (0, PLAN_AGAIN):
                sys.exit(commit.returncode)
        else:
            sys.exit(f"the day changes all the time: {ROUNDS} plans were not enough")
    spark.stop()
    sys.exit(plan.returncode)


if __name__ == "__main__":
    main()
