#!/usr/bin/env bash
# Packs kubectl-unstick for krew and fills in its manifest; see --help.
set -euo pipefail

usage() {
    cat <<'END'
Usage: krew-manifest/build.sh [--release] [--binary PATH] [--out DIR]

Packs kubectl-unstick for the platform of this machine, and fills in plugin.yaml,
the template of the krew manifest, with the version and the archives' checksums.

  --release      for a release: go on only if the packaging tests pass, which need
                 krew (KREW and VALIDATE_KREW_MANIFEST, PATH, or its Go module)
  --binary PATH  pack this program; without it the release build is made first
  --out DIR      the directory for the archives and for unstick.yaml; without it
                 target/dist, with the manifest in krew-manifest/unstick.yaml

The manifest lists the platforms whose archives of this version are in DIR. For
all platforms run this on each, gather the archives in one directory, and run
it there once more.
END
}

fail() {
    echo "build.sh: $1" >&2
    exit "${2:-1}"
}

version() {
    sed -n '/^\[package\]/,/^\[dependencies\]/s/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml"
}

# As krew calls it, which is as Go does.
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

target_dir() {
    (cd "$root" && cargo metadata --offline --no-deps --format-version 1) |
        sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p'
}

sha256() {
    if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# Packs the program, the licence, the manual pages and what kubectl asks for completion:
# the same files give the same archive, whoever packs them and whenever.
pack() {
    local archive=$1 owner complete=kubectl_complete-unstick
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
    cp "$root/src/commands/completion/$complete" "$work/files/$complete"
    chmod 644 "$work/files/LICENSE" "$work/files/man"/*
    chmod 755 "$work/files/$program" "$work/files/$complete" "$work/files/man"
    TZ=UTC touch -t 198001010000 "$work/files/man"/* "$work/files"/*
    # Not the folder itself: what it lists comes in the order of the names.
    (cd "$work/files" && tar --format=ustar "${owner[@]}" -cf - LICENSE "$program" "$complete" man/*) | gzip -n >"$work/archive"
    mv "$work/archive" "$archive"
}

# Prints the template filled in as krew-release-bot would, but from archives that
# are on disk. A platform without one is left out, and goes to $missing.
fill() {
    local line uri archive block='' keep=yes
    local call='^( *)\{\{addURIAndSha "([^"]+)" \.TagName \}\}$'
    echo "# Made from plugin.yaml by krew-manifest/build.sh: do not edit."
    while IFS= read -r line; do
        case $line in
        '{{- /*'*) continue ;;
        '  - '*)
            print_block
            block='' keep=yes
            ;;
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
binary='' out='' release=
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
    --binary | --out)
        [ -n "${2:-}" ] || fail "$1 needs a value; see --help" 2
        if [ "$1" = --binary ]; then binary=$2; else out=$2; fi
        shift 2
        ;;
    *) fail "unknown argument $1; see --help" 2 ;;
    esac
done

version=$(version)
[ -n "$version" ] || fail "Cargo.toml says no version"
tag=v$version
platform=$(host_platform)
program=kubectl-unstick
case $platform in windows-*) program=kubectl-unstick.exe ;; esac

if [ -n "$release" ]; then
    (cd "$root" && cargo test --locked --test packaging) || fail "no release: the packaging tests have not passed"
fi
if [ -z "$binary" ]; then
    (cd "$root" && cargo build --release --locked)
    binary=$(target_dir)/release/$program
fi
[ -f "$binary" ] || fail "there is no program $binary"
binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
# Also tells a program for another platform: it does not run.
says=$("$binary" --version 2>/dev/null) || fail "$binary does not run here"
[ "${says##* }" = "$version" ] || fail "$binary is $says, but Cargo.toml says $version"

dir=${out:-$(target_dir)/dist}
manifest=${out:-$root/krew-manifest}/unstick.yaml
mkdir -p "$dir"
work=$(mktemp -d "$dir/.build.XXXXXX")
trap 'rm -rf "$work"' EXIT

archive=$dir/kubectl-unstick-$tag-$platform.tar.gz
pack "$archive"
echo "packed $archive"

missing=()
fill >"$work/manifest"
! grep -q '{{' "$work/manifest" || fail "plugin.yaml has placeholders that this script does not know"
grep -q "/${archive##*/}\$" "$work/manifest" || fail "plugin.yaml has no platform for ${archive##*/}"
mv "$work/manifest" "$manifest"
echo "wrote $manifest"
for name in ${missing[@]+"${missing[@]}"}; do
    echo "left out of it, since it is not in $dir: $name"
done
