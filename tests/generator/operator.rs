//! Operators: the objects that their installers create, a kubelet's reports about their pods, and
//! their actions on objects. All names are invented.

use crate::api::{Api, now, now_micro};
use crate::draft::{Draft, Phase, until};
use crate::object::Id;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The node on which all healthy pods run.
pub const WORKER: &str = "worker-1";

/// The state of an operator's pods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pods {
    /// The Deployment is scaled to 0.
    Parked,
    /// They end as soon as they start.
    Crashing,
    /// They run; the operator holds its lease.
    Ready,
    /// They are on this node, whose kubelet does not report.
    On(String),
    /// It has no pods, although it should.
    Missing,
    /// Their image cannot be pulled.
    Pulling,
    /// No node takes them.
    Unscheduled,
}

/// The extent of an operator's rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    /// Its own kind, everywhere.
    OwnKind,
    /// Its own kind and a few that many operators use.
    AndCommon,
    /// Everything.
    Everything,
    /// Its own kind, by a binding in the state's namespace only.
    InNamespace,
}

/// An operator and its kind.
#[derive(Debug, Clone)]
pub struct Operator {
    /// The namespace in which it is installed.
    pub namespace: String,
    /// Its Deployment's name.
    pub name: String,
    /// The product's name, as its labels give it.
    pub app: String,
    /// Its name as a field manager.
    pub manager: String,
    /// Its kind's group, kind and plural.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The plural.
    pub plural: String,
    /// The finalizer that it sets.
    pub finalizer: String,
    /// Whether Helm installed it.
    pub helm: bool,
    /// Additional arguments and environment of its container.
    pub told: Value,
    /// Whether it sends requests as itself, rather than as the administrator.
    pub acts_itself: bool,
}

impl Operator {
    /// Invents the names of an operator.
    pub fn invent(draft: &mut Draft) -> Self {
        let random = &mut draft.random;
        let (product, thing) = (random.word(), random.word());
        let group = format!("{product}.{}", random.pick(&["io", "dev", "example.com", "cloud"]));
        let name = match random.below(3) {
            0 => format!("{product}-operator"),
            1 => format!("{product}-controller-manager"),
            _ => format!("{product}-controller"),
        };
        let manager = if random.percent(75) { name.clone() } else { "manager".into() };
        let finalizer = match random.below(3) {
            0 => format!("{group}/finalizer"),
            1 => format!("{thing}s.{group}/cleanup"),
            _ => format!("{group}/{thing}-protection"),
        };
        let namespace = if random.percent(50) { format!("{product}-system") } else { product.clone() };
        let mut kind = thing.clone();
        kind[..1].make_ascii_uppercase();
        let helm = random.percent(60);
        let (app, plural) = (name.clone(), format!("{thing}s"));
        Self {
            namespace,
            app,
            name,
            manager,
            group,
            kind,
            plural,
            finalizer,
            helm,
            told: json!({}),
            acts_itself: false,
        }
    }

    /// Its workload.
    pub fn deployment(&self) -> Id {
        Id::of("Deployment", Some(&self.namespace), &self.name)
    }

    /// Its kind's definition.
    pub fn definition(&self) -> Id {
        Id::of("CustomResourceDefinition", None, &format!("{}.{}", self.plural, self.group))
    }

    /// An object of its kind.
    pub fn object(&self, namespace: &str, name: &str) -> Id {
        Id {
            api_version: format!("{}/v1", self.group),
            kind: self.kind.clone(),
            plural: self.plural.clone(),
            namespace: Some(namespace.into()),
            name: name.into(),
        }
    }

    /// The same operator with another kind of its group.
    pub fn with_kind(&self, thing: &str) -> Self {
        let mut kind = thing.to_owned();
        kind[..1].make_ascii_uppercase();
        Self { kind, plural: format!("{thing}s"), ..self.clone() }
    }

