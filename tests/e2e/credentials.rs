//! The credentials sent to each server, compared with kubectl; and a password in an address, which
//! is never printed or stored.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{PROGRAM, stderr, stdout, unstick};
use crate::support::proxy::Behind;
use crate::support::server::{Request, answer, listen};
use crate::tls;
use rustls::ServerConfig;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

/// A server that reports a version, and records who logged in.
struct Recorder {
    /// `127.0.0.1:PORT`
    address: String,
    heard: Arc<Mutex<BTreeSet<String>>>,
}

impl Recorder {
    fn start(tls: Option<Arc<ServerConfig>>) -> Self {
        let heard = Arc::new(Mutex::new(BTreeSet::new()));
        let hearer = Arc::clone(&heard);
        let address = listen(move |mut client| match &tls {
            Some(config) => {
                let mut stream = tls::stream(config, client);
                hear(&mut stream, &hearer);
                tls::close(stream);
            }
            None => hear(&mut client, &hearer),
        });
        Self { address, heard }
    }

    /// The requests since the last call.
    fn heard(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.heard.lock().expect("nobody has failed"))
    }
}

fn hear(client: &mut (impl Read + Write), heard: &Mutex<BTreeSet<String>>) {
    const VERSION: &str = r#"{"major":"1","minor":"36","gitVersion":"v1.36.1"}"#;
    let Some(request) = Request::read(client) else { return };
    for line in request.head.lines() {
        let (name, value) = line.trim().split_once(':').unwrap_or_default();
        let name = name.to_lowercase();
        if name.contains("authorization") || name.starts_with("impersonate-") || name == "cookie" {
            heard.lock().expect("nobody has failed").insert(format!("{name}:{value}"));
        }
    }
    answer(client, 200, "application/json", VERSION);
}

