//! Updates of a subresource that a deletion needs: of the status of a pod before its final
//! deletion, and of the status of a definition.

use crate::facts::{Facts, Known, Target, flat_each};
use crate::kubernetes::admission::obstacle::{dead, with_backends};
use crate::kubernetes::admission::{Admission, Kind, Match, Obstacle, Operation, kind, place_of};
use crate::kubernetes::definitions::{CLEANUP, Definition, has_begun};
use crate::survey::{Seen, has};

/// The subresource with the observed state.
const STATUS: &str = "status";

/// Dead webhooks that are called before the status of these objects of one kind may change.
pub fn status_updates<'s>(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    let Some(first) = objects.first() else { return Ok(Vec::new()) };
    let admission = Admission::read(facts)?;
    let update = Kind { subresource: STATUS, ..kind(first.resource, Operation::Update) };
    let found = flat_each(dead(&admission.about(update), facts)?, |gate| {
        let taken = flat_each(objects, |seen| {
            let place = place_of(seen.object, facts)?;
            Ok((gate.takes(update, seen.object, place, facts) == Match::Yes).then_some(*seen))
        })?;
        let new = || Obstacle { part: STATUS, ..Obstacle::new(Some(gate), Operation::Update, taken.clone()) };
        Ok((!taken.is_empty()).then(new))
    })?;
    with_backends(found, facts)
}

/// Dead webhooks that are called before the API server may delete the instances of a definition and
/// remove its finalizer: both are updates of its status (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiextensions-apiserver/pkg/controller/finalizer/crd_finalizer.go`).
pub(crate) fn of_definition<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    let Some(definition) = Definition::is(target.seen).filter(|it| it.object().is_deleting()) else {
        return Ok(Vec::new());
    };
    if !has(definition.object(), CLEANUP) || !has_begun(definition.object(), facts) {
        return Ok(Vec::new());
    }
    let mut found = status_updates(&[target.seen], facts)?;
    for obstacle in &mut found {
        obstacle.finalizers = vec![CLEANUP.to_owned()];
    }
    Ok(found)
}
