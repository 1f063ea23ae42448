#!/usr/bin/env bash
# go build, which says how far it is: with an empty cache it takes minutes. $GO, and the arguments of go build.
set -euo pipefail

go=${GO:-go}
total=$("$go" list -deps "${@: -1}" | wc -l)
tty=0
[ -t 2 ] && tty=1

"$go" build -v "$@" 2>&1 | awk -v total="$total" -v tty="$tty" '
function clear() { if (tty && shown) printf "\r\033[K" > "/dev/stderr"; shown = 0 }
# Packages are named as they are begun; anything else is said by the compiler, or by what fetches modules.
!/^[a-z0-9][^ :]*$/ { clear(); print > "/dev/stderr"; next }
{
	n++
	if (n == 20) {
		clear()
		print "Building: with an empty cache it takes some minutes, later seconds." > "/dev/stderr"
	}
	if (tty) {
		printf "\r\033[K%d of %d packages: %s", n, total, substr($0, 1, 60) > "/dev/stderr"
		shown = 1
	} else if (n % 100 == 0) {
		printf "%d of %d packages\n", n, total > "/dev/stderr"
	}
	fflush("/dev/stderr")
}
END { clear() }'
