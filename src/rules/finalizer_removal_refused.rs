//! No finalizer can be removed from an object that is being deleted, because the update is refused:
//! by a webhook that does not answer, by a webhook or policy that denies it, or because a webhook
//! changes an immutable field with every update.

use crate::facts::{All, Facts, Known, Target, flat_each};
use crate::findings::admission::foreseen::{self, TrialDeletion};
use crate::findings::admission::refusal::draft;
use crate::kubernetes::admission::{Admission, removals, trial_removals, unanswered_updates};
use crate::needs::{Explains, Findings, Outlook, Rule, World};
use crate::reasons::let_through;
use crate::report::Verb;
use crate::survey::Seen;

pub(super) const RULE: Rule = Rule::new(
    "finalizer-removal-refused",
    include_str!("finalizer_removal_refused.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let drafts = flat_each(removals(target, facts)?, |obstacle| {
        let (passes, draft) = (let_through::of(&obstacle, facts), draft(&obstacle, facts)).all()?;
        // A gate that lets the controller pass is no obstacle: it only stops others.
        Ok(passes.is_none().then_some(draft))
    })?;
    found.add_all(drafts.into_iter().map(|draft| draft.refuses(Verb::Update)));
    Ok(())
}

/// Foresees webhooks that are called before a finalizer is removed and that do not answer now, and gates
/// that refuse it now.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let all = foreseen::asked_to_go(target, world)?;
    let held: Vec<Seen<'_>> = all.into_iter().filter(|seen| !seen.object.metadata.finalizers.is_empty()).collect();
    let admission = Admission::read(facts)?;
    let updates = unanswered_updates(&held, &admission);
    let refused = trial_removals(&held, &admission);
    // Refusals after the deletion are reported only if the deletion itself passes its trial.
    let trial = foreseen::trial(target, facts)?;
    foreseen::add(&updates?, world, facts, out)?;
    if !matches!(trial, TrialDeletion::Passed) {
        return Ok(());
    }
    let refused = flat_each(refused?, |obstacle| {
        let passes = let_through::of(&obstacle, facts)?.is_some();
        Ok((!passes).then_some(obstacle))
    })?;
    foreseen::add_refused(&refused, facts, out)
}
