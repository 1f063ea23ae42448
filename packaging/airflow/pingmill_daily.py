"""The daily tables of pingmill, each day after it ended.

One task runs the whole graph: pingmill knows what depends on what, uses all
cores, does only what is missing or has changed, and goes on where a killed
attempt stopped. So a retry, or clearing an old day, is always safe. One run at a
time writes an installation, hence one active run.

The worker has to be on the machine of the installation: give it a queue. The
service leaves the daily tables to it with schedule.enabled: false.
"""

from datetime import datetime, timedelta, timezone

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

CONFIG = "/etc/pingmill/pingmill.yaml"

with DAG(
    dag_id="pingmill_daily",
    doc_md=__doc__,
    schedule="30 0 * * *",  # UTC: the last submissions of the day are decoded by then
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=True,  # missed days, oldest first
    max_active_runs=1,
    default_args={
        "retries": 5,
        "retry_delay": timedelta(minutes=5),
        "retry_exponential_backoff": True,
        "max_retry_delay": timedelta(hours=1),
    },
    tags=["pingmill"],
):
    BashOperator(
        task_id="run_all",
        # The day whose end started this: 20260101 runs on the 2nd at half past midnight.
        bash_command=f"exec pingmill run all --config {CONFIG} --date "
        "{{ (dag_run.run_after - macros.timedelta(days=1)).strftime('%Y%m%d') }}",
    )
