//! write me: what waits for what, and why, in one sentence
//! (kubernetes/kubernetes: `write/me.go`).

use crate::facts::{Facts, Known, Target};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref, Sentence};
use crate::survey::Seen;

// write me: which kind of need it explains, if another one; src/needs/rule.rs has them all.
pub(super) const RULE: Rule = Rule::new("your-rule", include_str!("your_rule.md"), &[Explains::Deleted(diagnose)]);

/// write me: what shows that this rule explains why an object is held.
const FINALIZER: &str = "write.me/finalizer";

/// write me: read the facts that tell, all of them before the first `?`, and add what they prove.
fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let is_held = |seen: &Seen<'_>| seen.object.metadata.finalizers.iter().any(|finalizer| finalizer == FINALIZER);
    for seen in target.deleting(facts)?.into_iter().filter(is_held) {
        let named = Ref::from(seen);
        let summary = Sentence::about(&named, "waits for write me");
        found.add(Draft::new(Cause::Finalizer, named, summary).finalizer(FINALIZER));
    }
    Ok(())
}
