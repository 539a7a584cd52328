//! The kinds of causes, one file each. A block creates one thing that holds the target, and states
//! the truth about it.

mod aggregated_api;
mod at_work;
mod attachment;
mod built_in;
mod conversion;
mod crashing_operator;
mod deletion_refused;
mod gone_operator;
mod identities;
mod in_use;
mod kind_gone;
mod namespace_finalizer;
mod node_agents;
mod operator_without_pods;
mod parked_operator;
mod paused;
mod pods;
mod policy_on_deletion;
mod policy_refuses;
mod repeated_error;
mod rights_lost;
mod ring;
mod scope;
mod several_reasons;
mod silent_operator;
mod update_refused;
mod waiter;

use crate::draft::Draft;
use crate::object::Id;
use Build::{Aside, Holds};

pub use deletion_refused::dead_webhook;
pub use waiter::put_in_front;

/// The target of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A namespace with everything that the blocks have created in it.
    Namespace,
    /// The object that the block holds.
    Object,
    /// The definition of that object's kind.
    Definition,
}

/// A kind of cause.
pub struct Block {
    /// Its name, for people and for `UNSTICK_BLOCKS`.
    pub name: &'static str,
    /// The targets that can be stuck because of it.
    pub fits: &'static [Target],
    /// Creates the cause.
    pub build: Build,
}

/// The way in which a block creates its cause.
pub enum Build {
    /// Returns the object that it holds.
    Holds(fn(&mut Draft) -> Id),
    /// Blocks the namespace without holding an object in it.
    Aside(fn(&mut Draft)),
}

const ANY: &[Target] = &[Target::Namespace, Target::Object, Target::Definition];
const NAMESPACE: &[Target] = &[Target::Namespace];
const OBJECT: &[Target] = &[Target::Object];
const NO_KIND: &[Target] = &[Target::Namespace, Target::Object];
const NO_NAMESPACE: &[Target] = &[Target::Object, Target::Definition];

/// Every block.
pub const BLOCKS: &[Block] = &[
    Block { name: "parked-operator", fits: ANY, build: Holds(parked_operator::build) },
    Block { name: "crashing-operator", fits: ANY, build: Holds(crashing_operator::build) },
    Block { name: "gone-operator", fits: ANY, build: Holds(gone_operator::build) },
    Block { name: "operator-over-quota", fits: ANY, build: Holds(operator_without_pods::over_quota) },
    Block { name: "operator-pods-refused", fits: ANY, build: Holds(operator_without_pods::refused) },
    Block { name: "operator-on-lost-node", fits: ANY, build: Holds(operator_without_pods::on_a_lost_node) },
    Block { name: "rights-lost", fits: NAMESPACE, build: Holds(rights_lost::build) },
    Block { name: "at-work", fits: ANY, build: Holds(at_work::build) },
    Block { name: "policy-refuses", fits: ANY, build: Holds(policy_refuses::build) },
    Block { name: "pod-on-lost-node", fits: NO_KIND, build: Holds(pods::on_a_lost_node) },
    Block { name: "pod-with-finalizer", fits: NO_KIND, build: Holds(pods::with_a_finalizer) },
    Block { name: "claim-in-use", fits: OBJECT, build: Holds(pods::claim_in_use) },
    Block { name: "conversion-dead", fits: NAMESPACE, build: Aside(conversion::build) },
    Block { name: "built-in-parked-operator", fits: NO_KIND, build: Holds(built_in::parked_operator) },
    Block { name: "foreground", fits: OBJECT, build: Holds(built_in::foreground) },
    Block { name: "bound-volume", fits: OBJECT, build: Holds(built_in::bound_volume) },
    Block { name: "api-on-lost-node", fits: NAMESPACE, build: Aside(aggregated_api::on_a_lost_node) },
    Block { name: "update-refused", fits: ANY, build: Holds(update_refused::build) },
    Block { name: "api-without-service", fits: NAMESPACE, build: Aside(aggregated_api::without_service) },
    Block { name: "api-parked", fits: NAMESPACE, build: Aside(aggregated_api::parked) },
    Block { name: "api-crashing", fits: NAMESPACE, build: Aside(aggregated_api::crashing) },
    Block { name: "deletion-refused", fits: NAMESPACE, build: Aside(deletion_refused::build) },
    Block { name: "namespace-finalizer", fits: NAMESPACE, build: Aside(namespace_finalizer::in_metadata) },
    Block { name: "ring", fits: OBJECT, build: Holds(ring::build) },
    Block { name: "attachment", fits: OBJECT, build: Holds(attachment::build) },
    Block { name: "pod-on-gone-node", fits: NO_KIND, build: Holds(pods::on_a_gone_node) },
    Block { name: "policy-on-deletion", fits: NAMESPACE, build: Aside(policy_on_deletion::build) },
    Block { name: "operator-image-missing", fits: ANY, build: Holds(operator_without_pods::image_missing) },
    Block { name: "operator-unscheduled", fits: ANY, build: Holds(operator_without_pods::unscheduled) },
    Block { name: "silent-operator", fits: ANY, build: Holds(silent_operator::build) },
    Block { name: "namespace-spec-finalizer", fits: NAMESPACE, build: Aside(namespace_finalizer::in_spec) },
    // Each of these has a twin, which looks the same but has another cause.
    Block { name: "paused", fits: ANY, build: Holds(paused::object) },
    Block { name: "paused-owner", fits: NO_NAMESPACE, build: Holds(paused::owner) },
    Block { name: "not-paused", fits: ANY, build: Holds(paused::not_at_all) },
    Block { name: "watches-elsewhere", fits: ANY, build: Holds(scope::elsewhere) },
    Block { name: "watches-here", fits: ANY, build: Holds(scope::here) },
    Block { name: "node-without-agent", fits: ANY, build: Holds(node_agents::left_out) },
    Block { name: "agents-node-gone", fits: ANY, build: Holds(node_agents::gone) },
    Block { name: "agent-crashes", fits: ANY, build: Holds(node_agents::crashes) },
    Block { name: "in-use", fits: ANY, build: Holds(in_use::used) },
    Block { name: "not-in-use", fits: ANY, build: Holds(in_use::not_any_more) },
    Block { name: "repeated-error", fits: ANY, build: Holds(repeated_error::build) },
    Block { name: "past-error", fits: ANY, build: Holds(repeated_error::gets_on) },
    Block { name: "several-reasons", fits: NAMESPACE, build: Holds(several_reasons::each_its_own) },
    Block { name: "one-reason", fits: NAMESPACE, build: Holds(several_reasons::the_same) },
    Block { name: "policy-about-others", fits: ANY, build: Holds(identities::others) },
    Block { name: "policy-about-the-operator", fits: ANY, build: Holds(identities::itself) },
    Block { name: "kind-gone", fits: ANY, build: Holds(kind_gone::not_served) },
    Block { name: "kind-served", fits: ANY, build: Holds(kind_gone::served) },
];

impl Block {
    /// Whether it is about pods, which a namespace deletes before everything else.
    pub fn is_pod(&self) -> bool {
        self.name.starts_with("pod-")
    }

    /// Whether both can hold the same namespace and be visible at once.
    pub fn goes_with(&self, other: &Self) -> bool {
        let beside_pods = |block: &Self| block.is_pod() || block.name.starts_with("api-");
        (!self.is_pod() && !other.is_pod()) || (beside_pods(self) && beside_pods(other))
    }
}

/// The index of the block with this name.
pub fn named(name: &str) -> usize {
    BLOCKS.iter().position(|block| block.name == name).unwrap_or_else(|| panic!("there is no block {name}"))
}
