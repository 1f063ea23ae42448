#!/usr/bin/env bash
# Tries the files of dist/release as a stranger does: the Debian package on a new Debian by dpkg, and the RPM package by rpm, each with
# an older version before it, the service as the unit starts it, pings and a query, upgrade and removal; then the image, unpacked, with a
# root that cannot be written, as its user. The older version is the same program in a package of its own; what systemd does is not tried.
#   NFPM=… packaging/try-release.sh [SUITE]     bookworm, trixie…
# Needs root, debootstrap, bwrap (Debian: bubblewrap), jq and a Debian mirror. DEBIAN=DIR is a folder that debootstrap made before, with
# rpm. NFPM is the pinned tool: the Makefile sets it.
set -euo pipefail
fail() { echo "try-release: $*" >&2; exit 1; }
: "${NFPM:?}"
packaging=$(realpath "$(dirname "$0")")
cd "$(dirname "$0")/../dist/release"
missing=()
for tool in bwrap jq chroot dpkg; do command -v $tool >/dev/null || missing+=("$tool"); done
[[ -n ${DEBIAN:-} ]] || command -v debootstrap >/dev/null || missing+=(debootstrap)
[[ $(id -u) == 0 ]] || missing+=(root)
((${#missing[@]} == 0)) || fail "missing: ${missing[*]}"
sha256sum --quiet -c SHA256SUMS
arch=$(dpkg --print-architecture)
deb=$(echo pingmill_*_"$arch".deb) rpm=$(echo pingmill-*."$(uname -m)".rpm) image=$(echo pingmill-*-image-linux-"$arch".tar)

dir=$(mktemp -d /var/tmp/try-release.XXXXXX) server=
cleanup() { if [[ -n $server ]]; then kill -KILL "$server" 2>/dev/null || true; fi; umount "$dir/root/proc" 2>/dev/null || true; rm -rf --one-file-system "$dir"; }
trap cleanup EXIT
root=$dir/root
if [[ -n ${DEBIAN:-} ]]; then cp -a "$DEBIAN" "$root"; else debootstrap --variant=minbase --include=rpm "${1:-bookworm}" "$root" >/dev/null; fi
mount -t proc proc "$root/proc"
port=$(shuf -i 20000-29998 -n 1)
ports=(PINGMILL_EDGE_LISTEN="127.0.0.1:$port" PINGMILL_PRIVATE_LISTEN="127.0.0.1:$((port + 1))" PINGMILL_WEB_LISTEN="127.0.0.1:$((port + 2))")
healthy() {
  for _ in $(seq 150); do
    if "$@" health 2>/dev/null; then return; fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.2
  done
  fail "the service is not healthy: $(tail -5 "$dir/log")"
}
# stop ends the service, or the process that is it.
stop() { kill -TERM "${1:-$server}"; wait "$server" || fail "SIGTERM ended it with $?: $(tail -5 "$dir/log")"; server=; }

echo "== packages of an older version"
older=$dir/older
mkdir "$older"
tar -xzf pingmill-*-linux-"$arch".tar.gz -C "$older" --strip-components=1
cp "$packaging"/release/{nfpm.yaml,postinstall.sh,preremove.sh} "$older/"
echo "# older" | cat - "$packaging/pingmill.example.yaml" >"$older/pingmill.yaml"
for kind in deb rpm; do
  (cd "$older" && VERSION=v0.0.1 ARCH=$arch $NFPM package --config nfpm.yaml --packager $kind --target "$root/root/") >"$dir/log" 2>&1 ||
    fail "nfpm: $(tail -3 "$dir/log")"
done
cp "$deb" "$rpm" "$root/root/"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${ports[@]}" "$@"; }
# manage runs a package manager. rpm ends with status 0 when a script fails.
manage() {
  inside "$@" >"$dir/manage" 2>&1 </dev/null || fail "$*: $(tail -5 "$dir/manage")"
  ! grep 'scriptlet failed' "$dir/manage" || fail "$*: a script failed"
}
config=$root/etc/pingmill/pingmill.yaml
# Lists of words, not functions: a signal reaches the service itself.
run=(chroot --userspec=pingmill:pingmill "$root" env -i PATH=/usr/bin HOME=/var/lib/pingmill "${ports[@]}" PINGMILL_CONFIG=/etc/pingmill/pingmill.yaml)
serve() { "${run[@]}" /usr/bin/pingmill serve --data /var/lib/pingmill/data >"$dir/log" 2>&1 & server=$!; healthy "${run[@]}" pingmill; }
rows() { "${run[@]}" pingmill query --data /var/lib/pingmill/data --format csv "SELECT count(*) FROM main_summary" | tail -1; }
# kept checks what no package manager takes away.
kept() {
  [[ ! -e $root/usr/bin/pingmill && ! -e $root/usr/lib/systemd/system/pingmill.service ]] || fail "$1 left the program or the unit"
  [[ -d $root/var/lib/pingmill/data/lake ]] || fail "$1 took the data"
  inside getent passwd pingmill >/dev/null || fail "$1 took the user"
}

# try_package OLD NEW INSTALL UPGRADE AGAIN REMOVE: files, and the commands of a package manager.
try_package() {
  local before
  echo "== $2 after $1 on $(sed -n 's/^PRETTY_NAME=//p' "$root/etc/os-release")"
  rm -rf "$root/var/lib/pingmill" "$root/etc/pingmill"
  ! inside getent passwd pingmill >/dev/null || inside userdel pingmill
  # shellcheck disable=SC2086 # words
  manage $3 "/root/$1"
  inside getent passwd pingmill | grep -q ':/var/lib/pingmill:.*nologin$' || fail "there is no user pingmill: $(inside getent passwd pingmill)"
  # The unit makes the folder of the state. systemd does not run here: make unit-check tests it.
  inside install -d -o pingmill -g pingmill -m 0750 /var/lib/pingmill
  serve
  "${run[@]}" pingmill generate --clients 40 --days 1 --output /var/lib/pingmill/pings
  "${run[@]}" pingmill load --data /var/lib/pingmill/data /var/lib/pingmill/pings
  "${run[@]}" pingmill run all --data /var/lib/pingmill/data --date 20180301 2>/dev/null
  before=$(rows)
  ((before > 0)) || fail "main_summary has $before rows"
  # shellcheck disable=SC2086
  manage $4 "/root/$2" # while it runs, as upgrades do
  [[ $(inside stat -c %U:%a /usr/bin/pingmill) == root:755 ]] || fail "the program is of $(inside stat -c %U:%a /usr/bin/pingmill)"
  [[ $(head -1 "$config") != "# older" ]] || fail "the upgrade kept a configuration that nobody had changed"
  grep -q '^data: /var/lib/pingmill/data$' "$config" || fail "the configuration has another folder"
  start=$(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/pingmill.service")
  [[ $start == "/usr/bin/pingmill serve --config /etc/pingmill/pingmill.yaml" ]] || fail "the unit starts $start"
  stop
  serve
  [[ $(rows) == "$before" ]] || fail "after the upgrade main_summary has $(rows) rows, before $before"
  stop
  echo "# changed" >>"$config"
  # shellcheck disable=SC2086
  manage $5 "/root/$2"
  grep -q "^# changed" "$config" || fail "the package manager lost the configuration"
  # shellcheck disable=SC2086
  manage $6 pingmill
  kept "$6"
  grep -q "^# changed" "$config"* || fail "$6 lost the configuration"
  echo "$before rows of main_summary before and after; data, configuration and user stay"
}
try_package pingmill_0.0.1_"$arch".deb "$deb" "dpkg -i" "dpkg -i" "dpkg -i" "dpkg -r"
manage dpkg -P pingmill
kept "dpkg -P"
[[ ! -e $config ]] || fail "dpkg -P left the configuration"
try_package "$(cd "$root/root" && echo pingmill-0.0.1-1.*.rpm)" "$rpm" "rpm -i --nodeps" "rpm -U --nodeps" "rpm -U --nodeps --replacepkgs" "rpm -e"

echo "== $image"
layout=$dir/layout system=$dir/system
mkdir -p "$layout" "$system"/{proc,dev}
tar -xf "$image" -C "$layout"
blob() { echo "$layout/blobs/${1/:/\/}"; }
for file in "$layout"/blobs/sha256/*; do [[ $(sha256sum <"$file") == "${file##*/} "* ]] || fail "$file has another checksum"; done
manifest=$(blob "$(jq -r '.manifests[0].digest' "$layout/index.json")")
config=$(blob "$(jq -r .config.digest "$manifest")")
tar -xzpf "$(blob "$(jq -r '.layers[0].digest' "$manifest")")" -C "$system" --numeric-owner
[[ $(gzip -dc "$(blob "$(jq -r '.layers[0].digest' "$manifest")")" | sha256sum) == "$(jq -r '.rootfs.diff_ids[0][7:]' "$config") "* ]] || fail "diff_ids differ"
IFS=: read -r uid gid < <(jq -r .config.User "$config")
((uid > 0)) || fail "the image runs as root"
mapfile -t entry < <(jq -r '.config.Entrypoint[]' "$config")
mapfile -t command < <(jq -r '.config.Cmd[]' "$config")
mapfile -t health < <(jq -r '.config.Healthcheck.Test[1:][]' "$config")
mapfile -t environment < <(jq -r '.config.Env[]' "$config")
state=$(jq -r '.config.Volumes | keys[0]' "$config")
mkdir "$dir/state" && chmod 750 "$dir/state" && chown "$uid:$gid" "$dir/state"
chmod 755 "$dir"
contained=(env -i "${environment[@]}" "${ports[@]}" setpriv --reuid "$uid" --regid "$gid" --clear-groups
  bwrap --ro-bind "$system" / --bind "$dir/state" "$state" --proc /proc --dev /dev --chdir "$(jq -r .config.WorkingDir "$config")")
"${contained[@]}" "${entry[@]}" "${command[@]}" >"$dir/log" 2>&1 & server=$!
healthy "${contained[@]}" "${entry[@]}"
"${contained[@]}" "${health[@]}" || fail "the health check of the image fails"
if "${contained[@]}" /usr/bin/pingmill load --data /etc/pingmill/data /dev/null 2>/dev/null; then fail "the root can be written"; fi
"${contained[@]}" "${entry[@]}" generate --clients 100 --days 1 --to "http://127.0.0.1:$port" --acked "$state/acked"
stop "$(pgrep -P "$server" | head -1)" # bwrap waits for it
"${contained[@]}" "${entry[@]}" generate --acked "$state/acked" --verify "$state/data"
"${contained[@]}" "${entry[@]}" run all --date "$(date -u +%Y%m%d)" 2>/dev/null
"${contained[@]}" "${entry[@]}" query --format csv "SELECT count(*) AS rows FROM main_summary"
echo "try-release: everything works"
