//! The picture in the README: a real screen in its colours, as SVG.

use crate::diagnosed;
use crate::scenario::Scenario;
use console::measure_text_width;
use kubectl_unstick::render::{Look, screen};
use std::fmt::Write;
use std::path::Path;

const SHOWN: &str = "held-by-finalizer--operator-at-zero";
const COMMAND: &str = "$ kubectl unstick ns shop";
const COLUMNS: usize = 80;
/// The width of a character, in tenths of a pixel.
const WIDTH: usize = 84;
const HEIGHT: usize = 19;
const MARGIN: usize = 16;

/// How a piece of a line looks.
#[derive(Clone, Copy, Default)]
struct Style {
    is_bold: bool,
    colour: Option<&'static str>,
}

impl Style {
    /// The style after an SGR code.
    fn then(self, code: &str) -> Self {
        let coloured = |colour| Self { colour: Some(colour), ..self };
        match code {
            "0" => Self::default(),
            "1" => Self { is_bold: true, ..self },
            "31" => coloured("#ff7b72"),
            "32" => coloured("#7ee787"),
            "33" => coloured("#e3b341"),
            "36" => coloured("#76d9e6"),
            "39" => Self { colour: None, ..self },
            other => panic!("the picture does not know the code {other}"),
        }
    }
}

/// The pieces of a line that look alike.
fn pieces(line: &str) -> Vec<(Style, &str)> {
    let (mut style, mut pieces) = (Style::default(), Vec::new());
    for (place, part) in line.split('\u{1b}').enumerate() {
        let text = if place == 0 {
            part
        } else {
            let (codes, text) = part.strip_prefix('[').and_then(|it| it.split_once('m')).expect("a colour");
            style = codes.split(';').fold(style, Style::then);
            text
        };
        if !text.is_empty() {
            pieces.push((style, text));
        }
    }
    pieces
}

fn pixels(tenths: usize) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn svg(text: &str) -> String {
    // Blanks of their own: others are joined.
    let escaped =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(' ', "\u{a0}");
    let lines: Vec<&str> = text.lines().collect();
    let (width, height) = (pixels(COLUMNS * WIDTH + 20 * MARGIN), (lines.len() + 1) * HEIGHT + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\" font-size=\"14\">\n\
         <title>kubectl unstick ns shop</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g fill=\"#e6edf3\">\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let (mut column, y) = (0, MARGIN + (number + 1) * HEIGHT);
        for (style, piece) in pieces(line) {
            let x = pixels(10 * MARGIN + column * WIDTH);
            column += measure_text_width(piece);
            let bold = if style.is_bold { " font-weight=\"bold\"" } else { "" };
            let fill = style.colour.map(|colour| format!(" fill=\"{colour}\"")).unwrap_or_default();
            let length = pixels(measure_text_width(piece) * WIDTH);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\"{bold}{fill}>{}</text>",
                escaped(piece)
            );
        }
    }
    svg + "</g>\n</svg>\n"
}

#[test]
fn the_readme_has_a_picture_of_a_real_screen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let look = Look { width: COLUMNS, colour: true, all: false };
    let text = format!("{COMMAND}\n{}", screen(&diagnosed(&Scenario::named(SHOWN)), look));
    let (path, made) = (root.join("docs/screen.svg"), svg(&text));
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::write(&path, &made).expect("docs can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, made, "UNSTICK_RECORD=1 cargo test --test recorded draws it anew");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a README");
    assert!(readme.contains("](docs/screen.svg)"), "the README does not show it");
}
