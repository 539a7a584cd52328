//! `deploy`: the rights to read what the rules ask for, generated from the recorded surveys, and
//! alerts about metrics of the program.

use crate::distributions::report;
use crate::hidden::hidden;
use crate::scenario::{Scenario, is_kubernetes_own};
use kubectl_unstick::diagnosis::diagnose_survey;
use kubectl_unstick::export::prometheus;
use kubectl_unstick::survey::Want;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Kinds that Kubernetes 1.37 serves by default, unlike the version of the recorded surveys.
const NEWER: [(&str, &str); 4] = [
    ("certificates.k8s.io", "clustertrustbundles"),
    ("certificates.k8s.io", "podcertificaterequests"),
    ("resource.k8s.io", "devicetaintrules"),
    ("storagemigration.k8s.io", "storageversionmigrations"),
];

/// Kinds of a scenario's stand-in, which no server of metrics serves.
const INVENTED: (&str, &str) = ("metrics.k8s.io", "things");

/// The text before the generated rules.
const HEAD: &str = r#"# The rights to read what `kubectl unstick` reads. No right to write, and none to Secrets and
# ConfigMaps: a right to list their names is a right to read their data. The names and finalizers of
# ConfigMaps are read with clusterrole-configmaps.yaml, too.
#
# Two roles. The second has Kubernetes' own kinds and is made of what the rules ask for:
#   UNSTICK_RECORD=1 cargo test --test recorded deploy
# The first, to be bound, collects it, what operators add to the role `view` for their custom
# resources, and every ClusterRole with the label `unstick.dev/aggregate-to-reader: "true"`.
# Kinds that no ClusterRole adds are reported as unread. README.md says how to add them.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: kubectl-unstick-reader
aggregationRule:
  clusterRoleSelectors:
  - matchLabels:
      unstick.dev/aggregate-to-reader: "true"
  # Without those of Kubernetes itself: the role below has what is needed of these.
  - matchLabels:
      rbac.authorization.k8s.io/aggregate-to-view: "true"
    matchExpressions:
    - {key: kubernetes.io/bootstrapping, operator: DoesNotExist}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: kubectl-unstick-reader-kubernetes
  labels:
    unstick.dev/aggregate-to-reader: "true"
rules:
"#;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap_or_default()
}

fn documents(name: &str) -> Vec<Value> {
    let text = text(name);
    let parsed = text.split("\n---\n").map(serde_saphyr::from_str);
    parsed.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Whether a right can be granted: dry runs are writes, logs are read only with `--logs`, and for
/// Secrets there is no right to metadata alone.
fn may_be_granted(want: &Want) -> bool {
    let is_secrets = want.resource.group.is_empty() && want.resource.plural == "secrets";
    !is_secrets && want.probe.is_none() && want.log.is_none()
}

/// The kinds that the recorded surveys asked for, and newer ones, by group.
fn kinds() -> BTreeMap<String, BTreeSet<String>> {
    let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (group, plural) in NEWER {
        kinds.entry(group.into()).or_default().insert(plural.into());
    }
    for scenario in Scenario::recorded() {
        let survey = scenario.survey();
        let wants = survey.facts_unsorted().map(|(want, _)| want);
        for want in wants.filter(|want| may_be_granted(want) && is_kubernetes_own(&want.resource.group)) {
            let kind = (want.resource.group.as_str(), want.resource.plural.as_str());
            if kind == INVENTED || kind == ("", "configmaps") {
                continue;
            }
            kinds.entry(want.resource.group.clone()).or_default().insert(want.resource.plural.clone());
        }
    }
    kinds
}

/// The text of the role. Each kind has both verbs: a scan lists all kinds and reads the found
/// objects by name. The right to list a kind already shows whole objects; the right to get them
/// adds nothing.
fn role() -> String {
    let mut text = HEAD.to_owned();
    for (group, kinds) in kinds() {
        let group = if group.is_empty() { "\"\"" } else { &group };
        let lines: Vec<String> = kinds.into_iter().map(|kind| format!("  - {kind}")).collect();
        let lines = lines.join("\n");
        writeln!(text, "- apiGroups: [{group}]\n  resources:\n{lines}\n  verbs: [get, list]")
            .expect("a string takes it");
    }
    text
}

/// With `UNSTICK_RECORD=1`, the role is rewritten.
#[test]
fn the_role_has_the_rights_that_the_rules_need() {
    let role = role();
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::write(file("clusterrole.yaml"), &role).expect("deploy/clusterrole.yaml is written");
    }
    assert!(text("clusterrole.yaml") == role, "record it: UNSTICK_RECORD=1 cargo test --test recorded deploy");
}

