#!/usr/bin/env bash
# Installs build tools on a GitHub runner. Their versions are only in this file. Rust's version is
# that of Cargo.toml, so the tests run with the oldest supported Rust.
#
# Usage: release/tools.sh rust|go|zig|cosign|deny ...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rust_version() {
    sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml
}

for tool in "$@"; do
    case $tool in
    rust)
        rustup toolchain install "$(rust_version)" --profile minimal --component clippy --component rustfmt
        rustup default "$(rust_version)"
        ;;
    # The go command downloads this version itself and checks it.
    go) echo "GOTOOLCHAIN=go1.26.0" >>"${GITHUB_ENV:?is set on a runner}" ;;
    # Links for glibc 2.17.
    zig) pip install --user --break-system-packages cargo-zigbuild==0.24.0 ziglang==0.17.1 ;;
    # Go's checksum database verifies the source.
    cosign) go install github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3 ;;
    deny) cargo install --locked cargo-deny@0.20.2 ;;
    *)
        echo "tools.sh: unknown tool $tool" >&2
        exit 2
        ;;
    esac
done
