#!/usr/bin/env bash
# Packs the plugin for krew and fills in its manifests. See --help.
set -euo pipefail

usage() {
    cat <<'END'
Usage: krew-manifest/build.sh [--release [--tests-passed]] [--binary PATH] [--out DIR]
       krew-manifest/build.sh --manifest-only --out DIR

Packs the plugin for the platform of this machine, and fills in plugin.yaml,
the template of the krew manifest, with the version and the archives' checksums:
as unstick.yaml, and as why-terminating.yaml, which installs the same archives
under the plugin's second name.

  --release      for a release: go on only if the packaging tests pass, which need
                 krew (KREW and VALIDATE_KREW_MANIFEST, PATH, or its Go module), and
                 only with a program that glibc 2.17 is enough for (RHEL 7 and later)
  --tests-passed with --release: the packaging tests have passed on another machine
  --binary PATH  pack this program; without it the release build is made first, on
                 Linux with cargo-zigbuild where that is installed, for glibc 2.17
  --manifest-only
                 pack nothing: fill in the manifests from the archives in DIR
  --out DIR      the directory for the archives and for the manifests; without it
                 target/dist, and krew-manifest for the manifests

The manifests list the platforms whose archives of this version are in DIR. For
all platforms run this on each, gather the archives in one directory, and run
it there once more.
END
}

fail() {
    echo "build.sh: $1" >&2
    exit "${2:-1}"
}

# package KEY prints a value of the package from Cargo.toml.
package() {
    sed -n '/^\[package\]/,/^\[/s/^'"$1"' = "\(.*\)"$/\1/p' "$root/Cargo.toml"
}

# The platform of this machine in the words of krew, which are those of Go.
host_platform() {
    local os arch
    case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    MINGW* | MSYS* | CYGWIN*) os=windows ;;
    *) fail "there is no release for $(uname -s)" ;;
    esac
    case $(uname -m) in
    x86_64 | amd64) arch=amd64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no release for $(uname -m)" ;;
    esac
    echo "$os-$arch"
}

# Builds the program with cargo and prints its path. On Linux a plain build needs the glibc of this
# machine.
build() {
    local triple=
    case $platform in
    linux-amd64) triple=x86_64-unknown-linux-gnu ;;
    linux-arm64) triple=aarch64-unknown-linux-gnu ;;
    esac
    if [ -n "$triple" ] && command -v cargo-zigbuild >/dev/null; then
        (cd "$root" && cargo zigbuild --release --locked --target "$triple.$glibc") >&2
        echo "$(target_dir)/$triple/release/$program"
    else
        (cd "$root" && cargo build --release --locked) >&2
        echo "$(target_dir)/release/$program"
    fi
}

is_elf() {
    [ "$(head -c 4 "$1" | od -An -tx1 | tr -d ' \n')" = 7f454c46 ]
}

# Prints the newest glibc that a program needs, from the names of its symbol versions, which remain
# in a stripped program. Prints nothing for a static program.
needed_glibc() {
    LC_ALL=C grep -aoE 'GLIBC_[0-9]+(\.[0-9]+)+' "$1" | sed 's/^GLIBC_//' | sort -uV | tail -n 1 || true
}

# Refuses to release a program that does not run on old distributions.
check_glibc() {
    is_elf "$binary" || return 0
    local needed
    needed=$(needed_glibc "$binary")
    [ "$(printf '%s\n' "$glibc" "$needed" | sort -V | tail -n 1)" != "$glibc" ] || return 0
    [ -z "$release" ] || fail "$binary needs glibc $needed, and a release must run with $glibc: install cargo-zigbuild"
    echo "$binary needs glibc $needed: it runs on this distribution and newer ones"
}

target_dir() {
    (cd "$root" && cargo metadata --offline --no-deps --format-version 1) |
        sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p'
}

