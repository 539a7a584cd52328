#!/usr/bin/env bash
# Installs the release of this checkout's version on PATH, unless the program is already installed.
# The checksums are those of the same release: they show that the archive is whole, not who has made it.
set -euo pipefail

program=kubectl-unstick
! command -v "$program" >/dev/null || exit 0
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package() { sed -n '/^\[package\]/,/^\[/s/^'"$1"' = "\(.*\)"$/\1/p' "$root/Cargo.toml"; }
tag=v$(package version)
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
