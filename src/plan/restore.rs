//! What puts back what a step has changed, or the reason why nothing does.

use super::step::json_patch;
use super::steps::{recreate_namespace, taint_out_of_service};
use crate::plan::{Guard, Needs, Verdict, Write, WriteRequest, in_namespace, lacks_something, quote};
use crate::report::{Ref, Risk, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// A write that puts back what a step of an earlier run has changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Restore {
    /// The step that is taken back.
    pub of: Step,
    /// The run that did it, and its number there.
    pub record: (String, u64),
    back: Back,
}

/// What is written.
#[derive(Debug, Clone, PartialEq)]
enum Back {
    /// A field gets the value again that it had.
    Set { place: String, set: Value, before: Value },
    /// The taint is taken off.
    Untaint { taint: Value },
    /// The object is created again.
    Create { body: Value },
    /// The namespace that was made is deleted.
    DeleteNamespace,
}

/// What can be done about one step.
#[derive(Debug, Clone, PartialEq)]
pub enum Undo {
    /// This puts it back.
    Restore(Box<Restore>),
    /// There is nothing to put back, for this reason.
    Nothing(String),
    /// It cannot be put back, for this reason.
    Cannot(String),
}

/// Where a node has its taints.
const TAINTS: &str = "/spec/taints";

impl Undo {
    /// What takes back `step`, which sent `request` when the object was like `before`.
    #[must_use]
    pub fn of(step: &Step, request: &WriteRequest, before: &Value, run: &str, number: u64) -> Self {
        let back = match step.kind {
            StepKind::ScaleWorkload
            | StepKind::IgnoreWebhook
            | StepKind::RelaxPolicyBinding
            | StepKind::ConversionNone => setting(request),
            StepKind::TaintOutOfService => taint(request),
            StepKind::RecreateNamespace => Ok(Back::DeleteNamespace),
            StepKind::DeleteApiService | StepKind::DeleteWebhookConfiguration | StepKind::DeleteObject => {
                created_again(step, before)
            }
            StepKind::NudgeNamespace => {
                Err(Self::Nothing("it was only touched: an annotation says when, and nobody acts on it".into()))
            }
            _ => Err(Self::Cannot(why_not(step))),
        };
        match back {
            Ok(back) => Self::Restore(Box::new(Restore { of: step.clone(), record: (run.to_owned(), number), back })),
            Err(why) => why,
        }
    }
}

/// Why what a step has done is for good.
fn why_not(step: &Step) -> String {
    let name = &step.object;
    match step.kind {
        StepKind::FinalizeNamespace => format!(
            "the API server lets nobody put it back, and {name} may be gone; what was left in it is found by: \
             kubectl unstick orphans -n {}",
            quote(&name.name)
        ),
        StepKind::DropOwnerReference => {
            format!("no owner could answer to the reference that {name} had: the record shows it as it was")
        }
        StepKind::ForceDeletePod => {
            format!("{name} is out of the API; where it has an owner, that has made another pod")
        }
        StepKind::DeleteOnRequest => format!(
            "it was deleted because that was asked for, and what {name} stood for may be gone; the record shows it as \
             it was, less what may be secret"
        ),
        // kubernetes/kubernetes: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go
        _ => format!(
            "the API server accepts no new finalizer on an object that is being deleted, and {name} may be gone"
        ),
    }
}

fn operation<'a>(request: &'a WriteRequest, op: &str, path: Option<&Value>) -> Option<&'a Value> {
    let matches =
        |operation: &&Value| operation["op"] == op && path.is_none_or(|path| operation.get("path") == Some(path));
    request.body.as_array()?.iter().find(matches)
}

/// The patch that tests a value and then replaces it says both values.
fn setting(request: &WriteRequest) -> Result<Back, Undo> {
    let read = || {
        let replaced = operation(request, "replace", None)?;
        let before = operation(request, "test", replaced.get("path"))?.get("value")?.clone();
        Some(Back::Set { place: replaced["path"].as_str()?.to_owned(), set: replaced.get("value")?.clone(), before })
    };
    read().ok_or_else(|| Undo::Cannot("the record does not say what was there before".into()))
}

fn taint(request: &WriteRequest) -> Result<Back, Undo> {
    let added = operation(request, "add", None).map(|operation| &operation["value"]);
    let taint = added.map(|value| value.get(0).unwrap_or(value).clone());
    taint
        .map(|taint| Back::Untaint { taint })
        .ok_or_else(|| Undo::Cannot("the record does not say which taint it was".into()))
}