#[test]
fn the_role_writes_nothing_and_reads_no_secrets() {
    let roles = documents("clusterrole.yaml");
    let granted: Vec<&Value> = roles.iter().flat_map(|role| role["rules"].as_array().into_iter().flatten()).collect();
    assert!(granted.len() > 10, "{granted:#?}");
    let words = |rule: &Value, field: &str| -> Vec<String> {
        let words = rule[field].as_array().unwrap_or_else(|| panic!("{field}: {rule}"));
        words.iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
    };
    for rule in granted {
        assert!(words(rule, "verbs").iter().all(|verb| verb == "get" || verb == "list"), "{rule}");
        assert!(words(rule, "apiGroups").iter().all(|group| group != "*"), "{rule}");
        let kinds = words(rule, "resources");
        assert!(kinds.iter().all(|kind| kind != "secrets" && !kind.contains(['*', '/'])), "{rule}");
    }
}

#[test]
fn the_data_of_configmaps_is_read_by_a_role_of_its_own() {
    assert!(!text("clusterrole.yaml").contains("- configmaps") && !text("clusterrole.yaml").contains("things"));
    let role = documents("clusterrole-configmaps.yaml").remove(0);
    assert_eq!(role["metadata"]["labels"]["unstick.dev/aggregate-to-reader"], "true");
    assert_eq!(role["rules"], json!([{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]}]));
}

#[test]
fn the_bases_of_the_image_are_named_by_digest() {
    let file = text("Dockerfile");
    let bases: Vec<&str> = file.lines().filter(|line| line.starts_with("FROM ")).collect();
    assert!(bases.len() == 2 && bases.iter().all(|base| base.contains("@${")), "{bases:?}");
}

/// Diagnoses each survey without the facts that the role may not read. Custom resources count as
/// readable.
#[test]
fn every_scenario_has_the_same_root_causes_with_the_rights_of_the_role() {
    let mut wrong = Vec::new();
    for scenario in Scenario::recorded() {
        let report = json!(report(hidden(scenario.survey(), |want| !may_be_granted(want))));
        if scenario.has_its_roots(&report) == scenario.needs_more_rights() {
            wrong.push(scenario.name.clone());
        }
        assert_eq!(scenario.wrong_claims(&report), [""; 0], "{}", scenario.name);
    }
    assert!(wrong.is_empty(), "`needs` in their scenario.yaml: {wrong:#?}");
}

#[test]
fn alerts_are_about_metrics_that_are_printed() {
    let survey = Scenario::named("demo").survey();
    let printed = prometheus(&[diagnose_survey(&survey).report], false);
    let printed: BTreeSet<&str> =
        printed.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let rule = documents("prometheusrule.yaml").remove(0);
    assert_eq!(rule["kind"], "PrometheusRule");
    let groups = rule["spec"]["groups"].as_array().expect("groups").iter();
    let alerts: Vec<&Value> = groups.flat_map(|group| group["rules"].as_array().expect("rules")).collect();
    let mut named = BTreeSet::new();
    for alert in &alerts {
        let expression = alert["expr"].as_str().expect("an expression");
        let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        named.extend(words.filter(|word| word.starts_with("unstick_")));
        assert!(alert["annotations"]["summary"].is_string(), "{alert}");
        // What an annotation looks up.
        let told = alert["annotations"]["description"].as_str().expect("a description");
        let words = told.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        named.extend(words.filter(|word| word.starts_with("unstick_")));
    }
    assert!(alerts.len() >= 3 && named.is_subset(&printed), "{named:?} of {printed:?}");
}

