//! Judges a controller if no workload has enough of the traces: the finalizer's owner may be somewhere
//! else, or gone.

use super::attention;
use super::words::reason_in;
use crate::facts::{All, Facts, Known, since};
use crate::knowledge::catalogue::Unseen;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::finalizers::names::ControllerName;
use crate::kubernetes::namespaces::is_closed;
use crate::kubernetes::ownership::candidates::Ranking;
use crate::kubernetes::ownership::external_controllers;
use crate::kubernetes::ownership::traces::Traces;
use crate::kubernetes::progress::hosted;
use crate::kubernetes::progress::inquiry::{Inquiry, words};
use crate::kubernetes::progress::writes::{self, LastWrite, SIGN_OF_LIFE, Writer};
use crate::kubernetes::statements::statement::Statement;
use crate::kubernetes::workloads::health;
use crate::reasons::at_work::{self, Work};
use crate::reasons::controller_gone::{self, ClosedNamespace};
use crate::reasons::found_reason::FoundReason;
use crate::reasons::judgement::Judgement;
use crate::reasons::questions::Questions;
use crate::reasons::{controller_down, controller_unknown, gives_no_reason, place};
use crate::report::{ControllerState, Ref, Sentence};
use crate::survey::{Form, Object, Seen};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use std::collections::BTreeSet;

/// How many possible controllers are named.
const MAX_SUSPECTS: usize = 3;

/// How many namespaces are checked in which the controller may have lived.
const MAX_HOMES: usize = 4;

/// A Ready pod of no Deployment, `StatefulSet` or `DaemonSet`, such as one of a Rollout, with a service
/// account that has the permissions.
fn lone_pod(inquiry: Inquiry<'_, '_>) -> Known<Option<(Ref, String)>> {
    let Inquiry { traces, facts, gaps, .. } = inquiry;
    // If many accounts may write the kind, a pod with one of them is no evidence.
    if !traces.rights_tell() {
        return Ok(None);
    }
    let Some(pods) = facts.preferred("", "pods") else { return Ok(None) };
    let accounts = traces.rights.holders.keys().take(3);
    let lists: Vec<_> =
        accounts.map(|account| (account, facts.list(&pods.id, Some(&account.namespace), Form::Whole))).collect();
    let deployments = facts.preferred("apps", "deployments");
    let deployments = deployments.map_or(Ok(&[][..]), |kind| facts.list(&kind.id, None, Form::Metadata));
    let deployments = gaps.pass(deployments)?;
    for (account, list) in lists {
        let runs_as = |pod: &&Object| pod.text("/spec/serviceAccountName").unwrap_or("default") == account.name;
        let lone = |pod: &&Object| {
            let of_workload = |owner: &OwnerReference| match owner.kind.as_str() {
                // Not only Deployments create ReplicaSets.
                "ReplicaSet" => deployments.is_none_or(|all| all.iter().any(|it| is_made_by(&owner.name, it, pod))),
                kind => ["StatefulSet", "DaemonSet"].contains(&kind),
            };
            !pod.metadata.owner_references.iter().any(of_workload)
        };
        let ready = |pod: &&Object| lone(pod) && health::says_ready(pod) && traces.rule_out(pod).is_none();
        if let Some(pod) = gaps.pass(list)?.unwrap_or_default().iter().filter(runs_as).find(ready) {
            let named = Ref::from(Seen { resource: pods, object: pod });
            let text = format!("{named} is Ready and runs as ServiceAccount {account}");
            return Ok(Some((named, text)));
        }
    }
    Ok(None)
}

/// Whether a `ReplicaSet` has the name that a Deployment in the namespace of `pod` gives to its own
/// (kubernetes/kubernetes: `pkg/controller/deployment/sync.go`).
fn is_made_by(replica_set: &str, deployment: &Object, pod: &Object) -> bool {
    let rest = replica_set.strip_prefix(deployment.name()).and_then(|rest| rest.strip_prefix('-'));
    deployment.metadata.namespace == pod.metadata.namespace && rest.is_some_and(|hash| !hash.contains('-'))
}

