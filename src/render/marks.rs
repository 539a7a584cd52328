//! The marks and words by which states are told.

use crate::report::{ControllerState, LinkState, OwnerState};

pub(super) fn link_mark(state: LinkState) -> &'static str {
    match state {
        LinkState::Fine => "✓",
        LinkState::Affected => "↓",
        LinkState::Broken => "✗",
        LinkState::Unknown => "?",
    }
}

pub(super) fn controller_word(state: ControllerState) -> &'static str {
    match state {
        ControllerState::Gone => "gone",
        ControllerState::Down => "down",
        ControllerState::Failing => "failing",
        ControllerState::Alive => "alive",
        ControllerState::Unknown => "unknown",
    }
}

pub(super) fn owner_mark(state: OwnerState) -> &'static str {
    match state {
        OwnerState::Present => "",
        OwnerState::Terminating => " ⏳ terminating",
        OwnerState::Missing => " ✗ missing",
        OwnerState::Replaced => " ✗ missing (another object has its name)",
        OwnerState::UnknownKind => " ✗ of a kind that is not served",
        OwnerState::Cycle => " ✗ owns itself",
        OwnerState::OtherNamespace => " ✗ in another namespace: counts as missing",
        OwnerState::Impossible => " ✗ namespaced: cannot own what is not",
        OwnerState::Unread => " ? unread",
    }
}
