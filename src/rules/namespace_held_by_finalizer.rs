//! A Namespace object carries a finalizer in its own metadata. The namespace
//! controller does not look at those, and no condition mentions them.

use crate::facts::{Facts, Known, SETTLE, Target, is_late};
use crate::kubernetes::controllers::held_up::{by_finalizer, drafts};
use crate::needs::{Explains, Findings, Rule};
use crate::report::Cause;

pub(super) const RULE: Rule = Rule {
    name: "namespace-held-by-finalizer",
    explanation: include_str!("namespace_held_by_finalizer.md"),
    explains: &[Explains::Released(diagnose)],
};

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !target.is_namespace() || !is_late(target.object(), facts, SETTLE) {
        return Ok(());
    }
    for draft in drafts(target, Cause::NamespaceFinalizer, &by_finalizer(std::iter::once(target.seen)), facts)? {
        found.add(draft);
    }
    Ok(())
}
