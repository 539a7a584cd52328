//! No replica of the controller is the leader.

use super::advice::{ask_it, look_at};
use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, UnsaidReasons, WordedReason};
use crate::facts::{All, Known, since};
use crate::kubernetes::lease::{holder, holding_pod, lasts, renewed};
use crate::kubernetes::ownership::owner::run_the_same;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::plan::full_name;
use crate::report::{Ref, Remedy, Sentence};
use crate::survey::{Form, Object};

pub(crate) const REASON: NamedReason = NamedReason::new("not-leader", include_str!("not_leader.md"), Stage::Place);

/// The leader is a pod that does not exist, or one of another installation of the same program.
pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let AskedController { best, pods: own, inquiry, .. } = *asked;
    if asked.watches {
        return Ok(None);
    }
    let Inquiry { facts, gaps, .. } = inquiry;
    let (Some(leases), Some(kind)) = (facts.preferred("coordination.k8s.io", "leases"), facts.preferred("", "pods"))
    else {
        return Ok(None);
    };
    let namespace = best.seen.object.metadata.namespace.as_deref();
    let all = facts.list(&leases.id, namespace, Form::Whole);
    let pods = facts.list(&kind.id, namespace, Form::Whole);
    let (all, pods) = (gaps.pass(all), gaps.pass(pods)).all()?;
    let (Some(all), Some(pods)) = (all, pods) else { return Ok(None) };
    let holders = all.iter().filter_map(|lease| {
        let (renewed, holder, pod) = (renewed(lease)?, holder(lease)?, holding_pod(lease)?);
        (since(renewed, facts.now()) <= lasts(lease)).then_some((lease, holder, pod))
    });
    let holders: Vec<_> = holders.collect();
    if holders.iter().any(|(_, _, pod)| own.iter().any(|own| own.name() == *pod)) {
        return Ok(None);
    }
    let found = holders.into_iter().find_map(|(lease, holder, name)| {
        let lease = Ref::of(leases, lease);
        match pods.iter().find(|pod| pod.name() == name) {
            None => is_a_pods(name, best.seen.object).then(|| found_led_by_nobody(lease, holder.to_owned())),
            Some(pod) => run_the_same(pod, best.seen.object).then(|| found_led_by_another(lease, Ref::of(kind, pod))),
        }
    });
    Ok(found)
}

/// Whether a name is certainly that of a Deployment's pod, which ends in a hash and five characters
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/storage/names/generate.go`).
fn is_a_pods(name: &str, workload: &Object) -> bool {
    let rest = name.strip_prefix(workload.name()).and_then(|rest| rest.strip_prefix('-'));
    let words = rest.and_then(|rest| rest.split_once('-'));
    words.is_some_and(|(hash, end)| hash.len() > 4 && end.len() == 5 && end.chars().all(|c| c.is_ascii_alphanumeric()))
}

fn found_led_by_nobody<'s>(lease: Ref, holder: String) -> FoundReason<'s> {
    REASON.found(move |case| led_by_nobody(case, &lease, &holder))
}

fn found_led_by_another<'s>(lease: Ref, pod: Ref) -> FoundReason<'s> {
    REASON.found(move |case| led_by_another(case, &lease, &pod))
}

/// Nobody renews the lease.
pub(super) fn ask_leaderless<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let found = REASON.found(|case| {
        let because = case.name().then(" runs, but none of its replicas holds the leader lease");
        Ok(REASON.likely(case, because).acts().can_be_mended(true).remedies(ask_it(case)))
    });
    let is_free = unsaid.lease.as_ref().is_some_and(|lease| !lease.fresh);
    Ok(is_free.then(|| found.evidence(vec!["nobody has renewed the lease: no replica is leader".into()])))
}

/// A pod that does not exist holds the lease, which is still renewed.
fn led_by_nobody<'s>(case: &Case<'_, 's>, lease: &Ref, holder: &str) -> WordedReason<'s> {
    let held = Sentence::from(lease).then(format!(" is held by {holder}, which does not exist, and "));
    let way = case.workload().map(|_| {
        Remedy::command(
            "make one of its pods the leader",
            format_args!("kubectl delete {}", full_name(lease)),
            format!("another replica that renews the lease may work at the same time; {}", case.clean_up()),
        )
    });
    answer(case, held.then(case.name()).then(" is not the leader"), lease, holder).remedies(way)
}

/// A pod of another installation of the same program holds the lease.
fn led_by_another<'s>(case: &Case<'_, 's>, lease: &Ref, pod: &Ref) -> WordedReason<'s> {
    let because = case.name().then(" runs, but ").then(pod).then(" of another release holds ").then(lease);
    let way = case.workload().map(|_| {
        let title = format!("check whether {pod} should be the leader; if not, uninstall its release");
        Remedy::command(title, look_at(pod), case.clean_up())
    });
    answer(case, because, lease, pod).remedies(way)
}

fn answer<'s>(case: &Case<'_, 's>, because: Sentence, lease: &Ref, holder: impl std::fmt::Display) -> WordedReason<'s> {
    let answer = REASON.likely(case, because).waits_for(lease.clone()).can_be_mended(true);
    answer.evidence(format!("held by {holder}"), lease, "spec.holderIdentity")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_of_a_deployment_is_known_by_its_name() {
        let workload: Object = serde_json::from_value(serde_json::json!({"metadata": {"name": "acme"}})).unwrap();
        assert!(is_a_pods("acme-5c689d88bb-x7k2p", &workload));
        for other in ["acme-7c9f", "acme-other-5c689d88bb-x7k2p", "worker-1", "acme"] {
            assert!(!is_a_pods(other, &workload), "{other}");
        }
    }
}
