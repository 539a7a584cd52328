//! Kinds cannot be listed by anybody, so that the namespace controller cannot
//! find the namespace empty either.

use super::Rule;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, SETTLE, Target, is_late};
use crate::plan::{Remedy, quote};
use crate::survey::{Reason, Resource, Unread};

pub(super) const RULE: Rule =
    Rule { name: "content-unreadable", explanation: include_str!("content_unreadable.md"), diagnose };

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !(target.is_namespace() && target.is_deleting()) {
        return Ok(());
    }
    let content = facts.sweep(target.object().name())?;
    let unavailable = super::apiservice_unavailable::groups(facts)?;
    // aggregated_api_fails says so of these.
    let aggregated = super::support::api::available_groups(facts)?;
    let unexplained =
        content.unread.into_iter().filter(|(resource, _)| !unavailable.contains(&resource.id.api_version()));
    let mut failing = Vec::new();
    let by_version = super::support::versions::unreadable(target, facts)?;
    let explained =
        |resource: &Resource| by_version.iter().any(|kind| kind.definition.object().name() == resource.id.short());
    for (resource, why) in unexplained {
        facts.note_unread(format!("{} in namespace {}", resource.id, target.object().name()), why);
        if !explained(resource)
            && !aggregated.contains(&resource.id.api_version())
            && matches!(why.reason, Reason::ServerError | Reason::Garbled | Reason::TimedOut)
        {
            failing.push((resource, why));
        }
    }
    let waited_for = target.namespace_being_emptied().is_some() && is_late(target.object(), facts, SETTLE);
    if waited_for && !failing.is_empty() {
        found.add(draft(target, &failing));
    }
    Ok(())
}

fn draft(target: &Target<'_>, failing: &[(&Resource, &Unread)]) -> Draft {
    let namespace = target.reference();
    let name = namespace.name.clone();
    let kinds: Vec<String> = failing.iter().map(|(resource, _)| resource.id.short()).collect();
    let what = match &kinds[..] {
        [only] => only.clone(),
        several => format!("{} kinds ({} …)", several.len(), several[0]),
    };
    let summary = format!("{what} in namespace {name} cannot be listed, so nobody knows whether any is left");
    let mut draft = Draft::new(Cause::Unreadable, namespace, summary);
    for (resource, why) in failing {
        draft = draft.remark(format!("LIST {}: {why}", resource.id));
    }
    draft = draft.remark("the namespace controller meets the same and cannot find the namespace empty").remedy(
        Remedy::manual(
            format!(
                "mend what the message names, until `kubectl get {} -n {}` answers",
                quote(&kinds[0]),
                quote(&name)
            ),
            "nothing is lost; the namespace controller tries again within 60 seconds",
        ),
    );
    // Nobody else's time-out is known from here.
    if failing.iter().all(|(_, why)| why.reason == Reason::TimedOut) { draft.likely() } else { draft }
}
