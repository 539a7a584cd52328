//! Builds the programs of one Go module below `tests/`.

use super::download::{self, Refusal};
use super::tell;
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a waiting person gets a message.
pub const PROGRESS_EVERY: Duration = Duration::from_secs(30);

/// The oldest Go that builds the modules, as major and minor version.
const OLDEST_GO: (u32, u32) = (1, 26);

/// A Go module below `tests/` and its programs.
pub struct Module {
    /// Its folder below `tests/`, and below `target/` for the programs.
    folder: &'static str,
    /// The version of Kubernetes to build, if there are several: each has its own go.mod file, and
    /// its own folder for the programs.
    version: Option<String>,
    /// The file name and the package of each program.
    programs: &'static [(&'static str, &'static str)],
    /// A description of the programs.
    what: String,
}

/// The reason why there is no program.
pub enum NotBuilt {
    /// A proxy does not have the modules; it may have those of another version.
    Refused(Refusal),
    /// Another version would fail, too.
    Failed(String),
}

impl From<String> for NotBuilt {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl Module {
    /// The control plane, or the older servers, of this version of Kubernetes.
    pub fn kubernetes(folder: &'static str, version: &str) -> Self {
        let programs: &[_] = match folder {
            "control-plane" => &[("control-plane", "."), ("kubectl", "./kubectl")],
            _ => &[("older-servers", ".")],
        };
        let what = format!("a control plane of Kubernetes {version} (first time only, about 6 minutes)");
        Self { folder, version: Some(version.into()), programs, what }
    }

    /// The kubelet of this version of Kubernetes, and drivers for it.
    pub fn kubelet(version: &str) -> Self {
        let programs = &[("kubelet", "."), ("driver", "./driver")];
        let what = format!("the kubelet of Kubernetes {version} (first time only, about 3 minutes)");
        Self { folder: "kubelet", version: Some(version.into()), programs, what }
    }

    /// The programs of a real node: containerd with its client and its shim, and the programs in
    /// the pods.
    pub fn node() -> Self {
        let programs = &[
            ("node", "."),
            ("containerd-shim-runc-v2", "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2"),
            ("pod", "./pod"),
        ];
        Self {
            folder: "real-node",
            version: None,
            programs,
            what: "containerd (first time only, about 2 minutes)".into(),
        }
    }

    /// krew and its manifest checker.
    pub fn krew() -> Self {
        let programs = &[
            ("krew", "sigs.k8s.io/krew/cmd/krew"),
            ("validate-krew-manifest", "sigs.k8s.io/krew/cmd/validate-krew-manifest"),
        ];
        Self { folder: "krew", version: None, programs, what: "krew (first time only, about 1 minute)".into() }
    }

    /// The programs of a real operator, from the go.mod in a folder below `tests/`.
    pub fn operator(folder: &'static str, programs: &'static [(&'static str, &'static str)], what: String) -> Self {
        Self { folder, version: None, programs, what }
    }

    /// The module's first program.
    pub fn program(&self) -> PathBuf {
        self.output().join(self.programs[0].0)
    }

    /// The folder of the programs.
    pub fn output(&self) -> PathBuf {
        target_dir().join(self.folder).join(self.version.as_deref().unwrap_or_default())
    }

    /// Whether the programs exist and were built from these sources.
    pub fn is_current(&self) -> Result<bool, String> {
        let built = self.programs.iter().all(|(name, _)| self.output().join(name).is_file());
        let stamp = self.stamp()?;
        Ok(built && fs::read_to_string(self.output().join("stamp")).is_ok_and(|old| old == stamp))
    }

    /// Builds the programs unless they are current.
    pub fn build_if_need_be(self) -> Result<Self, String> {
        let _lock = lock(self.folder, &self.what)?;
        if self.is_current()? {
            return Ok(self);
        }
        match self.build() {
            Ok(()) => Ok(self),
            Err(NotBuilt::Refused(refusal)) => Err(format!("{} cannot be built: {refusal}", self.what)),
            Err(NotBuilt::Failed(why)) => Err(why),
        }
    }

