//! A release runs on distributions with an old glibc. The versions of a program's symbols show
//! which glibc it needs.

use crate::sandbox::{PROGRAM, Sandbox, VERSION, contains, script, stderr, stdout, succeeded};
use std::env::consts::ARCH;
use std::fs;
use std::path::Path;

/// RHEL 7.
const OLDEST: [u32; 2] = [2, 17];

/// An ELF file of 64 bits, little-endian, as on Linux on amd64 and arm64. The layout is that of the
/// generic ABI and of the Linux Standard Base, "Symbol Versioning".
struct Elf(Vec<u8>);

/// A section of an ELF file.
struct Section {
    kind: u32,
    offset: usize,
    /// For needed versions: the section with their names.
    link: usize,
    /// For needed versions: the number of files.
    info: u32,
}

/// `SHT_GNU_verneed`
const NEEDED_VERSIONS: u32 = 0x6fff_fffe;

impl Elf {
    fn read(path: &Path) -> Self {
        let bytes = fs::read(path).expect("a program");
        assert!(bytes.starts_with(b"\x7fELF\x02\x01"), "{} is no ELF file of 64 bits", path.display());
        Self(bytes)
    }

    fn number<const BYTES: usize>(&self, at: usize) -> usize {
        let bytes: [u8; BYTES] = self.0[at..at + BYTES].try_into().expect("as many bytes");
        bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    fn half(&self, at: usize) -> usize {
        self.number::<2>(at)
    }

    fn word(&self, at: usize) -> usize {
        self.number::<4>(at)
    }

    fn section(&self, index: usize) -> Section {
        let at = self.number::<8>(0x28) + index * self.half(0x3a);
        let small = |number| u32::try_from(number).expect("four bytes");
        Section {
            kind: small(self.word(at + 4)),
            offset: self.number::<8>(at + 0x18),
            link: self.word(at + 0x28),
            info: small(self.word(at + 0x2c)),
        }
    }

    fn text(&self, at: usize) -> &str {
        let end = self.0[at..].iter().position(|byte| *byte == 0).expect("an end");
        std::str::from_utf8(&self.0[at..at + end]).expect("the name of a version")
    }

    /// The names of all symbol versions that it needs.
    fn needed_versions(&self) -> Vec<&str> {
        let sections = (0..self.half(0x3c)).map(|index| self.section(index));
        let Some(needed) = sections.into_iter().find(|section| section.kind == NEEDED_VERSIONS) else {
            return Vec::new();
        };
        let names = self.section(needed.link).offset;
        let mut versions = Vec::new();
        let mut file = needed.offset;
        for _ in 0..needed.info {
            let mut version = file + self.word(file + 8);
            for _ in 0..self.half(file + 2) {
                versions.push(self.text(names + self.word(version + 8)));
                version += self.word(version + 12);
            }
            file += self.word(file + 12);
        }
        versions
    }

    /// The newest needed glibc, as numbers.
    fn newest_glibc(&self) -> Option<Vec<u32>> {
        let versions = self.needed_versions();
        let numbers = |version: &str| version.split('.').map(|part| part.parse().expect("a number")).collect();
        versions.into_iter().filter_map(|version| version.strip_prefix("GLIBC_")).map(numbers).max()
    }
}

fn dotted(version: &[u32]) -> String {
    version.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

/// A test's own program is built for this machine, and mostly needs a newer glibc.
#[test]
fn a_release_that_needs_a_newer_glibc_is_refused() {
    let sandbox = Sandbox::new("glibc");
    let needed = Elf::read(Path::new(PROGRAM)).newest_glibc().unwrap_or_default();
    let release = sandbox.build_with(&["--release", "--tests-passed", "--binary", PROGRAM]);
    let packed = sandbox.build_with(&["--binary", PROGRAM]);
    succeeded(&packed);
    if needed.as_slice() <= OLDEST.as_slice() {
        succeeded(&release);
        return;
    }
    let says = format!("needs glibc {}", dotted(&needed));
    assert_eq!(release.status.code(), Some(1));
    contains(&stderr(&release), &[&says, "a release must run with 2.17", "cargo-zigbuild"]);
    assert!(!stdout(&release).contains("packed"), "{}", stdout(&release));
    contains(&stdout(&packed), &[&says, "packed"]);
}

#[test]
fn a_program_is_built_for_the_old_glibc_where_that_can_be_done() {
    let sandbox = Sandbox::new("zigbuild");
    let triple = format!("{ARCH}-unknown-linux-gnu");
    let (folder, stand_in) = (sandbox.0.display(), sandbox.stand_in(VERSION));
    script(
        &sandbox.0.join("bin/cargo"),
        &format!(
            "echo \"$*\" >>'{folder}/asked'\n\
             case $1 in\n\
             metadata) echo '{{\"target_directory\":\"{folder}/target\"}}' ;;\n\
             zigbuild) mkdir -p '{folder}/target/{triple}/release'\n\
             cp '{}' '{folder}/target/{triple}/release/kubectl-unstick' ;;\n\
             *) exit 101 ;;\n\
             esac",
            stand_in.display()
        ),
    );
    script(&sandbox.0.join("bin/cargo-zigbuild"), "exit 0");
    succeeded(&sandbox.build_with(&["--release", "--tests-passed"]));
    let asked = fs::read_to_string(sandbox.0.join("asked")).expect("cargo was asked");
    contains(&asked, &[&format!("zigbuild --release --locked --target {triple}.2.17\n")]);
}
