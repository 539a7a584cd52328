//! Objects that a finalizer of Kubernetes keeps while others use them. Each kind has its rule, which finds the users
//! and words what keeps the object; what all these rules do next is here.

use crate::facts::{Facts, Known, OwnedFinalizer, Readable, Target, each, for_each, is_pod};
use crate::findings::controller_manager::protection_was_not_taken_off;
use crate::kubernetes::finalizers::late::waiting;
use crate::kubernetes::storage::is_finished;
use crate::needs::{Draft, Findings};
use crate::plan::{full_name, in_namespace, one, quote};
use crate::report::{Cause, Ref, Remedy, Sentence, and_more};
use crate::survey::Seen;

/// How many objects of a target are checked for users.
const MAX_CHECKED: usize = 20;
/// How many users are evidence of the use.
pub(crate) const MAX_SHOWN: usize = 3;
/// How many users are stopped one by one.
const MAX_STOPPED: usize = 2;
/// How many pods a command names.
const MAX_NAMED: usize = 10;

/// The finalizer that keeps the objects of one kind while they are in use.
#[derive(Clone, Copy)]
pub(crate) struct InUseFinalizer {
    /// The finalizer, with the kind.
    pub(crate) owned: OwnedFinalizer,
    /// The cause of the findings about it.
    pub(crate) cause: Cause,
}

/// The use of an object, with the finding about it as far as the rule of its kind words that.
pub(crate) enum Use<'s> {
    /// These users keep the object.
    By(Vec<Seen<'s>>, Draft),
    /// Nothing uses the object any more, but its finalizer was not removed.
    Over(Draft),
    /// The users could not be read.
    Unread(Draft),
    /// The rule has said everything: how this use ends is particular to the kind.
    Told(Draft),
    /// The object goes: its finalizer is removed on time.
    Going,
}

impl InUseFinalizer {
    /// The finalizer `name` on objects of `kind`.
    pub(crate) const fn new(kind: &'static str, name: &'static str) -> Self {
        Self { owned: OwnedFinalizer::new(kind, name), cause: Cause::Storage }
    }

    /// The objects here that are late and have the finalizer.
    pub(crate) fn waiting<'s>(self, target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
        let has_it = |seen: &Seen<'_>| {
            let mut keys = seen.object.metadata.finalizers.iter();
            keys.any(|key| self.owned.is(seen.resource, key))
        };
        Ok(waiting(target, facts)?.into_iter().filter(has_it).collect())
    }

    /// The finding that the finalizer keeps an object.
    pub(crate) fn keeps(self, object: &Ref, summary: impl Into<Sentence>) -> Draft {
        kept(self.cause, object, self.owned.name(), summary)
    }

    /// Adds the finding for each object here that is late and has the finalizer.
    pub(crate) fn diagnose<'s>(
        self,
        target: &Target<'s>,
        facts: &Facts<'s>,
        found: &mut Findings,
        use_of: impl Fn(Seen<'s>, &Facts<'s>) -> Known<Use<'s>>,
    ) -> Known {
        for_each(self.waiting(target, facts)?.into_iter().take(MAX_CHECKED), |object| {
            let draft = match use_of(object, facts)? {
                Use::By(users, draft) => used_by(draft, &users, target, facts, found)?,
                Use::Over(draft) => protection_was_not_taken_off(draft, object, facts)?,
                Use::Unread(draft) => draft.likely(),
                Use::Told(draft) => draft,
                Use::Going => return Ok(()),
            };
            found.add(draft);
            Ok(())
        })
    }
}

/// The first of `count` users by name, and how many others there are.
pub(crate) fn first_and_more(first: Seen<'_>, count: usize) -> String {
    format!("{}{}", Ref::from(first), and_more(count.saturating_sub(1)))
}

/// The finding that an object is kept by the finalizer for objects in use.
pub(crate) fn kept(cause: Cause, named: &Ref, finalizer: &str, summary: impl Into<Sentence>) -> Draft {
    Draft::new(cause, named.clone(), summary).finalizer(finalizer).kept_by(finalizer, named)
}

