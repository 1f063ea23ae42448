#!/usr/bin/env bash
# Runs every test and writes what happens as events of test2json, of which a summary is made: packages at once, packages whose tests
# have their files on the disk, all packages with the longest first.
#   LINK='flags of the linker' unit.sh AT_ONCE 'PACKAGES' PACKAGES…
set -uo pipefail
at_once=$1 on_disk=$2
shift 2
run() { "${GO:-go}" test -json -vet=off -ldflags "$LINK" -timeout 30m "$@"; }

# These wait most of the time, so they run beside the others. Their events follow at the end, since lines of two writers could mix.
beside() {
  local failed=0
  # shellcheck disable=SC2086 # a list
  [ -z "$on_disk" ] || GOTMPDIR='' TMPDIR='' run -count 1 $on_disk || failed=1
  run -tags purego ./ping || failed=1
  return $failed
}
events=$(mktemp) || exit 1
trap 'rm -f "$events"' EXIT
beside >"$events" &
beside=$!

failed=0
packages=$("${GO:-go}" list "$@") || failed=1
# shellcheck disable=SC2086 # a list
[ -z "$on_disk" ] || packages=$(grep -vxF "$("${GO:-go}" list $on_disk)" <<<"$packages")
# shellcheck disable=SC2086 # a list
[ -z "$packages" ] || run -p "$at_once" $packages || failed=1
wait "$beside" || failed=1
cat "$events"
exit $failed