/// The namespace in which the controller cannot run again: its own, if that is being deleted. If
/// nothing tells where it lived, the namespace of the held objects may have been its own.
fn closed(traces: &Traces<'_>, held: &HeldObjects<'_>, facts: &Facts<'_>) -> Option<ClosedNamespace> {
    let here = held.first().object.metadata.namespace.as_deref();
    let holders = traces.rights.holders.keys().map(|account| account.namespace.as_str());
    let homes: BTreeSet<&str> = traces.namespaces.iter().map(String::as_str).chain(holders).take(MAX_HOMES).collect();
    let is_home = !homes.is_empty();
    let is_closed = |name: &&str| is_closed(name, facts);
    let name = match here.filter(|here| !is_home || homes.contains(here)) {
        Some(here) => Some(here).filter(is_closed),
        None => homes.first().copied().filter(|_| homes.iter().all(is_closed)),
    };
    name.map(|name| ClosedNamespace { name: name.to_owned(), is_home })
}

/// The traces of a controller, in words.
fn pointers(traces: &Traces<'_>) -> Vec<Sentence> {
    let mut pointers: Vec<String> = traces.names.iter().map(ControllerName::text).collect();
    // One entry of the catalogue may give several names.
    pointers.dedup();
    pointers.extend(traces.marks.iter().take(2).map(|mark| mark.text.clone()));
    pointers.extend(traces.rights.holders.iter().take(2).map(|(account, holder)| holder.text(account)));
    pointers.into_iter().map(Into::into).collect()
}

/// Judges the controller if no workload has enough of the traces.
pub(super) fn judge<'s>(
    ranking: &Ranking<'s>,
    inquiry: Inquiry<'_, 's>,
    questions: &Questions,
) -> Known<Judgement<'s>> {
    let Inquiry { finalizer, held, said, traces, facts, gaps } = inquiry;
    let mut evidence = pointers(traces);
    let found = |why, evidence| Judgement::new(why, evidence, traces.any_here());
    let control_plane = health::control_plane(&traces.names, facts, gaps)?;
    let names: Vec<String> = words(traces).collect();
    let written = writes::written_since(finalizer, held);
    let (has_written, has_stopped) = (written.is_some(), has_stopped(ranking, inquiry, written.as_ref()));
    // A controller that writes is running somewhere. For the controller manager this shows nothing:
    // many of its loops write.
    let may_speak = !has_stopped && !traces.names.iter().any(|name| name.word == "kube-controller-manager");
    if may_speak && said.iter().any(|said| !said.before) {
        let spoken = reason_in(&names, inquiry, questions)?;
        evidence.extend(spoken.evidence);
        if let Some(why) = spoken.why {
            let speaker = speaker(ranking, said);
            if ranking.complete && speaker.is_none() {
                evidence.push("no workload of this cluster is known to be the controller, but it writes".into());
            }
            // A workload that could not be read may have come back since its message.
            return Ok(found(why.doubtful(!ranking.complete), evidence).about(speaker));
        }
    }
    if let Some((state, text)) = control_plane {
        return Ok(found(by_lease(state, text), evidence));
    }
    if let Some((workload, text)) = lone_pod(inquiry)? {
        return Ok(found(gives_no_reason::found().evidence(vec![text.into()]), evidence).about(workload));
    }
    if let Some(written) = written {
        if !has_stopped {
            return Ok(unseen(found(elsewhere(written, facts), evidence)));
        }
        evidence.push(written.text.into());
        evidence.push("nothing has been written since, and nothing that could write runs here".into());
    }
    if let Some((workload, why)) = attention::out_of_scope(ranking, inquiry)? {
        return Ok(found(why, evidence).about(workload));
    }
    if let Some(gone) = place::node_of_volume_gone(held, facts)? {
        let perhaps = ranking.ruled_out.iter().find(|(seen, out)| !out.sure && seen.resource.kind == "DaemonSet");
        return Ok(found(gone, evidence).about(perhaps.map(|(seen, _)| Ref::from(*seen))));
    }
    not_here(ranking, inquiry, has_written, evidence)
}

