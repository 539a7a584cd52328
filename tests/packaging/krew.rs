//! krew: a release as it is packed, checked and installed.

use crate::scenario::Scenario;
use crate::support::go;
use serde_json::Value;
use std::env::consts::{ARCH, OS};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, io, process, thread};

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The platforms of a full release, as krew calls them.
const PLATFORMS: [&str; 6] =
    ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"];

/// A directory of its own, with a home and a krew in it; it goes with the value,
/// but for a panic.
struct Sandbox(PathBuf);

impl Sandbox {
    fn new(name: &str) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("krew-{name}-{}", process::id()));
        if dir.exists() {
            // Left by a process that had the same id once.
            fs::remove_dir_all(&dir).expect("an old sandbox goes");
        }
        for folder in ["bin", "home", "tmp", "release"] {
            fs::create_dir_all(dir.join(folder)).expect("a folder");
        }
        Self(dir)
    }

    /// A command with nothing of the developer's own settings. What krew
    /// installed is on its PATH, and so is `bin`.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let inherited = env::var_os("PATH").unwrap_or_default();
        let folders = [self.0.join("krew/bin"), self.0.join("bin")].into_iter().chain(env::split_paths(&inherited));
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", env::join_paths(folders).expect("a PATH without odd characters"))
            .env("HOME", self.0.join("home"))
            .env("TMPDIR", self.0.join("tmp"))
            .env("KREW_ROOT", self.0.join("krew"))
            .env("KREW_NO_UPGRADE_CHECK", "1")
            .stdin(Stdio::null());
        command
    }

    /// Runs the script that packs a release.
    fn build(&self, binary: &Path) -> Output {
        let script = repository().join("krew-manifest/build.sh");
        let mut command = self.command(script);
        command.arg("--binary").arg(binary).arg("--out").arg(self.release());
        command.output().expect("build.sh runs")
    }

    fn release(&self) -> PathBuf {
        self.0.join("release")
    }

    fn manifest(&self) -> PathBuf {
        self.release().join("unstick.yaml")
    }

    fn archive(&self, platform: &str) -> PathBuf {
        self.release().join(format!("kubectl-unstick-v{VERSION}-{platform}.tar.gz"))
    }

    /// Puts the real kubectl on the PATH, with krew as its plugin.
    fn install_kubectl(&self) {
        let bin = self.0.join("bin");
        link(&go::kubectl(), &bin.join("kubectl")).expect("a link named kubectl");
        link(&go::krew(), &bin.join("kubectl-krew")).expect("a link named kubectl-krew");
    }

    fn kubectl(&self, arguments: &[&str]) -> Output {
        self.command(self.0.join("bin/kubectl")).args(arguments).output().expect("kubectl runs")
    }

    /// krew's own checker for manifests.
    fn check(&self, manifest: &Path, flags: &[&str]) {
        let mut command = self.command(go::validate_krew_manifest());
        succeeded(&command.arg("-manifest").arg(manifest).args(flags).output().expect("krew's checker runs"));
    }

    /// A program of a few bytes that says it is this version.
    fn stand_in(&self, version: &str) -> PathBuf {
        let path = self.0.join("stand-in");
        script(&path, &format!("echo kubectl-unstick {version}"));
        path
    }

    /// An archive as the script would make it on another platform.
    fn pack_for(&self, platform: &str) {
        let files = self.0.join(platform);
        fs::create_dir(&files).expect("a folder");
        let program = if platform.starts_with("windows") { "kubectl-unstick.exe" } else { "kubectl-unstick" };
        script(&files.join(program), "exit 0");
        fs::copy(repository().join("LICENSE"), files.join("LICENSE")).expect("a copy of the licence");
        let mut tar = self.command("tar");
        tar.arg("-czf").arg(self.archive(platform)).arg("-C").arg(files).args(["LICENSE", program]);
        succeeded(&tar.output().expect("tar runs"));
    }

    /// A release of all platforms, with a stand-in for the program.
    fn build_for_all(&self) -> Value {
        for platform in PLATFORMS.into_iter().filter(|platform| *platform != host()) {
            self.pack_for(platform);
        }
        succeeded(&self.build(&self.stand_in(VERSION)));
        read(&self.manifest())
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if thread::panicking() {
            go::tell(&format!("the files are kept in {}", self.0.display()));
        } else {
            // What stays behind lies below target/ and hurts nobody.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// Gives a program, which may be on another disk, one more name.
fn link(program: &Path, name: &Path) -> io::Result<()> {
    fs::hard_link(program, name).or_else(|_| fs::copy(program, name).map(drop))
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// This machine, as krew calls it.
fn host() -> String {
    let os = if OS == "macos" { "darwin" } else { OS };
    let arch = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}-{arch}")
}

fn script(path: &Path, commands: &str) {
    fs::write(path, format!("#!/bin/sh\n{commands}\n")).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script that can be run");
}

fn read(manifest: &Path) -> Value {
    let text = fs::read_to_string(manifest).expect("a manifest");
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", manifest.display()))
}

fn platforms(manifest: &Value) -> &[Value] {
    manifest["spec"]["platforms"].as_array().expect("a list of platforms")
}

/// `os-arch`
fn platform_of(entry: &Value) -> String {
    let labels = &entry["selector"]["matchLabels"];
    format!("{}-{}", labels["os"].as_str().unwrap_or_default(), labels["arch"].as_str().unwrap_or_default())
}

/// All that a new build of the same sources does not change.
fn without_checksums(mut manifest: Value) -> Value {
    for platform in manifest["spec"]["platforms"].as_array_mut().expect("a list of platforms") {
        platform["sha256"].take();
    }
    manifest
}

#[track_caller]
fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}\n{}{}", output.status, stdout(output), stderr(output));
}

