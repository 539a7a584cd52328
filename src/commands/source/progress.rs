//! The progress of reading a cluster.

use crate::commands::out;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::OnceLock;
use std::time::Duration;

/// No bar is drawn before this time.
const DRAW_AFTER: Duration = Duration::from_millis(300);

/// No bar is drawn for fewer reads, which are over soon.
const MIN_READS: usize = 24;

/// A progress bar on stderr, only if that is a terminal.
pub(super) struct Progress {
    bar: OnceLock<ProgressBar>,
    drawn: bool,
}

impl Progress {
    /// Draws nothing yet, and nothing at all unless `drawn`.
    pub(super) fn new(drawn: bool) -> Self {
        Self { bar: OnceLock::new(), drawn: drawn && out::can_draw() }
    }

    /// Expects this many more reads.
    pub(super) fn expect(&self, more: usize) {
        if more > MIN_READS && self.drawn {
            let bar = self.bar.get_or_init(bar);
            bar.set_length(bar.length().unwrap_or_default() + more as u64);
        }
    }

    /// One read is done.
    pub(super) fn tick(&self) {
        let Some(bar) = self.bar.get() else { return };
        bar.inc(1);
        if bar.is_hidden() && bar.elapsed() > DRAW_AFTER {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("reading {pos}/{len} lists {wide_bar}");
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
