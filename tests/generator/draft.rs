//! A state that is being created: what is created in which phase, what is true about it, and who
//! acts while it is diagnosed and repaired.

use crate::api::Api;
use crate::object::Id;
use crate::random::Random;
use crate::truth::Truth;
use serde_json::Value;
use std::time::{Duration, Instant};

/// When something is done; within a phase the order is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Namespaces, definitions, nodes, quotas: what other objects need.
    Ground,
    /// Everything that has no order.
    Things,
    /// What kubelets and schedulers report about pods.
    Pods,
    /// What affects existing things.
    Breakage,
    /// The deletions.
    Deletion,
    /// What is said and done after the deletion was requested.
    Afterwards,
}

/// The phases in order.
const PHASES: [Phase; 6] =
    [Phase::Ground, Phase::Things, Phase::Pods, Phase::Breakage, Phase::Deletion, Phase::Afterwards];

/// Something that is done once.
type Act = Box<dyn FnOnce(&Api) -> Result<(), String> + Send>;

/// Something that a controller or a kubelet does repeatedly; returns whether it is finished.
pub type Actor = Box<dyn FnMut(&Api) -> bool + Send>;

enum Making {
    Create { id: Id, manifest: Value, manager: String },
    Act(Act),
}

/// A state in the making.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the state")]
pub struct Draft {
    /// The source of its choices; each block has its own.
    pub random: Random,
    /// The namespace of what gets stuck.
    pub namespace: String,
    /// Whether that namespace is deleted.
    pub goes: bool,
    /// What holds the target.
    pub truths: Vec<Truth>,
    /// What a repair may touch in addition to what the truths name.
    pub allowed: Vec<Id>,
    /// Whether what the API can do, with the risk of leaks, lets the target go.
    pub releasable: bool,
    /// Whether its causes show before the deletion: nobody can know then what a controller says only
    /// after it.
    pub foreseeable: bool,
    /// The oldest that its deletion can be and still look as it does, in seconds.
    pub oldest: i64,
    /// The youngest that its deletion can be and count as late.
    pub youngest: i64,
    /// What is deleted in the foreground.
    pub foreground: Vec<Id>,
    /// The port of an API that was repaired.
    pub port: u16,
    /// The kinds that the causes use, as group and plural.
    pub kinds: Vec<(String, String)>,
    /// The operators of these kinds by name, whether or not they are there.
    pub operators: Vec<String>,
    /// Whether what is missing are rights, which may be given for a while.
    pub lacks_rights: bool,
    /// Foreign entries of the namespace's `spec.finalizers`.
    pub spec_finalizers: Vec<String>,
    /// Those that act from the deletion to the end.
    pub actors: Vec<Actor>,
    /// Those that report again and again that they are alive, whatever the others wait for.
    pub heartbeats: Vec<Actor>,
    /// Everything that was made, to be put back in time.
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

    /// Something to create, of a built-in kind.
    pub fn create(&mut self, phase: Phase, manifest: Value) -> Id {
        self.create_as(phase, manifest, None, "kubectl-create")
    }

    /// Something to create by this field manager; `plural` for a custom kind.
    pub fn create_as(&mut self, phase: Phase, manifest: Value, plural: Option<&str>, manager: &str) -> Id {
        let id = Id::in_manifest(&manifest, plural);
        if !self.made.contains(&id) {
            self.made.push(id.clone());
            self.makings.push((phase, Making::Create { id: id.clone(), manifest, manager: manager.into() }));
        }
        id
    }

    /// Something to do.
    pub fn act(&mut self, phase: Phase, act: impl FnOnce(&Api) -> Result<(), String> + Send + 'static) {
        self.makings.push((phase, Making::Act(Box::new(act))));
    }

    /// An actor that acts repeatedly.
    pub fn actor(&mut self, actor: impl FnMut(&Api) -> bool + Send + 'static) {
        self.actors.push(Box::new(actor));
    }

    /// An actor that repeatedly reports that it is alive.
    pub fn heartbeat(&mut self, heartbeat: impl FnMut(&Api) -> bool + Send + 'static) {
        self.heartbeats.push(Box::new(heartbeat));
    }

    /// Brings it about up to its deletions, and says when these are to be seen.
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

/// Polls until something is so.
pub fn until(what: &str, seconds: u64, mut condition: impl FnMut() -> Result<bool, String>) -> Result<(), String> {
    // The machine may be busy with other things.
    let (started, limit) = (Instant::now(), Duration::from_secs(3 * seconds));
    while !condition()? {
        if started.elapsed() > limit {
            return Err(format!("not within {limit:?}: {what}"));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
