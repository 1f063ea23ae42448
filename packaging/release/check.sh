#!/usr/bin/env bash
# Makes the release of the last commit twice, in clones in folders of different depth, the second one with an empty cache of compiled
# packages, and compares every byte. COLD= takes the same cache for both: then only packing and linking are compared.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make=(make --no-print-directory release "VERSION=$VERSION" "ARCHES=$ARCHES")
for folder in one two/deeper/folder; do
  git clone --quiet --no-hardlinks . "$dir/$folder"
  cp -r serve/web/app/node_modules "$dir/$folder/serve/web/app/"
  echo "== $folder"
  (cd "$dir/$folder" && if [[ $folder != one && -n ${COLD-1} ]]; then export GOCACHE=$dir/cache; fi && "${make[@]}" >"$dir/log" 2>&1) ||
    { tail -20 "$dir/log" >&2; exit 1; }
done
diff -r "$dir/one/dist/release" "$dir/two/deeper/folder/dist/release"
cat "$dir/one/dist/release/SHA256SUMS"
echo "release-check: the same bytes"
