#!/usr/bin/env bash
# Tries arm64 in qemu: the program of dist/release makes the tables of generated pings, which must be the bytes of the program for this
# machine, answers queries as that one does, and opens the data of earlier versions; and the tests of packages with kernels run as arm64.
# A query has a process of its own, which the kernel must start by qemu: it is told so in a user namespace, which Linux 6.7 has.
set -euo pipefail
fail() { echo "try-arm64: $*" >&2; exit 1; }
cd "$(dirname "$0")/.."
qemu=$(command -v qemu-aarch64-static) || fail "missing: qemu-aarch64-static (Debian: qemu-user-static)"
sysroot=/usr/aarch64-linux-gnu
[[ -e $sysroot/lib/ld-linux-aarch64.so.1 ]] || fail "missing: the C library for arm64 (Debian: g++-aarch64-linux-gnu)"
go=${GO:-go}

# The process of a query has no environment, so a link in /etc says where the C library is. psx, which drops capabilities in all threads,
# would wait for a thread of qemu itself: without capabilities nothing calls it.
if [[ -z ${TRY_ARM64:-} ]]; then
  TRY_ARM64=$(mktemp -d)
  export TRY_ARM64
  trap 'rm -rf "$TRY_ARM64"' EXIT
  unshare --user --map-root-user --mount "$0" "$@"
  exit
fi
dir=$TRY_ARM64
if [[ $# == 0 ]]; then
  binfmt=/proc/sys/fs/binfmt_misc
  mount -t binfmt_misc binfmt_misc $binfmt || fail "this kernel has no binfmt_misc in user namespaces: it needs Linux 6.7"
  printf ':arm64:M::\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00:%s:%s:FP' \
    '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff' "$qemu" >$binfmt/register
  mkdir "$dir/etc"
  mount -t tmpfs etc "$dir/etc"
  mkdir -p "$dir/etc"/{work,upper/qemu-binfmt}
  ln -s $sysroot "$dir/etc/upper/qemu-binfmt/aarch64"
  mount -t overlay -o "lowerdir=/etc,upperdir=$dir/etc/upper,workdir=$dir/etc/work" etc /etc
  exec setpriv --bounding-set=-all --inh-caps=-all "$0" inside
fi

query="SELECT os, count(DISTINCT client_id) AS clients, avg(subsession_length) AS length FROM main_summary GROUP BY 1 ORDER BY 1"
for arch in arm64 "$("$go" env GOHOSTARCH)"; do
  mkdir "$dir/$arch"
  tar -xzf dist/release/pingmill-*-linux-"$arch".tar.gz -C "$dir/$arch" --strip-components=1
  pingmill=$dir/$arch/bin/pingmill
  echo "== $("$pingmill" version)"
  "$pingmill" generate --clients 60 --days 2 --output "$dir/$arch/pings"
  "$pingmill" load --data "$dir/$arch/data" "$dir/$arch/pings"
  for day in 20180301 20180302; do "$pingmill" run all --data "$dir/$arch/data" --date $day; done
  "$pingmill" check all --data "$dir/$arch/data" --date 20180301 >"$dir/$arch/check"
  echo "$(wc -l <"$dir/$arch/check") lines of checks"
  "$pingmill" query --data "$dir/$arch/data" --format csv "$query" >"$dir/$arch/rows" 2>"$dir/$arch/log" || fail "query: $(cat "$dir/$arch/log")"
done
cmp "$dir"/*/pings
for root in lake restricted; do diff -r -x _generations "$dir"/*/data/$root || fail "the tables differ"; done
cmp "$dir"/*/rows
cat "$dir/arm64/rows"
echo "== data of earlier versions"
PINGMILL_TEST_BINARY=$dir/arm64/bin/pingmill "$go" test ./cmd/pingmill -vet=off -count 1 -timeout 60m -parallel 1 -run '^TestCompat$'
echo "== tests as arm64" # but for the generator, which starts a program
CGO_ENABLED=0 GOARCH=arm64 "$go" test -vet=off -timeout 60m -skip TestIndexGenerated ./ping ./ping/inflate ./table
echo "try-arm64: everything works"
