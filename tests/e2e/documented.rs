//! Runs the commands in the README, in the recipes below `docs/how-to`, and in the sentences of
//! other pages as they are written. `docs/tutorial.md` has its own test, since it also shows the
//! output. `tests/recorded/documented.rs` lists what is run where, and what is not.

use crate::completion::{plugin, with_path};
use crate::support::control_plane::ControlPlane;
use crate::support::pages::pages;
use crate::support::program::unstick;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

/// The objects that the commands name: a namespace that hangs, with a pod and a Deployment in it, a
/// custom resource, and a run that can be undone.
const WORLD: &str = "
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: databases.acme.io},
 spec: {group: acme.io, scope: Namespaced, names: {plural: databases, singular: database, kind: Database},
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, finalizers: [acme.io/hold]},
 spec: {replicas: 0, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: web, image: example.invalid/web}]}}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: default, finalizers: [acme.io/hold, acme.io/keep]}}
";
const LATER: &str = "
---
{apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop, finalizers: [acme.io/hold]},
 spec: {automountServiceAccountToken: false, containers: [{name: web, image: example.invalid/web}]}}
---
{apiVersion: acme.io/v1, kind: Database, metadata: {name: orders, namespace: default, finalizers: [acme.io/hold]}}
";

fn world() -> ControlPlane {
    let plane = ControlPlane::start();
    plane.apply(WORLD);
    plane.kubectl_ok(&["wait", "--for=condition=Established", "crd/databases.acme.io"]);
    plane.apply(LATER);
    plane.kubectl_ok(&["delete", "--wait=false", "namespace", "shop"]);
    plane.kubectl_ok(&["delete", "--wait=false", "database/orders", "configmap/settings"]);
    std::thread::sleep(Duration::from_secs(15));
    let scale = ["configmap", "settings", "--approve", "leaks", "--timeout", "1s"];
    let released = unstick(&plane).args(scale).output().expect("the program runs");
    assert_eq!(released.status.code(), Some(0), "{}", String::from_utf8_lossy(&released.stderr));
    plane
}

/// The fenced part of a page that contains a text.
fn block<'p>(page: &'p str, holds: &str) -> &'p str {
    let mut parts = page.split("```sh\n").skip(1).filter_map(|part| part.split_once("```"));
    parts.find(|(block, _)| block.contains(holds)).unwrap_or_else(|| panic!("no block with {holds:?}")).0
}

struct Shell<'p> {
    plane: &'p ControlPlane,
    bin: PathBuf,
    /// The folder in which the commands run. It contains only files that they write.
    folder: PathBuf,
}

impl<'p> Shell<'p> {
    fn start(plane: &'p ControlPlane) -> Self {
        let folder = plane.dir().join("documented");
        std::fs::create_dir(&folder).expect("a folder");
        Self { plane, bin: plugin(plane), folder }
    }

    fn run(&self, script: &str) -> (Output, String) {
        let mut shell = self.plane.command("bash");
        with_path(&mut shell, self.plane, &self.bin);
        shell.current_dir(&self.folder).env("NAMESPACE", "shop").env("GITHUB_STEP_SUMMARY", "summary.md");
        let output = shell.args(["-c", &format!("{{ {script}\n}} 2>&1 </dev/null")]).output().expect("a shell");
        let said = format!("{script}\n{:?}\n{}", output.status, String::from_utf8_lossy(&output.stdout));
        (output, said)
    }

    fn wrote(&self, name: &str) -> String {
        std::fs::read_to_string(Path::new(&self.folder).join(name)).expect("it was written")
    }
}

/// Placeholders in commands, and the objects in `WORLD` that replace them. Alternatives are
/// replaced by the first.
const VALUES: [(&str, &str); 11] = [
    ("ns NAME", "ns shop"),
    ("pod NAME", "pod web-1 -n shop"),
    ("TYPE/NAME", "deployment/web -n shop"),
    ("TYPE NAME", "pod web-1 -n shop"),
    ("FINALIZER", "kubernetes.io/pvc-protection"),
    ("WORD", "held-by-finalizer"),
    ("COMMAND", "scan"),
    (" [RUN]", ""),
    ("[--cascade=background|foreground|orphan]", "--cascade=background"),
    ("survey …", "survey ns shop"),
    // A test cannot type the name that approves it.
    ("--finalize", "--finalize --dry-run=client"),
];

/// The commands in the sentences of a page.
fn in_sentences(page: &str) -> Vec<String> {
    let text: String = page.split("```").step_by(2).collect();
    let quoted = text.split('`').skip(1).step_by(2).filter(|text| text.starts_with("kubectl unstick"));
    quoted.map(|text| VALUES.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))).collect()
}

