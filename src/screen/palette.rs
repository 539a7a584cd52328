//! Colours. They never carry meaning alone, and are added after cleaning, so that the only escape
//! sequences on a screen are the program's own.
//!
//! An element is marked where it is made, by a zero-width character that `inert` removes from all
//! foreign text, so any layout can follow. [`paint`] turns the marks into colours or removes them.

use crate::report::Risk;
use owo_colors::{OwoColorize, XtermColors};

/// The marks before an element, one for each style.
const HEADING: char = '\u{2060}';
const LABEL: char = '\u{2061}';
const MILD: char = '\u{2062}';
const NOTABLE: char = '\u{2063}';
const HARSH: char = '\u{2064}';
/// The mark behind an element.
const END: char = '\u{206f}';

/// Colours with a contrast of at least 4 to 1 on black and on white. In every kind of colour blindness
/// they differ in lightness, or the word itself says the same.
const TEAL: u8 = 31;
const GREEN: u8 = 28;
const ORANGE: u8 = 130;
const RED: u8 = 161;

/// A heading.
pub(crate) fn heading(text: &str) -> String {
    format!("{HEADING}{text}{END}")
}

/// The headings of a table.
pub(crate) fn headings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| heading(text)).collect()
}

/// Lines that should be seen first.
pub(crate) fn bold(lines: &str) -> String {
    let line = |line: &str| {
        let text = line.trim_start();
        format!("{}{}\n", &line[..line.len() - text.len()], heading(text))
    };
    lines.lines().map(line).collect()
}

/// The label at the beginning of a line.
pub(crate) fn label(text: &str) -> String {
    format!("{LABEL}{text}{END}")
}

/// A text that begins with a risk.
pub(crate) fn risk(risk: Risk, text: &str) -> String {
    let mark = match risk {
        Risk::Manual | Risk::Harmless => MILD,
        Risk::Disruptive => NOTABLE,
        Risk::Leaks | Risk::LosesData => HARSH,
    };
    match text.strip_prefix(risk.word()) {
        Some(rest) => format!("{mark}{}{END}{rest}", risk.word()),
        None => text.to_owned(),
    }
}

/// Whether this character is the mark of an element.
pub(crate) fn is_style(c: char) -> bool {
    matches!(c, HEADING | LABEL | MILD | NOTABLE | HARSH | END)
}

/// Finished text with its colours, or without its marks.
#[must_use]
pub(crate) fn paint(text: &str, colour: bool) -> String {
    if !colour {
        return text.chars().filter(|c| !is_style(*c)).collect();
    }
    let mut painted = String::with_capacity(text.len() * 2);
    let (mut style, mut run) = (END, String::new());
    for c in text.chars() {
        let is_end = c == '\n' || is_style(c);
        if is_end {
            painted.push_str(&styled(style, &run));
            run.clear();
        }
        match c {
            '\n' => painted.push('\n'),
            _ if is_end => style = c,
            _ => run.push(c),
        }
    }
    painted + &styled(style, &run)
}

fn styled(style: char, text: &str) -> String {
    let in_colour = |colour: u8| text.color(XtermColors::from(colour)).to_string();
    match style {
        _ if text.is_empty() => String::new(),
        HEADING => text.bold().to_string(),
        LABEL | MILD => in_colour(TEAL),
        NOTABLE => in_colour(ORANGE),
        HARSH => in_colour(RED),
        _ => marks(text),
    }
}

/// Colours the marks of states, which no foreign text can contain.
fn marks(text: &str) -> String {
    let marks = [('✗', RED), ('⏳', ORANGE), ('✓', GREEN)];
    marks.iter().fold(text.to_owned(), |text, (mark, colour)| {
        text.replace(*mark, &mark.color(XtermColors::from(*colour)).to_string())
    })
}

/// The word of a risk, in its colour if `colour` is set.
#[must_use]
pub fn risk_in_colour(of: Risk, colour: bool) -> String {
    paint(&risk(of, of.word()), colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_painted_wherever_the_layout_puts_it() {
        let leaks = format!("{}{}", " ".repeat(40), risk(Risk::Leaks, "leaks: what stays"));
        let red = "leaks".color(XtermColors::from(RED)).to_string();
        assert_eq!(paint(&leaks, true), format!("{}{red}: what stays", " ".repeat(40)));
        assert_eq!(paint(&leaks, false), format!("{}leaks: what stays", " ".repeat(40)));
        assert_eq!(console::measure_text_width(&leaks), 40 + "leaks: what stays".len());
        let plain = "       leaks: no element\n WHAT TO DO\n    says        x";
        assert_eq!(paint(plain, true), plain);
    }

    #[test]
    fn an_element_that_is_broken_is_painted_on_each_line() {
        let both = [heading("a b"), "c".to_owned()].join(" ").replace(' ', "\n");
        let bold = |text: &str| text.bold().to_string();
        assert_eq!(paint(&both, true), format!("{}\n{}\nc", bold("a"), bold("b")));
        assert_eq!(paint(&bold_lines(), true), format!("  {}\n {}\n", bold("one"), bold("two")));
    }

    fn bold_lines() -> String {
        super::bold("  one\n two\n")
    }

    /// The relative luminance of WCAG 2, of a colour of the cube of 256.
    fn luminance(colour: u8) -> f64 {
        let steps = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0];
        let place = usize::from(colour - 16);
        let linear = |step: usize| {
            let share: f64 = steps[step] / 255.0;
            if share <= 0.03928 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.0722f64.mul_add(linear(place % 6), 0.7152f64.mul_add(linear(place / 6 % 6), 0.2126 * linear(place / 36)))
    }

    #[test]
    fn every_colour_is_readable_on_black_and_on_white() {
        for colour in [TEAL, GREEN, ORANGE, RED] {
            let light = luminance(colour);
            let (on_black, on_white) = ((light + 0.05) / 0.05, 1.05 / (light + 0.05));
            assert!(on_black >= 4.0 && on_white >= 4.0, "{colour}: {on_black:.1} {on_white:.1}");
        }
    }

    #[test]
    fn foreign_text_cannot_mark_an_element() {
        for mark in [HEADING, LABEL, MILD, NOTABLE, HARSH, END] {
            assert!(crate::inert::is_obeyed(mark));
            assert!(!crate::inert::clean(&format!("a{mark}b")).contains(mark));
        }
    }
}
