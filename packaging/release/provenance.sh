#!/usr/bin/env bash
# Prints what a release was made from and how, as an in-toto statement with SLSA's provenance. The checksums are read from standard
# input. Without the service that ran it: a workflow signs the statement, and adds that.
#   packaging/release/provenance.sh COMMIT ARCHES <SHA256SUMS
set -euo pipefail
go=${GO:-go}
jq -nR --arg commit "$1" --arg arches "$2" --arg version "$VERSION" --arg go "$("$go" env GOVERSION)" --arg static "$STATIC_BUILD" \
  --arg cc "$(gcc --version | head -1)" --arg libc "$(ldd --version | head -1)" --arg epoch "$SOURCE_DATE_EPOCH" \
  --arg sum "$(sha256sum go.sum | cut -d ' ' -f 1)" --arg lock "$(sha256sum serve/web/app/package-lock.json | cut -d ' ' -f 1)" '
  {_type: "https://in-toto.io/Statement/v1",
   subject: [inputs | split("  ") | {name: .[1], digest: {sha256: .[0]}}],
   predicateType: "https://slsa.dev/provenance/v1",
   predicate: {
     buildDefinition: {
       buildType: "https://github.com/pingmill/pingmill/blob/main/docs/release.md",
       externalParameters: {command: "make release", version: $version, arches: ($arches | split(" "))},
       internalParameters: {goBuild: $static, SOURCE_DATE_EPOCH: $epoch},
       resolvedDependencies: [
         {uri: "git+https://github.com/pingmill/pingmill@\($commit)", digest: {gitCommit: $commit}},
         {name: "go.sum", digest: {sha256: $sum}}, {name: "serve/web/app/package-lock.json", digest: {sha256: $lock}},
         {name: "Go", annotations: {version: $go}}, {name: "C compiler", annotations: {version: $cc}}, {name: "C library", annotations: {version: $libc}}]},
     runDetails: {builder: {id: "https://github.com/pingmill/pingmill/blob/main/packaging/release/release.sh"}}}}'
