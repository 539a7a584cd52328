//! A scenario: a folder below `tests/scenarios` with `make.sh`, which brings about a state of a
//! real cluster, and `scenario.yaml`, which states what must be found in it.

use crate::diet;
use kubectl_unstick::survey::Survey;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The expected result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// The state, in one line.
    about: String,
    /// The situations of `tests/scenarios/situations.yaml` that it brings about.
    #[serde(default)]
    shows: Vec<String>,
    /// The number of causes, behind each other or side by side.
    #[serde(default = "one")]
    layers: usize,
    /// Objects that look guilty and must not be accused, one line each.
    #[serde(default)]
    decoys: Vec<String>,
    /// The first minor release of Kubernetes whose servers behave like this, such as 33.
    #[serde(default)]
    since: u32,
    /// The reason why it needs its own control plane: it breaks something that other tests use.
    #[serde(default)]
    alone: Option<String>,
    /// The rights needed to see the causes, in addition to those of `deploy/clusterrole.yaml`.
    #[serde(default)]
    needs: Option<String>,
    /// The words after `kubectl unstick`.
    ask: Vec<String>,
    /// The exit code.
    exit: i32,
    /// The state of each target, by `Kind name`.
    states: BTreeMap<String, String>,
    /// Every root finding, no more and no less.
    #[serde(default)]
    roots: Vec<Root>,
    /// Findings in addition to the roots, by rule.
    #[serde(default)]
    others: Vec<String>,
    /// The unread facts; all others must be readable.
    #[serde(default)]
    unread: Vec<String>,
    /// The broken objects that are not involved; no others may be named.
    #[serde(default, rename = "alsoBroken")]
    also_broken: Vec<String>,
    /// The objects that only wait for the targets; no others may be named.
    #[serde(default)]
    waiters: Vec<String>,
    /// The parts of the expected result in which the answer is still wrong, in a state of a public report:
    /// `roots`, `states` and so on, in the order in which differences are listed.
    #[serde(default, rename = "knownWrong")]
    known_wrong: Vec<String>,
    /// Why these parts are still wrong, in one sentence.
    #[serde(default, rename = "wrongBecause")]
    wrong_because: Option<String>,
    /// If set, the targets must be gone after a run with `--approve` of this risk.
    #[serde(default)]
    approve: Option<String>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Root {
    rule: String,
    subject: String,
    #[serde(default)]
    finalizer: Option<String>,
    #[serde(default)]
    waits_for: Option<String>,
    #[serde(default)]
    missing: bool,
    why: String,
    /// How many objects wait for the root cause.
    #[serde(default = "one")]
    objects: usize,
    /// The owners of these objects with their state, each before its own owners.
    #[serde(default)]
    owners: Vec<String>,
    /// The targets that it holds; all targets by default.
    #[serde(default)]
    blocks: Vec<String>,
    /// The controller that should release it, and its state: `Down Deployment ops/operator`, or
    /// just the state if no workload is known: `Gone`, `Unknown`.
    #[serde(default)]
    controller: Option<String>,
}

fn one() -> usize {
    1
}

/// A scenario.
#[derive(Debug)]
pub struct Scenario {
    /// The folder's name: a rule's, or a rule's with `--variant`.
    pub name: String,
    /// The folder.
    pub dir: PathBuf,
    expected: Expected,
}

/// The folder of the states of public reports that are no scenarios yet.
pub const REPORTED: &str = "tests/reported";

/// The scenarios that are also shown at 200 columns: one for each part of a screen whose layout
/// depends on the width.
pub const WIDE: [&str; 12] = [
    "apiservice-unavailable--crash-looping",
    "controller-refused",
    "crd-waits-for-instances",
    "deletion-in-progress",
    "deletion-refused",
    "claim-in-use--in-a-namespace",
    "eviction-refused",
    "finalizer-removal-refused--controller-let-through",
    "scaled-to-zero--operator-at-zero",
    "kubelet-does-not-confirm",
    "ring-of-waits",
    "volume-still-attached",
];

/// The folder of the scenarios that need a real node.
pub const ON_NODES: &str = "tests/node-states";

impl Scenario {
    /// Every scenario, by name; `UNSTICK_SCENARIOS` names another folder of scenarios, such as
    /// `tests/reported`.
    pub fn all() -> Vec<Self> {
        let folder = std::env::var("UNSTICK_SCENARIOS").unwrap_or_else(|_| "tests/scenarios".to_owned());
        Self::below(&folder)
    }

