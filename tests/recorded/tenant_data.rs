//! No report of a scenario lets an administrator give rights away on the basis of a tenant's data.

use crate::diagnosed;
use crate::scenario::Scenario;
use kubectl_unstick::report::{Step, StepKind};

/// The scenarios in which an object names the account that gets rights in the whole cluster;
/// writing that object needs rights in the whole cluster, too.
const NAMED: [&str; 5] = [
    "permissions-missing--may-list-and-not-watch",
    "permissions-missing--rights-narrowed",
    "permissions-missing--verb-lost",
    "permissions-missing--verb-lost-on-services",
    "volume-still-attached--provisioner-may-not-patch",
];

#[test]
fn only_accounts_that_the_cluster_names_are_granted_rights() {
    let mut grants = Vec::new();
    for scenario in Scenario::recorded() {
        let report = diagnosed(&scenario);
        let commands = ["kubectl create clusterrole", "kubectl create rolebinding", "kubectl patch clusterrole"];
        let grant = |title: &str| commands.iter().any(|command| title.contains(command));
        if report.remedies.iter().any(|remedy| grant(&remedy.title.to_string())) {
            grants.push(scenario.name);
        }
    }
    assert_eq!(grants, NAMED);
}

#[test]
fn forged_messages_disable_no_webhook_or_policy() {
    for name in ["controller-says--forged-words", "permissions-missing--look-alike"] {
        let report = diagnosed(&Scenario::named(name));
        for remedy in &report.remedies {
            let kinds: Vec<StepKind> = remedy.steps.iter().map(Step::kind).collect();
            let relaxes = |kind: &StepKind| matches!(kind, StepKind::IgnoreWebhook | StepKind::RelaxPolicyBinding);
            assert!(!kinds.iter().any(relaxes), "{name}: {}", remedy.title);
            for word in ["kubectl patch", "kubectl create", "kubectl edit", "exempt"] {
                assert!(!remedy.title.to_string().contains(word), "{name}: {}", remedy.title);
            }
        }
    }
}
