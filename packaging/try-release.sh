#!/usr/bin/env bash
# Tries the files of dist/release as a stranger does: the Debian package on a new Debian by dpkg, with the service as the unit starts
# it, pings and a query, upgrade and removal; then the image, unpacked, with a root that cannot be written, as its user.
#   packaging/try-release.sh [SUITE]     bookworm, trixie…
# Needs root, debootstrap, bwrap (Debian: bubblewrap), jq and a Debian mirror. DEBIAN=DIR is a folder that debootstrap made before.
set -euo pipefail
fail() { echo "try-release: $*" >&2; exit 1; }
cd "$(dirname "$0")/../dist/release"
missing=()
for tool in bwrap jq chroot rpm dpkg; do command -v $tool >/dev/null || missing+=("$tool"); done
[[ -n ${DEBIAN:-} ]] || command -v debootstrap >/dev/null || missing+=(debootstrap)
[[ $(id -u) == 0 ]] || missing+=(root)
((${#missing[@]} == 0)) || fail "missing: ${missing[*]}"
sha256sum --quiet -c SHA256SUMS
arch=$(dpkg --print-architecture)
deb=$(echo pingmill_*_"$arch".deb) image=$(echo pingmill-*-image-linux-"$arch".tar)

dir=$(mktemp -d /var/tmp/try-release.XXXXXX) server=
cleanup() { if [[ -n $server ]]; then kill -KILL "$server" 2>/dev/null || true; fi; umount "$dir/root/proc" 2>/dev/null || true; rm -rf --one-file-system "$dir"; }
trap cleanup EXIT
root=$dir/root
if [[ -n ${DEBIAN:-} ]]; then cp -a "$DEBIAN" "$root"; else debootstrap --variant=minbase "${1:-bookworm}" "$root" >/dev/null; fi
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

echo "== $deb on $(sed -n 's/^PRETTY_NAME=//p' "$root/etc/os-release")"
cp "$deb" "$root/root/"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${ports[@]}" "$@"; }
inside dpkg -i "/root/$deb" >"$dir/log" 2>&1 || fail "dpkg: $(tail -5 "$dir/log")"
[[ $(inside id -un "$(inside id -u pingmill)") == pingmill ]] || fail "there is no user pingmill"
# The unit makes the folder of the state. systemd does not run here: make unit-check tests it.
inside install -d -o pingmill -g pingmill -m 0750 /var/lib/pingmill
start=$(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/pingmill.service")
[[ $start == "/usr/bin/pingmill serve --config /etc/pingmill/pingmill.yaml" ]] || fail "the unit starts $start"
# Lists of words, not functions: a signal reaches the service itself.
run=(chroot --userspec=pingmill:pingmill "$root" env -i PATH=/usr/bin HOME=/var/lib/pingmill "${ports[@]}" PINGMILL_CONFIG=/etc/pingmill/pingmill.yaml)
"${run[@]}" /usr/bin/pingmill serve >"$dir/log" 2>&1 & server=$!
healthy "${run[@]}" pingmill
"${run[@]}" pingmill generate --clients 40 --days 1 --output /var/lib/pingmill/pings
"${run[@]}" pingmill load /var/lib/pingmill/pings
"${run[@]}" pingmill run all --date 20180301 2>/dev/null
rows=$("${run[@]}" pingmill query --format csv "SELECT count(*) FROM main_summary" | tail -1)
((rows > 0)) || fail "main_summary has $rows rows"
stop
echo "main_summary has $rows rows"
echo "# changed" >>"$root/etc/pingmill/pingmill.yaml"
inside dpkg -i "/root/$deb" >"$dir/log" 2>&1 || fail "dpkg, the second time: $(tail -5 "$dir/log")"
grep -q "^# changed" "$root/etc/pingmill/pingmill.yaml" || fail "an upgrade lost the configuration"
inside dpkg -r pingmill >"$dir/log" 2>&1 || fail "dpkg -r: $(tail -5 "$dir/log")"
[[ ! -e $root/usr/bin/pingmill && -d $root/var/lib/pingmill/data && -e $root/etc/pingmill/pingmill.yaml ]] || fail "removal left the program, or took data or configuration"

echo "== pingmill-*.rpm"
for rpm in pingmill-*.rpm; do rpm -qpl "$rpm" 2>/dev/null | grep >/dev/null ^/usr/bin/pingmill$ || fail "$rpm has no program"; done

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
