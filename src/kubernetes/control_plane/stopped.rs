//! A kube-controller-manager that has stopped, so that nobody empties a namespace.

use crate::facts::{Facts, Known, SETTLE, Target, is_late};
use crate::kubernetes::control_plane::{Manager, manager};
use crate::kubernetes::namespaces::has_begun;
use crate::report::Ref;
use jiff::Timestamp;

/// A controller manager that does not run.
#[derive(Debug, Clone)]
pub(crate) struct Stopped {
    /// Its Lease, which is no longer renewed.
    pub(crate) lease: Ref,
    /// The time of the last renewal.
    pub(crate) renewed: Timestamp,
    /// The last holder.
    pub(crate) holder: String,
}

/// The controller manager that should empty the namespace and does not run. `None` also if some
/// controller has worked on the namespace since the last renewal: then the Lease is left over from
/// before leader election was turned off.
///
/// # Errors
/// When the content or the Lease was not surveyed yet.
pub(crate) fn stopped(target: &Target<'_>, facts: &Facts<'_>) -> Known<Option<Stopped>> {
    let Some(name) = target.namespace_being_emptied() else { return Ok(None) };
    let object = target.object();
    if !is_late(object, facts, SETTLE * 3) {
        return Ok(None);
    }
    let content = facts.sweep(name)?;
    let looked = object.condition("NamespaceDeletionContentFailure").is_some();
    let left = content.pods().next().is_some() || content.rest().next().is_some();
    if looked && left && content.deleting().next().is_some() {
        return Ok(None);
    }
    let Manager::Old { lease, renewed, holder } = manager(facts)? else { return Ok(None) };
    let written = object.status_field_written(Some("f:conditions")).is_some_and(|at| at > renewed);
    let worked_since = written
        || object.deletion_asked().is_some_and(|asked| asked > renewed) && (looked || has_begun(&content, target));
    Ok((!worked_since).then_some(Stopped { lease, renewed, holder }))
}
