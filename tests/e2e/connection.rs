//! The ways of users to connect to a cluster: flags alone, exec plugins, proxies, and servers with
//! the older discovery.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::proxy::Front;
use crate::support::server::{listen, silent};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A namespace that is held by one `ConfigMap`.
pub fn held_namespace() -> ControlPlane {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "namespace", "shop", "--wait=false"]);
    thread::sleep(Duration::from_secs(14));
    plane
}

/// Runs a diagnosis and returns its findings, which must be those of the held `ConfigMap`.
#[track_caller]
fn finds_it(command: &mut Command) {
    let output = command.args(["ns", "shop", "-o", "json"]).output().expect("the program runs");
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1), "{report:#}");
    assert_eq!(report["findings"][0]["finalizer"], "acme.io/hold");
    assert_eq!(output.status.code(), Some(1));
}

pub fn server(plane: &ControlPlane) -> String {
    plane.kubectl_ok(&["config", "view", "-o", "jsonpath={.clusters[0].cluster.server}"])
}

fn token(plane: &ControlPlane) -> String {
    plane.kubectl_ok(&["create", "serviceaccount", "reader"]);
    plane.kubectl_ok(&[
        "create",
        "clusterrolebinding",
        "reader",
        "--clusterrole=cluster-admin",
        "--serviceaccount=default:reader",
    ]);
    plane.kubectl_ok(&["create", "token", "reader"]).trim().to_owned()
}

/// A kubeconfig like that of the control plane, with an additional line in its cluster.
fn with_in_cluster(plane: &ControlPlane, name: &str, line: &str) -> String {
    let path = plane.dir().join(name);
    std::fs::copy(plane.kubeconfig(), &path).expect("a copy");
    let cluster = plane.kubectl_ok(&["config", "view", "-o", "jsonpath={.clusters[0].name}"]);
    let path = path.to_string_lossy().into_owned();
    plane.kubectl_ok(&["config", "set", &format!("clusters.{cluster}.proxy-url"), line, "--kubeconfig", &path]);
    path
}

#[test]
fn every_kind_of_connection_leads_to_the_same_finding() {
    let plane = held_namespace();
    let token = token(&plane);
    let authority = plane.dir().join("certs/ca.crt");
    let mut flags = unstick(&plane);
    flags
        .env_remove("KUBECONFIG")
        .args(["--server", &server(&plane), "--token", &token])
        .arg("--certificate-authority")
        .arg(&authority);
    finds_it(&mut flags);

    finds_it(unstick(&plane).arg("--kubeconfig").arg(exec_plugin(&plane, &token)));

    let (proxy, passed) = proxy(connect_tunnel);
    finds_it(
        unstick(&plane).args(["--kubeconfig", &with_in_cluster(&plane, "http-proxy", &format!("http://{proxy}"))]),
    );
    assert!(passed.load(Ordering::SeqCst) > 0, "the HTTP proxy was passed by");

    let (proxy, passed) = self::proxy(socks_tunnel);
    finds_it(unstick(&plane).args(["--kubeconfig", &with_in_cluster(&plane, "socks", &format!("socks5://{proxy}"))]));
    assert!(passed.load(Ordering::SeqCst) > 0, "the SOCKS5 proxy was passed by");

    let (proxy, passed) = self::proxy(connect_tunnel);
    let flag = format!("--proxy-url=http://{proxy}");
    finds_it(unstick(&plane).args(["--kubeconfig", &with_in_cluster(&plane, "dead", "http://127.0.0.1:1"), &flag]));
    assert!(passed.load(Ordering::SeqCst) > 0, "the proxy of the flag was passed by");

    legacy_discovery_finds_the_same(&plane);
    discovery_is_requested_once(&plane);
    requests_are_logged_without_credentials(&plane, &token);
    versions_are_those_of_both_ends(&plane);
    answers_are_compressed_on_a_slow_link(&plane);
    invalid_proxy_urls_are_refused_without_their_password(&plane);
}

fn invalid_proxy_urls_are_refused_without_their_password(plane: &ControlPlane) {
    for url in ["a=b", "ftp://joe:s3cret@127.0.0.1", "http://joe:s3cret@[::"] {
        let output = unstick(plane).args(["ns", "held", "--proxy-url", url]).output().expect("the program runs");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("the value of --proxy-url") && !said.contains("s3cret"), "{said}");
    }
}

/// A kubeconfig whose user gets the token from a program.
fn exec_plugin(plane: &ControlPlane, token: &str) -> String {
    let plugin = plane.dir().join("login.sh");
    let credential = format!(
        "{{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{{\"token\":\"{token}\"}}}}"
    );
    std::fs::write(&plugin, format!("echo '{credential}'\n")).expect("a plugin");
    let path = plane.dir().join("exec-kubeconfig").to_string_lossy().into_owned();
    let config = |arguments: &[&str]| {
        let mut all = vec!["config", "--kubeconfig", &path];
        all.extend(arguments);
        plane.kubectl_ok(&all);
    };
    let authority = plane.dir().join("certs/ca.crt").to_string_lossy().into_owned();
    config(&["set-cluster", "k", "--server", &server(plane), "--certificate-authority", &authority]);
    config(&[
        "set-credentials",
        "u",
        "--exec-api-version=client.authentication.k8s.io/v1",
        "--exec-command=sh",
        "--exec-arg",
        &plugin.to_string_lossy(),
    ]);
    config(&["set-context", "c", "--cluster=k", "--user=u"]);
    config(&["use-context", "c"]);
    path
}

