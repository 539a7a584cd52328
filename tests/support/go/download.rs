//! Downloads a module's dependencies before anything is compiled, so that a proxy that lacks them,
//! or does not answer, is reported within seconds.

use super::build::{self, NotBuilt, PROGRESS_EVERY, elapsed};
use super::tell;
use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a proxy may be silent. One module of Kubernetes has 50 MB, and there may be no other
/// output meanwhile.
const SILENCE: Duration = Duration::from_mins(3);

/// The answer of a proxy that does not have a module.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    host: String,
    module: String,
    status: String,
}

impl Refusal {
    /// The answer of a host that does not have a module.
    pub fn of(host: &str, module: &str, status: &str) -> Self {
        Self { host: host.into(), module: module.into(), status: status.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} refuses {} ({})", self.host, self.module, self.status)
    }
}

/// The meaning of a line of `go mod download -x`.
#[derive(Debug, PartialEq, Eq)]
enum News {
    Refused(Refusal),
    /// There was no answer, from this host and for this reason.
    Unreachable(String, String),
    Other,
}

/// Runs `go mod download` and ends it as soon as it cannot succeed.
pub fn modules(download: &mut Command, what: &str) -> Result<(), NotBuilt> {
    modules_from(&proxies(), download, what, SILENCE)
}