    /// The scenarios below a folder, by name.
    pub fn below(folder: &str) -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut dirs: Vec<PathBuf> = std::fs::read_dir(&root)
            .expect("a folder of scenarios")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_dir())
            .collect();
        dirs.sort();
        dirs.into_iter().map(Self::at).collect()
    }

    /// The scenarios with a recorded survey, by name: all except unfinished ones, and those on a real
    /// node.
    pub fn recorded() -> Vec<Self> {
        let on_nodes = if std::env::var_os("UNSTICK_SCENARIOS").is_none() { Self::below(ON_NODES) } else { Vec::new() };
        let mut all: Vec<Self> = Self::all().into_iter().chain(on_nodes).collect();
        all.retain(|scenario| scenario.survey_file().is_file());
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }

    /// The scenario with this name, which may need a real node.
    pub fn named(name: &str) -> Self {
        let folders = ["tests/scenarios", ON_NODES].map(|it| Path::new(env!("CARGO_MANIFEST_DIR")).join(it).join(name));
        Self::at(folders.into_iter().find(|folder| folder.is_dir()).expect("a scenario of this name"))
    }

    fn at(dir: PathBuf) -> Self {
        let name = dir.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(dir.join("scenario.yaml")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut expected: Expected =
            serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}/scenario.yaml: {error}"));
        for root in expected.roots.iter_mut().filter(|root| root.blocks.is_empty()) {
            root.blocks = expected.states.keys().cloned().collect();
        }
        expected.roots.sort();
        Self { name, dir, expected }
    }

    /// The file of its recorded survey, which is beside it, except for the one that the program
    /// embeds and shows with `demo`.
    pub fn survey_file(&self) -> PathBuf {
        if self.stands_alone() {
            return Path::new(env!("CARGO_MANIFEST_DIR")).join("src/commands/demo/survey.yaml");
        }
        self.dir.join("survey.yaml")
    }

    /// Whether its survey is whole: the program embeds that of `demo`.
    pub fn stands_alone(&self) -> bool {
        self.name == "demo"
    }

    /// Its recorded survey, in full.
    pub fn survey(&self) -> Survey {
        diet::read(&self.survey_file()).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The state, in one line.
    pub fn about(&self) -> &str {
        &self.expected.about
    }

    /// The situations that it brings about.
    pub fn shows(&self) -> &[String] {
        &self.expected.shows
    }

    /// The number of causes, behind each other or side by side.
    pub fn layers(&self) -> usize {
        self.expected.layers
    }

    /// Objects that look guilty but are not.
    pub fn decoys(&self) -> &[String] {
        &self.expected.decoys
    }

    /// The rules of its expected root causes, with how well their reasons are known.
    pub fn roots(&self) -> impl Iterator<Item = (&str, &str)> {
        self.expected.roots.iter().map(|root| (root.rule.as_str(), root.why.as_str()))
    }

    /// The first minor release of Kubernetes whose servers behave like this.
    pub fn since(&self) -> u32 {
        self.expected.since
    }

    /// Whether it needs a control plane of its own.
    pub fn alone(&self) -> bool {
        self.expected.alone.is_some()
    }

    /// Whether the rights of `deploy/clusterrole.yaml` do not suffice to see the causes.
    pub fn needs_more_rights(&self) -> bool {
        self.expected.needs.is_some()
    }

    /// The words after `kubectl unstick`.
    pub fn ask(&self) -> &[String] {
        &self.expected.ask
    }

    /// The exit code of a diagnosis.
    pub fn exit(&self) -> i32 {
        self.expected.exit
    }

    /// The risk to approve, if the targets can be released.
    pub fn approve(&self) -> Option<&str> {
        self.expected.approve.as_deref()
    }

    /// The parts of the expected result in which the answer is known to be wrong.
    pub fn known_wrong(&self) -> &[String] {
        &self.expected.known_wrong
    }

    /// Why these parts are still wrong.
    pub fn wrong_because(&self) -> Option<&str> {
        self.expected.wrong_because.as_deref()
    }

    /// Compares a report with the expected result.
    pub fn check(&self, report: &Value) {
        assert_eq!(self.differences(report), [""; 0], "{}\n{report:#}", self.name);
    }

    /// The differences between a report and the expected result.
    pub fn differences(&self, report: &Value) -> Vec<String> {
        let expected = &self.expected;
        let spoken_of = |field: &str| items(report, field).map(|note| spoken(&note["object"])).collect::<Vec<_>>();
        let states: BTreeMap<String, String> =
            items(report, "targets").map(|target| (spoken(&target["object"]), text(&target["state"]))).collect();
        let others: Vec<String> = items(report, "findings")
            .filter(|finding| finding["root"] == false)
            .map(|finding| text(&finding["rule"]))
            .collect();
        let unread: Vec<String> = items(report, "unread").map(|note| text(&note["what"])).collect();
        [
            difference("states", &states, &expected.states),
            difference("roots", &roots(report), &self.roots_of(report)),
            difference("other findings", &others, &expected.others),
            difference("unread", &unread, &expected.unread),
            difference("also broken", &spoken_of("alsoBroken"), &expected.also_broken),
            difference("waiters", &spoken_of("waiters"), &expected.waiters),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Compares the root causes of a report with the expected ones.
    pub fn check_roots(&self, report: &Value) {
        assert_eq!(roots(report), self.roots_of(report), "{}: roots\n{report:#}", self.name);
    }

    /// The expected root causes, with generated names filled in: `Pod net/agent-*` matches one.
    fn roots_of(&self, report: &Value) -> Vec<Root> {
        let found = roots(report);
        let full = |name: &str, all: Vec<&str>| {
            let start = name.strip_suffix('*');
            let is_it = |found: &&str| start.is_some_and(|start| found.starts_with(start));
            all.into_iter().find(is_it).unwrap_or(name).to_owned()
        };
        let named = |root: Root| Root {
            subject: full(&root.subject, found.iter().map(|found| found.subject.as_str()).collect()),
            waits_for: root
                .waits_for
                .map(|it| full(&it, found.iter().filter_map(|it| it.waits_for.as_deref()).collect())),
            ..root
        };
        self.expected.roots.iter().cloned().map(named).collect()
    }

    /// Whether a report has exactly the expected root causes.
    pub fn has_its_roots(&self, report: &Value) -> bool {
        roots(report) == self.roots_of(report)
    }

    /// Wrong claims of a report: false proofs, or false states of targets. A report from fewer
    /// facts may miss something, but must not prove anything else.
    pub fn wrong_claims(&self, report: &Value) -> Vec<String> {
        let proven = roots(report).into_iter().filter(|root| root.why == "Proven");
        let claims = proven.filter(|claim| !self.is_so(claim)).map(|claim| format!("{claim:?}"));
        let states = items(report, "targets").filter_map(|target| {
            let (object, state) = (spoken(&target["object"]), text(&target["state"]));
            let is = self.expected.states.get(&object);
            let may_be = ["Unknown", "Progressing", "Stuck"].contains(&&*state) || is == Some(&state);
            (!may_be).then(|| format!("{object} is {is:?}, not {state}"))
        });
        claims.chain(states).collect()
    }

    /// Whether a claim is a root cause, or the visible part of one.
    fn is_so(&self, claim: &Root) -> bool {
        // The first of several objects may be hidden, and so may be the controller's workload.
        let controller = |root: &Root| match (claim.controller.as_deref(), root.controller.as_deref()) {
            (Some(said), Some(is)) => said.starts_with("Unknown") || is.starts_with(said),
            (said, _) => said.is_none(),
        };
        let mut roots =
            self.expected.roots.iter().filter(|root| {
                root.rule == claim.rule && (root.finalizer.is_none() || root.finalizer == claim.finalizer)
            });
        match roots.next() {
            Some(first) => controller(first) || roots.any(controller),
            None => self.expected.others.contains(&claim.rule) || SEEN_FIRST.contains(&claim.rule.as_str()),
        }
    }
}

/// Rules that report visible symptoms. With more rights, other rules report their causes.
const SEEN_FIRST: [&str; 3] = ["content-unreadable", "deletion-in-progress", "held-by-finalizer"];

fn difference<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Option<String> {
    (found != expected).then(|| format!("{what}: found {found:#?}, expected {expected:#?}"))
}

fn items<'a>(report: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    report[field].as_array().into_iter().flatten()
}

/// Whether a group is one of Kubernetes' own, or of its extensions that rules know by name.
pub fn is_kubernetes_own(group: &str) -> bool {
    !group.contains('.') || (group.ends_with(".k8s.io") && !group.ends_with(".x-k8s.io"))
}

/// The root causes of a report, in order.
fn roots(report: &Value) -> Vec<Root> {
    let mut roots: Vec<Root> = items(report, "findings").filter(|finding| finding["root"] == true).map(root).collect();
    roots.sort();
    roots
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn root(finding: &Value) -> Root {
    let waits_for = finding.get("waitsFor");
    Root {
        rule: text(&finding["rule"]),
        subject: spoken(&finding["subject"]),
        finalizer: finding.get("finalizer").map(text),
        waits_for: waits_for.map(spoken),
        missing: waits_for.is_some_and(|object| object["missing"] == true),
        why: text(&finding["why"]),
        objects: items(finding, "objects").count(),
        owners: items(finding, "owners").flat_map(owners).collect(),
        blocks: items(finding, "blocks").map(spoken).collect(),
        controller: finding.get("controller").map(|controller| {
            let workload = controller.get("workload").map(|object| format!(" {}", spoken(object)));
            format!("{}{}", text(&controller["state"]), workload.unwrap_or_default())
        }),
    }
}

/// The owners of an object or of an owner, each before its own owners.
fn owners(of: &Value) -> Vec<String> {
    items(of, "owners")
        .flat_map(|owner| {
            let this = format!("{} {}", spoken(&owner["object"]), text(&owner["state"]));
            std::iter::once(this).chain(owners(owner))
        })
        .collect()
}

/// `Kind namespace/name`, as on screens.
fn spoken(object: &Value) -> String {
    match object.get("namespace").and_then(Value::as_str) {
        Some(namespace) => format!("{} {namespace}/{}", text(&object["kind"]), text(&object["name"])),
        None => format!("{} {}", text(&object["kind"]), text(&object["name"])),
    }
}
