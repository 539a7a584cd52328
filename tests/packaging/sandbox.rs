//! A separate directory for a release, with the programs that run and read it.

use crate::support::go;
use serde_json::Value;
use std::env::consts::{ARCH, OS};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, io, process, thread};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The platforms of a full release, as krew calls them.
pub const PLATFORMS: [&str; 6] =
    ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"];

/// The names of the plugin in krew: each has a manifest, for the same archives.
pub const NAMES: [&str; 2] = ["unstick", "why-terminating"];

/// A separate directory, with a home and a krew in it. Dropping it removes it, except after a panic.
pub struct Sandbox(pub PathBuf);

impl Sandbox {
    pub fn new(name: &str) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("krew-{name}-{}", process::id()));
        if dir.exists() {
            // Left by an earlier process with the same id.
            fs::remove_dir_all(&dir).expect("an old sandbox goes");
        }
        for folder in ["bin", "home", "tmp", "release"] {
            fs::create_dir_all(dir.join(folder)).expect("a folder");
        }
        Self(dir)
    }

    /// A command without the developer's settings. Programs installed by krew are on its PATH, and
    /// so is `bin`.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
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
    pub fn build(&self, binary: &Path) -> Output {
        self.build_with(&["--binary", binary.to_str().expect("a path of plain characters")])
    }

    /// The same with other arguments.
    pub fn build_with(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(repository().join("krew-manifest/build.sh"));
        command.args(arguments).arg("--out").arg(self.release());
        command.output().expect("build.sh runs")
    }

    pub fn release(&self) -> PathBuf {
        self.0.join("release")
    }

    pub fn manifest(&self) -> PathBuf {
        self.manifest_of(NAMES[0])
    }

    pub fn manifest_of(&self, name: &str) -> PathBuf {
        self.release().join(format!("{name}.yaml"))
    }

    pub fn archive(&self, platform: &str) -> PathBuf {
        self.release().join(format!("kubectl-unstick-v{VERSION}-{platform}.tar.gz"))
    }

    /// Puts the real kubectl on the PATH, with krew as its plugin.
    pub fn install_kubectl(&self) {
        let bin = self.0.join("bin");
        link(&go::kubectl(), &bin.join("kubectl")).expect("a link named kubectl");
        link(&go::krew(), &bin.join("kubectl-krew")).expect("a link named kubectl-krew");
    }

    pub fn kubectl(&self, arguments: &[&str]) -> Output {
        self.command(self.0.join("bin/kubectl")).args(arguments).output().expect("kubectl runs")
    }

    /// krew's own checker for manifests.
    pub fn check(&self, manifest: &Path, flags: &[&str]) {
        let mut command = self.command(go::validate_krew_manifest());
        succeeded(&command.arg("-manifest").arg(manifest).args(flags).output().expect("krew's checker runs"));
    }

    /// A tiny program that reports this version.
    pub fn stand_in(&self, version: &str) -> PathBuf {
        let path = self.0.join("stand-in");
        script(&path, &format!("echo kubectl-unstick {version}"));
        path
    }

    /// An archive as the script would create it on another platform.
    pub fn pack_for(&self, platform: &str) {
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
    pub fn build_for_all(&self) -> Value {
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
            // Leftovers are below target/ and do no harm.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// Gives a program, which may be on another disk, an additional name.
pub fn link(program: &Path, name: &Path) -> io::Result<()> {
    fs::hard_link(program, name).or_else(|_| fs::copy(program, name).map(drop))
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// This machine, in krew's terms.
pub fn host() -> String {
    let os = if OS == "macos" { "darwin" } else { OS };
    let arch = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}-{arch}")
}

pub fn script(path: &Path, commands: &str) {
    fs::write(path, format!("#!/bin/sh\n{commands}\n")).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script that can be run");
}

pub fn read(manifest: &Path) -> Value {
    let text = fs::read_to_string(manifest).expect("a manifest");
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", manifest.display()))
}

pub fn platforms(manifest: &Value) -> &[Value] {
    manifest["spec"]["platforms"].as_array().expect("a list of platforms")
}

/// `os-arch`
pub fn platform_of(entry: &Value) -> String {
    let labels = &entry["selector"]["matchLabels"];
    format!("{}-{}", labels["os"].as_str().unwrap_or_default(), labels["arch"].as_str().unwrap_or_default())
}

#[track_caller]
pub fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}\n{}{}", output.status, stdout(output), stderr(output));
}

#[track_caller]
pub fn contains(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is not in:\n{text}");
    }
}
