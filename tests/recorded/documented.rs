//! The commands in the documentation: the program accepts each of them.

use crate::diagnosed;
use crate::pages::pages;
use crate::scenario::Scenario;
use crate::tables::is_about;
use clap::Parser;
use kubectl_unstick::cli::Cli;
use kubectl_unstick::rules::RULES;
use std::path::Path;

/// The values of variables in examples.
const VALUES: [(&str, &str); 3] = [("\"$NAMESPACE\"", "shop"), ("\"$digest\"", "sha256:0"), ("[RUN]", "last")];

/// The commands of this program in a page's blocks, each as its words.
fn commands(page: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let blocks =
        page.split("\n```").skip(1).step_by(2).filter(|block| block.starts_with("sh\n") || block.starts_with("yaml\n"));
    for line in blocks.flat_map(str::lines) {
        let Some((_, command)) = line.split_once("kubectl unstick") else { continue };
        let command = command.split(['#', '|', '>', ')', ';', '\'']).next().unwrap_or_default();
        let command = VALUES.iter().fold(command.to_owned(), |text, (name, value)| text.replace(name, value));
        let words = command.split_whitespace().map(str::to_owned);
        commands.push(std::iter::once("kubectl-unstick".to_owned()).chain(words).collect());
    }
    commands
}

#[test]
fn every_command_in_the_documentation_is_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = 0;
    for path in pages(&root.join("docs")).into_iter().chain([root.join("README.md")]) {
        for words in commands(&std::fs::read_to_string(&path).expect("a page")) {
            found += 1;
            // clap returns help and version as errors that are printed to stdout.
            let error = Cli::try_parse_from(&words).err().filter(clap::Error::use_stderr);
            assert!(error.is_none(), "{}: {words:?}: {error:?}", path.display());
        }
    }
    assert!(found >= 20, "only {found} commands were found");
}

