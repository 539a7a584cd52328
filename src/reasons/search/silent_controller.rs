//! A controller that runs and gives no reason: further questions about the workloads that it created for the
//! clean-up, the users of the object, its references, and peculiarities.

use super::silence::is_silent;
use crate::facts::{All, Known, each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::hosts::{UnansweredService, unanswered_service};
use crate::kubernetes::mentions::parts::undeletable_part;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::settings;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::odd_entry;
use crate::kubernetes::statements::statement;
use crate::reasons::judgement::Judgement;
use crate::reasons::profile::Profile;
use crate::reasons::questions::Questions;
use crate::reasons::silent::{AskSilent, SilentController};
use crate::reasons::{gives_no_reason, in_use};
use crate::report::Ref;

/// Looks for a reason besides the controller and the object, if neither gives one.
pub(super) fn look<'s>(
    found: &mut Judgement<'s>,
    best: Option<&Candidate<'s>>,
    inquiry: Inquiry<'_, 's>,
    questions: &Questions,
) -> Known {
    for row in questions.silent {
        ask_each(found, row, best, inquiry)?;
    }
    if is_silent(&found.why) {
        found.profile.controller.evidence.splice(0..0, in_use::counted(inquiry));
    }
    if found.why.is(&gives_no_reason::REASON) { notice(&mut found.profile, best, inquiry) } else { Ok(()) }
}

/// Asks the questions of one row. The first reason that is found counts.
pub(super) fn ask_each<'s>(
    found: &mut Judgement<'s>,
    row: &[AskSilent],
    best: Option<&Candidate<'s>>,
    inquiry: Inquiry<'_, 's>,
) -> Known {
    let Judgement { profile, why } = &*found;
    let (is_silent, gives_none) = (is_silent(why), why.is(&gives_no_reason::REASON));
    let silent = SilentController { why, profile, best, inquiry, is_silent, gives_none };
    if let Some(why) = each(row, |ask| ask(&silent))?.into_iter().flatten().next() {
        found.becomes(why);
    }
    Ok(())
}

/// Adds what is noticed about the object and its controller, if nothing gives a reason.
fn notice(found: &mut Profile<'_>, best: Option<&Candidate<'_>>, inquiry: Inquiry<'_, '_>) -> Known {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let is_going = held.objects.iter().any(|seen| seen.object.is_deleting());
    let unanswered = if is_going { unanswered_service(held, facts) } else { Ok(None) };
    let part = best.map_or(Ok(None), |best| undeletable_part(best, held.first(), facts, gaps));
    let (odd, part, unanswered) = (odd_entry::find(inquiry), part, unanswered).all()?;
    if let Some(UnansweredService { service, field, .. }) = unanswered {
        // The Service may as well be the one that the object exposes.
        found.aside.insert(0, format!("nothing answers behind {service}, which {field} names").into());
    }
    failed_before(found, held);
    found.lead = part.or(odd);
    let settings = best.and_then(|best| settings::taken_from(best.seen.object));
    let aside = |name| format!("not the data of ConfigMap {name}, from which it takes its settings").into();
    found.aside.extend(settings.map(aside));
    Ok(())
}

/// Quotes a failure from before the deletion, if there are no statements since. The failure may be
/// about the resource that the object represents, and need not be the reason.
fn failed_before(found: &mut Profile<'_>, held: &HeldObjects<'_>) {
    let mut custom = held.read().filter(|seen| is_custom(&seen.resource.id.group));
    let Some(failure) = custom.find_map(statement::standing_failure) else { return };
    found.controller.evidence.insert(0, format!("{}: {}", Ref::from(failure.of), failure.text).into());
    // The words come from the object: they belong to the evidence.
    found.aside.insert(0, "a condition has reported a failure since before the deletion (-o wide)".into());
}
