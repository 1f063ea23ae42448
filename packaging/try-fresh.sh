#!/usr/bin/env bash
# Tries `make demo` and `make test` on an empty Debian: makes one in a folder, and runs there what README says. Each must say within ten
# seconds all that is missing, and must work after exactly the command that was printed.
#   packaging/try-fresh.sh [SUITE]     trixie, bookworm…
# Needs root, debootstrap, git and a Debian mirror. DEBIAN=DIR is a folder that debootstrap made before, and is copied. STEPS="need demo"
# leaves out the tests. ROOT=DIR is where the Debian is made, and stays. Certificates in /usr/local/share/ca-certificates are taken over.
set -euo pipefail
fail() { echo "try-fresh: $*" >&2; exit 1; }
suite=${1:-trixie} steps=" ${STEPS:-need demo test} "
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin

missing=()
for tool in git unshare chroot; do command -v $tool >/dev/null || missing+=("$tool"); done
if [[ -z ${DEBIAN:-} ]] && ! command -v debootstrap >/dev/null; then missing+=(debootstrap); fi
[[ $(id -u) == 0 ]] || missing+=(root)
if ((${#missing[@]})); then fail "missing: $(printf '%s; ' "${missing[@]}")"; fi

if [[ -n ${ROOT:-} ]]; then
  root=$ROOT
else
  root=$(mktemp -d /var/tmp/try-fresh.XXXXXX)
  trap 'rm -rf "$root"' EXIT
fi
mkdir -p "$root"
if [[ -n ${DEBIAN:-} ]]; then
  cp -a "$DEBIAN/." "$root"
else
  echo "== making a Debian $suite in $root"
  debootstrap --variant=minbase "$suite" "$root" >"$root.log" || fail "debootstrap: $(tail -5 "$root.log")"
  rm "$root.log"
fi
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
echo "127.0.0.1 localhost" >"$root/etc/hosts"
git clone --quiet --no-hardlinks . "$root/root/pingmill"

# inside runs a command in the sources there, with nothing of this machine's environment.
inside() {
  # shellcheck disable=SC2016 # expanded there
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/dev/shm" && mount -t sysfs sysfs "$1/sys" &&
    exec chroot "$1" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "cd /root/pingmill && $2"' - "$root" "$1" </dev/null
}

# certificates takes over what this machine trusts besides: its way to the network may need it.
certificates() {
  if compgen -G "/usr/local/share/ca-certificates/*.crt" >/dev/null && [[ -x $root/usr/sbin/update-ca-certificates ]]; then
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
    inside update-ca-certificates >/dev/null
  fi
}

# command_of prints the command for Debian from a list of what is missing.
command_of() { sed -n 's/^  Debian, Ubuntu: //p' <<<"$1" | head -1; }

# lacking runs a command that has to print within ten seconds what is missing, and runs what it printed for Debian.
lacking() {
  echo "== $1, without anything"
  local out code=0
  out=$(inside "timeout 10 $1" 2>&1) || code=$?
  echo "$out"
  ((code != 0 && code != 124)) || fail "$1 has not said within ten seconds what is missing (exit $code)"
  local install
  install=$(command_of "$out")
  [[ -n $install ]] || fail "$1 names no command for Debian"
  echo "== $install"
  inside "$install" >"$root/root/install.log" 2>&1 || fail "it fails: $(tail -5 "$root/root/install.log")"
  certificates
  inside "$1" || fail "$1 lacks more after that"
}

used() { echo "== $1 after $SECONDS s: $(du -sm "$root/root" | cut -f1) MB of sources, caches and results"; }

if [[ $steps == *" need "* ]]; then lacking "sh packaging/need.sh build"; fi
if [[ $steps == *" demo "* ]]; then
  echo "== make demo"
  inside "time make demo" || fail "make demo fails"
  used "make demo"
fi
if [[ $steps == *" test "* ]]; then
  echo "== make test"
  inside "time make test" || fail "make test fails"
  used "make test"
fi
echo "== all of $suite is well"
