//! A kube-controller-manager that has stopped, so that nobody empties a namespace.

use crate::facts::{Facts, Known, SETTLE, Target, is_late};
use crate::kubernetes::control_plane::{Manager, Stopped, manager};
use crate::kubernetes::namespaces::has_begun;
use jiff::Timestamp;

/// The controller manager that should empty the namespace and does not run. `None` also if some
/// controller has worked on the namespace since the last renewal: then the Lease is left over from
/// before leader election was turned off.
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
    let Manager::Old(stopped) = manager(facts)? else { return Ok(None) };
    let is_after = |at: Option<Timestamp>| at.is_some_and(|at| at > stopped.renewed);
    let worked_since = is_after(object.status_field_written(Some("f:conditions")))
        || is_after(object.deletion_asked()) && (looked || has_begun(&content, target));
    Ok((!worked_since).then_some(stopped))
}
