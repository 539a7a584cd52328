//! What it costs to start a controller that is at 0 replicas: it finishes every deletion
//! that waits for it.

use crate::facts::{Facts, Known};
use crate::knowledge::catalogue::Entry;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::inventory;
use crate::kubernetes::progress::pending;
use crate::kubernetes::progress::pending::{MAX_NAMED, Pending};
use crate::plan::steps;
use crate::report::{Remedy, Risk};
use crate::survey::Seen;

/// A controller that comes back does what the deletions asked for: the risk is
/// that of the finalizers that it will run, of this finding and of all others.
pub(crate) fn scale_up(
    workload: Seen<'_>,
    sure: bool,
    entry: Option<&Entry>,
    held: &HeldObjects<'_>,
    pending: &Pending,
) -> Remedy {
    let all = held.objects.len() + pending.count;
    let count = if all == 1 { "1 deletion".to_owned() } else { format!("{all} deletions") };
    let everywhere = if pending.count == 0 { "" } else { " in all namespaces" };
    let among = among_them(pending);
    // Including what the first object lists as deleted with it.
    let with_it = held.whole.first().map(|object| inventory::in_words(object)).unwrap_or_default();
    let own = entry.and_then(|entry| entry.if_finished).map(|text| format!("{text}{with_it}"));
    let (risk, consequence) = match destroys(own.as_deref(), pending) {
        None => {
            let work = match entry {
                Some(entry) => format!(" ({})", entry.guards),
                None => ", and resumes all its other work".to_owned(),
            };
            let consequence = format!("it starts again and does the clean-up of {count}{everywhere}{among}{work}");
            // A workload that a single trace points at may belong to somebody else, who stopped
            // it for a reason. What a controller outside the catalogue does besides is not known.
            (if sure && entry.is_some() { Risk::Harmless } else { Risk::Disruptive }, consequence)
        }
        Some(destroys) => {
            (Risk::LosesData, format!("it starts again and finishes {count}{everywhere}{among}: {destroys}"))
        }
    };
    started(workload, risk, consequence, pending)
}

/// The same for a server that is needed for something else: everything that runs in it
/// continues its work.
///
/// # Errors
/// When what it would finish was not surveyed yet.
pub(crate) fn server(workload: Seen<'_>, restored: &str, facts: &Facts<'_>) -> Known<Remedy> {
    let pending = pending::all(workload, facts)?;
    let goes_on = "whatever else runs in it goes on with its work";
    let consequence = match (pending.count, destroys(None, &pending)) {
        (0, _) => format!("{restored}; {goes_on}"),
        (count, destroys) => {
            let deletions = if count == 1 { "1 deletion".to_owned() } else { format!("{count} deletions") };
            let destroys = destroys.map(|text| format!(": {text}")).unwrap_or_default();
            format!("{restored}; {goes_on}, also with {deletions}{}{destroys}", among_them(&pending))
        }
    };
    let risk = if destroys(None, &pending).is_some() { Risk::LosesData } else { Risk::Disruptive };
    Ok(started(workload, risk, consequence, &pending))
}

/// What is destroyed, beginning with `own`; `None` where nothing is known to be.
fn destroys(own: Option<&str>, pending: &Pending) -> Option<String> {
    let mut destroyed: Vec<&str> = Vec::new();
    for text in own.into_iter().chain(pending.destroyed.iter().copied()) {
        if !destroyed.contains(&text) {
            destroyed.push(text);
        }
    }
    destroyed.truncate(MAX_NAMED);
    let unknown = pending.unknown.as_ref();
    let unknown =
        unknown.map(|(first, all)| format!("what the clean-up of {first}{} destroys is not known", more(*all, 1)));
    let all: Vec<String> = destroyed.into_iter().map(str::to_owned).chain(unknown).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn started(workload: Seen<'_>, risk: Risk, consequence: String, pending: &Pending) -> Remedy {
    let step = steps::scale_workload::step(&workload.into());
    let remedy = |risk, consequence: String| Remedy {
        also_finishes: pending.named.clone(),
        ..Remedy::new(step, risk, consequence)
    };
    if pending.unread.is_empty() {
        return remedy(risk, consequence);
    }
    let first = pending.unread.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = more(pending.unread.len(), MAX_NAMED);
    let unread = format!("{consequence}; whether other deletions wait for it cannot be read: {first}{more}");
    remedy(risk.max(Risk::Disruptive), unread)
}

/// The other deletions that are finished, too; those that destroy something come first.
fn among_them(pending: &Pending) -> String {
    if pending.unasked == 0 {
        return String::new();
    }
    let named: Vec<String> = pending.named.iter().map(ToString::to_string).collect();
    let pronoun = if pending.unasked == 1 { "that" } else { "those" };
    format!(", among them {pronoun} of {}{}", named.join(", "), more(pending.unasked, MAX_NAMED))
}

fn more(all: usize, named: usize) -> String {
    if all > named { format!(" and {} more", all - named) } else { String::new() }
}
