//! A kind cannot be listed by anybody, so that the namespace controller cannot
//! find the namespace empty either.

use super::Rule;
use super::support::words;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, SETTLE, Target, is_late, since};
use crate::plan::Remedy;
use crate::survey::{Reason, Resource, Unread};

pub(super) const RULE: Rule =
    Rule { name: "content-unreadable", explanation: include_str!("content_unreadable.md"), diagnose };

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !(target.is_namespace() && target.is_deleting()) {
        return Ok(());
    }
    let content = facts.sweep(target.object().name())?;
    let unavailable = super::apiservice_unavailable::groups(facts)?;
    for (resource, why) in content.unread {
        let explained = unavailable.contains(&resource.id.api_version());
        let fails = why.reason.fails_for_everybody() || why.reason == Reason::TimedOut;
        if fails && !explained && target.namespace_being_emptied().is_some() && is_late(target.object(), facts, SETTLE)
        {
            found.add(draft(target, resource, why, facts));
        }
        if !explained {
            facts.note_unread(format!("{} in namespace {}", resource.id, target.object().name()), why);
        }
    }
    Ok(())
}

fn draft(target: &Target<'_>, resource: &Resource, why: &Unread, facts: &Facts<'_>) -> Draft {
    let namespace = target.reference();
    let waited = target.object().deletion_asked().map(|asked| words(since(asked, facts.now()))).unwrap_or_default();
    let summary = format!(
        "{} in namespace {} cannot be listed, so nobody knows whether any is left",
        resource.id, namespace.name
    );
    let draft = Draft::new(Cause::Unreadable, namespace, summary)
        .remark(format!("LIST {}: {why}", resource.id))
        .remark(format!("the namespace controller has met this for {waited}"))
        .remedy(Remedy::manual(
            format!(
                "mend what the message names, until `kubectl get {} -n {}` answers",
                resource.id,
                target.object().name()
            ),
            "nothing is lost; the namespace controller tries again within 60 seconds",
        ));
    if why.reason == Reason::TimedOut { draft.likely() } else { draft }
}
