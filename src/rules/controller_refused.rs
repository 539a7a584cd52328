//! A running controller reports that admission refuses a request: not the removal of its finalizer,
//! which a dry run would show, but another that its clean-up needs.

use crate::facts::{All, Facts, Known, Target, each, flat_each};
use crate::findings::admission::refusal::draft;
use crate::kubernetes::admission::{Gate, deletions, met, removals};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::late::{MAX_FINALIZERS, by_finalizer, waiting};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::progress::refusals::{StatedRefusal, refusals};
use crate::kubernetes::statements::said_in::SaidIn;
use crate::needs::{Explains, Findings, Rule};
use crate::reasons::find;
use crate::report::{Ref, Verb};
use std::collections::HashSet;

pub(super) const RULE: Rule =
    Rule::new("controller-refused", include_str!("controller_refused.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let (stated, logged) = (refusals(target, facts), logged(target, facts)).all()?;
    let refusals: Vec<StatedRefusal<'_>> = stated.into_iter().chain(logged).collect();
    if refusals.is_empty() {
        return Ok(());
    }
    // Other rules report the obstacles of the objects themselves.
    let (deletions, removals) = (deletions(target, facts), removals(target, facts)).all()?;
    let mut known: HashSet<Ref> =
        deletions.obstacles.iter().chain(&removals).filter_map(|it| it.gate.as_ref()).map(Gate::reference).collect();
    let mut obstacles = flat_each(refusals, |refusal| met(&refusal.objects, &refusal.message, refusal.at, facts))?;
    obstacles.retain(|obstacle| obstacle.gate.as_ref().is_none_or(|gate| known.insert(gate.reference())));
    for draft in each(&obstacles, |obstacle| draft(obstacle, facts))? {
        // Until this request is accepted, the controller does not get as far as removing its finalizer.
        found.add(draft.refuses(Verb::Update));
    }
    Ok(())
}

/// The refusals that stand only in the logs of controllers.
fn logged<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<StatedRefusal<'s>>> {
    if !facts.holds_logs() {
        return Ok(Vec::new());
    }
    let groups = by_finalizer(waiting(target, facts)?.into_iter(), facts);
    flat_each(groups.iter().take(MAX_FINALIZERS), |(finalizer, objects)| {
        let found = find(finalizer, &HeldObjects::read_whole(objects, facts)?, facts)?;
        let by_log = found.why.words.filter(|_| found.profile.said_in == Some(SaidIn::Log));
        let refused = by_log.filter(|message| is_about_admission(message));
        Ok(refused.map(|message| StatedRefusal { message, at: None, objects: objects.clone() }))
    })
}
