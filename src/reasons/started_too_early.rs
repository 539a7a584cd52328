//! The controller was started too early and perhaps does not watch the kind.

use super::advice::on_workload;
use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::facts::{Known, since};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::writes::is_tool;
use crate::kubernetes::workloads::health;
use crate::report::{Ref, Remedy};
use jiff::SignedDuration;

pub(crate) const REASON: NamedReason =
    NamedReason::new("started-too-early", include_str!("started_too_early.md"), Stage::Attention);

/// For this long after its start, a controller may not have seen everything yet.
const BEGINS_WITHIN: SignedDuration = SignedDuration::from_mins(2);

/// Its pods have run since before the kind was served, or were started while its definition was being deleted, and have
/// never written to the held objects.
pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    Ok(started(asked)
        .filter(|_| !asked.watches)
        .map(|(definition, going)| REASON.found(move |case| answer(case, &definition, going))))
}

/// The definition, and whether it was being deleted, if the controller was started too early.
fn started(asked: &AskedController<'_, '_>) -> Option<(Ref, bool)> {
    let AskedController { pods, names, inquiry, .. } = *asked;
    let Inquiry { held, traces, facts, .. } = inquiry;
    let definition = traces.definition.filter(|_| traces.kind == &held.first().resource.id)?;
    let started = health::running_since(pods)?;
    let asked = held.objects.iter().filter_map(|seen| seen.object.deletion_asked()).max()?;
    let touched = held.whole.iter().flat_map(|object| object.managers());
    let touched = touched.into_iter().any(|by| names.contains(&by.name) && by.time.is_some_and(|time| time >= started));
    // A finalizer set by a program, whatever its name, shows that it watched the object then.
    let set = held.whole.iter().filter_map(|object| object.finalizer_set_by(inquiry.finalizer));
    let set = set.filter(|by| !is_tool(&by.name)).filter_map(|by| by.time);
    let touched = touched || set.max() >= Some(started);
    let waited = since(asked.max(started), facts.now()) > BEGINS_WITHIN;
    let before = definition.metadata.creation_timestamp.is_some_and(|made| started < made);
    let going = definition.metadata.deletion_timestamp.is_some_and(|going| started > going);
    let kind = facts.preferred("apiextensions.k8s.io", "customresourcedefinitions")?;
    (waited && !touched && (before || going)).then(|| (Ref::of(kind, definition), going))
}

/// It was started before `definition` existed, or while the definition was `going`.
fn answer<'s>(case: &Case<'_, 's>, definition: &Ref, going: bool) -> WordedReason<'s> {
    let (when, then) = if going { ("while", "was being deleted") } else { ("before", "existed") };
    let started = case.name().then(format!(" was started {when} ")).then(definition);
    let because = started.then(format!(" {then}, and perhaps does not watch its objects"));
    let name = case.name();
    let way = if going {
        let title = format!("check whether {name} watches the kind at all");
        Remedy::manual(on_workload(case, title, "logs", " --all-containers --since=1h"), "nothing is lost")
    } else {
        let title = on_workload(case, format!("restart {name}"), "rollout restart", "");
        Remedy::manual(title, format!("all its work stops for a moment; {}", case.clean_up()))
    };
    REASON.likely(case, because).can_be_mended(true).remedies([way])
}
