#!/usr/bin/env bash
# Starts packaging/compose/compose.yaml with docker compose and podman, until a ping that was sent is a row in the browser, its files are
# in the bucket, and Prometheus has the metrics; then stops and starts it again.
#   packaging/try-compose.sh
# No image is pulled. That of pingmill is of dist/release. Those of versitygw and Prometheus are stand-ins with the names of the file:
# versitygw is built from its module, Prometheus is the Debian package. Grafana has none, so it is left out.
# Needs root, podman with netavark and aardvark-dns, busybox (static), apt-get, curl, Chromium, Node.js with the packages of serve/web/app.
# DOCKER_COMPOSE is the pinned tool: the Makefile sets it. The stack has a network of its own, so that the ports of the file are free.
set -euo pipefail
fail() { echo "try-compose: $*" >&2; exit 1; }
: "${DOCKER_COMPOSE:?}" "${VERSITYGW:?}"
cd "$(dirname "$0")/.."
go=${GO:-go} chromium=${E2E_CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}
missing=()
for tool in podman unshare ip busybox apt-get curl node jq; do command -v $tool >/dev/null || missing+=("$tool"); done
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
  echo "== what stands in for the images that the file pulls"
  export GOFLAGS='' CGO_ENABLED=0 GOBIN=$TRY_DIR
  "$go" install "$VERSITYGW"
  # Its go.mod leaves out versions of modules, so go install refuses it.
  cp -r "$("$go" mod download -json "$DOCKER_COMPOSE" | jq -r .Dir)" "$TRY_DIR/compose"
  chmod -R u+w "$TRY_DIR/compose"
  "$go" -C "$TRY_DIR/compose" build -o "$TRY_DIR/docker-compose" ./cmd
  (cd "$TRY_DIR" && chmod 755 . && apt-get download prometheus >log 2>&1) || fail "apt-get download prometheus: $(tail -3 "$TRY_DIR/log")"
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
podman() { command podman --root "$dir/containers" --runroot "$dir/run" --storage-driver vfs "$@"; }

# stand_in NAME FOLDER CHANGE… makes an image of a folder.
stand_in() {
  local name=$1 folder=$2 change=()
  for c in "${@:3}"; do change+=(--change "$c"); done
  tar -C "$folder" -cf - . | podman import -q "${change[@]}" - "docker.io/$name" >/dev/null
  echo "$name: $(podman image inspect -f '{{.Size}}' "docker.io/$name") bytes"
}
image_of() { sed -n "s|^    image: \($1:.*\)|\1|p" $compose_file; }
mkdir -p "$dir/s3"/{app,bin,tmp}
cp "$dir/versitygw" "$dir/s3/app/"
cp "$(command -v busybox)" "$dir/s3/bin/sh"
ln -s sh "$dir/s3/bin/mkdir"
stand_in "$(image_of versity/versitygw)" "$dir/s3" 'ENV PATH=/usr/bin:/bin'
dpkg -x "$dir"/prometheus_*.deb "$dir/prometheus"
mkdir -p "$dir/prometheus"/{prometheus,etc/prometheus,bin}
ldd "$dir/prometheus/usr/bin/prometheus" | grep -o '/[^ ]*' | xargs -I{} cp --parents -L {} "$dir/prometheus/"
mv "$dir/prometheus/usr/bin/prometheus" "$dir/prometheus/bin/"
chown 65534:65534 "$dir/prometheus/prometheus"
rm -rf "$dir/prometheus"/{usr,etc/default,etc/init.d,lib/systemd}
# The arguments are those of prom/prometheus.
stand_in "$(image_of prom/prometheus)" "$dir/prometheus" 'USER 65534' 'VOLUME /prometheus' \
  'ENTRYPOINT ["/bin/prometheus"]' 'CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]'
podman load -q -i "$image" >/dev/null

echo "== compose up, but for grafana, which has no image here"
podman system service --time 0 "unix://$dir/docker.sock" >"$dir/podman.log" 2>&1 &
for _ in $(seq 100); do [[ ! -S $dir/docker.sock ]] || break; sleep 0.1; done
files=(-f "$compose_file")
if (($(ulimit -Hn) < 65536)); then
  echo "try-compose: this machine allows $(ulimit -Hn) open files: ulimits of the file are this"
  echo "services: {pingmill: {ulimits: {nofile: $(ulimit -Hn)}}}" >"$dir/less.yaml"
  files+=(-f "$dir/less.yaml")
fi
compose() { DOCKER_HOST=unix://$dir/docker.sock PINGMILL_VERSION=$version "$dir/docker-compose" "${files[@]}" "$@"; }
began=$SECONDS
up() { compose up -d --pull never pingmill s3 prometheus >"$dir/log" 2>&1 || fail "compose up: $(tail -5 "$dir/log")"; }
up
container=$(compose ps -q pingmill)
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
prometheus=http://$(podman inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$(compose ps -q prometheus)"):9090
for _ in $(seq 60); do
  up=$(curl -sS --retry 30 --retry-all-errors "$prometheus/api/v1/query?query=up" | jq -r '.data.result[0].value[1]')
  [[ $up != 1 ]] || break
  sleep 1
done
[[ $up == 1 ]] || fail "Prometheus does not read the metrics: $(curl -sS "$prometheus/api/v1/targets" | jq -c '.data.activeTargets[].lastError')"
rules=$(curl -sS "$prometheus/api/v1/rules" | jq '[.data.groups[].rules[]] | length')
((rules > 0)) || fail "Prometheus has no alerts"
echo "Prometheus reads the metrics and has $rules alerts"

echo "== down, and up again"
compose down -t 60 >"$dir/log" 2>&1 || fail "compose down: $(tail -5 "$dir/log")"
up
container=$(compose ps -q pingmill)
for _ in $(seq 60); do ! podman exec "$container" /usr/bin/pingmill health 2>/dev/null || break; sleep 1; done
podman exec "$container" /usr/bin/pingmill query --format csv "SELECT client_id FROM telemetry_new_profile_parquet" | grep f47ac10b ||
  fail "the row is gone after a restart"
compose down -v -t 60 >"$dir/log" 2>&1 || fail "compose down: $(tail -5 "$dir/log")"
echo "try-compose: everything works, without grafana"
