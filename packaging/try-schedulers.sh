#!/usr/bin/env bash
# Tries what is packaged for Kubernetes and Airflow with their own tools: the schemas of Kubernetes, and Airflow itself, which
# imports the DAGs and runs the mapped tasks of a day. Needs python3 and the network; takes 1 GB of disk.
# SCHEDULERS_DIR keeps what was fetched.
set -euo pipefail
cd "$(dirname "$0")/.."
pingmill=$(realpath "${1:-bin/pingmill}")
command -v python3 > /dev/null || { echo "try-schedulers: python3 is missing" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dir=${SCHEDULERS_DIR:-$work/venvs}
mkdir -p "$dir"

echo "== fetch the tools into $dir"
for tool in kubernetes-validate==1.37.0 apache-airflow==3.3.2; do
	[ -e "$dir/$tool/complete" ] && continue
	python3 -m venv "$dir/$tool"
	"$dir/$tool/bin/pip" install -q --disable-pip-version-check "$tool"
	touch "$dir/$tool/complete"
done

echo "== Kubernetes"
for file in packaging/kubernetes/*.yaml; do
	"$dir/kubernetes-validate==1.37.0/bin/kubernetes-validate" --strict --no-warn "$file"
done

echo "== a day of pings, and its tables by one machine"
"$pingmill" generate --clients 40 --days 1 --output "$work/pings"
"$pingmill" load --data "$work/one" "$work/pings"
"$pingmill" run all --data "$work/one" --date 20180301 2> "$work/run.log"
"$pingmill" load --data "$work/loads" --storage "$work/storage" "$work/pings"

echo "== Airflow"
export AIRFLOW_HOME=$work/airflow AIRFLOW__CORE__LOAD_EXAMPLES=False AIRFLOW__CORE__DAGS_FOLDER=$work/dags
mkdir -p "$work/dags"
cp packaging/airflow/pingmill_daily.py "$work/dags"
sed -e s/dag_run.run_after/dag_run.logical_date/ -e "s/datetime(2026/datetime(2018/" -e "s#^PROGRAM = .*#PROGRAM = '$pingmill'#" -e "s#^STORAGE = [^ ]*#STORAGE = '$work/storage'#" packaging/airflow/pingmill_tasks.py > "$work/dags/pingmill_tasks.py"
airflow=$dir/apache-airflow==3.3.2/bin/airflow
PATH=$(dirname "$airflow"):$PATH
"$airflow" db migrate > "$work/airflow.log" 2>&1
errors=$("$airflow" dags list-import-errors 2>> "$work/airflow.log")
grep -q 'No data found' <<< "$errors" || { echo "try-schedulers: $errors" >&2; exit 1; }
"$airflow" dags test pingmill_tasks 2018-03-02T00:30:00+00:00 > "$work/test.log" 2>&1 || { tail -50 "$work/test.log"; exit 1; }
grep -q '"state":"done"' "$work/test.log" || { echo "try-schedulers: Airflow has done no task" >&2; tail -50 "$work/test.log"; exit 1; }
for root in lake pipeline restricted; do diff -r -x _generations "$work/one/$root" "$work/storage/$root"; done
echo "the same bytes"
