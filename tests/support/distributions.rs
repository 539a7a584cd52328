//! Clusters that cannot be built here, derived from surveys that were recorded elsewhere.

use kubectl_unstick::diagnosis::{close, diagnose_survey};
use kubectl_unstick::report::Report;
use kubectl_unstick::survey::{Fact, Form, Object, Resource, ResourceId, Survey, Want};
use serde_json::json;
use std::collections::BTreeSet;

/// The lease of the leading controller manager.
const MANAGER: &str = "kube-controller-manager";

/// An additional kind that a distribution serves.
struct Served {
    /// `group/version/plural`
    resource: [&'static str; 3],
    kind: &'static str,
    namespaced: bool,
    /// Whether a server of the distribution serves it, behind an aggregated API.
    aggregated: bool,
}

const fn kind(resource: [&'static str; 3], kind: &'static str, namespaced: bool, aggregated: bool) -> Served {
    Served { resource, kind, namespaced, aggregated }
}

/// The differences between a distribution and the cluster of the recorded surveys.
pub struct Distribution {
    /// The server's version.
    version: &'static str,
    /// The additional kinds that it serves.
    kinds: &'static [Served],
    /// The kinds that it does not serve.
    lacks: fn(&ResourceId) -> bool,
    /// Whether the controller manager has a visible lease.
    has_lease: bool,
}

/// Kubernetes 1.28.
pub const KUBERNETES_1_28: Distribution =
    Distribution { version: "v1.28.15", kinds: &[], lacks: is_newer_than_1_28, has_lease: true };

/// `OpenShift`. Projects are namespaces by another name.
pub const OPENSHIFT: Distribution = Distribution {
    version: "v1.33.4",
    kinds: &[
        kind(["project.openshift.io", "v1", "projects"], "Project", false, true),
        kind(["route.openshift.io", "v1", "routes"], "Route", true, true),
        kind(["security.openshift.io", "v1", "securitycontextconstraints"], "SecurityContextConstraints", false, false),
    ],
    lacks: |_| false,
    has_lease: true,
};

/// k3s, whose only controller manager needs no lease.
pub const K3S: Distribution = Distribution {
    version: "v1.36.1+k3s1",
    kinds: &[
        kind(["helm.cattle.io", "v1", "helmcharts"], "HelmChart", true, false),
        kind(["k3s.cattle.io", "v1", "addons"], "Addon", true, false),
        kind(["k3s.cattle.io", "v1", "etcdsnapshotfiles"], "ETCDSnapshotFile", false, false),
    ],
    lacks: |_| false,
    has_lease: false,
};

/// A managed control plane, as on EKS, GKE and AKS: none of it need be visible.
pub const MANAGED: Distribution = Distribution {
    version: "v1.33.5-eks-3025e55",
    kinds: &[
        kind(["crd.k8s.amazonaws.com", "v1alpha1", "eniconfigs"], "ENIConfig", false, false),
        kind(["networking.k8s.aws", "v1alpha1", "policyendpoints"], "PolicyEndpoint", true, false),
        kind(["vpcresources.k8s.aws", "v1beta1", "securitygrouppolicies"], "SecurityGroupPolicy", true, false),
        kind(["metrics.eks.amazonaws.com", "v1", "ksh"], "Ksh", false, true),
    ],
    lacks: |_| false,
    has_lease: false,
};

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

impl Distribution {
    /// Turns a survey into one of this distribution.
    pub fn change(&self, survey: &mut Survey) {
        survey.server = Some(self.version.into());
        survey.discovery.resources.retain(|resource| !(self.lacks)(&resource.id));
        if !self.has_lease {
            hide_the_lease(survey);
        }
        self.kinds.iter().for_each(|kind| kind.serve(survey));
        self.hold_nothing(survey);
    }

    /// Adds empty lists for its additional kinds to the survey.
    fn hold_nothing(&self, survey: &mut Survey) {
        let is_theirs = |want: &Want| self.kinds.iter().any(|kind| kind.resource[0] == want.resource.group);
        loop {
            let theirs: Vec<Want> = diagnose_survey(survey).wants.into_iter().filter(is_theirs).collect();
            if theirs.is_empty() {
                return;
            }
            for want in theirs {
                let nothing = if want.name.is_some() { Fact::Missing } else { Fact::Listed(Vec::new()) };
                survey.record(want, nothing);
            }
        }
    }
}

impl Served {
    fn serve(&self, survey: &mut Survey) {
        let [group, version, plural] = self.resource;
        let verbs = ["create", "delete", "get", "list", "patch", "update", "watch"];
        survey.discovery.resources.push(Resource {
            id: ResourceId::new(group, version, plural),
            kind: self.kind.into(),
            namespaced: self.namespaced,
            singular: self.kind.to_lowercase(),
            short_names: Vec::new(),
            verbs: verbs.map(Into::into).to_vec(),
        });
        if self.aggregated {
            register(survey, group, version);
        }
    }
}

/// Adds an `APIService` whose server answers.
fn register(survey: &mut Survey, group: &str, version: &str) {
    let list = Want::list(&ResourceId::new("apiregistration.k8s.io", "v1", "apiservices"), None, Form::Whole);
    let Some(Fact::Listed(registered)) = survey.fact(&list) else { return };
    let mut registered = registered.clone();
    let name = format!("{version}.{group}");
    let object = json!({
        "metadata": {"name": name, "uid": name, "resourceVersion": "1", "creationTimestamp": "2020-01-01T00:00:00Z"},
        "spec": {"group": group, "version": version, "service": {"namespace": "kube-system", "name": "extension"},
            "groupPriorityMinimum": 9900, "versionPriority": 15},
        "status": {"conditions": [{"type": "Available", "status": "True", "reason": "Passed",
            "message": "all checks passed", "lastTransitionTime": "2020-01-01T00:00:00Z"}]},
    });
    registered.push(Object::single(object).expect("an APIService"));
    survey.record(list, Fact::Listed(registered));
}

fn hide_the_lease(survey: &mut Survey) {
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

/// The root causes of an incomplete survey.
pub fn roots(survey: Survey) -> BTreeSet<String> {
    let roots = report(survey).findings.into_iter().filter(|finding| finding.root);
    roots.map(|finding| format!("{} {}", finding.rule, finding.subject)).collect()
}

/// The report on an incomplete survey.
pub fn report(mut survey: Survey) -> Report {
    loop {
        let diagnosis = diagnose_survey(&survey);
        if diagnosis.wants.is_empty() {
            return diagnosis.report;
        }
        close(&mut survey, diagnosis.wants);
    }
}
