#!/usr/bin/env bash
# Runs tests of cmd/pingmill with the program of dist/release for this machine: data of earlier versions, from pings to answers, and the
# commands of the README and of testdata/script.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
arch=$("$go" env GOHOSTARCH)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tar -xzf dist/release/pingmill-*-linux-"$arch".tar.gz -C "$dir" --strip-components=1
export PINGMILL_TEST_BINARY=$dir/bin/pingmill
echo "== $("$PINGMILL_TEST_BINARY" version)"
"$go" test ./cmd/pingmill -vet=off -count 1 -timeout 60m -run '^(TestCompat|TestFromPingsToAnswers|TestReadme|TestScripts)$'
echo "try-binary: everything works"
