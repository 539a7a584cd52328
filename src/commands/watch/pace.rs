//! How fast objects go, and when the last of them would be gone.

use crate::render::Pace;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// How fast objects go is judged by this time.
const WINDOW: Duration = Duration::from_secs(30);
/// A shorter time tells no rate.
const SHORTEST: Duration = Duration::from_secs(3);
/// Fewer that went tell no rate either, nor does it where none went for a while.
const FEWEST: usize = 3;
const STALLED: Duration = Duration::from_secs(5);

/// How much was left, and when.
#[derive(Debug, Default)]
pub(super) struct History(VecDeque<(Instant, usize)>);

impl History {
    /// Notes how much is left.
    pub(super) fn note(&mut self, now: Instant, left: usize) {
        self.0.push_back((now, left));
        while self.0.front().is_some_and(|(then, _)| now.duration_since(*then) > WINDOW) {
            self.0.pop_front();
        }
    }

    /// Only where objects go just now; and an estimate only where enough of them do, and
    /// nothing is known to be in the way of any.
    pub(super) fn pace(&self, is_stuck: bool) -> Option<Pace> {
        let (&(start, most), &(end, left)) = (self.0.front()?, self.0.back()?);
        let samples = self.0.iter().zip(self.0.iter().skip(1));
        let fell_at = samples.filter(|(before, after)| after.1 < before.1).map(|(_, after)| after.0).next_back()?;
        let took = end.duration_since(start);
        let went = most.saturating_sub(left);
        if took < SHORTEST || end.duration_since(fell_at) > STALLED || went < FEWEST || left == 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of objects are small")]
        let (rate, left) = (went as f64 / took.as_secs_f64(), left as f64);
        let rest = (!is_stuck).then(|| Duration::try_from_secs_f64(left / rate).ok()).flatten();
        Some(Pace { rate, rest })
    }
}
