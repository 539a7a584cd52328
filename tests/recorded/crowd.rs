//! A cluster that answers all reads of a diagnosis: the operators of the recorded crowd side by
//! side, with changes by a test.
//!
//! The crowd was recorded without a kubelet, so none of its operators runs. Here a third of them
//! gets running pods, and a third is scaled to 0 replicas, so that the wanted operator is among all
//! kinds.

use crate::scenario::Scenario;
use jiff::{SignedDuration, Timestamp};
use kubectl_unstick::diagnosis::diagnose_survey;
use kubectl_unstick::report::Report;
use kubectl_unstick::survey::{Fact, InMemory, Object, Resource, ResourceId, Survey, TargetName, answered};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The kinds that run pods.
const WORKLOADS: [&str; 3] = ["daemonsets", "deployments", "statefulsets"];

/// A cluster.
#[derive(Clone)]
pub struct Cluster(pub InMemory);

impl Cluster {
    /// The operators in `tests/products`, side by side as recorded. `turn`, one of three, decides
    /// which of them run and which are parked.
    pub fn crowd(turn: usize) -> Self {
        let recorded = Scenario::named("controller-down--products").survey();
        let mut cluster = Self(InMemory::serving(recorded.taken_at, recorded.discovery.clone()).exact());
        for (id, object) in most_of_each(&recorded) {
            cluster.0.add(&id, object);
        }
        // Without objects that are being deleted there, since a test has its own, and without the
        // many roles that every API server creates, which reveal nothing about the owner of a kind
        // and take long to search.
        cluster.0.retain(|object| {
            !object.is_deleting() && !object.metadata.labels.contains_key("kubernetes.io/bootstrapping")
        });
        for (at, workload) in cluster.workloads().into_iter().enumerate() {
            match (at + turn) % 3 {
                0 => cluster.give_a_pod(&workload),
                1 => cluster.scale(&workload, 0),
                _ => {}
            }
        }
        cluster
    }

    /// Puts an object into the cluster, in the preferred version of its kind.
    pub fn put(&mut self, object: Value) {
        let object = Object::single(object).expect("an object");
        let resource = self.0.discovery.by_kind(&object.api_version, &object.kind);
        let id = resource.unwrap_or_else(|| panic!("nobody serves {}", object.kind)).id.clone();
        self.0.add(&id, object);
    }

    /// Serves a kind whose definition has no marks.
    pub fn serve(&mut self, id: &ResourceId, kind: &str, namespaced: bool) {
        let verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
        self.0.discovery.resources.push(Resource {
            id: id.clone(),
            kind: kind.to_owned(),
            namespaced,
            singular: kind.to_lowercase(),
            short_names: Vec::new(),
            verbs: verbs.map(str::to_owned).to_vec(),
        });
        self.put(json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": id.short(), "uid": format!("uid-of-{}", id.short()),
                "creationTimestamp": self.ago(SignedDuration::from_hours(48))},
            "spec": {"group": id.group, "names": {"plural": id.plural, "kind": kind}, "conversion": {"strategy": "None"},
                "versions": [{"name": id.version, "served": true, "storage": true}]},
            "status": {"storedVersions": [id.version]},
        }));
    }

    /// Every workload.
    pub fn workloads(&self) -> Vec<Object> {
        let of = |plural: &&str| self.0.of(&ResourceId::new("apps", "v1", plural)).cloned().collect::<Vec<_>>();
        WORKLOADS.iter().flat_map(of).collect()
    }

    /// Removes workloads and their pods from the cluster; their rights stay.
    pub fn remove(&mut self, is_it: impl Fn(&Object) -> bool) {
        let gone: BTreeSet<String> =
            self.workloads().iter().filter(|object| is_it(object)).map(|it| it.uid().to_owned()).collect();
        let of_it = |object: &Object| {
            gone.contains(object.uid())
                || object.metadata.owner_references.iter().any(|owner| gone.contains(&owner.uid))
        };
        self.0.retain(|object| !of_it(object));
    }

    /// Adds a Ready pod of the workload.
    pub fn give_a_pod(&mut self, workload: &Object) {
        let metadata = &workload.metadata;
        let owner = workload.name();
        self.put(json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {
                "name": format!("{owner}-5d4f8c7b9d-x2k4p"), "namespace": metadata.namespace.as_deref(),
                "uid": format!("pod-of-{}", metadata.uid), "creationTimestamp": self.ago(SignedDuration::from_hours(24)),
                "labels": {"pod-template-hash": "5d4f8c7b9d"},
                "ownerReferences": [{"apiVersion": "apps/v1", "kind": workload.kind, "name": owner,
                    "uid": metadata.uid, "controller": true, "blockOwnerDeletion": true}],
            },
            "spec": {"serviceAccountName": workload.text("/spec/template/spec/serviceAccountName"),
                "containers": workload.array("/spec/template/spec/containers")},
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
        }));
    }

    fn scale(&mut self, workload: &Object, replicas: u32) {
        for object in self.0.all_mut().filter(|object| object.uid() == workload.uid()) {
            let spec = Arc::make_mut(object).body.get_mut("spec").expect("a spec");
            if spec.get("replicas").is_some() {
                spec["replicas"] = replicas.into();
            }
        }
    }

    /// Adds the lease of a leader, renewed this long ago.
    pub fn lead(&mut self, namespace: &str, name: &str, holder: &str, renewed: SignedDuration) {
        let is_it = |object: &Object| {
            object.kind == "Lease" && object.name() == name && object.metadata.namespace.as_deref() == Some(namespace)
        };
        self.0.retain(|object| !is_it(object));
        self.put(json!({
            "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
            "metadata": {"name": name, "namespace": namespace, "uid": format!("lease-{name}")},
            "spec": {"holderIdentity": holder, "leaseDurationSeconds": 15, "renewTime": self.ago(renewed)},
        }));
    }

    /// A time before the current one.
    pub fn ago(&self, time: SignedDuration) -> Timestamp {
        self.0.now.checked_sub(time).expect("a time")
    }

    /// The report about an object.
    pub fn diagnose(&self, target: TargetName) -> Report {
        let mut survey = self.0.survey();
        survey.targets = vec![target];
        let ask = |survey: &Survey| {
            let diagnosis = diagnose_survey(survey);
            (diagnosis.report, diagnosis.wants)
        };
        answered(&mut survey, |want| self.0.answer(want), ask).expect("it comes to an end")
    }
}

/// Every object in a survey, by its resource, in the most complete form that was read.
fn most_of_each(survey: &Survey) -> Vec<(ResourceId, Object)> {
    let mut most: BTreeMap<(ResourceId, Option<Arc<str>>, String), Object> = BTreeMap::new();
    for (want, fact) in survey.facts() {
        let objects: &[Object] = match fact {
            Fact::Listed(objects) => objects,
            Fact::Found(object) => std::slice::from_ref(object),
            _ => continue,
        };
        // One object may have been read in two versions of its kind.
        let kind = survey.discovery.preferred(&want.resource.group, &want.resource.plural);
        let id = kind.map_or(&want.resource, |kind| &kind.id);
        for object in objects {
            let key = (id.clone(), object.metadata.namespace.clone(), object.name().to_owned());
            let known = most.entry(key).or_default();
            if known.body.len() <= object.body.len() {
                *known = object.clone();
                if let Some(kind) = kind {
                    known.kind.clone_from(&kind.kind);
                    known.api_version = kind.id.api_version();
                }
            }
        }
    }
    most.into_iter().map(|((id, ..), object)| (id, object)).collect()
}
