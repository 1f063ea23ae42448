#!/bin/sh
# Checks in seconds, before anything is compiled, what a target needs, and prints everything that is missing in one list.
#   packaging/need.sh build|test
# For the tests it fetches Node.js and Chromium into the user's cache, if the machine has no suitable ones (packaging/fetch).
set -u
cd "$(dirname "$0")/.." || exit 1
target=${1:-build}
tools=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/pingmill/tools
PATH=$(printf %s "$PATH" | sed "s#$tools/bin:##g") # what the machine has by itself
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

list='' debian='' fedora='' brew='' xcode='' skipped='' skipped_debian='' skipped_fedora='' skipped_brew=''

have() { command -v "$1" >/dev/null 2>&1; }

# older A B: version A is before version B.
older() {
  awk -v a="$1" -v b="$2" 'BEGIN {
    split(a, x, "."); split(b, y, ".")
    for (i = 1; i <= 3; i++) if (x[i] + 0 != y[i] + 0) exit !(x[i] + 0 < y[i] + 0)
    exit 1
  }'
}

# lack WHAT DEBIAN FEDORA BREW: something is missing, and the packages that have it.
lack() {
  list="$list  - $1
"
  debian="$debian $2" fedora="$fedora $3" brew="$brew${4:+ $4}"
}

# maybe WHAT DEBIAN FEDORA BREW: without it some tests are skipped.
maybe() {
  skipped="$skipped, $1" skipped_debian="$skipped_debian $2" skipped_fedora="$skipped_fedora $3" skipped_brew="$skipped_brew $4"
}

as_root() { [ "$(id -u)" = 0 ] || printf 'sudo '; }

# apt prints the beginning of a Debian command. The Go of Debian 12 is too old to fetch a newer one; its backports have a newer one.
apt() {
  codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null)
  if [ "$codename" = bookworm ] && case "$1" in *golang-go*) true ;; *) false ;; esac; then
    printf "echo 'deb http://deb.debian.org/debian bookworm-backports main' | %stee /etc/apt/sources.list.d/backports.list && " "$(as_root)"
    set -- "-t bookworm-backports$1"
  else
    set -- "${1# }"
  fi
  printf '%sapt-get update && %sapt-get install -y --no-install-recommends %s' "$(as_root)" "$(as_root)" "$1"
}

# mac prints the command for macOS.
mac() { printf '%s' "$xcode${xcode:+${1:+; }}${1:+brew install$1}"; }

# commands DEBIAN FEDORA BREW
commands() {
  printf '  Debian, Ubuntu: %s\n' "$(apt "$1")"
  printf '  Fedora:         %sdnf install -y%s\n' "$(as_root)" "$2"
  printf '  macOS:          %s\n' "$(mac "$3")"
}

# report prints the list, and ends the script if there is one.
report() {
  [ -n "$list" ] || return 0
  {
    printf 'make: missing:\n%sInstall all of it with one command:\n' "$list"
    commands "$debian" "$fedora" "$brew"
  } >&2
  exit 1
}

# check_go accepts any Go that fetches the version of go.mod by itself (since 1.21).
check_go() {
  want=$(sed -n 's/^go //p' go.mod)
  if ! have "${GO:-go}"; then
    lack "Go $want: https://go.dev/dl/ or a package" golang-go golang go
    return
  fi
  found=$(cd / && GOTOOLCHAIN=local GOFLAGS='' "${GO:-go}" env GOVERSION 2>/dev/null | sed 's/^go//')
  if older "${found:-0}" "$want" && { older "${found:-0}" 1.21 || [ "${GOTOOLCHAIN:-auto}" = local ]; }; then
    lack "Go $want (here is ${found:-one that does not run}): https://go.dev/dl/ or a package" golang-go golang go
  fi
}

# check_compilers links the library of C++ as the SQL engine does.
check_compilers() {
  cc=${CC:-$( (cd / && "${GO:-go}" env CC) 2>/dev/null)}
  cc=${cc:-gcc}
  cxx=-lstdc++
  [ "$(uname)" != Darwin ] || cxx=-lc++
  printf 'int main(void) { return 0; }\n' >"$tmp/c.c"
  printf 'void _ZdlPv(void *); int main(void) { _ZdlPv(0); return 0; }\n' >"$tmp/cxx.c"
  # $cc may have arguments
  if ! $cc -o "$tmp/c" "$tmp/c.c" >/dev/null 2>&1; then
    lack "a C compiler that links ($cc)" 'gcc libc6-dev' 'gcc glibc-devel' ''
    xcode='xcode-select --install'
  fi
  if ! $cc -o "$tmp/cxx" "$tmp/cxx.c" $cxx -lm >/dev/null 2>&1; then
    lack "the library of C++ ($cc $cxx): a C++ compiler has it" g++ gcc-c++ ''
    xcode='xcode-select --install'
  fi
}

