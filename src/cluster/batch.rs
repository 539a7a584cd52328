//! Carries out several steps at a time that do not depend on one another. Each is read again,
//! compared and tried out, then all are on record, and only then is any of them written.

use super::apply::{
    Attempt, Outcome, Prepared, carry_on, not_on_record, outcome_not_on_record, prepare, send_and_verify, sign,
};
use super::at_once::at_once;
use super::http::Api;
use crate::journal::Run;
use crate::plan::Write;

/// Carries out `steps`, of different objects, at the same time. `None` is what became of one
/// that was left alone, as somebody `interrupted` it before any was written, or as there were
/// so many `refusals` one after the other before it.
pub async fn carry_out_together(
    api: &Api,
    steps: &[&dyn Write],
    journal: &mut Run,
    refusals: usize,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Vec<Option<Outcome>> {
    let prepared = at_once(steps.iter().map(|step| prepare(api, *step))).await;
    let mut ended: Vec<Option<Attempt>> = Vec::with_capacity(steps.len());
    let mut ready: Vec<(usize, Prepared)> = Vec::with_capacity(steps.len());
    let mut in_a_row = 0;
    for (place, prepared) in prepared.into_iter().enumerate().take_while(|_| !interrupted()) {
        let attempt = prepared.map(|prepared| ready.push((place, prepared))).err();
        let is_bad = matches!(&attempt, Some(Attempt::Settled(outcome)) if !outcome.is_good());
        in_a_row = if is_bad { in_a_row + 1 } else { 0 };
        ended.push(attempt);
        if in_a_row == refusals {
            break;
        }
    }
    if interrupted() {
        return steps.iter().map(|_| None).collect();
    }
    for (place, attempt) in write(api, steps, &ready, journal).await {
        ended[place] = Some(attempt);
    }
    let mut outcomes = Vec::with_capacity(steps.len());
    for (step, attempt) in steps.iter().zip(ended) {
        outcomes.push(match attempt {
            None => None,
            Some(Attempt::Settled(outcome)) => Some(outcome),
            // It has changed in the meantime: it is begun anew, on its own.
            Some(Attempt::Conflict(message)) => {
                Some(carry_on(api, *step, Some(&mut *journal), interrupted, 1, message).await)
            }
        });
    }
    outcomes.resize(steps.len(), None);
    outcomes
}

/// Puts them on record, all before the first is sent; and what became of them.
async fn write(
    api: &Api,
    steps: &[&dyn Write],
    ready: &[(usize, Prepared)],
    journal: &mut Run,
) -> Vec<(usize, Attempt)> {
    if ready.is_empty() {
        return Vec::new();
    }
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
    let attempts = at_once(sent).await;
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
