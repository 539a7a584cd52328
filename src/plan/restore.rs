//! The write that undoes a step, or the reason why none does.

use super::behaviour::Property;
use super::identity::WriteIdentity;
use super::recreation;
use super::reversal::{Back, DoneStep, NoWayBack, Reversal, WayBack};
use super::write::{Guard, Needs, StepVerdict, Write, WriteRequest};
use crate::report::{Ref, Step};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// A write that undoes a step of an earlier run.
#[derive(Debug)]
pub struct Restore {
    /// The step that is undone.
    pub of: Step,
    /// The run that did it, and the number of its record.
    pub record: (String, u64),
    /// The uid of the object that was shown; `None` before it was read, and if it is
    /// created.
    seen: Option<String>,
    /// The reversal: its title, and its request.
    pub reversal: Reversal,
}

impl Step {
    /// The command that restores what `request` has changed for a time; `None` for a step that was meant to stay.
    #[must_use]
    pub fn restore(&self, request: &WriteRequest) -> Option<String> {
        let is_for_a_time = self.has(Property::IsForATime);
        is_for_a_time.then(|| self.undo(request, &Value::Null).ok())?.map(|reversal| reversal.command)
    }

    fn undo(&self, request: &WriteRequest, before: &Value) -> WayBack {
        let (behaviour, object) = (self.behaviour(), &self.object);
        behaviour.undo(DoneStep { object, shape: behaviour.shape(object), request, before })
    }
}

impl Restore {
    /// The write that undoes `step`, which sent `request` when the object was like `before`. The step has this
    /// number in the run.
    ///
    /// # Errors
    /// When the step cannot be undone.
    pub fn of(step: &Step, request: &WriteRequest, before: &Value, run: &str, number: u64) -> Result<Self, NoWayBack> {
        let reversal = step.undo(request, before)?;
        Ok(Self { of: step.clone(), record: (run.to_owned(), number), seen: None, reversal })
    }

    /// The same write, only for the object with this uid, which was shown.
    #[must_use]
    pub fn as_seen(self, uid: &str) -> Self {
        Self { seen: Some(uid.to_owned()).filter(|uid| !uid.is_empty()), ..self }
    }

