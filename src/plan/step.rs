//! One write of a plan: its kind says what it is.

use super::action::Action;
use super::identity::Identity;
use super::write::{Guard, Needs, Verdict, Write, WriteRequest};
use super::{image, steps};
use crate::report::{Named, Need, Ref, Risk, Step, StepKind};
use crate::survey::{Object, ResourceId};
use jiff::Timestamp;
use serde_json::Value;

/// What steps have in common that may be agreed to together: kind, resource and
/// finalizer.
pub type Class = (StepKind, ResourceId, Option<String>);

impl Step {
    pub(super) fn action(&self) -> &'static dyn Action {
        steps::action(self.kind)
    }

    /// What is done, in the imperative.
    #[must_use]
    pub fn title(&self) -> String {
        self.action().title(self)
    }

    /// Whether it is the same write to the same object. The command may name another place in
    /// a list that has become shorter.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// By which it is the same write as another.
    #[must_use]
    pub fn identity(&self) -> Identity {
        Identity::of(self)
    }

    /// The resource of the object.
    #[must_use]
    pub fn resource(&self) -> ResourceId {
        self.object.target().resource
    }

    /// Compares the object as it is `now` with what was shown.
    #[must_use]
    pub fn guard(&self, now: Option<&Object>) -> Guard {
        self.action().guard(self, now)
    }

    /// The request, made for the object as it was read again just now: `raw` is
    /// its JSON, `at` the server's time.
    #[must_use]
    pub fn request(&self, raw: &Value, at: Timestamp) -> WriteRequest {
        self.action().request(self, raw, at)
    }

    /// Judges by the object as it is after the write of `request`.
    #[must_use]
    pub fn verify(&self, after: Option<&Object>, request: &WriteRequest) -> Verdict {
        self.action().verify(self, after, request)
    }

    /// What it costs at least, whatever is known of its object.
    #[must_use]
    pub fn least_risk(&self) -> Risk {
        self.action().least_risk()
    }

    /// What must be met before it is worth an offer: once it is, the step may be needless.
    #[must_use]
    pub fn rests_on(&self) -> Option<Need> {
        self.action().rests_on(self)
    }

    /// Whether what makes it right is not in the object alone, but in a Service
    /// or a Node that may have come back since, or in a dependent that was to be
    /// orphaned.
    #[must_use]
    pub fn rests_on_other_objects(&self) -> bool {
        self.action().rests_on_other_objects(self)
    }

    /// Whether it lets other writes pass that admission refused: a moment later, and
    /// what comes after it is planned anew.
    #[must_use]
    pub fn opens_admission(&self) -> bool {
        self.action().opens_admission()
    }

    /// Whether it makes an object that is not there.
    #[must_use]
    pub fn creates(&self) -> bool {
        self.action().creates()
    }

    /// Whether the state before can be restored from what is on record.
    #[must_use]
    pub fn can_be_undone(&self) -> bool {
        self.action().can_be_undone(self)
    }

    /// The namespace that must not exist for this step, and is looked for right
    /// before it: what is deleted must be stranded.
    #[must_use]
    pub fn needs_missing_namespace(&self) -> Option<&str> {
        match self.needs() {
            Needs::Missing(namespace) => Some(namespace),
            _ => None,
        }
    }

    /// What it has in common with steps that may be agreed to together: all but the
    /// object. `None` for what is always a question of its own.
    #[must_use]
    pub fn class(&self) -> Option<Class> {
        let many = self.action().is_agreed_to_together();
        many.then(|| (self.kind, self.resource(), self.finalizer.clone()))
    }

    /// What is done to the objects of its class.
    #[must_use]
    pub fn title_of_class(&self) -> String {
        let of_its_kind = Named { name: String::new(), ..self.object.parts() };
        Self { object: of_its_kind.into(), ..self.clone() }.title()
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
        self.guard(now)
    }

    fn request(&self, raw: &Value, at: Timestamp) -> WriteRequest {
        self.request(raw, at)
    }

    fn verify(&self, after: Option<&Object>, request: &WriteRequest) -> Verdict {
        self.verify(after, request)
    }

    fn in_vain(&self, tried: &Object) -> Option<String> {
        self.action().in_vain(self, tried)
    }

    fn creates(&self) -> bool {
        self.creates()
    }

    fn needs(&self) -> Needs<'_> {
        self.action().needs(self)
    }

    fn image(&self, raw: &Value) -> Value {
        image::of(self, self.action().kept(self), raw, self.reads_metadata_only())
    }

    fn recorded(&self, request: &WriteRequest) -> Value {
        self.action().recorded(self, request)
    }

    fn identity(&self) -> Identity {
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
    fn a_step_is_the_same_whatever_the_place_in_a_list_and_of_one_object_alone() {
        let held = ["a.io/x".to_owned(), "b.io/y".to_owned()];
        let removal = |object: &Ref, finalizer: &str| remove_finalizer::step(object, &held, finalizer);
        let (shop, namesake) = (settings(Some("shop"), "u1"), settings(Some("shop"), "u2"));
        let alone = |object: &Ref| remove_finalizer::step(object, &held[1..], "b.io/y");
        assert!(removal(&shop, "b.io/y").is_same(&alone(&shop)));
        assert!(!removal(&shop, "b.io/y").is_same(&alone(&namesake)), "it is another object");
        assert!(removal(&shop, "b.io/y").identity().is_namesake_of(&alone(&namesake).identity()));
        assert!(!removal(&shop, "b.io/y").is_same(&removal(&shop, "a.io/x")));
        assert!(!removal(&shop, "b.io/y").is_same(&removal(&settings(Some("bar"), "u1"), "b.io/y")));
        assert!(!removal(&shop, "b.io/y").is_same(&delete_object::step(&shop)));
    }

    #[test]
    fn what_is_deleted_as_stranded_needs_its_namespace_to_be_missing() {
        let needs = |object: &Ref| delete_object::step(object).needs_missing_namespace().map(str::to_owned);
        assert_eq!(needs(&settings(Some("shop"), "u1")).as_deref(), Some("shop"));
        assert_eq!(needs(&settings(None, "u1")), None);
    }

    #[test]
    fn a_secret_is_read_by_its_metadata_alone() {
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
