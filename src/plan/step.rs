//! One write, typed: the request it is, what must hold before it and after it.

use super::{Undo, steps};
use crate::report::{Ref, Step, StepKind};
use crate::survey::{Object, ResourceId};
use jiff::Timestamp;
use serde_json::Value;

/// What is written where: kind, path, and finalizer or entry.
pub type Identity = (StepKind, String, Option<String>);

/// What steps have in common that may be agreed to together: kind, resource and
/// finalizer.
pub type Class = (StepKind, ResourceId, Option<String>);

/// What the object looked like when it was read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// As it was shown: go on.
    Holds,
    /// What the step would bring about is so already.
    AlreadySo(String),
    /// Not what was shown: the step must not be done.
    Changed(String),
}

/// What the object looks like after the write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The step took effect, in these words.
    Done(String),
    /// It did not, or not yet.
    NotYet(String),
}

/// A request that changes something.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteRequest {
    /// `PATCH`, `DELETE`, `PUT` or `POST`.
    pub method: &'static str,
    /// The URL path, without query.
    pub path: String,
    /// The media type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: Value,
}

impl StepKind {
    /// Whether the step is for letting its object go: then its absence is success.
    fn takes_away(self) -> bool {
        !matches!(self, Self::ScaleWorkload | Self::ConversionNone | Self::TaintOutOfService)
    }

    /// Whether the state before can be restored from the before-image.
    #[must_use]
    pub fn can_be_undone(self) -> bool {
        matches!(
            self,
            Self::ScaleWorkload
                | Self::DeleteApiService
                | Self::IgnoreWebhook
                | Self::DeleteWebhookConfiguration
                | Self::RelaxPolicyBinding
                | Self::ConversionNone
                | Self::NudgeNamespace
                | Self::TaintOutOfService
                | Self::RecreateNamespace
                | Self::DeleteObject
        )
    }
}

impl Step {
    /// What is done, in the imperative.
    #[must_use]
    pub fn title(&self) -> String {
        let name = format!("{}{}", self.object.kubectl(), in_namespace(&self.object));
        let finalizer = self.finalizer.as_deref().unwrap_or_default();
        match self.kind {
            StepKind::ScaleWorkload => format!("scale {} to 1", self.object),
            StepKind::DeleteApiService => format!("delete APIService {}", self.object.name),
            StepKind::IgnoreWebhook => {
                let entry = self.entry.as_deref().unwrap_or_default();
                format!("set failurePolicy of webhook {entry} to Ignore in {}", self.object)
            }
            StepKind::DeleteWebhookConfiguration => format!("delete {}", self.object),
            StepKind::RelaxPolicyBinding if self.entry.as_deref() == Some("validationActions") => {
                format!("have {} audit and no longer deny", self.object)
            }
            StepKind::RelaxPolicyBinding => format!("have {} allow it when its parameter is missing", self.object),
            StepKind::ConversionNone => {
                format!("set the conversion of CRD {} to None", self.object.name)
            }
            StepKind::NudgeNamespace => {
                format!("touch namespace {} so that its controller looks now", self.object.name)
            }
            StepKind::DropGarbageCollectorFinalizer => {
                format!("delete {name} again, in the background: that takes off {finalizer}")
            }
            StepKind::DropOwnerReference => {
                format!("take the reference to its owner {} off {name}", steps::drop_owner_reference::owner(self))
            }
            StepKind::TaintOutOfService => format!("declare node {} out of service", self.object.name),
            StepKind::ForceDeletePod => format!("force-delete {name}"),
            StepKind::RecreateNamespace => format!("create namespace {} again", self.object.name),
            StepKind::DeleteObject | StepKind::DeleteOnRequest => format!("delete {name}"),
            StepKind::RemoveFinalizer => format!("remove finalizer {finalizer} from {name}"),
            StepKind::FinalizeNamespace if steps::finalize_namespace::is_forced(self) => {
                format!("remove {finalizer} from spec.finalizers of {name} by force")
            }
            StepKind::FinalizeNamespace => format!("remove {finalizer} from spec.finalizers of {name}"),
        }
    }

