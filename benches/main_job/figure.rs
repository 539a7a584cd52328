//! A measurement and its bound.

use std::fmt::Write as _;
use std::time::Duration;

/// One line of the table.
pub struct Figure {
    what: String,
    measured: String,
    bound: String,
    met: bool,
}

impl Figure {
    /// Whether the bound is met.
    pub fn is_met(&self) -> bool {
        self.met
    }

    /// How many times as long `long` takes as `short`; at most `bound`.
    pub fn at_most_times(what: &str, long: Duration, short: Duration, bound: f64) -> Self {
        let times = long.as_secs_f64() / short.as_secs_f64();
        let measured = format!("{times:.2} times ({} of {})", seconds(long), seconds(short));
        Self::new(what, measured, format!("at most {bound} times"), times <= bound)
    }

    /// How many times as long `long` takes as `short`; at least `bound`.
    pub fn at_least_times(what: &str, long: Duration, short: Duration, bound: f64) -> Self {
        let times = long.as_secs_f64() / short.as_secs_f64();
        let measured = format!("{times:.0} times ({} of {})", seconds(long), seconds(short));
        Self::new(what, measured, format!("at least {bound} times"), times >= bound)
    }

    /// A time whose bound follows from others of the same run.
    pub fn within(what: &str, took: Duration, bound: Duration, of: &str) -> Self {
        Self::new(what, seconds(took), format!("at most {} ({of})", seconds(bound)), took <= bound)
    }

    /// Peak memory in KiB, with a bound in MiB.
    pub fn memory(what: &str, kib: u64, bound: u64) -> Self {
        let met = kib > 0 && kib <= bound * 1024;
        Self::new(what, format!("{} MiB", kib.div_ceil(1024)), format!("at most {bound} MiB"), met)
    }

    /// A count with the bound `bound`.
    pub fn count(what: &str, count: usize, bound: usize) -> Self {
        Self::new(what, count.to_string(), format!("at most {bound}"), count > 0 && count <= bound)
    }

    /// How a time grows with its input: 1 is linear.
    pub fn exponent(what: &str, points: &[(usize, Duration)], bound: f64) -> Self {
        let exponent = exponent(points);
        Self::new(what, format!("{exponent:.2}"), format!("at most {bound}"), exponent <= bound)
    }

    fn new(what: &str, measured: String, bound: String, met: bool) -> Self {
        Self { what: what.into(), measured, bound, met }
    }
}

/// The slope of the line through the logarithms.
#[expect(clippy::cast_precision_loss, reason = "counts of some ten thousands")]
fn exponent(points: &[(usize, Duration)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(n, took)| ((*n as f64).ln(), took.as_secs_f64().ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = (logs.iter().map(|log| log.0).sum::<f64>() / count, logs.iter().map(|log| log.1).sum::<f64>() / count);
    let rise: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    rise / logs.iter().map(|log| (log.0 - x).powi(2)).sum::<f64>()
}

/// A time for people.
pub fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        long if long >= 10.0 => format!("{long:.1} s"),
        middle if middle >= 0.1 => format!("{middle:.2} s"),
        short => format!("{:.1} ms", 1000.0 * short),
    }
}

/// All figures, as Markdown.
pub fn table(figures: &[Figure]) -> String {
    let mut text = String::from("| figure | measured | bound | |\n|---|---|---|---|\n");
    for Figure { what, measured, bound, met } in figures {
        let mark = if *met { "met" } else { "MISSED" };
        writeln!(text, "| {what} | {measured} | {bound} | {mark} |").expect("a text takes it");
    }
    text
}
