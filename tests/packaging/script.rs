//! The script that packs a release, as far as it can be tested without krew.

use crate::sandbox::{NAMES, Sandbox, VERSION, contains, host, read, repository, script, stderr, succeeded};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn the_same_program_gives_the_same_archive() {
    let sandbox = Sandbox::new("reproducible");
    let pack = |binary: &Path| {
        succeeded(&sandbox.build(binary));
        fs::read(sandbox.archive(&host())).expect("an archive")
    };
    // Like the program, it calls itself as its file.
    let one = sandbox.0.join("one");
    script(
        &one,
        &format!("case $1 in\ncompletion) echo \"${{0##*/}}\" ;;\n*) echo kubectl-unstick {VERSION} ;;\nesac"),
    );
    let first = pack(&one);
    let other = sandbox.0.join("of-another-name-and-time");
    fs::write(&other, fs::read(&one).expect("a script")).expect("a script");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o700)).expect("a script that can be run");
    assert!(first == pack(&other), "the archives differ");
}

#[test]
fn the_script_refuses_what_it_should_not_pack() {
    let sandbox = Sandbox::new("refused");
    let old = sandbox.build(&sandbox.stand_in("0.0.9"));
    assert_eq!(old.status.code(), Some(1));
    contains(&stderr(&old), &["is kubectl-unstick 0.0.9, but Cargo.toml says"]);
    let no_program = sandbox.build(&repository().join("LICENSE"));
    assert_eq!(no_program.status.code(), Some(1));
    contains(&stderr(&no_program), &["LICENSE does not run here"]);
    // A stand-in for cargo whose packaging tests fail.
    script(&sandbox.0.join("bin/cargo"), "exit 101");
    let stand_in = sandbox.stand_in(VERSION);
    let untested =
        sandbox.build_with(&["--release", "--binary", stand_in.to_str().expect("a path of plain characters")]);
    assert_eq!(untested.status.code(), Some(1));
    contains(&stderr(&untested), &["no release: the packaging tests have not passed"]);
    let left = fs::read_dir(sandbox.release()).expect("a folder").count();
    assert_eq!(left, 0, "nothing is packed");
}

/// Both manifests install the same archives, and what is true of one of them is true of the other.
#[test]
fn the_second_manifest_has_only_another_name() {
    let sandbox = Sandbox::new("names");
    sandbox.build_for_all();
    let [mut first, mut second] = NAMES.map(|name| read(&sandbox.manifest_of(name)));
    let named = [&mut first, &mut second].map(|manifest| manifest["metadata"]["name"].take());
    assert_eq!(named, NAMES);
    assert_eq!(first, second);
}

/// If all archives exist, no program needs to be built.
#[test]
fn the_manifest_is_filled_in_from_archives_alone() {
    let sandbox = Sandbox::new("gathered");
    let packed = sandbox.build_for_all();
    fs::remove_file(sandbox.manifest()).expect("a manifest");
    succeeded(&sandbox.build_with(&["--manifest-only"]));
    assert_eq!(read(&sandbox.manifest()), packed);
    // A stand-in for cargo, since nothing needs to be built or tested here.
    script(&sandbox.0.join("bin/cargo"), "exit 101");
    succeeded(&sandbox.build_with(&["--manifest-only"]));
}
