//! Why a controller that runs cannot act on an object: it is not where the object is, or it does
//! not look at it.

use crate::kubernetes::ownership::scope::OutsideScope;
use crate::kubernetes::progress::confirmation::Confirmation;
use crate::kubernetes::workloads::placement::Exclusion;
use crate::report::Ref;
use serde_json::Value;

/// What should act is not where the object needs it.
#[derive(Debug, Clone)]
pub enum NotThere {
    /// The node of the object does not exist: its agent can never run there again.
    NodeGone(AgentPlace),
    /// The agent has no pod on the node of the object.
    NoAgent {
        /// The node.
        place: AgentPlace,
        /// Why not, where that shows.
        why: Option<Exclusion>,
    },
    /// The agent has no pod in the zone of the object.
    NoAgentInZone {
        /// The zone.
        zone: String,
        /// What names it.
        of: Ref,
        /// The field that does.
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
    /// The pod that the object names as its own does not work.
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
    /// A pod that does not exist holds the lease to lead, which is renewed all the same.
    HolderGone {
        /// The lease.
        lease: Ref,
        /// Its holder.
        holder: String,
    },
    /// A pod of another installation of the same program holds the lease to lead.
    LedByAnother {
        /// The lease.
        lease: Ref,
        /// That pod.
        pod: Ref,
    },
}

/// A node, and what says that an object needs an agent there.
#[derive(Debug, Clone)]
pub struct AgentPlace {
    /// The node.
    pub node: Ref,
    /// What names it: the object itself, or its volume.
    pub of: Ref,
    /// The field that does.
    pub field: String,
}

/// Why it does not look at the object.
#[derive(Debug, Clone)]
pub enum LooksAway {
    /// The object, or one that it belongs to, is paused.
    Paused(Pause),
    /// It is told to look at other objects.
    Outside {
        /// By what.
        outside: OutsideScope,
        /// Whether its rights end there, too.
        sure: bool,
    },
    /// Roles in its own namespace alone let it work on the kind.
    Confined {
        /// That namespace.
        to: String,
    },
    /// It was started before its kind was served, or while the kind's definition was being
    /// deleted, and has not touched the object.
    TooEarly {
        /// The definition.
        definition: Ref,
        /// Whether that was being deleted.
        going: bool,
    },
    /// It waits until somebody confirms the deletion.
    Unconfirmed {
        /// The object.
        of: Ref,
        /// What asks for it.
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

/// A pause.
#[derive(Debug, Clone)]
pub struct Pause {
    /// The object that is paused.
    pub of: Ref,
    /// Whether that is the one that waits.
    pub own: bool,
    /// What pauses it; `None` where only a condition says so.
    pub by: Option<Switch>,
    /// The condition that says so.
    pub said: Option<String>,
    /// Whether the words of the controller are about its own work, and the switch says the same.
    pub sure: bool,
}

/// What pauses an object.
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
    /// As it is written: `spec.paused: true`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Field(name, value) => format!("spec.{name}: {value}"),
            Self::Annotation(key, value) => format!("annotation {key}: {}", Value::from(value.as_str())),
            Self::Label(key, value) => format!("label {key}: {}", Value::from(value.as_str())),
        }
    }

    /// Where it stands.
    #[must_use]
    pub fn field(&self) -> String {
        match self {
            Self::Field(name, _) => format!("spec.{name}"),
            Self::Annotation(..) => "metadata.annotations".to_owned(),
            Self::Label(..) => "metadata.labels".to_owned(),
        }
    }
}
