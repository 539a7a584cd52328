//! The moving pictures of the documentation, drawn from recordings of a terminal
//! (`tests/pictures/record`).

use crate::terminal_svg::{Style, begin, drawn, pieces};
use std::fmt::Write;
use std::path::Path;

/// The name of a picture, its columns, the page that shows it, and words of its last screen:
/// without them, the recording is useless.
const PICTURES: [(&str, usize, &str, &str); MANY] =
    [("repair", 80, "README.md", "namespaces \"shop\" not found"), ("k9s", 122, "docs/k9s.md", "is scaled to 0")];
const MANY: usize = 2;

/// The minimum and maximum time of a screen in milliseconds, and that of the last one.
const SHOWN: (usize, usize) = (60, 2_500);
const LAST: usize = 6_000;

/// A screen that was shown, and its time.
struct Frame<'t> {
    at: usize,
    lines: Vec<&'t str>,
}

fn frames(recording: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for line in recording.lines() {
        if let Some(at) = line.strip_prefix("@ ") {
            frames.push(Frame { at: at.parse().expect("milliseconds"), lines: Vec::new() });
        } else {
            frames.last_mut().expect("a recording begins with a time").lines.push(line);
        }
    }
    frames
}

/// A line of the screen, and the period in which it looks the same.
struct Line {
    number: usize,
    svg: String,
    from: usize,
    to: usize,
}

/// Each line with its period, and the total length.
fn lines(frames: &[Frame<'_>]) -> (Vec<Line>, usize) {
    let (mut done, mut open, mut now): (Vec<Line>, Vec<Line>, usize) = (Vec::new(), Vec::new(), 0);
    for (place, frame) in frames.iter().enumerate() {
        let mut style = Style::default();
        let mut next = Vec::new();
        for (number, line) in frame.lines.iter().enumerate() {
            let svg = drawn(number, &pieces(line, &mut style));
            match open.iter().position(|line| line.number == number && line.svg == svg) {
                Some(known) => next.push(open.swap_remove(known)),
                None if svg.is_empty() => {}
                None => next.push(Line { number, svg, from: now, to: 0 }),
            }
        }
        done.extend(open.drain(..).map(|line| Line { to: now, ..line }));
        open = next;
        let shown = frames.get(place + 1).map_or(LAST, |next| (next.at - frame.at).clamp(SHOWN.0, SHOWN.1));
        now += shown;
    }
    done.extend(open.into_iter().map(|line| Line { to: now, ..line }));
    done.sort_by_key(|line| (line.from, line.number));
    (done, now)
}

/// A picture that starts over and over. Without animation, it shows its last screen.
fn svg(name: &str, columns: usize, recording: &str) -> String {
    let frames = frames(recording);
    let height = frames.iter().map(|frame| frame.lines.len()).max().unwrap_or_default();
    let (lines, length) = lines(&frames);
    let mut svg = begin(&format!("kubectl unstick: {name}"), columns, height);
    let share = |at: usize| {
        format!(
            "{:.4}",
            f64::from(u32::try_from(at).expect("minutes")) / f64::from(u32::try_from(length).expect("minutes"))
        )
    };
    for line in lines {
        let (values, times) = match (line.from, line.to == length) {
            (0, true) => (String::new(), String::new()),
            (0, false) => ("visible;hidden".into(), format!("0;{}", share(line.to))),
            (from, true) => ("hidden;visible".into(), format!("0;{}", share(from))),
            (from, false) => ("hidden;visible;hidden".into(), format!("0;{};{}", share(from), share(line.to))),
        };
        let resting = if line.to == length { "" } else { " visibility=\"hidden\"" };
        let _ = write!(svg, "<g{resting}>\n{}", line.svg);
        if !values.is_empty() {
            let _ = writeln!(
                svg,
                "<animate attributeName=\"visibility\" values=\"{values}\" keyTimes=\"{times}\" \
                 calcMode=\"discrete\" dur=\"{length}ms\" repeatCount=\"indefinite\"/>"
            );
        }
        svg += "</g>\n";
    }
    svg + "</g>\n</svg>\n"
}

#[test]
fn moving_pictures_are_drawn_from_what_a_terminal_has_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, columns, page, last) in PICTURES {
        let recording = std::fs::read_to_string(root.join(format!("tests/pictures/{name}.txt"))).expect("a recording");
        let end = frames(&recording).pop().expect("screens").lines.join("\n");
        assert!(end.contains(last), "{name} does not end with {last:?}: {end}");
        let (path, made) = (root.join(format!("docs/{name}.svg")), svg(name, columns, &recording));
        if std::env::var_os("UNSTICK_RECORD").is_some() {
            std::fs::write(&path, &made).expect("docs can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(kept, made, "UNSTICK_RECORD=1 cargo test --test recorded moving draws it anew");
        let text = std::fs::read_to_string(root.join(page)).expect("a page");
        assert!(text.contains(&format!("{name}.svg)")), "{page} does not show it");
    }
}

#[test]
fn a_line_is_drawn_once_for_as_long_as_it_stays() {
    let (lines, length) = lines(&frames("@ 0\n$ a\nsame\n@ 1000\n$ ab\nsame\n@ 9000\nend\n"));
    let spans: Vec<_> = lines.iter().map(|line| (line.number, line.from, line.to)).collect();
    assert_eq!(spans, [(0, 0, 1000), (1, 0, 3500), (0, 1000, 3500), (0, 3500, 9500)]);
    assert_eq!(length, 9500);
}
