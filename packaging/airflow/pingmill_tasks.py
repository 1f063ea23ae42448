"""The daily tables of pingmill, each day after it ended, their tasks spread over Airflow's workers.

Two rounds: the tables made of pings, then those made of main_summary. Each is a plan, a mapped task for each of
its lines, and a commit. All of them may be cleared and tried again at any time. The workers need the program and
the rights to the bucket, and nothing else of the installation. The service leaves the daily tables to it
with schedule.enabled: false.

A task that is refused (status 65) was planned in another state of the archive, such as before a late load: clear
the plan of its round.
"""

import subprocess
import tempfile
from datetime import datetime, timedelta, timezone

from airflow.sdk import DAG, task
from airflow.sdk.exceptions import AirflowFailException

PROGRAM = "pingmill"
STORAGE = "s3://bucket/prefix"  # all roots are below it; a path if all workers mount it
USELESS = (64, 65)  # no retry mends settings that are wrong, or a task that is refused


def pingmill(*args, text=None):
    """Runs the program; text is its standard input."""
    with tempfile.TemporaryDirectory() as data:
        settings = ["--storage", STORAGE, "--data", data]
        ended = subprocess.run([PROGRAM, *args, *settings], input=text, stdout=subprocess.PIPE, text=True, check=False)
    print(ended.stdout)
    if ended.returncode in USELESS:
        raise AirflowFailException(f"pingmill {args[0]}: status {ended.returncode}")
    ended.check_returncode()
    return ended.stdout.splitlines()


@task
def plan(dag_run=None):
    # The day whose end started this: 20260101 runs on the 2nd at half past midnight.
    day = (dag_run.run_after - timedelta(days=1)).strftime("%Y%m%d")
    return pingmill("plan", "--date", day, "--json")


@task(max_active_tis_per_dag=64)
def do(line):
    return pingmill("task", "-", text=line)


@task(trigger_rule="none_failed")
def commit(lines):
    if lines:
        pingmill("commit", "-", text="\n".join(lines))


with DAG(
    dag_id="pingmill_tasks",
    doc_md=__doc__,
    schedule="30 0 * * *",  # UTC: the last submissions of the day are decoded by then
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=True,  # missed days, oldest first
    max_active_runs=1,
    default_args={
        "retries": 5,
        "retry_delay": timedelta(minutes=1),
        "retry_exponential_backoff": True,
        "max_retry_delay": timedelta(hours=1),
    },
    tags=["pingmill"],
):
    before = None
    for name in ("pings", "main_summary"):
        lines = plan.override(task_id=f"plan_{name}")()
        done = do.override(task_id=f"do_{name}").expand(line=lines)
        published = commit.override(task_id=f"commit_{name}")(lines)
        done >> published
        if before is not None:
            before >> lines
        before = published
