//! Carries out approved steps, and records their outcomes.

use super::consent::Consent;
use super::ledger::{Ledger, Opened};
use super::progress::ClassProgress;
use super::stop::Stop;
use crate::cli::Options;
use crate::commands::source::Live;
use crate::commands::{interrupt, out};
use crate::journal::Run;
use crate::plan::{Property, Write, quote};
use crate::plugin::COMMAND;
use crate::report::{Risk, Step, StepKind};
use crate::screen::Talk;
use crate::transport::AT_ONCE;
use crate::write::apply::{Outcome, carry_out};
use crate::write::batch::Batches;
use std::collections::HashSet;

/// In a larger class, good outcomes are counted instead of listed. For dry runs, each with its
/// command, the limit is lower.
const MAX_LISTED: usize = 20;
const MAX_DRY_RUNS: usize = 5;
/// A class is given up after this many consecutive refusals.
const MAX_REFUSALS: usize = 5;

/// Prints whether something succeeded.
pub(super) fn tell(good: bool, text: &str) {
    out::talk(Talk::verdict(good, text));
}

/// Prints the outcome of a step, with the step's title if it `is_named`.
pub fn say(step: &dyn Write, outcome: &Outcome, is_named: bool) {
    let word = outcome.title();
    let about = if is_named { format!("{}: ", step.title()) } else { String::new() };
    tell(outcome.is_good(), &format!("{word}: {about}{}", outcome.text()));
}

/// A plan that is being carried out.
pub(super) struct Plan<'a> {
    pub(super) live: &'a Live,
    pub(super) options: &'a Options,
    pub(super) consent: Consent,
    /// The objects of the steps that may lose data, if only these were confirmed.
    pub(super) steps_named: Option<Vec<String>>,
    pub(super) journal: Option<Run>,
    pub(super) ledger: Ledger,
}

impl Plan<'_> {
    /// Carries out the steps of one class. Returns whether any succeeded. `risk` is the class's
    /// risk.
    ///
    /// If the steps remove the same finalizer from different objects and lose no data, they are
    /// carried out in batches: the first has one step, and the size doubles while all succeed.
    /// After a failure it is one again.
    pub(super) async fn carry_out_all(&mut self, steps: &[&Step], risk: Risk) -> Result<bool, Stop> {
        let mut class = ClassTally::new(steps, self.consent);
        let most = if !self.consent.is_probe() && go_together(steps, risk) { AT_ONCE } else { 1 };
        let mut together =
            (most > 1).then(|| Batches::new(&self.live.connected.api, MAX_REFUSALS, &interrupt::is_pressed));
        let (mut place, mut size) = (0, 1);
        while place < steps.len() {
            let (batch, rest) = steps[place..].split_at(size.min(steps.len() - place));
            let twice = (size * 2).min(most);
            let before = class.good;
            self.batch(batch, &rest[..twice.min(rest.len())], together.as_mut(), &mut class).await?;
            place += batch.len();
            size = if class.good - before == batch.len() { twice } else { 1 };
            let left = steps.len() - class.tried;
            if class.is_given_up && left > 0 {
                class.aside(|| out::talk(format!("{left} more not tried after {MAX_REFUSALS} refusals")));
                break;
            }
        }
        let (good, counted) = (class.good, class.counted);
        drop(class);
        if counted {
            let word = if self.consent.is_probe() { "dry run: the server would accept" } else { "done:" };
            tell(good == steps.len(), &format!("{word} {good} of {}: {}", steps.len(), steps[0].title_of_class()));
        }
        Ok(good > 0)
    }

    /// Carries out one batch of a class, and prints the outcomes. `next` are the steps that follow
    /// if all succeed. On Ctrl-C, writes that have begun are awaited.
    async fn batch(
        &mut self,
        steps: &[&Step],
        next: &[&Step],
        together: Option<&mut Batches<'_>>,
        class: &mut ClassTally,
    ) -> Result<(), Stop> {
        if interrupt::is_pressed() {
            return Err(self.interrupted(class));
        }
        let api = &self.live.connected.api;
        let outcomes = match (together, self.journal.as_mut()) {
            (Some(together), Some(journal)) => together.carry_out(&writes(steps), &writes(next), journal).await,
            (_, journal) => {
                if self.consent.is_probe() && !class.counted {
                    out::talk(Talk::apart().and(steps[0].title()).command(&steps[0].command));
                }
                vec![Some(carry_out(api, steps[0], journal, &interrupt::is_pressed).await)]
            }
        };
        for (step, outcome) in steps.iter().zip(outcomes) {
            let Some(outcome) = outcome else { continue };
            let is_good = self.take_in(step, &outcome, class);
            self.ledger.seen.insert(step.identity(), is_good);
            class.count(is_good);
        }
        if let Some(progress) = &mut class.progress {
            progress.show(class.tried);
        }
        if interrupt::is_pressed() { Err(self.interrupted(class)) } else { Ok(()) }
    }

    /// Prints and records a step's outcome. Returns whether it is good.
    fn take_in(&mut self, step: &Step, outcome: &Outcome, class: &ClassTally) -> bool {
        if let Some(namespace) = step.needs_missing_namespace().filter(|namespace| outcome.is_for_want_of(namespace)) {
            if self.live.no_delete_in(namespace) {
                out::talk(format!("not possible yet: {}: {}; making a new plan", step.title(), outcome.text()));
                self.ledger.acted |= !self.consent.is_probe();
                self.ledger.fresh |= !self.consent.is_probe();
                return false;
            }
            out::talk(format!(
                "a webhook or policy selects by namespace, so not even a DELETE passes; the way out: \
                 {COMMAND} orphans -n {}",
                quote(namespace)
            ));
        }
        let good = outcome.is_good();
        if !(class.counted && good) {
            class.aside(|| say(step, outcome, !good));
        }
        self.enter(step, outcome);
        good
    }

    /// Reports how many steps of a class were done before Ctrl-C.
    fn interrupted(&self, class: &mut ClassTally) -> Stop {
        class.progress = None;
        let left = class.all - class.tried;
        if class.all > 1 && !self.consent.is_probe() {
            let done = class.good;
            let not = class.tried - done;
            let not = if not > 0 { format!("{not} not done, ") } else { String::new() };
            out::talk(format!("interrupted: {done} of {} steps done, {not}{left} not tried", class.all));
        }
        Stop::Interrupted
    }

    /// Records a step's outcome.
    fn enter(&mut self, step: &Step, outcome: &Outcome) {
        let ledger = &mut self.ledger;
        if !matches!(outcome, Outcome::Refused(_) | Outcome::WouldDo(_)) {
            (ledger.acted, ledger.fresh) = (true, true);
            if step.kind() == StepKind::ScaleWorkload {
                ledger.started.push(step.object.clone());
            }
            self.live.has_written();
        }
        if matches!(outcome, Outcome::Done(_)) {
            if let Some(run) = self.journal.as_mut().filter(|_| step.creates()) {
                run.approval.has_made(&step.object);
            }
            ledger.done.push(step.clone());
        }
        if step.has(Property::OpensAdmission) && matches!(outcome, Outcome::Done(_) | Outcome::WouldDo(_)) {
            ledger.admission = Opened::Now;
        }
        ledger.bad |= !outcome.is_good();
    }
}

