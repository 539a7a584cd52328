//! The marks and words that stand for states.

use crate::report::{Controller, ControllerState, Evidence, LinkState, OwnerState, Remedy, Why};
use crate::screen::{clean, palette};

pub(crate) fn link_mark(state: LinkState) -> &'static str {
    match state {
        LinkState::Fine => "✓",
        LinkState::Affected => "↓",
        LinkState::Broken => "✗",
        LinkState::Unknown => "?",
    }
}

pub(crate) fn controller_word(state: ControllerState) -> &'static str {
    match state {
        ControllerState::Gone => "gone",
        ControllerState::Down => "down",
        ControllerState::Failing => "failing",
        ControllerState::Alive => "alive",
        ControllerState::Unknown => "unknown",
    }
}

pub(crate) fn owner_mark(state: OwnerState) -> &'static str {
    match state {
        OwnerState::Present => "",
        OwnerState::Terminating => " ⏳ terminating",
        OwnerState::Missing => " ✗ missing",
        OwnerState::Replaced => " ✗ missing (another object has its name)",
        OwnerState::UnknownKind => " ✗ of a kind that is not served",
        OwnerState::Cycle => " ✗ owns itself",
        OwnerState::OtherNamespace => " ✗ in another namespace: counts as missing",
        OwnerState::Impossible => " ✗ namespaced: cannot own a cluster-scoped object",
        OwnerState::Unread => " ? unread",
    }
}

/// The word for how well the reason is known.
pub(crate) fn why_word(why: Why) -> &'static str {
    match why {
        Why::Proven => "proven",
        Why::Likely => "likely",
        Why::Unknown => "unknown",
    }
}

/// `Deployment ops/acme-operator, down`
pub(crate) fn controller_words(controller: &Controller) -> String {
    let state = controller_word(controller.state);
    match &controller.workload {
        Some(workload) => format!("{}, {state}", clean(&workload.to_string())),
        None => state.into(),
    }
}

/// The source of a piece of evidence: `Node node-3: status.conditions[Ready]`.
pub(crate) fn place(evidence: &Evidence) -> Option<String> {
    let object = clean(&evidence.object.as_ref()?.to_string());
    let field = evidence.field.as_deref().filter(|field| !field.is_empty());
    Some(field.map_or_else(|| object.clone(), |field| format!("{object}: {}", clean(field))))
}

/// The cost of a remedy, coloured.
pub(crate) fn cost_in_style(remedy: &Remedy) -> String {
    palette::risk(remedy.level(), &cost(remedy))
}

/// The possible cost of a remedy, without its consequence: the level that must be approved, with the deletions
/// that it also finishes.
#[must_use]
pub fn cost(remedy: &Remedy) -> String {
    match (remedy.risk, remedy.undo) {
        // The setting can be restored, but not the data that it destroys.
        (risk, true) if !remedy.level().is_harsh() => format!("{risk}, can be undone"),
        _ => remedy.level().to_string(),
    }
}