fn created_again(step: &Step, before: &Value) -> Result<Back, Undo> {
    let name = &step.object;
    if !before.is_object() {
        return Err(Undo::Cannot(format!("the record does not hold {name} as it was")));
    }
    if before["metadata"]["deletionTimestamp"].is_string() {
        return Err(Undo::Nothing(format!("{name} was being deleted already")));
    }
    if step.resource() == recreate_namespace::namespace("").target().resource {
        return Err(Undo::Nothing(format!("{name} had been made only to release what was stranded in it")));
    }
    if step.resource().is_secret() {
        return Err(Undo::Cannot("the data of a Secret is never kept".into()));
    }
    if lacks_something(before) {
        return Err(Undo::Cannot("the values of its environment variables are never kept: they may be secret".into()));
    }
    Ok(Back::Create { body: without_identity(before) })
}

/// As it was, without what the server alone decides.
fn without_identity(before: &Value) -> Value {
    const SERVERS: [&str; 6] =
        ["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink"];
    let mut body = before.clone();
    if let Some(object) = body.as_object_mut() {
        object.remove("status");
    }
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        for field in SERVERS {
            metadata.remove(field);
        }
    }
    body
}

impl Restore {
    /// What may follow from it.
    #[must_use]
    pub fn consequence(&self) -> &'static str {
        match self.of.kind {
            StepKind::ScaleWorkload => "the controller in it stops",
            StepKind::DeleteApiService => {
                "it gets a new uid; as long as nobody answers behind it, no namespace can be deleted"
            }
            StepKind::DeleteWebhookConfiguration => {
                "it gets a new uid; what its webhooks match is refused as long as nobody answers behind them"
            }
            StepKind::IgnoreWebhook => "what it matches is refused as long as nobody answers behind it",
            StepKind::RelaxPolicyBinding => "what it refused before is refused again",
            StepKind::ConversionNone => {
                "objects stored in other versions cannot be read as long as nobody answers behind it"
            }
            StepKind::TaintOutOfService => "pods may run on the node again",
            StepKind::RecreateNamespace => "it holds nothing",
            _ => "it gets a new uid; who watches for its kind may act on it",
        }
    }

    /// What it may cost.
    #[must_use]
    pub fn risk(&self) -> Risk {
        match self.of.kind {
            StepKind::TaintOutOfService | StepKind::RecreateNamespace | StepKind::DeleteObject => Risk::Harmless,
            _ => Risk::Disruptive,
        }
    }

    /// The kubectl command that does the same.
    #[must_use]
    pub fn command(&self) -> String {
        let full = self.of.object.kubectl();
        let (resource, name) = full.split_once('/').unwrap_or((&full, ""));
        let namespace = in_namespace(&self.of.object);
        match &self.back {
            Back::Untaint { .. } => taint_out_of_service::undo(&self.of.object),
            Back::DeleteNamespace => format!("kubectl delete namespace {}", quote(&self.of.object.name)),
            Back::Create { body } => format!("printf %s {} | kubectl create -f -", quote(&body.to_string())),
            Back::Set { place, .. } => {
                let patch = json_patch(&self.of, self.operations(place)).body.to_string();
                let patch = quote(&patch);
                format!("kubectl patch {} {}{namespace} --type=json -p {patch}", quote(resource), quote(name))
            }
        }
    }

    /// The owners that it would have again.
    #[must_use]
    pub fn owners(&self) -> Vec<Value> {
        let Back::Create { body } = &self.back else { return Vec::new() };
        body["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default()
    }

    /// The same, owned by none but those of which `is_there` is true: what the
    /// garbage collector finds without owners it deletes.
    #[must_use]
    pub fn owned_by(mut self, is_there: impl Fn(&Value) -> bool) -> Self {
        if let Back::Create { body } = &mut self.back
            && let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut)
            && let Some(Value::Array(owners)) = metadata.get_mut("ownerReferences")
        {
            owners.retain(|owner| is_there(owner));
            if owners.is_empty() {
                metadata.remove("ownerReferences");
            }
        }
        self
    }

    /// The tests and the replacement, for the field at `place`.
    fn operations(&self, place: &str) -> Vec<Value> {
        let Back::Set { set, before, .. } = &self.back else { return Vec::new() };
        let mut operations = Vec::new();
        if let (StepKind::IgnoreWebhook, Some((entry, _))) = (self.of.kind, place.rsplit_once('/')) {
            operations.push(json!({"op": "test", "path": format!("{entry}/name"), "value": self.of.entry}));
        }
        operations.push(json!({"op": "test", "path": place, "value": set}));
        operations.push(json!({"op": "replace", "path": place, "value": before}));
        operations
    }

    /// Where the field is now: an entry may have moved.
    fn place(&self, now: &[Value]) -> Option<String> {
        let Back::Set { place, .. } = &self.back else { return None };
        if self.of.kind != StepKind::IgnoreWebhook {
            return Some(place.clone());
        }
        let index = now.iter().position(|webhook| webhook["name"].as_str() == self.of.entry.as_deref())?;
        Some(format!("/webhooks/{index}/failurePolicy"))
    }

    fn untainted(&self, taint: &Value, raw: &Value) -> WriteRequest {
        let taints = raw.pointer(TAINTS).cloned().unwrap_or_else(|| json!([]));
        let index = taints.as_array().and_then(|taints| taints.iter().position(|other| is_taint(other, taint)));
        let place = format!("{TAINTS}/{}", index.unwrap_or_default());
        json_patch(
            &self.of,
            vec![json!({"op": "test", "path": TAINTS, "value": taints}), json!({"op": "remove", "path": place})],
        )
    }

    fn guard_of_same(&self, now: &Object) -> Guard {
        let name = &self.of.object;
        match &self.back {
            Back::Set { set, before, .. } => {
                match self.place(now.array("/webhooks")).and_then(|place| now.at(&place).cloned()) {
                    None => Guard::Changed(format!("{name} no longer has what was changed in it")),
                    Some(value) if value == *before => Guard::AlreadySo(format!("{name} is as it was before")),
                    Some(value) if value == *set => Guard::Holds,
                    Some(value) => Guard::Changed(format!(
                        "{name} was changed since by somebody, to {}: not touched",
                        short(&value)
                    )),
                }
            }
            Back::Untaint { taint } => match taint_out_of_service::on(now) {
                None => Guard::AlreadySo(format!("{name} does not have the taint any more")),
                Some(other) if is_taint(other, taint) => Guard::Holds,
                Some(_) => Guard::Changed(format!("{name} was tainted anew since by somebody: not touched")),
            },
            Back::Create { .. } | Back::DeleteNamespace => Guard::Holds,
        }
    }
}

