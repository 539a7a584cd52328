//! The cost of starting a controller that is at 0 replicas. The controller then finishes every deletion
//! that waits for it. What these deletions destroy was to be deleted anyway, and is no part of the start's
//! risk; but it is named, and decides what must be confirmed. Risk and confirmation depend only on the
//! cluster, not on the targets.

use crate::facts::{Facts, Known, ago};
use crate::knowledge::catalogue::CatalogueEntry;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::mentions::inventory;
use crate::kubernetes::progress::pending;
use crate::kubernetes::progress::pending::{MAX_NAMED, Pending};
use crate::plan::steps;
use crate::report::{Confirms, Deletion, Remedy, Risk, and_more, some_of};
use crate::survey::Seen;
use indexmap::IndexSet;

/// The remedy to start a controller, with the effects on the objects of a finding.
pub(crate) fn scale_up(
    workload: Seen<'_>,
    sure: bool,
    entry: Option<&CatalogueEntry>,
    held: &HeldObjects<'_>,
    pending: &Pending,
    facts: &Facts<'_>,
) -> Remedy {
    let own = held.objects.iter().filter(|seen| seen.object.is_deleting()).count();
    let here = own + pending.count - pending.unasked;
    // Including the inventory of the first object, which is deleted with it.
    let with_it = held.whole.first().map(|object| inventory::in_words(object)).unwrap_or_default();
    let destroys = entry.filter(|_| own > 0).and_then(|entry| entry.if_finished);
    let destroys = destroys.map(|text| format!("{text}{with_it}"));
    let work = match entry {
        Some(entry) => format!(" ({})", entry.guards),
        None => ", and resumes all its other work".to_owned(),
    };
    let consequence = match (here, destroyed(destroys.as_deref(), &pending.destroyed[0])) {
        (0, _) => "it starts again and resumes all its work".to_owned(),
        (_, None) => format!("it starts again and does the clean-up of {}{work}", deletions(here)),
        (_, Some(destroys)) => format!("it starts again and finishes {}: {destroys}", deletions(here)),
    };
    let confirms = confirms(own + pending.count, destroys.is_some(), pending);
    // A workload with a single trace may belong to another product, and may have been stopped for a reason. The
    // other work of a controller outside the catalogue is unknown.
    let is_harsh = confirms.as_ref().is_some_and(|confirms| confirms.level.is_harsh());
    let is_harmless = sure && entry.is_some() && !is_harsh;
    let risk = if is_harmless { Risk::Harmless } else { Risk::Disruptive };
    started(workload, risk, consequence, confirms, pending, facts)
}

/// The remedy to start a server that is needed for something else. All other programs in it continue their
/// work, too.
pub(crate) fn server(workload: Seen<'_>, restored: &str, facts: &Facts<'_>) -> Known<Remedy> {
    let pending = pending::all(workload, facts)?;
    let goes_on = "everything else that runs in it resumes its work";
    let here = pending.count - pending.unasked;
    let consequence = match (here, destroyed(None, &pending.destroyed[0])) {
        (0, _) => format!("{restored}; {goes_on}"),
        (_, destroys) => {
            let destroys = destroys.map(|text| format!(": {text}")).unwrap_or_default();
            format!("{restored}; {goes_on}, also with {}{destroys}", deletions(here))
        }
    };
    let confirms = confirms(pending.count, false, &pending);
    Ok(started(workload, Risk::Disruptive, consequence, confirms, &pending, facts))
}

fn deletions(count: usize) -> String {
    if count == 1 { "1 deletion".to_owned() } else { format!("{count} deletions") }
}

/// The things that are destroyed, beginning with `own`; `None` if none is known.
fn destroyed(own: Option<&str>, others: &[&str]) -> Option<String> {
    let all: IndexSet<&str> = own.into_iter().chain(others.iter().copied()).collect();
    let named: Vec<&str> = all.into_iter().take(MAX_NAMED).collect();
    (!named.is_empty()).then(|| named.join("; "))
}

/// The confirmation of a start that finishes `all` deletions. The object's name is required if these are in
/// several places, if something is known to be destroyed, and if other waiting deletions cannot be
/// read.
fn confirms(all: usize, destroys: bool, pending: &Pending) -> Option<Confirms> {
    let destroys = destroys || pending.destroyed.iter().any(|texts| !texts.is_empty());
    let is_harsh = destroys || pending.places > 1 || !pending.unread.is_empty();
    (is_harsh || pending.unasked > 0).then(|| Confirms {
        level: if is_harsh { Risk::LosesData } else { Risk::Harmless },
        deletions: all,
        elsewhere: pending.unasked,
        named: pending.named.clone(),
        unread: pending.unread.clone(),
    })
}

fn started(
    workload: Seen<'_>,
    risk: Risk,
    consequence: String,
    confirms: Option<Confirms>,
    pending: &Pending,
    facts: &Facts<'_>,
) -> Remedy {
    let step = steps::scale_workload::step(&workload.into());
    // The surprising part comes first: a small screen shows two lines.
    let others = confirms.as_ref().and_then(|confirms| others(confirms, pending, facts));
    let told: Vec<String> = others.into_iter().chain(unread(&pending.unread)).chain([consequence]).collect();
    Remedy { confirms, ..Remedy::new(step, risk, told.join("; ")) }
}

/// The deletions that the start also finishes, and the things that they destroy.
fn others(confirms: &Confirms, pending: &Pending, facts: &Facts<'_>) -> Option<String> {
    let line = |Deletion { object, since }: &Deletion| {
        let since = since.map(|since| format!(" ({} ago)", ago(since, facts))).unwrap_or_default();
        format!("{object}{since}")
    };
    let which_ones: Vec<String> = confirms.named.iter().map(line).collect();
    let (count, more) = (confirms.elsewhere, and_more(confirms.elsewhere.saturating_sub(MAX_NAMED)));
    let which = match (count, pending.places) {
        (0, _) => return None,
        (1, 0 | 1) => "1 other deletion".to_owned(),
        (_, 0 | 1) => format!("{count} other deletions"),
        _ => format!("{} requested elsewhere", deletions(count)),
    };
    let destroys = destroyed(None, &pending.destroyed[1]).map(|text| format!(": {text}")).unwrap_or_default();
    Some(format!("also finishes {which}: {}{more}{destroys}", which_ones.join(", ")))
}

/// The kinds that could not be searched.
fn unread(all: &[String]) -> Option<String> {
    (!all.is_empty()).then(|| format!("may also finish other deletions: could not read {}", some_of(all, MAX_NAMED)))
}