fn modules_from(proxies: &str, download: &mut Command, what: &str, silence: Duration) -> Result<(), NotBuilt> {
    // With several proxies, go tries one after the other, so all of them matter.
    let only = !proxies.contains([',', '|']);
    if !proxies.is_empty() {
        download.env("GOPROXY", proxies);
    }
    let started = Instant::now();
    let mut go = download
        .arg("-x")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("go cannot be run: {error}"))?;
    let lines = lines_of(&mut go);
    let heard = hear(&lines, only, silence, || {
        tell(&format!("still downloading the modules of {what} ({}) …", elapsed(started)));
    });
    if heard.stop {
        // Otherwise go would continue with all other modules.
        let _ = go.kill();
    }
    let status = go.wait().map_err(|error| format!("go mod download: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(heard.why_not())
}

/// The proxies of this machine, without `direct`: a version that a proxy lacks would be fetched
/// from its repository, which takes minutes.
fn proxies() -> String {
    let output = build::go().args(["env", "GOPROXY"]).output();
    let list = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    list.trim_end_matches(",direct").trim_end_matches("|direct").to_owned()
}

/// The output of a download until it ended or was given up.
#[derive(Debug, Default)]
struct Heard {
    refused: Option<Refusal>,
    unreachable: Option<(String, String)>,
    silent: bool,
    last: String,
    /// Whether to stop it.
    stop: bool,
}

fn hear(lines: &Receiver<String>, only: bool, silence: Duration, mut still: impl FnMut()) -> Heard {
    let mut heard = Heard::default();
    let mut last_news = Instant::now();
    let mut told = Instant::now();
    loop {
        match lines.recv_timeout(PROGRESS_EVERY.min(silence)) {
            Ok(line) => {
                last_news = Instant::now();
                match news(&line) {
                    News::Refused(refusal) => heard.refused = Some(refusal),
                    News::Unreachable(host, why) => heard.unreachable = Some((host, why)),
                    News::Other => heard.last = line,
                }
                heard.stop = only && (heard.refused.is_some() || heard.unreachable.is_some());
            }
            Err(RecvTimeoutError::Timeout) => {
                heard.silent = last_news.elapsed() >= silence;
                heard.stop = heard.silent;
            }
            Err(RecvTimeoutError::Disconnected) => return heard,
        }
        if heard.stop {
            return heard;
        }
        if told.elapsed() >= PROGRESS_EVERY {
            told = Instant::now();
            still();
        }
    }
}

impl Heard {
    fn why_not(self) -> NotBuilt {
        let way_out = "see whether this machine may reach it, set GOPROXY to another proxy, or CONTROL_PLANE to a program that was built before";
        if let Some(refusal) = self.refused {
            return NotBuilt::Refused(refusal);
        }
        NotBuilt::Failed(match self.unreachable {
            Some((host, why)) => format!("the module proxy {host} cannot be reached ({why}): {way_out}"),
            None if self.silent => format!("the module proxy has sent nothing for minutes: {way_out}"),
            None if self.last.contains("no space left on device") => {
                "the disk is full: the modules need about 2 GB below `go env GOMODCACHE`; make room and run the tests again".into()
            }
            None => format!("the modules cannot be downloaded: {}", self.last),
        })
    }
}

/// Parses `# get URL: 403 Forbidden (0.1s)` and the like. The checksum database has its own ways
/// around a proxy.
fn news(line: &str) -> News {
    let answer = line.strip_prefix("# get ").and_then(|rest| rest.split_once(": "));
    let Some((url, answer)) = answer.filter(|(url, _)| !url.contains("/sumdb/")) else {
        return News::Other;
    };
    let host = url.split('/').nth(2).unwrap_or(url).to_owned();
    if answer.starts_with("200 ") {
        return News::Other;
    }
    if answer.starts_with(|c: char| c.is_ascii_digit()) {
        let status = answer.rsplit_once(" (").map_or(answer, |(status, _)| status);
        return News::Refused(Refusal::of(&host, &module_in(url), status));
    }
    // The request is repeated before the reason.
    let why = answer.rsplit_once("\": ").map_or(answer, |(_, why)| why);
    News::Unreachable(host, why.to_owned())
}

/// `k8s.io/kubernetes v1.36.1` in a proxy's URL.
fn module_in(url: &str) -> String {
    let path = url.splitn(4, '/').nth(3).unwrap_or(url);
    let Some((module, file)) = path.split_once("/@v/") else { return path.to_owned() };
    let version = file.rsplit_once('.').map_or(file, |(version, _)| version);
    format!("{module} {version}")
}

fn lines_of(go: &mut Child) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let output = go.stderr.take().expect("stderr is a pipe");
    thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(io::Result::ok);
        for line in lines {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::net::{TcpListener, TcpStream};
    use std::path::Path;

    /// A proxy on loopback; its thread ends with the tests.
    fn proxy(serve: impl Fn(TcpStream) + Send + 'static) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || listener.incoming().map_while(io::Result::ok).for_each(&serve));
        format!("http://{address}")
    }

    /// Downloads a module that only this proxy could have.
    fn download(name: &str, proxy: &str, silence: Duration) -> Result<(), NotBuilt> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("go.mod"), "module m\n\ngo 1.26.0\n\nrequire example.test/wanted v1.2.3\n")
            .expect("a module");
        let mut go = build::go();
        go.args(["mod", "download"]).current_dir(&folder);
        go.env("GOMODCACHE", folder.join("cache")).env("GOFLAGS", "-mod=mod").env("GONOSUMDB", "*");
        let result = modules_from(proxy, &mut go, "a test", silence);
        fs::remove_dir_all(&folder).expect("the folder goes");
        result
    }

    #[test]
    fn modules_that_a_proxy_refuses_are_named() {
        let proxy = proxy(|mut client| {
            // An unread request would cut the connection, perhaps before the answer.
            let mut head = BufReader::new(&client).lines().map_while(io::Result::ok);
            head.find(String::is_empty);
            let answer = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            io::Write::write_all(&mut client, answer).ok();
        });
        let Err(NotBuilt::Refused(refusal)) = download("refused", &proxy, SILENCE) else {
            panic!("it was not refused")
        };
        let host = proxy.trim_start_matches("http://");
        assert_eq!(refusal.to_string(), format!("{host} refuses example.test/wanted v1.2.3 (403 Forbidden)"));
    }

    #[test]
    fn a_proxy_that_is_not_there_is_named() {
        // Nothing listens at this address any more.
        let address = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
        let Err(NotBuilt::Failed(why)) = download("unreachable", &format!("http://{address}"), SILENCE) else {
            panic!("it was built")
        };
        assert!(why.starts_with(&format!("the module proxy {address} cannot be reached (")), "{why}");
        assert!(why.contains("connection refused): see whether"), "{why}");
    }

    #[test]
    fn a_proxy_that_never_answers_is_given_up() {
        let (keep, kept) = mpsc::channel();
        let proxy = proxy(move |client| keep.send(client).expect("kept open"));
        let Err(NotBuilt::Failed(why)) = download("silent", &proxy, Duration::from_millis(500)) else {
            panic!("it was built")
        };
        assert!(why.starts_with("the module proxy has sent nothing for minutes: "), "{why}");
        drop(kept);
    }

    #[test]
    fn other_output_is_ignored() {
        for line in [
            "# get https://proxy.test/k8s.io/api/@v/v0.36.1.zip",
            "# get https://proxy.test/k8s.io/api/@v/v0.36.1.zip: 200 OK (0.2s)",
            "# get https://proxy.test/sumdb/sum.test/supported: 404 Not Found (0.2s)",
            "go: downloading k8s.io/api v0.36.1",
        ] {
            assert_eq!(news(line), News::Other, "{line}");
        }
    }
}
