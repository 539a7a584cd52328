//! The namespace's conditions count what the caller may not list: the controller's
//! own words say what is left, though not which objects.

use crate::facts::{Facts, Known, Target};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::messages::reason;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::quote;
use crate::plugin::COMMAND;
use crate::report::{Cause, Ref, Remedy, Sentence, and_more_kinds};
use crate::survey::{Condition, Reason, Resource, Seen, Unread};

pub(super) const RULE: Rule =
    Rule::new("content-hidden", include_str!("content_hidden.md"), &[Explains::Deleted(diagnose)]);

/// How many kinds are named.
const MAX_NAMED: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(()) };
    let content = facts.sweep(namespace)?;
    let hidden: Vec<&Resource> =
        content.unread.iter().filter(|(_, why)| is_hidden(why)).map(|(resource, _)| *resource).collect();
    if hidden.is_empty() {
        return Ok(());
    }
    let object = target.object();
    let says = |kind: &str| object.condition(kind).filter(|condition| condition.status() == "True");
    if let Some(condition) = says("NamespaceFinalizersRemaining") {
        for (finalizer, count) in counted(condition, " in ") {
            let seen = content.deleting().filter(|seen| carries(seen, &finalizer)).count();
            if count > seen {
                let draft = held(target, &finalizer, count - seen, condition, &hidden);
                found.add(left_in(draft, says("NamespaceContentRemaining"), target, &hidden));
            }
        }
    }
    // Where some of it can be seen, other rules say what refuses it.
    let refused = says("NamespaceDeletionContentFailure").filter(|it| is_about_admission(it.message()));
    if let Some(condition) = refused.filter(|_| content.rest().all(|seen| seen.object.is_deleting())) {
        found.add(refused_by(target, condition, &hidden));
    }
    Ok(())
}

/// The caller has no right to see it; somebody else has.
fn is_hidden(why: &Unread) -> bool {
    matches!(why.reason, Reason::Forbidden | Reason::Unauthorized)
}

fn carries(seen: &Seen<'_>, finalizer: &str) -> bool {
    seen.object.metadata.finalizers.iter().any(|key| key == finalizer)
}

/// `NAME in 2 resource instances, …`, as the namespace controller counts
/// (kubernetes/kubernetes: `pkg/controller/namespace/deletion/status_condition_utils.go`).
fn counted(condition: Condition<'_>, between: &str) -> Vec<(String, usize)> {
    let list = condition.message().split_once(": ").map_or("", |(_, list)| list);
    let entry = |text: &str| {
        let (name, rest) = text.split_once(between)?;
        Some((name.trim().to_owned(), rest.split(' ').next()?.parse().ok()?))
    };
    list.split(", ").filter_map(entry).collect()
}

fn held(target: &Target<'_>, finalizer: &str, count: usize, condition: Condition<'_>, hidden: &[&Resource]) -> Draft {
    let namespace = target.reference();
    let objects = if count == 1 { "1 object".to_owned() } else { format!("{count} objects") };
    let verb = if count == 1 { "waits" } else { "wait" };
    let summary = format!("{objects} that you may not list {verb} for finalizer {finalizer}");
    begin(Cause::Finalizer, &namespace, summary, condition, "NamespaceFinalizersRemaining", hidden).finalizer(finalizer)
}

fn refused_by(target: &Target<'_>, condition: Condition<'_>, hidden: &[&Resource]) -> Draft {
    let namespace = target.reference();
    let summary = format!("admission refuses the deletion of what is left in namespace {}", namespace.name);
    begin(Cause::Admission, &namespace, summary, condition, "NamespaceDeletionContentFailure", hidden)
}

fn begin(
    cause: Cause,
    namespace: &Ref,
    summary: String,
    condition: Condition<'_>,
    kind: &str,
    hidden: &[&Resource],
) -> Draft {
    let names: Vec<String> = hidden.iter().take(MAX_NAMED).map(|resource| resource.id.short()).collect();
    let more = and_more_kinds(hidden.len().saturating_sub(MAX_NAMED));
    let look = format!("{COMMAND} ns {}", quote(&namespace.name));
    // Which objects, and whether it is so still, is not known: no verdict rests on it.
    Draft::new(cause, namespace.clone(), summary)
        .underway()
        .likely()
        .evidence(condition.says(), namespace, &format!("status.conditions[{kind}]"))
        .quoting(reason(&condition.says()), Some(namespace))
        .remark(format!("you may not list {}{more} there", names.join(", ")))
        .remedy(Remedy::manual(Sentence::from("ask somebody who may list them").by(look), "nothing is lost"))
}

/// Which of the hidden kinds are left, by the controller's count.
fn left_in(draft: Draft, remaining: Option<Condition<'_>>, target: &Target<'_>, hidden: &[&Resource]) -> Draft {
    let Some(condition) = remaining else { return draft };
    let name = |resource: &Resource| format!("{}.{}", resource.id.plural, resource.id.group);
    let left: Vec<String> = counted(condition, " has ")
        .into_iter()
        .filter(|(kind, _)| hidden.iter().any(|resource| name(resource) == *kind))
        .map(|(kind, count)| format!("{count} {}", kind.trim_end_matches('.')))
        .collect();
    if left.is_empty() {
        return draft;
    }
    let text = format!("left, of kinds that you may not list: {}", left.join(", "));
    draft.evidence(text, &target.reference(), "status.conditions[NamespaceContentRemaining]")
}