    /// Whether it is the same write to the same name. The command may name another
    /// place in a list that has become shorter, and an object that somebody
    /// creates again and again is not deleted again and again.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// By which it is the same write as another.
    #[must_use]
    pub fn identity(&self) -> Identity {
        (self.kind, self.path(), self.finalizer.clone().or_else(|| self.entry.clone()))
    }

    /// The resource of the object.
    #[must_use]
    pub fn resource(&self) -> ResourceId {
        let (group, version) = self.object.api_version.split_once('/').unwrap_or(("", &self.object.api_version));
        ResourceId::new(group, version, &self.object.resource)
    }

    /// The URL path of the object.
    #[must_use]
    pub fn path(&self) -> String {
        self.resource().path(self.object.namespace.as_deref(), Some(&self.object.name))
    }

    /// Compares the object as it is `now` with what was shown.
    #[must_use]
    pub fn guard(&self, now: Option<&Object>) -> Guard {
        if self.creates() {
            return steps::recreate_namespace::guard(now);
        }
        let Some(now) = now else {
            let text = format!("{} is gone already", self.object);
            return if self.kind.takes_away() { Guard::AlreadySo(text) } else { Guard::Changed(text) };
        };
        if now.uid() != self.object.uid {
            return Guard::Changed(format!("{} is another object now: it was deleted and created again", self.object));
        }
        match self.kind {
            StepKind::ScaleWorkload => steps::scale_workload::guard(self, now),
            StepKind::DeleteApiService => steps::delete_api_service::guard(now),
            StepKind::IgnoreWebhook => steps::ignore_webhook::guard(self, now),
            StepKind::DeleteWebhookConfiguration => steps::delete_webhook_configuration::guard(now),
            StepKind::RelaxPolicyBinding => steps::relax_policy_binding::guard(self, now),
            StepKind::ConversionNone => steps::conversion_none::guard(self, now),
            StepKind::NudgeNamespace => deleting(self, now),
            StepKind::DropGarbageCollectorFinalizer => steps::drop_garbage_collector_finalizer::guard(self, now),
            StepKind::DropOwnerReference => steps::drop_owner_reference::guard(self, now),
            StepKind::TaintOutOfService => steps::taint_out_of_service::guard(self, now),
            StepKind::ForceDeletePod => steps::force_delete_pod::guard(self, now),
            StepKind::RecreateNamespace => Guard::Holds,
            StepKind::DeleteObject => steps::delete_object::guard(self, now),
            StepKind::DeleteOnRequest => steps::delete_on_request::guard(self, now),
            StepKind::RemoveFinalizer => steps::remove_finalizer::guard(self, now),
            StepKind::FinalizeNamespace => steps::finalize_namespace::guard(self, now),
        }
    }

    /// The request, made for the object as it was read again just now: `raw` is
    /// its JSON, `at` the server's time.
    #[must_use]
    pub fn request(&self, raw: &Value, at: Timestamp) -> WriteRequest {
        match self.kind {
            StepKind::ScaleWorkload => steps::scale_workload::request(self),
            StepKind::DeleteApiService => steps::delete_api_service::request(self, raw),
            StepKind::IgnoreWebhook => steps::ignore_webhook::request(self, raw),
            StepKind::DeleteWebhookConfiguration => steps::delete_webhook_configuration::request(self, raw),
            StepKind::RelaxPolicyBinding => steps::relax_policy_binding::request(self, raw),
            StepKind::ConversionNone => steps::conversion_none::request(self, raw),
            StepKind::NudgeNamespace => steps::nudge_namespace::request(self, at),
            StepKind::DropGarbageCollectorFinalizer => steps::drop_garbage_collector_finalizer::request(self),
            StepKind::DropOwnerReference => steps::drop_owner_reference::request(self, raw),
            StepKind::TaintOutOfService => steps::taint_out_of_service::request(self, raw, at),
            StepKind::ForceDeletePod => steps::force_delete_pod::request(self),
            StepKind::RecreateNamespace => steps::recreate_namespace::request(self),
            StepKind::DeleteObject => steps::delete_object::request(self),
            StepKind::DeleteOnRequest => steps::delete_on_request::request(self),
            StepKind::RemoveFinalizer => steps::remove_finalizer::request(self, raw),
            StepKind::FinalizeNamespace => steps::finalize_namespace::request(self, raw),
        }
    }

