//! The progress of reading a cluster.

use crate::commands::out;
use crate::screen::clean;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::JoinHandle;

/// Whether another part of the program draws on the screen, or nothing may be drawn there.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// From now on, this program draws no progress of reading.
pub fn hide_progress() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// Nothing is drawn before this time: most answers arrive sooner. After a second without a sign,
/// people wonder whether the program works.
const DRAW_AFTER: Duration = Duration::from_millis(700);
/// The interval at which the bar and the elapsed time are drawn while no list arrives.
const REDRAW_EVERY: Duration = Duration::from_secs(1);

/// A progress bar on stderr, only if that is a terminal.
pub(super) struct Progress {
    bar: Option<(ProgressBar, JoinHandle<()>)>,
}

impl Progress {
    /// Draws nothing yet. Until the server has answered, the bar names the server that is waited
    /// for: a line that is drawn once, since a login may ask for something below.
    pub(super) fn new(server: &str) -> Self {
        if HIDDEN.load(Ordering::Relaxed) || !out::can_draw() {
            return Self { bar: None };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let bar = bar.with_style(style("waiting for an answer of {msg}", ProgressStyle::default_spinner()));
        bar.set_message(clean(server));
        let later = bar.clone();
        let drawing = tokio::spawn(async move {
            tokio::time::sleep(DRAW_AFTER).await;
            later.set_draw_target(ProgressDrawTarget::stderr());
            later.tick();
            loop {
                tokio::time::sleep(REDRAW_EVERY).await;
                if later.length().is_some() {
                    later.tick();
                }
            }
        });
        Self { bar: Some((bar, drawing)) }
    }

    /// Expects this many more reads.
    pub(super) fn expect(&self, more: usize) {
        let Some((bar, _)) = &self.bar else { return };
        if bar.length().is_none() {
            bar.set_style(style("reading {pos}/{len} lists, {elapsed} {wide_bar}", ProgressStyle::default_bar()));
        }
        bar.set_length(bar.length().unwrap_or_default() + more as u64);
    }

    /// Notes that one read is done. If several lists replace one, each of them counts.
    pub(super) fn tick(&self) {
        let Some((bar, _)) = &self.bar else { return };
        let done = bar.position() + 1;
        if bar.length().is_some_and(|length| done > length) {
            bar.set_length(done);
        }
        bar.set_position(done);
    }
}

fn style(template: &str, otherwise: ProgressStyle) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or(otherwise)
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((bar, drawing)) = &self.bar {
            drawing.abort();
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_progress_bar_never_exceeds_its_length() {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let progress = Progress { bar: Some((bar.clone(), tokio::spawn(async {}))) };
        for round in [42, 3] {
            progress.expect(round);
            // Some lists are replaced by several.
            for _ in 0..round + 13 {
                progress.tick();
                assert!(bar.position() <= bar.length().unwrap_or_default(), "{} reads", bar.position());
            }
        }
    }
}