/// Whether it is the taint that the run has put there.
fn is_taint(one: &Value, other: &Value) -> bool {
    ["key", "value", "effect", "timeAdded"].iter().all(|field| one.get(field) == other.get(field))
}

/// A value for a sentence.
fn short(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= 60 { text } else { format!("{}…", text.chars().take(60).collect::<String>()) }
}

impl Write for Restore {
    fn object(&self) -> &Ref {
        &self.of.object
    }

    fn title(&self) -> String {
        let name = format!("{}{}", self.of.object.kubectl(), in_namespace(&self.of.object));
        match (&self.back, self.of.kind) {
            (Back::Set { before, .. }, StepKind::ScaleWorkload) => format!("scale {name} back to {}", short(before)),
            (Back::Set { before, .. }, StepKind::IgnoreWebhook) => {
                let entry = self.of.entry.as_deref().unwrap_or_default();
                format!("set failurePolicy of webhook {entry} back to {} in {}", short(before), self.of.object)
            }
            (Back::Set { .. }, StepKind::ConversionNone) => {
                format!("put the conversion webhook of CRD {} back", self.of.object.name)
            }
            (Back::Set { before, .. }, _) => {
                let entry = self.of.entry.as_deref().unwrap_or_default();
                format!("set {entry} of {} back to {}", self.of.object, short(before))
            }
            (Back::Untaint { .. }, _) => format!("take the out-of-service taint off node {}", self.of.object.name),
            (Back::Create { .. }, _) => format!("create {name} again"),
            (Back::DeleteNamespace, _) => format!("delete namespace {}, which was made again", self.of.object.name),
        }
    }