    /// Judges by the object as it is after the write of `request`.
    #[must_use]
    pub fn verify(&self, after: Option<&Object>, request: &WriteRequest) -> Verdict {
        if self.creates() {
            return steps::recreate_namespace::verify(self, after);
        }
        let Some(after) = after.filter(|after| after.uid() == self.object.uid) else {
            let text = format!("{} is gone", self.object);
            return if self.kind.takes_away() { Verdict::Done(text) } else { Verdict::NotYet(text) };
        };
        match self.kind {
            StepKind::ScaleWorkload => steps::scale_workload::verify(self, after),
            StepKind::DeleteApiService => Verdict::NotYet("the APIService is still there".into()),
            StepKind::IgnoreWebhook => steps::ignore_webhook::verify(self, after),
            StepKind::DeleteWebhookConfiguration => Verdict::NotYet("the configuration is still there".into()),
            StepKind::RelaxPolicyBinding => steps::relax_policy_binding::verify(self, after),
            StepKind::ConversionNone => steps::conversion_none::verify(self, after),
            StepKind::NudgeNamespace => steps::nudge_namespace::verify(after, request),
            StepKind::DropGarbageCollectorFinalizer => steps::drop_garbage_collector_finalizer::verify(self, after),
            StepKind::DropOwnerReference => steps::drop_owner_reference::verify(self, after),
            StepKind::TaintOutOfService => steps::taint_out_of_service::verify(self, after),
            StepKind::ForceDeletePod => steps::force_delete_pod::verify(after),
            StepKind::RecreateNamespace => steps::recreate_namespace::verify(self, Some(after)),
            StepKind::DeleteObject => steps::delete_object::verify(self, after),
            StepKind::DeleteOnRequest => steps::delete_on_request::verify(self, after),
            StepKind::RemoveFinalizer => steps::remove_finalizer::verify(self, after),
            StepKind::FinalizeNamespace => steps::finalize_namespace::verify(self, after),
        }
    }

    /// Whether what makes it right is not in the object alone, but in a Service
    /// or a Node that may have come back since, or in a dependent that was to be
    /// orphaned.
    #[must_use]
    pub fn rests_on_other_objects(&self) -> bool {
        let orphans = self.finalizer.as_deref() == Some(crate::survey::ORPHAN);
        match self.kind {
            StepKind::DeleteApiService
            | StepKind::ForceDeletePod
            | StepKind::IgnoreWebhook
            | StepKind::DeleteWebhookConfiguration
            | StepKind::RelaxPolicyBinding
            | StepKind::ConversionNone
            | StepKind::DropOwnerReference
            | StepKind::TaintOutOfService => true,
            StepKind::DropGarbageCollectorFinalizer => orphans,
            _ => false,
        }
    }

    /// Whether it lets other writes pass that admission refused: a moment later, and
    /// what comes after it is planned anew.
    #[must_use]
    pub fn opens_admission(&self) -> bool {
        matches!(
            self.kind,
            StepKind::IgnoreWebhook | StepKind::DeleteWebhookConfiguration | StepKind::RelaxPolicyBinding
        )
    }

    /// Whether it makes an object that is not there.
    #[must_use]
    pub fn creates(&self) -> bool {
        self.kind == StepKind::RecreateNamespace
    }

    /// The namespace that must not exist for this step, and is looked for right
    /// before it: what is deleted must be stranded.
    #[must_use]
    pub fn needs_missing_namespace(&self) -> Option<&str> {
        self.object.namespace.as_deref().filter(|_| self.kind == StepKind::DeleteObject)
    }

    /// Whether the step is refused when its namespace holds anything that is
    /// younger than the namespace: nobody deletes what was not shown.
    #[must_use]
    pub fn needs_only_leftovers(&self) -> bool {
        self.kind == StepKind::DeleteObject && self.object.namespace.is_none()
    }

    /// The command that restores a setting which `request` has changed for a while;
    /// `None` for what is not a setting, or is not restored.
    #[must_use]
    pub fn restore(&self, request: &WriteRequest) -> Option<String> {
        match (self.kind, Undo::of(self, request, &Value::Null, "", 0)) {
            (StepKind::RecreateNamespace, _) => None,
            (_, Undo::Restore(restore)) => Some(restore.command()),
            _ => None,
        }
    }

