//! Carries out the steps that were agreed to, and keeps what became of them.

use super::consent::Consent;
use super::ledger::{Ledger, Opened};
use super::stop::Stop;
use crate::cli::Options;
use crate::cluster::apply::{Outcome, carry_out};
use crate::commands::source::Live;
use crate::commands::{interrupt, out};
use crate::journal::Run;
use crate::plan::quote;
use crate::render::{clean, palette};
use crate::report::{Step, StepKind};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Of a class of more objects each one's end is not told, but counted.
const TOLD: usize = 20;
/// A class is given up after so many refusals one after the other.
const REFUSALS: usize = 5;

/// A plan being carried out.
pub(super) struct Plan<'a> {
    pub(super) live: &'a Live,
    pub(super) options: &'a Options,
    pub(super) consent: Consent,
    pub(super) journal: Option<Run>,
    pub(super) ledger: Ledger,
}

impl Plan<'_> {
    /// Carries out the steps of one class; whether any was good.
    pub(super) async fn carry_out_all(&mut self, steps: &[&Step]) -> Result<bool, Stop> {
        let counted = steps.len() > TOLD && self.consent != Consent::Probe;
        let bar = (counted && out::can_draw()).then(|| bar(steps.len()));
        let (mut good, mut refused_in_a_row) = (0, 0);
        for (place, step) in steps.iter().enumerate() {
            let is_good = self.carry_out(step, counted).await?;
            self.ledger.seen.insert(step.identity(), is_good);
            good += usize::from(is_good);
            refused_in_a_row = if is_good { 0 } else { refused_in_a_row + 1 };
            if let Some(bar) = &bar {
                bar.inc(1);
            }
            if refused_in_a_row == REFUSALS && place + 1 < steps.len() {
                out::talk(&format!(
                    "{} more of these were not tried after {REFUSALS} refusals",
                    steps.len() - place - 1
                ));
                break;
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        if counted {
            self.tell(good == steps.len(), &format!("done: {good} of {}: {}", steps.len(), steps[0].title_of_class()));
        }
        Ok(good > 0)
    }

    /// Carries out a step, says what became of it, and whether it is good. Ctrl-C
    /// waits for a write that has begun.
    async fn carry_out(&mut self, step: &Step, counted: bool) -> Result<bool, Stop> {
        if interrupt::is_pressed() {
            return Err(Stop::Interrupted);
        }
        if self.consent == Consent::Probe {
            out::talk(&format!("\n{}\n  $ {}", step.title(), step.command));
        }
        let outcome = carry_out(&self.live.connected.api, step, self.journal.as_mut(), &interrupt::is_pressed).await;
        if let Some(namespace) = step.needs_missing_namespace().filter(|namespace| outcome.is_for_want_of(namespace)) {
            if self.live.no_delete_in(namespace) {
                out::talk(&format!("not possible yet: {}: {}; planned anew", step.title(), outcome.text()));
                self.ledger.acted |= self.consent != Consent::Probe;
                self.ledger.fresh |= self.consent != Consent::Probe;
                return Ok(false);
            }
            out::talk(&format!(
                "a webhook or policy selects by namespace, so not even a DELETE passes; the way out: \
                 kubectl unstick orphans -n {}",
                quote(namespace)
            ));
        }
        let good = outcome.is_good();
        if !(counted && good) {
            self.say(step, &outcome);
        }
        self.enter(step, &outcome);
        if interrupt::is_pressed() { Err(Stop::Interrupted) } else { Ok(good) }
    }

    fn say(&self, step: &Step, outcome: &Outcome) {
        let word = match outcome {
            Outcome::Done(_) => "done",
            Outcome::AlreadySo(_) => "nothing to do",
            Outcome::WouldDo(_) => "dry run",
            Outcome::Refused(_) => "not done",
            Outcome::Unconfirmed(_) => "not confirmed",
        };
        let about = if outcome.is_good() { String::new() } else { format!("{}: ", step.title()) };
        self.tell(outcome.is_good(), &format!("{word}: {about}{}", outcome.text()));
    }

    /// Says that something is good, or is not.
    pub(super) fn tell(&self, good: bool, text: &str) {
        let mark = palette::verdict(if good { "✓" } else { "✗" }, good, out::talk_colour(self.options));
        out::painted(&format!("{mark} {}", out::wrapped(&clean(text))));
    }

    /// Keeps what became of a step.
    fn enter(&mut self, step: &Step, outcome: &Outcome) {
        let ledger = &mut self.ledger;
        if !matches!(outcome, Outcome::Refused(_) | Outcome::WouldDo(_)) {
            (ledger.acted, ledger.fresh) = (true, true);
            if step.kind == StepKind::ScaleWorkload {
                ledger.started.push(step.object.clone());
            }
            self.live.has_written();
        }
        if matches!(outcome, Outcome::Done(_)) {
            ledger.done.push(step.clone());
        }
        if step.opens_admission() && matches!(outcome, Outcome::Done(_) | Outcome::WouldDo(_)) {
            ledger.admission = Opened::Now;
        }
        ledger.bad |= !outcome.is_good();
    }
}

fn bar(steps: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("  {pos} of {len} {wide_bar}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