#[track_caller]
fn contains(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is not in:\n{text}");
    }
}

#[test]
fn krew_installs_it_and_kubectl_runs_it() {
    let sandbox = Sandbox::new("install");
    sandbox.install_kubectl();
    let built = sandbox.build(Path::new(PROGRAM));
    succeeded(&built);
    sandbox.check(&sandbox.manifest(), &["-skip-install"]);
    let named: Vec<String> = platforms(&read(&sandbox.manifest())).iter().map(platform_of).collect();
    assert_eq!(named, [host()], "only what was packed is in the manifest");
    for other in PLATFORMS.into_iter().filter(|platform| *platform != host()) {
        contains(&stdout(&built), &["left out of it, since it is not in", &format!("-{other}.tar.gz")]);
    }

    let manifest = format!("--manifest={}", sandbox.manifest().display());
    let archive = format!("--archive={}", sandbox.archive(&host()).display());
    let installed = sandbox.kubectl(&["krew", "install", &manifest, &archive]);
    succeeded(&installed);
    contains(&stderr(&installed), &["Installed plugin: unstick", "kubectl unstick"]);

    let help = sandbox.kubectl(&["unstick", "--help"]);
    succeeded(&help);
    contains(&stdout(&help), &["Usage: kubectl unstick TYPE NAME", "kubectl unstick demo"]);
    assert!(!stdout(&help).contains("kubectl-unstick"), "{}", stdout(&help));
    let explained = sandbox.kubectl(&["unstick", "explain", "pods-first"]);
    succeeded(&explained);
    contains(&stdout(&explained), &["Pods go first"]);
    demo(&sandbox);
    completion(&sandbox);
}

/// kubectl's own completion asks the script that is packed beside the program.
fn completion(sandbox: &Sandbox) {
    let packed = sandbox.0.join(format!("krew/store/unstick/v{VERSION}/kubectl_complete-unstick"));
    link(&packed, &sandbox.0.join("bin/kubectl_complete-unstick")).expect("a link to the script");
    let offered = sandbox.kubectl(&["__complete", "unstick", "journal", "la"]);
    succeeded(&offered);
    contains(&stdout(&offered), &["last\tthe newest run", ":36"]);
}

