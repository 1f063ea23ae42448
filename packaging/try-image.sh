#!/usr/bin/env bash
# Takes the steps of packaging/Dockerfile by hand, without a container runtime: builds the last
# commit, puts together the file system of the image in a folder, and runs the program there with
# chroot, as the image's user and with its environment: serve, health, submissions, a day's run, a
# query, and the end by SIGTERM. Needs root for chroot. Stops with the reason at the first failure.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "try-image: $*" >&2; exit 1; }

# What the Dockerfile says, so that this cannot say something else.
dockerfile=$(sed -e ':a' -e '/\\$/{N;s/\\\n *//;ta' -e '}' packaging/Dockerfile)
said() { sed -n "s/^$1 //p" <<<"$dockerfile"; }
words() { said "$1" | sed 's/.*\[\(.*\)\]/\1/; s/[",]/ /g'; }
read -ra entrypoint <<<"$(words ENTRYPOINT)"
read -ra command <<<"$(words CMD)"
read -ra check <<<"$(words HEALTHCHECK)"
user=$(said USER)
mapfile -t environment < <(said ENV)
[[ $(said FROM | tail -1) == scratch ]] || fail "the image is no longer made from scratch: this script has to change"
[[ ${user%%:*} -gt 0 ]] || fail "the image's user is '$user': want a number other than 0"

missing=()
for tool in go git gcc g++ chroot file; do command -v "$tool" >/dev/null || missing+=("$tool"); done
for archive in libc.a libstdc++.a; do
  if command -v gcc >/dev/null && [[ $(gcc -print-file-name=$archive) == "$archive" ]]; then missing+=("$archive for static linking"); fi
done
if [[ $(id -u) != 0 ]]; then missing+=("root, for chroot"); fi
if ((${#missing[@]})); then fail "missing: $(printf '%s; ' "${missing[@]}")"; fi

dir=$(mktemp -d) server=
cleanup() { if [[ -n $server ]]; then kill -KILL "$server" 2>/dev/null || true; fi; umount "$dir/root/proc" 2>/dev/null || true; rm -rf --one-file-system "$dir"; }
trap cleanup EXIT
git clone --quiet . "$dir/src"
mkdir "$dir/out"
while read -r run; do
  run=$(sed -E 's/--mount=[^ ]+ +//g' <<<"$run")
  echo "RUN $run"
  (cd "$dir/src" && sh -c "${run//\/out/$dir/out}" 2>"$dir/log") || fail "the step failed: $(cat "$dir/log")"
done < <(said RUN)

root=$dir/root
mkdir -p "$root/proc"
mount -t proc proc "$root/proc"
while read -r -a copy; do
  owner=0:0
  for word in "${copy[@]}"; do if [[ $word == --chown=* ]]; then owner=${word#--chown=}; fi; done
  from=${copy[-2]/#\/src/$dir/src} to=$root${copy[-1]}
  mkdir -p "$(dirname "$to")"
  cp -r "${from/#\/out/$dir/out}" "$to"
  chown -R "$owner" "$to"
  echo "COPY ${copy[*]}"
done < <(said COPY | grep -e '--from=')
chmod 755 "$dir" "$root"
echo "the image is $(du -shx "$root" | cut -f1): $(cd "$root" && find . -path ./proc -prune -o -type f -print | tr '\n' ' ')"
file "$root${entrypoint[0]}" | grep -q 'statically linked' || fail "${entrypoint[0]} is not static: $(file "$root${entrypoint[0]}")"

port=$(shuf -i 20000-29998 -n 1)
# Only what the image sets, but for the ports: this machine's may be taken.
in_image() { chroot --userspec="$user" "$root" "${entrypoint[0]}" "$@"; }
export -n PINGMILL_CONFIG 2>/dev/null || true
while read -r name; do unset "$name"; done < <(compgen -e PINGMILL_ || true)
export "${environment[@]?}" PINGMILL_EDGE_LISTEN=127.0.0.1:$port PINGMILL_PRIVATE_LISTEN=127.0.0.1:$((port + 1))

echo "CMD ${command[*]}"
chroot --userspec="$user" "$root" "${entrypoint[@]}" "${command[@]}" 2>"$dir/log" & server=$!
healthy=
for _ in $(seq 100); do
  if in_image "${check[@]:1}" 2>/dev/null; then healthy=yes; break; fi
  kill -0 "$server" 2>/dev/null || break
  sleep 0.2
done
[[ $healthy ]] || fail "the service is not healthy: $(cat "$dir/log")"
echo "HEALTHCHECK ${check[*]}: healthy, as user $(ps -o uid= -p "$server" | tr -d ' ')"
data=$(in_image config | sed -n 's/^data: \([^ ]*\).*/\1/p')
acked=$(dirname "$data")/acked
in_image generate --clients 100 --days 1 --to "http://127.0.0.1:$port" --acked "$acked"
kill -TERM "$server"
wait "$server" || fail "SIGTERM ended it with $?: $(cat "$dir/log")"
server=
if in_image "${check[@]:1}" 2>/dev/null; then fail "the health check says yes though nothing runs"; fi
in_image generate --acked "$acked" --verify "$data"
in_image run all --date "$(date -u +%Y%m%d)"
in_image query --format csv "SELECT count(*) AS rows, count(DISTINCT client_id) AS clients FROM main_summary"
outside=$(find "$root" -path "$root/proc" -prune -o -newer "$root${entrypoint[0]}" -type f -not -path "$root/var/lib/pingmill/*" -not -path "$root/etc/*" -print)
[[ -z $outside ]] || fail "files were written outside of the state: $outside"
echo "try-image: everything works"
