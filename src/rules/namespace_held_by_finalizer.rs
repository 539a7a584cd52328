//! A Namespace object has a finalizer in its own metadata. The namespace controller ignores it, and no
//! condition mentions it.

use crate::facts::{Facts, Known, SETTLE, Target, is_late};
use crate::kubernetes::finalizers::late::by_finalizer;
use crate::needs::{Explains, Findings, Rule};
use crate::reasons::waits::{at_once, drafts};
use crate::report::Cause;

pub(super) const RULE: Rule = Rule::new(
    "namespace-held-by-finalizer",
    include_str!("namespace_held_by_finalizer.md"),
    &[Explains::Deleted(diagnose)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !target.is_namespace() || !target.is_deleting() {
        return Ok(());
    }
    let groups = by_finalizer(std::iter::once(target.seen), facts);
    let tell = if is_late(target.object(), facts, SETTLE) { drafts } else { at_once };
    found.add_all(tell(target, Cause::NamespaceFinalizer, &groups, facts)?);
    Ok(())
}