/// Each block of commands in the documentation: a text in it, and the test that runs it, or the
/// reason why none does.
const BLOCKS: &[(&str, &str, &str)] = &[
    ("README.md", "cargo run --release -- demo", "not run: .ci/run runs both"),
    ("README.md", "kubectl krew install", "tests/packaging/krew.rs, with the archive of this version"),
    ("README.md", "kubectl unstick scan", "tests/e2e/documented.rs"),
    (
        "CONTRIBUTING.md",
        "tests/new-rule your-rule",
        "not run: it begins a rule; tests/recorded/new_rule.rs tries the script",
    ),
    ("CONTRIBUTING.md", "cargo test   ", "not run: it starts these tests"),
    ("CONTRIBUTING.md", "fuzz/run", "not run: it needs a C++ compiler and minutes"),
    ("CONTRIBUTING.md", "cargo test --test e2e baseline", "not run: it records everything again"),
    ("CONTRIBUTING.md", "UNSTICK_STATES=600", "not run: it takes hours"),
    ("docs/argocd.md", "explain -o argocd", "tests/recorded/argocd.rs, without the shell"),
    ("docs/agents.md", "--listen 127.0.0.1:8765", "tests/e2e/mcp.rs, at a port that is free"),
    ("docs/agents.md", "--behind-tls", "not run: it needs a proxy; src/commands/mcp/http.rs tries the flag"),
    ("docs/how-to/ci.md", "kubectl delete namespace", "tests/e2e/documented.rs"),
    (
        "docs/how-to/remove-an-operator.md",
        "kubectl unstick products",
        "tests/e2e/releases/removal.rs, with a release of its own",
    ),
    ("docs/how-to/ci.md", "preflight -f chart/", "tests/recorded/as_installed.rs"),
    ("docs/how-to/ci.md", "-o junit", "tests/e2e/documented.rs"),
    ("docs/how-to/scripts.md", "--approve-plan", "tests/e2e/documented.rs"),
    ("docs/how-to/connect-an-agent.md", "openssl rand", "not run: it is a command of others"),
    ("docs/how-to/connect-an-agent.md", "--context staging --listen", "tests/e2e/mcp.rs, at a port that is free"),
    (
        "docs/how-to/connect-an-agent.md",
        "--behind-tls",
        "not run: it needs a proxy; src/commands/mcp/http.rs tries the flag",
    ),
    (
        "docs/how-to/alerts.md",
        "kubectl apply -n monitoring",
        "not run: it needs the Prometheus operator; tests/recorded/alerts.rs",
    ),
    ("docs/how-to/alerts.md", "promtool check rules", "tests/recorded/alerts.rs, with the tests of the rules"),
    ("docs/how-to/kubectl.md", "alias kus", "tests/e2e/documented.rs"),
    ("docs/how-to/html.md", "-o html", "tests/e2e/documented.rs"),
    ("docs/crd-finalizer-stuck.md", "kubectl unstick crd", "tests/recorded/screens.rs, from a recorded survey"),
    ("docs/crd-finalizer-stuck.md", "kubectl get crd", "not run: it is kubectl alone"),
    ("docs/namespace-stuck-terminating.md", "kubectl unstick ns", "tests/recorded/screens.rs, from a recorded survey"),
    ("docs/namespace-stuck-terminating.md", "kubectl get namespace", "not run: it is kubectl alone"),
    ("docs/pod-stuck-terminating.md", "kubectl unstick pod", "tests/recorded/screens.rs, from a recorded survey"),
    ("docs/pod-stuck-terminating.md", "kubectl get pod", "not run: it is kubectl alone"),
    ("docs/pvc-stuck-terminating.md", "kubectl unstick pvc", "tests/recorded/screens.rs, from a recorded survey"),
    ("docs/pvc-stuck-terminating.md", "kubectl describe pvc", "not run: it is kubectl alone"),
    ("docs/pvc-stuck-terminating.md", "kubectl patch pv", "not run: it is kubectl alone"),
    ("docs/install.md", "cargo install --path .", "not run: it installs into the home of whoever tests"),
    ("docs/install.md", "kubectl-why_terminating", "not run: it needs the archive of a release, and writes to a home"),
    ("docs/install.md", "mv kubectl-unstick ", "not run: it builds the program for a release, and writes to a home"),
    ("docs/install.md", "kubectl krew install", "tests/packaging/krew.rs, with the archive of this version"),
    ("docs/install.md", "completion kubectl", "tests/e2e/documented.rs"),
    ("docs/install.md", "completion bash", "tests/e2e/documented.rs"),
    ("docs/how-to/logs.md", "--no-logs", "tests/e2e/logs.rs"),
    ("docs/install.md", "kubectl delete -f", "tests/e2e/documented.rs"),
    ("docs/install.md", "kubectl plugin list", "tests/e2e/documented.rs"),
    ("docs/jq.md", "", "tests/recorded/jq.rs"),
    ("docs/reliability.md", "UNSTICK_FAULTS=all", "not run: it records, and takes hours"),
    ("docs/tutorial.md", "", "tests/e2e/tutorial.rs"),
    ("deploy/README.md", "docker build", "not run: it needs a container engine and a registry"),
    ("deploy/README.md", "deploy/clusterrole.yaml", "tests/e2e/deploy.rs, file by file"),
    ("deploy/README.md", "helm install", "not run: it needs an image; tests/recorded/chart.rs renders it"),
    ("release/README.md", "cosign verify-blob", "not run: it needs a release, and asks servers on the internet"),
];

#[test]
fn every_block_of_commands_is_run_or_it_is_said_why_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = pages(&root.join("docs"));
    let docs = docs.iter().map(|path| path.strip_prefix(root).expect("a page of docs").display().to_string());
    let others = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "deploy/README.md", "krew-manifest/README.md"];
    let others = others.into_iter().chain(["release/README.md"]).map(str::to_owned);
    let mut unused: Vec<&(&str, &str, &str)> = BLOCKS.iter().collect();
    for page in others.chain(docs) {
        let content = std::fs::read_to_string(root.join(&page)).expect("a page");
        let blocks = content.split("```").skip(1).step_by(2).filter(|block| block.starts_with("sh\n"));
        for block in blocks {
            let of = |entry: &&(&str, &str, &str)| entry.0 == page && block.contains(entry.1);
            let known = BLOCKS.iter().find(of).unwrap_or_else(|| panic!("{page}: nobody runs this:\n{block}"));
            unused.retain(|entry| *entry != known);
            let test = known.2.split(',').next().unwrap_or_default();
            assert!(test.starts_with("not run: ") || root.join(test).is_file(), "there is no {test}");
        }
    }
    assert!(unused.is_empty(), "these are in no page: {unused:?}");
}