    /// Its service account, as requests name it.
    pub fn account(&self) -> String {
        format!("system:serviceaccount:{}:{}", self.namespace, self.name)
    }

    /// Metadata with the marks of its installer.
    fn metadata(&self, name: &str, namespaced: bool) -> Value {
        let mut metadata = json!({"name": name, "labels": {"app.kubernetes.io/name": self.app}});
        if namespaced {
            metadata["namespace"] = json!(self.namespace);
        }
        if self.helm {
            metadata["labels"]["app.kubernetes.io/managed-by"] = json!("Helm");
            metadata["annotations"] = json!({"meta.helm.sh/release-name": self.name,
                "meta.helm.sh/release-namespace": self.namespace});
        }
        metadata
    }

    /// The definition of its kind.
    pub fn define(&self, draft: &mut Draft) {
        draft.create(
            Phase::Ground,
            json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": self.metadata(&format!("{}.{}", self.plural, self.group), false),
                "spec": {"group": self.group, "scope": "Namespaced",
                    "names": {"plural": self.plural, "singular": self.kind.to_lowercase(), "kind": self.kind},
                    "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
                        {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}),
        );
        draft.kinds.push((self.group.clone(), self.plural.clone()));
        draft.operators.push(self.name.clone());
        // Its objects are created in the next phase.
        let path = format!("/apis/{}/v1/{}", self.group, self.plural);
        draft.act(Phase::Things, move |api| {
            until("the kind is served", 20, || Ok(api.send("GET", &path, None).is_ok()))
        });
    }