/// Reads a client's destination, reports it as connected, and returns the address.
type Handshake = fn(&mut TcpStream) -> String;

/// A proxy on loopback; it counts what passes through it.
fn proxy(handshake: Handshake) -> (String, Arc<AtomicUsize>) {
    let passed = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&passed);
    let address = listen(move |mut client| {
        let server = TcpStream::connect(handshake(&mut client)).expect("the server");
        counter.fetch_add(1, Ordering::SeqCst);
        pipe(&client, &server, |bytes| bytes);
    });
    (address, passed)
}

fn connect_tunnel(client: &mut TcpStream) -> String {
    let mut lines = BufReader::new(client.try_clone().expect("a clone")).lines();
    let first = lines.next().expect("a request").expect("text");
    for line in lines.by_ref() {
        if line.expect("text").is_empty() {
            break;
        }
    }
    client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").expect("an answer");
    first.split(' ').nth(1).expect("an address").to_owned()
}

fn socks_tunnel(client: &mut TcpStream) -> String {
    let mut read = |count: usize| {
        let mut bytes = vec![0; count];
        client.read_exact(&mut bytes).expect("a SOCKS5 client");
        bytes
    };
    let methods = read(2)[1];
    read(usize::from(methods));
    client.write_all(&[5, 0]).expect("an answer");
    let mut read = |count: usize| {
        let mut bytes = vec![0; count];
        client.read_exact(&mut bytes).expect("a SOCKS5 client");
        bytes
    };
    let host = match read(4)[3] {
        1 => read(4).iter().map(u8::to_string).collect::<Vec<_>>().join("."),
        3 => {
            let length = read(1)[0];
            String::from_utf8(read(usize::from(length))).expect("a name")
        }
        other => panic!("address type {other}"),
    };
    let port = read(2);
    client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).expect("an answer");
    format!("{host}:{}", u16::from_be_bytes([port[0], port[1]]))
}

/// Carries bytes both ways, those of the client through `rewrite`.
fn pipe(client: &TcpStream, server: &TcpStream, rewrite: fn(Vec<u8>) -> Vec<u8>) {
    let (mut from_server, mut to_client) = (server.try_clone().expect("a clone"), client.try_clone().expect("a clone"));
    let back = thread::spawn(move || {
        std::io::copy(&mut from_server, &mut to_client).ok();
        to_client.shutdown(Shutdown::Both).ok();
    });
    let (mut from_client, mut to_server) = (client.try_clone().expect("a clone"), server.try_clone().expect("a clone"));
    let mut bytes = vec![0; 65536];
    while let Ok(read) = from_client.read(&mut bytes) {
        if read == 0 || to_server.write_all(&rewrite(bytes[..read].to_vec())).is_err() {
            break;
        }
    }
    to_server.shutdown(Shutdown::Both).ok();
    back.join().ok();
}

/// The second run sends the versions that the first one has cached.
fn discovery_is_requested_once(plane: &ControlPlane) {
    let folder = plane.dir().join("kept");
    let log = || {
        let mut command = unstick(plane);
        command.args(["ns", "shop", "-o", "json", "-v", "6", "--cache-dir"]).arg(&folder);
        let output = command.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stderr(&output)
    };
    let unchanged =
        |log: &str| ["/api 304 Not Modified in ", "/apis 304 Not Modified in "].map(|line| log.contains(line));
    assert_eq!(unchanged(&log()), [false, false]);
    assert_eq!(unchanged(&log()), [true, true]);
    let kept = folder.join("unstick/servers");
    let kept = std::fs::read_dir(&kept).expect("a folder").next().expect("the server's").expect("its name").path();
    std::fs::write(kept.join("apis"), "what nobody has written").expect("it is spoilt");
    assert_eq!(unchanged(&log()), [true, false], "what is spoilt is asked for anew");
}

