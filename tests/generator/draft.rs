//! A state that is being created: the objects of each phase, the truth about the state, and the
//! actors while it is diagnosed and repaired.

use crate::api::Api;
use crate::object::Id;
use crate::random::Random;
use crate::truth::Truth;
use serde_json::Value;
use std::time::{Duration, Instant};

/// A phase of the creation; within a phase the order is random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Namespaces, definitions, nodes, quotas: prerequisites of other objects.
    Ground,
    /// Objects without a particular order.
    Things,
    /// Reports of kubelets and schedulers about pods.
    Pods,
    /// Changes that affect existing objects.
    Breakage,
    /// The deletions.
    Deletion,
    /// Messages and actions after the request of the deletion.
    Afterwards,
}

/// The phases in order.
const PHASES: [Phase; 6] =
    [Phase::Ground, Phase::Things, Phase::Pods, Phase::Breakage, Phase::Deletion, Phase::Afterwards];

/// A single action.
type Act = Box<dyn FnOnce(&Api) -> Result<(), String> + Send>;

/// The repeated action of a controller or a kubelet; returns whether it is finished.
pub type Actor = Box<dyn FnMut(&Api) -> bool + Send>;

enum Making {
    Create { id: Id, manifest: Value, manager: String },
    Act(Act),
}

/// A state that is being created.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the state")]
pub struct Draft {
    /// The source of its choices; each block has its own.
    pub random: Random,
    /// The namespace of the objects that get stuck.
    pub namespace: String,
    /// Whether that namespace is deleted.
    pub goes: bool,
    /// The truths about what holds the target.
    pub truths: Vec<Truth>,
    /// Objects that a repair may touch in addition to those in the truths.
    pub allowed: Vec<Id>,
    /// Whether a repair through the API, up to the risk of leaks, releases the target.
    pub releasable: bool,
    /// Whether its causes show before the deletion. A forecast cannot know messages that a
    /// controller writes only afterwards.
    pub foreseeable: bool,
    /// The maximum age of its deletion at which it still looks the same, in seconds.
    pub oldest: i64,
    /// The minimum age of its deletion at which it counts as late.
    pub youngest: i64,
    /// The objects that are deleted in the foreground.
    pub foreground: Vec<Id>,
    /// The port of a repaired API.
    pub port: u16,
    /// The kinds that the causes use, as group and plural.
    pub kinds: Vec<(String, String)>,
    /// The operators of these kinds by name, whether or not they exist.
    pub operators: Vec<String>,
    /// Whether rights are missing, which a repair may grant for a while.
    pub lacks_rights: bool,
    /// Foreign entries of the namespace's `spec.finalizers`.
    pub spec_finalizers: Vec<String>,
    /// Actors that act from the deletion to the end.
    pub actors: Vec<Actor>,
    /// Actors that keep reporting that they are alive, whatever the others wait for.
    pub heartbeats: Vec<Actor>,
    /// All created objects, whose times are moved back.
    pub made: Vec<Id>,
    makings: Vec<(Phase, Making)>,
}

impl Draft {
    /// An empty draft for this namespace.
    pub fn new(random: Random, namespace: &str, goes: bool) -> Self {
        Self {
            random,
            namespace: namespace.into(),
            goes,
            truths: Vec::new(),
            allowed: Vec::new(),
            releasable: true,
            foreseeable: true,
            oldest: i64::MAX,
            youngest: 0,
            foreground: Vec::new(),
            port: 0,
            kinds: Vec::new(),
            operators: Vec::new(),
            lacks_rights: false,
            spec_finalizers: Vec::new(),
            actors: Vec::new(),
            heartbeats: Vec::new(),
            made: Vec::new(),
            makings: Vec::new(),
        }
    }

    /// Adds an object of a built-in kind to create.
    pub fn create(&mut self, phase: Phase, manifest: Value) -> Id {
        self.create_as(phase, manifest, None, "kubectl-create")
    }

    /// Adds an object to create as this field manager; `plural` for a custom kind.
    pub fn create_as(&mut self, phase: Phase, manifest: Value, plural: Option<&str>, manager: &str) -> Id {
        let id = Id::in_manifest(&manifest, plural);
        if !self.made.contains(&id) {
            self.made.push(id.clone());
            self.makings.push((phase, Making::Create { id: id.clone(), manifest, manager: manager.into() }));
        }
        id
    }

    /// Adds an action.
    pub fn act(&mut self, phase: Phase, act: impl FnOnce(&Api) -> Result<(), String> + Send + 'static) {
        self.makings.push((phase, Making::Act(Box::new(act))));
    }

    /// Adds an actor that acts repeatedly.
    pub fn actor(&mut self, actor: impl FnMut(&Api) -> bool + Send + 'static) {
        self.actors.push(Box::new(actor));
    }

    /// Adds an actor that keeps reporting that it is alive.
    pub fn heartbeat(&mut self, heartbeat: impl FnMut(&Api) -> bool + Send + 'static) {
        self.heartbeats.push(Box::new(heartbeat));
    }

    /// Creates everything up to a phase, one phase after the other.
    pub fn make(&mut self, api: &Api, until: Phase) -> Result<(), String> {
        for phase in PHASES.into_iter().filter(|phase| *phase <= until) {
            let (mut now, later): (Vec<_>, Vec<_>) = self.makings.drain(..).partition(|making| making.0 <= phase);
            self.makings = later;
            self.random.shuffle(&mut now);
            // Namespaces first: their content cannot be created before them.
            now.sort_by_key(|(_, making)| match making {
                Making::Create { id, .. } if id.kind == "Namespace" => 0,
                Making::Create { .. } => 1,
                Making::Act(_) => 2,
            });
            for (_, making) in now {
                match making {
                    Making::Create { id, manifest, manager } => api.create(&id, &manifest, &manager)?,
                    Making::Act(act) => act(api)?,
                }
            }
        }
        Ok(())
    }
}

/// Polls until a condition holds.
pub fn until(what: &str, seconds: u64, mut condition: impl FnMut() -> Result<bool, String>) -> Result<(), String> {
    // The machine may be busy.
    let (started, limit) = (Instant::now(), Duration::from_secs(3 * seconds));
    while !condition()? {
        if started.elapsed() > limit {
            return Err(format!("not within {limit:?}: {what}"));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