fn writes<'s>(steps: &[&'s Step]) -> Vec<&'s dyn Write> {
    steps.iter().map(|step| *step as &dyn Write).collect()
}

/// Whether steps may be carried out in batches: they remove the same finalizer from different
/// objects, and none of them loses data.
fn go_together(steps: &[&Step], risk: Risk) -> bool {
    let mut objects = HashSet::new();
    risk < Risk::LosesData
        && steps.iter().all(|step| step.kind() == StepKind::RemoveFinalizer && objects.insert(step.path()))
}

/// The counts of a class's steps.
struct ClassTally {
    all: usize,
    /// Whether good outcomes are counted instead of listed.
    counted: bool,
    tried: usize,
    good: usize,
    refused_in_a_row: usize,
    is_given_up: bool,
    progress: Option<ClassProgress>,
}

impl ClassTally {
    fn new(steps: &[&Step], consent: Consent) -> Self {
        let counted = steps.len() > if consent.is_probe() { MAX_DRY_RUNS } else { MAX_LISTED };
        let progress = counted.then(|| ClassProgress::new(steps.len()));
        Self { all: steps.len(), counted, tried: 0, good: 0, refused_in_a_row: 0, is_given_up: false, progress }
    }

    fn count(&mut self, is_good: bool) {
        self.tried += 1;
        self.good += usize::from(is_good);
        self.refused_in_a_row = if is_good { 0 } else { self.refused_in_a_row + 1 };
        self.is_given_up |= self.refused_in_a_row == MAX_REFUSALS;
    }

    fn aside(&self, say: impl FnOnce()) {
        match &self.progress {
            Some(progress) => progress.aside(say),
            None => say(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::{nudge_namespace, remove_finalizer};
    use crate::report::{Named, Ref};

    #[test]
    fn only_equal_removals_without_data_loss_are_batched() {
        let object =
            |name: &str| Ref::from(Named { resource: "configmaps".into(), name: name.into(), ..Named::default() });
        let remove = |name: &str| remove_finalizer::step(&object(name), &["a.io/x".to_owned()], "a.io/x");
        let (one, two, again) = (remove("one"), remove("two"), remove("one"));
        assert!(go_together(&[&one, &two], Risk::Leaks));
        assert!(!go_together(&[&one, &two], Risk::LosesData));
        assert!(!go_together(&[&one, &again], Risk::Leaks), "both are about one object");
        assert!(!go_together(&[&nudge_namespace::step(&object("one")), &two], Risk::Harmless));
    }
}
