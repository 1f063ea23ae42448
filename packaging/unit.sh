#!/usr/bin/env bash
# Runs every test and writes what happens as events of test2json, of which a summary is made: packages at once, packages to be
# tested on the disk, too, all packages with the longest first.
set -uo pipefail
at_once=$1 on_disk=$2
shift 2
failed=0
"${GO:-go}" test -json -vet=off -timeout 30m -p "$at_once" "$@" || failed=1
# shellcheck disable=SC2086 # a list
[ -z "$on_disk" ] || GOTMPDIR='' TMPDIR='' "${GO:-go}" test -json -count 1 -vet=off -timeout 30m $on_disk || failed=1
"${GO:-go}" test -json -vet=off -tags purego ./ping || failed=1
exit $failed
