//! The object that was asked about, as rules see it.

use super::definition::Definition;
use super::facts::{Facts, Known, Unknown, is_pod};
use super::report::Ref;
use crate::survey::{Form, Object, Resource, Seen};
use jiff::{SignedDuration, Timestamp};

/// For this long after a request to delete nobody is late: controllers need a
/// moment, and the namespace controller waits 5 seconds before each look.
pub const SETTLE: SignedDuration = SignedDuration::from_secs(5);

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

/// Whether `object` was asked to go more than `allowance` ago.
#[must_use]
pub fn is_late(object: &Object, facts: &Facts<'_>, allowance: SignedDuration) -> bool {
    object.deletion_asked().is_some_and(|asked| since(asked, facts.now()) > allowance)
}

/// The time from `earlier` to `now`; never negative.
#[must_use]
pub fn since(earlier: Timestamp, now: Timestamp) -> SignedDuration {
    now.duration_since(earlier).max(SignedDuration::ZERO)
}

/// Whether a resource is the core group's namespaces.
#[must_use]
pub fn is_namespace(resource: &Resource) -> bool {
    resource.id.group.is_empty() && resource.id.plural == "namespaces"
}

/// Runs `read` on each item, collecting what is known; when something was not
/// surveyed yet, every item has left its wants first.
///
/// # Errors
/// [`Unknown::NotSurveyed`] when any item said so. Items that cannot be read
/// give `None`.
pub fn for_each_known<T, R>(items: impl IntoIterator<Item = T>, read: impl Fn(T) -> Known<R>) -> Known<Vec<Option<R>>> {
    let answers: Vec<Known<R>> = items.into_iter().map(read).collect();
    answers
        .into_iter()
        .map(|answer| match answer {
            Ok(known) => Ok(Some(known)),
            Err(Unknown::Unread { .. }) => Ok(None),
            Err(Unknown::NotSurveyed) => Err(Unknown::NotSurveyed),
        })
        .collect()
}