    /// Downloads the modules of the programs and builds them. The caller holds the lock.
    pub fn build(&self) -> Result<(), NotBuilt> {
        require_go()?;
        let output = self.output();
        fs::create_dir_all(&output).map_err(cannot("make", &output))?;
        download::modules(self.go("mod").arg("download"), &self.what)?;
        let started = Instant::now();
        tell(&format!("building {} …", self.what));
        for (name, package) in self.programs {
            self.build_one(&output, name, package, started)?;
        }
        let stamp = output.join("stamp");
        fs::write(&stamp, self.stamp()?).map_err(cannot("write", &stamp))?;
        tell(&format!("built in {}", elapsed(started)));
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
            return Err(why_not_built(name, status, &said));
        }
        fs::rename(&draft, output.join(name)).map_err(cannot("rename", &draft))
    }

    fn go_build(&self, program: &Path, package: &str, log: &Path) -> io::Result<Child> {
        let ldflags = match &self.version {
            Some(version) => stamps(version),
            None => fs::read_to_string(self.sources().join("ldflags"))?,
        };
        let log = File::create(log)?;
        self.go("build")
            .args(self.version.iter().map(|version| tags(version)))
            .args(["-trimpath", "-buildvcs=false", "-ldflags", ldflags.trim(), "-o"])
            .arg(program)
            .arg(package)
            .env("CGO_ENABLED", "0")
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
    }

