#!/usr/bin/env bash
# Prints the bill of materials of the program in CycloneDX 1.5: each crate that is compiled in on
# any platform, with its licence, its checksum in Cargo.lock and its dependencies. Crates that only
# tests use are left out. Needs cargo and jq.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo metadata --locked --format-version 1 | jq --rawfile lock Cargo.lock '
# The crates that these and their dependencies come to.
def closure($uses): . as $known
  | ($known + [$known[] | $uses[.][]] | unique) as $next
  | if $next == $known then $known else $next | closure($uses) end;
def purl: "pkg:cargo/\(.name)@\(.version)";

# Kinds of dependencies: null is for the program, "build" for its build script.
(.resolve.nodes | map({key: .id, value: [.deps[] | select(any(.dep_kinds[]; .kind != "dev")) | .pkg]}) | from_entries) as $uses
| (.packages | map({key: .id, value: .}) | from_entries) as $packages
| ([$lock | scan("name = \"([^\"]+)\"\nversion = \"([^\"]+)\"\nsource = [^\n]+\nchecksum = \"([^\"]+)\"")]
  | map({key: "\(.[0]) \(.[1])", value: .[2]}) | from_entries) as $checksums
| .resolve.root as $root
| def component: {
    "bom-ref": purl,
    name,
    version,
    purl: purl,
    # Old manifests separate licences by a slash.
    licenses: [.license // empty | {expression: gsub(" */ *"; " OR ")}],
    hashes: [$checksums["\(.name) \(.version)"] // empty | {alg: "SHA-256", content: .}]
  } | with_entries(select(.value != []));
([$root] | closure($uses)) as $all
| {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: {component: ({type: "application"} + ($packages[$root] | component))},
  components: [$all[] | select(. != $root) | {type: "library"} + ($packages[.] | component)] | sort_by(.purl),
  dependencies: [$all[] | {ref: ($packages[.] | purl), dependsOn: [$uses[.][] | $packages[.] | purl] | unique}] | sort_by(.ref)
}'
