#!/usr/bin/env bash
# Tries arm64 in qemu: the program of dist/release makes the tables of generated pings, which must be the bytes of the program for this
# machine, and the tests of packages with kernels run as arm64.
set -euo pipefail
fail() { echo "try-arm64: $*" >&2; exit 1; }
cd "$(dirname "$0")/.."
qemu=qemu-aarch64-static sysroot=/usr/aarch64-linux-gnu
command -v $qemu >/dev/null || fail "missing: $qemu (Debian: qemu-user-static)"
[[ -e $sysroot/lib/ld-linux-aarch64.so.1 ]] || fail "missing: the C library for arm64 (Debian: g++-aarch64-linux-gnu)"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for arch in arm64 "$(${GO:-go} env GOHOSTARCH)"; do
  mkdir "$dir/$arch"
  tar -xzf dist/release/pingmill-*-linux-$arch.tar.gz -C "$dir/$arch" --strip-components=1
  run=("$dir/$arch/bin/pingmill")
  [[ $arch != arm64 ]] || run=($qemu -L $sysroot "${run[@]}")
  echo "== $("${run[@]}" version)"
  "${run[@]}" generate --clients 60 --days 2 --output "$dir/$arch/pings"
  "${run[@]}" load --data "$dir/$arch/data" "$dir/$arch/pings"
  for day in 20180301 20180302; do "${run[@]}" run all --data "$dir/$arch/data" --date $day; done
  "${run[@]}" check all --data "$dir/$arch/data" --date 20180301 >"$dir/$arch/check"
  echo "$(wc -l <"$dir/$arch/check") lines of checks"
done
cmp "$dir"/*/pings
for root in lake restricted; do diff -r -x _generations "$dir"/*/data/$root || fail "the tables differ"; done
echo "try-arm64: no query was run: its process, which a query has for itself, does not run in qemu"
echo "== tests as arm64" # but for the generator, which starts a program
CGO_ENABLED=0 GOARCH=arm64 ${GO:-go} test -vet=off -timeout 60m -exec $qemu -skip TestIndexGenerated ./ping ./ping/inflate ./table
echo "try-arm64: everything works"
