//! The recorded surveys are on a diet: each is a file that a person can read, and together they are
//! not too large for a repository. `UNSTICK_RECORD=1` puts a survey on the diet that is not,
//! because it is whole as the program wrote it, or based on an old baseline.

use crate::compact;
use crate::diet;
use crate::scenario::Scenario;
use kubectl_unstick::survey::{Discovery, Fact, Form, Object, ResourceId, Survey, TargetName, Want, file};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many lines a recorded survey may have on average, with its share of the baselines.
const MAX_AVERAGE: usize = 300;

fn baselines() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/baselines");
    let files = std::fs::read_dir(folder).expect("tests/baselines");
    files.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn no_survey_holds_what_its_baseline_has() {
    let fat: Vec<String> = Scenario::recorded()
        .iter()
        .filter(|scenario| !is_thin(scenario))
        .map(|scenario| scenario.name.clone())
        .collect();
    assert!(fat.is_empty(), "put these on their diet: UNSTICK_RECORD=1 cargo test --test recorded baseline: {fat:#?}");
}

fn is_thin(scenario: &Scenario) -> bool {
    let file = scenario.survey_file();
    let survey = scenario.survey();
    let thin = if scenario.stands_alone() { diet::alone(&survey) } else { diet::thinned(&survey) };
    let text = std::fs::read_to_string(&file).expect("a survey");
    let record = std::env::var_os("UNSTICK_RECORD").is_some();
    if record && text != thin {
        std::fs::write(&file, &thin).expect("the survey is written");
    }
    record || text == thin
}

#[test]
fn the_recorded_surveys_stay_small() {
    let surveys = Scenario::recorded().iter().map(Scenario::survey_file).collect::<Vec<_>>();
    let lines = |file: &PathBuf| std::fs::read_to_string(file).expect("a survey").lines().count();
    let all: usize = surveys.iter().chain(&baselines()).map(lines).sum();
    let most = MAX_AVERAGE * surveys.len();
    assert!(all <= most, "{all} lines are more than {most}");
}

#[test]
fn every_baseline_is_valid_and_used() {
    let surveys = Scenario::recorded().into_iter().map(|scenario| scenario.survey_file());
    let texts: Vec<String> = surveys.map(|file| std::fs::read_to_string(file).expect("a survey")).collect();
    for file in baselines() {
        let name = file.file_name().expect("a name").to_string_lossy();
        let is_used = texts.iter().any(|text| text.contains(&format!("\nbase: \"../../baselines/{name}\"\n")));
        assert!(is_used, "no survey has the baseline {}: remove it", file.display());
        let baseline = diet::baseline(&file).expect("a baseline");
        let text = std::fs::read_to_string(&file).expect("a baseline");
        let thin = diet::baseline_text(&diet::baseline_of(baseline));
        let record = std::env::var_os("UNSTICK_RECORD").is_some();
        if record && text != thin {
            std::fs::write(&file, &thin).expect("the baseline is written");
        }
        assert!(record || text == thin, "{}: record it", file.display());
    }
}

/// A whole survey is thinned and read back; `thinned` compares.
#[test]
fn a_thinned_survey_says_the_same() {
    let whole = Scenario::recorded().into_iter().find(Scenario::stands_alone).expect("a whole survey").survey();
    let text = diet::thinned(&whole);
    assert!(text.lines().count() * 3 < file::write(&whole).expect("a survey").lines().count());
}

/// The examples in the page about survey files are valid.
#[test]
fn the_examples_can_be_read() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/survey-file.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let examples: Vec<&str> =
        page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    let [whole, on_base] = examples[..] else { panic!("{} examples", examples.len()) };
    assert_eq!(file::read(whole).expect("a survey").facts().count(), 2);
    let base = diet::baseline(&baselines()[0]).expect("a baseline");
    let survey = file::read_on(on_base, |_| Ok(base)).expect("a survey");
    assert_eq!(survey.facts().count(), 5);
}

fn roles() -> ResourceId {
    ResourceId::new("rbac.authorization.k8s.io", "v1", "clusterroles")
}

/// A role as a server creates it: cluster, name and rights.
fn role(cluster: &str, name: &str, verb: &str) -> Object {
    let object = json!({
        "metadata": {"name": name, "uid": format!("{cluster}-{name}"), "resourceVersion": cluster.len().to_string(),
            "creationTimestamp": format!("2026-01-01T00:00:{:02}Z", cluster.len())},
        "rules": [{"verbs": [verb]}],
        "status": {"since": format!("2026-01-01T00:01:{:02}Z", cluster.len())},
    });
    serde_json::from_value(object).expect("an object")
}

fn survey(roles_there: Vec<Object>) -> Survey {
    let mut survey = Survey::new("2026-01-01T01:00:00Z".parse().expect("a time"), Discovery::default());
    survey.server = Some("v1.36.3".into());
    survey.record(Want::list(&roles(), None, Form::Whole), Fact::Listed(roles_there));
    survey
}

fn thin(whole: &Survey) -> String {
    let empty = survey(vec![role("empty", "admin", "get"), role("empty", "edit", "get"), role("empty", "view", "get")]);
    diet::thin(whole, &diet::baseline_of(&empty), "base.yaml")
}

