//! The interface between the engine and the rules: rules, drafts of findings, the graph of needs that must
//! be met before a target is gone, and the forecast for a target that is not being deleted
//! yet.

mod broken_end;
mod draft;
mod findings;
mod graph;
mod order;
mod outlook;
mod parts;
mod rule;
mod waiting;
mod world;

pub use draft::Draft;
pub use findings::Findings;
pub use graph::{Graph, Reached, Settled};
pub use order::{After, Ring};
pub use outlook::{Cost, Outlook, Phase};
pub use rule::{
    Explains, NamespacedObjects, NotRead, OfFuture, OfNamespace, OfOrder, OfOwners, OfRing, OfServers, OfTarget,
    OfUnread, OfWorkload, OwnedObjects, Rule,
};
pub use waiting::{Mood, Waiting};
pub use world::{Further, Going, Relation, World};
