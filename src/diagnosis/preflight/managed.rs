//! Objects that would come back, because another object manages them.

use crate::facts::{Facts, Known, Readable, Target, for_each};
use crate::kubernetes::garbage_collection::standing;
use crate::needs::{Going, Outlook};
use crate::report::{OwnerState, Ref};

/// How many owners of an object are read.
const MAX_OWNERS: usize = 5;

/// Adds the consequence that the managing object creates the target again.
pub(super) fn look(target: &Target<'_>, going: &Going<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let object = target.object();
    let managing =
        object.metadata.owner_references.iter().take(MAX_OWNERS).filter(|owner| owner.controller == Some(true));
    for_each(managing, |reference| {
        match standing(reference, object.metadata.namespace.as_deref(), facts).if_readable()? {
            Some((OwnerState::Present, Some(owner))) if !going.takes(&owner.into()) => {
                let why = format!("{} manages it and would create it again", Ref::from(owner));
                out.consequence(target.reference(), why);
            }
            _ => {}
        }
        Ok(())
    })
}
