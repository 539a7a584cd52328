//! Carries out several steps at a time that do not depend on one another. Each is read again,
//! compared and tried out, then all are on record, and only then is any of them written. While
//! they are, those that come next are read and tried out.

use super::apply::{
    Attempt, Outcome, Prepared, carry_on, not_agreed_to, not_on_record, outcome_not_on_record, prepare,
    send_and_verify, sign,
};
use super::at_once::at_once;
use super::http::Api;
use crate::journal::Run;
use crate::plan::Write;

/// Steps that go out several at a time, batch after batch.
pub struct Together<'a> {
    api: &'a Api,
    /// After so many refusals one after the other the rest is left alone.
    refusals: usize,
    /// Whether somebody wants it to end.
    interrupted: &'a (dyn Fn() -> bool + Sync),
    /// What was read again and tried out of the batch that comes next, in its order.
    ahead: Vec<Result<Prepared, Attempt>>,
}

impl<'a> Together<'a> {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(api: &'a Api, refusals: usize, interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { api, refusals, interrupted, ahead: Vec::new() }
    }

    /// Carries out `steps`, of different objects, at the same time, and prepares those that
    /// are `next` if all is good. `None` is what became of one that was left alone, as somebody
    /// interrupted it before any was written, or as there were so many refusals before it.
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
        // Otherwise fewer may come next.
        let next = if ready.len() == steps.len() { next } else { &[] };
        for (place, attempt) in self.write(steps, &ready, next, journal).await {
            ended[place] = Some(attempt);
        }
        let mut outcomes = Vec::with_capacity(steps.len());
        for (step, attempt) in steps.iter().zip(ended) {
            outcomes.push(match attempt {
                None => None,
                Some(Attempt::Settled(outcome)) => Some(outcome),
                // It has changed in the meantime: it is begun anew, on its own.
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

    /// What was prepared while the last batch was written, or is now.
    async fn prepared(&mut self, steps: &[&dyn Write]) -> Vec<Result<Prepared, Attempt>> {
        let ahead = std::mem::take(&mut self.ahead);
        if ahead.len() == steps.len() {
            return ahead;
        }
        at_once(steps.iter().map(|step| prepare(self.api, *step))).await
    }

    /// Puts them on record, all before the first is sent; and what became of them.
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
