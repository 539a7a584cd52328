//! krew: a release is checked and installed.

use crate::sandbox::{
    NAMES, PLATFORMS, PROGRAM, Sandbox, VERSION, contains, host, link, platform_of, platforms, read, repository,
    script, stderr, stdout, succeeded,
};
use crate::scenario::Scenario;
use crate::support::go;
use crate::support::server::{Request, listen, raw};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The manifest without the parts that differ in a new build of the same sources.
fn without_checksums(mut manifest: Value) -> Value {
    for platform in manifest["spec"]["platforms"].as_array_mut().expect("a list of platforms") {
        platform["sha256"].take();
    }
    manifest
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
        contains(&stdout(&built), &["left out of them, since it is not in", &format!("-{other}.tar.gz")]);
    }

    install(&sandbox, "unstick");
    let help = sandbox.kubectl(&["unstick", "--help"]);
    succeeded(&help);
    contains(
        &stdout(&help),
        &["Usage: kubectl unstick [TYPE NAME... | TYPE/NAME... | COMMAND]", "kubectl unstick demo"],
    );
    assert!(!stdout(&help).contains("kubectl-unstick"), "{}", stdout(&help));
    let explained = sandbox.kubectl(&["unstick", "explain", "pods-first"]);
    succeeded(&explained);
    contains(&stdout(&explained), &["The namespace waits for its pods"]);
    demo(&sandbox);
    completion(&sandbox);
    second_name(&sandbox);

    // krew requires an index, even an empty one, before it uninstalls anything.
    fs::create_dir_all(sandbox.0.join("krew/index/default/.git")).expect("a folder");
    succeeded(&sandbox.kubectl(&["krew", "uninstall", "unstick"]));
    let gone = sandbox.kubectl(&["unstick", "--help"]);
    assert!(!gone.status.success() && stderr(&gone).contains("unknown command"), "{}", stderr(&gone));
    succeeded(&sandbox.kubectl(&["why-terminating", "--version"]));
    succeeded(&sandbox.kubectl(&["krew", "uninstall", "why-terminating"]));
}

fn install(sandbox: &Sandbox, name: &str) {
    let manifest = format!("--manifest={}", sandbox.manifest_of(name).display());
    let archive = format!("--archive={}", sandbox.archive(&host()).display());
    let installed = sandbox.kubectl(&["krew", "install", &manifest, &archive]);
    succeeded(&installed);
    contains(&stderr(&installed), &[&format!("Installed plugin: {name}\n"), &format!("kubectl {name}\n")]);
}

/// Installed from the second manifest, beside the first, the same program calls itself by that name.
fn second_name(sandbox: &Sandbox) {
    sandbox.check(&sandbox.manifest_of("why-terminating"), &["-skip-install"]);
    install(sandbox, "why-terminating");
    let run = |words: &[&str]| sandbox.kubectl(&[&["why-terminating"][..], words].concat());
    let version = run(&["version", "--client"]);
    assert_eq!(stdout(&version), format!("Client Version: v{VERSION}\n"), "{}", stderr(&version));
    let (help, demo, page) = (run(&["--help"]), run(&["demo"]), run(&["completion", "--help"]));
    contains(&stdout(&help), &["Usage: kubectl why-terminating [TYPE NAME... | TYPE/NAME... | COMMAND]"]);
    assert_eq!(demo.status.code(), Some(1), "{}", stderr(&demo));
    contains(&stdout(&demo), &["$ kubectl why-terminating explain apiservice-unavailable"]);
    contains(&stderr(&demo), &["try: kubectl why-terminating explain pods-first"]);
    contains(&stdout(&page), &["> ~/.local/bin/kubectl_complete-why_terminating", "# for kubectl-why_terminating by"]);
    for output in [&help, &demo, &page] {
        let told = stdout(output) + &stderr(output);
        assert!(!told.contains("kubectl unstick") && !told.contains("kubectl-unstick"), "{told}");
    }

    // krew links one program, so that whoever wants completion puts the script on the PATH.
    let printed = run(&["completion", "kubectl"]);
    script(&sandbox.0.join("bin/kubectl_complete-why_terminating"), &stdout(&printed));
    let offered = sandbox.kubectl(&["__complete", "why-terminating", "journal", "la"]);
    contains(&stdout(&offered), &["last\tthe newest run", ":36"]);
}