    /// The folder of a module from which the programs are built.
    pub fn folder_of(&self, module: &str) -> Result<PathBuf, String> {
        let output = self.go("list").args(["-m", "-f", "{{.Dir}}", module]).output();
        let output = output.map_err(|error| format!("cannot start go list: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if output.status.success() && !said.is_empty() {
            return Ok(said.into());
        }
        Err(format!("go list -m {module}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// A go command in the module's folder, for its version.
    fn go(&self, command: &str) -> Command {
        let mut go = go();
        go.arg(command).current_dir(self.sources()).env("GOWORK", "off").stdin(Stdio::null());
        if let Some(version) = &self.version {
            // As a variable, it applies to every go command.
            let flags = std::env::var("GOFLAGS").unwrap_or_default();
            go.env("GOFLAGS", format!("{flags} -modfile=versions/{version}.mod"));
        }
        go
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

    /// A value that changes with the source files and the versions of the modules.
    fn stamp(&self) -> Result<String, String> {
        let folder = self.sources();
        let mut hasher = DefaultHasher::new();
        for path in files_below(&folder).map_err(cannot("read", &folder))? {
            let name = path.strip_prefix(&folder).unwrap_or(&path);
            if name.starts_with("versions") && !self.is_mine(name) {
                continue;
            }
            name.hash(&mut hasher);
            fs::read(&path).map_err(cannot("read", &path))?.hash(&mut hasher);
        }
        Ok(format!("{:016x}\n", hasher.finish()))
    }

    /// Whether a file below `versions` belongs to the version to build.
    fn is_mine(&self, name: &Path) -> bool {
        name.file_stem().is_some_and(|stem| Some(stem.to_string_lossy().as_ref()) == self.version.as_deref())
    }

    fn sources(&self) -> PathBuf {
        sources(self.folder)
    }
}

/// A folder below `tests/`.
pub fn sources(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder)
}

/// Waits until no other process builds in this folder. Dropping the file releases the lock.
pub fn lock(folder: &str, what: &str) -> Result<File, String> {
    let output = target_dir().join(folder);
    lock_in(&output, what).map_err(cannot("lock", &output))
}

fn lock_in(output: &Path, what: &str) -> io::Result<File> {
    fs::create_dir_all(output)?;
    let file = File::create(output.join("lock"))?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    tell(&format!("waiting for another process that builds {what}"));
    file.lock()?;
    Ok(file)
}

/// The build tags. Some files are for some releases only, marked by tags such as `kubernetes_1_35`.
/// Without `providerless`, old releases would link the clouds' own libraries.
fn tags(version: &str) -> String {
    let minor = version.splitn(3, '.').take(2).collect::<Vec<_>>().join("_");
    format!("-tags=providerless,kubernetes_{minor}")
}

/// Linker flags that set the version that the servers and kubectl report, which clients check.
fn stamps(version: &str) -> String {
    let minor = version.split('.').nth(1).unwrap_or_default();
    let values = [("gitVersion", format!("v{version}")), ("gitMajor", "1".into()), ("gitMinor", minor.into())];
    let all = values.into_iter().chain([("gitTreeState", "clean".into())]);
    let packages = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
    let set = |(name, value): (&str, String)| packages.map(|package| format!(" -X {package}.{name}={value}")).concat();
    format!("-s -w{}", all.map(set).collect::<String>())
}

/// One sentence for the person who waits, with the compiler's words if there is no better one.
fn why_not_built(name: &str, status: ExitStatus, said: &str) -> String {
    if said.contains("no space left on device") {
        return format!(
            "the disk is full: building {name} needs about 5 GB below `go env GOCACHE` and `go env GOMODCACHE`; make room and run the tests again"
        );
    }
    if status.code().is_none() {
        return format!("the build of {name} was interrupted ({status}): run the tests again");
    }
    format!("go build of {name} failed ({status}):\n{said}")
}

/// Cargo's target directory, wherever it is: the parent of its `tmp`.
fn target_dir() -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tmp.parent().unwrap_or(tmp).to_path_buf()
}

/// All files in a folder in a fixed order, except those for people only.
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

/// The installed Go, which must not fetch another one.
pub fn go() -> Command {
    let mut command = Command::new("go");
    command.env("GOTOOLCHAIN", "local");
    command
}

fn require_go() -> Result<(), String> {
    let (major, minor) = OLDEST_GO;
    let way_out = format!(
        "the end-to-end tests build a control plane from source with Go {major}.{minor} or later (https://go.dev/dl); or set CONTROL_PLANE to one that was built before"
    );
    let Ok(output) = go().args(["env", "GOVERSION"]).output() else {
        return Err(format!("there is no Go on PATH: {way_out}"));
    };
    let said = String::from_utf8_lossy(&output.stdout);
    if go_version(&said).is_some_and(|version| version >= OLDEST_GO) {
        return Ok(());
    }
    Err(format!("the Go on PATH is too old ({}): {way_out}", said.trim()))
}

/// Parses `go1.26.8` and the like, even among other words.
fn go_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split("go").find_map(|word| {
        let numbers = word.split(|c: char| !c.is_ascii_digit());
        word.starts_with(|c: char| c.is_ascii_digit()).then_some(numbers)
    })?;
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next()?.parse().ok()?;
    Some((major, minor))
}

/// The elapsed time, for a person.
pub fn elapsed(started: Instant) -> String {
    let seconds = started.elapsed().as_secs();
    format!("{} min {:02} s", seconds / 60, seconds % 60)
}

/// The error for a file that cannot be used.
pub fn cannot(what: &str, path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("cannot {what} {}: {error}", path.display())
}

#[test]
fn a_build_that_fails_says_why_in_one_sentence() {
    use std::os::unix::process::ExitStatusExt;
    let failed = |status, said| why_not_built("krew", ExitStatus::from_raw(status), said);
    assert!(failed(1 << 8, "write x.a: no space left on device").starts_with("the disk is full: building krew needs"));
    let interrupted = failed(2, "");
    assert!(interrupted.starts_with("the build of krew was interrupted (signal: 2"), "{interrupted}");
    assert!(interrupted.ends_with("run the tests again"), "{interrupted}");
    assert!(failed(1 << 8, "main.go:3: undefined: x").ends_with(":\nmain.go:3: undefined: x"));
}

#[test]
fn reads_go_versions() {
    assert_eq!(go_version("go1.26.8"), Some((1, 26)));
    assert_eq!(go_version("devel go1.27-4aa1efed48 X:none"), Some((1, 27)));
    assert_eq!(go_version("go2.0rc1"), Some((2, 0)));
    assert_eq!(go_version(""), None);
}