/// Judges a controller that does not write and, as far as can be seen, is no workload here: it may
/// run in places that were not searched or outside of the cluster, or be gone.
fn not_here<'s>(
    ranking: &Ranking<'s>,
    inquiry: Inquiry<'_, 's>,
    has_written: bool,
    mut evidence: Vec<Sentence>,
) -> Known<Judgement<'s>> {
    let Inquiry { held, traces, facts, .. } = inquiry;
    let found = |why, evidence| Judgement::new(why, evidence, traces.any_here());
    let out_of_sight = |evidence| unseen(found(controller_unknown::found(), evidence));
    let closed = closed(traces, held, facts);
    if traces.rights.user.is_some()
        && let (Some((state, text)), _) = hosted::find(inquiry)?
    {
        let lapsed = state == ControllerState::Down;
        let why = if lapsed { controller_down::found_elsewhere(&text) } else { by_lease(state, text) };
        return Ok(found(why, evidence));
    }
    if cannot_be_told(ranking, inquiry, &mut evidence)? {
        return Ok(out_of_sight(evidence));
    }
    let (hosted, user) = (hosted::find(inquiry), external_controllers::user_elsewhere(held.first(), facts));
    let ((hosted, all_read), user) = (hosted, user).all()?;
    if let Some((state, text)) = hosted {
        return Ok(found(by_lease(state, text), evidence));
    }
    if let Some(text) = user {
        evidence.push(text.into());
        return Ok(out_of_sight(evidence));
    }
    let perhaps = external_controllers::account(traces, facts)?;
    let is_doubtful = !all_read || has_written || perhaps.is_some();
    let at_zero = |seen: Seen<'_>| health::is_scaled_to_zero(seen.object);
    let may_run = perhaps.as_ref().is_some_and(|perhaps| perhaps.is_meant && !perhaps.workload.is_some_and(at_zero));
    let mut why = match &perhaps {
        Some(perhaps) if perhaps.is_meant => controller_unknown::found(),
        _ => gone(ranking, inquiry, closed),
    };
    let may_write = perhaps.as_ref().and_then(|perhaps| perhaps.workload);
    why.evidence.extend(perhaps.map(|perhaps| perhaps.text.into()));
    let doubtful = why.is(&controller_unknown::REASON);
    let aside = if doubtful { perhaps_it(ranking, may_write) } else { Vec::new() };
    // A controller that wrote since the deletion existed then.
    let mut found = found(why.doubtful(is_doubtful), evidence);
    (found.profile.out_of_sight, found.profile.aside) = (!all_read || may_run, aside);
    Ok(found)
}

