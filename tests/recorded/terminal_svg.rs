//! Coloured text of a terminal, as SVG.

use console::measure_text_width;
use std::fmt::Write;

/// The width of a character, in tenths of a pixel.
const WIDTH: usize = 84;
const HEIGHT: usize = 19;
const MARGIN: usize = 16;

/// The colours with the codes 30 to 37, and the bright colours with 90 to 97.
const COLOURS: [&str; 16] = [
    "#484f58", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76d9e6", "#b1bac4", "#6e7681", "#ffa198",
    "#56d364", "#f2cc60", "#a5d6ff", "#e2c5ff", "#b3f0ff", "#ffffff",
];

/// The style of a piece of a line.
#[derive(Clone, Default, PartialEq)]
pub struct Style {
    is_bold: bool,
    is_swapped: bool,
    colour: Option<String>,
    behind: Option<String>,
}

impl Style {
    /// Takes the codes of one SGR sequence.
    fn take(&mut self, codes: &str) {
        let mut codes = codes.split(';').map(|code| code.parse::<usize>().unwrap_or_default());
        while let Some(code) = codes.next() {
            match code {
                0 => *self = Self::default(),
                1 => self.is_bold = true,
                22 => self.is_bold = false,
                7 => self.is_swapped = true,
                27 => self.is_swapped = false,
                30..=37 => self.colour = Some(COLOURS[code - 30].into()),
                90..=97 => self.colour = Some(COLOURS[code - 82].into()),
                // A black background is that of the picture.
                40 | 49 => self.behind = None,
                41..=47 => self.behind = Some(COLOURS[code - 40].into()),
                100..=107 => self.behind = Some(COLOURS[code - 92].into()),
                38 => self.colour = Some(further(&mut codes)),
                48 => self.behind = Some(further(&mut codes)),
                39 => self.colour = None,
                // Dim, italic and underlined text is not distinguished.
                2..=4 | 23 | 24 => {}
                other => panic!("the picture does not know the code {other}"),
            }
        }
    }

    fn fill(&self) -> Option<&str> {
        if self.is_swapped { Some(self.behind.as_deref().unwrap_or("#0d1117")) } else { self.colour.as_deref() }
    }

    fn background(&self) -> Option<&str> {
        if self.is_swapped { Some(self.colour.as_deref().unwrap_or("#e6edf3")) } else { self.behind.as_deref() }
    }
}

/// `5;N` is one of 256 colours, `2;R;G;B` is any colour.
fn further(codes: &mut impl Iterator<Item = usize>) -> String {
    let mut next = || codes.next().unwrap_or_default();
    match next() {
        5 => match next() {
            plain @ 0..=15 => COLOURS[plain].into(),
            cube @ 16..=231 => {
                let part = |divisor: usize| match (cube - 16) / divisor % 6 {
                    0 => 0,
                    level => 55 + 40 * level,
                };
                format!("#{:02x}{:02x}{:02x}", part(36), part(6), part(1))
            }
            grey => format!("#{0:02x}{0:02x}{0:02x}", 8 + 10 * (grey - 232)),
        },
        _ => format!("#{:02x}{:02x}{:02x}", next(), next(), next()),
    }
}

/// The pieces of a line with the same style. `style` is the style at its beginning, and is set to
/// that at its end.
pub fn pieces(line: &str, style: &mut Style) -> Vec<(Style, String)> {
    let mut pieces = Vec::new();
    for (place, part) in line.split('\u{1b}').enumerate() {
        let text = if place == 0 {
            part
        } else {
            let (codes, text) = part.strip_prefix('[').and_then(|it| it.split_once('m')).expect("a colour");
            style.take(codes);
            text
        };
        if !text.is_empty() {
            pieces.push((style.clone(), text.to_owned()));
        }
    }
    pieces
}

fn pixels(tenths: usize) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// The head of a picture with this many columns and lines.
pub fn begin(title: &str, columns: usize, lines: usize) -> String {
    let (width, height) = (pixels(columns * WIDTH + 20 * MARGIN), (lines + 1) * HEIGHT + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\" font-size=\"14\">\n\
         <title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g fill=\"#e6edf3\">\n"
    )
}

/// The elements of one line.
pub fn drawn(number: usize, pieces: &[(Style, String)]) -> String {
    // Non-breaking blanks, since SVG joins others.
    let escaped =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(' ', "\u{a0}");
    let (mut svg, mut column, y) = (String::new(), 0, MARGIN + (number + 1) * HEIGHT);
    for (style, piece) in pieces {
        let x = pixels(10 * MARGIN + column * WIDTH);
        let columns = measure_text_width(piece);
        column += columns;
        let bold = if style.is_bold { " font-weight=\"bold\"" } else { "" };
        let fill = style.fill().map(|colour| format!(" fill=\"{colour}\"")).unwrap_or_default();
        let length = pixels(columns * WIDTH);
        if let Some(colour) = style.background() {
            let top = y + 5 - HEIGHT;
            let _ =
                writeln!(svg, "<rect x=\"{x}\" y=\"{top}\" width=\"{length}\" height=\"{HEIGHT}\" fill=\"{colour}\"/>");
        }
        let _ =
            writeln!(svg, "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\"{bold}{fill}>{}</text>", escaped(piece));
    }
    svg
}
