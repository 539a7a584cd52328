//! The object that was asked about, as rules see it.

use super::definitions::Definition;
use crate::facts::{Facts, Known, SETTLE, is_late, is_namespace, is_pod};
use crate::report::Ref;
use crate::survey::{Form, Object, Seen};

/// A target that exists.
#[derive(Debug, Clone, Copy)]
pub struct Target<'s> {
    /// The object, whole, with its resource.
    pub seen: Seen<'s>,
}

impl<'s> Target<'s> {
    /// The object.
    #[must_use]
    pub fn object(&self) -> &'s Object {
        self.seen.object
    }

    /// Names it.
    #[must_use]
    pub fn reference(&self) -> Ref {
        self.seen.into()
    }

    /// Whether it is being deleted.
    #[must_use]
    pub fn is_deleting(&self) -> bool {
        self.object().is_deleting()
    }

    /// Whether it is a Namespace.
    #[must_use]
    pub fn is_namespace(&self) -> bool {
        is_namespace(self.seen.resource)
    }

    /// The namespace's name, when it is a Namespace that its controller still
    /// works on: one that is being deleted and has an entry in
    /// `spec.finalizers`. The controller leaves every other one alone
    /// (kubernetes/kubernetes:
    /// `pkg/controller/namespace/deletion/namespaced_resources_deleter.go`).
    #[must_use]
    pub fn namespace_being_emptied(&self) -> Option<&'s str> {
        let object = self.object();
        let held = !object.array("/spec/finalizers").is_empty();
        (self.is_namespace() && object.is_deleting() && held).then(|| object.name())
    }

    /// Everything that is being deleted here: the object itself or, for a
    /// Namespace, all of its content that is. A definition counts beside its
    /// objects.
    ///
    /// # Errors
    /// When the content was not surveyed yet.
    pub fn deleting(&self, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
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

    /// The pods that are being deleted here, whole: one list for a namespace
    /// that has some.
    ///
    /// # Errors
    /// When they were not surveyed yet or cannot be read.
    pub fn deleting_pods(&self, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
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

    /// Whether enough time has passed since its deletion to call anything late.
    /// A namespace is settled as soon as its controller has written conditions.
    #[must_use]
    pub fn is_settled(&self, facts: &Facts<'_>) -> bool {
        let looked = self.is_namespace() && self.object().condition("NamespaceDeletionContentFailure").is_some();
        looked || is_late(self.object(), facts, if self.is_namespace() { SETTLE * 3 } else { SETTLE })
    }
}
