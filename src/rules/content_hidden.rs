//! The namespace's conditions count objects that the user may not list: they show how many are left,
//! though not which.

use crate::facts::{Facts, Known, Target, since};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::progress::usual::{USUALLY, takes};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::quote;
use crate::plugin::COMMAND;
use crate::report::{Cause, Ref, Remedy, and_more_kinds};
use crate::survey::{Condition, Reason, Resource, Seen, Unread};
use jiff::SignedDuration;

pub(super) const RULE: Rule =
    Rule::new("content-hidden", include_str!("content_hidden.md"), &[Explains::Deleted(diagnose)]);

/// How many kinds are named.
const MAX_NAMED: usize = 3;

/// How long objects without a finalizer may be left: pods end within their grace period.
const LEFT: SignedDuration = SignedDuration::from_mins(10);

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
    let left = says("NamespaceContentRemaining").map(|it| (it, left(it, &hidden))).filter(|(_, left)| !left.is_empty());
    let mut is_held = false;
    if let Some(condition) = says("NamespaceFinalizersRemaining") {
        for (finalizer, count) in counted(condition, " in ") {
            let seen = content.deleting().filter(|seen| carries(seen, &finalizer)).count();
            if count > seen {
                is_held = true;
                let draft = held(target, &finalizer, count - seen, condition, &hidden);
                let draft = with_kinds(draft, left.as_ref(), target);
                found.add(unless_young(draft, target, condition, takes(&finalizer), facts));
            }
        }
    }
    // If some of the content can be listed, other rules report what refuses its deletion.
    let refused = says("NamespaceDeletionContentFailure").filter(|it| is_about_admission(it.message()));
    if let Some(condition) = refused.filter(|_| content.rest().all(|seen| seen.object.is_deleting())) {
        is_held = true;
        found.add(unless_young(refused_by(target, condition, &hidden), target, condition, USUALLY, facts));
    }
    if let Some((condition, left)) = left.filter(|_| !is_held) {
        found.add(unless_young(remaining(target, condition, &left, &hidden), target, condition, LEFT, facts));
    }
    Ok(())
}

/// Makes a finding underway while its condition is younger than a clean-up takes: until then, a controller
/// may be at work.
fn unless_young(
    draft: Draft,
    target: &Target<'_>,
    condition: Condition<'_>,
    takes: SignedDuration,
    facts: &Facts<'_>,
) -> Draft {
    let said = condition.since().max(target.object().deletion_asked());
    if said.is_some_and(|said| since(said, facts.now()) > takes) { draft } else { draft.underway() }
}

/// Whether a kind cannot be listed because the user lacks the permission.
fn is_hidden(why: &Unread) -> bool {
    matches!(why.reason, Reason::Forbidden | Reason::Unauthorized)
}

fn carries(seen: &Seen<'_>, finalizer: &str) -> bool {
    seen.object.metadata.finalizers.iter().any(|key| key == finalizer)
}

/// Parses `NAME in 2 resource instances, …`, as the namespace controller counts (kubernetes/kubernetes:
/// `pkg/controller/namespace/deletion/status_condition_utils.go`).
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
    // Without the number: the same finalizer in several namespaces is one cause.
    let summary = format!("objects that you may not list wait for finalizer {finalizer}");
    let draft = begin(Cause::Finalizer, &namespace, summary, condition, "NamespaceFinalizersRemaining", hidden);
    unnamed(draft.finalizer(finalizer), count)
}

/// The finding for remaining objects without finalizers.
fn remaining(target: &Target<'_>, condition: Condition<'_>, left: &[HiddenKind<'_>], hidden: &[&Resource]) -> Draft {
    let namespace = target.reference();
    let count = left.iter().map(|(_, count)| count).sum();
    let summary = format!("{} left in namespace {}, which you may not list", listed(left), namespace.name);
    let draft = begin(Cause::NamespaceController, &namespace, summary, condition, "NamespaceContentRemaining", hidden);
    unnamed(draft, count)
}

/// The draft with the number of waiting objects whose names are unknown.
fn unnamed(mut draft: Draft, count: usize) -> Draft {
    draft.finding.unnamed = count;
    draft
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
    // The objects are unknown, and so is whether the condition still holds.
    Draft::new(cause, namespace.clone(), summary)
        .likely()
        .message(&condition.says(), namespace, &format!("status.conditions[{kind}]"))
        .remark(format!("you may not list {}{more} there", names.join(", ")))
        .remedy(Remedy::command("ask somebody who may list them", look, "nothing is lost"))
}

/// A kind that the user may not list, and how many of its objects are left.
type HiddenKind<'s> = (&'s Resource, usize);

/// The hidden kinds with objects left, by the controller's count.
fn left<'s>(remaining: Condition<'_>, hidden: &[&'s Resource]) -> Vec<HiddenKind<'s>> {
    let name = |resource: &Resource| format!("{}.{}", resource.id.plural, resource.id.group);
    let kind = |(kind, count): (String, usize)| {
        let resource = hidden.iter().find(|resource| name(resource) == kind)?;
        Some((*resource, count))
    };
    counted(remaining, " has ").into_iter().filter_map(kind).collect()
}

/// `2 databases.acme.io, 1 secrets`
fn listed(left: &[HiddenKind<'_>]) -> String {
    let kinds: Vec<String> = left.iter().map(|(kind, count)| format!("{count} {}", kind.id.short())).collect();
    kinds.join(", ")
}

fn with_kinds(draft: Draft, left: Option<&(Condition<'_>, Vec<HiddenKind<'_>>)>, target: &Target<'_>) -> Draft {
    let Some((_, left)) = left else { return draft };
    let text = format!("left, of kinds that you may not list: {}", listed(left));
    draft.evidence(text, &target.reference(), "status.conditions[NamespaceContentRemaining]")
}
