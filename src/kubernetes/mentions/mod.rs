//! Which objects an object names, where, and what is at the other end.
//!
//! `edges` reads the names in an object: in its spec (`spec`), in its owners, labels and annotations
//! (`metadata`), in its status (`status`), in DNS names (`hosts`) and in its inventory (`inventory`). The rules by
//! which a field, a label or a word means a kind are in `grammar`, and serve both directions. `resolve` looks what
//! is at the other end of an edge.

pub(crate) mod bare_names;
pub(crate) mod clones;
mod edge;
mod entry;
#[cfg(test)]
mod fixtures;
pub(crate) mod followers;
pub(crate) mod grammar;
pub(crate) mod hosts;
pub(crate) mod implied_users;
pub(crate) mod inventory;
pub(crate) mod message;
pub(crate) mod metadata;
pub(crate) mod named_by_entry;
pub(crate) mod no_kind;
pub(crate) mod nodes;
pub(crate) mod parts;
pub(crate) mod resolve;
pub(crate) mod selection;
pub(crate) mod spec;
pub(crate) mod status;
pub(crate) mod users;

pub use edge::InTheWay;
pub(crate) use edge::{Clarity, Edge, How, MAX_EDGES};
pub(crate) use entry::Entry;
#[cfg(test)]
pub(crate) use fixtures::discovery;
pub use no_kind::UnservedKind;
pub(crate) use resolve::{End, resolve};

use crate::survey::{Discovery, Seen};

/// The objects that `seen` names.
pub(crate) fn edges<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Vec<Edge<'s>> {
    let mut all: Vec<Edge<'s>> = metadata::owner_edges(seen, discovery).collect();
    all.extend(metadata::label_edges(seen, discovery));
    all.extend(metadata::annotation_edges(seen, discovery));
    all.extend(spec::spec_edges(seen, discovery));
    all.extend(status::status_edges(seen, discovery));
    all.extend(hosts::host_edges(seen, discovery));
    all.extend(inventory::inventory_edges(seen, discovery));
    all
}
