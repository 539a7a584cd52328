//! An object that is older than its namespace: an earlier namespace of that name was finalized by
//! force, and its stranded objects came back with the new one, with their old
//! deletionTimestamp.

use crate::facts::{Facts, Known, Readable, Sweep, Target, each, is_pod};
use crate::findings::loss::loss;
use crate::findings::state::created;
use crate::kubernetes::finalizers::late::by_finalizer;
use crate::kubernetes::namespaces::{is_default_content, is_leftover, is_older_than, namespace_of};
use crate::needs::{Draft, Explains, Findings, NamespacedObjects, Rule};
use crate::plan::{full_name, one, steps};
use crate::reasons::waits;
use crate::report::{Cause, Ref, Remedy};
use crate::survey::{Object, Seen};

pub(super) const RULE: Rule = Rule::new(
    "older-than-its-namespace",
    include_str!("older_than_its_namespace.md"),
    &[Explains::Deleted(diagnose), Explains::NamespaceExists(findings)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let (namespace, older) = if let Some(name) = target.namespace_being_emptied() {
        let content = facts.sweep(name)?.objects;
        (target.object(), content.into_iter().filter(|seen| is_older_than(seen.object, target.object())).collect())
    } else if target.object().metadata.namespace.is_some() {
        match namespace_of(target.object(), facts).if_readable()?.flatten() {
            Some(namespace) if is_older_than(target.object(), namespace) => (namespace, vec![target.seen]),
            // Without the namespace's age there is nothing to report.
            _ => return Ok(()),
        }
    } else {
        return Ok(());
    };
    if !older.is_empty() {
        // Other rules report what holds them: they can be released as usual.
        found.add(came_back(namespace, &older, facts).underway());
    }
    Ok(())
}

/// The finding that `older` came back with `namespace`.
fn came_back(namespace: &Object, older: &[Seen<'_>], facts: &Facts<'_>) -> Draft {
    let refs: Vec<Ref> = older.iter().map(|seen| (*seen).into()).collect();
    let first = refs[0].clone();
    let name = namespace.name();
    let summary = match refs.as_slice() {
        [only] => format!("{only} is older than its namespace: left behind by an earlier forced deletion"),
        _ => {
            format!(
                "{} are older than their namespace {name}: left behind by an earlier forced deletion",
                Sweep::count(&refs)
            )
        }
    };
    let draft = created(Draft::new(Cause::Stranded, first.clone(), summary), "", older[0].object, &first, facts);
    let named = steps::recreate_namespace::namespace(name).with_uid(namespace.uid());
    created(draft, &format!("namespace {name} was "), namespace, &named, facts).objects(refs)
}

/// The findings for an existing namespace with leftovers: objects to release, objects that came back
/// alive and, if this program created the namespace, that it is no longer needed.
fn findings(inside: &NamespacedObjects<'_>, facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let NamespacedObjects { namespace: Some(namespace), objects: content, .. } = *inside else { return Ok(Vec::new()) };
    let older: Vec<Seen<'_>> = content.iter().copied().filter(|seen| is_older_than(seen.object, namespace)).collect();
    let made_here = steps::recreate_namespace::made(namespace);
    let held = older.iter().copied().filter(|seen| seen.object.is_deleting() && !is_running_pod(seen));
    let Some(resource) = facts.preferred("", "namespaces") else { return Ok(Vec::new()) };
    let target = Target { seen: Seen { resource, object: namespace } };
    let mut drafts = each(by_finalizer(held, facts), |(finalizer, objects)| {
        waits::draft(&target, Cause::Stranded, finalizer, &objects, facts)
    })?;
    let others: Vec<Seen<'_>> = older
        .iter()
        .copied()
        .filter(|seen| !(is_default_content(seen) || seen.object.is_deleting() && !is_running_pod(seen)))
        .collect();
    if made_here {
        drafts.push(has_served(namespace, content));
    } else if !others.is_empty() {
        drafts.push(came_back(namespace, &others, facts).remedy(look_at_them(&others[0].into())));
    }
    Ok(drafts)
}

/// Whether an object is a pod that only its kubelet can end.
fn is_running_pod(seen: &Seen<'_>) -> bool {
    is_pod(seen.resource) && seen.object.metadata.deletion_grace_period_seconds != Some(0)
}

fn look_at_them(first: &Ref) -> Remedy {
    Remedy::command(
        "delete it, if nobody needs it",
        format_args!("kubectl delete {}", full_name(first)),
        "somebody has created the namespace again, and may now use what is in it",
    )
}

/// The finding for a namespace that this program created: it is deleted again, unless it is in use now.
fn has_served(namespace: &Object, content: &[Seen<'_>]) -> Draft {
    let object = steps::recreate_namespace::namespace(namespace.name()).with_uid(namespace.uid());
    let name = &object.name;
    let summary = format!("namespace {name} was created again to release what was stranded in it");
    let draft = Draft::new(Cause::Stranded, object.clone(), summary).evidence(
        "created by this program",
        &object,
        "metadata.annotations[unstick.dev/recreated]",
    );
    let newer: Vec<Ref> =
        content.iter().copied().filter(|seen| !is_leftover(*seen, namespace)).map(Into::into).collect();
    if !newer.is_empty() {
        return draft.remark(format!("created in it since then: {}", Sweep::count(&newer))).remedy(Remedy::command(
            format!("check who uses namespace {name} now; if nobody does"),
            format_args!("kubectl delete {}", one("namespace", name)),
            "what was created in it since then would be lost",
        ));
    }
    let (risk, consequence) = loss(content);
    let mut remedy = Remedy::new(steps::delete_object::step(&object), risk, consequence);
    remedy.undo = false;
    let refs: Vec<Ref> = content.iter().map(|seen| (*seen).into()).collect();
    let with = if refs.is_empty() { ", which is empty".into() } else { format!(", with {}", Sweep::count(&refs)) };
    remedy.title = format!("delete namespace {name} again{with}").into();
    draft.remedy(remedy)
}
