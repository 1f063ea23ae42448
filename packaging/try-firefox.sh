#!/usr/bin/env bash
# Ten profiles of a real Firefox send to a fresh pingmill: people browse, search, crash, go away, and turn data collection
# off. Then every table is compared with what was sent. Takes 8 minutes; nothing leaves the machine. FIREFOX_DIR keeps all.
#   packaging/try-firefox.sh PINGMILL
# FIREFOX names the program, FIREFOX_CLIENTS some clients of packaging/firefox/clients.py, with commas between them.
set -euo pipefail
cd "$(dirname "$0")/.."
pingmill=$(realpath "${1:-bin/pingmill}")
firefox=${FIREFOX:-firefox-esr}
packages="marionette-driver==3.7.1 pyarrow==26.0.1"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/pingmill-firefox

missing=()
[ -x "$pingmill" ] || missing+=("$pingmill: make build")
[ "$(uname)" = Linux ] || missing+=("Linux")
command -v "$firefox" > /dev/null || missing+=("$firefox: apt-get install firefox-esr, or FIREFOX=/path/to/firefox")
python3 -c 'import venv, ensurepip' 2> /dev/null || missing+=("python3 with venv: apt-get install python3-venv")
yama=/proc/sys/kernel/yama
[ -d $yama ] || command -v "${CC:-gcc}" > /dev/null || missing+=("a C compiler: apt-get install gcc")
if [ ${#missing[@]} -gt 0 ]; then
	printf 'try-firefox: missing:\n' >&2
	printf '  - %s\n' "${missing[@]}" >&2
	exit 1
fi

# In a folder of its own for each set of packages.
venv=$cache/$(echo "$packages" | cksum | cut -d' ' -f1)
if [ ! -e "$venv/complete" ]; then
	echo "== fetch $packages into $venv"
	python3 -m venv --clear "$venv"
	# shellcheck disable=SC2086 # one word for each package
	"$venv/bin/pip" install -q --disable-pip-version-check $packages
	touch "$venv/complete"
fi

if [ -n "${FIREFOX_DIR:-}" ]; then
	work=$(realpath -m "$FIREFOX_DIR")
	[ ! -e "$work" ] || { echo "try-firefox: $work is there already" >&2; exit 1; }
	mkdir -p "$work"
else
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
fi
preload=''
if [ ! -d $yama ]; then
	preload=$work/ptracer.so
	"${CC:-gcc}" -shared -fPIC -O2 -o "$preload" packaging/firefox/ptracer.c
fi

echo "== $("$firefox" --version)"
"$venv/bin/python" -B packaging/firefox/capture.py "$pingmill" "$firefox" "$work" $preload

echo "== make the tables"
days=$(sed -n 's/.*"timestamp": \([0-9]*\)[0-9]\{9\}.*/\1/p' "$work/submissions.ndjson" | while read -r t; do date -u -d "@$t" +%Y%m%d; done | sort -u)
settings=(--config "$work/pingmill.yaml" --data "$work/data")
"$pingmill" run all --from "$(head -1 <<< "$days")" --to "$(tail -1 <<< "$days")" "${settings[@]}" 2> "$work/run.log" || { tail -5 "$work/run.log" >&2; exit 1; }
"$pingmill" delete --now "${settings[@]}" > "$work/delete.log" 2>&1 || { tail -5 "$work/delete.log" >&2; exit 1; }

echo "== compare"
"$venv/bin/python" -B packaging/firefox/compare.py "$pingmill" "$work"