sha256() {
    if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# Packs the program, the licence, the manual pages and the completion script for kubectl. The build
# is reproducible: the same files give the same archive.
pack() {
    local archive=$1 owner complete=kubectl_complete-${crate#kubectl-}
    case $platform in windows-*) complete+=.cmd ;; esac
    if tar --version | grep -q 'GNU tar'; then
        owner=(--owner=0 --group=0 --numeric-owner)
    else
        owner=(--uid 0 --gid 0 --uname '' --gname '')
    fi
    mkdir -p "$work/files/man"
    cp "$root/LICENSE" "$work/files/LICENSE"
    cp "$root/docs/man"/*.1 "$work/files/man"
    cp "$binary" "$work/files/$program"
    # The program calls itself as its file, and $binary may have any name.
    "$work/files/$program" completion kubectl >"$work/files/$complete"
    chmod 644 "$work/files/LICENSE" "$work/files/man"/*
    chmod 755 "$work/files/$program" "$work/files/$complete" "$work/files/man"
    TZ=UTC touch -t 198001010000 "$work/files/man"/* "$work/files"/*
    # Name the files, not the folder, so that their order is fixed.
    (cd "$work/files" && tar --format=ustar "${owner[@]}" -cf - LICENSE "$program" "$complete" man/*) | gzip -n >"$work/archive"
    mv "$work/archive" "$archive"
}

# fill NAME prints the template filled in as krew-release-bot does, but from archives on disk, and
# with this name of the plugin. A platform without an archive is left out and added to $missing.
fill() {
    local name=$1 line uri archive block='' keep=yes
    local call='^( *)\{\{addURIAndSha "([^"]+)" \.TagName \}\}$'
    echo "# Made from plugin.yaml by krew-manifest/build.sh: do not edit."
    while IFS= read -r line; do
        case $line in
        '{{- /*'*) continue ;;
        '  - '*)
            print_block
            block='' keep=yes
            ;;
        '  name: '*) line="  name: $name" ;;
        esac
        line=${line//'{{ .TagName }}'/$tag}
        if [[ $line =~ $call ]]; then
            uri=${BASH_REMATCH[2]}
            archive=$dir/${uri##*/}
            if [ -f "$archive" ]; then
                line="${BASH_REMATCH[1]}uri: $uri"$'\n'"${BASH_REMATCH[1]}sha256: $(sha256 "$archive")"
            else
                keep=
                missing+=("${uri##*/}")
            fi
        fi
        block+=$line$'\n'
    done <"$root/plugin.yaml"
    print_block
}

print_block() {
    [ -z "$keep" ] || printf '%s' "$block"
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# RHEL 7 has this glibc. Amazon Linux 2, Ubuntu 14.04 and Debian 8 have newer ones.
glibc=2.17
binary='' out='' release='' tested='' manifest_only=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --release)
        release=yes
        shift
        ;;
    --tests-passed)
        tested=yes
        shift
        ;;
    --manifest-only)
        manifest_only=yes
        shift
        ;;
    --binary | --out)
        [ -n "${2:-}" ] || fail "$1 needs a value; see --help" 2
        if [ "$1" = --binary ]; then binary=$2; else out=$2; fi
        shift 2
        ;;
    *) fail "unknown argument $1; see --help" 2 ;;
    esac
done

crate=$(package name)
version=$(package version)
[ -n "$version" ] || fail "Cargo.toml says no version"
tag=v$version
platform=$(host_platform)
program=$crate
case $platform in windows-*) program+=.exe ;; esac

if [ -z "$manifest_only" ]; then
    if [ -n "$release" ] && [ -z "$tested" ]; then
        (cd "$root" && cargo test --locked --test packaging) || fail "no release: the packaging tests have not passed"
    fi
    [ -n "$binary" ] || binary=$(build)
    [ -f "$binary" ] || fail "there is no program $binary"
    binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
    # Also detects a program for another platform, which does not run.
    says=$("$binary" --version 2>/dev/null) || fail "$binary does not run here"
    [ "${says##* }" = "$version" ] || fail "$binary is $says, but Cargo.toml says $version"
    check_glibc
fi

dir=${out:-$(target_dir)/dist}
# The plugin's names in krew, which are also the names of its manifests. krew links the one program
# of an archive under the name of the manifest, and the program calls itself so.
plugin=${crate#kubectl-}
names=("${plugin//_/-}" why-terminating)
mkdir -p "$dir"
work=$(mktemp -d "$dir/.build.XXXXXX")
trap 'rm -rf "$work"' EXIT

if [ -z "$manifest_only" ]; then
    archive=$dir/$crate-$tag-$platform.tar.gz
    pack "$archive"
    echo "packed $archive"
fi

for name in "${names[@]}"; do
    missing=()
    fill "$name" >"$work/manifest"
    grep -qx "  name: $name" "$work/manifest" || fail "plugin.yaml has no name of the plugin"
    ! grep -q '{{' "$work/manifest" || fail "plugin.yaml has placeholders that this script does not know"
    [ -n "$manifest_only" ] || grep -q "/${archive##*/}\$" "$work/manifest" || fail "plugin.yaml has no platform for ${archive##*/}"
    manifest=${out:-$root/krew-manifest}/$name.yaml
    mv "$work/manifest" "$manifest"
    echo "wrote $manifest"
done
for name in ${missing[@]+"${missing[@]}"}; do
    echo "left out of them, since it is not in $dir: $name"
done