    /// Creates everything that its installer creates, except the definition.
    pub fn install(&self, draft: &mut Draft, pods: &Pods, rights: Rights) {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}});
        draft.create(Phase::Ground, namespace);
        draft.create(
            Phase::Things,
            json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": self.metadata(&self.name, true)}),
        );
        self.give(draft, rights);
        let (labels, template) = self.template();
        draft.create(
            Phase::Things,
            json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": self.metadata(&self.name, true),
                "spec": {"replicas": i32::from(*pods != Pods::Parked), "selector": {"matchLabels": labels},
                    "template": template}}),
        );
        self.run(draft, pods);
    }

    /// The labels of its pods, and their template.
    fn template(&self) -> (Value, Value) {
        let labels = json!({"app.kubernetes.io/name": self.app, "app.kubernetes.io/instance": self.app});
        let mut container = json!({"name": "manager", "image": format!("example.invalid/{}:v1", self.app)});
        for (field, value) in self.told.as_object().into_iter().flatten() {
            container[field] = value.clone();
        }
        let spec = json!({"serviceAccountName": self.name, "automountServiceAccountToken": false,
            "containers": [container]});
        (labels.clone(), json!({"metadata": {"labels": labels}, "spec": spec}))
    }

    /// Creates everything that its installer creates for an agent on the nodes with a label.
    pub fn install_on_nodes(&self, draft: &mut Draft, label: &str) -> Id {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}});
        draft.create(Phase::Ground, namespace);
        draft.create(
            Phase::Things,
            json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": self.metadata(&self.name, true)}),
        );
        self.give(draft, Rights::OwnKind);
        let (labels, mut template) = self.template();
        template["spec"]["nodeSelector"] = json!({label: "yes"});
        draft.create(
            Phase::Things,
            json!({"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": self.metadata(&self.name, true),
                "spec": {"selector": {"matchLabels": labels}, "template": template}}),
        )
    }

    /// Waits for the agents' pods on these nodes, and reports the state of each.
    pub fn agents_say(&self, api: &Api, nodes: &[(String, Value)]) -> Result<(), String> {
        let mut pods = Vec::new();
        until(&format!("agents of {}/{}", self.namespace, self.name), 30, || {
            pods = self.pods(api)?;
            Ok(pods.len() == nodes.len())
        })?;
        for (node, status) in nodes {
            let is_for = |pod: &&Value| {
                let terms = "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution";
                pod.pointer(terms).is_some_and(|terms| terms.to_string().contains(&format!("\"{node}\"")))
            };
            let pod = pods.iter().find(is_for).ok_or_else(|| format!("no agent for {node}"))?;
            set_pod(api, &self.namespace, pod, node, status)?;
        }
        let ready = nodes.iter().filter(|(_, status)| status["conditions"][3]["status"] == "True").count();
        let path = Id::of("DaemonSet", Some(&self.namespace), &self.name).path();
        until(&format!("{ready} ready agents of {}/{}", self.namespace, self.name), 30, || {
            let status = api.get(&path)?.map(|mut found| found["status"].take()).unwrap_or_default();
            let seen = |count: &str| status[count].as_u64().unwrap_or_default();
            Ok(seen("numberReady") == ready as u64 && seen("desiredNumberScheduled") == nodes.len() as u64)
        })
    }

    /// Gives it these rights.
    pub fn give(&self, draft: &mut Draft, rights: Rights) {
        let own = [
            json!({"apiGroups": [self.group], "resources": [self.plural],
                "verbs": ["get", "list", "watch", "update", "patch"]}),
            json!({"apiGroups": [self.group], "verbs": ["update", "patch"],
                "resources": [format!("{}/status", self.plural), format!("{}/finalizers", self.plural)]}),
        ];
        let mut rules = own.to_vec();
        match rights {
            Rights::AndCommon => rules.push(json!({"apiGroups": ["", "apps", "batch"], "verbs": ["*"],
                "resources": ["configmaps", "secrets", "services", "pods", "deployments", "jobs", "events"]})),
            Rights::Everything => rules = vec![json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]})],
            Rights::OwnKind | Rights::InNamespace => {}
        }
        let role = format!("{}-{}", self.namespace, self.name);
        // The rights for another kind of its group have their own role.
        let is_first = !draft.made.contains(&Id::of("ClusterRole", None, &role));
        let role = if is_first { role } else { format!("{role}-{}", self.plural) };
        draft.create(
            Phase::Things,
            json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
                "metadata": self.metadata(&role, false), "rules": rules}),
        );
        let (kind, mut metadata) = match rights {
            Rights::InNamespace => ("RoleBinding", json!({"name": self.name, "namespace": draft.namespace})),
            _ => ("ClusterRoleBinding", self.metadata(&role, false)),
        };
        metadata["labels"] = json!({"app.kubernetes.io/name": self.app});
        draft.create(
            Phase::Things,
            json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata,
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
                "subjects": [{"kind": "ServiceAccount", "namespace": self.namespace, "name": self.name}]}),
        );
    }

    fn run(&self, draft: &mut Draft, pods: &Pods) {
        let this = self.clone();
        match pods {
            Pods::Parked | Pods::Missing => {}
            Pods::Ready => {
                let starting = self.clone();
                draft.act(Phase::Pods, move |api| starting.pods_say(api, WORKER, &ready()));
                self.lead(draft);
            }
            Pods::Pulling => draft.act(Phase::Pods, move |api| this.pods_say(api, WORKER, &pulling())),
            Pods::Unscheduled => draft.act(Phase::Pods, move |api| this.pods_wait(api)),
            Pods::Crashing => draft.act(Phase::Pods, move |api| this.pods_say(api, WORKER, &crashing())),
            Pods::On(node) => {
                let node = node.clone();
                draft.act(Phase::Pods, move |api| this.pods_say(api, &node, &unreachable()));
            }
        }
    }

    /// Creates its leader election, which is renewed to the end.
    fn lead(&self, draft: &mut Draft) {
        let lease = Id::of("Lease", Some(&self.namespace), &format!("{}-leader", self.name));
        let holder = format!("{}-{}_1", self.name, draft.random.suffix());
        let (manifest, manager) = (
            json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                "metadata": {"name": lease.name, "namespace": self.namespace},
                "spec": {"holderIdentity": holder, "leaseDurationSeconds": 15, "leaseTransitions": 1,
                    "renewTime": now_micro()}}),
            self.name.clone(),
        );
        draft.create_as(Phase::Pods, manifest, None, &manager);
        let mut last: Option<Instant> = None;
        draft.heartbeat(move |api| {
            if last.is_none_or(|last| last.elapsed() > Duration::from_secs(5)) {
                last = Some(Instant::now());
                // If the request is refused, it is repeated.
                let _ = api.patch(&lease, &json!({"spec": {"renewTime": now_micro()}}), &manager);
            }
            false
        });
    }

    /// Waits for its pods, puts them on a node and reports their state.
    pub fn pods_say(&self, api: &Api, node: &str, status: &Value) -> Result<(), String> {
        let mut pods = Vec::new();
        until(&format!("pods of {}/{}", self.namespace, self.name), 30, || {
            pods = self.pods(api)?;
            Ok(!pods.is_empty())
        })?;
        for pod in &pods {
            set_pod(api, &self.namespace, pod, node, status)?;
        }
        // The status does not reflect changes that its controller has not read yet.
        let ready = if status["conditions"][3]["status"] == "True" { pods.len() } else { 0 };
        let path = self.deployment().path();
        until(&format!("{ready} ready pods of {}/{}", self.namespace, self.name), 30, || {
            let status = api.get(&path)?.map(|mut found| found["status"].take()).unwrap_or_default();
            let seen = |count: &str| status[count].as_u64().unwrap_or_default();
            Ok(seen("readyReplicas") == ready as u64 && seen("replicas") == pods.len() as u64)
        })
    }

    /// Waits for its pods, and reports that the scheduler finds no node for them.
    fn pods_wait(&self, api: &Api) -> Result<(), String> {
        let mut pods = Vec::new();
        until(&format!("pods of {}/{}", self.namespace, self.name), 30, || {
            pods = self.pods(api)?;
            Ok(!pods.is_empty())
        })?;
        for pod in &pods {
            let id = Id::of("Pod", Some(&self.namespace), pod["metadata"]["name"].as_str().unwrap_or_default());
            api.patch_status(&id, &unscheduled(), "kube-scheduler")?;
        }
        Ok(())
    }

    fn pods(&self, api: &Api) -> Result<Vec<Value>, String> {
        let selector = format!("labelSelector=app.kubernetes.io/name={}", self.app);
        api.list(&format!("/api/v1/namespaces/{}/pods?{selector}", self.namespace))
    }

    /// An object of its kind in a namespace, with its finalizer, set as by an operator.
    pub fn adopt(&self, draft: &mut Draft, namespace: &str, name: &str) -> Id {
        let id = self.object(namespace, name);
        let manifest = json!({"apiVersion": id.api_version, "kind": id.kind,
            "metadata": {"name": name, "namespace": namespace}, "spec": {"size": 3}});
        draft.create_as(Phase::Things, manifest, Some(&self.plural), "kubectl-client-side-apply");
        let (this, object) = (self.clone(), id.clone());
        draft.act(Phase::Pods, move |api| {
            let body = json!({"metadata": {"finalizers": [this.finalizer]}});
            Ok(api.patch(&object, &body, &this.manager)?)
        });
        id
    }

    /// Removes its finalizer from deleted objects as soon as `may` returns true.
    pub fn works_once(&self, draft: &mut Draft, object: &Id, mut may: impl FnMut(&Api) -> bool + Send + 'static) {
        let (this, object) = (self.clone(), object.clone());
        draft.actor(move |api| {
            let Ok(Some(found)) = api.get(&object.path()) else { return true };
            if !found["metadata"]["deletionTimestamp"].is_string() || !may(api) {
                return false;
            }
            this.releases(api, &object)
        });
    }

    /// Removes its finalizer, as its own service account. Returns whether that succeeded.
    fn releases(&self, api: &Api, object: &Id) -> bool {
        let path = format!("{}?fieldManager={}", object.path(), self.manager);
        let body = json!({"metadata": {"finalizers": null}});
        if self.acts_itself {
            return api.send_as(&self.account(), "PATCH", &path, Some(&body)).is_ok();
        }
        api.send("PATCH", &path, Some(&body)).is_ok()
    }

    /// Whether it was scaled up; its pods then run at once.
    pub fn is_started(&self, api: &Api) -> bool {
        let Ok(Some(found)) = api.get(&self.deployment().path()) else { return false };
        if found["spec"]["replicas"].as_i64().unwrap_or_default() == 0 {
            return false;
        }
        let pods = self.pods(api).unwrap_or_default();
        !pods.is_empty() && pods.iter().all(|pod| set_pod(api, &self.namespace, pod, WORKER, &ready()).is_ok())
    }
}

