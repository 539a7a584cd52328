//! What was foreseen for one target.

use super::order::{Cost, Phase};
use crate::needs::Draft;
use crate::report::{ObjectNote, Ref, Turn};
use std::collections::BTreeSet;

/// What was foreseen for one target.
#[derive(Default)]
pub(crate) struct Outlook {
    pub(crate) drafts: Vec<Draft>,
    pub(crate) turns: Vec<(Phase, Turn)>,
    pub(crate) consequences: BTreeSet<ObjectNote>,
    /// What its deletion sets off.
    pub(crate) costs: Vec<Cost>,
    /// How many objects go with it.
    pub(crate) content: usize,
    /// The server lets nobody delete it.
    pub(crate) refused: bool,
}

impl Outlook {
    /// Adds what would get stuck whatever the order.
    pub(crate) fn hangs(&mut self, rule: &'static str, mut draft: Draft) {
        draft.finding.rule = rule;
        self.drafts.push(draft);
    }

    /// Adds what would get stuck unless `turn` comes first.
    pub(crate) fn hangs_unless(&mut self, rule: &'static str, draft: Draft, phase: Phase, turn: Turn) {
        self.hangs(rule, draft.avoidable());
        self.first(phase, turn);
    }

    /// Adds what is done before the target is deleted.
    pub(crate) fn first(&mut self, phase: Phase, turn: Turn) {
        if !self.turns.iter().any(|(_, known)| known.commands == turn.commands) {
            self.turns.push((phase, turn));
        }
    }

    /// Adds what follows from the deletion and holds nothing up.
    pub(crate) fn consequence(&mut self, object: Ref, why: impl Into<String>) {
        self.consequences.insert(ObjectNote { object, why: why.into() });
    }
}
