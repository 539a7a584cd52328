//! Builds the Go programs that the end-to-end tests run: the control plane and krew.
//!
//! The first build takes minutes, so it happens once: the programs stay below
//! `target/` next to a stamp of their sources and are built again only when
//! that changes. A lock lets test processes that need the same programs wait
//! for the one that builds them.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test harness builds and runs programs")]

use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// How often a person who waits for a build hears of it.
const PROGRESS_EVERY: Duration = Duration::from_secs(30);

/// The oldest Go that builds the modules, as major and minor version.
const OLDEST_GO: (u32, u32) = (1, 26);

/// A Go module below `tests/` and the programs that are built from it.
struct Module {
    /// Its folder below `tests/`, and the one below `target/` for the programs.
    folder: &'static str,
    /// The version of Kubernetes to build, where there are several: its own
    /// go.mod file, and a folder of its own below the one for the programs.
    version: Option<String>,
    /// The file name of each program and the package that it is built from.
    programs: &'static [(&'static str, &'static str)],
    /// What is built, and how long it takes the first time.
    what: &'static str,
}

const CONTROL_PLANE: Module = Module {
    folder: "control-plane",
    version: None,
    programs: &[("control-plane", ".")],
    what: "the control plane for the end-to-end tests (first time only, about 6 minutes)",
};

const KREW: Module = Module {
    folder: "krew",
    version: None,
    programs: &[
        ("krew", "sigs.k8s.io/krew/cmd/krew"),
        ("validate-krew-manifest", "sigs.k8s.io/krew/cmd/validate-krew-manifest"),
    ],
    what: "krew for the packaging tests (first time only, about 1 minute)",
};

/// The control plane's binary, built if need be.
///
/// # Panics
/// If it cannot be built.
pub fn control_plane() -> PathBuf {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    programs_of(&BUILT, &CONTROL_PLANE).join("control-plane")
}

/// Names the version of Kubernetes to test against, such as `1.33.13`.
const KUBERNETES: &str = "UNSTICK_KUBERNETES";

/// The version of Kubernetes to test against, when it is not the newest.
pub fn older_version() -> Option<String> {
    std::env::var(KUBERNETES).ok().filter(|version| !version.is_empty())
}

/// Older servers, when the tests are to run against these; built if need be.
///
/// # Panics
/// If they cannot be built.
pub fn older_servers() -> Option<PathBuf> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let version = older_version()?;
    let module = Module {
        folder: "older-servers",
        version: Some(version),
        programs: &[("older-servers", ".")],
        what: "an older API server and controller manager (first time only, about 6 minutes)",
    };
    Some(programs_of(&BUILT, &module).join("older-servers"))
}

/// The folder that holds `krew` and `validate-krew-manifest`, built if need be.
///
/// # Panics
/// If they cannot be built.
pub fn krew() -> PathBuf {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    programs_of(&BUILT, &KREW)
}

