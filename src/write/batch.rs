//! Carries out several independent steps at the same time. Each is read again, compared and tried
//! in a dry run; then all are recorded in the journal; only then is the first one written.
//! Meanwhile the next batch is read and tried.

use crate::journal::Run;
use crate::plan::Write;
use crate::transport::at_once::at_once;
use crate::transport::http::Api;
use crate::write::apply::{
    Attempt, Outcome, Prepared, carry_on, not_agreed_to, not_on_record, outcome_not_on_record, prepare,
    send_and_verify, sign,
};

/// Steps that are carried out in batches, one batch after the other.
pub struct Batches<'a> {
    api: &'a Api,
    /// After this many consecutive refusals, the rest is not tried.
    refusals: usize,
    /// Whether the user wants to stop.
    interrupted: &'a (dyn Fn() -> bool + Sync),
    /// The next batch, already read again and tried in dry runs, in its order.
    ahead: Vec<Result<Prepared, Attempt>>,
}

impl<'a> Batches<'a> {
    /// Starts with nothing prepared.
    #[must_use]
    pub fn new(api: &'a Api, refusals: usize, interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { api, refusals, interrupted, ahead: Vec::new() }
    }

    /// Carries out `steps`, which concern different objects, at the same time. If all succeed, it
    /// also prepares the steps in `next`. The outcome of a step is `None` if it was not tried:
    /// because the user interrupted before the first write, or because too many steps before it
    /// were refused.
    pub async fn carry_out(
        &mut self,
        steps: &[&dyn Write],
        next: &[&dyn Write],
        journal: &mut Run,
    ) -> Vec<Option<Outcome>> {
        if let Some(refused) = steps.iter().find_map(|step| not_agreed_to(*step, journal)) {
            return steps.iter().map(|_| Some(refused.clone())).collect();
        }
        let prepared = self.prepared(steps).await;
        let mut ended: Vec<Option<Attempt>> = Vec::with_capacity(steps.len());
        let mut ready: Vec<(usize, Prepared)> = Vec::with_capacity(steps.len());
        let mut in_a_row = 0;
        for (place, prepared) in prepared.into_iter().enumerate().take_while(|_| !(self.interrupted)()) {
            let attempt = prepared.map(|prepared| ready.push((place, prepared))).err();
            let is_bad = matches!(&attempt, Some(Attempt::Settled(outcome)) if !outcome.is_good());
            in_a_row = if is_bad { in_a_row + 1 } else { 0 };
            ended.push(attempt);
            if in_a_row == self.refusals {
                break;
            }
        }
        if (self.interrupted)() {
            return steps.iter().map(|_| None).collect();
        }
        // After a failure, the next batch may be smaller.
        let next = if ready.len() == steps.len() { next } else { &[] };
        for (place, attempt) in self.write(steps, &ready, next, journal).await {
            ended[place] = Some(attempt);
        }
        let mut outcomes = Vec::with_capacity(steps.len());
        for (step, attempt) in steps.iter().zip(ended) {
            outcomes.push(match attempt {
                None => None,
                Some(Attempt::Settled(outcome)) => Some(outcome),
                // The object has changed in the meantime: start again, for this object alone.
                Some(Attempt::Conflict(message)) => {
                    self.ahead.clear();
                    Some(carry_on(self.api, *step, Some(&mut *journal), self.interrupted, 1, message).await)
                }
            });
        }
        outcomes.resize(steps.len(), None);
        if !outcomes.iter().flatten().all(Outcome::is_good) {
            self.ahead.clear();
        }
        outcomes
    }

    /// The steps that were prepared while the last batch was written; prepares them now if they
    /// were not.
    async fn prepared(&mut self, steps: &[&dyn Write]) -> Vec<Result<Prepared, Attempt>> {
        let ahead = std::mem::take(&mut self.ahead);
        if ahead.len() == steps.len() {
            return ahead;
        }
        at_once(steps.iter().map(|step| prepare(self.api, *step))).await
    }

    /// Records all steps in the journal, then sends them. Returns the outcome of each.
    async fn write(
        &mut self,
        steps: &[&dyn Write],
        ready: &[(usize, Prepared)],
        next: &[&dyn Write],
        journal: &mut Run,
    ) -> Vec<(usize, Attempt)> {
        if ready.is_empty() {
            return Vec::new();
        }
        let api = self.api;
        sign(api, journal).await;
        let intended = ready.iter().map(|(place, prepared)| (steps[*place], &prepared.request, &prepared.before));
        let records = match journal.intend_all(intended) {
            Ok(records) => records,
            Err(error) => {
                let refused = |(place, _): &(usize, Prepared)| (*place, Attempt::Settled(not_on_record(&error)));
                return ready.iter().map(refused).collect();
            }
        };
        let sent = ready.iter().map(|(place, prepared)| send_and_verify(api, steps[*place], &prepared.request));
        let ahead = next.iter().map(|step| prepare(api, *step));
        let (attempts, ahead) = tokio::join!(at_once(sent), at_once(ahead));
        self.ahead = ahead;
        let outcomes = records.into_iter().zip(&attempts).map(|(record, attempt)| {
            let (word, text) = attempt.on_record();
            (record, word, text)
        });
        let kept = journal.outcomes(outcomes);
        let places = ready.iter().map(|(place, _)| *place);
        let attempts = attempts.into_iter().map(|attempt| match &kept {
            Ok(()) => attempt,
            Err(error) => outcome_not_on_record(attempt.on_record().1, error),
        });
        places.zip(attempts).collect()
    }
}
