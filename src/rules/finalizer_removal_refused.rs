//! Nobody can take a finalizer off an object that is being deleted, because the
//! update is refused: by a webhook that does not answer, by a webhook or policy that
//! says no, or because a webhook changes with every update what may not change.

use crate::facts::{Facts, Known, Target};
use crate::kubernetes::admission::refusal::draft;
use crate::kubernetes::admission::removals;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::Verb;

pub(super) const RULE: Rule = Rule {
    name: "finalizer-removal-refused",
    explanation: include_str!("finalizer_removal_refused.md"),
    explains: &[Explains::Deleted(diagnose)],
};

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let obstacles = removals(target, facts)?;
    let drafts: Vec<Known<Draft>> = obstacles.iter().map(|obstacle| draft(obstacle, facts)).collect();
    for draft in drafts {
        found.add(draft?.refuses(Verb::Update));
    }
    Ok(())
}
