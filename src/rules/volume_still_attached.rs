//! A volume waits until it is detached from every node, and an attachment until its driver has detached
//! it (kubernetes-csi/external-attacher: `pkg/controller/csi_handler.go`): the attachment is deleted
//! before the volume.

use crate::facts::{All, Facts, Known, Readable, Target, each, for_each};
use crate::findings::in_use::{MAX_SHOWN, kept, used_by};
use crate::findings::removal::removal;
use crate::findings::storage::with_deleted_disk;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::late::waiting;
use crate::kubernetes::messages::trouble::is_about_absence;
use crate::kubernetes::ownership::drivers::{driver_of, is_csi};
use crate::kubernetes::statements::statement::brief;
use crate::kubernetes::storage::attachment::detach_error;
use crate::kubernetes::storage::{ATTACHED, claim_of, is_attachment, is_volume, keeps_attached};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::one;
use crate::reasons::waits::draft as held_draft;
use crate::reasons::waits::{CLEANS_UP, beyond_repair};
use crate::reasons::{controller_gone, controller_unknown, find, gives_no_reason};
use crate::report::{Cause, Ref, Remedy, Sentence, Why};
use crate::survey::{Condition, Form, Object, Resource, Seen, TargetName};

pub(super) const RULE: Rule =
    Rule::new("volume-still-attached", include_str!("volume_still_attached.md"), &[Explains::Deleted(diagnose)])
        .owns(&ATTACHED);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for_each(waiting(target, facts)?, |seen| {
        let keys = seen.object.metadata.finalizers.iter();
        let held: Vec<&String> = keys.filter(|key| keeps_attached(seen.resource, key)).collect();
        let Some(first) = held.first() else { return Ok(()) };
        let is_volume = is_volume(seen.resource);
        // While a claim is bound to it, it must not be detached.
        if is_volume && claim_of(seen.object, facts).if_readable()?.is_some_and(|claim| claim.is_alive()) {
            return Ok(());
        }
        let attachments = if is_volume { attachments(seen, facts)? } else { Vec::new() };
        let drafts = if attachments.is_empty() {
            each(held, |key| not_released(seen, key, target, facts))?
        } else {
            vec![used_by(attached(seen, first, &attachments), &attachments, target, facts, found)?]
        };
        let drafts = drafts.into_iter();
        found.add_all(drafts.map(|draft| if is_volume { with_deleted_disk(draft, seen) } else { draft }));
        Ok(())
    })
}

/// The attachments of a volume, as far as they can be read.
fn attachments<'s>(volume: Seen<'_>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let Some(kind) = facts.preferred("storage.k8s.io", "volumeattachments") else { return Ok(Vec::new()) };
    let all = facts.list(&kind.id, None, Form::Whole).or_note(facts)?.unwrap_or_default();
    let of_it = |object: &&Object| object.text("/spec/source/persistentVolumeName") == Some(volume.object.name());
    Ok(all.iter().filter(of_it).map(|object| Seen { resource: kind, object }).collect())
}

/// The finding for a volume that waits for its attachments.
fn attached(volume: Seen<'_>, finalizer: &str, attachments: &[Seen<'_>]) -> Draft {
    let (named, first, object) = (Ref::from(volume), Ref::from(attachments[0]), attachments[0].object);
    let node = object.text("/spec/nodeName").unwrap_or_default();
    let driver = object.text("/spec/attacher").map(|name| format!(" of driver {name}")).unwrap_or_default();
    let says = format!("{named}: still attached to node {node} by {first}{driver}");
    let draft = kept(Cause::Storage, &named, finalizer, says);
    draft.with_each(attachments.iter().take(MAX_SHOWN), |draft, attachment| {
        let object = attachment.object;
        let status = if object.at("/status/attached").and_then(serde_json::Value::as_bool) == Some(true) {
            "attached"
        } else {
            "not attached (any more)"
        };
        let node = object.text("/spec/nodeName").unwrap_or_default();
        draft.evidence(format!("names the volume; {status}, node {node}"), &(*attachment).into(), "spec.source")
    })
}

/// The finding for a driver that has not released the volume: its state, its message and its obstacles.
fn not_released(seen: Seen<'_>, finalizer: &str, target: &Target<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let object = seen.object;
    let driver = driver_of(seen).filter(|driver| is_csi(driver));
    let draft = held_draft(target, Cause::Storage, finalizer, &[seen], facts);
    let installed = named(facts, "storage.k8s.io", "csidrivers", driver).if_readable();
    let ends = ends(seen, facts);
    let found = HeldObjects::read_whole(&[seen], facts).and_then(|held| find(finalizer, &held, facts));
    let (mut draft, installed, ends, found) = (draft, installed, ends, found).all()?;
    let installed = installed.flatten();
    let itself = Ref::from(seen);
    if is_attachment(seen.resource) {
        draft = draft.remedy_before_removal(Remedy::command(
            "before you remove its finalizer, make sure at the storage backend that the volume is detached",
            format_args!("kubectl get {} -o yaml", one("volumeattachment", object.name())),
            "otherwise two nodes may write to it",
        ));
    }
    if let Some((driver, None)) = &installed {
        draft = draft.evidence_first("not found", driver, "");
        // Some drivers have no such object: a running one is installed anyway.
        if found.why.is(&controller_gone::REASON) || found.why.is(&controller_unknown::REASON) && !draft.is_on_its_way()
        {
            draft = draft
                .waits_for(driver.clone())
                .says(format!("{itself} waits for driver {}, which is not installed", driver.name))
                .remedy_first(Remedy::manual(
                    format!("first install driver {} again: it detaches and deletes what is left", driver.name),
                    CLEANS_UP,
                ));
        }
        if found.why.is(&controller_unknown::REASON) {
            draft = draft.likely();
        }
    }
    let policy = object.text("/spec/persistentVolumeReclaimPolicy").and_then(costs);
    draft =
        draft.with_each(policy, |draft, policy| draft.evidence(policy, &itself, "spec.persistentVolumeReclaimPolicy"));
    if let Some(error) = detach_error(object) {
        let words = Sentence::from("the driver says: ").then(Sentence::quoted(brief(error), &itself));
        draft = draft.evidence_first(&words, &itself, "status.detachError").quoting(words, Some(&itself));
    }
    let is_unsaid = found.why.is(&controller_unknown::REASON) || found.why.is(&gives_no_reason::REASON);
    Ok(between(draft, seen, finalizer, &ends, is_unsaid))
}