fn requests_are_logged_without_credentials(plane: &ControlPlane, token: &str) {
    let address = server(plane);
    let log = |level: &str| {
        let mut command = unstick(plane);
        command.args(["ns", "shop", "-o", "json", "--token", token, level, "--request-timeout=20s"]);
        let output = command.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let said = stderr(&output);
        assert!(!said.contains(token), "the token is in the log");
        assert!(said.contains(&format!("GET {address}/api/v1/namespaces/shop 200 OK in ")), "{said}");
        ["Request Headers:", "Response Headers:", "Request Body:", "Response Body:"].map(|part| said.contains(part))
    };
    assert_eq!(log("-v=6"), [false; 4]);
    assert_eq!(log("-v=7"), [true, false, false, false]);
    // The trial removal of the finalizer has a body.
    assert_eq!(log("-v=8"), [true, true, true, true]);
    let (_listener, address) = silent();
    let arguments = ["ns", "shop", "--server", &format!("http://{address}"), "--request-timeout=1s", "-v=6"];
    let output = unstick(plane).args(arguments).output().expect("the program runs");
    assert!(stderr(&output).contains("gave up without an answer in 1"), "{}", stderr(&output));
}

/// Prints versions like kubectl.
fn versions_are_those_of_both_ends(plane: &ControlPlane) {
    let run = |arguments: &[&str]| unstick(plane).arg("version").args(arguments).output().expect("the program runs");
    let theirs: Value = serde_json::from_str(&plane.kubectl_ok(&["version", "-o", "json"])).expect("JSON");
    let client = concat!("Client Version: v", env!("CARGO_PKG_VERSION"), "\n");
    let server = theirs["serverVersion"]["gitVersion"].as_str().expect("a version");
    assert_eq!(stdout(&run(&[])), format!("{client}Server Version: {server}\n"));
    assert_eq!(stdout(&run(&["--client"])), client);
    let ours: Value = serde_json::from_str(&stdout(&run(&["-o", "json"]))).expect("JSON");
    assert_eq!(ours["serverVersion"], theirs["serverVersion"]);
    let unreachable = run(&["--server", "https://127.0.0.1:1"]);
    assert_eq!((unreachable.status.code(), stdout(&unreachable).as_str()), (Some(2), client));
    assert!(stderr(&unreachable).contains("does not report its version"), "{}", stderr(&unreachable));
}

/// The API server compresses answers of more than 128 KiB on request.
fn answers_are_compressed_on_a_slow_link(plane: &ControlPlane) {
    plane.kubectl_ok(&["create", "namespace", "full"]);
    let settings = (0..400).map(|number| {
        format!("---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: settings-{number}, namespace: full}}}}\n")
    });
    plane.apply(&settings.collect::<String>());
    plane.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: z, namespace: full, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "configmap", "-n", "full", "z", "--wait=false"]);
    let compressed = |delay: Duration, more: &[&str]| {
        let seen = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&seen);
        let front = Front::start(plane, move |client, server| count_compressed(client, server, delay, &counter));
        let mut command = unstick(plane);
        command.args(["configmaps", "-n", "full", "-o", "json", "--server", &front.address]).args(more);
        let output = command.output().expect("the program runs");
        let report: Value = serde_json::from_str(&stdout(&output)).expect("a report");
        assert_eq!(report["targets"].as_array().map(Vec::len), Some(1), "{}", stderr(&output));
        seen.load(Ordering::SeqCst)
    };
    assert!(compressed(Duration::from_millis(60), &[]) > 0, "nothing was compressed");
    assert_eq!(compressed(Duration::from_millis(60), &["--disable-compression"]), 0);
}

/// Passes requests on after a delay, and counts compressed answers.
fn count_compressed(client: &TcpStream, server: &TcpStream, delay: Duration, compressed: &AtomicUsize) {
    thread::scope(|scope| {
        scope.spawn(|| {
            let (mut client, mut server) = (client, server);
            let mut bytes = vec![0; 65536];
            while let Ok(read @ 1..) = server.read(&mut bytes) {
                let head = String::from_utf8_lossy(&bytes[..read]).to_ascii_lowercase();
                compressed.fetch_add(usize::from(head.contains("content-encoding: gzip")), Ordering::SeqCst);
                if client.write_all(&bytes[..read]).is_err() {
                    break;
                }
            }
            client.shutdown(Shutdown::Both).ok();
        });
        pipe_one_way(client, server, delay);
    });
}

fn pipe_one_way(mut client: &TcpStream, mut server: &TcpStream, delay: Duration) {
    let mut bytes = vec![0; 65536];
    while let Ok(read @ 1..) = client.read(&mut bytes) {
        thread::sleep(delay);
        if server.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    server.shutdown(Shutdown::Both).ok();
}

/// A server without aggregated discovery: `kubectl proxy` behind a proxy that does not pass on
/// requests for it.
fn legacy_discovery_finds_the_same(plane: &ControlPlane) {
    let front = Front::start(plane, |client, server| {
        pipe(client, server, |bytes| {
            String::from_utf8_lossy(&bytes).replace("g=apidiscovery.k8s.io", "g=nothing").into_bytes()
        });
    });
    finds_it(unstick(plane).args(["--server", &front.address]));
    let requests = plane.audit_requests();
    let legacy = requests
        .iter()
        .filter(|event| event.user_agent.starts_with("kubectl-unstick/") && event.uri == "/apis/apps/v1");
    assert!(legacy.count() > 0, "the older discovery was not asked");
}
