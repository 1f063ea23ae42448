#!/usr/bin/env bash
# Follows README's "Start" with the files of dist/release, as a stranger does: the archive in an empty root of each distribution, and the
# image in a container, if podman is there. Each has to show a row in the browser within five minutes.
#   packaging/try-start.sh [SUITE…]     bookworm, trixie, noble…
# Needs root, debootstrap and a Debian mirror, Node.js with the packages of serve/web/app, Chromium and curl. DEBIAN=DIR is a folder
# that debootstrap made before. It has a network of its own, so that the ports of the page are free.
set -euo pipefail
fail() { echo "try-start: $*" >&2; exit 1; }
cd "$(dirname "$0")/.."
chromium=${E2E_CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}
missing=()
for tool in unshare ip script node curl chroot; do command -v $tool >/dev/null || missing+=("$tool"); done
[[ -n ${DEBIAN:-} ]] || command -v debootstrap >/dev/null || missing+=(debootstrap)
[[ -d serve/web/app/node_modules/playwright-core ]] || missing+=("the pages' packages: make need-node")
[[ -n $chromium ]] || missing+=(chromium)
[[ $(id -u) == 0 ]] || missing+=(root)
((${#missing[@]} == 0)) || fail "missing: $(printf '%s; ' "${missing[@]}")"

if [[ -z ${TRY_DIR:-} ]]; then
  TRY_DIR=$(mktemp -d /var/tmp/try-start.XXXXXX)
  trap 'rm -rf --one-file-system "$TRY_DIR"' EXIT
  for suite in "${@:-bookworm}"; do
    if [[ -n ${DEBIAN:-} ]]; then cp -a "$DEBIAN" "$TRY_DIR/$suite"; else debootstrap --variant=minbase "$suite" "$TRY_DIR/$suite" >/dev/null; fi
  done
  TRY_DIR=$TRY_DIR unshare --mount --net --pid --fork --kill-child --mount-proc "$0" "$@"
  exit
fi
dir=$TRY_DIR
ip link set lo up
archive=$(echo dist/release/pingmill-*-linux-amd64.tar.gz) image=$(echo dist/release/pingmill-*-image-linux-amd64.tar)
version=${archive##*/pingmill-} version=${version%-linux-amd64.tar.gz}

# commands prints the commands of the page that come after a text, with the version of these files.
commands() {
  awk -v after="$1" 'index($0, after) {on = 1} on && /^    / {print substr($0, 5); had = 1} on && had && !/^    / {exit}' README.md |
    sed "s/v1\.0\.0/$version/g"
}
# row opens a link, runs a query in the page until it has a row, and prints the row.
row() { (cd serve/web/app && node ../../../packaging/first-row.mjs "$chromium" "$@"); }
# link waits for the link that a log has.
link() {
  local found
  for _ in $(seq 300); do
    found=$(eval "$1" 2>&1 | grep -aoE 'http://(localhost|127\.0\.0\.1):[0-9]+/link#[A-Za-z0-9_-]+' | head -1) && { echo "$found"; return; }
    sleep 1
  done
  fail "there is no link within five minutes: $(eval "$1" 2>&1 | tail -5)"
}
seen() {
  local took=$((SECONDS - began))
  ((took < 300)) || fail "$1: the first row was seen after $took s: want five minutes"
  echo "$1: the first row was seen after $took s: $2"
}

for suite in "${@:-bookworm}"; do
  root=$dir/$suite name=$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' "$dir/$suite/etc/os-release")
  echo "== the archive on $name"
  cp "$archive" "$root/root/"
  mount -t proc proc "$root/proc"
  commands "**From an archive**" >"$root/root/start"
  cat "$root/root/start"
  began=$SECONDS
  # A terminal of its own, since the demonstration serves its pages to a person only.
  script -qfec "chroot $root env -i PATH=/usr/bin:/bin HOME=/root TERM=xterm sh -c 'cd && . ./start'" "$dir/log" >/dev/null 2>&1 </dev/null & server=$!
  url=$(link "cat $dir/log")
  got=$(row "$url" "SELECT normalized_channel, count(*) AS clients FROM clients_daily GROUP BY 1 ORDER BY 2 DESC" "$dir/$suite.png")
  seen "$name" "$got"
  kill "$server"
  wait "$server" || true
done

echo "== the image"
if ! command -v podman >/dev/null; then echo "try-start: not tried: podman is missing"; exit; fi
runtime=$(command -v crun runc | tail -1)
cat >"$dir/containers.conf" <<EOF
[containers]
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=4096:4096"]
log_driver = "k8s-file"
[engine]
runtime = "${runtime##*/}"
cgroup_manager = "cgroupfs"
events_logger = "file"
EOF
export CONTAINERS_CONF=$dir/containers.conf
docker() { podman --root "$dir/containers" --runroot "$dir/run" --storage-driver vfs "$@"; }
commands "**From an image**" >"$dir/start"
cat "$dir/start"
cp "$image" "$dir/"
began=$SECONDS
# shellcheck disable=SC1091 # it is of the page
(cd "$dir" && . ./start)
url=$(link "docker logs pingmill")
curl -sS --fail --retry 30 --retry-all-errors --data @docs/new-profile.json \
  http://localhost:8080/submit/telemetry/7c9e6679-7425-40de-944b-e07fc1f90ae7/new-profile/Firefox/58.0/release/20180118215408
got=$(row "$url" "SELECT client_id, environment.system.os.name AS os FROM telemetry_new_profile_parquet" "$dir/image.png")
seen "the image" "$got"
[[ $got == *f47ac10b* ]] || fail "the row is another one"
docker stop -t 30 pingmill >/dev/null
[[ $(docker inspect -f '{{.State.ExitCode}}' pingmill) == 0 ]] || fail "docker stop ended it with another status than 0"
docker rm pingmill >/dev/null
echo "try-start: everything works"
