//! A deletion that was requested a moment ago: nothing is late yet. Where a controller does not run, other rules
//! say so at once.

use crate::facts::{Facts, Known, SETTLE, Sweep, Target, asked_ago, clock, is_late, is_pod};
use crate::kubernetes::kubelet::pods::kubelet_is_done;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref, Remedy, some_of};
use crate::survey::{Object, Seen};
use indexmap::IndexMap;
use jiff::{SignedDuration, Timestamp};

pub(super) const RULE: Rule =
    Rule::new("deletion-in-progress", include_str!("deletion_in_progress.md"), &[Explains::Deleted(diagnose)]);

/// How many holders are named, and how many of the objects that each holds.
const MAX_HOLDERS: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    // Where something is stuck, a deletion in progress is no news.
    if !target.is_deleting() || found.any_trouble() {
        return Ok(());
    }
    let mut going: Vec<(Ref, Timestamp)> = Vec::new();
    if !target.is_settled(facts) {
        let allowance = if target.is_namespace() { SETTLE * 3 } else { SETTLE };
        going.extend(due(target.object(), allowance).map(|due| (target.reference(), due)));
    }
    for seen in target.deleting(facts)? {
        let pod_after_grace = is_pod(seen.resource)
            && !kubelet_is_done(seen.object)
            && seen.object.metadata.deletion_timestamp.is_some_and(|end| end <= facts.now());
        let allowance = if pod_after_grace { grace(seen.object) + SETTLE * 2 } else { SETTLE };
        if !is_late(seen.object, facts, allowance) {
            going.extend(due(seen.object, allowance).map(|due| (seen.into(), due)));
        }
    }
    let Some((first, _)) = going.first().cloned() else { return Ok(()) };
    let Some(until) = going.iter().map(|(_, due)| *due).max() else { return Ok(()) };
    let asked = asked_ago(target.object(), facts);
    let objects: Vec<Ref> = going.into_iter().map(|(object, _)| object).collect();
    let summary = format!("deletion of {} was requested {asked} ago: nothing is late yet", target.reference());
    let mut draft = Draft::new(Cause::Progressing, first.clone(), summary)
        .on_time()
        .evidence(format!("requested {asked} ago"), &first, "metadata.deletionTimestamp")
        .in_summary();
    for text in still_there(target, facts)? {
        draft = draft.evidence(text, &first, "metadata");
    }
    let wait = Remedy::manual(format!("wait, and check again after {}", clock(until)), "nothing is lost");
    found.add(draft.remedy(wait).objects(objects));
    Ok(())
}

/// The objects that are left and their holders, which users want to know in the first minute.
fn still_there(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<String>> {
    let mut texts = Vec::new();
    if let Some(namespace) = target.namespace_being_emptied() {
        let sweep = facts.sweep(namespace)?;
        let left: Vec<Ref> = sweep.pods().chain(sweep.rest()).map(Ref::from).collect();
        let unread = if sweep.unread.is_empty() { "" } else { ", and what could not be read" };
        let count = if left.is_empty() { "nothing that can be read".to_owned() } else { Sweep::count(&left) };
        texts.push(format!("left in it: {count}{unread}"));
    }
    let mut holders: IndexMap<String, Vec<Ref>> = IndexMap::new();
    for seen in target.deleting(facts)? {
        if let Some(holder) = holder(seen, facts) {
            holders.entry(holder).or_default().push(seen.into());
        }
    }
    if !holders.is_empty() {
        let held = |(holder, objects): (&String, &Vec<Ref>)| format!("{holder} of {}", some_of(objects, MAX_HOLDERS));
        let held: Vec<String> = holders.iter().map(held).collect();
        texts.push(format!("held by {}", some_of(&held, MAX_HOLDERS)));
    }
    Ok(texts)
}

/// The holder of an object: `finalizer acme.io/x`.
fn holder(seen: Seen<'_>, facts: &Facts<'_>) -> Option<String> {
    let metadata = &seen.object.metadata;
    let end = metadata.deletion_timestamp.filter(|end| *end > facts.now() && is_pod(seen.resource));
    let word = if metadata.finalizers.len() == 1 { "finalizer" } else { "finalizers" };
    match (&metadata.finalizers[..], end) {
        ([], None) => None,
        ([], Some(end)) => Some(format!("the grace period until {}", clock(end))),
        (finalizers, _) => Some(format!("{word} {}", finalizers.join(", "))),
    }
}

fn grace(pod: &Object) -> SignedDuration {
    SignedDuration::from_secs(
        pod.metadata.deletion_grace_period_seconds.unwrap_or_default().clamp(0, i64::from(i32::MAX)),
    )
}

/// When the deletion becomes late.
fn due(object: &Object, allowance: SignedDuration) -> Option<Timestamp> {
    object.deletion_asked()?.checked_add(allowance).ok()
}
