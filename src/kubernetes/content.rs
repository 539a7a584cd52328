//! The objects that are deleted with a target.

use super::definitions::Definition;
use crate::facts::{Facts, Known, Target, is_pod};
use crate::survey::{Form, Seen};

impl<'s> Target<'s> {
    /// Everything that is being deleted here: the object itself or, for a Namespace that is being
    /// deleted, the content that is. For a definition, itself and its objects.
    pub(crate) fn deleting(&self, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
        if self.is_namespace() && self.is_deleting() {
            Ok(facts.sweep(self.object().name())?.deleting().collect())
        } else if self.is_namespace() {
            Ok(Vec::new())
        } else if let Some(definition) = Definition::is(self.seen).filter(|_| self.is_deleting()) {
            Ok([self.seen].into_iter().chain(definition.going(facts)?).collect())
        } else {
            Ok(Some(self.seen).into_iter().filter(|seen| seen.object.is_deleting()).collect())
        }
    }

    /// The pods that are being deleted here, whole. For a namespace, one list returns all of them.
    pub(crate) fn deleting_pods(&self, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
        let pods: Vec<Seen<'s>> = self.deleting(facts)?.into_iter().filter(|seen| is_pod(seen.resource)).collect();
        let Some(first) = pods.first().filter(|_| self.is_namespace()) else {
            return Ok(pods);
        };
        let whole = facts.list(&first.resource.id, Some(self.object().name()), Form::Whole)?;
        Ok(whole
            .iter()
            .filter(|pod| pod.is_deleting())
            .map(|object| Seen { resource: first.resource, object })
            .collect())
    }
}