    /// The owners that the object would have again.
    #[must_use]
    pub fn owners(&self) -> Vec<Value> {
        match &self.reversal.back {
            Back::Create(body) => body["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// The same write, only with those owners for which `is_there` is true: the garbage collector deletes an
    /// object none of whose owners exists.
    #[must_use]
    pub fn owned_by(mut self, is_there: impl Fn(&Value) -> bool) -> Self {
        if let Back::Create(body) = &mut self.reversal.back {
            recreation::keep_owners(body, is_there);
            self.reversal.command = recreation::command(body);
        }
        self
    }
}

impl Write for Restore {
    fn object(&self) -> &Ref {
        &self.of.object
    }

    fn title(&self) -> String {
        self.reversal.title.clone()
    }

    fn guard(&self, now: Option<&Object>) -> Guard {
        if let (Some(seen), Some(now)) = (&self.seen, now)
            && now.uid() != seen
        {
            return Guard::replaced(&self.of.object);
        }
        self.reversal.back.guard(&self.of.object, now)
    }

    fn request(&self, raw: &Value, _: Timestamp) -> WriteRequest {
        self.reversal.back.request(&self.of.object, raw)
    }

    fn verify(&self, after: Option<&Object>, _: &WriteRequest) -> StepVerdict {
        self.reversal.back.verify(&self.of.object, after)
    }

    fn creates(&self) -> bool {
        matches!(self.reversal.back, Back::Create(_))
    }

    fn needs(&self) -> Needs<'_> {
        self.reversal.back.needs()
    }

    /// The journal already contains what the run has set.
    fn image(&self, raw: &Value) -> Value {
        self.of.image(raw)
    }

    fn identity(&self) -> WriteIdentity {
        let record = json!({"run": self.record.0, "step": self.record.1});
        WriteIdentity::taking_back(&self.of, self.seen.clone(), record)
    }

    fn record(&self) -> Value {
        json!({"kind": "Restore", "of": {"run": self.record.0, "step": self.record.1}, "object": self.of.object,
            "command": self.reversal.command})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps;
    use crate::report::Named;

    fn at() -> Timestamp {
        "2026-01-01T00:00:00Z".parse().unwrap()
    }

    fn reference(api_version: &str, kind: &str, resource: &str) -> Ref {
        Ref::from(Named {
            api_version: api_version.into(),
            kind: kind.into(),
            resource: resource.into(),
            name: "x".into(),
            uid: "u1".into(),
            ..Named::default()
        })
    }

    fn object(value: &Value) -> Object {
        serde_json::from_value(value.clone()).unwrap()
    }

    /// The write that undoes `step`, done to `raw`.
    fn undo(step: &Step, raw: &Value) -> Result<Restore, NoWayBack> {
        Restore::of(step, &step.request(raw, at()), &step.image(raw), "run", 1)
    }

    #[track_caller]
    fn restore(step: &Step, raw: &Value) -> Restore {
        match undo(step, raw) {
            Ok(restore) => restore,
            Err(why) => panic!("{why:?}"),
        }
    }

    #[test]
    fn a_failure_policy_is_restored_wherever_its_entry_is_now() {
        let configuration = reference(
            "admissionregistration.k8s.io/v1",
            "ValidatingWebhookConfiguration",
            "validatingwebhookconfigurations",
        );
        let webhooks = |entries: &[(&str, &str)]| {
            let webhooks: Vec<Value> =
                entries.iter().map(|(name, policy)| json!({"name": name, "failurePolicy": policy})).collect();
            json!({"metadata": {"uid": "u1"}, "webhooks": webhooks})
        };
        let step = steps::ignore_webhook::step(&configuration, 0, "a.io");
        let restore = restore(&step, &webhooks(&[("a.io", "Fail")]));
        let now = webhooks(&[("b.io", "Ignore"), ("a.io", "Ignore")]);
        assert_eq!(restore.guard(Some(&object(&now))), Guard::Holds);
        let request = restore.request(&now, at());
        assert_eq!(
            request.body,
            json!([{"op": "test", "path": "/metadata/uid", "value": "u1"},
                {"op": "test", "path": "/webhooks/1/name", "value": "a.io"},
                {"op": "test", "path": "/webhooks/1/failurePolicy", "value": "Ignore"},
                {"op": "replace", "path": "/webhooks/1/failurePolicy", "value": "Fail"}])
        );
        let back = object(&webhooks(&[("a.io", "Fail")]));
        assert!(matches!(restore.guard(Some(&back)), Guard::AlreadySo(_)));
        assert!(matches!(restore.verify(Some(&back), &request), StepVerdict::Done(_)));
        assert!(matches!(restore.verify(Some(&object(&now)), &request), StepVerdict::NotYet(_)));
        assert!(matches!(restore.guard(Some(&object(&webhooks(&[])))), Guard::Changed(_)));
        assert!(matches!(restore.guard(None), Guard::AlreadySo(_)));
    }

    #[test]
    fn undo_leaves_later_changes_alone() {
        let workload = Ref::from(Named {
            namespace: Some("ops".into()),
            ..reference("apps/v1", "Deployment", "deployments").parts()
        });
        let at_replicas = |replicas: i64| json!({"metadata": {"uid": "u1"}, "spec": {"replicas": replicas}});
        let restore = restore(&steps::scale_workload::step(&workload), &at_replicas(0));
        assert_eq!(restore.title(), "scale deployments.apps/x -n ops back to 0");
        assert_eq!(restore.object(), &workload);
        assert_eq!(restore.guard(Some(&object(&at_replicas(1)))), Guard::Holds);
        assert!(matches!(restore.guard(Some(&object(&at_replicas(0)))), Guard::AlreadySo(_)));
        let Guard::Changed(text) = restore.guard(Some(&object(&at_replicas(3)))) else { panic!("not touched") };
        assert!(text.contains("was changed to 3 in the meantime"), "{text}");
        let mut other = object(&at_replicas(1));
        other.metadata.uid = "u2".into();
        assert!(matches!(restore.guard(Some(&other)), Guard::Changed(_)));
    }

    #[test]
    fn undo_removes_only_the_taint_of_the_run() {
        let step = steps::taint_out_of_service::step(&reference("v1", "Node", "nodes"));
        let others = json!([{"key": "a", "effect": "NoSchedule"}]);
        let raw = |taints: &Value| json!({"metadata": {"uid": "u1"}, "spec": {"taints": taints}});
        for before in [raw(&others), json!({"metadata": {"uid": "u1", "resourceVersion": "7"}})] {
            let taint = step.request(&before, at()).body[2]["value"].clone();
            let taint = taint.get(0).unwrap_or(&taint).clone();
            let restore = restore(&step, &before);
            let now = raw(&json!([others[0], taint]));
            assert_eq!(restore.guard(Some(&object(&now))), Guard::Holds);
            assert_eq!(restore.request(&now, at()).body[2], json!({"op": "remove", "path": "/spec/taints/1"}));
            let mut later = taint.clone();
            later["timeAdded"] = json!("2027-01-01T00:00:00Z");
            assert!(matches!(restore.guard(Some(&object(&raw(&json!([later]))))), Guard::Changed(_)));
            assert!(matches!(restore.guard(Some(&object(&raw(&others)))), Guard::AlreadySo(_)));
        }
    }

    #[test]
    fn deleted_objects_are_restored_without_their_identity() {
        let step = steps::delete_api_service::step(
            &reference("apiregistration.k8s.io/v1", "APIService", "apiservices"),
            &reference("v1", "Service", "services"),
        );
        let raw = json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
            "metadata": {"name": "x", "uid": "u1", "resourceVersion": "7", "creationTimestamp": "2026-01-01T00:00:00Z",
                "labels": {"a": "b"}, "ownerReferences": [{"uid": "o1"}, {"uid": "o2"}], "managedFields": []},
            "spec": {"group": "g"}, "status": {}});
        let restore = restore(&step, &raw);
        assert_eq!(restore.owners().len(), 2);
        let restore = restore.owned_by(|owner| owner["uid"] == "o2");
        let request = restore.request(&Value::Null, at());
        assert_eq!((request.method, request.path.as_str()), ("POST", "/apis/apiregistration.k8s.io/v1/apiservices"));
        assert_eq!(
            request.body,
            json!({"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
                "metadata": {"name": "x", "labels": {"a": "b"}, "ownerReferences": [{"uid": "o2"}]}, "spec": {"group": "g"}})
        );
        assert_eq!(restore.guard(None), Guard::Holds);
        assert!(matches!(restore.guard(Some(&object(&raw))), Guard::AlreadySo(_)));
        let mut again = object(&raw);
        again.metadata.uid = "u2".into();
        assert!(
            matches!(restore.verify(Some(&again), &request), StepVerdict::Done(text) if text.contains("new uid u2"))
        );
        assert!(matches!(restore.verify(None, &request), StepVerdict::NotYet(_)));
    }

    #[test]
    fn irreversible_steps_say_why() {
        let map = reference("v1", "ConfigMap", "configmaps");
        let raw = json!({"metadata": {"uid": "u1", "finalizers": ["a.io/x"]}});
        let held = steps::remove_finalizer::step(&map, &["a.io/x".into()], "a.io/x");
        assert!(matches!(undo(&held, &raw), Err(NoWayBack::Cannot(why)) if why.contains("accepts no new finalizer")));
        let namespace = steps::recreate_namespace::namespace("shop");
        let finalized = steps::finalize_namespace::step(&namespace, "kubernetes");
        assert!(matches!(undo(&finalized, &raw), Err(NoWayBack::Cannot(why)) if why.contains("orphans -n shop")));
        assert!(matches!(undo(&steps::nudge_namespace::step(&namespace), &raw), Err(NoWayBack::Nothing(_))));
        let stranded = |kind: &str, resource: &str| {
            let object = Named { namespace: Some("gone".into()), ..reference("v1", kind, resource).parts() };
            steps::delete_object::step(&object.into())
        };
        let quota = undo(&stranded("ResourceQuota", "resourcequotas"), &raw);
        assert!(
            matches!(&quota, Err(NoWayBack::Cannot(why)) if why.contains("nothing is restored into a new namespace")),
            "{quota:?}"
        );
        assert!(matches!(&quota, Err(NoWayBack::Cannot(why)) if why.contains("the journal shows")), "{quota:?}");
        let secret = undo(&stranded("Secret", "secrets"), &raw);
        assert!(
            matches!(&secret, Err(NoWayBack::Cannot(why)) if why.contains("does not contain its content")),
            "{secret:?}"
        );
        let going = json!({"metadata": {"uid": "u1", "deletionTimestamp": "2026-01-01T00:00:00Z"}});
        assert!(matches!(undo(&stranded("ConfigMap", "configmaps"), &going), Err(NoWayBack::Nothing(_))));
    }

    #[test]
    fn undo_deletes_only_a_namespace_that_this_program_created() {
        let step = steps::recreate_namespace::step("shop");
        let restore = restore(&step, &Value::Null);
        assert_eq!(restore.needs(), Needs::OnlyDefaultContent);
        let mut made = step.request(&Value::Null, at()).body;
        made["metadata"]["uid"] = json!("u9");
        assert_eq!(restore.guard(Some(&object(&made))), Guard::Holds);
        assert_eq!(restore.request(&made, at()).body["preconditions"]["uid"], "u9");
        assert!(matches!(restore.guard(Some(&object(&json!({"metadata": {"name": "shop"}})))), Guard::Changed(_)));
        assert!(matches!(restore.guard(None), Guard::AlreadySo(_)));
    }

    #[test]
    fn a_setting_is_restored_by_the_reversed_patch() {
        let configuration = Ref::from(Named {
            api_version: "admissionregistration.k8s.io/v1".into(),
            kind: "ValidatingWebhookConfiguration".into(),
            resource: "validatingwebhookconfigurations".into(),
            name: "acme".into(),
            uid: "u1".into(),
            ..Named::default()
        });
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
        let node =
            Ref::from(Named { kind: "Node".into(), resource: "nodes".into(), name: "n".into(), ..Named::default() });
        let taint = steps::taint_out_of_service::step(&node);
        let request = taint.request(&serde_json::json!({}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(taint.restore(&request).unwrap(), "kubectl taint node n node.kubernetes.io/out-of-service-");
        let nudge = steps::nudge_namespace::step(&node);
        assert_eq!(nudge.restore(&request), None);
    }

    #[test]
    fn a_restore_is_recorded_with_its_request_and_the_object_before() {
        let workload = Ref::from(Named {
            namespace: Some("ops".into()),
            ..reference("apps/v1", "Deployment", "deployments").parts()
        });
        let before = json!({"metadata": {"name": "x", "uid": "u1"}, "spec": {"replicas": 0}});
        let restore = restore(&steps::scale_workload::step(&workload), &before);
        let now = json!({"metadata": {"name": "x", "uid": "u1"}, "spec": {"replicas": 1}});
        let request = restore.request(&now, at());
        assert_eq!(restore.recorded(&request), request.body);
        assert_eq!(restore.image(&now)["metadata"]["uid"], "u1");
        assert_eq!(restore.in_vain(&object(&now)), None);
    }
}
