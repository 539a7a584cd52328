//! The Go programs that the tests run: the control plane and krew. Each is built from its modules,
//! unless a variable names an existing program.
//!
//! A first build takes minutes, so it happens once: programs stay below `target/` next to a stamp
//! of their sources and are rebuilt only when that changes. If a program is not available, the
//! whole test run ends at once with one sentence.

pub mod build;
mod download;
mod versions;

pub use build::Module;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::OnceLock;
use versions::Release;

/// The variable that names an existing control plane.
const CONTROL_PLANE: &str = "CONTROL_PLANE";

/// The variable that names the version of Kubernetes to test against, such as `1.35.4`.
const KUBERNETES: &str = "UNSTICK_KUBERNETES";

/// The exit code of a failed test run, as in Rust's own test harness.
const FAILED: i32 = 101;

/// The control plane to test with.
struct Servers {
    /// The program of `tests/control-plane`.
    program: PathBuf,
    /// kubectl: a separate program, or the control plane's under another name.
    kubectl: PathBuf,
    /// The version of Kubernetes under test, such as `1.36.1`.
    version: String,
    /// A program that contains older servers, if these are used.
    older: Option<PathBuf>,
}

impl Servers {
    fn built(module: &Module, version: String) -> Self {
        Self { program: module.program(), kubectl: module.output().join("kubectl"), version, older: None }
    }
}

/// The control plane's program, built if need be.
pub fn control_plane() -> PathBuf {
    servers().program.clone()
}

/// A real kubectl, if it is run under this name.
pub fn kubectl() -> PathBuf {
    servers().kubectl.clone()
}

/// The version of Kubernetes under test, such as `1.36.1`.
pub fn kubernetes() -> &'static str {
    &servers().version
}

/// The program that contains the servers, if these are not the control plane's own.
pub fn older_servers() -> Option<PathBuf> {
    servers().older.clone()
}

fn servers() -> &'static Servers {
    static FOUND: OnceLock<Servers> = OnceLock::new();
    FOUND.get_or_init(|| find_servers().unwrap_or_else(|why| end(&why)))
}

fn find_servers() -> Result<Servers, String> {
    if let Some(program) = named(CONTROL_PLANE) {
        let (version, older) = older_of(version_of(&program)?)?;
        tell(&format!("testing against Kubernetes {version} of {}", older.as_ref().unwrap_or(&program).display()));
        let kubectl = program.clone();
        return Ok(Servers { program, kubectl, version, older });
    }
    let servers = built_servers()?;
    tell(&format!("testing against Kubernetes {}", servers.version));
    Ok(servers)
}

/// The servers of another version than the control plane's, if requested.
fn older_of(version: String) -> Result<(String, Option<PathBuf>), String> {
    let Some(asked) = asked_for().filter(|asked| *asked != version) else { return Ok((version, None)) };
    let older = Release::all("older-servers")?;
    let Some(release) = older.iter().find(|release| release.version == asked) else {
        return Err(format!("{KUBERNETES}={asked}, and {CONTROL_PLANE} names one of {version}"));
    };
    let (module, version) = versions::first_to_be_had(std::slice::from_ref(release))?;
    Ok((version, Some(module.program())))
}

fn asked_for() -> Option<String> {
    std::env::var(KUBERNETES).ok().filter(|version| !version.is_empty())
}

fn built_servers() -> Result<Servers, String> {
    let releases = Release::all("control-plane")?;
    let Some(version) = asked_for() else {
        let (module, version) = versions::first_to_be_had(&releases)?;
        return Ok(Servers::built(&module, version));
    };
    if let Some(asked) = releases.iter().find(|release| release.version == version) {
        let (module, version) = versions::first_to_be_had(std::slice::from_ref(asked))?;
        return Ok(Servers::built(&module, version));
    }
    let older = Release::all("older-servers")?;
    let Some(asked) = older.iter().find(|release| release.version == version) else {
        let known: Vec<&str> = releases.iter().chain(&older).map(|release| release.version.as_str()).collect();
        return Err(format!("{KUBERNETES}={version} is none of the pinned versions: {}", known.join(", ")));
    };
    let (module, version) = versions::first_to_be_had(std::slice::from_ref(asked))?;
    let (control_plane, _) = versions::first_to_be_had(&releases)?;
    Ok(Servers { older: Some(module.program()), ..Servers::built(&control_plane, version) })
}

/// The version of a program's API server; an error if it has none.
fn version_of(program: &Path) -> Result<String, String> {
    let no_control_plane = |why: &str| format!("{CONTROL_PLANE}={}: {why}", program.display());
    let output = Command::new(program)
        .args(["kube-apiserver", "--version"])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| no_control_plane(&format!("cannot be run: {error}")))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let version = said.trim().strip_prefix("Kubernetes v").filter(|_| output.status.success());
    version.map(str::to_owned).ok_or_else(|| no_control_plane("is not a control plane of tests/control-plane"))
}

/// The programs of a real node.
pub struct NodePrograms {
    /// The program of `tests/real-node`.
    pub node: PathBuf,
    /// The program of `tests/kubelet`, of the version of Kubernetes under test.
    pub kubelet: PathBuf,
}

/// The programs of a real node, built if need be.
///
/// # Errors
/// When one cannot be built.
pub fn node() -> Result<&'static NodePrograms, String> {
    static BUILT: OnceLock<Result<NodePrograms, String>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let kubelet = Module::kubelet(kubernetes()).build_if_need_be()?.program();
        Ok(NodePrograms { node: Module::node().build_if_need_be()?.program(), kubelet })
    });
    built.as_ref().map_err(Clone::clone)
}

/// The program `krew`: the one that `KREW` names, otherwise that on PATH, otherwise a new build.
pub fn krew() -> PathBuf {
    krew_program("KREW", "krew")
}

/// The program `validate-krew-manifest`, found like [`krew`].
pub fn validate_krew_manifest() -> PathBuf {
    krew_program("VALIDATE_KREW_MANIFEST", "validate-krew-manifest")
}

fn krew_program(variable: &str, name: &str) -> PathBuf {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let found = named(variable).or_else(|| on_path(name));
    found.unwrap_or_else(|| {
        let built = BUILT.get_or_init(|| Module::krew().build_if_need_be().map(|module| module.output()));
        match built {
            Ok(folder) => folder.join(name),
            Err(why) => end(&format!("{why}; or set {variable} to a program that was built before")),
        }
    })
}

/// The value of a variable, unless it is empty.
fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// Writes a line for the person who runs the tests. The print macros do not suffice: the test
/// runner suppresses their output until a test fails.
pub fn tell(line: &str) {
    // It does not matter if nobody reads this.
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Ends the test run: without its programs, each test would report the same.
#[expect(clippy::exit, reason = "no test can run, and one sentence says why")]
fn end(why: &str) -> ! {
    tell(&format!("error: {why}"));
    process::exit(FAILED)
}
