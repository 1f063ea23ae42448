#!/usr/bin/env bash
# Makes the files of a release from the last commit, by `make release`: for each architecture an archive and packages, an image, and
# for all of them the SBOM, the licences of third parties, the provenance and the checksums. The same commit, Go and C compiler make
# the same bytes in any folder.
#   VERSION=v1.0.0 packaging/release/release.sh [OUT]
# ARCHES is "amd64 arm64" and must have the architecture of this machine. STATIC_BUILD has the arguments of go build, and NFPM, CYCLONEDX
# and ROOTS the pinned tools: the Makefile sets them. Needs git, jq, npm's packages of the pages and, for another architecture, its C++ compiler.
set -euo pipefail
umask 022
fail() { echo "release: $*" >&2; exit 1; }
cd "$(dirname "$0")/../.."
: "${VERSION:?}" "${STATIC_BUILD:?}" "${NFPM:?}" "${CYCLONEDX:?}" "${ROOTS:?}"
go=${GO:-go} out=$(realpath -m "${1:-dist/release}") arches=${ARCHES:-amd64 arm64}
export LC_ALL=C TZ=UTC CGO_ENABLED=1 GOOS=linux

[[ $VERSION =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail "VERSION is $VERSION: want v1.2.3 or v1.2.3-rc.1"
native=$("$go" env GOHOSTARCH)
[[ " $arches " == *" $native "* ]] || fail "ARCHES is $arches: it must have $native, whose program writes the manual pages"
[[ -z $(git status --porcelain) ]] || fail "the work tree has changes; commit them: a release names the commit that it is made from"
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
triple() { case $1 in amd64) echo x86_64-linux-gnu ;; arm64) echo aarch64-linux-gnu ;; *) fail "no C compiler is known for $1" ;; esac; }
compiler() { if [[ $1 == "$native" ]]; then echo "${CC:-gcc}"; else echo "$(triple "$1")-gcc"; fi; }

missing=()
for tool in jq git tar gzip sha256sum npm; do command -v $tool >/dev/null || missing+=("$tool"); done
for arch in $arches; do
  cc=$(compiler "$arch")
  command -v "$cc" >/dev/null || { missing+=("$cc (Debian: g++-${cc%-gcc})"); continue; }
  [[ $("$cc" -print-file-name=libstdc++.a) == */* ]] || missing+=("libstdc++.a of $cc (Debian: g++-${cc%-gcc})")
done
((${#missing[@]} == 0)) || fail "missing: $(printf '%s; ' "${missing[@]}")"

rm -rf "$out"
mkdir -p "$out"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# pack FOLDER NAME… writes files of a folder as a tar without what differs between machines.
pack() { tar --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go-w -C "$1" -cf - "${@:2}"; }

for arch in $arches; do
  echo "== the program for linux/$arch"
  cc=$(compiler "$arch") build=$STATIC_BUILD
  if [[ $arch == arm64 ]]; then
    # Static linking fails: the C library's objects reach 4,096 addresses (-fpic), and DuckDB's library has more. Only C++'s is static.
    # The folder is relative, because the program's build ID depends on the arguments.
    mkdir -p dist/lib
    ln -sf "$(realpath "$("$cc" -print-file-name=libstdc++.a)")" dist/lib/libstdc++.a
    build=${build/-static /-static-libgcc -Ldist/lib }
  fi
  GOARCH=$arch CC=$cc CXX=${cc%gcc}g++ sh -c "$go build $build -o '$stage/$arch/bin/pingmill' ./cmd/pingmill"
done

echo "== what all archives have"
common=$stage/common
mkdir -p "$common/packaging"
"$stage/$native/bin/pingmill" man "$common"
packaging/release/licences.sh >"$common/THIRD-PARTY-LICENCES.txt"
cp LICENSE README.md CHANGELOG.md "$common/"
cp -r packaging/{pingmill.service,pingmill@.service.d,pingmill.sysusers,pingmill.example.yaml,alerts.yaml,grafana-dashboard.json} "$common/packaging/"
sed 's|^#data: data$|data: /var/lib/pingmill/data|' packaging/pingmill.example.yaml >"$stage/pingmill.yaml"
grep -q '^data: /var/lib' "$stage/pingmill.yaml" || fail "packaging/pingmill.example.yaml has no line '#data: data'"

for arch in $arches; do
  echo "== archive and packages for linux/$arch"
  name=pingmill-$VERSION-linux-$arch
  mkdir "$stage/$name"
  cp -r "$common/." "$stage/$arch/bin" "$stage/$name/"
  pack "$stage" "$name" | gzip -n >"$out/$name.tar.gz"
  cp "$stage/pingmill.yaml" packaging/release/{nfpm.yaml,postinstall.sh,preremove.sh} "$stage/$name/"
  [[ $arch != arm64 ]] || echo "overrides: {deb: {depends: [libc6 (>= 2.35)]}, rpm: {depends: [glibc >= 2.35]}}" >>"$stage/$name/nfpm.yaml"
  for kind in deb rpm; do
    (cd "$stage/$name" && GOOS='' ARCH=$arch $NFPM package --config nfpm.yaml --packager $kind --target "$out/")
  done
  [[ $arch != arm64 ]] || continue # its program is not static
  echo "== image for linux/$arch"
  packaging/release/image.sh "$stage/$arch/bin/pingmill" "$arch" "$out/pingmill-$VERSION-image-linux-$arch.tar"
done

echo "== SBOM, provenance, checksums"
cp "$common/THIRD-PARTY-LICENCES.txt" "$out/"
sed "s/VERSION/$VERSION/; s/COMMIT/$commit/" packaging/release/pingmill.rb >"$out/pingmill.rb"
packaging/release/sbom.sh "$stage/$native/bin/pingmill" >"$out/pingmill-$VERSION.cdx.json"
(cd "$out" && sha256sum -- * >SHA256SUMS)
packaging/release/provenance.sh "$commit" "$arches" <"$out/SHA256SUMS" >"$out/pingmill-$VERSION.intoto.json"
(cd "$out" && sha256sum -- *.intoto.json >>SHA256SUMS && ls -l)
