//! The objects that wait for one finalizer.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::survey::{Object, Seen};

/// How many objects that wait for one finalizer are read whole.
pub(crate) const MAX_WHOLE: usize = 3;

/// The objects that wait for one finalizer.
#[derive(Debug)]
pub struct HeldObjects<'s> {
    /// All of them, by metadata.
    pub objects: Vec<Seen<'s>>,
    /// The first few, whole.
    pub whole: Vec<&'s Object>,
}

impl<'s> HeldObjects<'s> {
    /// Reads the first few objects whole.
    pub(crate) fn read_whole(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Self> {
        let whole = flat_each(objects.iter().take(MAX_WHOLE), |seen| {
            let object = seen.object;
            if !object.metadata.managed_fields.is_null() && !object.body.is_empty() {
                return Ok(Some(object));
            }
            Ok(facts.whole(*seen).if_readable()?.flatten().filter(|whole| whole.uid() == object.uid()))
        })?;
        Ok(Self { objects: objects.to_vec(), whole })
    }

    pub(crate) fn first(&self) -> Seen<'s> {
        self.objects[0]
    }

    /// The first object that was read whole, if it is of a custom kind.
    pub(crate) fn first_custom(&self) -> Option<Seen<'s>> {
        self.read().next().filter(|seen| is_custom(&seen.resource.id.group))
    }

    /// The objects that were read whole, with their resources.
    pub(crate) fn read(&self) -> impl Iterator<Item = Seen<'s>> {
        self.whole.iter().filter_map(|whole| {
            let seen = self.objects.iter().take(MAX_WHOLE).find(|seen| seen.object.uid() == whole.uid())?;
            Some(Seen { resource: seen.resource, object: whole })
        })
    }
}
