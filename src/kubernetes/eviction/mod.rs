//! Evictions: the nodes that are drained for a deletion, and the pods that a
//! `PodDisruptionBudget` keeps on them.

mod budgets;
mod drains;
mod hooks;
mod node_content;
mod requests;

pub(crate) use budgets::{EvictionRefusal, count_of, refusals};
pub(crate) use drains::{Drain, drains, foreseen};
pub(crate) use hooks::{Hook, hooks, of as hooks_of};
pub(crate) use node_content::{NodeContent, left, unused};
pub(crate) use requests::EvictionUnderway;

use crate::facts::{All, Facts, Known, Target, flat_each};
use crate::kubernetes::progress::BeforeRelease;
use std::collections::BTreeMap;

/// The objects that wait for a drain of their node, or for a hook, by uid.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn hindered(target: &Target<'_>, facts: &Facts<'_>) -> Known<BTreeMap<String, BeforeRelease>> {
    let waiting = flat_each(drains(target, facts)?, |drain| {
        let (refusals, left) = (refusals(&drain, facts), left(&drain, facts)).all()?;
        Ok((!refusals.is_empty() || !left.is_empty())
            .then(|| (drain.held.object.uid().to_owned(), BeforeRelease::Drain)))
    });
    let (waiting, hooks) = (waiting, hooks(target, facts)).all()?;
    let hooks = hooks.iter().map(|hook| (hook.held.object.uid().to_owned(), BeforeRelease::Hook));
    Ok(hooks.chain(waiting).collect())
}
