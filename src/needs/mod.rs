//! What the engine and the rules say to each other: rules, findings in the making, and
//! the graph of what must become true before a target can go.

mod draft;
mod findings;
mod graph;
mod parts;
mod rule;

pub use draft::Draft;
pub use findings::Findings;
pub use graph::{Graph, Settled};
pub use parts::{parts, rings};
pub use rule::{
    Explains, HousedObjects, NotRead, OfNamespace, OfOwners, OfServers, OfTarget, OfUnread, OfWorkload, OwnedObjects,
    Rule,
};
