//! A plot of time and memory against the amount of input.

use std::fmt::Write as _;
use std::time::Duration;

/// What one command took at several sizes.
pub struct Series {
    /// What is increased.
    pub of: &'static str,
    /// The command.
    pub what: &'static str,
    pub points: Vec<Point>,
}

/// One size.
pub struct Point {
    pub count: usize,
    pub took: Duration,
    pub kib: u64,
}

impl Series {
    pub fn new(of: &'static str, what: &'static str) -> Self {
        Self { of, what, points: Vec::new() }
    }

    pub fn add(&mut self, count: usize, took: Duration, kib: u64) {
        self.points.push(Point { count, took, kib });
    }

    /// The points as pairs of size and figure.
    fn figures(&self, figure: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
        self.points.iter().map(|point| (size(point.count), figure(point))).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts and KiB are far below 2^52")]
fn size(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "counts and KiB are far below 2^52")]
fn mib(point: &Point) -> f64 {
    point.kib as f64 / 1024.0
}

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 60.0;
/// Safe for the colour-blind. Each line is also labelled.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// Two plots side by side: seconds, and MiB. Both axes are logarithmic, so a line with slope 1 is
/// linear.
pub fn svg(series: &[Series]) -> String {
    let (width, height) = (2.0 * (WIDTH + 2.0 * MARGIN), HEIGHT + 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\" aria-label=\"Time and memory against objects and targets\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let lines = |figure: &dyn Fn(&Point) -> f64| series.iter().map(|one| one.figures(figure)).collect::<Vec<_>>();
    let names: Vec<String> = series.iter().map(|one| format!("{} ({})", one.what, one.of)).collect();
    text.push_str(&panel(MARGIN, "seconds", &lines(&|point| point.took.as_secs_f64()), &names));
    text.push_str(&panel(WIDTH + 3.0 * MARGIN, "MiB", &lines(&mib), &names));
    text.push_str("</svg>\n");
    text
}

fn panel(left: f64, unit: &str, lines: &[Vec<(f64, f64)>], names: &[String]) -> String {
    let all = || lines.iter().flatten();
    let range = |of: &dyn Fn(&(f64, f64)) -> f64| {
        let low = all().map(of).fold(f64::MAX, f64::min).log10().floor();
        (low, all().map(of).fold(0.0, f64::max).log10().ceil().max(low + 1.0))
    };
    let (xs, ys) = (range(&|point| point.0), range(&|point| point.1));
    let x = |value: f64| left + (value.log10() - xs.0) / (xs.1 - xs.0) * WIDTH;
    let y = |value: f64| MARGIN + HEIGHT - (value.log10() - ys.0) / (ys.1 - ys.0) * HEIGHT;
    let mut text = format!("<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{unit}</text>\n", MARGIN - 16.0);
    for power in powers(ys) {
        let place = y(10_f64.powi(power));
        writeln!(
            text,
            "<path d=\"M{left} {place:.1}h{WIDTH}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\">{}</text>",
            left - 6.0,
            place + 4.0,
            10_f64.powi(power)
        )
        .expect("a text takes it");
    }
    for power in powers(xs) {
        let place = x(10_f64.powi(power));
        let low = MARGIN + HEIGHT;
        writeln!(
            text,
            "<path d=\"M{place:.1} {low:.1}v5\" stroke=\"#333\"/><text x=\"{place:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{}</text>",
            low + 18.0,
            10_f64.powi(power)
        )
        .expect("a text takes it");
    }
    for (number, (line, name)) in lines.iter().zip(names).enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let path: Vec<String> = line.iter().map(|point| format!("{:.1} {:.1}", x(point.0), y(point.1))).collect();
        let place = MARGIN + 14.0 * size(number);
        writeln!(
            text,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{place:.1}\" fill=\"{colour}\">{name}</text>",
            path.join("L"),
            left + 8.0
        )
        .expect("a text takes it");
    }
    text
}

#[expect(clippy::cast_possible_truncation, reason = "powers of ten of what was measured")]
fn powers(range: (f64, f64)) -> std::ops::RangeInclusive<i32> {
    range.0 as i32..=range.1 as i32
}
