//! The progress of a class of many steps: a bar on a terminal, otherwise a line now and then.

use crate::commands::out;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::time::Duration;
use tokio::time::Instant;

/// How often progress is printed if it cannot be drawn.
const PRINT_EVERY: Duration = Duration::from_secs(10);
/// A shorter time is not enough to compute a rate.
const MIN_PERIOD: Duration = Duration::from_secs(1);

/// How many steps are done. Dropping this clears the bar.
pub(super) struct ClassProgress {
    all: usize,
    begun: Instant,
    said: Instant,
    bar: Option<ProgressBar>,
}

impl ClassProgress {
    /// Starts with none of `all` steps done.
    pub(super) fn new(all: usize) -> Self {
        let (begun, bar) = (Instant::now(), out::can_draw().then(|| bar(all)));
        Self { all, begun, said: begun, bar }
    }

    /// Shows that `done` steps are done.
    pub(super) fn show(&mut self, done: usize) {
        let words = in_words(done, self.all, self.begun.elapsed());
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            bar.set_message(words);
        } else if self.said.elapsed() >= PRINT_EVERY && done < self.all {
            self.said = Instant::now();
            out::talk(words);
        }
    }

    /// Prints something else without disturbing the bar.
    pub(super) fn aside(&self, say: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }
}

/// `1200 of 5000, 240 a second, about 16 s left`
fn in_words(done: usize, all: usize, took: Duration) -> String {
    if took < MIN_PERIOD || done == 0 {
        return format!("{done} of {all}");
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of steps are small")]
    let (rate, left) = (done as f64 / took.as_secs_f64(), all.saturating_sub(done) as f64);
    let rest = Duration::try_from_secs_f64((left / rate).ceil()).unwrap_or_default().as_secs();
    let rest = if rest < 120 { format!("{rest} s") } else { format!("{} min", rest.div_ceil(60)) };
    let rate = if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") };
    format!("{done} of {all}, {rate} a second, about {rest} left")
}

fn bar(steps: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("  {wide_bar} {msg}");
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.with_finish(ProgressFinish::AndClear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_shown_only_if_it_is_known() {
        let after = |done, seconds| in_words(done, 5000, Duration::from_millis(seconds));
        assert_eq!(after(16, 100), "16 of 5000");
        assert_eq!(after(0, 5000), "0 of 5000");
        assert_eq!(after(1200, 5000), "1200 of 5000, 240 a second, about 16 s left");
        assert_eq!(after(10, 10_000), "10 of 5000, 1.0 a second, about 84 min left");
    }
}
