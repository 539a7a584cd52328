//! The conditions that must become true before a target is gone, and their states.

use super::{Cause, ControllerState, LinkState, Ref};
use crate::survey::ResourceId;
use serde::Serialize;
use std::sync::Arc;

/// A condition that must become true before a target is gone. Equal needs are one, however many
/// objects and targets rest on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// The object is gone.
    Deleted(Ref),
    /// Nothing is left in the namespace, or of the kind that the definition defines.
    Emptied(Ref),
    /// The finalizer is removed from the object.
    Released(Ref, Arc<str>),
    /// Another condition for the object's deletion is met: its kubelet has stopped it, nobody uses
    /// it, or its dependents are gone.
    Done(Ref, Cause),
    /// Admission lets the request for the object pass.
    Accepted(Verb, Ref),
    /// Controllers can list the kind in all namespaces, from the cache of the API server.
    Readable(ResourceId),
    /// The workload or the pod runs and makes progress.
    Acting(Ref),
    /// The Service, the aggregated API, the webhook or the policy answers.
    Serving(Ref),
    /// The kubelet of the node reports.
    Fit(Ref),
    /// The object exists.
    Existing(Ref),
}

impl Need {
    /// The object that must be gone; `None` for any other need.
    #[must_use]
    pub fn deleted(&self) -> Option<&Ref> {
        match self {
            Self::Deleted(object) => Some(object),
            _ => None,
        }
    }

    /// The need that the workload or the pod acts. The uid is ignored, so one name is one need.
    #[must_use]
    pub fn acting(workload: &Ref) -> Self {
        Self::Acting(workload.clone().with_uid(""))
    }

    /// The need for an object that has to answer or to act; `None` for any other object. The uid is
    /// ignored, so one object is one need.
    #[must_use]
    pub fn of_part(part: &Ref) -> Option<Self> {
        let part = part.clone().with_uid("");
        match part.kind.as_str() {
            _ if part.missing => Some(Self::Existing(part)),
            "Node" => Some(Self::Fit(part)),
            "Pod" | "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "Job" => Some(Self::Acting(part)),
            "Service" | "EndpointSlice" | "APIService" => Some(Self::Serving(part)),
            _ if part.api_version.starts_with("admissionregistration.k8s.io/") => Some(Self::Serving(part)),
            _ => None,
        }
    }
}

/// A request to the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Verb {
    /// Change an object, for example to remove a finalizer.
    Update,
    /// Delete it.
    Delete,
}

/// The state of a need, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum NeedState {
    /// The need is met.
    Met,
    /// The need is not met yet, and nothing is wrong.
    Underway,
    /// The facts that would show the state could not be read.
    Unknown,
    /// The need is not met, and will not be met without a repair.
    Broken,
}

impl From<LinkState> for NeedState {
    fn from(state: LinkState) -> Self {
        match state {
            LinkState::Fine => Self::Met,
            LinkState::Affected | LinkState::Broken => Self::Broken,
            LinkState::Unknown => Self::Unknown,
        }
    }
}

impl From<ControllerState> for NeedState {
    fn from(state: ControllerState) -> Self {
        match state {
            ControllerState::Alive => Self::Met,
            ControllerState::Gone | ControllerState::Down | ControllerState::Failing => Self::Broken,
            ControllerState::Unknown => Self::Unknown,
        }
    }
}

/// The kinds of needs; a fixed vocabulary, explained at [`Need`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum NeedKind {
    /// The object is gone.
    Deleted,
    /// Nothing is left in the namespace, or of the kind that the definition defines.
    Emptied,
    /// The finalizer is removed from the object.
    Released,
    /// Another condition for the object's deletion, given by `cause`, is met.
    Done,
    /// Admission lets the request for the object pass; `verb` names the request.
    Accepted,
    /// The resource can be listed in all namespaces.
    Readable,
    /// The workload or the pod runs and makes progress.
    Acting,
    /// The Service, the aggregated API, the webhook or the policy answers.
    Serving,
    /// The kubelet of the node reports.
    Fit,
    /// The object exists.
    Existing,
}

/// A need of a report, with its state and the needs that it depends on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Requirement {
    /// `n1`, `n2`, … within this report.
    pub id: String,
    /// The kind of need.
    pub need: NeedKind,
    /// The object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Ref>,
    /// The finalizer that must be removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalizer: Option<String>,
    /// The reason why the condition is not met yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The request that must be accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verb: Option<Verb>,
    /// The kind that must be readable, as `plural.group`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Its state.
    pub state: NeedState,
    /// The ids of the needs that must be met first.
    pub rests_on: Vec<String>,
    /// The ids of the findings that explain why it is not met.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

impl Requirement {
    /// A need with this state; the caller adds the needs that it rests on.
    #[must_use]
    pub fn new(id: String, need: &Need, state: NeedState) -> Self {
        let of_kind = |need: NeedKind, object: Option<&Ref>| Self {
            id,
            need,
            object: object.cloned(),
            finalizer: None,
            cause: None,
            verb: None,
            resource: None,
            state,
            rests_on: Vec::new(),
            findings: Vec::new(),
        };
        match need {
            Need::Deleted(object) => of_kind(NeedKind::Deleted, Some(object)),
            Need::Emptied(object) => of_kind(NeedKind::Emptied, Some(object)),
            Need::Released(object, finalizer) => {
                Self { finalizer: Some(finalizer.to_string()), ..of_kind(NeedKind::Released, Some(object)) }
            }
            Need::Done(object, cause) => Self { cause: Some(*cause), ..of_kind(NeedKind::Done, Some(object)) },
            Need::Accepted(verb, object) => Self { verb: Some(*verb), ..of_kind(NeedKind::Accepted, Some(object)) },
            Need::Readable(kind) => Self { resource: Some(kind.to_string()), ..of_kind(NeedKind::Readable, None) },
            Need::Acting(object) => of_kind(NeedKind::Acting, Some(object)),
            Need::Serving(object) => of_kind(NeedKind::Serving, Some(object)),
            Need::Fit(object) => of_kind(NeedKind::Fit, Some(object)),
            Need::Existing(object) => of_kind(NeedKind::Existing, Some(object)),
        }
    }
}
