//! The picture in the README: a real screen in its colours, as SVG.

use crate::diagnosed;
use crate::scenario::Scenario;
use crate::terminal_svg::{Style, begin, drawn, pieces};
use kubectl_unstick::screen::{Look, screen};
use std::path::Path;

const SHOWN: &str = "scaled-to-zero--operator-at-zero";
const COMMAND: &str = "$ kubectl unstick ns shop";
const COLUMNS: usize = 80;

fn svg(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut svg = begin("kubectl unstick ns shop", COLUMNS, lines.len());
    let mut style = Style::default();
    for (number, line) in lines.iter().enumerate() {
        svg += &drawn(number, &pieces(line, &mut style));
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
