//! How far the reading of a cluster has come.

use crate::commands::out;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::OnceLock;
use std::time::Duration;

/// What is over sooner needs no bar.
const NOT_AT_ONCE: Duration = Duration::from_millis(300);

/// Fewer reads are over at once.
const MANY: usize = 24;

/// A bar on stderr for reads that may take long, and only on a terminal.
pub(super) struct Progress {
    bar: OnceLock<ProgressBar>,
    drawn: bool,
}

impl Progress {
    /// Nothing is drawn yet, and nothing at all unless it is to be `drawn`.
    pub(super) fn new(drawn: bool) -> Self {
        Self { bar: OnceLock::new(), drawn: drawn && out::can_draw() }
    }

    /// So many `more` reads are to come.
    pub(super) fn expect(&self, more: usize) {
        if more > MANY && self.drawn {
            let bar = self.bar.get_or_init(bar);
            bar.set_length(bar.length().unwrap_or_default() + more as u64);
        }
    }

    /// One of them is done.
    pub(super) fn tick(&self) {
        let Some(bar) = self.bar.get() else { return };
        bar.inc(1);
        if bar.is_hidden() && bar.elapsed() > NOT_AT_ONCE {
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
