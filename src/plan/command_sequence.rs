//! Commands that a person runs one after the other. The removal of an entry from a list moves those behind
//! it, and a command names an entry by its index.

use super::shell::arguments;
use crate::report::{Remedy, Step, StepKind};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// Writes commands in the order in which they are run.
#[derive(Debug, Default)]
pub struct CommandSequence<'r> {
    /// For each list, the indices of the entries that are gone when the commands of this cause are run.
    taken: HashMap<(StepKind, String), BTreeSet<usize>>,
    /// The steps of this cause that remove entries; only one of its remedies is carried out.
    takes: Vec<&'r Step>,
}

impl<'r> CommandSequence<'r> {
    /// Finishes a cause: the entries that one of its remedies removes are gone.
    pub fn next_cause(&mut self) {
        for step in self.takes.drain(..) {
            if let Some(place) = step.place {
                self.taken.entry(list(step)).or_default().insert(place);
            }
        }
    }

    /// The commands of one remedy of the cause.
    pub fn commands(&mut self, remedy: &'r Remedy) -> Vec<Cow<'r, str>> {
        self.takes.extend(remedy.steps.iter().filter(|step| step.place.is_some()));
        remedy.steps.iter().map(|step| self.command(step)).collect()
    }

    fn command(&self, step: &'r Step) -> Cow<'r, str> {
        let moved = step.place.and_then(|place| {
            let before = self.taken.get(&list(step))?.range(..place).count();
            let (shape, object) = (step.behaviour().shape(&step.object), &step.object);
            (before > 0).then(|| shape.command(object, &arguments(object), place - before))?
        });
        moved.map_or(Cow::Borrowed(&step.command), Cow::Owned)
    }
}

/// The list from which a step removes an entry.
fn list(step: &Step) -> (StepKind, String) {
    (step.kind(), step.object.target().want().path())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::lives::named;
    use crate::plan::steps::{drop_owner_reference, remove_finalizer};
    use crate::report::{Named, Ref, Risk};
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

    fn removal(key: &str) -> Remedy {
        let held = ["a.io/x".to_owned(), "b.io/y".to_owned(), "c.io/z".to_owned()];
        Remedy::new(remove_finalizer::step(&database(), &held, key), Risk::Leaks, "")
    }

    fn place(commands: &[Cow<'_, str>]) -> usize {
        let (_, behind) = commands[0].split_once("/metadata/finalizers/").unwrap();
        behind.split('"').next().unwrap().parse().unwrap()
    }

    fn database() -> Ref {
        named("acme.io/v1", "Database", "databases", Some("shop"), "orders")
    }

    #[test]
    fn earlier_removals_shift_later_indices() {
        let (x, y, z) = (removal("a.io/x"), removal("b.io/y"), removal("c.io/z"));
        let mut sequence = CommandSequence::default();
        let mut places = Vec::new();
        for remedy in [&z, &x, &y] {
            places.push(place(&sequence.commands(remedy)));
            sequence.next_cause();
        }
        assert_eq!(places, [2, 0, 0]);
        assert_eq!(place(&CommandSequence::default().commands(&y)), 1);
    }

    #[test]
    fn alternatives_for_one_cause_do_not_shift_each_other() {
        let (x, y) = (removal("a.io/x"), removal("b.io/y"));
        let mut sequence = CommandSequence::default();
        sequence.commands(&x);
        sequence.commands(&x);
        assert_eq!(place(&sequence.commands(&y)), 1);
        sequence.next_cause();
        assert_eq!(place(&sequence.commands(&y)), 0);
    }

    #[test]
    fn indices_are_counted_for_each_object_and_list() {
        let (x, y) = (removal("a.io/x"), removal("b.io/y"));
        let owner = OwnerReference { kind: "Store".into(), name: "s".into(), uid: "o".into(), ..Default::default() };
        let reference = Remedy::new(drop_owner_reference::step(&database(), &owner, 1), Risk::Leaks, "");
        let mut other = removal("a.io/x");
        other.steps[0].object = Ref::from(Named { name: "users".into(), ..other.steps[0].object.parts() });
        let mut sequence = CommandSequence::default();
        for remedy in [&x, &other] {
            sequence.commands(remedy);
        }
        sequence.next_cause();
        assert!(sequence.commands(&reference)[0].contains("/metadata/ownerReferences/1\""));
        assert_eq!(place(&sequence.commands(&y)), 0);
    }

    #[test]
    fn the_steps_of_one_remedy_work_in_their_order() {
        let held = ["a.io/x".to_owned(), "b.io/y".to_owned()];
        let steps: Vec<Step> = remove_finalizer::one_by_one(&database(), &held).collect();
        let named = |step: &Step| step.action.parameters().finalizer.unwrap_or_default();
        assert_eq!(steps.iter().map(named).collect::<Vec<_>>(), held);
        assert!(steps.iter().all(|step| step.command.contains("/metadata/finalizers/0\"")), "{steps:#?}");
    }
}
