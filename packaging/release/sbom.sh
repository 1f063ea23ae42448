#!/usr/bin/env bash
# Prints the SBOM of a program in CycloneDX: Go's modules as the program names them, the packages of the pages
# as package-lock.json has them, and what is compiled into DuckDB's library. $CYCLONEDX is the pinned tool.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
$CYCLONEDX bin -json -output-version 1.6 -noserial -notimestamp -std -licenses -version "$VERSION" "$1" >"$dir/go.json"
jq '[.packages | to_entries[] | select(.key != "" and (.value.dev | not)) | (.key | sub("^node_modules/"; "")) as $name | {
    "bom-ref": "pkg:npm/\($name | sub("^@"; "%40"))@\(.value.version)", type: "library", name: $name, version: .value.version, scope: "required",
    purl: "pkg:npm/\($name | sub("^@"; "%40"))@\(.value.version)", licenses: [{license: {id: .value.license}}]}]' \
  serve/web/app/package-lock.json >"$dir/npm.json"
printf '%s\n' packaging/release/licences/duckdb/*/ | jq -R 'split("/")[4]' | jq -s --arg duckdb "$(cat packaging/release/licences/duckdb/VERSION)" \
  'map({"bom-ref": "duckdb-\($duckdb)/\(.)", type: "library", name: ., description: "part of DuckDB \($duckdb)", scope: "required"})' >"$dir/duckdb.json"
jq --slurpfile npm "$dir/npm.json" --slurpfile duckdb "$dir/duckdb.json" \
  '.metadata.component["bom-ref"] as $main | del(.metadata.tools[].hashes) | ($npm[0] + $duckdb[0]) as $more | .components += $more |
   .dependencies |= map(if .ref == $main then .dependsOn += [$more[]."bom-ref"] else . end)' "$dir/go.json"
