#!/usr/bin/env bash
# Writes an image of one layer as an archive in OCI's layout, which docker load, podman load and crane push read, without a container
# runtime. What it says is what packaging/Dockerfile says; besides it has the certificates of Mozilla's root store.
#   packaging/release/image.sh PROGRAM ARCH FILE.tar
# $VERSION and $SOURCE_DATE_EPOCH are those of the release, $ROOTS the module with the certificates.
set -euo pipefail
program=$1 arch=$2 file=$3
go=${GO:-go}
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$dir/root blobs=$dir/image/blobs/sha256
mkdir -p "$root"/{usr/bin,etc/pingmill,etc/ssl/certs,var/lib/pingmill} "$blobs"

cp "$program" "$root/usr/bin/pingmill"
cp packaging/container.yaml "$root/etc/pingmill/pingmill.yaml"
bundle=$(GOFLAGS='' "$go" mod download -json "$ROOTS" | jq -r .Dir)/bundle/bundle.der
GOOS='' GOARCH='' "$go" run ./packaging/release/roots "$bundle" >"$root/etc/ssl/certs/ca-certificates.crt"
chmod 0750 "$root/var/lib/pingmill"

tar=(tar --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --numeric-owner --no-recursion)
(cd "$root" && find . -mindepth 1 -not -path ./var/lib/pingmill -printf '%P\n') >"$dir/names"
"${tar[@]}" --owner=0 --group=0 -C "$root" -cf "$dir/layer.tar" -T "$dir/names"
"${tar[@]}" --owner=65532 --group=65532 -C "$root" -rf "$dir/layer.tar" var/lib/pingmill
sum() { sha256sum "$1" | cut -d ' ' -f 1; }

# blob FILE TYPE stores a file by its checksum and prints its descriptor.
blob() {
  local digest
  digest=$(sum "$1")
  jq -nc --arg type "$2" --arg digest "sha256:$digest" --argjson size "$(stat -c %s "$1")" '{mediaType: $type, digest: $digest, size: $size}'
  mv "$1" "$blobs/$digest"
}
diff=$(sum "$dir/layer.tar")
gzip -n "$dir/layer.tar"
layer=$(blob "$dir/layer.tar.gz" application/vnd.oci.image.layer.v1.tar+gzip)
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
jq -c --arg arch "$arch" --arg created "$created" --arg diff "sha256:$diff" --arg version "$VERSION" \
  '{architecture: $arch, os: "linux", created: $created, config: (. + {Labels: (.Labels + {"org.opencontainers.image.version": $version})}),
    rootfs: {type: "layers", diff_ids: [$diff]}, history: [{created: $created, created_by: "make release"}]}' \
  packaging/release/image.json >"$dir/config"
config=$(blob "$dir/config" application/vnd.oci.image.config.v1+json)
jq -nc --argjson config "$config" --argjson layer "$layer" \
  '{schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json", config: $config, layers: [$layer]}' >"$dir/manifest"
manifest=$(blob "$dir/manifest" application/vnd.oci.image.manifest.v1+json)

# manifest.json is for versions of docker load that do not know the layout.
echo '{"imageLayoutVersion":"1.0.0"}' >"$dir/image/oci-layout"
jq -nc --argjson manifest "$manifest" --arg arch "$arch" --arg version "$VERSION" \
  '{schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests: [$manifest + {platform: {architecture: $arch, os: "linux"},
    annotations: {"org.opencontainers.image.ref.name": $version, "io.containerd.image.name": "docker.io/library/pingmill:\($version)"}}]}' \
  >"$dir/image/index.json"
jq -nc --argjson config "$config" --argjson layer "$layer" --arg version "$VERSION" \
  'def path: "blobs/" + (.digest | sub(":"; "/")); [{Config: ($config | path), RepoTags: ["pingmill:\($version)"], Layers: [$layer | path]}]' \
  >"$dir/image/manifest.json"
tar --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go-w -C "$dir/image" -cf "$file" .
