//! Nothing depends on names: each scenario is judged again with invented names for every product,
//! group, kind, finalizer, image and workload, and with an empty catalogue. The causes, the state
//! of the controllers and the order of the remedies must be the same.

use crate::diet;
use crate::distributions;
use crate::invented_names::Names;
use crate::scenario::Scenario;
use kubectl_unstick::export::json;
use kubectl_unstick::knowledge::catalogue;
use kubectl_unstick::survey::{Survey, file};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The cases that differ with other names: the scenario, the held object, and why.
const EXCEPT: &[(&str, &str, &str)] = &[
    ("scaled-to-zero--in-its-usual-time", "Service shop/front", USUAL_TIME),
    ("not-late-yet--leader-of-its-driver-runs", "VolumeAttachment of-granite", USUAL_TIME),
    ("controller-says--refused-within-its-time", "VolumeAttachment of-granite", USUAL_TIME),
    ("controller-says--refused-within-its-time", "VolumeAttachment of-slate", USUAL_TIME),
    ("volume-still-attached--its-node-is-gone", "VolumeAttachment of-slate", USUAL_TIME),
    ("scaled-to-zero--cloud-controller-a-moment-ago", "Service shop/front", OF_KUBERNETES),
    ("gives-no-reason--claim-names-what-it-makes", "VaultClaim shop/blue", FIELD_OF_KIND),
    ("ring-of-waits--use-by-its-own-composite", "Usage east-keeps-tree", FIELD_OF_KIND),
    ("in-use--use-by-another-composite", "Usage east-keeps-tree", FIELD_OF_KIND),
    ("dependency-missing--login-of-what-it-was-made-from", "Bucket assets", FIELD_OF_KIND),
    ("in-use--by-a-true-condition", "Template images/debian", FIELD_OF_KIND),
    ("of-another-class--ingress-of-another-class", "Ingress shop/web", FIRST_LETTERS),
    ("dangling-reference--ingress-without-its-class", "Ingress shop/web", FIRST_LETTERS),
    ("gives-no-reason--kind-served", "Farm shop/north", FIELD_OF_KIND),
    ("controller-says--never-made-and-its-product-can-let-go", "Vessel pool-7x2", ITS_ANNOTATION),
    ("controller-gone--load-balancer", "Service default/web", OF_KUBERNETES),
    ("scaled-to-zero--load-balancer-pieces", "ServiceNetworkEndpointGroup shop/web-80", ELSEWHERE),
    ("no-longer-referenced--no-referrer-left", "Secret apis/token-old", KIND_IN_FINALIZER),
    ("controller-down--products", "Application shop/storefront", NOT_ITS_SETTER),
    ("controller-down--products", "Bundle shop/storefront-simple", NOT_ITS_SETTER),
    ("controller-down--products", "DataVolume shop/legacy-erp-disk", NOT_ITS_SETTER),
    ("dangling-reference--restored-cluster-gone", "PerconaPGRestore staging/restore1", FIELD_OF_KIND),
    ("controller-gone--strimzi", "KafkaTopic tenant/orders", NOT_ITS_SETTER),
    ("controller-gone--strimzi", "Namespace tenant", NOT_ITS_SETTER),
    ("controller-gone--victoria-metrics", "ConfigMap monitoring/vmagent-core", NO_TRACE),
    ("volume-still-attached", "VolumeAttachment csi-gone", OF_KUBERNETES),
    ("volume-still-attached--node-of-volume-gone", "PersistentVolume pvc-6b2c1f5e", OF_KUBERNETES),
];

const USUAL_TIME: &str = "that the clean-up takes minutes stands in the catalogue alone";
const OF_KUBERNETES: &str = "who takes a finalizer of Kubernetes' own off stands in the catalogue alone";
const FIELD_OF_KIND: &str = "the field is called after the kind that it refers to, and fields keep their names";
const KIND_IN_FINALIZER: &str = "the finalizer is called after a kind, in one word";
const FIRST_LETTERS: &str = "who set the finalizer writes as the first letters of the workload's name";
const ELSEWHERE: &str = "that the controller runs outside of the cluster stands in the catalogue alone";
const NOT_ITS_SETTER: &str = "that another program than who set the finalizer takes it off stands in the catalogue";
const ITS_ANNOTATION: &str =
    "the annotation by which its controller leaves alone what is outside stands in the catalogue alone";
const NO_TRACE: &str = "its rights were deleted with it, so that its name in the catalogue is all that is left of it";

/// The output about each target and each held object, and whether it is called proven.
type Told = BTreeMap<String, BTreeMap<String, bool>>;

#[test]
fn invented_names_and_an_empty_catalogue_change_no_cause() {
    let (scenarios, own) = (Scenario::recorded(), own());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let own = &own;
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let one_of = |first: usize| scenarios.iter().skip(first).step_by(threads);
        let shares: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || one_of(first).flat_map(|it| wrong(it, own)).collect::<Vec<_>>()))
            .collect();
        shares.into_iter().flat_map(|share| share.join().expect("a share")).collect()
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), scenarios.len(), wrong.join("\n"));
    let is_there = |name: &str| scenarios.iter().any(|scenario| scenario.name == name);
    assert!(EXCEPT.iter().all(|(name, ..)| is_there(name)), "an exception for a scenario that is not there");
}