/// Writes a line for the person who runs the tests. The print macros will not
/// do: the test runner keeps what they write until a test fails.
pub fn tell(line: &str) {
    // Nobody to tell is no reason to fail.
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// A failed build is remembered too: each test would fail again only minutes later.
fn programs_of(built: &OnceLock<Result<PathBuf, String>>, module: &Module) -> PathBuf {
    match built.get_or_init(|| module.build()) {
        Ok(folder) => folder.clone(),
        Err(why) => panic!("{why}"),
    }
}

impl Module {
    /// Builds the programs unless they are up to date; returns their folder.
    fn build(&self) -> Result<PathBuf, String> {
        let output = target_dir().join(self.folder).join(self.version.as_deref().unwrap_or_default());
        let _lock = self.lock(&output).map_err(cannot("lock", &output))?;
        let stamp = self.stamp()?;
        if !self.is_current(&output, &stamp) {
            require_go()?;
            self.build_all(&output)?;
            let path = output.join("stamp");
            fs::write(&path, stamp).map_err(cannot("write", &path))?;
        }
        Ok(output)
    }

    /// Waits until no other process builds this module. The lock ends with the file.
    fn lock(&self, output: &Path) -> io::Result<File> {
        fs::create_dir_all(output)?;
        let file = File::create(output.join("lock"))?;
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        tell(&format!("waiting for another process that builds {}", self.what));
        file.lock()?;
        Ok(file)
    }

    fn is_current(&self, output: &Path, stamp: &str) -> bool {
        let built = self.programs.iter().all(|(name, _)| output.join(name).is_file());
        built && fs::read_to_string(output.join("stamp")).is_ok_and(|old| old == stamp)
    }

    fn build_all(&self, output: &Path) -> Result<(), String> {
        let started = Instant::now();
        tell(&format!("building {} …", self.what));
        for (name, package) in self.programs {
            self.build_one(output, name, package, started)?;
        }
        tell(&format!("built {} in {}", self.folder, elapsed(started)));
        Ok(())
    }

    /// Builds beside the old program, which may be running, and then replaces it.
    fn build_one(&self, output: &Path, name: &str, package: &str, started: Instant) -> Result<(), String> {
        let draft = output.join(format!("{name}.new"));
        let log = output.join("build.log");
        let mut go = self.go_build(&draft, package, &log).map_err(cannot("start go build with its log in", &log))?;
        let status = self.wait(&mut go, started).map_err(cannot("wait for the build of", &draft))?;
        if !status.success() {
            let said = fs::read_to_string(&log).unwrap_or_default();
            return Err(format!("go build of {name} failed ({status}):\n{said}"));
        }
        fs::rename(&draft, output.join(name)).map_err(cannot("rename", &draft))
    }

    fn go_build(&self, program: &Path, package: &str, log: &Path) -> io::Result<Child> {
        let ldflags = match &self.version {
            Some(version) => stamps(version),
            None => fs::read_to_string(self.sources().join("ldflags"))?,
        };
        let modfile = self.version.iter().map(|version| format!("-modfile=versions/{version}.mod"));
        let log = File::create(log)?;
        go().arg("build")
            .args(modfile)
            // Old releases would link the clouds' own libraries otherwise.
            .args(self.version.iter().map(|_| "-tags=providerless"))
            .args(["-trimpath", "-buildvcs=false", "-ldflags", ldflags.trim(), "-o"])
            .arg(program)
            .arg(package)
            .current_dir(self.sources())
            .env("CGO_ENABLED", "0")
            .env("GOWORK", "off")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
    }

    fn wait(&self, go: &mut Child, started: Instant) -> io::Result<ExitStatus> {
        let mut next = started.elapsed() + PROGRESS_EVERY;
        loop {
            if let Some(status) = go.try_wait()? {
                return Ok(status);
            }
            if started.elapsed() >= next {
                tell(&format!("still building {} ({}) …", self.folder, elapsed(started)));
                next += PROGRESS_EVERY;
            }
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// Changes when a source file does.
    fn stamp(&self) -> Result<String, String> {
        let folder = self.sources();
        let mut hasher = DefaultHasher::new();
        for path in files_below(&folder).map_err(cannot("read", &folder))? {
            path.strip_prefix(&folder).unwrap_or(&path).hash(&mut hasher);
            fs::read(&path).map_err(cannot("read", &path))?.hash(&mut hasher);
        }
        Ok(format!("{:016x}\n", hasher.finish()))
    }

    fn sources(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(self.folder)
    }
}

/// What makes the servers say their version, by which clients go.
fn stamps(version: &str) -> String {
    let minor = version.split('.').nth(1).unwrap_or_default();
    let set = |name: &str, value: &str| format!(" -X k8s.io/component-base/version.{name}={value}");
    let (full, major) = (set("gitVersion", &format!("v{version}")), set("gitMajor", "1"));
    format!("-s -w{full}{major}{}{}", set("gitMinor", minor), set("gitTreeState", "clean"))
}

/// Cargo's target directory, wherever it is: the parent of its `tmp`.
fn target_dir() -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tmp.parent().unwrap_or(tmp).to_path_buf()
}

/// All files below a folder, in a fixed order, but for what only people read.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else if path.extension().is_none_or(|extension| extension != "md") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The Go that is installed: it must not fetch another one.
fn go() -> Command {
    let mut command = Command::new("go");
    command.env("GOTOOLCHAIN", "local");
    command
}

fn require_go() -> Result<(), String> {
    let (major, minor) = OLDEST_GO;
    if installed_go().is_some_and(|version| version >= OLDEST_GO) {
        return Ok(());
    }
    Err(format!(
        "the end-to-end tests build a control plane from source and need Go {major}.{minor} or later on PATH: install it from https://go.dev/dl"
    ))
}

fn installed_go() -> Option<(u32, u32)> {
    let output = go().args(["env", "GOVERSION"]).output().ok()?;
    go_version(&String::from_utf8_lossy(&output.stdout))
}

/// Reads `go1.26.8` and the like, also in the midst of other words.
fn go_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split("go").find_map(|word| {
        let numbers = word.split(|c: char| !c.is_ascii_digit());
        word.starts_with(|c: char| c.is_ascii_digit()).then_some(numbers)
    })?;
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next()?.parse().ok()?;
    Some((major, minor))
}

fn elapsed(started: Instant) -> String {
    let seconds = started.elapsed().as_secs();
    format!("{} min {:02} s", seconds / 60, seconds % 60)
}

fn cannot(what: &str, path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("cannot {what} {}: {error}", path.display())
}

#[test]
fn reads_go_versions() {
    assert_eq!(go_version("go1.26.8"), Some((1, 26)));
    assert_eq!(go_version("devel go1.27-4aa1efed48 X:none"), Some((1, 27)));
    assert_eq!(go_version("go2.0rc1"), Some((2, 0)));
    assert_eq!(go_version(""), None);
}
