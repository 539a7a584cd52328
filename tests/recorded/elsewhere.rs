//! Clusters that cannot be built here: every scenario as it would be read there.

use crate::deploy::roots;
use crate::scenario::Scenario;
use kubectl_unstick::diagnosis::diagnose_survey;
use kubectl_unstick::survey::{Fact, Resource, ResourceId, Survey, Want};
use std::collections::BTreeSet;
use std::sync::LazyLock;

const MANAGER: &str = "kube-controller-manager";

/// The root causes of each scenario where it was recorded.
static RECORDED: LazyLock<Vec<(Scenario, BTreeSet<String>)>> = LazyLock::new(|| {
    let with_roots = |scenario: Scenario| {
        let roots = roots(scenario.survey());
        (scenario, roots)
    };
    Scenario::all().into_iter().map(with_roots).collect()
});

/// The scenarios whose root causes are others there than where they were recorded.
fn others(change: impl Fn(&mut Survey)) -> Vec<String> {
    let mut others = Vec::new();
    for (scenario, recorded) in RECORDED.iter() {
        let mut survey = scenario.survey();
        change(&mut survey);
        if roots(survey) != *recorded {
            others.push(scenario.name.clone());
        }
    }
    others
}

/// k3s has one controller manager and no lease for it, and where somebody else runs the control
/// plane (EKS, GKE, AKS) none need be visible. No recorded survey has pods of a control plane.
fn without_a_lease(survey: &mut Survey) {
    let of_leases: Vec<(Want, Fact)> = survey
        .facts_unsorted()
        .filter(|(want, _)| want.resource.plural == "leases")
        .map(|(want, fact)| (want.clone(), fact.clone()))
        .collect();
    for (want, fact) in of_leases {
        let fact = match fact {
            Fact::Found(_) if want.name.as_deref() == Some(MANAGER) => Fact::Missing,
            Fact::Listed(mut leases) => {
                leases.retain(|lease| lease.name() != MANAGER);
                Fact::Listed(leases)
            }
            fact => fact,
        };
        survey.record(want, fact);
    }
}

#[test]
fn without_a_leader_election_lease_the_causes_are_the_same_and_nobody_is_called_dead() {
    assert_eq!(others(without_a_lease), NEED_THE_LEASE);
    for scenario in Scenario::all() {
        let mut survey = scenario.survey();
        without_a_lease(&mut survey);
        let told = roots(survey).into_iter().find(|root| root.starts_with("controller-manager-down"));
        assert_eq!(told, None, "{}", scenario.name);
    }
}

/// What the lease alone tells.
const NEED_THE_LEASE: [&str; 1] = ["controller-manager-down"];

/// Kinds that 1.28 does not serve by default.
fn is_newer_than_1_28(id: &ResourceId) -> bool {
    let kinds = [
        ("admissionregistration.k8s.io", "admissionpolicies"),
        ("admissionregistration.k8s.io", "admissionpolicybindings"),
        ("networking.k8s.io", "servicecidrs"),
        ("networking.k8s.io", "ipaddresses"),
        ("storage.k8s.io", "volumeattributesclasses"),
        ("resource.k8s.io", ""),
        ("certificates.k8s.io", "podcertificaterequests"),
        ("certificates.k8s.io", "clustertrustbundles"),
    ];
    kinds.iter().any(|(group, plural)| id.group == *group && id.plural.ends_with(plural))
}

#[test]
fn on_kubernetes_1_28_the_causes_are_the_same() {
    let older = |survey: &mut Survey| {
        survey.server = Some("v1.28.15".into());
        survey.discovery.resources.retain(|resource| !is_newer_than_1_28(&resource.id));
    };
    assert_eq!(others(older), NEWER_THAN_1_28);
}

/// They are about kinds that 1.28 has not.
const NEWER_THAN_1_28: [&str; 5] = [
    "attributes-class-in-use",
    "finalizer-removal-refused--live-policy",
    "finalizer-removal-refused--put-back",
    "resource-claim-in-use",
    "service-range-in-use",
];

/// What `OpenShift` serves besides: Projects are namespaces by another name, behind an aggregated
/// API, and `SecurityContextConstraints` come from a definition.
fn open_shift(survey: &mut Survey) {
    let kinds = [
        ("project.openshift.io", "projects", "Project", false),
        ("security.openshift.io", "securitycontextconstraints", "SecurityContextConstraints", false),
        ("route.openshift.io", "routes", "Route", true),
    ];
    let verbs = ["create", "delete", "get", "list", "patch", "update", "watch"];
    for (group, plural, kind, namespaced) in kinds {
        survey.discovery.resources.push(Resource {
            id: ResourceId::new(group, "v1", plural),
            kind: kind.into(),
            namespaced,
            singular: kind.to_lowercase(),
            short_names: Vec::new(),
            verbs: verbs.map(Into::into).to_vec(),
        });
    }
    // Nothing of them is there; Projects are read as the namespaces that they are.
    for _ in 0..8 {
        let wants = diagnose_survey(survey).wants.into_iter();
        let theirs: Vec<Want> = wants.filter(|want| want.resource.group.ends_with(".openshift.io")).collect();
        if theirs.is_empty() {
            return;
        }
        for want in theirs {
            let nothing = if want.name.is_some() { Fact::Missing } else { Fact::Listed(Vec::new()) };
            survey.record(want, nothing);
        }
    }
}

#[test]
fn on_openshift_the_causes_are_the_same() {
    assert_eq!(others(open_shift), Vec::<String>::new());
    let mut survey = Scenario::named("held-by-finalizer").survey();
    open_shift(&mut survey);
    let read = survey.facts_unsorted().filter(|(want, _)| want.resource.plural == "routes").count();
    assert!(read > 0, "its kinds are looked into, too");
}
