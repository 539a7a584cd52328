//! The parts of a state, drawn from its seed. Each part has its own seed, so that it stays the same
//! if others are left out.

use crate::blocks::{self, BLOCKS, Build, Target};
use crate::decoys::DECOYS;
use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::random::Random;
use crate::truth::Truth;
use serde_json::json;
use std::fmt;

/// A state; everything in it follows from this.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// The seed that it was drawn from.
    pub seed: u64,
    /// The kind of target.
    pub target: Target,
    /// The causes, side by side. An object or a definition has only one.
    pub causes: Vec<Part>,
    /// How many objects wait for one another in front of the first cause's object.
    pub fronts: Vec<u64>,
    /// Things that look guilty.
    pub decoys: Vec<Part>,
    /// The age of the deletion, in seconds.
    pub age: i64,
}

/// A block or a decoy, and the seed of its choices.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Its index in the list of its kind.
    pub index: usize,
    /// Its own seed.
    pub seed: u64,
}

impl Recipe {
    /// The state of a seed, from these blocks.
    pub fn draw(seed: u64, allowed: &[usize]) -> Self {
        let mut random = Random::new(seed);
        let first = *random.pick(allowed);
        let target = *random.pick(BLOCKS[first].fits);
        let layers = 1 + [0, 0, 0, 1, 1, 1, 2, 2, 3][random.below(9)];
        let mut causes = vec![Part { index: first, seed: random.next() }];
        let mut fronts = Vec::new();
        for _ in 1..layers {
            let other = *random.pick(allowed);
            let seed = random.next();
            let fits = BLOCKS[other].fits.contains(&target)
                && causes.iter().all(|part: &Part| BLOCKS[part.index].goes_with(&BLOCKS[other]));
            if target == Target::Namespace && random.percent(65) && fits {
                causes.push(Part { index: other, seed });
            } else if target != Target::Namespace || !BLOCKS[first].is_pod() {
                fronts.push(seed);
            }
        }
        // While a pod exists, the namespace controller deletes nothing else.
        if causes.iter().any(|part| BLOCKS[part.index].is_pod()) {
            fronts.clear();
        }
        let decoys = (0..random.below(7)).map(|_| (random.below(DECOYS.len()), random.next()));
        let decoys = decoys.map(|(index, seed)| Part { index, seed }).collect();
        let age = *random.pick(&[25, 70, 200, 900, 3 * 3600, 26 * 3600, 6 * 86400]);
        Self { seed, target, causes, fronts, decoys, age }
    }

    /// All states with one part less.
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if !self.decoys.is_empty() {
            all.push(Self { decoys: Vec::new(), ..self.clone() });
        }
        for without in (0..self.causes.len()).filter(|_| self.causes.len() > 1) {
            let mut less = self.clone();
            less.causes.remove(without);
            all.push(less);
        }
        for without in 0..self.fronts.len() {
            let mut less = self.clone();
            less.fronts.remove(without);
            all.push(less);
        }
        for without in (0..self.decoys.len()).filter(|_| self.decoys.len() > 1) {
            let mut less = self.clone();
            less.decoys.remove(without);
            all.push(less);
        }
        all
    }

    /// Builds the draft, and names the target.
    ///
    /// A repaired API answers at `port` on loopback.
    pub fn build(&self, port: u16) -> Plan {
        let mut random = Random::new(self.seed ^ 0x5EED);
        let namespace = format!("{}-{}", random.word(), random.suffix());
        let mut draft = Draft::new(random.clone(), &namespace, self.target == Target::Namespace);
        draft.port = port;
        let mut objects = Vec::new();
        for cause in &self.causes {
            draft.random = Random::new(cause.seed);
            match BLOCKS[cause.index].build {
                Build::Holds(build) => objects.push(build(&mut draft)),
                Build::Aside(build) => build(&mut draft),
            }
        }
        let mut front = objects.first().cloned();
        for seed in &self.fronts {
            draft.random = Random::new(*seed);
            if let Some(behind) = &front {
                let next = blocks::put_in_front(&mut draft, behind);
                objects.push(next.clone());
                front = Some(next);
            }
        }
        for decoy in &self.decoys {
            draft.random = Random::new(decoy.seed);
            (DECOYS[decoy.index].build)(&mut draft);
        }
        draft.random = random;
        let target = self.target_of(&mut draft, front);
        Plan { draft, target, objects }
    }

    fn target_of(&self, draft: &mut Draft, front: Option<Id>) -> Id {
        let mut manifest =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": draft.namespace}, "spec": {}});
        if !draft.spec_finalizers.is_empty() {
            manifest["spec"]["finalizers"] = json!(draft.spec_finalizers);
        }
        let namespace = draft.create(Phase::Ground, manifest);
        let settings = json!({"apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": "settings", "namespace": draft.namespace}, "data": {"currency": "eur"}});
        draft.create(Phase::Things, settings);
        match (self.target, front) {
            (Target::Object, Some(front)) => front,
            (Target::Definition, Some(front)) => {
                Id::of("CustomResourceDefinition", None, &format!("{}.{}", front.plural, front.group()))
            }
            _ => namespace,
        }
    }
}

/// A state that can be created.
pub struct Plan {
    /// The draft to carry out.
    pub draft: Draft,
    /// The target.
    pub target: Id,
    /// The objects that are held.
    pub objects: Vec<Id>,
}

impl Plan {
    /// The truths about it.
    pub fn truths(&self) -> &[Truth] {
        &self.draft.truths
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let causes: Vec<&str> = self.causes.iter().map(|part| BLOCKS[part.index].name).collect();
        let decoys: Vec<&str> = self.decoys.iter().map(|part| DECOYS[part.index].name).collect();
        let (target, fronts, age) = (self.target, self.fronts.len(), self.age);
        write!(f, "seed {}: {target:?}, {}", self.seed, causes.join(" + "))?;
        if fronts > 0 {
            write!(f, ", behind {fronts} that wait")?;
        }
        write!(f, ", deleted {age} s ago")?;
        if !decoys.is_empty() {
            write!(f, ", decoys: {}", decoys.join(", "))?;
        }
        Ok(())
    }
}
