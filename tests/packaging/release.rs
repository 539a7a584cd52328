//! The files that are published in addition to the archives, and the workflows that publish them.

use crate::sandbox::{
    NAMES, PLATFORMS, Sandbox, VERSION, contains, host, platform_of, platforms, read, repository, stderr, stdout,
    succeeded,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Output;
use std::{env, fs};

/// Runs a script of `release`, which calls cargo, with the developer's home.
fn release(sandbox: &Sandbox, script: &str, arguments: &[&str]) -> Output {
    let mut command = sandbox.command(repository().join("release").join(script));
    for name in ["HOME", "CARGO_HOME", "RUSTUP_HOME"] {
        command.envs(env::var_os(name).map(|value| (name, value)));
    }
    command.args(arguments).output().expect("a script of release runs")
}

fn gather(sandbox: &Sandbox) -> Output {
    release(sandbox, "gather.sh", &[sandbox.release().to_str().expect("a path of plain characters")])
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sha256(path: &Path) -> String {
    let bytes = fs::read(path).expect("a file of the release");
    let digest = ring::digest::digest(&ring::digest::SHA256, &bytes);
    digest.as_ref().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Every file of a folder in the repository, with its text and content.
fn yaml_of(folder: &str) -> Vec<(String, String, Value)> {
    let files = fs::read_dir(repository().join(folder)).expect("a folder");
    let read =
        |path: &Path| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text(path), read(path));
    files.map(|file| read(&file.expect("a file").path())).collect()
}

fn jobs(workflow: &Value) -> impl Iterator<Item = (&String, &Value)> {
    workflow["jobs"].as_object().expect("jobs").iter()
}

fn steps(job: &Value) -> &[Value] {
    job["steps"].as_array().expect("steps")
}

/// The scripts of this repository that a job runs.
fn scripts(job: &Value) -> impl Iterator<Item = &str> {
    let run = steps(job).iter().filter_map(|step| step["run"].as_str());
    let words = run.flat_map(str::split_whitespace);
    words.filter(|word| ["release/", "krew-manifest/", ".ci/"].iter().any(|folder| word.starts_with(folder)))
}

#[test]
fn every_published_file_is_gathered_and_has_a_checksum() {
    let sandbox = Sandbox::new("gather");
    sandbox.build_for_all();
    succeeded(&gather(&sandbox));
    let listed = text(&sandbox.release().join("SHA256SUMS"));
    let mut names = BTreeSet::new();
    for line in listed.lines() {
        let (sum, name) = line.split_once("  ").expect("a checksum and a name");
        assert_eq!(sum, sha256(&sandbox.release().join(name)), "{name}");
        names.insert(name.to_owned());
    }
    let archives = PLATFORMS.map(|platform| format!("kubectl-unstick-v{VERSION}-{platform}.tar.gz"));
    let others = ["kubectl-unstick.rb", "kubectl-unstick.cdx.json"].map(str::to_owned);
    let manifests = NAMES.map(|name| format!("{name}.yaml"));
    assert_eq!(names, archives.into_iter().chain(others).chain(manifests).collect());
    assert!(text(&sandbox.release().join("NOTES.md")).contains("- `kubectl unstick"), "there are no notes");
    // A second run over existing files has the same result.
    succeeded(&gather(&sandbox));
    assert_eq!(listed, text(&sandbox.release().join("SHA256SUMS")));
}

#[test]
fn a_release_that_lacks_a_platform_is_refused() {
    let sandbox = Sandbox::new("incomplete");
    sandbox.build_for_all();
    fs::remove_file(sandbox.archive("windows-arm64")).expect("an archive");
    let refused = gather(&sandbox);
    assert_eq!(refused.status.code(), Some(1));
    contains(&stderr(&refused), &["windows-arm64.tar.gz is not in"]);
    assert!(!sandbox.release().join("SHA256SUMS").exists());
}

#[test]
fn the_homebrew_formula_has_the_addresses_and_checksums_of_the_manifest() {
    let sandbox = Sandbox::new("formula");
    let manifest = sandbox.build_for_all();
    succeeded(&gather(&sandbox));
    let formula = text(&sandbox.release().join("kubectl-unstick.rb"));
    contains(
        &formula,
        &["class KubectlUnstick < Formula", "bin.install \"kubectl-unstick\", \"kubectl_complete-unstick\""],
    );
    contains(&formula, &[&format!("version \"{VERSION}\""), "license \"Apache-2.0\""]);
    assert!(!formula.contains('@'), "{formula}");
    for entry in platforms(&manifest).iter().filter(|entry| !platform_of(entry).starts_with("windows")) {
        let (uri, sum) = (entry["uri"].as_str().expect("a uri"), entry["sha256"].as_str().expect("a checksum"));
        contains(&formula, &[&format!("url \"{uri}\"\n      sha256 \"{sum}\"\n")]);
    }
    let description = formula.lines().find_map(|line| line.trim().strip_prefix("desc ")).expect("a description");
    // `brew audit` requires this.
    assert!(description.len() <= 82 && !description.ends_with(".\""), "{description}");
}

#[test]
fn the_bill_of_materials_lists_what_is_compiled_in_and_nothing_else() {
    let sandbox = Sandbox::new("sbom");
    let printed = release(&sandbox, "sbom.sh", &[]);
    succeeded(&printed);
    let bill: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    let root = &bill["metadata"]["component"];
    assert_eq!(root["purl"], format!("pkg:cargo/kubectl-unstick@{VERSION}"));
    let components = bill["components"].as_array().expect("components");
    for component in components {
        assert!(component["hashes"][0]["content"].as_str().is_some_and(|sum| sum.len() == 64), "{component}");
        assert!(component["licenses"][0]["expression"].as_str().is_some_and(|name| !name.contains('/')), "{component}");
    }
    let names: BTreeSet<&str> = components.iter().filter_map(|component| component["name"].as_str()).collect();
    let direct = ["clap", "kube", "rustls", "ring", "serde-saphyr", "tokio"];
    assert!(direct.iter().all(|name| names.contains(name)), "{names:?}");
    assert!(["insta", "rexpect", "clap_mangen", "proptest"].iter().all(|name| !names.contains(name)), "{names:?}");
    let known: BTreeSet<&str> =
        components.iter().chain([root]).filter_map(|component| component["bom-ref"].as_str()).collect();
    for entry in bill["dependencies"].as_array().expect("dependencies") {
        let mentioned = entry["dependsOn"].as_array().expect("a list").iter().chain([&entry["ref"]]);
        assert!(mentioned.clone().all(|name| name.as_str().is_some_and(|name| known.contains(name))), "{entry}");
    }
}

#[test]
fn only_the_tag_of_the_version_is_released() {
    let sandbox = Sandbox::new("tag");
    succeeded(&release(&sandbox, "check-tag.sh", &[&format!("v{VERSION}")]));
    let other = release(&sandbox, "check-tag.sh", &["v9.9.9"]);
    assert_eq!(other.status.code(), Some(1));
    contains(&stderr(&other), &["the tag is v9.9.9, but Cargo.toml says version"]);
}

/// A tag of an action can be moved to other code; a commit cannot.
#[test]
fn actions_are_pinned_by_their_commit_and_one_commit_has_one_version() {
    let mut pinned = BTreeSet::new();
    for (file, text, workflow) in yaml_of(".github/workflows") {
        let used = jobs(&workflow).flat_map(|(_, job)| steps(job)).filter_map(|step| step["uses"].as_str());
        for action in used {
            let (name, commit) = action.split_once('@').expect("an action at a commit");
            let full = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(full, "{file}: {action} is not pinned by a commit");
            let line = text.lines().find(|line| line.contains(action)).expect("its line");
            assert!(line.contains(&format!("{commit} # v")), "{file} does not say the version: {line}");
            pinned.insert((name.to_owned(), commit.to_owned()));
        }
    }
    let names: BTreeSet<&String> = pinned.iter().map(|(name, _)| name).collect();
    assert!(names.len() == pinned.len() && names.len() >= 4, "{pinned:?}");
}

#[test]
fn a_job_has_the_rights_that_it_names_and_no_others() {
    for (file, text, workflow) in yaml_of(".github/workflows") {
        let all = workflow["permissions"].as_object().expect("permissions of the workflow");
        assert!(all.is_empty(), "{file}: rights are given to each job");
        for (name, job) in jobs(&workflow) {
            let rights = job["permissions"].as_object().unwrap_or_else(|| panic!("{file}: {name} has no permissions"));
            let writes = rights.iter().filter(|(_, value)| *value == "write").map(|(right, _)| right.as_str());
            let allowed: &[&str] = match name.as_str() {
                "gather" => &["attestations", "id-token"],
                "publish" => &["contents"],
                "crate" => &["id-token"],
                "image" => &["packages"],
                "image-of-all-platforms" => &["id-token", "packages"],
                _ => &[],
            };
            assert_eq!(writes.collect::<Vec<_>>(), allowed, "{file}: {name}");
            assert!(job["timeout-minutes"].is_u64(), "{file}: {name} has no time limit");
            for step in steps(job) {
                let run = step["run"].as_str().unwrap_or_default();
                // An expression would become part of the script, and a tag's name could be malicious.
                assert!(!run.contains("${{"), "{file}: {name} puts an expression into a script: {run}");
            }
        }
        let checkouts = text.matches("uses: actions/checkout@").count();
        assert_eq!(checkouts, text.matches("persist-credentials: false").count(), "{file}: the token stays on disk");
    }
}

#[test]
fn workflows_run_existing_scripts_and_build_all_platforms() {
    for (file, _, workflow) in yaml_of(".github/workflows") {
        for (name, job) in jobs(&workflow) {
            for script in scripts(job) {
                use std::os::unix::fs::PermissionsExt;
                let metadata = fs::metadata(repository().join(script));
                let metadata = metadata.unwrap_or_else(|error| panic!("{file}: {name} runs {script}: {error}"));
                assert!(metadata.permissions().mode() & 0o111 != 0, "{script} cannot be run");
            }
        }
    }
    let workflow = read(&repository().join(".github/workflows/release.yaml"));
    let build = &workflow["jobs"]["build"];
    let matrix = build["strategy"]["matrix"]["include"].as_array().expect("a matrix");
    let platforms: Vec<&str> = matrix.iter().filter_map(|entry| entry["platform"].as_str()).collect();
    assert_eq!(platforms, PLATFORMS);
    assert_eq!(build["needs"], "check", "nothing is built that has not passed");
    assert!(scripts(&workflow["jobs"]["check"]).any(|script| script == ".ci/run"));
}

/// `cargo binstall` finds the archives by the settings in Cargo.toml.
#[test]
fn cargo_binstall_takes_the_archives_that_the_manifest_names() {
    let sandbox = Sandbox::new("binstall");
    let manifest = sandbox.build_for_all();
    let named: BTreeSet<&str> = platforms(&manifest).iter().filter_map(|entry| entry["uri"].as_str()).collect();
    let package = package();
    let binstall = &package["metadata"]["binstall"];
    assert_eq!((&binstall["pkg-fmt"], &binstall["bin-dir"]), (&"tgz".into(), &"{ bin }{ binary-ext }".into()));
    let overrides = binstall["overrides"].as_object().expect("a table for each target");
    let mut found = BTreeSet::new();
    for (target, entry) in overrides {
        let url = entry["pkg-url"].as_str().expect("an address");
        let arch = if target.starts_with("x86_64-") { "amd64" } else { "arm64" };
        let os = ["linux", "darwin", "windows"].into_iter().find(|os| target.contains(os)).expect("a system");
        assert!(url.ends_with(&format!("-{os}-{arch}.tar.gz")), "{target}: {url}");
        let words = [("{ repo }", "repository"), ("{ version }", "version"), ("{ name }", "name")];
        let filled = words
            .iter()
            .fold(url.to_owned(), |url, (word, key)| url.replace(word, package[*key].as_str().expect("a text")));
        found.insert(filled);
    }
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), named);
    // `bin-dir` states that the program is at the top of the archive.
    let mut tar = sandbox.command("tar");
    let listed = tar.arg("-tzf").arg(sandbox.archive(&host())).output().expect("tar runs");
    assert!(stdout(&listed).lines().any(|line| line == "kubectl-unstick"), "{}", stdout(&listed));
}

