//! The forecast for one target.

use super::Draft;
use crate::report::{Cause, ObjectNote, Ref, Risk, Sentence, Turn};
use std::collections::BTreeSet;

/// The phases before the deletion of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Before everything: webhooks whose backends do not answer even now, and would refuse the deletions that follow.
    Unanswered,
    /// While all programs that serve the objects still exist.
    Objects,
    /// When nothing is left that needs the registrations.
    Registrations,
}

/// A consequence of a target's deletion, besides that the target is gone.
#[derive(Debug, Clone)]
pub struct Cost {
    /// The object that it concerns.
    pub(crate) object: Ref,
    /// How much of a loss it is.
    pub(crate) risk: Risk,
    /// The event, or the clean-up of an object that is deleted with the target.
    pub(crate) text: String,
}

/// The forecast for one target.
#[derive(Debug, Default)]
pub struct Outlook {
    pub(crate) drafts: Vec<Draft>,
    pub(crate) turns: Vec<(Phase, Turn)>,
    pub(crate) consequences: BTreeSet<ObjectNote>,
    /// The costs of its deletion.
    pub(crate) costs: Vec<Cost>,
    /// How many objects are deleted with it.
    pub(crate) content: usize,
    /// Whether the server lets nobody delete it.
    pub(crate) refused: bool,
}

impl Outlook {
    /// Adds something that would get stuck, whatever the order.
    pub fn hangs(&mut self, draft: Draft) {
        self.drafts.push(draft);
    }

    /// Adds something that would get stuck unless `turn` comes first.
    pub fn hangs_unless(&mut self, draft: Draft, phase: Phase, turn: Turn) {
        self.hangs(draft.avoidable());
        self.first(phase, turn);
    }

    /// Adds a turn before the deletion of the target.
    pub fn first(&mut self, phase: Phase, turn: Turn) {
        if !self.turns.iter().any(|(_, known)| known.commands == turn.commands) {
            self.turns.push((phase, turn));
        }
    }

    /// Adds a consequence of the deletion that blocks nothing.
    pub fn consequence(&mut self, object: Ref, why: impl Into<Sentence>) {
        self.consequences.insert(ObjectNote { object, why: why.into() });
    }

    /// Whether it is known already that `object` gets stuck for this cause. Kinds that cannot be listed now are
    /// reported before anything is foreseen.
    #[must_use]
    pub fn names(&self, cause: Cause, object: &Ref) -> bool {
        self.drafts.iter().any(|draft| draft.finding.cause == cause && draft.finding.objects.contains(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    fn turn(command: &str) -> Turn {
        Turn {
            title: "".into(),
            why: "".into(),
            risk: Risk::Disruptive,
            consequence: "".into(),
            usual_minutes: None,
            commands: vec![command.into()],
            steps: Vec::new(),
        }
    }

    #[test]
    fn equal_turns_are_done_once() {
        let mut outlook = Outlook::default();
        for command in ["delete a", "delete b", "delete a"] {
            outlook.first(Phase::Objects, turn(command));
        }
        let commands: Vec<&str> = outlook.turns.iter().map(|(_, turn)| turn.commands[0].as_str()).collect();
        assert_eq!(commands, ["delete a", "delete b"]);
    }

    #[test]
    fn stuck_objects_are_identified_by_cause_and_object() {
        let object = |name: &str| Ref::from(Named { name: name.into(), ..Named::default() });
        let mut outlook = Outlook::default();
        outlook.hangs(Draft::new(Cause::Finalizer, object("a"), ""));
        assert!(outlook.names(Cause::Finalizer, &object("a")));
        assert!(!outlook.names(Cause::Admission, &object("a")));
        assert!(!outlook.names(Cause::Finalizer, &object("b")));
    }
}
