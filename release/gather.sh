#!/usr/bin/env bash
# Creates the files that are published with the archives of a release. See --help.
set -euo pipefail

usage() {
    cat <<'END'
Usage: release/gather.sh DIR

DIR holds the archives of all platforms that plugin.yaml names, as
krew-manifest/build.sh packs them. Puts beside them

  PLUGIN.yaml     the krew manifests, one for each name of the plugin
  NAME.rb         the Homebrew formula
  NAME.cdx.json   the bill of materials: every crate that is compiled in, CycloneDX
  NOTES.md        what has changed, from CHANGELOG.md
  SHA256SUMS      the checksums of the archives and of all of these but the notes

Needs cargo and jq, and builds nothing.
END
}

fail() {
    echo "gather.sh: $1" >&2
    exit "${2:-1}"
}

sha256() {
    if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# Prints the class name that Homebrew derives from a file name.
class_of() {
    awk 'BEGIN { RS = "[-_]" } { printf "%s%s", toupper(substr($0, 1, 1)), substr($0, 2) }' <<<"$1" | tr -d '\n'
}

# Prints the URLs of the archives, one line per platform.
addresses() {
    sed -n 's/.*addURIAndSha "\([^"]*\)".*/\1/p' "$root/plugin.yaml" | sed "s/{{ \.TagName }}/$tag/g"
}

# Prints the formula with the URL and the checksum of each platform.
formula() {
    local text address platform sum
    text=$(cat "$root/release/formula.rb")
    text=${text//@class@/$(class_of "$crate")}
    text=${text//@program@/$crate}
    text=${text//@complete@/kubectl_complete-${crate#kubectl-}}
    text=${text//@version@/$version}
    text=${text//@license@/$license}
    text=${text//@homepage@/$homepage}
    while read -r address; do
        platform=${address##*/"$crate-$tag"-}
        platform=${platform%.tar.gz}
        sum=$(sha256 "$dir/${address##*/}" | cut -d ' ' -f 1)
        text=${text//@url $platform@/$address}
        text=${text//@sha256 $platform@/$sum}
    done < <(addresses)
    printf '%s\n' "$text"
}

# Prints the newest section of CHANGELOG.md without its heading.
notes() {
    awk '/^## / { if (found) exit; found = 1; next } found' "$root/CHANGELOG.md"
}

case ${1-} in
-h | --help)
    usage
    exit 0
    ;;
'' | -*) fail "name the folder of the archives; see --help" 2 ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -d "$1" ] || fail "there is no folder $1"
dir=$(cd "$1" && pwd)

metadata=$(cd "$root" && cargo metadata --no-deps --offline --format-version 1)
said() { jq -r ".packages[0].$1" <<<"$metadata"; }
crate=$(said name) version=$(said version) license=$(said license) homepage=$(said homepage)
tag=v$version
[ -n "$(addresses)" ] || fail "plugin.yaml names no archives"
while read -r address; do
    [ -f "$dir/${address##*/}" ] || fail "${address##*/} is not in $dir"
done < <(addresses)

"$root/krew-manifest/build.sh" --manifest-only --out "$dir"
formula >"$dir/$crate.rb"
! grep -n '@[a-z]' "$dir/$crate.rb" || fail "formula.rb has placeholders that this script does not know"
"$root/release/sbom.sh" >"$dir/$crate.cdx.json"
notes >"$dir/NOTES.md"
cd "$dir"
rm -f SHA256SUMS
sha256 "$crate"* ./*.yaml | sed 's# \./# #' >SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
echo "gathered in $dir:"
cat SHA256SUMS
