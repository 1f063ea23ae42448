#!/usr/bin/env bash
# Runs tests of cmd/pingmill with a program of dist/release: data of earlier versions, from pings to answers, and for this machine's
# architecture also the commands of the README and of testdata/script.
#   packaging/try-binary.sh amd64|arm64
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$1 go=${GO:-go} tests='^(TestCompat|TestFromPingsToAnswers)$'
if [[ $arch == "$("$go" env GOHOSTARCH)" ]]; then
  tests='^(TestCompat|TestFromPingsToAnswers|TestReadme|TestScripts)$'
elif ! grep -qs ^enabled /proc/sys/fs/binfmt_misc/qemu-aarch64; then
  echo "try-binary: not tried: binfmt_misc does not know qemu-aarch64, and a query starts a process of its own"
  exit
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tar -xzf dist/release/pingmill-*-linux-"$arch".tar.gz -C "$dir" --strip-components=1
export PINGMILL_TEST_BINARY=$dir/bin/pingmill QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
echo "== $("$PINGMILL_TEST_BINARY" version)"
"$go" test ./cmd/pingmill -vet=off -count 1 -timeout 60m -run "$tests"
echo "try-binary: everything works"