    fn guard(&self, now: Option<&Object>) -> Guard {
        let name = &self.of.object;
        match (&self.back, now) {
            (Back::Create { .. }, None) => Guard::Holds,
            (Back::Create { .. }, Some(now)) if now.is_deleting() => {
                Guard::Changed(format!("{name} is still being deleted: try again when it is gone"))
            }
            (Back::Create { .. }, Some(now)) if now.uid() == name.uid => {
                Guard::AlreadySo(format!("{name} is there: it was not deleted"))
            }
            (Back::Create { .. }, Some(_)) => Guard::AlreadySo(format!("{name} is there again")),
            (Back::DeleteNamespace, None) => Guard::AlreadySo(format!("{name} is gone again")),
            (Back::DeleteNamespace, Some(now)) if now.is_deleting() => {
                Guard::AlreadySo(format!("{name} is being deleted already"))
            }
            (Back::DeleteNamespace, Some(now)) if recreate_namespace::made(now) => Guard::Holds,
            (Back::DeleteNamespace, Some(_)) => {
                Guard::Changed(format!("{name} was made anew since by somebody: not touched"))
            }
            (_, None) => Guard::AlreadySo(format!("{name} is gone, and what was set in it")),
            (_, Some(now)) if now.uid() != name.uid => {
                Guard::Changed(format!("{name} is another object now: it was deleted and created again"))
            }
            (_, Some(now)) => self.guard_of_same(now),
        }
    }

