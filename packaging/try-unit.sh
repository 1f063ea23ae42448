#!/usr/bin/env bash
# Tries the service under systemd: makes a Debian in a folder, boots it with its own systemd as
# process 1 (systemd-nspawn), and does there what docs/operations.md says, by the very commands
# that stand there: install, upgrade, downgrade, back up and restore. Between them submissions
# come in, the service is restarted, killed, stopped, given a file that it cannot use, and the
# machine started again. In the end everything that was acknowledged is in the archive.
#   packaging/try-unit.sh bin/pingmill [OLDER]     OLDER: the program to upgrade from, else the same
# Needs root, debootstrap, systemd-nspawn (Debian: systemd-container) and a Debian mirror; DEBIAN=DIR
# is a folder that debootstrap made before, and is copied. Stops at the first failure.
set -euo pipefail
fail() { echo "try-unit: $*" >&2; exit 1; }
(($# == 1 || $# == 2)) || fail "usage: try-unit.sh PINGMILL [OLDER]"
binary=$(realpath "$1") older=$(realpath "${2:-$1}")
cd "$(dirname "$0")/.."
manual=docs/operations.md
PATH=$PATH:/usr/sbin:/sbin

missing=()
for tool in systemd-nspawn nsenter; do command -v $tool >/dev/null || missing+=("$tool"); done
if [[ -z ${DEBIAN:-} ]] && ! command -v debootstrap >/dev/null; then missing+=(debootstrap); fi
[[ $(id -u) == 0 ]] || missing+=(root)
[[ -e /sys/fs/cgroup ]] || missing+=("control groups at /sys/fs/cgroup")
if ((${#missing[@]})); then fail "missing: $(printf '%s; ' "${missing[@]}")"; fi

dir=$(mktemp -d /var/tmp/try-unit.XXXXXX) machine= leader=
cleanup() {
  if [[ -n $machine ]]; then kill -KILL $leader "$machine" 2>/dev/null || true; wait "$machine" 2>/dev/null || true; fi
  rm -rf "$dir"
}
trap cleanup EXIT

root=$dir/root
if [[ -n ${DEBIAN:-} ]]; then
  cp -a "$DEBIAN" "$root"
else
  echo "== making a Debian in $root"
  debootstrap --variant=minbase --include=systemd-sysv,dbus,sudo,curl,openssl bookworm "$root" >"$dir/log" || fail "debootstrap: $(tail -5 "$dir/log")"
fi
src=$root/root/pingmill
mkdir -p "$src/bin"
cp -r packaging "$src/"
cp "$older" "$src/bin/pingmill"
echo try-unit >"$root/etc/hostname"
echo "127.0.0.1 localhost try-unit" >"$root/etc/hosts"

# boot starts the machine, with a network of its own, and waits until systemd has started it.
boot() {
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit \
    --private-network --console=read-only </dev/null >"$dir/console" 2>&1 & machine=$!
  leader=
  for _ in $(seq 100); do
    leader=$(pgrep -P "$machine" | head -1) || true
    if [[ -n $leader ]] && inside test -S /run/systemd/private 2>/dev/null; then break; fi
    kill -0 "$machine" 2>/dev/null || fail "the machine did not start: $(tail -20 "$dir/console")"
    sleep 0.2
  done
  local state
  state=$(inside systemctl is-system-running --wait) || fail "the machine is $state: $(inside systemctl --failed --no-legend)"
  echo "== $(inside systemctl --version | head -1) is process $(inside cat /proc/1/comm | sed 's/^/1, /'), and $state"
}

halt() {
  inside systemctl poweroff >/dev/null 2>&1 || true
  wait "$machine" || true
  machine=
}

# inside runs a command in the machine, as its root.
inside() { nsenter --target "$leader" --all --wdns=/root/pingmill env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }

# block prints the N-th block of commands in a section of the manual, without what follows "&".
block() {
  awk -v heading="$1" -v want="$2" '
    /^##/ { here = ($0 ~ "^##+ " heading "$"); n = 0; was = 0; next }
    here && /^    / { if (!was) n++; was = 1; if (n == want) print substr($0, 5); next }
    { was = 0 }' "$manual" | grep . || fail "$manual has no block $2 in \"$1\""
}

# follow does what the manual says there.
follow() {
  local commands
  commands=$(block "$1" "$2")
  echo "== $manual, $1 ($2)"
  inside bash -euo pipefail -c "$(block Install 2)"$'\n'"set -x"$'\n'"$commands" 2>&1 | sed -e 's/^/   /' || fail "the commands of \"$1\" failed"
}

pm() { inside sudo -u pingmill pingmill "$@" --config /etc/pingmill/pingmill.yaml; }
healthy() {
  for _ in $(seq 150); do
    if inside pingmill health --config /etc/pingmill/pingmill.yaml 2>/dev/null; then return; fi
    sleep 0.2
  done
  fail "$1: the service does not answer: $(inside journalctl -u pingmill -n 20 -o cat --no-pager)"
}
property() { inside systemctl show -P "$1" pingmill; }
journal() { inside journalctl -u pingmill -o cat --no-pager; }
# send gives the service the next submissions of the population.
sent=0
send() {
  inside pingmill generate --clients 400 --mean-bytes 16000 --retries -1 --acked /root/acked --skip "$sent" --limit "$1" --to http://127.0.0.1:8080 "${@:2}" ||
    fail "submissions failed"
  sent=$((sent + $1))
}
# complete waits until the service has made all tables of yesterday, and checks them.
complete() {
  for _ in $(seq 150); do
    if pm status --from "$yesterday" --to "$yesterday" >"$dir/status" 2>&1; then
      pm check all --date "$yesterday" >"$dir/check" || fail "$1: $(cat "$dir/check")"
      echo "tables of $yesterday: $(grep -c ' # ' "$dir/status") published, $(wc -l <"$dir/check") lines of checks"
      return
    fi
    sleep 0.4
  done
  fail "$1: the tables of $yesterday are not made: $(cat "$dir/status")"
}
verify() { inside pingmill generate --acked /root/acked --verify /var/lib/pingmill/data || fail "$1: not everything acknowledged is in the archive"; }

boot
follow Install 1
follow Install 3
yesterday=$(date -u -d yesterday +%Y%m%d)
healthy install
[[ $(property ActiveState) == active ]] || fail "the unit is $(property ActiveState)"
[[ $(inside systemctl is-enabled pingmill) == enabled ]] || fail "the unit is not enabled"
[[ $(inside stat -c '%U:%G %a' /var/lib/pingmill) == "pingmill:pingmill 750" ]] || fail "the state: $(inside stat -c '%U:%G %a' /var/lib/pingmill)"
[[ $(inside ps -o user= -p "$(property MainPID)" 2>/dev/null || inside stat -c %U "/proc/$(property MainPID)") == pingmill ]] || fail "the service runs as another user"
said=$(inside systemd-analyze verify /etc/systemd/system/pingmill.service 2>&1) || fail "systemd-analyze verify: $said"
[[ -z $said ]] || fail "systemd-analyze verify: $said"
said=$(inside journalctl --no-pager -o cat _PID=1 | grep -i 'pingmill.service' | grep -iE 'unknown|ignor|fail|cannot') && fail "systemd says: $said"
inside systemd-analyze security --no-pager --threshold=20 pingmill >"$dir/log" || fail "systemd-analyze security: $(tail -1 "$dir/log")"
tail -1 "$dir/log"
journal | grep >/dev/null '"msg":"serving"' || fail "nothing in the journal"

echo "== submissions, and what an operator looks at"
send 150
inside curl -sf http://127.0.0.1:8081/__heartbeat__ >"$dir/log" || fail "heartbeat: $(cat "$dir/log")"
inside curl -sf http://127.0.0.1:8081/metrics | grep '^pingmill_submissions_total{code="200"}'
inside curl -sf http://127.0.0.1:8081/status >/dev/null || fail "no status page"
pm status || fail "status says that something is wrong"

echo "== the tables of yesterday"
inside pingmill generate --seed 2 --clients 40 --days 1 --start "$yesterday" --mean-bytes 16000 --output /var/tmp/pings.ndjson
pm load /var/tmp/pings.ndjson || fail "load failed"
complete "load"

echo "== the query tool: a query in its process, kept in by what the unit lets it use"
pm user add notebook --service >/dev/null || fail "no account"
token=$(pm token add notebook try | grep -o 'pm_[A-Za-z0-9_-]*') || fail "no token"
answer=$(inside curl -sS -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"sql": "SELECT count(*) > 0 AS some FROM main_summary", "wait": 30}' http://127.0.0.1:8090/api/v1/queries)
[[ $answer == *'"state":"done"'* && $answer == *'"rows":1'* ]] || fail "the query tool says $answer"
said=$(journal | grep -i landlock) && fail "queries are not kept in: $said"
query=$(pm query 'SELECT count(*) FROM main_summary' 2>&1 >/dev/null | grep -i 'landlock\|not kept') && fail "pingmill query says $query"

echo "== restart while submissions come"
send 300 --rate 100 & sender=$!
sleep 1
inside systemctl restart pingmill
wait "$sender" || fail "the sender failed"
sent=$((sent + 300))
healthy restart

echo "== killed while submissions come"
before=$(property MainPID)
send 300 --rate 60 & sender=$!
sleep 1
inside systemctl kill --signal=KILL --kill-whom=main pingmill
wait "$sender" || fail "the sender failed"
sent=$((sent + 300))
healthy kill
[[ $(property NRestarts) == 1 && $(property MainPID) != "$before" ]] || fail "systemd did not start it again"

echo "== stop"
send 100
inside systemctl stop pingmill
[[ $(property Result) == success ]] || fail "it ended with $(property Result)"
segments=$(inside find /var/lib/pingmill/data/spool -name '*.seg*' -size +0)
[[ -z $segments ]] || fail "the spool was not decoded: $segments"
journal | grep >/dev/null '"msg":"ended"' || fail "it did not say that it ended"
verify "after restart, kill and stop"

echo "== a configuration that cannot be used"
inside cp -a /etc/pingmill/pingmill.yaml /root/good.yaml
echo 'edge.lisen: ":80"' | inside tee -a /etc/pingmill/pingmill.yaml >/dev/null
if inside systemctl start pingmill 2>"$dir/log"; then fail "systemctl start says that all is well"; fi
[[ $(property ActiveState) == failed && $(property ExecMainStatus) == 64 ]] || fail "the unit is $(property ActiveState), status $(property ExecMainStatus): want failed, 64"
journal | tail -10 | grep edge.lisen || fail "the journal does not name the key"
inside cp -a /root/good.yaml /etc/pingmill/pingmill.yaml
inside systemctl start pingmill
healthy start

# upgrade takes the commands of a block, which are to put a program into use.
upgrade() {
  local was
  was=$(inside curl -s http://127.0.0.1:8080/__version__)
  follow Upgrade "$1"
  healthy upgrade
  echo "from $was to $(inside curl -s http://127.0.0.1:8080/__version__)"
  cmp "$root/usr/bin/pingmill" "$2" || fail "$2 was not installed"
  inside cmp /usr/bin/pingmill "/proc/$(property MainPID)/exe" || fail "the program of before still runs"
  send 50
}
cp "$binary" "$src/bin/pingmill"
upgrade 1 "$binary"
upgrade 2 "$older"
upgrade 1 "$binary"

inside cp /root/acked /root/acked.backup
follow "Back up" 2
send 50
follow "Restore" 1
healthy restore
inside cp /root/acked.backup /root/acked
verify "after the restore"
complete "restore"

echo "== the machine starts again"
halt
boot
healthy "start of the machine"
verify "after the start"
halt
echo "try-unit: everything works; $sent submissions"