#[test]
fn objects_that_servers_create_belong_to_the_baseline() {
    let same = thin(&survey(vec![role("my", "admin", "get"), role("my", "edit", "get"), role("my", "view", "get")]));
    assert!(!same.contains("admin") && !same.contains("less:") && !same.contains("my-"), "{same}");
    let differs = thin(&survey(vec![role("my", "admin", "get"), role("my", "edit", "PUT"), role("my", "own", "get")]));
    assert!(!differs.contains("admin") && differs.contains("less: [view]"), "{differs}");
    assert!(differs.contains("my-edit") && differs.contains("my-own"), "{differs}");
}

/// An object that others refer to must keep its uid in every entry.
#[test]
fn referenced_objects_keep_their_uids() {
    let mut whole = survey(vec![role("my", "admin", "get"), role("my", "edit", "get"), role("my", "view", "get")]);
    let owned: Object = serde_json::from_value(json!({"metadata": {"name": "c", "namespace": "shop", "uid": "u",
        "ownerReferences": [{"apiVersion": "v1", "kind": "ClusterRole", "name": "edit", "uid": "my-edit"}]}}))
    .expect("an object");
    let config_maps = ResourceId::new("", "v1", "configmaps");
    whole.record(Want::list(&config_maps, Some("shop"), Form::Metadata), Fact::Listed(vec![owned]));
    let found = Fact::Found(Box::new(role("my", "view", "get")));
    whole.record(Want::get(&roles(), None, "view", Form::Whole), found);
    let text = thin(&whole);
    assert!(!text.contains("my-admin") && text.contains("uid: my-edit"), "{text}");
    assert_eq!(text.matches("uid: my-view").count(), 2, "{text}");
}

/// Two wants with the same empty answer are one row only if they differ in nothing but the kind.
#[test]
fn empty_lists_of_two_nodes_stay_two() {
    let pods = ResourceId::new("", "v1", "pods");
    let of_node = |node: &str| Want { node: Some(node.into()), ..Want::list(&pods, None, Form::Whole) };
    let mut whole = survey(vec![]);
    for want in [
        of_node("one"),
        of_node("two"),
        Want::list(&pods, None, Form::Deleting),
        Want::list(&pods, None, Form::Metadata),
    ] {
        whole.record(want, Fact::Listed(vec![]));
    }
    // `thin` compares.
    let text = thin(&whole);
    assert!(text.contains("node: one") && text.contains("node: two"), "{text}");
}

/// A list or a discovery in an unexpected order is written completely.
#[test]
fn an_unexpected_order_is_kept() {
    let odd = thin(&survey(vec![role("my", "view", "get"), role("my", "admin", "get")]));
    assert!(!odd.contains("less:") && odd.contains("my-view"), "{odd}");
}

#[test]
fn a_baseline_asks_for_every_list_of_the_whole_cluster() {
    let mut whole = survey(vec![]);
    whole.targets = vec![TargetName { resource: roles(), namespace: None, name: "edit".into() }];
    for moving in ["events", "leases"] {
        whole.record(Want::list(&ResourceId::new("", "v1", moving), None, Form::Metadata), Fact::Listed(vec![]));
    }
    let pods = ResourceId::new("", "v1", "pods");
    for (namespace, form) in
        [(None, Form::Owned), (None, Form::Cached), (None, Form::Stored), (Some("shop"), Form::Whole)]
    {
        whole.record(Want::list(&pods, namespace, form), Fact::Listed(vec![]));
    }
    whole.record(Want::get(&roles(), None, "edit", Form::Whole), Fact::Missing);
    let asked = [pods.clone(), pods.clone(), pods, roles()].into_iter().zip([
        Form::Owned,
        Form::Stored,
        Form::Cached,
        Form::Whole,
    ]);
    let asked: BTreeSet<Want> = asked.map(|(resource, form)| Want::list(&resource, None, form)).collect();
    assert_eq!(diet::cluster_wide(&thin(&whole)), asked);
    assert_eq!(diet::cluster_wide(&file::write(&whole).expect("a survey")), asked);
}

#[test]
fn every_value_is_read_back_unchanged() {
    let long = "word ".repeat(40);
    let words: Vec<String> = (0..40).map(|number| format!("acme.io/v1/kind-{number}")).collect();
    let odd = [
        "", " a", "a ", "yes", "Null", "1.5", "1e3", "0x1", "~", "2026-01-01", "a: b", "a #b", "- a", "ä\n\t\"\\", "%",
        "@", "a,b", "{", "é",
    ];
    let value = json!({
        "empty": [{}, [], null, true, -1, 1.5, 18_446_744_073_709_551_615_u64],
        "long": {"text": long, "list": [{"deep": {"long": long}, "more": [[long], [long, {"a": long}]]}]},
        "words": words, "odd": odd, "yes": {"f:a": {}, "k:{\"type\":\"b\"}": {".": {}}},
        "uid": "58778043-1234-4eb6-8852-123456789012",
    });
    let text = compact::lay_out(&serde_saphyr::to_string(&value).expect("it can be YAML"));
    let back: Value = serde_saphyr::from_str(&text).expect("it is YAML");
    assert_eq!(back, value, "{text}");
}

#[test]
fn values_that_fit_are_on_one_line() {
    let value = json!({"a": [{"b": 1, "c": ["x", "y"]}], "d": "z".repeat(200)});
    let text = compact::lay_out(&value.to_string());
    assert_eq!(text, format!("a: [{{b: 1, c: [x, \"y\"]}}]\nd: {}\n", "z".repeat(200)));
}
