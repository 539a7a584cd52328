//! How remedies are made of steps.

use super::behaviour::Property;
use crate::report::{Remedy, Risk, Sentence, Step};
use std::fmt;

impl Remedy {
    /// A remedy of one step. Its risk is never below the minimum of such a step.
    pub fn new(step: Step, risk: Risk, consequence: impl Into<Sentence>) -> Self {
        let by_hand = Self::manual(step.title(), consequence);
        let risk = if step.has(Property::Leaks) { risk.max(Risk::Leaks) } else { risk };
        Self { risk, undo: step.has(Property::CanBeUndone), steps: vec![step], ..by_hand }
    }

    /// A remedy of these steps; `None` if there are none. If there are several, its title is `several`.
    pub fn of_all(
        steps: impl IntoIterator<Item = Step>,
        several: impl Into<Sentence>,
        risk: Risk,
        consequence: impl Into<Sentence>,
    ) -> Option<Self> {
        let mut steps = steps.into_iter();
        let mut remedy = Self::new(steps.next()?, risk, consequence);
        remedy.steps.extend(steps);
        if remedy.steps.len() > 1 {
            remedy.title = several.into();
        }
        Some(remedy)
    }

    /// The same remedy, for objects that must be named by hand.
    pub fn by_name(self) -> Self {
        Self { by_name: true, ..self }
    }

    /// A warning of something that a person must not do after a deletion was requested.
    pub fn warning(title: impl Into<Sentence>, consequence: impl Into<Sentence>) -> Self {
        Self { warns: true, ..Self::manual(title, consequence) }
    }

    /// The steps up to one after which everything is diagnosed again.
    pub fn steps_until_a_new_look(&self) -> impl Iterator<Item = &Step> {
        let last = self.steps.iter().position(|step| step.has(Property::Creates)).unwrap_or(self.steps.len());
        self.steps.iter().take(last + 1)
    }

    /// A remedy that a person must carry out with this command.
    pub fn command(title: impl Into<Sentence>, command: impl fmt::Display, consequence: impl Into<Sentence>) -> Self {
        Self::manual(title.into().by(command), consequence)
    }

    /// A remedy that a person must carry out.
    pub fn manual(title: impl Into<Sentence>, consequence: impl Into<Sentence>) -> Self {
        Self { title: title.into(), risk: Risk::Manual, consequence: consequence.into(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::{nudge_namespace, recreate_namespace, remove_finalizer};
    use crate::report::{Named, Ref};

    #[test]
    fn removing_a_finalizer_is_rated_leaks_at_least() {
        let object = Ref::from(Named { kind: "Namespace".into(), name: "shop".into(), ..Named::default() });
        let removal = remove_finalizer::step(&object, &["acme.io/backup".to_owned()], "acme.io/backup");
        assert_eq!(Remedy::new(removal, Risk::Harmless, "").risk, Risk::Leaks);
        assert_eq!(Remedy::new(nudge_namespace::step(&object), Risk::Harmless, "").risk, Risk::Harmless);
    }

    #[test]
    fn steps_after_a_creation_wait_for_a_new_look() {
        let object = Ref::from(Named { kind: "Namespace".into(), name: "shop".into(), ..Named::default() });
        let (nudge, creation) = (nudge_namespace::step(&object), recreate_namespace::step("shop"));
        let until = |steps: &[&Step]| {
            let steps: Vec<Step> = steps.iter().copied().cloned().collect();
            let remedy = Remedy { steps, ..Remedy::manual("", "") };
            remedy.steps_until_a_new_look().map(Step::kind).collect::<Vec<_>>()
        };
        assert_eq!(until(&[&nudge, &creation, &nudge]), [nudge.kind(), creation.kind()]);
        assert_eq!(until(&[&creation, &nudge]), [creation.kind()]);
        assert_eq!(until(&[&nudge, &nudge]), [nudge.kind(), nudge.kind()]);
    }
}