    fn request(&self, raw: &Value, _: Timestamp) -> WriteRequest {
        let options = |uid: &Value| {
            json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background",
                "preconditions": {"uid": uid, "resourceVersion": raw["metadata"]["resourceVersion"]}})
        };
        match &self.back {
            Back::Set { .. } => {
                let place = self.place(raw["webhooks"].as_array().map_or(&[][..], Vec::as_slice)).unwrap_or_default();
                json_patch(&self.of, self.operations(&place))
            }
            Back::Untaint { taint } => self.untainted(taint, raw),
            Back::Create { body } => WriteRequest {
                method: "POST",
                path: self.resource().path(self.of.object.namespace.as_deref(), None),
                content_type: "application/json",
                body: body.clone(),
            },
            Back::DeleteNamespace => WriteRequest {
                method: "DELETE",
                path: self.path(),
                content_type: "application/json",
                body: options(&raw["metadata"]["uid"]),
            },
        }
    }

    fn verify(&self, after: Option<&Object>, _: &WriteRequest) -> Verdict {
        let name = &self.of.object;
        match (&self.back, after) {
            (Back::Create { .. }, Some(after)) if after.uid() != name.uid => {
                Verdict::Done(format!("{name} is there again, with the new uid {}", after.uid()))
            }
            (Back::Create { .. }, _) => Verdict::NotYet(format!("{name} is not there")),
            (Back::DeleteNamespace, None) => Verdict::Done(format!("{name} is gone")),
            (Back::DeleteNamespace, Some(after)) if after.is_deleting() => {
                Verdict::Done(format!("{name} is being deleted"))
            }
            (Back::DeleteNamespace, Some(_)) => Verdict::NotYet(format!("{name} is not being deleted")),
            (_, Some(after)) if after.uid() == name.uid => match self.guard_of_same(after) {
                Guard::AlreadySo(_) => Verdict::Done(format!("{name} is as it was before")),
                _ => Verdict::NotYet(format!("{name} is not as it was before")),
            },
            _ => Verdict::NotYet(format!("{name} is gone")),
        }
    }

    fn creates(&self) -> bool {
        matches!(self.back, Back::Create { .. })
    }

    fn needs(&self) -> Needs<'_> {
        if self.back == Back::DeleteNamespace { Needs::EmptyButFurniture } else { Needs::Nothing }
    }

    /// What the run has set is on record there already.
    fn image(&self, raw: &Value) -> Value {
        super::before_image(&self.of, raw)
    }

    fn record(&self) -> Value {
        json!({"kind": "Restore", "of": {"run": self.record.0, "step": self.record.1}, "object": self.of.object,
            "command": self.command()})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps;

    fn at() -> Timestamp {
        "2026-01-01T00:00:00Z".parse().unwrap()
    }

    fn reference(api_version: &str, kind: &str, resource: &str) -> Ref {
        Ref {
            api_version: api_version.into(),
            kind: kind.into(),
            resource: resource.into(),
            name: "x".into(),
            uid: "u1".into(),
            ..Ref::default()
        }
    }

    fn object(value: &Value) -> Object {
        serde_json::from_value(value.clone()).unwrap()
    }

    /// What takes back `step`, done to `raw`.
    fn undo(step: &Step, raw: &Value) -> Undo {
        Undo::of(step, &step.request(raw, at()), &step.image(raw), "run", 1)
    }

    #[track_caller]
    fn restore(step: &Step, raw: &Value) -> Restore {
        match undo(step, raw) {
            Undo::Restore(restore) => *restore,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_entry_gets_its_policy_back_wherever_it_is_now() {
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
        assert!(matches!(restore.verify(Some(&back), &request), Verdict::Done(_)));
        assert!(matches!(restore.verify(Some(&object(&now)), &request), Verdict::NotYet(_)));
        assert!(matches!(restore.guard(Some(&object(&webhooks(&[])))), Guard::Changed(_)));
        assert!(matches!(restore.guard(None), Guard::AlreadySo(_)));
    }

    #[test]
    fn what_somebody_has_changed_since_is_not_touched() {
        let workload = Ref { namespace: Some("ops".into()), ..reference("apps/v1", "Deployment", "deployments") };
        let at_replicas = |replicas: i64| json!({"metadata": {"uid": "u1"}, "spec": {"replicas": replicas}});
        let restore = restore(&steps::scale_workload::step(&workload), &at_replicas(0));
        assert_eq!(restore.title(), "scale deployments.apps/x -n ops back to 0");
        assert_eq!(restore.guard(Some(&object(&at_replicas(1)))), Guard::Holds);
        assert!(matches!(restore.guard(Some(&object(&at_replicas(0)))), Guard::AlreadySo(_)));
        let Guard::Changed(text) = restore.guard(Some(&object(&at_replicas(3)))) else { panic!("not touched") };
        assert!(text.contains("changed since by somebody, to 3"), "{text}");
        let mut other = object(&at_replicas(1));
        other.metadata.uid = "u2".into();
        assert!(matches!(restore.guard(Some(&other)), Guard::Changed(_)));
    }

    #[test]
    fn only_the_taint_of_the_run_is_taken_off() {
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
    fn what_was_deleted_comes_back_without_its_identity() {
        let step =
            steps::delete_api_service::step(&reference("apiregistration.k8s.io/v1", "APIService", "apiservices"));
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
        assert!(matches!(restore.verify(Some(&again), &request), Verdict::Done(text) if text.contains("new uid u2")));
        assert!(matches!(restore.verify(None, &request), Verdict::NotYet(_)));
    }

    #[test]
    fn what_is_for_good_says_why() {
        let map = reference("v1", "ConfigMap", "configmaps");
        let raw = json!({"metadata": {"uid": "u1", "finalizers": ["a.io/x"]}});
        let held = steps::remove_finalizer::step(&map, &["a.io/x".into()], "a.io/x");
        assert!(matches!(undo(&held, &raw), Undo::Cannot(why) if why.contains("accepts no new finalizer")));
        let namespace = recreate_namespace::namespace("shop");
        let finalized = steps::finalize_namespace::step(&namespace, "kubernetes");
        assert!(matches!(undo(&finalized, &raw), Undo::Cannot(why) if why.contains("orphans -n shop")));
        assert!(matches!(undo(&steps::nudge_namespace::step(&namespace), &raw), Undo::Nothing(_)));
        let secret = steps::delete_object::step(&reference("v1", "Secret", "secrets"));
        assert!(matches!(undo(&secret, &raw), Undo::Cannot(why) if why.contains("Secret")));
        let going = json!({"metadata": {"uid": "u1", "deletionTimestamp": "2026-01-01T00:00:00Z"}});
        assert!(matches!(undo(&steps::delete_object::step(&map), &going), Undo::Nothing(_)));
    }

    #[test]
    fn of_namespaces_only_one_that_was_made_for_it_is_deleted() {
        let step = steps::recreate_namespace::step("shop");
        let restore = restore(&step, &Value::Null);
        assert_eq!(restore.needs(), Needs::EmptyButFurniture);
        let mut made = step.request(&Value::Null, at()).body;
        made["metadata"]["uid"] = json!("u9");
        assert_eq!(restore.guard(Some(&object(&made))), Guard::Holds);
        assert_eq!(restore.request(&made, at()).body["preconditions"]["uid"], "u9");
        assert!(matches!(restore.guard(Some(&object(&json!({"metadata": {"name": "shop"}})))), Guard::Changed(_)));
        assert!(matches!(restore.guard(None), Guard::AlreadySo(_)));
    }
}
