//! Clusters that cannot be built here: every scenario as it would be read on them.

use crate::distributions::{Distribution, K3S, KUBERNETES_1_28, MANAGED, OPENSHIFT, roots};
use crate::scenario::Scenario;
use kubectl_unstick::survey::Survey;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The root causes of each scenario on the cluster where it was recorded.
static RECORDED: LazyLock<Vec<(Scenario, BTreeSet<String>)>> = LazyLock::new(|| {
    let with_roots = |scenario: Scenario| {
        let roots = roots(scenario.survey());
        (scenario, roots)
    };
    Scenario::recorded().into_iter().map(with_roots).collect()
});

fn as_on(distribution: &Distribution, scenario: &Scenario) -> Survey {
    let mut survey = scenario.survey();
    distribution.change(&mut survey);
    survey
}

/// The root causes of each scenario on a distribution, in the order of `RECORDED`.
fn causes(distribution: &Distribution) -> Vec<BTreeSet<String>> {
    RECORDED.iter().map(|(scenario, _)| roots(as_on(distribution, scenario))).collect()
}

/// The scenarios whose root causes differ from the recorded ones.
fn others(there: &[BTreeSet<String>]) -> Vec<&'static str> {
    let others = RECORDED.iter().zip(there).filter(|((_, recorded), there)| recorded != *there);
    others.map(|((scenario, _), _)| scenario.name.as_str()).collect()
}

#[test]
fn without_a_leader_election_lease_the_causes_are_the_same_and_nobody_is_called_dead() {
    for distribution in [K3S, MANAGED] {
        let causes = causes(&distribution);
        assert_eq!(others(&causes), NEED_THE_LEASE);
        let told = causes.iter().flatten().find(|root| root.starts_with("controller-manager-down"));
        assert_eq!(told, None);
    }
}

/// Rules that depend on the lease alone.
const NEED_THE_LEASE: [&str; 1] = ["controller-manager-down"];

#[test]
fn on_kubernetes_1_28_the_causes_are_the_same() {
    assert_eq!(others(&causes(&KUBERNETES_1_28)), NEWER_THAN_1_28);
}

/// Scenarios about kinds that 1.28 lacks.
const NEWER_THAN_1_28: [&str; 9] = [
    "attributes-class-in-use",
    "controller-says--forged-words",
    "finalizer-removal-refused--controller-refused-too",
    "finalizer-removal-refused--live-policy",
    "finalizer-removal-refused--put-back",
    "resource-claim-in-use",
    "resource-claim-in-use--manager-gone",
    "resource-claim-in-use--pod-gone",
    "service-range-in-use",
];

#[test]
fn on_openshift_the_causes_are_the_same() {
    assert_eq!(others(&causes(&OPENSHIFT)), Vec::<&str>::new());
    let survey = as_on(&OPENSHIFT, &Scenario::named("controller-gone"));
    let read = survey.facts_unsorted().filter(|(want, _)| want.resource.plural == "routes").count();
    assert!(read > 0, "its kinds are looked into, too");
}