/// Differences that should not exist, and exceptions without a difference.
fn wrong(scenario: &Scenario, own: &BTreeSet<String>) -> Vec<String> {
    let path = scenario.survey_file();
    let written = std::fs::read_to_string(&path).expect("a survey");
    let mut survey: Value = serde_saphyr::from_str(&written).expect("a survey is YAML");
    let names = Names::of(&survey, own);
    names.rename(&mut survey);
    let known = Names::of(&survey, own);
    assert!(known.in_both(&names).is_empty(), "{}: {:?} still stand there", scenario.name, known.in_both(&names));
    let folder = path.parent().expect("a folder");
    let renamed = file::read_on(&survey.to_string(), |base| diet::baseline(&folder.join(base)));
    let renamed = renamed.unwrap_or_else(|error| panic!("{}: {error}", scenario.name));
    let before = told(scenario.survey(), |name| names.text(name));
    let after = catalogue::without(|| told(renamed, str::to_owned));
    let excepted: BTreeSet<String> =
        EXCEPT.iter().filter(|(name, ..)| *name == scenario.name).map(|(_, what, _)| names.text(what)).collect();
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).chain(&excepted).collect();
    let none = BTreeMap::new();
    let of = |told: &Told, what: &String| told.get(what).unwrap_or(&none).clone();
    let is_same = |what: &String| {
        let (before, after) = (of(&before, what), of(&after, what));
        // With one trace less there may be a doubt, but never one doubt less.
        before.keys().eq(after.keys()) && after.iter().all(|(line, proven)| !proven || before[line])
    };
    let is_wrong = |what: &&&String| is_same(what) == excepted.contains(**what);
    let lines = |sign: &str, what: &String, told: &Told| {
        let line = |(line, proven): (&String, &bool)| format!("  {sign} {line} (proven: {proven})\n");
        of(told, what).iter().map(line).collect::<Vec<_>>().concat()
    };
    let in_words =
        |what: &String| format!("{}: {what}\n{}{}", scenario.name, lines("-", what, &before), lines("+", what, &after));
    all.iter().filter(is_wrong).map(|what| in_words(what)).collect()
}

/// The states of the targets and the causes, each with its controller and its remedies in order.
fn told(survey: Survey, called: impl Fn(&str) -> String) -> Told {
    let report: Value = serde_json::from_str(&json(&distributions::report(survey))).expect("the report is JSON");
    let spoken = |object: &Value| {
        let part = |field: &str| called(text(&object[field]));
        match object["namespace"].as_str() {
            Some(_) => format!("{} {}/{}", part("kind"), part("namespace"), part("name")),
            None => format!("{} {}", part("kind"), part("name")),
        }
    };
    let done = |remedy: &Value| {
        let steps = items(remedy, "steps").map(|step| format!("{} {}", text(&step["kind"]), spoken(&step["object"])));
        // The order of several objects depends on their names.
        let steps: BTreeSet<String> = steps.collect();
        if steps.is_empty() { "by hand".to_owned() } else { steps.into_iter().collect::<Vec<_>>().join(" + ") }
    };
    let remedies: BTreeMap<&str, String> =
        items(&report, "remedies").map(|remedy| (text(&remedy["id"]), done(remedy))).collect();
    let mut told = Told::new();
    for target in items(&report, "targets") {
        told.entry(spoken(&target["object"])).or_default().insert(text(&target["state"]).to_owned(), false);
    }
    for root in items(&report, "findings").filter(|finding| finding["root"] == true) {
        let ways: Vec<&str> = items(root, "remedies").map(|id| remedies[text(id)].as_str()).collect();
        let line = format!(
            "{} {}; waits for {}; controller {} {}; {}",
            text(&root["rule"]),
            called(text(&root["finalizer"])),
            spoken(&root["waitsFor"]),
            text(&root["controller"]["state"]),
            spoken(&root["controller"]["workload"]),
            ways.join(", ")
        );
        told.entry(spoken(&root["subject"])).or_default().insert(line, root["why"] == "Proven");
    }
    told
}

/// The names that Kubernetes itself uses: kinds and objects of an empty cluster.
fn own() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/baselines");
    let entries = std::fs::read_dir(&folder).expect("the baselines").map(|entry| entry.expect("an entry").path());
    let mut own = BTreeSet::new();
    for path in entries {
        let survey = diet::baseline(&path).unwrap_or_else(|error| panic!("{error}"));
        for resource in &survey.discovery.resources {
            own.extend([resource.kind.to_lowercase(), resource.id.plural.clone(), resource.singular.clone()]);
            own.insert(resource.id.group.clone());
        }
        own.extend(survey.facts().flat_map(|(_, fact)| diet::objects(fact)).map(|object| object.name().to_owned()));
    }
    own
}

fn items<'v>(value: &'v Value, field: &str) -> impl Iterator<Item = &'v Value> {
    value[field].as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