/// Uses its own index, with archives on this machine, like a user who installs one release and
/// upgrades to the next.
#[test]
fn krew_upgrades_it_and_uninstalls_it() {
    let sandbox = Sandbox::new("upgrade");
    sandbox.install_kubectl();
    succeeded(&sandbox.build(&sandbox.stand_in(VERSION)));
    let address = serve(fs::read(sandbox.archive(&host())).expect("an archive"));
    let manifest = fs::read_to_string(sandbox.manifest()).expect("a manifest");
    let index = sandbox.0.join("an-index");
    fs::create_dir_all(index.join("plugins")).expect("a folder");
    let git = |arguments: &[&str]| {
        let mut git = sandbox.command("git");
        git.current_dir(&index).args(["-c", "user.name=Ann", "-c", "user.email=ann@acme.example"]).args(arguments);
        succeeded(&git.output().expect("git runs"));
    };
    let publish = |version: &str| {
        let here = |line: &str| match line.split_once("uri: ") {
            Some((indent, _)) => format!("{indent}uri: {address}\n"),
            None => format!("{line}\n"),
        };
        let text: String = manifest.lines().map(here).collect();
        let text = text.replace(&format!("version: v{VERSION}"), &format!("version: {version}"));
        fs::write(index.join("plugins/unstick.yaml"), text).expect("a manifest");
        git(&["add", "."]);
        git(&["commit", "--quiet", "-m", version]);
    };
    git(&["init", "--quiet"]);
    publish("v0.0.1");
    succeeded(&sandbox.kubectl(&["krew", "index", "add", "own", index.to_str().expect("a plain path")]));
    succeeded(&sandbox.kubectl(&["krew", "install", "own/unstick"]));
    let installed =
        || stdout(&sandbox.kubectl(&["krew", "info", "own/unstick"])) + &stdout(&sandbox.kubectl(&["krew", "list"]));
    let store = |version: &str| sandbox.0.join("krew/store/unstick").join(version).exists();
    assert!(store("v0.0.1"), "{}", installed());
    publish("v0.0.2");
    let upgraded = sandbox.kubectl(&["krew", "upgrade", "unstick"]);
    succeeded(&upgraded);
    assert!(store("v0.0.2") && !store("v0.0.1"), "{}{}", stderr(&upgraded), installed());
    let version = sandbox.kubectl(&["unstick", "--version"]);
    assert_eq!(stdout(&version).trim(), format!("kubectl-unstick {VERSION}"));
    succeeded(&sandbox.kubectl(&["krew", "uninstall", "unstick"]));
    assert!(!store("v0.0.2"), "nothing is left");
}

/// Answers every request on this address with `body`, as long as the tests run.
fn serve(body: Vec<u8>) -> String {
    let address = listen(move |mut client| {
        // If a client disconnects, its own test fails.
        if Request::read(&mut client).is_some() {
            raw(&mut client, "HTTP/1.1 200 OK\r\n", &body);
        }
    });
    format!("http://{address}/archive.tar.gz")
}

/// kubectl's own completion runs the script that is packed beside the program.
fn completion(sandbox: &Sandbox) {
    let packed = sandbox.0.join(format!("krew/store/unstick/v{VERSION}/kubectl_complete-unstick"));
    link(&packed, &sandbox.0.join("bin/kubectl_complete-unstick")).expect("a link to the script");
    let offered = sandbox.kubectl(&["__complete", "unstick", "journal", "la"]);
    succeeded(&offered);
    contains(&stdout(&offered), &["last\tthe newest run", ":36"]);
}

/// The first command that a new user tries.
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
    // The checker installs each platform with `kubectl krew install`, from the future address of
    // the archive; here the archive is local.
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
    for name in NAMES {
        sandbox.check(&sandbox.manifest_of(name), &[]);
    }
}

#[test]
fn the_committed_manifests_are_what_the_script_makes() {
    let sandbox = Sandbox::new("committed");
    sandbox.build_for_all();
    for name in NAMES {
        let path = repository().join(format!("krew-manifest/{name}.yaml"));
        sandbox.check(&path, &["-skip-install"]);
        let committed = without_checksums(read(&path));
        let mut made = without_checksums(read(&sandbox.manifest_of(name)));
        let listed: Vec<String> = platforms(&committed).iter().map(platform_of).collect();
        let all = made["spec"]["platforms"].as_array_mut().expect("a list of platforms");
        all.retain(|platform| listed.contains(&platform_of(platform)));
        assert_eq!(committed, made, "run krew-manifest/build.sh");
    }
}

/// The requirements of krew-index's reviewers beyond those of their checker.
#[test]
fn the_descriptions_have_the_shape_that_krew_asks_for() {
    let manifest = read(&repository().join("krew-manifest/unstick.yaml"));
    let short = manifest["spec"]["shortDescription"].as_str().expect("a short description");
    assert!(short.chars().count() <= 50 && !short.ends_with('.'), "{short}");
    let long = manifest["spec"]["description"].as_str().expect("a description");
    assert!(long.lines().all(|line| line.chars().count() <= 80), "{long}");
    assert!(!long.contains("kubectl "), "usage belongs into --help:\n{long}");
}

/// Artifact Hub lists the plugins of an index. It ignores annotations that it does not know, and leaves out a plugin
/// whose lists are no YAML or whose category is none of its own (artifacthub/hub: `docs/krew_annotations.md`,
/// `internal/tracker/source/krew/krew.go`).
#[test]
fn the_annotations_are_those_that_artifact_hub_reads() {
    let known = ["category", "keywords", "license", "links"].map(|name| format!("artifacthub.io/{name}"));
    let manifest = read(&repository().join("krew-manifest/unstick.yaml"));
    let annotations = manifest["metadata"]["annotations"].as_object().expect("annotations");
    assert!(annotations.keys().eq(&known), "{annotations:?}");
    let [category, keywords, license, links] = known.map(|name| annotations[&name].as_str().expect("a text"));
    assert_eq!(license, env!("CARGO_PKG_LICENSE"));
    // None of its categories fits, and it must not guess one.
    assert_eq!(category, "skip-prediction");
    let keywords: Value = serde_saphyr::from_str(keywords).expect("YAML");
    assert!(keywords.as_array().is_some_and(|words| words.iter().all(Value::is_string)), "{keywords}");
    let links: Value = serde_saphyr::from_str(links).expect("YAML");
    for link in links.as_array().expect("a list of links") {
        let is_own = link["url"].as_str().is_some_and(|url| url.starts_with(env!("CARGO_PKG_HOMEPAGE")));
        assert!(is_own && link["name"].is_string(), "{link}");
    }
}