    /// What it has in common with steps that may be agreed to together: all but the
    /// object. `None` for what is always a question of its own.
    #[must_use]
    pub fn class(&self) -> Option<Class> {
        let many = matches!(
            self.kind,
            StepKind::RemoveFinalizer
                | StepKind::DeleteObject
                | StepKind::ForceDeletePod
                | StepKind::DropGarbageCollectorFinalizer
        );
        many.then(|| (self.kind, self.resource(), self.finalizer.clone()))
    }

    /// What is done to the objects of its class.
    #[must_use]
    pub fn title_of_class(&self) -> String {
        self.title().replace(&self.object.kubectl(), &self.resource().short())
    }

    /// Whether the step is refused unless its namespace was read to be empty.
    #[must_use]
    pub fn needs_empty_namespace(&self) -> bool {
        self.kind == StepKind::FinalizeNamespace && !steps::finalize_namespace::is_forced(self)
    }
}

/// Never act on an object that is not being deleted.
pub(super) fn deleting(step: &Step, now: &Object) -> Guard {
    if now.is_deleting() { Guard::Holds } else { Guard::Changed(format!("{} is not being deleted", step.object)) }
}

/// A JSON patch that does `operations` only to the object with this uid.
pub(in crate::plan) fn json_patch(step: &Step, operations: Vec<Value>) -> WriteRequest {
    let mut body = vec![serde_json::json!({"op": "test", "path": "/metadata/uid", "value": step.object.uid})];
    body.extend(operations);
    WriteRequest {
        method: "PATCH",
        path: step.path(),
        content_type: "application/json-patch+json",
        body: Value::Array(body),
    }
}

/// A DELETE of the very object of `step`, whose dependents are dealt with as `policy`
/// says.
pub(super) fn deletion(step: &Step, policy: &str) -> WriteRequest {
    WriteRequest {
        method: "DELETE",
        path: step.path(),
        content_type: "application/json",
        body: serde_json::json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": policy,
            "preconditions": {"uid": step.object.uid}}),
    }
}

/// ` -n NAMESPACE` for a namespaced object.
#[must_use]
pub fn in_namespace(object: &Ref) -> String {
    object.namespace.as_ref().map(|namespace| format!(" -n {}", quote(namespace))).unwrap_or_default()
}

/// Quotes a word for a POSIX shell where it needs it.
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_put_back_by_the_patch_turned_round() {
        let configuration = Ref {
            api_version: "admissionregistration.k8s.io/v1".into(),
            kind: "ValidatingWebhookConfiguration".into(),
            resource: "validatingwebhookconfigurations".into(),
            name: "acme".into(),
            uid: "u1".into(),
            ..Ref::default()
        };
        let step = steps::ignore_webhook::step(&configuration, 0, "a.acme.io");
        let raw = serde_json::json!({"webhooks": [{"name": "x"}, {"name": "a.acme.io"}]});
        let request = step.request(&raw, "2026-01-01T00:00:00Z".parse().unwrap());
        let patch = r#"[{"op":"test","path":"/metadata/uid","value":"u1"},{"op":"test","path":"/webhooks/1/name","value":"a.acme.io"},{"op":"test","path":"/webhooks/1/failurePolicy","value":"Ignore"},{"op":"replace","path":"/webhooks/1/failurePolicy","value":"Fail"}]"#;
        assert_eq!(
            step.restore(&request),
            Some(format!(
                "kubectl patch validatingwebhookconfigurations.admissionregistration.k8s.io acme --type=json -p '{patch}'"
            ))
        );
        let node = Ref { kind: "Node".into(), resource: "nodes".into(), name: "n".into(), ..Ref::default() };
        let taint = steps::taint_out_of_service::step(&node);
        let request = taint.request(&serde_json::json!({}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(taint.restore(&request).unwrap(), "kubectl taint node n node.kubernetes.io/out-of-service-");
        let nudge = steps::nudge_namespace::step(&node);
        assert_eq!(nudge.restore(&request), None);
    }

    #[test]
    fn shell_words_are_quoted_where_they_must_be() {
        assert_eq!(quote("a.io/b-c"), "a.io/b-c");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
