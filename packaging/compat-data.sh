#!/bin/sh
# Makes cmd/pingmill/testdata/compat/NAME.tar.zst with the program of a release or revision: a small installation with
# what that program's own queries answer. "make compat-data" does it for the present tree.
#
#   packaging/compat-data.sh PROGRAM NAME
set -eu
program=$1 out=$PWD/cmd/pingmill/testdata/compat/$2.tar.zst
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill -9 $server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
mkdir expected
"$program" generate --clients 8 --days 2 --start 20180301 --mean-bytes 16000 --damaged -1 --output pings.ndjson 2>generate.log
"$program" load pings.ndjson --data data >/dev/null 2>load.log
"$program" run all --from 20180301 --to 20180302 --data data >/dev/null 2>run.log

query() { "$program" query --data data --format csv "$2" >"expected/$1.csv"; }
query main_summary "SELECT document_id, client_id, sample_id, channel, os, country FROM main_summary WHERE submission_date_obj < '20190101' ORDER BY document_id"
query clients_daily "SELECT client_id, count(*) AS n FROM clients_daily WHERE submission_date_obj < '20190101' GROUP BY client_id ORDER BY client_id"
query search_clients_daily "SELECT client_id, sap FROM search_clients_daily WHERE submission_date_obj < '20190101' ORDER BY 1, 2"
query addons "SELECT count(*) AS n, count(DISTINCT client_id) AS c FROM addons WHERE submission_date_obj < '20190101'"
query crash_summary "SELECT client_id, count(*) AS n FROM crash_summary WHERE submission_date < '2019-01-01' GROUP BY client_id ORDER BY client_id"

# Accounts, if the program has any.
if "$program" user add ann --email ann@example.org --grant clients_daily --data data >/dev/null 2>user.log; then
    "$program" user add notebook --service --data data >/dev/null
    "$program" token add notebook jupyter --data data >expected/token.txt
fi

# Submissions that are acknowledged and not decoded.
"$program" serve --only edge --data data --listen 127.0.0.1:${PORT:-18473} --private 127.0.0.1:0 --min-free 0B 2>serve.log &
server=$!
"$program" generate --clients 4 --days 1 --start 20180303 --mean-bytes 16000 --damaged -1 --seed 7 --limit 6 \
    --to http://127.0.0.1:${PORT:-18473} --acked expected/acked.txt --retries 50 2>send.log || { cat serve.log send.log >&2; exit 1; }
kill -9 $server
wait $server 2>/dev/null || true
server=

rm -rf data/tmp
tar -c --sort=name --owner=0 --group=0 --numeric-owner data expected | zstd -q -19 -f -o "$out"
ls -l "$out" >&2