/// The package section of Cargo.toml.
fn package() -> Value {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(repository());
    let output = cargo.output().expect("cargo runs");
    succeeded(&output);
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"][0].clone()
}

/// The tools of a release and of CI are those that Cargo.toml promises.
#[test]
fn the_promised_rust_version_is_the_one_that_builds() {
    let promised = env!("CARGO_PKG_RUST_VERSION");
    let tools = text(&repository().join("release/tools.sh"));
    contains(&tools, &["rust-version = ", "rustup default \"$(rust_version)\""]);
    for file in ["README.md", "CONTRIBUTING.md"] {
        contains(&text(&repository().join(file)), &[&format!("Rust {promised}")]);
    }
    contains(&text(&repository().join("deploy/Dockerfile")), &[&format!("/rust:{promised}-")]);
}

/// CI checks the licences and sources with cargo-deny, in the version that the documents name.
#[test]
fn licences_and_sources_are_checked_wherever_cargo_deny_is_installed() {
    let run = text(&repository().join(".ci/run"));
    contains(&run, &["cargo deny check licenses bans sources", "NOT RUN: cargo-deny is not installed"]);
    let tools = text(&repository().join("release/tools.sh"));
    let pinned = tools.split_once("cargo-deny@").expect("a version").1;
    let version = pinned.split_whitespace().next().unwrap_or_default();
    let (minor, _) = version.rsplit_once('.').expect("three numbers");
    contains(&text(&repository().join("CONTRIBUTING.md")), &[&format!("(cargo-deny {minor})")]);
    for workflow in ["ci", "release"] {
        let workflow = read(&repository().join(format!(".github/workflows/{workflow}.yaml")));
        for (name, job) in jobs(&workflow).filter(|(_, job)| scripts(job).any(|script| script == ".ci/run")) {
            let installs = |step: &Value| step["run"].as_str().is_some_and(|run| run.ends_with("rust go deny"));
            assert!(steps(job).iter().any(installs), "{name} does not install cargo-deny");
        }
    }
}

/// The most important part of cargo-deny's check: each licence, or one of several alternatives, is
/// allowed by `deny.toml`.
#[test]
fn each_crate_has_a_licence_that_is_allowed() {
    let rules = text(&repository().join("deny.toml"));
    let list = rules.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']')).expect("a list").0;
    let allowed: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    let sandbox = Sandbox::new("licences");
    let bill: Value = serde_json::from_slice(&release(&sandbox, "sbom.sh", &[]).stdout).expect("JSON");
    let mut used = BTreeSet::new();
    for component in bill["components"].as_array().expect("components") {
        let expression = component["licenses"][0]["expression"].as_str().expect("a licence");
        for part in expression.split(" AND ") {
            let choice = part.trim_matches(['(', ')']).split(" OR ").map(str::trim);
            let taken = choice.clone().find(|licence| allowed.contains(licence));
            used.insert(taken.unwrap_or_else(|| panic!("{}: {expression}", component["name"])));
            used.extend(choice.filter(|licence| allowed.contains(licence)));
        }
    }
    assert_eq!(used, allowed, "deny.toml allows what nothing has");
}
