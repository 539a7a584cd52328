//! Why a controller that runs cannot act on an object: it does not run where the object needs it, or it
//! ignores the object.

use crate::kubernetes::ownership::scope::OutsideScope;
use crate::kubernetes::progress::confirmation::Confirmation;
use crate::kubernetes::workloads::placement::Exclusion;
use crate::report::{ControllerState, Ref};
use serde_json::Value;

/// The controller does not run where the object needs it.
#[derive(Debug, Clone)]
pub enum NotThere {
    /// The node of the object does not exist: its agent can never run there again.
    NodeGone(AgentPlace),
    /// The agent has no pod on the node of the object.
    NoAgent {
        /// The node.
        place: AgentPlace,
        /// Why not, if that can be seen.
        why: Option<Exclusion>,
    },
    /// The agent has no pod in the zone of the object.
    NoAgentInZone {
        /// The zone.
        zone: String,
        /// The object that names the zone.
        of: Ref,
        /// The field with the zone.
        field: String,
        /// Whether any node is in that zone.
        has_nodes: bool,
    },
    /// The agent's pod on the node of the object does not work.
    AgentDown {
        /// The node.
        place: AgentPlace,
        /// The pod.
        pod: Ref,
        /// Why it does not work.
        reason: String,
    },
    /// The pod that the object names does not work.
    NamedPodDown {
        /// The pod.
        pod: Ref,
        /// Why it does not work.
        reason: String,
    },
    /// The driver of the object is not registered on its node.
    NoDriver {
        /// The node.
        place: AgentPlace,
        /// The name of the driver.
        driver: String,
    },
    /// A pod that does not exist holds the leader's lease, which is still renewed.
    HolderGone {
        /// The lease.
        lease: Ref,
        /// Its holder.
        holder: String,
    },
    /// A pod of another installation of the same program holds the leader's lease.
    LedByAnother {
        /// The lease.
        lease: Ref,
        /// The pod.
        pod: Ref,
    },
}

/// A node on which an object needs an agent, and the evidence.
#[derive(Debug, Clone)]
pub struct AgentPlace {
    /// The node.
    pub node: Ref,
    /// The object that names the node: the held one itself, or its volume.
    pub of: Ref,
    /// The field with the node.
    pub field: String,
}

/// Why a controller ignores an object.
#[derive(Debug, Clone)]
pub enum LooksAway {
    /// The object, or one that contains it, is paused.
    Paused(Pause),
    /// It is configured to watch other objects.
    Outside {
        /// The setting.
        outside: OutsideScope,
        /// Whether the controller's permissions end there, too.
        sure: bool,
    },
    /// Only roles in its own namespace let it work on the kind.
    Confined {
        /// That namespace.
        to: String,
    },
    /// It was started before its kind was served, or while the kind's definition was being deleted, and
    /// has not written to the object.
    TooEarly {
        /// The definition.
        definition: Ref,
        /// Whether the definition was being deleted.
        going: bool,
    },
    /// It waits until somebody confirms the deletion.
    Unconfirmed {
        /// The object.
        of: Ref,
        /// The confirmation that is needed.
        confirmation: Confirmation,
    },
    /// The object has the class of another controller.
    OfAnotherClass {
        /// The class.
        class: Ref,
        /// The field of the object that names it.
        field: String,
        /// The controller that the class names.
        controller: String,
    },
}

impl LooksAway {
    /// The state of the controller, and not of the object. A controller that waits for a confirmation, or
    /// obeys a pause or a class, does all that it should.
    #[must_use]
    pub fn state(&self) -> ControllerState {
        match self {
            Self::Unconfirmed { .. } | Self::Paused(_) | Self::OfAnotherClass { .. } => ControllerState::Alive,
            _ => ControllerState::Failing,
        }
    }
}

/// A pause of an object's reconciliation.
#[derive(Debug, Clone)]
pub struct Pause {
    /// The object that is paused.
    pub of: Ref,
    /// Whether that is the held object itself.
    pub own: bool,
    /// The switch; `None` if only a condition reports the pause.
    pub by: Option<Switch>,
    /// The condition that reports it.
    pub said: Option<String>,
    /// Whether the condition is about the controller's own work, and a switch agrees.
    pub sure: bool,
}

/// A setting that pauses an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Switch {
    /// A field of its spec: its name and its value.
    Field(&'static str, String),
    /// An annotation: its key and its value.
    Annotation(String, String),
    /// A label: its key and its value.
    Label(String, String),
}

impl Switch {
    /// The setting as it is written: `spec.paused: true`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Field(name, value) => format!("spec.{name}: {value}"),
            Self::Annotation(key, value) => format!("annotation {key}: {}", Value::from(value.as_str())),
            Self::Label(key, value) => format!("label {key}: {}", Value::from(value.as_str())),
        }
    }

    /// The field that contains it.
    #[must_use]
    pub fn field(&self) -> String {
        match self {
            Self::Field(name, _) => format!("spec.{name}"),
            Self::Annotation(..) => "metadata.annotations".to_owned(),
            Self::Label(..) => "metadata.labels".to_owned(),
        }
    }
}

/// A cluster that cannot be reached.
#[derive(Debug, Clone)]
pub struct RemoteCluster {
    /// The Secret that gives access to the cluster. Its data is not read.
    pub secret: Ref,
    /// The field that names the Secret.
    pub field: String,
}