/// Adds the users of the subject. A user that is being deleted is followed, and whatever holds it is the root.
/// Otherwise somebody has to decide about it.
pub(crate) fn used_by(
    draft: Draft,
    users: &[Seen<'_>],
    target: &Target<'_>,
    facts: &Facts<'_>,
    found: &mut Findings,
) -> Known<Draft> {
    let Some(first) = users.iter().find(|user| !user.object.is_deleting()).or(users.first()) else { return Ok(draft) };
    let named = Ref::from(*first);
    let draft = draft.waits_for(named.clone());
    if first.object.is_deleting() {
        // In a namespace that is a target, objects that are being deleted are checked anyway.
        let inside = target.is_namespace() && named.namespace.as_deref() == Some(target.object().name());
        if !inside {
            found.follow(*first);
        }
        return Ok(draft.underway().evidence(
            "is being deleted and still exists",
            &named,
            "metadata.deletionTimestamp",
        ));
    }
    let draft = draft.evidence("is not being deleted", &named, "metadata.deletionTimestamp");
    let stay: Vec<Seen<'_>> = users.iter().filter(|user| !user.object.is_deleting()).copied().collect();
    let (over, others): (Vec<Seen<'_>>, Vec<Seen<'_>>) =
        stay.into_iter().partition(|user| is_pod(user.resource) && is_finished(user.object));
    let over = (!over.is_empty()).then(|| delete_finished(&over));
    let others = each(others.into_iter().take(MAX_STOPPED), |user| {
        if is_pod(user.resource) { stop(user, facts) } else { Ok(decide(&user.into())) }
    })?;
    Ok(draft.remedies(over.into_iter().chain(others)))
}

/// The remedy for finished pods, after which they no longer count as users.
fn delete_finished(pods: &[Seen<'_>]) -> Remedy {
    let first = Ref::from(pods[0]);
    let names: Vec<String> = pods.iter().take(MAX_NAMED).map(|pod| quote(pod.object.name())).collect();
    let command = format!("kubectl delete pod {}{}", names.join(" "), in_namespace(&first));
    let (title, consequence) = match pods.len() {
        1 => (format!("delete {first}, which has finished"), "its log and its status are deleted with it"),
        count => (
            format!("delete {first} and {} more, which have finished", count - 1),
            "their logs and their status are deleted with them",
        ),
    };
    Remedy::command(title, command, consequence)
}

fn decide(object: &Ref) -> Remedy {
    Remedy::command(
        format!("first decide on {object}, which is not being deleted"),
        format_args!("kubectl get {} -o yaml", full_name(object)),
        "checking loses nothing",
    )
}

/// The remedy that ends a pod without a replacement.
fn stop(pod: Seen<'_>, facts: &Facts<'_>) -> Known<Remedy> {
    let named = Ref::from(pod);
    let namespace = in_namespace(&named);
    let delete = format!("kubectl delete {}{namespace}", one("pod", &named.name));
    let owner = pod.object.metadata.owner_references.iter().find(|owner| owner.controller == Some(true));
    let Some(owner) = owner else {
        return Ok(Remedy::command(format!("stop {named}"), delete, "its containers stop"));
    };
    let (kind, name) = match above(owner, &named, facts)? {
        Some(above) => above,
        None => (owner.kind.clone(), owner.name.clone()),
    };
    let stop = Sentence::from(format!("stop {named} by stopping {kind} {name}, which creates it again"));
    let what = || one(&kind.to_lowercase(), &name);
    let stop = match kind.as_str() {
        "Deployment" | "StatefulSet" | "ReplicaSet" | "ReplicationController" => {
            stop.by(format_args!("kubectl scale {}{namespace} --replicas=0", what()))
        }
        "Job" | "DaemonSet" => stop.by(format_args!("kubectl delete {}{namespace}", what())),
        _ => stop,
    };
    Ok(Remedy::manual(stop, "its containers stop until it is started again"))
}

/// The Deployment of a pod's `ReplicaSet`.
fn above(
    owner: &k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference,
    pod: &Ref,
    facts: &Facts<'_>,
) -> Known<Option<(String, String)>> {
    let Some(sets) = facts.preferred("apps", "replicasets").filter(|_| owner.kind == "ReplicaSet") else {
        return Ok(None);
    };
    let set = facts.metadata(&sets.id, pod.namespace.as_deref(), &owner.name).if_readable()?.flatten();
    let above = set.and_then(|set| set.metadata.owner_references.iter().find(|owner| owner.controller == Some(true)));
    Ok(above.map(|above| (above.kind.clone(), above.name.clone())))
}
