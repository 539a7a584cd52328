//! The rate at which objects disappear, and the estimated end.

use crate::screen::Pace;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// The period over which the rate is measured.
const WINDOW: Duration = Duration::from_secs(30);
/// A shorter period is not enough to compute a rate.
const MIN_PERIOD: Duration = Duration::from_secs(3);
/// A rate is computed only if at least this many objects disappeared.
const MIN_GONE: usize = 3;
/// No rate is shown if none has disappeared for this long.
const STALLED: Duration = Duration::from_secs(5);

/// The number of remaining objects over time.
#[derive(Debug, Default)]
pub(super) struct History(VecDeque<(Instant, usize)>);

impl History {
    /// Notes how many objects are left.
    pub(super) fn note(&mut self, now: Instant, left: usize) {
        self.0.push_back((now, left));
        while self.0.front().is_some_and(|(then, _)| now.duration_since(*then) > WINDOW) {
            self.0.pop_front();
        }
    }

    /// The rate, if objects are disappearing. It includes an estimate only if enough of them
    /// disappear and nothing is known to block any.
    pub(super) fn pace(&self, is_stuck: bool) -> Option<Pace> {
        let (&(start, most), &(end, left)) = (self.0.front()?, self.0.back()?);
        let samples = self.0.iter().zip(self.0.iter().skip(1));
        let fell_at = samples.filter(|(before, after)| after.1 < before.1).map(|(_, after)| after.0).next_back()?;
        let took = end.duration_since(start);
        let went = most.saturating_sub(left);
        if took < MIN_PERIOD || end.duration_since(fell_at) > STALLED || went < MIN_GONE || left == 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of objects are small")]
        let (rate, left) = (went as f64 / took.as_secs_f64(), left as f64);
        let rest = (!is_stuck).then(|| Duration::try_from_secs_f64(left / rate).ok()).flatten();
        Some(Pace { rate, rest })
    }
}
