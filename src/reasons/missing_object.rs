//! Objects that do not exist, and that a controller needs: how they come back.

use super::advice::look_at;
use super::case::Case;
use crate::facts::Facts;
use crate::kubernetes::namespaces::{is_closed, takes_nothing_new};
use crate::kubernetes::ownership::power;
use crate::plan::{create, in_namespace};
use crate::report::{Ref, Remedy, Sentence};
use crate::survey::{Form, Object};

/// Why a missing object must be created again.
const TO_FINISH: &str = ", so that its controller can finish";

/// The ends of the names of kinds whose objects have others as their parts.
const WHOLES: [&str; 11] = [
    "account", "cluster", "controlplane", "instance", "organization", "project", "resourcegroup", "server",
    "subscription", "tenant", "workspace",
];

/// Whether a missing object had others as its parts: what these stand for outside may have gone with it.
pub(super) fn is_whole(what: &Ref) -> bool {
    let kind = what.kind.to_lowercase();
    WHOLES.iter().any(|end| kind.ends_with(end))
}

/// The remedy to create an object again that the clean-up needs.
pub(super) fn create_it(case: &Case<'_, '_>, what: &Ref) -> Remedy {
    let again = case.by_hand(missing(what, case.first(), case.facts));
    Remedy { mends_its_work: true, ..again }
}

/// The same before a deletion.
pub(super) fn again(what: &Ref) -> Remedy {
    let title = Sentence::from("create ").then(what).then(" again before you delete");
    Remedy::manual(title, "nothing is lost: the controller does its own clean-up")
}

/// The remedy for a missing object that a workload's pods need, if it can still be created.
pub(super) fn create_again(what: &Ref, own_way: &str, facts: &Facts<'_>) -> Sentence {
    match what.namespace.as_deref().filter(|place| is_closed(place, facts)) {
        Some(place) => format!(
            "run its controller from another namespace, with {} {} there: nothing can be created in {place}{own_way}",
            what.kind, what.name
        )
        .into(),
        None => Sentence::from(format!("create {what} again")).by(create(&what.kind.to_lowercase(), what)),
    }
}

fn missing(what: &Ref, first: &Ref, facts: &Facts<'_>) -> Sentence {
    let place = what.namespace.as_ref().filter(|namespace| takes_nothing_new(namespace, facts));
    let title = if place.is_some() && place == first.namespace.as_ref() {
        format!(
            "create {what} where its controller also reads it (its own namespace, or a cluster-wide setting): nothing \
            can be created in a terminating namespace"
        )
    } else if let Some(place) = place {
        format!(
            "create {what} in another namespace that its controller reads: {place} is terminating or cannot be read"
        )
    } else if is_pod(what) {
        return bring_back(what, facts);
    } else if power::over(&what.target().resource).is_some_and(|of| of != power::SECRETS) {
        // Anybody who may write the object could name a ClusterRole or a webhook there.
        format!("find out what created {what}, and apply that again; do not rely on {first} alone, which names it")
    } else if is_core(what, "services") {
        format!("restore {what} by installing its product again{TO_FINISH}")
    } else {
        format!("create {what} again{TO_FINISH}")
    };
    title.into()
}

pub(super) fn is_pod(what: &Ref) -> bool {
    is_core(what, "pods")
}

/// Whether an object is of this kind in the core group.
pub(super) fn is_core(what: &Ref, plural: &str) -> bool {
    what.resource == plural && !what.api_version.contains('/')
}

/// The remedy for a missing pod: workloads create pods, and one created by hand would not be the missing one.
pub(super) fn bring_back(pod: &Ref, facts: &Facts<'_>) -> Sentence {
    match maker(pod, facts) {
        Some(workload) => Sentence::from(format!("check why {workload} does not create {pod} again, and fix that"))
            .by(look_at(&workload)),
        None => Sentence::from(format!(
            "bring back what creates {pod} (its StatefulSet, Deployment or Job), so that its controller can finish"
        ))
        .by(format_args!("kubectl get statefulsets,replicasets,jobs{}", in_namespace(pod))),
    }
}

/// The workload that creates a pod of this name: `db` creates `db-0` as a `StatefulSet`,
/// `db-5c689d88bb-x7k2p` as a Deployment, and `db-x7k2p` as a `DaemonSet`
/// (<https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#pod-identity>,
/// kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/storage/names/generate.go`).
fn maker(pod: &Ref, facts: &Facts<'_>) -> Option<Ref> {
    ["statefulsets", "deployments", "daemonsets"].into_iter().find_map(|plural| {
        let resource = facts.preferred("apps", plural)?;
        // These kinds were listed already, in the search for the controller.
        let all = facts.list(&resource.id, None, Form::Metadata).ok()?;
        let makes = |workload: &&Object| {
            let rest = pod.name.strip_prefix(workload.name()).and_then(|rest| rest.strip_prefix('-'));
            workload.metadata.namespace.as_deref() == pod.namespace.as_deref()
                && rest.is_some_and(|rest| is_given_by(plural, rest))
        };
        all.iter().find(makes).map(|object| Ref::of(resource, object))
    })
}

/// Whether workloads of this kind give their pods names that end in `rest`.
fn is_given_by(plural: &str, rest: &str) -> bool {
    let random = |part: &str| part.len() == 5 && part.bytes().all(|c| c.is_ascii_alphanumeric());
    let plain = |hash: &str| !hash.is_empty() && hash.bytes().all(|c| c.is_ascii_alphanumeric());
    match plural {
        "statefulsets" => !rest.is_empty() && rest.bytes().all(|c| c.is_ascii_digit()),
        "deployments" => rest.split_once('-').is_some_and(|(hash, part)| plain(hash) && random(part)),
        _ => random(rest),
    }
}
