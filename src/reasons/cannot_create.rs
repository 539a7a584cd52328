//! The clean-up has to create something in a namespace that is being deleted.

use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, WordedReason};
use super::profile::Profile;
use crate::facts::Known;
use crate::kubernetes::statements::statement::CANNOT_CREATE;
use crate::needs::World;
use crate::report::{ControllerState, Ref, Remedy, Sentence};
use crate::survey::Seen;

pub(crate) const REASON: NamedReason =
    NamedReason::new("cannot-create", include_str!("cannot_create.md"), Stage::Stated);

/// The server's refusal, quoted by the controller.
pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let place = spoken.place_of_trouble(|message| message.contains(CANNOT_CREATE));
    Ok(place.map(|place| spoken.says(found(), Some(place))))
}

pub(super) fn found<'s>() -> FoundReason<'s> {
    REASON.found(answer)
}

/// Words in the names of Jobs that make or remove what an object stands for.
const STEPS: [&str; 11] =
    ["apply", "clean", "create", "delete", "deploy", "destroy", "init", "install", "plan", "provision", "setup"];

/// A controller that did its earlier work for one of `objects` in a Job needs another one for its clean-up, in a
/// namespace that takes nothing new once it is being deleted.
pub(super) fn made_by_jobs<'s>(
    objects: &[Seen<'s>],
    world: &World<'_>,
    found: &Profile<'_>,
) -> Option<FoundReason<'s>> {
    let ends = |seen: &&Seen<'_>| world.going.holds(seen.object.metadata.namespace.as_deref());
    let stays = found.controller.workload.as_ref().is_some_and(|workload| !world.takes(workload));
    let content = world.content().ok().filter(|_| stays)?;
    let its = objects.iter().filter(ends).find_map(|seen| {
        let jobs =
            content.iter().filter(|job| job.resource.id.is("batch", "jobs") && job.object.is_owned_by(seen.object));
        let is_step = |job: &Seen<'_>| {
            let rest = job.object.name().strip_prefix(seen.object.name()).unwrap_or(job.object.name());
            rest.split(['-', '.']).any(|word| STEPS.iter().any(|step| word.starts_with(step)))
        };
        jobs.copied().find(is_step)
    })?;
    let job = Ref::from(its);
    Some(REASON.found(move |case| needs_another(case, &job)).state(ControllerState::Alive))
}

fn needs_another<'s>(case: &Case<'_, 's>, job: &Ref) -> WordedReason<'s> {
    let because = Sentence::from("its controller works by Jobs such as ").then(job);
    let because = because.then(", and cannot create one for its clean-up in a namespace that is being deleted");
    REASON.likely(case, because).acts().perhaps().waits_for(None).remedies([delete_first()])
}

fn delete_first() -> Remedy {
    let title = "delete it first, while something can be created in its namespace";
    Remedy::manual(title, "nothing is lost: its controller does its own clean-up")
}

fn answer<'s>(case: &Case<'_, 's>) -> WordedReason<'s> {
    if case.is_foreseen() {
        let because = "its clean-up has to create something where nothing can be created";
        return REASON.likely(case, because).acts().waits_for(None).remedies([delete_first()]);
    }
    let because =
        "its clean-up has to create something, but nothing can be created in a namespace that is being deleted";
    let guards = case.entry.map(|entry| format!(" ({})", entry.guards)).unwrap_or_default();
    let title =
        format!("do its clean-up by hand, outside the namespace{guards}: nothing can be created in it any more");
    REASON.proven(case, because).remedies([case.by_hand(title)])
}
