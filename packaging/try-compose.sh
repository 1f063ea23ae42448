#!/usr/bin/env bash
# Starts pingmill and the S3 server of packaging/compose/compose.yaml with podman-compose, until a ping that was sent is a row in the
# browser and its files are in the bucket; then stops and starts them again.
#   packaging/try-compose.sh
# No image is pulled. That of pingmill is of dist/release, and that of versitygw is made here of its module, with busybox as the shell.
# Prometheus and Grafana are not started: podman-compose does not read the configs that they have in the file.
# Needs root, podman with netavark and aardvark-dns, busybox (static), python3, curl, Chromium, Node.js with the packages of
# serve/web/app. VERSITYGW is the pinned module: the Makefile sets it. The stack has a network of its own, so that the ports are free.
set -euo pipefail
fail() { echo "try-compose: $*" >&2; exit 1; }
: "${VERSITYGW:?}"
cd "$(dirname "$0")/.."
go=${GO:-go} chromium=${E2E_CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}
missing=()
for tool in podman unshare ip busybox python3 curl node; do command -v $tool >/dev/null || missing+=("$tool"); done
for tool in netavark aardvark-dns; do [[ -x /usr/lib/podman/$tool ]] || missing+=("$tool"); done
[[ -d serve/web/app/node_modules/playwright-core ]] || missing+=("the pages' packages: make need-node")
[[ -n $chromium ]] || missing+=(chromium)
[[ $(id -u) == 0 ]] || missing+=(root)
((${#missing[@]} == 0)) || fail "missing: $(printf '%s; ' "${missing[@]}")"
compose_file=packaging/compose/compose.yaml
image=$(echo dist/release/pingmill-*-image-linux-amd64.tar)
version=${image##*/pingmill-} version=${version%-image-linux-amd64.tar}

if [[ -z ${TRY_DIR:-} ]]; then
  TRY_DIR=$(mktemp -d /var/tmp/try-compose.XXXXXX)
  trap 'rm -rf --one-file-system "$TRY_DIR"' EXIT
  export TRY_DIR
  chmod 755 "$TRY_DIR"
  GOFLAGS='' CGO_ENABLED=0 GOBIN=$TRY_DIR "$go" install "$VERSITYGW"
  python3 -m venv "$TRY_DIR/venv"
  "$TRY_DIR/venv/bin/pip" install -q --disable-pip-version-check podman-compose==1.6.0
  unshare --mount --net --pid --fork --kill-child --mount-proc "$0" "$@"
  exit
fi
dir=$TRY_DIR
ip link set lo up
runtime=$(command -v crun runc | tail -1)
cat >"$dir/containers.conf" <<EOF
[containers]
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=4096:4096"]
log_driver = "k8s-file"
[network]
network_backend = "netavark"
network_config_dir = "$dir/networks"
[engine]
runtime = "${runtime##*/}"
cgroup_manager = "cgroupfs"
events_logger = "file"
EOF
export CONTAINERS_CONF=$dir/containers.conf
mkdir "$dir/networks"
cat >"$dir/podman" <<EOF
#!/bin/sh
exec $(command -v podman) --root "$dir/containers" --runroot "$dir/run" --storage-driver vfs "\$@"
EOF
chmod +x "$dir/podman"
podman() { "$dir/podman" "$@"; }

gateway=$(sed -n 's|^    image: \(versity/versitygw:.*\)|\1|p' $compose_file)
mkdir -p "$dir/s3"/{app,bin,tmp}
cp "$dir/versitygw" "$dir/s3/app/"
cp "$(command -v busybox)" "$dir/s3/bin/sh"
ln -s sh "$dir/s3/bin/mkdir"
tar -C "$dir/s3" -cf - . | podman import -q --change 'ENV PATH=/usr/bin:/bin' - "docker.io/$gateway" >/dev/null
podman load -q -i "$image" >/dev/null

echo "== compose up: pingmill and $gateway"
files=(-f "$compose_file")
if (($(ulimit -Hn) < 65536)); then
  echo "try-compose: this machine allows $(ulimit -Hn) open files: ulimits of the file are this"
  echo "services: {pingmill: {ulimits: {nofile: $(ulimit -Hn), nproc: 4096}}}" >"$dir/less.yaml"
  files+=(-f "$dir/less.yaml")
fi
compose() { PINGMILL_VERSION=$version "$dir/venv/bin/podman-compose" --podman-path "$dir/podman" "${files[@]}" "$@"; }
container=pingmill_pingmill_1
began=$SECONDS
up() { compose up -d pingmill s3 >"$dir/log" 2>&1 || fail "compose up: $(tail -5 "$dir/log")"; }
up
inspect() { podman inspect -f "$1" "$container"; }
link() {
  for _ in $(seq 300); do
    compose logs pingmill 2>&1 | grep -oE 'http://localhost:8090/link#[A-Za-z0-9_-]+' | head -1 | grep . && return
    sleep 1
  done
  fail "there is no link within five minutes: $(compose logs pingmill s3 2>&1 | tail -5)"
}
url=$(link)
curl -sS --fail --retry 30 --retry-all-errors --data @docs/new-profile.json \
  http://localhost:8080/submit/telemetry/7c9e6679-7425-40de-944b-e07fc1f90ae7/new-profile/Firefox/58.0/release/20180118215408
got=$(cd serve/web/app && node ../../../packaging/first-row.mjs "$chromium" "$url" \
  "SELECT client_id, environment.system.os.name AS os FROM telemetry_new_profile_parquet" "$dir/row.png")
[[ $got == *f47ac10b* ]] || fail "the row is $got"
echo "the first row was seen after $((SECONDS - began)) s: $got"

echo "== how it runs"
[[ $(inspect '{{.HostConfig.ReadonlyRootfs}}') == true ]] || fail "the root of pingmill can be written"
pid=$(inspect '{{.State.Pid}}')
status() { awk -v name="$1:" '$1 == name {print $2}' "/proc/$pid/status"; }
[[ $(status Uid) == 65532 && $(status CapBnd) == 0000000000000000 && $(status NoNewPrivs) == 1 ]] ||
  fail "pingmill runs as $(status Uid) with capabilities $(status CapBnd), NoNewPrivs $(status NoNewPrivs)"
podman exec "$container" /usr/bin/pingmill health || fail "the health check of the image fails"
podman exec "$container" /usr/bin/pingmill doctor || echo "try-compose: doctor ended with $?"
objects() { find "$(podman volume inspect -f '{{.Mountpoint}}' pingmill_s3)" -name '*.parquet' -path '*/pings/first/*'; }
(($(objects | wc -l) > 0)) || fail "there are no tables in the bucket"
echo "$(objects | wc -l) Parquet files are in the bucket"

echo "== down, and up again"
compose down -t 60 >"$dir/log" 2>&1 || fail "compose down: $(tail -5 "$dir/log")"
up
for _ in $(seq 60); do ! podman exec "$container" /usr/bin/pingmill health 2>/dev/null || break; sleep 1; done
podman exec "$container" /usr/bin/pingmill query --format csv "SELECT client_id FROM telemetry_new_profile_parquet" | grep f47ac10b ||
  fail "the row is gone after a restart"
compose down -v -t 60 >"$dir/log" 2>&1 || fail "compose down: $(tail -5 "$dir/log")"
echo "try-compose: everything works, without Prometheus and Grafana"