#[test]
fn each_alert_leads_to_its_section_of_the_runbook() {
    let page = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/runbook.md#");
    for file in ["prometheusrule.yaml", "prometheusrule-kube-state-metrics.yaml"] {
        let rule = documents(file).remove(0);
        let groups = rule["spec"]["groups"].as_array().expect("groups").iter();
        for alert in groups.flat_map(|group| group["rules"].as_array().expect("rules")) {
            let name = alert["alert"].as_str().expect("a name").to_lowercase();
            assert_eq!(alert["annotations"]["runbook_url"], format!("{page}{name}"), "{file}");
        }
    }
}

#[test]
fn pods_are_hardened_and_run_as_the_account_that_may_read() {
    let account = documents("account.yaml");
    let name = &account[1]["metadata"]["name"];
    assert_eq!(account[2]["roleRef"]["name"], documents("clusterrole.yaml")[0]["metadata"]["name"]);
    for variant in ["cronjob-textfile.yaml", "cronjob-pushgateway.yaml"] {
        let job = documents(variant).remove(0);
        let pod = &job["spec"]["jobTemplate"]["spec"]["template"]["spec"];
        assert_eq!(&pod["serviceAccountName"], name, "{variant}");
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true, "{variant}");
        let containers = ["initContainers", "containers"].iter().filter_map(|field| pod[*field].as_array());
        for container in containers.flatten() {
            let context = &container["securityContext"];
            assert_eq!(context["readOnlyRootFilesystem"], true, "{variant}: {container}");
            assert_eq!(context["allowPrivilegeEscalation"], false, "{variant}: {container}");
            assert_eq!(context["capabilities"]["drop"][0], "ALL", "{variant}: {container}");
            assert!(container["resources"]["limits"]["memory"].is_string(), "{variant}: {container}");
        }
    }
}

/// The user replaces `REGISTRY` and `DIGEST` during the installation.
#[test]
fn only_the_scan_has_the_token_and_images_are_named_by_digest() {
    const ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
    for variant in ["cronjob-textfile.yaml", "cronjob-pushgateway.yaml"] {
        let job = documents(variant).remove(0);
        let pod = &job["spec"]["jobTemplate"]["spec"]["template"]["spec"];
        assert_eq!(pod["automountServiceAccountToken"], false, "{variant}");
        let volumes = pod["volumes"].as_array().expect("volumes").iter();
        let with_token: Vec<&Value> = volumes.filter(|volume| volume.to_string().contains("oken")).collect();
        let [volume] = with_token[..] else { panic!("{variant}: {with_token:?}") };
        let sources = volume["projected"]["sources"].as_array().expect("sources");
        let paths = [
            sources[0].pointer("/serviceAccountToken/path"),
            sources[1].pointer("/configMap/items/0/path"),
            sources[2].pointer("/downwardAPI/items/0/path"),
        ];
        let paths = paths.map(|path| path.and_then(Value::as_str).expect("a file"));
        assert_eq!(paths, ["token", "ca.crt", "namespace"], "{variant}");
        let containers = ["initContainers", "containers"].iter().filter_map(|field| pod[*field].as_array());
        for container in containers.flatten() {
            let mounts = container["volumeMounts"].as_array().expect("mounts").iter();
            let mounted: Vec<&Value> = mounts.filter(|mount| mount["name"] == volume["name"]).collect();
            let is_scan = container["name"] == "scan";
            assert_eq!(mounted.len(), usize::from(is_scan), "{variant}: {container}");
            assert!(
                mounted.iter().all(|mount| mount["mountPath"] == ACCOUNT && mount["readOnly"] == true),
                "{variant}"
            );
            let (name, digest) = container["image"].as_str().and_then(|image| image.split_once('@')).expect("a digest");
            let ours = (name.starts_with("REGISTRY/kubectl-unstick:"), digest == "DIGEST");
            let hex = digest.strip_prefix("sha256:").unwrap_or_default();
            let theirs = hex.len() == 64 && hex.bytes().all(|digit| digit.is_ascii_hexdigit());
            assert!(if is_scan { ours == (true, true) } else { theirs }, "{variant}: {name}@{digest}");
        }
    }
}
