#!/usr/bin/env bash
# Fails unless a tag matches the version in Cargo.toml.
#
# Usage: release/check-tag.sh TAG
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(cargo metadata --no-deps --offline --format-version 1 | jq -r '.packages[0].version')
[ "${1-}" = "v$version" ] || {
    echo "check-tag.sh: the tag is ${1:-missing}, but Cargo.toml says version $version" >&2
    exit 1
}
