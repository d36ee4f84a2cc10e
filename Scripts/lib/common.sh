# shellcheck shell=bash disable=SC2034,SC2086 # used where it is sourced; lists of words on purpose
# Shared by the scripts in the folder above: sourced, never run. Keeps to bash 3.2, which macOS has.

script=${0##*/}
export PYTHONDONTWRITEBYTECODE=1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# What the build, the tests and the checks need from Debian or Ubuntu. Apple's SDKs carry all of it but the test data.
build_packages="pkg-config libsqlite3-dev libxml2-dev zlib1g-dev libssl-dev libcurl4-openssl-dev libmicrohttpd-dev"
test_packages="sqlite3 libxml2-utils strace python3 python3-jsonschema iso-codes xkb-data
  shared-mime-info mobile-broadband-provider-info tzdata unicode-data mariadb-server zsh fish
  nginx-light openssl e2fsprogs xfsprogs postgresql"
# Ubuntu has the browser as a snap only, which a container cannot install: there its tests are skipped.
! grep -qs '^ID=debian' /etc/os-release || test_packages="$test_packages chromium"

note() { printf '%s\n' "$*" >&2; }

fail() {
  printf '%s: error: %s\n' "$script" "$*" >&2
  exit 1
}

# Prints the text on standard input when the first argument asks for help, and then ends the script.
help_if_asked() {
  case ${1-} in
    -h | --help)
      cat
      exit 0
      ;;
  esac
}

# A misspelt option is a usage error, as in sysexits.h.
usage_error() {
  printf '%s: error: %s\nSee: Scripts/%s --help\n' "$script" "$*" "$script" >&2
  exit 64
}

# Stops with one line when there is no Swift that can read Package.swift.
require_swift() {
  local hint="install Swift 6.2 or newer from https://www.swift.org/install, then run this again"
  command -v swift >/dev/null 2>&1 || fail "Swift is not installed: $hint"
  local version
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' |
    head -n 1) || true
  [ -n "$version" ] || fail "'swift --version' does not work: $hint"
  local major=${version%%.*} minor=${version#*.}
  if [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
    fail "Swift $version is too old: $hint"
  fi
}

# True when what a Debian package brings is there, whoever installed it: other systems name it otherwise.
is_there() {
  case $1 in
    pkg-config | sqlite3 | strace | python3 | zsh | fish | openssl)
      command -v "$1" >/dev/null 2>&1
      ;;
    python3-jsonschema) python3 -c 'import jsonschema' 2>/dev/null ;;
    libsqlite3-dev) pkg-config --exists sqlite3 2>/dev/null ;;
    libxml2-dev) pkg-config --exists libxml-2.0 2>/dev/null ;;
    zlib1g-dev) pkg-config --exists zlib 2>/dev/null ;;
    libssl-dev) pkg-config --exists libcrypto 2>/dev/null ;;
    libcurl4-openssl-dev) pkg-config --exists libcurl 2>/dev/null ;;
    libmicrohttpd-dev) pkg-config --exists libmicrohttpd 2>/dev/null ;;
    nginx-light) PATH=$PATH:/usr/sbin command -v nginx >/dev/null 2>&1 ;;
    e2fsprogs) PATH=$PATH:/usr/sbin:/sbin command -v mkfs.ext4 >/dev/null 2>&1 ;;
    xfsprogs) PATH=$PATH:/usr/sbin:/sbin command -v mkfs.xfs >/dev/null 2>&1 ;;
    libxml2-utils) command -v xmllint >/dev/null 2>&1 ;;
    iso-codes) [ -d /usr/share/xml/iso-codes ] ;;
    xkb-data) [ -f /usr/share/X11/xkb/rules/base.xml ] ;;
    shared-mime-info) [ -f /usr/share/mime/packages/freedesktop.org.xml ] ;;
    tzdata) [ -f /usr/share/zoneinfo/iso3166.tab ] ;;
    unicode-data) [ -f /usr/share/unicode/UnicodeData.txt ] ;;
    postgresql) compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ;;
    mariadb-server) command -v mariadbd >/dev/null 2>&1 || [ -x /usr/sbin/mariadbd ] ;;
    mobile-broadband-provider-info)
      [ -f /usr/share/mobile-broadband-provider-info/serviceproviders.xml ]
      ;;
    chromium)
      command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
        command -v google-chrome >/dev/null 2>&1
      ;;
    *) return 1 ;;
  esac
}

# Installs those of the named Debian packages that are missing; does nothing when none is.
require_packages() {
  local missing="" package
  for package in "$@"; do
    is_there "$package" || missing="$missing $package"
  done
  missing=${missing# }
  [ -n "$missing" ] || return 0

  if [ "$(uname -s)" = Darwin ]; then
    fail "missing here: $missing; the command line tools of Xcode ('xcode-select --install') carry" \
      "what the build needs"
  fi
  command -v apt-get >/dev/null 2>&1 ||
    fail "this system has no apt-get: install by hand what Debian calls $missing"
  local as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 ||
      fail "not root, and there is no sudo: have an administrator run 'apt-get install $missing'"
    as_root=sudo
    # Without a terminal sudo could only wait for a password that nobody types.
    [ -t 0 ] || as_root="sudo -n"
  fi

  note "Installing $missing ..."
  local log
  log=$(mktemp "${TMPDIR:-/tmp}/seed-install.XXXXXX")
  # A stale mirror may fail the update although the install then works, so only the install decides.
  $as_root apt-get update -q >"$log" 2>&1 </dev/null || true
  if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends \
    -o DPkg::Lock::Timeout=120 $missing >>"$log" 2>&1 </dev/null; then
    fail "could not install $missing: $(grep -v '^ *$' "$log" | tail -n 1) (all of it in $log)"
  fi
  rm -f "$log"
}

# The libraries that `swift build` links, which Apple's SDKs carry already.
require_build_packages() {
  [ "$(uname -s)" = Darwin ] || require_packages $build_packages
}

# Builds the release tool and sets `seed` to its path. What the compiler says goes to standard error.
build_release() {
  build_release_product seed
  seed=$product
}

# Builds a program as it is shipped; `product` becomes its path.
build_release_product() {
  require_swift
  require_build_packages
  local static=--static-swift-stdlib
  # With Swift's library inside, the tool runs on machines without Swift, and needs less memory. On
  # Apple's systems that library is part of the system.
  [ "$(uname -s)" != Darwin ] || static=""
  swift build --package-path "$root" -c release --product "$1" $static >&2
  product=$(swift build --package-path "$root" -c release --show-bin-path)/$1
}
