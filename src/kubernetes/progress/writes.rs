//! Writes to held objects after their deletion was requested, and who writes them.

use crate::facts::{Facts, since};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::storage::attachment::is_repeated_failure;
use crate::report::Ref;
use crate::survey::{FieldManager, is_collectors};
use jiff::{SignedDuration, Timestamp};

/// For this long after a write, its writer counts as alive: controllers with work left come back more
/// often. The write need not be progress: a failed attempt is written down, too.
pub(crate) const SIGN_OF_LIFE: SignedDuration = SignedDuration::from_mins(2);

/// For this long after the deletion, a write counts as progress. Objects that are still held then were
/// tried again and again.
pub(crate) const PROGRESSES_WITHIN: SignedDuration = SignedDuration::from_mins(10);

/// A write to a held object by a controller with one of `names`.
pub(crate) struct RecentWrite {
    pub(crate) text: String,
    /// The deletion is recent enough for the write to be progress.
    pub(crate) is_progress: bool,
}

/// The last write to a held object by a controller with one of `names`, if it was a moment ago and
/// after the deletion was requested.
pub(crate) fn wrote_lately(held: &HeldObjects<'_>, names: &[String], facts: &Facts<'_>) -> Option<RecentWrite> {
    held.read().find_map(|seen| {
        let asked = seen.object.deletion_asked()?;
        let managers = seen.object.managers().filter(|manager| names.contains(&manager.name));
        let latest = managers.filter_map(|manager| Some((manager.time?, manager.name))).max()?;
        let age = since(latest.0, facts.now());
        let recent = latest.0 > asked && age <= SIGN_OF_LIFE && !is_repeated_failure(seen.object, latest.0);
        recent.then(|| RecentWrite {
            text: format!("managedFields of {}: {} wrote to it {}s ago", Ref::from(seen), latest.1, age.as_secs()),
            is_progress: since(asked, facts.now()) <= PROGRESSES_WITHIN,
        })
    })
}

/// A write to a held object after its deletion was requested.
#[derive(Debug)]
pub(crate) struct LastWrite {
    pub(crate) at: Timestamp,
    pub(crate) text: String,
    /// The deletion was recent enough for the write to be progress.
    pub(crate) is_progress: bool,
    /// The name under which it was written.
    pub(crate) name: String,
    pub(crate) by: Writer,
}

/// The role of a held object's writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writer {
    /// The manager that set the finalizer.
    Setter,
    /// The manager that writes the status, if the manager that set the finalizer is unknown.
    Status,
    /// Like [`Self::Status`], but who set other finalizers is unknown, too: the manager need not
    /// own this one.
    OfOneOfThem,
}

/// The last write of the owner of `finalizer` to a held object after the deletion was requested,
/// wherever it runs. The owner is the manager that set the finalizer or, if that is unknown or was a
/// tool, the manager that writes the status of a custom object.
pub(crate) fn written_since(finalizer: &str, held: &HeldObjects<'_>) -> Option<LastWrite> {
    held.read().find_map(|seen| {
        let object = seen.object;
        let asked = object.deletion_asked()?;
        let wrote = |manager: &FieldManager| {
            let worked = |time| time > asked && !is_repeated_failure(object, time);
            manager.time.is_some_and(worked) && !is_tool(&manager.name)
        };
        let setter = |key: &str| object.finalizer_set_by(key).filter(|manager| !is_tool(&manager.name));
        let (latest, by) = if let Some(owner) = setter(finalizer) {
            (last(object.managers().filter(|manager| manager.name == owner.name && wrote(manager))), Writer::Setter)
        } else if is_custom(&seen.resource.id.group) {
            let keys = object.metadata.finalizers.iter().filter(|key| !is_collectors(key));
            let (set, unknown): (Vec<_>, Vec<_>) = keys.map(|key| setter(key)).partition(Option::is_some);
            let is_others = |manager: &FieldManager| set.iter().flatten().any(|other| other.name == manager.name);
            let by = if unknown.len() > 1 { Writer::OfOneOfThem } else { Writer::Status };
            (last(object.status_written_by().filter(|manager| wrote(manager) && !is_others(manager))), by)
        } else {
            return None;
        };
        let latest = latest?;
        let at = latest.time?;
        let text =
            format!("managedFields of {}: {} wrote to it after its deletion, at {at}", Ref::from(seen), latest.name);
        Some(LastWrite { at, text, is_progress: since(asked, at) <= PROGRESSES_WITHIN, name: latest.name, by })
    })
}

fn last(managers: impl Iterator<Item = FieldManager>) -> Option<FieldManager> {
    managers.max_by_key(|manager| manager.time)
}

/// Whether a manager is a program with which people write, or which applies what they commit to
/// Git: such programs release nothing.
pub(crate) fn is_tool(manager: &str) -> bool {
    ["kubectl", "helm", "kustomize", "argocd", "flux", "Terraform", "terraform", "pulumi", "k9s", "oc"]
        .iter()
        .any(|tool| manager.strip_prefix(tool).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}