/// The number of causes of the demo, as the pages state it.
#[test]
fn pages_and_help_count_the_causes_of_the_demo() {
    let report = diagnosed(&Scenario::named("demo"));
    let causes = report.root_causes().len();
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven"];
    let count = format!("{} namespaces", words[report.targets.len()]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (page, joined) in
        [("docs/README.md", " and "), ("src/cli/examples.rs", ", "), ("docs/man/kubectl-unstick-demo.1", ", ")]
    {
        let text = std::fs::read_to_string(root.join(page)).expect(page);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let promise = format!("{count}{joined}{} causes", words[causes]);
        assert!(text.contains(&promise), "{page} does not say: {promise}");
    }
}

/// A single table lists the requirements of each suite, and `.ci/run` names the suites that a plain
/// `cargo test` leaves out.
#[test]
fn each_suite_is_in_the_table_of_contributing_and_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect(path);
    let (manifest, table, ci) = (read("Cargo.toml"), read("CONTRIBUTING.md"), read(".ci/run"));
    let entries = std::fs::read_dir(root.join("tests")).expect("tests").map(|entry| entry.expect("an entry").path());
    let suites = entries.filter(|path| path.join("main.rs").is_file() || path.extension().is_some_and(|it| it == "rs"));
    for path in suites {
        let suite = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let row = format!("| `cargo test --test {suite}` |");
        let needs = table.lines().find_map(|line| line.strip_prefix(&row)?.split('|').next());
        let needs = needs.unwrap_or_else(|| panic!("CONTRIBUTING.md has no line for {suite}")).trim();
        let by_name =
            manifest.contains(&format!("name = \"{suite}\"\npath = \"tests/{suite}/main.rs\"\ntest = false\n"));
        assert_eq!(by_name, needs != "Rust", "{suite} needs {needs}: Cargo.toml has `test = false` or not");
        assert!(!by_name || ci.contains(&format!("--test {suite}")), ".ci/run does not run {suite}");
    }
}

/// Checks that relative links lead to files.
#[test]
fn every_link_in_the_documentation_leads_to_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in
        pages(&root.join("docs")).into_iter().chain(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)))
    {
        let page = std::fs::read_to_string(&path).expect("a page");
        for target in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file.contains(' ') {
                continue;
            }
            let linked = path.parent().expect("a folder").join(file);
            assert!(linked.exists(), "{} links to {target}", path.display());
        }
    }
}

/// Each state of a public report is a folder, and each folder of such a state is in the track
/// record. A twin is listed without a rule beside its state.
#[test]
fn the_track_record_names_the_states_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/track-record.md")).expect("the page");
    let names: Vec<&str> =
        page.split('`').skip(1).step_by(2).filter(|word| word.contains("--") && !word.contains([' ', '/'])).collect();
    let is_there =
        |name: &&str| ["tests/reported", "tests/scenarios"].iter().any(|at| root.join(at).join(name).is_dir());
    let full = |name: &&&str| !name.starts_with("--") && RULES.iter().any(|rule| is_about(name, rule.name));
    let absent: Vec<&&str> = names.iter().filter(full).filter(|name| !is_there(name)).collect();
    assert!(absent.is_empty(), "no such state: {absent:#?}");
    let folders = std::fs::read_dir(root.join("tests/reported")).expect("tests/reported");
    let folders = folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir());
    let states = folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned());
    let is_named = |state: &String| {
        let variant = state.find("--").map_or("", |at| &state[at..]);
        names.iter().any(|name| *name == state || *name == variant)
    };
    let unnamed: Vec<String> = states.filter(|state| !is_named(state)).collect();
    assert!(unnamed.is_empty(), "not in the track record: {unnamed:#?}");
}

/// What every product is tried in, unless its page says why it cannot be.
const SORTS_OF_STATES: [&str; 10] = [
    "in time", "stopped", "crash loop", "bindings deleted", "its namespace deleted first", "definitions deleted",
    "dependency missing", "in-use guard", "paused", "two in one namespace",
];

#[test]
fn each_real_operator_is_tried_in_each_sort_of_state_or_the_page_says_why_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/operators.md")).expect("the page");
    let products = std::fs::read_dir(root.join("tests/operators/products")).expect("products");
    let names: Vec<String> = products
        .filter_map(|entry| {
            let entry = entry.expect("an entry");
            entry.path().join("product.yaml").is_file().then(|| entry.file_name().to_string_lossy().into_owned())
        })
        .collect();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let about =
            page.split("\n- **").find(|part| part.starts_with(&format!("{name}**"))).expect("a product's lines");
        let about = about.split("\n\n").next().unwrap_or_default();
        let shown = |sort: &str| {
            page.lines().any(|row| row.starts_with(&format!("| {name} |")) && row.contains(&format!(" | {sort} | ")))
        };
        for sort in SORTS_OF_STATES {
            let is_named = about.contains(&format!("Has no state “{sort}”: "));
            assert!(shown(sort) != is_named, "{name}: {sort}");
        }
    }
}