check_programs() {
  have make || lack 'make (GNU)' make make make
  have git || lack git git git git
  have bash || lack bash bash bash bash
}

# check_certificates looks where Go does.
check_certificates() {
  [ "$(uname)" = Linux ] && [ -z "${SSL_CERT_FILE:-}" ] || return 0
  for f in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/pki/tls/cacert.pem \
    /etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem /etc/ssl/cert.pem; do
    [ ! -e "$f" ] || return 0
  done
  lack 'certificates of authorities, for downloads' ca-certificates ca-certificates ''
}

# check_disk warns only: a build that was made before needs less.
check_disk() {
  for dir in "${GOCACHE:-${HOME:-/}}" .; do
    [ -d "$dir" ] || continue
    free=$(df -Pk "$dir" | awk 'NR == 2 {print int($4 / 1024)}')
    if [ "${free:-$1}" -lt "$1" ]; then
      echo "make: $dir has $free MB left; a first build with empty caches needs $1" >&2
    fi
  done
}

# good_node has the versions of "engines" in serve/web/app/package.json.
good_node() {
  have node && have npm && version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  case $version in
  20.*) ! older "$version" 20.19 ;;
  22.*) ! older "$version" 22.13 ;;
  *) ! older "$version" 23.5 ;;
  esac
}

# check_pages lists in $fetch what packaging/fetch has for this system. The Chromium of E2E_CHROMIUM is the user's own.
check_pages() {
  fetch=''
  system=$(uname -sm)
  if good_node; then
    rm -f "$tools/bin/node" "$tools/bin/npm" "$tools/bin/npx"
  else
    case $system in
    'Linux x86_64' | 'Linux aarch64') fetch=node ;;
    *) lack_node ;;
    esac
  fi
  if [ -n "${E2E_CHROMIUM:-}" ] || have chromium || have chromium-browser || have google-chrome-stable || have google-chrome; then
    rm -f "$tools/bin/chromium"
  else
    case $system in
    'Linux x86_64') fetch="$fetch chromium" ;;
    *) lack_chromium ;;
    esac
  fi
}

lack_node() { lack "Node.js 22.13 or later with npm (https://nodejs.org)" 'nodejs npm' 'nodejs npm' node; }
lack_chromium() { lack 'Chromium, or its path in E2E_CHROMIUM' chromium chromium '--cask chromium'; }

fetch_pages() {
  [ -n "$fetch" ] || return 0
  # shellcheck disable=SC2086 # one word for each tool
  if "${GO:-go}" run ./packaging/fetch "$tools" $fetch; then return 0; fi
  for tool in $fetch; do "lack_$tool"; done
  report
}

check_optional() {
  have python3 && python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || maybe 'python3 with venv' python3-venv python3 python
  have psql || maybe psql postgresql-client postgresql libpq
  have curl || maybe curl curl curl curl
  have less || maybe less less less less
  have java || maybe java default-jdk-headless java-latest-openjdk-headless openjdk
  have mvn || maybe mvn maven maven maven
  have nginx || [ -x /usr/sbin/nginx ] || maybe nginx nginx-light nginx nginx
  for p in /usr/lib/postgresql/*/bin/initdb; do
    [ -x "$p" ] || have initdb || maybe PostgreSQL postgresql postgresql-server postgresql
  done
  [ -n "$skipped" ] || return 0
  echo "make: tests of other programs are skipped, and named at the end, without: ${skipped#, }"
  xcode='' commands "$skipped_debian" "$skipped_fedora" "$skipped_brew"
}

check_go
check_compilers
check_programs
check_certificates
case $target in
build) report && check_disk 1500 ;;
test)
  check_pages
  report
  check_disk 5000
  check_optional
  fetch_pages
  ;;
*)
  echo 'usage: need.sh build|test' >&2
  exit 64
  ;;
esac
