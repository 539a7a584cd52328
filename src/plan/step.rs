//! One write of a plan; its action defines it.

use super::behaviour::{Behaviour, Property};
use super::identity::WriteIdentity;
use super::write::{Guard, Needs, StepVerdict, Write, WriteRequest};
use super::{image, shell, steps};
use crate::report::{Action, Need, Ref, Step};
use crate::survey::{Object, ResourceId};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;

/// The common part of steps that may be agreed to together: everything except the object.
pub type StepClass = (Action, ResourceId);

impl Step {
    pub(super) fn new(action: impl Into<Action>, object: &Ref, command: String) -> Self {
        Self { action: action.into(), object: object.clone(), command, place: None }
    }

    /// A step whose command is the patch that it sends, with an entry of a list at `place`.
    pub(super) fn patch(action: impl Into<Action>, object: &Ref, place: usize) -> Self {
        Self::patch_of(action, object, &shell::arguments(object), place)
    }

    /// Like [`Self::patch`], for an object that the arguments `called` name.
    pub(super) fn patch_of(action: impl Into<Action>, object: &Ref, called: &str, place: usize) -> Self {
        let step = Self::new(action, object, String::new());
        let command = step.behaviour().shape(object).command(object, called, place);
        Self { command: command.unwrap_or_default(), ..step }
    }

    pub(super) fn behaviour(&self) -> &dyn Behaviour {
        steps::behaviour(&self.action)
    }

    /// The step, in the imperative.
    #[must_use]
    pub fn title(&self) -> String {
        self.behaviour().title(&self.object, &shell::named(&self.object))
    }

    /// The identity of the write. The command is no part of it: it may name another index in a list that has
    /// become shorter.
    #[must_use]
    pub fn identity(&self) -> WriteIdentity {
        WriteIdentity::of(self)
    }

    /// Whether the step has this property.
    #[must_use]
    pub fn has(&self, property: Property) -> bool {
        self.behaviour().properties().contains(&property)
    }

    /// The need that must be met before the step is offered: once it is, the step may be needless.
    #[must_use]
    pub fn rests_on(&self) -> Option<Need> {
        self.behaviour().rests_on(&self.object)
    }

    /// The namespace that must not exist for this step, which is checked right before it: the deleted object
    /// must be stranded.
    #[must_use]
    pub fn needs_missing_namespace(&self) -> Option<&str> {
        match self.needs() {
            Needs::Missing(namespace) => Some(namespace),
            _ => None,
        }
    }

    /// The common part of steps that may be agreed to together. `None` for a step that is always a question of
    /// its own.
    #[must_use]
    pub fn class(&self) -> Option<StepClass> {
        self.has(Property::IsAgreedToTogether).then(|| (self.action.clone(), self.resource()))
    }

    /// The title for these steps of one class: `remove finalizer a.io/x from 3 pods -n shop`.
    #[must_use]
    pub fn title_of_all(steps: &[Self]) -> String {
        let Some(first) = steps.first() else { return String::new() };
        let place = &first.object.namespace;
        let places: BTreeSet<_> = steps.iter().map(|step| &step.object.namespace).collect();
        let place = match places.len() {
            1 => shell::in_namespace(&first.object),
            count if place.is_some() => format!(" in {count} namespaces"),
            _ => String::new(),
        };
        let called = format!("{} {}{place}", steps.len(), first.resource().short());
        first.behaviour().title(&first.object, &called)
    }

    /// The title for all objects of its class.
    #[must_use]
    pub fn title_of_class(&self) -> String {
        let called = format!("{}{}", self.resource().short(), shell::in_namespace(&self.object));
        self.behaviour().title(&self.object, &called)
    }
}

impl Write for Step {
    fn object(&self) -> &Ref {
        &self.object
    }

    fn title(&self) -> String {
        self.title()
    }

    fn guard(&self, now: Option<&Object>) -> Guard {
        self.behaviour().guard(&self.object, now)
    }

    fn request(&self, raw: &Value, at: Timestamp) -> WriteRequest {
        self.behaviour().shape(&self.object).request(&self.object, raw, at)
    }

    fn verify(&self, after: Option<&Object>, request: &WriteRequest) -> StepVerdict {
        self.behaviour().verify(&self.object, after, request)
    }

    fn in_vain(&self, tried: &Object) -> Option<String> {
        self.behaviour().in_vain(&self.object, tried)
    }

    fn creates(&self) -> bool {
        self.has(Property::Creates)
    }

    fn needs(&self) -> Needs<'_> {
        self.behaviour().needs(&self.object)
    }

    fn image(&self, raw: &Value) -> Value {
        image::of(&self.object, self.behaviour().kept(&self.object), raw, self.reads_metadata_only())
    }

    fn recorded(&self, request: &WriteRequest) -> Value {
        self.behaviour().recorded(&self.object, request)
    }

    fn identity(&self) -> WriteIdentity {
        self.identity()
    }

    fn record(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::{delete_object, remove_finalizer};
    use crate::report::Named;

    fn settings(namespace: Option<&str>, uid: &str) -> Ref {
        Ref::from(Named {
            api_version: "v1".into(),
            kind: "ConfigMap".into(),
            resource: "configmaps".into(),
            namespace: namespace.map(Into::into),
            name: "settings".into(),
            uid: uid.into(),
            ..Named::default()
        })
    }

    #[test]
    fn a_steps_identity_includes_the_object_but_no_list_index() {
        let held = ["a.io/x".to_owned(), "b.io/y".to_owned()];
        let removal = |object: &Ref, finalizer: &str| remove_finalizer::step(object, &held, finalizer);
        let (shop, namesake) = (settings(Some("shop"), "u1"), settings(Some("shop"), "u2"));
        let alone = |object: &Ref| remove_finalizer::step(object, &held[1..], "b.io/y");
        let identity = removal(&shop, "b.io/y").identity();
        assert_eq!(identity, alone(&shop).identity());
        assert_ne!(identity, alone(&namesake).identity(), "it is another object");
        assert!(identity.is_namesake_of(&alone(&namesake).identity()));
        assert_ne!(identity, removal(&shop, "a.io/x").identity());
        assert_ne!(identity, removal(&settings(Some("bar"), "u1"), "b.io/y").identity());
        assert_ne!(identity, delete_object::step(&shop).identity());
    }

    #[test]
    fn deleting_a_stranded_object_requires_a_missing_namespace() {
        let needs = |object: &Ref| delete_object::step(object).needs_missing_namespace().map(str::to_owned);
        assert_eq!(needs(&settings(Some("shop"), "u1")).as_deref(), Some("shop"));
        assert_eq!(needs(&settings(None, "u1")), None);
    }

    #[test]
    fn secrets_are_read_as_metadata_only() {
        let secret = Ref::from(Named {
            kind: "Secret".into(),
            resource: "secrets".into(),
            ..settings(Some("shop"), "u1").parts()
        });
        assert!(delete_object::step(&secret).reads_metadata_only());
        let pod =
            Ref::from(Named { kind: "Pod".into(), resource: "pods".into(), ..settings(Some("shop"), "u1").parts() });
        assert!(!delete_object::step(&pod).reads_metadata_only());
    }
}