/// Puts a pod on a node, unless it has one, and reports its state.
pub fn set_pod(api: &Api, namespace: &str, pod: &Value, node: &str, status: &Value) -> Result<(), String> {
    let name = pod["metadata"]["name"].as_str().unwrap_or_default();
    let id = Id::of("Pod", Some(namespace), name);
    if pod["spec"]["nodeName"].is_null() {
        let binding = json!({"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name, "namespace": namespace},
            "target": {"apiVersion": "v1", "kind": "Node", "name": node}});
        api.send("POST", &format!("{}/binding", id.path()), Some(&binding))?;
    }
    api.patch_status(&id, status, "kubelet")
}

fn status(phase: &str, is_ready: bool, container: &Value) -> Value {
    let condition = |kind: &str, fine: bool, reason: &str| {
        json!({"type": kind, "status": if fine { "True" } else { "False" }, "lastTransitionTime": now(),
            "reason": if fine { "" } else { reason }})
    };
    let unready = "ContainersNotReady";
    let mut container = container.clone();
    container["name"] = json!("manager");
    container["image"] = json!("example.invalid/none");
    container["imageID"] = json!("example.invalid/none");
    json!({"phase": phase, "startTime": now(), "containerStatuses": [container],
        "conditions": [condition("PodScheduled", true, ""), condition("Initialized", true, ""),
            condition("ContainersReady", is_ready, unready), condition("Ready", is_ready, unready)]})
}

