//! The program, with little memory and little time.

use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");

/// The result of a run.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
    /// The most memory that it took, in MiB, where the system tells.
    pub peak: u64,
}

/// Runs the program with a gibibyte of address space, and ends it after `patience`.
pub fn run(server: &str, arguments: &[&str], patience: Duration) -> Run {
    let home = home();
    let start = Instant::now();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "ulimit -v ${UNSTICK_V:-1048576} && exec \"$@\"", "sh", PROGRAM]).args(arguments);
    command.args(["--server", server]).env_clear().env("HOME", &home).env("PATH", "/nowhere").env("LC_ALL", "C.UTF-8");
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the shell runs");
    let (stdout, stderr) = (text(child.stdout.take()), text(child.stderr.take()));
    let (status, peak) = end(&mut child, start + patience);
    let took = start.elapsed();
    std::fs::remove_dir_all(home).ok();
    let code = status.and_then(|status| status.code());
    Run { code, stdout: stdout.join().expect("it is read"), stderr: stderr.join().expect("it is read"), took, peak }
}

/// A home of its own, so that no run uses the cache of another.
fn home() -> PathBuf {
    let name = format!("hostile-{}-{:?}", std::process::id(), thread::current().id());
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&home).expect("a folder");
    home
}

/// The status, `None` when it did not finish by itself; and its peak memory in MiB.
fn end(child: &mut Child, until: Instant) -> (Option<ExitStatus>, u64) {
    let mut peak = 0;
    while Instant::now() < until {
        if let Some(status) = child.try_wait().expect("it is a child") {
            return (Some(status), peak);
        }
        peak = peak.max(memory(child.id()));
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it is a child");
    child.wait().expect("it is a child");
    (None, peak)
}

/// The peak memory of a process in MiB (`man 5 proc_pid_status`); 0 where the system does not tell.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    u64::div_ceil(kib.unwrap_or_default(), 1024)
}

fn text(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.expect("a pipe").read_to_end(&mut bytes).ok();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

impl Run {
    /// What is wrong with it, for any arguments.
    pub fn faults(&self) -> String {
        let mut faults = String::new();
        let said = self.said();
        if self.code.is_none() {
            let _ = write!(faults, "it did not finish by itself ({:?}); ", self.took);
        }
        if said.contains("panicked") {
            faults += "it panicked; ";
        }
        if said.chars().any(|c| c.is_control() && c != '\n') {
            faults += "it prints what drives a terminal; ";
        }
        if said.lines().any(|line| line.len() > 12_000) {
            let _ = write!(faults, "a line of {:?} bytes; ", said.lines().map(str::len).max());
        }
        faults
    }

    /// Both streams.
    pub fn said(&self) -> String {
        format!("{}{}", self.stderr, self.stdout)
    }

    /// All words, separated by single spaces.
    pub fn words(&self) -> String {
        self.said().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The beginning of the output.
    pub fn beginning(&self) -> String {
        self.said().chars().take(3_000).collect()
    }
}
