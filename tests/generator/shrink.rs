//! Reduces a state with a wrong verdict to the smallest form with the same mistake.

use crate::recipe::Recipe;
use crate::run::{Outcome, Place};

/// How many smaller states are tried at most.
const TRIES: usize = 12;

/// The smallest such state, with its result. A smaller state counts if it shows one of the same
/// kinds of mistakes.
pub fn shrink(place: &Place, recipe: Recipe, outcome: Outcome) -> (Recipe, Outcome) {
    let (mut smallest, mut of) = (recipe, outcome);
    let wanted = kinds(&of);
    let limit = std::env::var("UNSTICK_TRIES").map_or(TRIES, |text| text.parse().expect("UNSTICK_TRIES is a number"));
    let mut tries = 0;
    'smaller: loop {
        for less in smallest.smaller() {
            if tries >= limit {
                break 'smaller;
            }
            tries += 1;
            let came = place.run(&less);
            if came.broken.is_none() && kinds(&came).iter().any(|kind| wanted.contains(kind)) {
                (smallest, of) = (less, came);
                continue 'smaller;
            }
        }
        break;
    }
    (smallest, of)
}

/// The kinds of mistakes: the text before the first colon.
fn kinds(outcome: &Outcome) -> Vec<String> {
    outcome.lines().iter().map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
}