/// Mistyped commands that the pages show.
const MISTYPED: [&str; 7] =
    ["shop", "scna", "nss shop", "delete ns shop", "scan ns shop", "pod db-0", "ns shop --force"];

#[test]
fn every_command_of_the_readme_and_in_a_pages_sentence_does_something() {
    let plane = world();
    let shell = Shell::start(&plane);
    let lines = block(include_str!("../../README.md"), "kubectl unstick scan").lines();
    // Replaces a chart by its rendered templates, in case helm is not installed.
    let rendered = concat!("preflight --as-installed -f ", env!("CARGO_MANIFEST_DIR"), "/tests/chart/rendered.yaml");
    let mut commands: Vec<String> = lines.map(|line| line.replace("preflight -f chart/", rendered)).collect();
    assert!(commands.len() > 15, "only {} commands", commands.len());
    let install = include_str!("../../docs/install.md");
    commands.push(block(include_str!("../../docs/how-to/kubectl.md"), "alias kus").to_owned());
    commands.push(block(include_str!("../../docs/how-to/html.md"), "-o html").to_owned());
    commands.extend(["kubectl plugin list", "completion bash"].map(|holds| block(install, holds).to_owned()));
    // The folder is one on PATH, and the manifests are those of this checkout.
    let completion = block(install, "completion kubectl").replace("~/.local/bin/", "./");
    let removal =
        block(install, "kubectl delete -f").replace("deploy/", concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/"));
    commands.extend([completion, removal]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/how-to");
    for path in pages(&folder) {
        commands.extend(in_sentences(&std::fs::read_to_string(path).expect("a page")));
    }
    for page in [
        include_str!("../../docs/how-to.md"),
        include_str!("../../docs/faq.md"),
        include_str!("../../docs/README.md"),
        include_str!("../../docs/what-it-finds.md"),
        include_str!("../../docs/survey-file.md"),
    ] {
        let found = in_sentences(page);
        assert!(!found.is_empty(), "no command in: {page}");
        commands.extend(found);
    }
    // In order: some commands read files that others have written.
    let mut known = HashSet::new();
    commands.retain(|command| known.insert(command.clone()));
    for line in commands {
        let command = if line.lines().count() > 1 { &line } else { line.split('#').next().unwrap_or_default().trim() };
        // Without a limit the watch would never end.
        let command = if command.ends_with(" -w") { format!("{command} --timeout 2s") } else { command.to_owned() };
        let (output, said) = shell.run(&command);
        let writes = ["undo", "--delete", "--finalize"].iter().any(|word| command.contains(word));
        let code = if writes { 0..=3 } else { 0..=1 };
        // No release is installed here, and a page shows the results of mistyped words.
        let is_missing = command.contains("helm/op") && said.contains("annotations or inventory name it")
            || MISTYPED.iter().any(|words| command.starts_with(&format!("kubectl unstick {words}")))
                && ["hint: ", "tip: "].iter().any(|help| said.contains(help));
        assert!(is_missing || output.status.code().is_some_and(|it| code.contains(&it)), "{said}");
        assert!((!said.contains("error:") || is_missing) && !said.contains("panicked"), "{said}");
    }
    assert!(shell.wrote("s.yaml").contains("name: shop"));
}

#[test]
fn the_recipes_for_a_job_report_why_its_namespace_is_stuck() {
    let plane = world();
    let shell = Shell::start(&plane);
    let page = include_str!("../../docs/how-to/ci.md");
    // The same in less time.
    let recipe = block(page, "kubectl delete namespace \"$NAMESPACE\"").replace("60s", "1s").replace("5m", "3s");
    let (output, said) = shell.run(&recipe);
    assert!(output.status.code() == Some(1) && said.contains("acme.io/hold"), "{said}");
    let (output, said) = shell.run(block(page, "unstick.xml"));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(shell.wrote("unstick.xml").contains("<failure") && shell.wrote("summary.md").contains("acme.io/hold"));
}

#[test]
fn the_bot_recipe_carries_out_the_plan_with_its_digest() {
    let plane = world();
    let shell = Shell::start(&plane);
    // The same in less time, and without jq.
    let recipe = block(include_str!("../../docs/how-to/scripts.md"), "--approve-plan \"$digest\"")
        .replace("jq -r 'first(.remedies[].digest | values)'", "grep -om1 'sha256:[0-9a-f]*'")
        .replace("\"$digest\"", "\"$digest\" --timeout 1s");
    let finalizers = || plane.kubectl_ok(&["get", "pod,deployment", "-n", "shop", "-o", "jsonpath={..finalizers}"]);
    let before = finalizers();
    let (output, said) = shell.run(&recipe);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
    assert_ne!(finalizers(), before, "{said}");
}
