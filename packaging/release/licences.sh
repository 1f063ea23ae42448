#!/usr/bin/env bash
# Prints the licences of everything that the program contains: Go modules and their parts, DuckDB's library, the packages of the
# pages, fonts, map data, and the C libraries of a static binary. It reads the module cache and serve/web/app/node_modules. Each text
# is printed once, below the names of all that have it.
set -euo pipefail
cd "$(dirname "$0")/../.."
go=${GO:-go} app=serve/web/app

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
declare -A seen
missing=()

# texts NAME FOLDER… stores the licence files of the folders, and adds the name to each of them.
texts() {
  local name=$1 found='' folder file sum
  shift
  for folder; do
    for file in "$folder"/*; do
      [[ -f $file && ${file##*/} =~ ^(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|NOTICES|PATENTS|License|license)([.-].*)?$ && $file != *.go ]] || continue
      sum=$(sha256sum <"$file" | cut -c 1-64) found=yes
      [[ -z ${seen[$name $sum]:-} ]] || continue
      seen[$name $sum]=1
      [[ -f $dir/$sum ]] || cp "$file" "$dir/$sum"
      echo "$name" >>"$dir/$sum.names"
    done
  done
  [[ $found ]] || missing+=("$name")
}

# Besides a module's own, a package's folder and those above it can have a licence for copied code.
modules() {
  "$go" list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}} {{$.Dir}}{{end}}{{end}}' ./cmd/pingmill |
    while read -r path version root folder; do
      while [[ $folder == "$root"* ]]; do
        echo "$path $version" "$folder"
        folder=${folder%/*}
      done
    done | LC_ALL=C sort -u
}

name='' folders=()
while read -r path version folder; do
  if [[ $name != "$path $version" ]]; then
    [[ -z $name ]] || texts "$name" "${folders[@]}"
    name="$path $version" folders=()
  fi
  folders+=("$folder")
done < <(modules; echo end)
texts "Go's standard library $("$go" env GOVERSION)" "$("$go" env GOROOT)"

while read -r path version; do
  texts "npm: ${path#node_modules/} $version" "$app/$path"
done < <(jq -r '.packages | to_entries[] | select(.key != "" and (.value.dev | not)) | "\(.key) \(.value.version)"' $app/package-lock.json)
# Their data are in the pages, or their code was run to make them.
for path in world-atlas i18n-iso-countries d3-geo topojson-client; do
  texts "npm: $path $(jq -r '.packages["node_modules/'$path'"].version' $app/package-lock.json)" "$app/node_modules/$path"
done
# What DuckDB's library contains, as of the version in the file beside, and the C libraries of a static binary.
for folder in packaging/release/licences/duckdb/*/; do texts "DuckDB: $(basename "$folder")" "$folder"; done
for folder in packaging/release/licences/c/*/; do texts "$(basename "$folder")" "$folder"; done
((${#missing[@]} == 0)) || { printf 'licences: no licence file of %s\n' "${missing[@]}" >&2; exit 1; }

cat packaging/release/licences.txt
for names in $(cd "$dir" && for f in *.names; do echo "$(LC_ALL=C sort "$f" | head -1 | tr ' ' '_') $f"; done | LC_ALL=C sort | cut -d ' ' -f 2); do
  printf '\n%s\n' "$(printf '=%.0s' {1..80})"
  LC_ALL=C sort "$dir/$names"
  printf '%s\n\n' "$(printf -- '-%.0s' {1..80})"
  tr -d '\r' <"$dir/${names%.names}"
done