/// The fate of the disk behind a volume, by the reclaim policy.
fn costs(policy: &str) -> Option<&'static str> {
    match policy {
        "Delete" => Some(
            "reclaim policy Delete: its driver deletes the disk; if you remove the finalizer by hand, the disk \
                stays and costs money",
        ),
        "Retain" => Some("reclaim policy Retain: the disk stays in any case"),
        _ => None,
    }
}

/// The two ends of an attachment: the volume and the node.
struct Ends<'s> {
    volume: NamedDriver<'s>,
    node: NamedDriver<'s>,
}

fn ends<'s>(attachment: Seen<'s>, facts: &Facts<'s>) -> Known<Ends<'s>> {
    let text = |pointer: &str| attachment.object.text(pointer);
    let volume = named(facts, "", "persistentvolumes", text("/spec/source/persistentVolumeName")).if_readable();
    let node = named(facts, "", "nodes", text("/spec/nodeName")).if_readable();
    let (volume, node) = (volume, node).all()?;
    Ok(Ends { volume: volume.flatten(), node: node.flatten() })
}

/// Adds which end of the attachment is gone or not Ready. A volume that is gone is the reason if no other is known.
fn between(mut draft: Draft, seen: Seen<'_>, finalizer: &str, ends: &Ends<'_>, is_unsaid: bool) -> Draft {
    let Ends { volume, node } = ends;
    let gone: Vec<String> = [("volume", volume), ("node", node)]
        .into_iter()
        .filter_map(|(what, end)| match end {
            Some((end, None)) if draft.finding.waits_for.as_ref() != Some(end) => {
                Some(format!("its {what} {} is gone", end.name))
            }
            _ => None,
        })
        .collect();
    if !gone.is_empty() {
        let gone = gone.join(", ");
        let summary = if is_unsaid && matches!(volume, Some((_, None))) {
            draft.finding.why = Why::Likely;
            Sentence::about(&Ref::from(seen), format!("waits for finalizer {finalizer}: {gone}"))
        } else {
            draft.summary().clone().then(format!("; {gone}"))
        };
        draft = draft.says(summary);
    }
    if let Some((volume, None)) = volume {
        draft = draft.evidence("not found: only that object says which disk it is", volume, "");
        let awaited = draft.finding.waits_for.clone();
        if awaited.as_ref().is_none_or(|awaited| !awaited.missing) {
            draft = draft.waits_for(volume.clone());
        }
        draft = beyond_repair(draft);
        // If its node is gone, too, there is nothing to detach it from.
        if !matches!(node, Some((_, None))) {
            draft = draft.remedy_first(Remedy::manual(
                format!("if its manifest was kept, create {volume} again with the same volumeHandle: its driver then detaches the disk"),
                "nothing is lost",
            ));
        }
        // The driver reads the volume to know what to detach, and without it fails for ever
        // (kubernetes-csi/external-attacher: `pkg/controller/csi_handler.go`, `csiDetach`).
        if draft.is_on_its_way() {
            draft = never_ends(draft, seen, finalizer);
        }
    }
    match node {
        Some((node, None)) => {
            // The machine will not come back: the driver reports again and again that it is gone.
            let is_it = |error: &str| is_about_absence(error) && error.contains(node.name.as_str());
            let mut draft = if detach_error(seen.object).is_some_and(is_it) { beyond_repair(draft) } else { draft };
            let runs = draft.finding.controller.as_ref().is_some_and(|controller| controller.workload.is_some());
            if draft.is_on_its_way() && !runs {
                draft = never_ends(draft, seen, finalizer);
            }
            draft.evidence("not found: the volume was attached there", node, "")
        }
        Some((node, Some(object))) if object.condition("Ready").map(Condition::status) != Some("True") => {
            let not_ready = "is not Ready: the volume is attached there";
            draft.quoted(not_ready, node, "status.conditions[Ready]")
        }
        _ => draft,
    }
}

/// The same finding about an attachment that no wait ends: with the removal of its finalizer.
fn never_ends(mut draft: Draft, seen: Seen<'_>, finalizer: &str) -> Draft {
    draft.finding.cause = Cause::Storage;
    draft.likely().remedies(removal(finalizer, &[seen], &[seen.into()]))
}

type NamedDriver<'s> = Option<(Ref, Option<&'s Object>)>;

/// A cluster-scoped object by its name, which may not exist; `None` if the kind is not served.
fn named<'s>(facts: &Facts<'s>, group: &str, plural: &str, name: Option<&str>) -> Known<NamedDriver<'s>> {
    let kind: Option<&Resource> = facts.preferred(group, plural);
    let Some((kind, name)) = kind.zip(name) else { return Ok(None) };
    let reference = Ref::named(kind, &TargetName { resource: kind.id.clone(), namespace: None, name: name.to_owned() });
    let object = facts.get(&kind.id, None, name, Form::Whole)?;
    Ok(Some(match object {
        None => (reference.missing(), None),
        Some(object) => (Ref::of(kind, object), Some(object)),
    }))
}