/// The first thing that a person tries who has just installed it.
fn demo(sandbox: &Sandbox) {
    let output = sandbox.kubectl(&["unstick", "demo"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    contains(&stdout(&output), &["Namespace shop", "v1beta1.metrics.k8s.io", "node-3", "acme.io/backup"]);
    let json = sandbox.kubectl(&["unstick", "demo", "-o", "json"]);
    let report: Value = serde_json::from_str(&stdout(&json)).expect("a report");
    Scenario::named("demo").check(&report);
}

#[test]
fn krew_takes_a_release_of_all_platforms() {
    let sandbox = Sandbox::new("all");
    let manifest = sandbox.build_for_all();
    let named: Vec<String> = platforms(&manifest).iter().map(platform_of).collect();
    assert_eq!(named, PLATFORMS);
    // The checker installs each platform with `kubectl krew install`, from
    // where the archive will be once it is released: here it is still at hand.
    let archive = sandbox.archive("$KREW_OS-$KREW_ARCH");
    let krew = go::krew();
    script(
        &sandbox.0.join("bin/kubectl"),
        &format!(
            "shift\nKREW_NO_UPGRADE_CHECK=1 HOME='{0}/home' TMPDIR='{0}/tmp' exec '{1}' \"$@\" --archive=\"{2}\"",
            sandbox.0.display(),
            krew.display(),
            archive.display()
        ),
    );
    sandbox.check(&sandbox.manifest(), &[]);
}

#[test]
fn the_committed_manifest_is_what_the_script_makes() {
    let sandbox = Sandbox::new("committed");
    let path = repository().join("krew-manifest/unstick.yaml");
    sandbox.check(&path, &["-skip-install"]);
    let committed = without_checksums(read(&path));
    let mut made = without_checksums(sandbox.build_for_all());
    let listed: Vec<String> = platforms(&committed).iter().map(platform_of).collect();
    let all = made["spec"]["platforms"].as_array_mut().expect("a list of platforms");
    all.retain(|platform| listed.contains(&platform_of(platform)));
    assert_eq!(committed, made, "run krew-manifest/build.sh");
}

/// What the reviewers of krew-index ask for besides what their checker sees.
#[test]
fn the_descriptions_have_the_shape_that_krew_asks_for() {
    let manifest = read(&repository().join("krew-manifest/unstick.yaml"));
    let short = manifest["spec"]["shortDescription"].as_str().expect("a short description");
    assert!(short.chars().count() <= 50 && !short.ends_with('.'), "{short}");
    let long = manifest["spec"]["description"].as_str().expect("a description");
    assert!(long.lines().all(|line| line.chars().count() <= 80), "{long}");
    assert!(!long.contains("kubectl "), "usage belongs into --help:\n{long}");
}

#[test]
fn the_same_program_gives_the_same_archive() {
    let sandbox = Sandbox::new("reproducible");
    let pack = |binary: &Path| {
        succeeded(&sandbox.build(binary));
        fs::read(sandbox.archive(&host())).expect("an archive")
    };
    let one = sandbox.stand_in(VERSION);
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
    // A stand-in for cargo, whose packaging tests do not pass.
    script(&sandbox.0.join("bin/cargo"), "exit 101");
    let mut release = sandbox.command(repository().join("krew-manifest/build.sh"));
    release.arg("--release").arg("--binary").arg(sandbox.stand_in(VERSION)).arg("--out").arg(sandbox.release());
    let untested = release.output().expect("build.sh runs");
    assert_eq!(untested.status.code(), Some(1));
    contains(&stderr(&untested), &["no release: the packaging tests have not passed"]);
    let left = fs::read_dir(sandbox.release()).expect("a folder").count();
    assert_eq!(left, 0, "nothing is packed");
}