/// The status of a running pod.
pub fn ready() -> Value {
    status(
        "Running",
        true,
        &json!({"ready": true, "started": true, "restartCount": 0, "state": {"running": {"startedAt": now()}}}),
    )
}

/// The status of a pod that crashes as soon as it starts.
pub fn crashing() -> Value {
    status(
        "Running",
        false,
        &json!({"ready": false, "started": false, "restartCount": 37,
            "state": {"waiting": {"reason": "CrashLoopBackOff",
                "message": "back-off 5m0s restarting failed container=manager"}},
            "lastState": {"terminated": {"reason": "Error", "exitCode": 1, "startedAt": now(), "finishedAt": now()}}}),
    )
}

/// The status of a pod whose image cannot be pulled.
pub fn pulling() -> Value {
    let mut status = status(
        "Pending",
        false,
        &json!({"ready": false, "started": false, "restartCount": 0,
            "state": {"waiting": {"reason": "ImagePullBackOff",
                "message": "Back-off pulling image \"example.invalid/none\": not found"}}}),
    );
    status["phase"] = json!("Pending");
    status
}

/// The status of a pod for which the scheduler found no node.
pub fn unscheduled() -> Value {
    json!({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
        "message": "0/3 nodes are available: 3 Insufficient memory.", "lastTransitionTime": now()}]})
}

/// The status of a pod that ran when its node last reported.
pub fn unreachable() -> Value {
    let mut status = ready();
    status["conditions"][3]["status"] = json!("False");
    status["conditions"][3]["reason"] = json!("NodeNotReady");
    status
}