fn kubeconfig(plane: &ControlPlane, server: &str, user: &str) -> PathBuf {
    let path = plane.dir().join("credentials");
    let authority = format!(", certificate-authority: {}", plane.dir().join("certs/ca.crt").display());
    let authority = if server.starts_with("https") { &authority } else { "" };
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n\
         clusters: [{{name: k, cluster: {{server: \"{server}\"{authority}}}}}]\n\
         contexts: [{{name: c, context: {{cluster: k, user: u}}}}]\nusers: [{{name: u, user: {{{user}}}}}]\n"
    );
    std::fs::write(&path, text).expect("a kubeconfig");
    path
}

/// Whether a program got a version, and the requests that the server received from it.
fn sent(
    plane: &ControlPlane,
    program: &Path,
    kubeconfig: &Path,
    flags: &[&str],
    to: &Recorder,
) -> (bool, BTreeSet<String>, bool) {
    let ran = plane.dir().join("plugin-ran");
    std::fs::remove_file(&ran).ok();
    let mut command = plane.command(program);
    command.arg("version").args(flags).env("KUBECONFIG", kubeconfig).stdin(Stdio::null());
    let output = command.output().expect("it runs");
    (output.status.success(), to.heard(), ran.exists())
}

/// The user entry of a kubeconfig for each way to log in.
fn users(plane: &ControlPlane) -> Vec<(&'static str, String)> {
    let plugin = plane.dir().join("plugin.sh");
    let credential =
        r#"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"PLUGIN"}}"#;
    let script = format!("touch '{}'\necho '{credential}'\n", plane.dir().join("plugin-ran").display());
    std::fs::write(&plugin, script).expect("a plugin");
    let file = plane.dir().join("token");
    std::fs::write(&file, "FILE").expect("a token");
    let exec = format!(
        "exec: {{apiVersion: client.authentication.k8s.io/v1, command: sh, args: [\"{}\"], interactiveMode: Never}}",
        plugin.display()
    );
    vec![
        ("a token", "token: TOKEN".into()),
        ("a token in a file", format!("tokenFile: {}", file.display())),
        ("a password", "username: ann, password: pw".into()),
        ("a plugin", exec),
        ("a certificate", "client-certificate: certs/admin.crt, client-key: certs/admin.key".into()),
        ("somebody else", "token: TOKEN, as: bob, as-groups: [g], as-uid: '7', as-user-extra: {a: [b]}".into()),
    ]
}

#[test]
fn the_same_credentials_are_sent_as_by_kubectl() {
    let plane = ControlPlane::start();
    let kubectl = plane.kubectl_bin_dir().join("kubectl");
    let (plain, safe) = (Recorder::start(None), Recorder::start(Some(tls::config(&plane))));
    let mut differ = Vec::new();
    let mut compare = |what: &str, server: &str, user: &str, flags: &[&str], to: &Recorder| {
        let file = kubeconfig(&plane, server, user);
        let theirs = sent(&plane, &kubectl, &file, flags, to);
        let ours = sent(&plane, Path::new(PROGRAM), &file, flags, to);
        if theirs != ours {
            differ.push(format!("{what} {flags:?} to {server}: kubectl {theirs:?}, here {ours:?}"));
        }
    };
    for (what, user) in users(&plane) {
        for (scheme, to) in [("http", &plain), ("https", &safe)] {
            compare(what, &format!("{scheme}://{}", to.address), &user, &[], to);
        }
        compare(what, &format!("http://joe:s%40cret@{}", plain.address), &user, &[], &plain);
        compare(what, &format!("https://joe:s%40cret@{}", safe.address), &user, &[], &safe);
    }
    let (http, https) = (format!("http://{}", plain.address), format!("https://{}", safe.address));
    let [token, _, password, plugin, certificate, _] = users(&plane).try_into().expect("six");
    for (user, flags) in [
        (&certificate.1, &["--username", "ann", "--password", "pw"][..]),
        (&certificate.1, &["--username=ann"]),
        (&certificate.1, &["--password=pw"]),
        (&certificate.1, &["--token=FLAG"]),
        (&plugin.1, &["--username=joe", "--password=pw"]),
        (&plugin.1, &["--password=pw"]),
        (&password.1, &["--password=other"]),
        (&password.1, &["--token=FLAG"]),
        (&token.1, &["--username=ann", "--password=pw"]),
        (&token.1, &["--as=bob", "--as-group=g"]),
    ] {
        compare("flags", &https, user, flags, &safe);
    }
    compare("flags", &http, &certificate.1, &["--username=ann", "--password=pw"], &plain);
    compare("flags", &http, &token.1, &["--token=FLAG", "--as=bob"], &plain);
    compare("flags", &http, &token.1, &["--username=ann"], &plain);
    assert_eq!(differ, Vec::<String>::new());
}

/// Checks all of kubectl's global flags about the server and the user.
#[test]
fn every_connection_flag_of_kubectl_is_accepted() {
    const OTHERS: [&str; 8] = [
        "kuberc", "log-flush-frequency", "match-server-version", "profile", "profile-output", "version", "vmodule",
        "warnings-as-errors",
    ];
    let plane = ControlPlane::start();
    let options = plane.kubectl_ok(&["options"]);
    let lines = options.lines().filter(|line| line.starts_with("    ") && line.ends_with(':'));
    let flags: Vec<(&str, &str)> =
        lines.filter_map(|line| line.split_once("--")?.1.trim_end_matches(':').split_once('=')).collect();
    let flags: Vec<_> = flags.into_iter().filter(|(name, _)| !OTHERS.contains(name)).collect();
    assert!(flags.len() > 20 && flags.iter().any(|(name, _)| *name == "password"), "{flags:?}");
    for (name, usual) in flags {
        let value = match usual {
            "false" => "false",
            "0" | "'0'" => "1",
            _ => "a=b",
        };
        let output = unstick(&plane).args(["version", "--client", &format!("--{name}={value}")]).output();
        let output = output.expect("the program runs");
        assert!(output.status.success(), "--{name}={value}: {}", stderr(&output));
    }
}

/// Neither in plain text nor in the form in which it is transmitted.
const SECRET: [&str; 4] = ["joe", "s3cret", "am9lOnMzY3JldA", "s3c"];

#[track_caller]
fn says_nothing_secret(what: &str, text: &str) {
    for secret in SECRET {
        assert!(!text.contains(secret), "{what} says {secret}: {text}");
    }
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        into.push(entry.path());
        if entry.path().is_dir() {
            files(&entry.path(), into);
        }
    }
}

#[test]
fn a_password_in_an_address_is_in_no_file_name_log_error_or_answer() {
    let plane = ControlPlane::start();
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "configmap", "held", "--wait=false"]);
    // Before that, the deletion is within its usual time.
    thread::sleep(std::time::Duration::from_secs(6));
    let behind = Behind::start(&plane);
    let address = format!("http://joe:s3cret@{}", behind.address);
    let dead = "http://joe:s3cret@127.0.0.1:1";
    let run = |code: i32, arguments: &[&str]| {
        let mut command = unstick(&plane);
        let output = command.args(arguments).output().expect("the program runs");
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        says_nothing_secret(&arguments.join(" "), &said);
        said
    };
    let logged = run(1, &["configmap", "held", "-v=8", "--server", &address]);
    assert!(logged.contains(&format!("GET http://{}/api", behind.address)), "{logged}");
    run(0, &["configmap", "held", "--approve", "leaks", "--timeout", "20s", &format!("--server={address}")]);
    run(0, &["journal", "-s", &address]);
    run(2, &["configmap", "held", "--server", dead, "-v=6"]);
    run(2, &["version", "--server", dead]);
    run(2, &["scan", "--server", dead]);
    for none in
        ["http://joe:s3cret@127.0.0.1:x1", "http://joe:s3c/ret@127.0.0.1", "joe:s3cret@", "http://joe:s3cret@[::"]
    {
        run(2, &["configmap", "held", "--server", none]);
        let file = kubeconfig(&plane, none, "token: t");
        run(2, &["configmap", "held", "--kubeconfig", file.to_str().expect("a path")]);
    }
    says_nothing_secret("mcp", &answers(&plane, &address));
    says_nothing_secret("mcp", &answers(&plane, dead));
    let mut written = Vec::new();
    for folder in ["state", ".kube/cache/unstick"] {
        files(&plane.dir().join(folder), &mut written);
    }
    let text = |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    for path in &written {
        says_nothing_secret("a name", &path.strip_prefix(plane.dir()).expect("below it").display().to_string());
        says_nothing_secret(&path.display().to_string(), &text(path));
    }
    let journals: String =
        written.iter().filter(|path| path.extension().is_some_and(|end| end == "jsonl")).map(text).collect();
    assert!(journals.contains(&format!("\"server\":\"http://{}/\"", behind.address)), "{journals}");
    let kept = plane.dir().join(".kube/cache/unstick");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&kept).expect("a cache").permissions());
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

/// Everything that an agent sees at this address.
fn answers(plane: &ControlPlane, address: &str) -> String {
    let mut command: Command = unstick(plane);
    command.args(["mcp", "--server", address, "-v=6"]);
    let mut server =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let call = |id: u32, tool: &str, arguments: &Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
    let greeting =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        call(2, "scan", &json!({})),
        call(3, "diagnose", &json!({"type": "configmap", "name": "held", "namespace": "default"})),
    ];
    let mut stdin = server.stdin.take().expect("a pipe");
    for line in lines {
        writeln!(stdin, "{line}").expect("the server reads");
    }
    let mut reader = BufReader::new(server.stdout.take().expect("a pipe"));
    let mut said = String::new();
    while said.lines().count() < 3 && reader.read_line(&mut said).is_ok_and(|read| read > 0) {}
    drop(stdin);
    reader.read_to_string(&mut said).ok();
    let output = server.wait_with_output().expect("it ends");
    assert_eq!(said.lines().count(), 3, "{said}");
    format!("{said}{}", stderr(&output))
}
