//! Everything in the cluster, by metadata.

use super::{Facts, Gap, Known, Readable, for_each};
use crate::survey::{Form, Reason, Seen, Unread};
use std::collections::HashSet;

/// The objects of every kind that can be listed and deleted.
#[derive(Debug)]
pub struct Everything<'s> {
    /// Every object. An object that is served under two groups appears once.
    pub rows: Vec<Seen<'s>>,
    /// Whether every namespaced kind was listed.
    pub complete: bool,
}

impl<'s> Facts<'s> {
    /// Every object that the garbage collector and the namespace controller know, in a namespace or in the whole
    /// cluster. Lists that cannot be read are noted.
    pub fn everything(&self, namespace: Option<&str>) -> Known<Everything<'s>> {
        let (mut rows, mut seen) = (Vec::new(), HashSet::new());
        let mut complete = self.discovery().stale.is_empty();
        let kinds = self.discovery().listable().filter(|resource| resource.can("delete"));
        for stale in &self.discovery().stale {
            let why = Unread { reason: Reason::ServerError, message: "its discovery is stale".into() };
            self.note_unread(stale.as_str(), &why);
        }
        for_each(kinds.filter(|resource| namespace.is_none() || resource.namespaced), |resource| {
            match self.list(&resource.id, namespace, Form::Metadata).surveyed()? {
                Ok(objects) => {
                    let new = objects.iter().filter(|object| seen.insert(object.uid()) || object.uid().is_empty());
                    rows.extend(new.map(|object| Seen { resource, object }));
                }
                // A kind that does not serve LIST has no objects that could be found.
                Err(Gap { why, .. }) if why.reason == Reason::NotServed => {}
                Err(Gap { what, why }) => {
                    self.note_unread(what, &why);
                    complete &= !resource.namespaced;
                }
            }
            Ok(())
        })?;
        Ok(Everything { rows, complete })
    }
}
