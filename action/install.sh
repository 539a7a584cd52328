#!/usr/bin/env bash
# Installs the release VERSION on PATH; without VERSION, that of this checkout's version, unless the
# program is already installed in any version.
# The checksums are those of the same release: they show that the archive is whole, not who has made it.
set -euo pipefail
export LC_ALL=C

program=kubectl-unstick
version=${VERSION-}
version=${version#v}
[[ $version =~ ^([0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)?$ ]] || {
    printf 'error: VERSION is no release such as v0.1.0: %q\n' "$VERSION" >&2
    exit 2
}
if command -v "$program" >/dev/null; then
    [ -n "$version" ] && [ "$("$program" --version)" != "$program $version" ] || exit 0
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package() { sed -n '/^\[package\]/,/^\[/s/^'"$1"' = "\(.*\)"$/\1/p' "$root/Cargo.toml"; }
tag=v${version:-$(package version)}
repository=$(package repository)

case ${RUNNER_OS:?is set on a runner} in
Linux) os=linux ;;
macOS) os=darwin ;;
Windows) os=windows ;;
esac
case ${RUNNER_ARCH:?is set on a runner} in
X64) arch=amd64 ;;
ARM64) arch=arm64 ;;
esac
archive=$program-$tag-${os:?no release for "$RUNNER_OS"}-${arch:?no release for "$RUNNER_ARCH"}.tar.gz

folder=${RUNNER_TEMP:?is set on a runner}/$program
mkdir -p "$folder"
cd "$folder"
gh release download "$tag" --repo "${repository#https://github.com/}" --pattern "$archive" --pattern SHA256SUMS --clobber
if command -v sha256sum >/dev/null; then check=sha256sum; else check='shasum -a 256'; fi
grep -F " $archive" SHA256SUMS >checked
$check -c checked
tar -xzf "$archive"
echo "$folder" >>"${GITHUB_PATH:?is set on a runner}"
