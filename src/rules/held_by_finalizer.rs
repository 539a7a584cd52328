//! An object that is being deleted waits until somebody removes a finalizer.

use crate::facts::{All, Facts, Known, Target};
use crate::kubernetes::finalizers::late::{by_finalizer, late_or_fresh};
use crate::kubernetes::progress::anticipate;
use crate::kubernetes::storage::snapshots;
use crate::needs::{Explains, Findings, Outlook, Rule, World};
use crate::reasons::drains::hindered;
use crate::reasons::foreseen;
use crate::reasons::waits::{at_once, drafts};
use crate::report::Cause;

pub(super) const RULE: Rule = Rule::new(
    "held-by-finalizer",
    include_str!("held_by_finalizer.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let counted = target.object().condition("NamespaceFinalizersRemaining");
    if target.namespace_being_emptied().is_some() && counted.is_some_and(|condition| condition.status() == "True") {
        anticipate(target.object().name(), facts);
    }
    let (late, fresh) = late_or_fresh(target, facts)?;
    let mut groups = by_finalizer(late.into_iter(), facts);
    let fresh = at_once(target, Cause::Finalizer, &by_finalizer(fresh.into_iter(), facts), facts);
    let kept = snapshots::kept(target, facts)?;
    for (finalizer, objects) in &mut groups {
        objects.retain(|seen| {
            !found.is_in_ring(*seen, finalizer)
                && !kept.contains(&(seen.object.uid().to_owned(), (*finalizer).to_owned()))
        });
    }
    groups.retain(|(_, objects)| !objects.is_empty());
    let drained = hindered(target, facts)?;
    let (late, fresh) = (drafts(target, Cause::Finalizer, &groups, facts), fresh).all()?;
    found.add_all(fresh);
    for draft in late {
        let follows = draft.finding.objects.iter().all(|object| drained.contains_key(object.uid.as_str()));
        found.add(if follows { draft.follows() } else { draft });
    }
    Ok(())
}

/// Foresees objects that would wait for finalizers for ever.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    foreseen::held(target, world, facts, out)
}