/// The same judgement about a controller that may run where nothing was searched.
fn unseen(mut found: Judgement<'_>) -> Judgement<'_> {
    found.profile.out_of_sight = true;
    found
}

/// The workloads that may be the controller, those at 0 replicas first; `may_write` is one more that is at 0.
fn perhaps_it(ranking: &Ranking<'_>, may_write: Option<Seen<'_>>) -> Vec<Sentence> {
    let all = ranking.suspects.iter().map(|(seen, _)| *seen).chain(may_write);
    let mut parked: Vec<Ref> =
        all.filter(|seen| health::is_scaled_to_zero(seen.object)).map(Ref::from).take(MAX_SUSPECTS).collect();
    parked.dedup();
    let sentence = |workload: &Ref| Sentence::from("perhaps ").then(workload).then(", which is scaled to 0 replicas");
    let runs = ranking.suspects.iter().map(|(seen, _)| *seen).filter(|seen| !health::is_scaled_to_zero(seen.object));
    let others = runs.take(MAX_SUSPECTS).map(|seen| Sentence::from("perhaps ").then(&Ref::from(seen)));
    parked.iter().map(sentence).chain(others).collect()
}

/// The explanation for a part of the control plane, by the state that its lease shows, and the `text` about that.
fn by_lease<'s>(state: ControllerState, text: String) -> FoundReason<'s> {
    let why = if state == ControllerState::Alive { gives_no_reason::found() } else { controller_unknown::found() };
    why.state(state).evidence(vec![text.into()])
}

/// Whether the controller's accounts in this cluster have no workload any more, and nothing is written.
fn has_stopped(ranking: &Ranking<'_>, inquiry: Inquiry<'_, '_>, written: Option<&LastWrite>) -> bool {
    let Inquiry { said, traces, facts, .. } = inquiry;
    ranking.complete
        && traces.rights.complete
        && traces.rights_tell()
        && !traces.rights.holders.is_empty()
        && !shows_life(said, written, facts)
}

/// Whether the controller may run where nothing was searched, or has no traces at all.
fn cannot_be_told(ranking: &Ranking<'_>, inquiry: Inquiry<'_, '_>, evidence: &mut Vec<Sentence>) -> Known<bool> {
    let Inquiry { traces, facts, gaps, .. } = inquiry;
    if let Some(user) = &traces.rights.user {
        evidence.push(format!("RBAC: user {user} may write this kind, and its program may run anywhere").into());
        return Ok(true);
    }
    if !ranking.complete || !traces.rights.complete {
        return Ok(true);
    }
    if let Some((place, text)) = &traces.unseen
        && !(*place == Unseen::Managed && health::no_cloud(facts, gaps)?)
    {
        evidence.push(text.clone().into());
        return Ok(true);
    }
    // A kind that is being taken away, that nobody may write and for which nothing runs has lost its controller.
    if !traces.any() && traces.definition.is_some_and(Object::is_deleting) {
        evidence.push("the kind's definition is being deleted, and no account may write the kind".into());
        return Ok(false);
    }
    if !traces.any() {
        let nothing = "nothing points to a controller: neither managedFields, nor the kind's definition, nor RBAC";
        evidence.push(format!("{nothing} ({} workloads checked)", ranking.looked_at).into());
    }
    Ok(!traces.any())
}

/// Whether there was a statement or a write a moment ago.
fn shows_life(said: &[Statement<'_>], written: Option<&LastWrite>, facts: &Facts<'_>) -> bool {
    let said = said.iter().filter(|said| !said.before).filter_map(|said| said.at);
    let latest = said.chain(written.map(|written| written.at)).max();
    latest.is_some_and(|at| since(at, facts.now()) <= SIGN_OF_LIFE)
}

/// The workload, among those that only their names rule out, whose pod reports the trouble: a
/// provisioner's events carry its name and its host's, `csi.acme.io_csi-acme-7b6d5-x2x4q`
/// (kubernetes-sigs/sig-storage-lib-external-provisioner: `controller/controller.go`).
fn speaker(ranking: &Ranking<'_>, said: &[Statement<'_>]) -> Option<Ref> {
    let hosts = said.iter().filter(|said| said.trouble).filter_map(|said| said.by()?.split('_').nth(1));
    let runs_there = |host: &str, workload: &Object| {
        let rest = host.strip_prefix(workload.name());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    hosts.into_iter().find_map(|host| {
        let mut doubted = ranking.ruled_out.iter().filter(|(_, out)| !out.sure);
        doubted.find(|(seen, _)| runs_there(host, seen.object)).map(|(seen, _)| (*seen).into())
    })
}

/// Judges a controller that writes, while no workload here is known to be it.
fn elsewhere<'s>(written: LastWrite, facts: &Facts<'_>) -> FoundReason<'s> {
    let mut evidence: Vec<Sentence> = vec![written.text.into()];
    if written.by == Writer::OfOneOfThem {
        evidence.push("it is not known which of its finalizers belongs to that controller".into());
        return controller_unknown::found().evidence(evidence);
    }
    evidence.push("no workload of this cluster is known to be the controller: it writes from elsewhere".into());
    if since(written.at, facts.now()) > SIGN_OF_LIFE {
        evidence.push("nothing has been written since, so it is not known whether it still runs".into());
        return controller_unknown::found().evidence(evidence);
    }
    let why = if written.is_progress { at_work::found(Work::Expected) } else { gives_no_reason::found() };
    why.evidence(evidence)
}

/// Judges that the controller is gone: every workload was checked, and none is it.
fn gone<'s>(ranking: &Ranking<'s>, inquiry: Inquiry<'_, 's>, closed: Option<ClosedNamespace>) -> FoundReason<'s> {
    let Inquiry { held, traces, .. } = inquiry;
    if !ranking.suspects.is_empty() {
        let perhaps = ranking.suspects.iter().take(MAX_SUSPECTS);
        let perhaps = perhaps.map(|(seen, why)| format!("perhaps {}: {why}", Ref::from(*seen)).into());
        return controller_unknown::found().evidence(perhaps.collect());
    }
    if ranking.ruled_out.iter().any(|(_, out)| !out.sure) {
        return controller_unknown::found().evidence(vec!["it may run here under another name".into()]);
    }
    let none = "no Deployment, StatefulSet or DaemonSet in this cluster matches";
    let none = format!("{none} ({} checked)", ranking.looked_at);
    let stays = traces.definition.is_some_and(|definition| !definition.is_deleting());
    let installed = stays && is_custom(&held.first().resource.id.group);
    let home = closed.as_ref().filter(|closed| closed.is_home);
    let home = home.map(|home| format!("its own namespace {} is being deleted", home.name));
    let evidence = std::iter::once(none).chain(home).map(Into::into).collect();
    controller_gone::found(installed, closed).evidence(evidence)
}
