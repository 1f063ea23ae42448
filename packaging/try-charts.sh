#!/usr/bin/env bash
# Checks the Helm chart and the compose file with their own tools: helm's linter and templates, the schemas of Kubernetes, the parser
# of compose, and pingmill itself, which reads the configuration that they make.
#   HELM=… COMPOSE=… packaging/try-charts.sh bin/pingmill
# HELM and COMPOSE are the pinned tools: the Makefile sets them. Needs python3 and the network.
set -euo pipefail
fail() { echo "try-charts: $*" >&2; exit 1; }
: "${HELM:?}" "${COMPOSE:?}"
pingmill=$(realpath "${1:-bin/pingmill}")
cd "$(dirname "$0")/.."
chart=packaging/helm/pingmill
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q --disable-pip-version-check kubernetes-validate==1.37.0

echo "== Helm"
helm() { $HELM "$@" --kube-version 1.33.0; }
split=(--set split=true --set config.storage.url=s3://bucket/prefix --set config.spool.url=kafka://broker/pings)
helm lint --strict "$chart"
helm template try "$chart" >"$dir/one.yaml"
helm template try "$chart" "${split[@]}" --set workloads.web.replicas=2 --set env[0].name=PINGMILL_WEB_DATABASE --set env[0].value=postgres://db/pingmill \
  --set serviceAccount.annotations.role=x --set storageClass=fast --set nodeSelector.disk=ssd >"$dir/four.yaml"
for refused in "--set split=true" "--set split=true --set config.storage.url=s3://b" "--set workloads.all.replicas=2"; do
  # shellcheck disable=SC2086 # words
  if helm template try "$chart" $refused >"$dir/log" 2>&1; then fail "the chart takes $refused"; fi
done
for n in one:1 four:4; do
  file=$dir/${n%:*}.yaml
  for kind in StatefulSet Service PodDisruptionBudget NetworkPolicy; do
    [[ $(grep -c "^kind: $kind$" "$file") == "${n#*:}" ]] || fail "${n%:*} has $(grep -c "^kind: $kind$" "$file") of $kind: want ${n#*:}"
  done
  "$dir/venv/bin/kubernetes-validate" --strict --no-warn "$file" >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
  # pingmill opens what it is configured with: a folder takes the place of the bucket.
  sed -n '/pingmill.yaml: |/,/^---/{/^    /s/^    //p}' "$file" | sed "s|s3://bucket/prefix|$dir/storage|" >"$dir/pingmill.yaml"
  "$pingmill" config --config "$dir/pingmill.yaml" | grep >/dev/null '^data: /var/lib/pingmill/data' || fail "pingmill does not read the configuration"
done

echo "== compose"
$COMPOSE packaging/compose/compose.yaml >"$dir/compose.yaml"
mapfile -t environment < <("$dir/venv/bin/python" -c '
import sys, yaml
for k, v in yaml.safe_load(open(sys.argv[1]))["services"]["pingmill"]["environment"].items(): print(f"{k}={v}")' "$dir/compose.yaml")
[[ ${environment[*]} == *"PINGMILL_STORAGE_URL=s3://pings/first?"* ]] || fail "the environment has no bucket"
env "${environment[@]}" PINGMILL_STORAGE_URL="$dir/storage" "$pingmill" config --data "$dir/data" >"$dir/log" || fail "pingmill does not take the environment: $(cat "$dir/log")"
for want in :8090 :8081 http://localhost:8090; do grep -F >/dev/null "$want" "$dir/log" || fail "the environment does not set $want"; done
echo "try-charts: everything works"
