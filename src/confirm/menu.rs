//! A list to choose from with the arrow keys: details first, then the remedies, then the lines that
//! change nothing. The cursor wraps between details and quit, so no remedy is next to either end.
//! Below the list is the consequence of the marked line.

use crate::report::Risk;
use crate::screen::{ascii, clean, risk_in_colour, wrap};
use console::{Key, Term, measure_text_width, pad_str, truncate_str};
use std::io;

/// The line above the list.
const KEYS: &str = "arrow keys, then Enter; q quits";
/// The width of the mark and the blanks before a line.
const MARGIN: usize = 4;
/// How many lines a label may have.
const LABEL_LINES: usize = 3;
/// The last column stays empty: some terminals begin a new line after it.
const SPARE: usize = 1;

/// A remedy, as a line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuWay {
    /// The risk, if it is shown beside the label.
    pub risk: Option<Risk>,
    /// The action.
    pub label: String,
    /// The cost and the consequence; empty if they were shown already.
    pub about: String,
}

/// The line that a person chose from the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// The remedy at this place.
    Way(usize),
    /// Show more and ask again.
    Details,
    /// No remedy.
    Skip,
    /// Ask no more questions.
    Quit,
}

/// The style of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ink {
    /// Whether risks are coloured. The words alone are sufficient.
    pub colour: bool,
    /// Whether the terminal can show only ASCII.
    pub ascii: bool,
}

/// The list, and the marked line.
pub(super) struct Menu<'a> {
    ways: &'a [MenuWay],
    marked: usize,
    /// Whether there are no lines but the ways and the last one, which quits.
    is_bare: bool,
}

impl<'a> Menu<'a> {
    /// Marks the first line, which writes nothing.
    pub(super) fn new(ways: &'a [MenuWay]) -> Self {
        Self { ways, marked: 0, is_bare: false }
    }

    /// A list of decisions that write nothing, of which the first is marked.
    pub(super) fn of_decisions(ways: &'a [MenuWay]) -> Self {
        Self { is_bare: true, ..Self::new(ways) }
    }

    /// The line at this place.
    fn line(&self, place: usize) -> Chosen {
        match place.checked_sub(usize::from(!self.is_bare)) {
            Some(place) if self.is_bare => self.ways.get(place).map_or(Chosen::Quit, |_| Chosen::Way(place)),
            None => Chosen::Details,
            Some(way) if way < self.ways.len() => Chosen::Way(way),
            Some(place) if place == self.ways.len() => Chosen::Skip,
            Some(_) => Chosen::Quit,
        }
    }

    /// The number of lines.
    fn len(&self) -> usize {
        self.ways.len() + if self.is_bare { 1 } else { 3 }
    }

    /// Handles a key. Returns the chosen line, if any.
    fn press(&mut self, key: &Key) -> Option<Chosen> {
        let len = self.len();
        match key {
            Key::ArrowDown | Key::Tab | Key::Char('j') => self.marked = (self.marked + 1) % len,
            Key::ArrowUp | Key::BackTab | Key::Char('k') => self.marked = (self.marked + len - 1) % len,
            Key::Home | Key::PageUp => self.marked = 0,
            Key::End | Key::PageDown => self.marked = len - 1,
            Key::Char(digit @ '1'..='9') => {
                let way = usize::from(u8::try_from(*digit).unwrap_or_default() - b'0');
                if way <= self.ways.len() && !self.is_bare {
                    self.marked = way;
                }
            }
            Key::Escape | Key::Char('q') => return Some(Chosen::Quit),
            Key::Enter | Key::Char(' ') => return Some(self.line(self.marked)),
            _ => {}
        }
        None
    }

    /// The list for a window of this size; if it is too long, the part around the marked line.
    fn lines(&self, (rows, columns): (u16, u16), ink: Ink) -> Vec<String> {
        let width = usize::from(columns).saturating_sub(SPARE).max(1);
        // Choosing a remedy may also agree to it, so its consequence is left out last.
        let mut about = self.about(self.marked, width, ink);
        about.truncate(usize::from(rows).saturating_sub(2 + LABEL_LINES));
        let items: Vec<Vec<String>> = (0..self.len()).map(|place| self.item(place, width, ink)).collect();
        let room = usize::from(rows).saturating_sub(2 + about.len()).max(LABEL_LINES);
        let all: usize = items.iter().map(Vec::len).sum();
        let (begin, end) = if all <= room { (0, items.len()) } else { around(&items, self.marked, room) };
        let head = if end - begin < items.len() {
            format!("  {KEYS}; lines {} to {end} of {}", begin + 1, items.len())
        } else {
            format!("  {KEYS}")
        };
        let head = std::iter::once(truncate_str(&head, width, "").into_owned());
        head.chain(items.into_iter().take(end).skip(begin).flatten()).chain(about).collect()
    }

    /// A line of the list, broken if the window is narrow: no name is cut.
    fn item(&self, place: usize, width: usize, ink: Ink) -> Vec<String> {
        let mark = if place == self.marked { "  > " } else { "    " };
        let (lead, text) = match self.line(place) {
            Chosen::Details => (String::new(), "details".to_owned()),
            Chosen::Skip => (String::new(), "skip".to_owned()),
            Chosen::Quit => (String::new(), "quit".to_owned()),
            Chosen::Way(way) => self.way(way, width, ink),
        };
        let indent = if measure_text_width(&lead) * 2 < width { MARGIN + measure_text_width(&lead) } else { MARGIN };
        let room = width.saturating_sub(MARGIN + measure_text_width(&lead)).max(1);
        let text = in_letters(&clean(&text), ink);
        let mut lines = broken(&text, room);
        if lines.len() > LABEL_LINES {
            lines.truncate(LABEL_LINES);
            lines[LABEL_LINES - 1] = truncate_str(&(lines[LABEL_LINES - 1].clone() + "..."), room, "...").into_owned();
        }
        let margin = " ".repeat(indent);
        let lines = lines.into_iter().enumerate();
        lines
            .map(|(at, line)| if at == 0 { format!("{mark}{lead}{line}") } else { format!("{margin}{line}") })
            .collect()
    }

    /// `1  leaks       ` and the label; in a narrow window the risk is part of the label.
    fn way(&self, way: usize, width: usize, ink: Ink) -> (String, String) {
        let MenuWay { risk, label, .. } = &self.ways[way];
        let Some(risk) = risk else { return (String::new(), label.clone()) };
        let risks = self.ways.iter().filter_map(|way| way.risk);
        let widest = risks.map(|risk| risk.word().len()).max().unwrap_or_default();
        if MARGIN + widest * 3 > width {
            return (format!("{}  ", way + 1), format!("{}: {label}", risk.word()));
        }
        let risk = risk_in_colour(*risk, ink.colour);
        (format!("{}  {}  ", way + 1, pad_str(&risk, widest, console::Alignment::Left, None)), label.clone())
    }

    /// The consequence of a line.
    fn about(&self, place: usize, width: usize, ink: Ink) -> Vec<String> {
        let text = match self.line(place) {
            Chosen::Way(way) => &self.ways[way].about,
            Chosen::Details | Chosen::Skip | Chosen::Quit => "",
        };
        if text.is_empty() {
            return Vec::new();
        }
        let text = in_letters(&clean(text), ink);
        wrap(&format!("  {text}"), width).lines().map(str::to_owned).collect()
    }

    /// The maximum height of the list on a screen of this width.
    pub(super) fn height(ways: &'a [MenuWay], width: usize) -> usize {
        let size = (u16::MAX, u16::try_from(width).unwrap_or(u16::MAX));
        let height = |marked| Self { marked, ..Self::new(ways) }.lines(size, Ink::default()).len();
        (0..=ways.len()).map(height).max().unwrap_or_default()
    }

    /// Lets a person choose. `q` and Escape quit.
    ///
    /// # Errors
    /// On Ctrl-C, and when the terminal is gone.
    pub(super) fn choose(mut self, ink: Ink) -> io::Result<Chosen> {
        let term = Term::buffered_stderr();
        term.hide_cursor()?;
        loop {
            let lines = self.lines(term.size(), ink);
            for line in &lines {
                term.write_line(line)?;
            }
            term.flush()?;
            let chosen = self.press(&term.read_key()?);
            term.clear_last_lines(lines.len())?;
            if let Some(chosen) = chosen {
                term.show_cursor()?;
                term.flush()?;
                return Ok(chosen);
            }
        }
    }
}

/// The places of the items that fit into `room` lines, including the marked one.
fn around(items: &[Vec<String>], marked: usize, room: usize) -> (usize, usize) {
    let (mut begin, mut end) = (marked, marked + 1);
    let mut used = items[marked].len();
    loop {
        let fits = |place: Option<usize>| place.filter(|place| used + items[*place].len() <= room);
        if let Some(below) = fits((end < items.len()).then_some(end)) {
            (used, end) = (used + items[below].len(), below + 1);
        } else if let Some(above) = fits(begin.checked_sub(1)) {
            (used, begin) = (used + items[above].len(), above);
        } else {
            return (begin, end);
        }
    }
}

fn broken(text: &str, room: usize) -> Vec<String> {
    wrap(text, room).lines().map(|line| line.trim_start().to_owned()).collect()
}

fn in_letters(text: &str, ink: Ink) -> String {
    if ink.ascii { ascii(text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways() -> Vec<MenuWay> {
        let way =
            |risk, label: &str, about: &str| MenuWay { risk: Some(risk), label: label.into(), about: about.into() };
        vec![
            way(Risk::Disruptive, "scale deployments/acme-operator -n ops to 1", "disruptive: it starts again"),
            way(Risk::Leaks, "remove finalizer acme.io/backup from 300 databases -n many", "leaks: backups stay"),
        ]
    }

    fn shown(keys: &[Key], size: (u16, u16)) -> Vec<String> {
        let ways = ways();
        let mut menu = Menu::new(&ways);
        for key in keys {
            assert_eq!(menu.press(key), None);
        }
        menu.lines(size, Ink::default())
    }

    #[test]
    fn details_are_marked_first_and_the_harsh_way_is_at_neither_end() {
        let lines = shown(&[], (24, 80));
        assert_eq!(
            lines,
            [
                "  arrow keys, then Enter; q quits",
                "  > details",
                "    1  disruptive  scale deployments/acme-operator -n ops to 1",
                "    2  leaks       remove finalizer acme.io/backup from 300 databases -n many",
                "    skip",
                "    quit",
            ]
        );
        assert_eq!(shown(&[Key::ArrowUp], (24, 80)).len(), 6);
        let quit = shown(&[Key::ArrowUp], (24, 80));
        assert_eq!(quit.last().map(String::as_str), Some("  > quit"));
    }

    #[test]
    fn the_consequence_of_the_marked_way_is_shown_below() {
        for keys in [&[Key::ArrowDown, Key::Char('j')][..], &[Key::Char('2')]] {
            let lines = shown(keys, (24, 80));
            assert_eq!(lines.last().map(String::as_str), Some("  leaks: backups stay"));
            assert!(lines.iter().any(|line| line.starts_with("  > 2  leaks ")), "{lines:?}");
        }
    }

    #[test]
    fn no_name_is_cut_and_no_line_is_too_wide() {
        for columns in 20..=120 {
            let lines = shown(&[Key::ArrowDown], (50, columns));
            assert!(lines.iter().all(|line| measure_text_width(line) < usize::from(columns)), "{columns}: {lines:#?}");
            let words = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(columns < 60 || words.contains("300 databases"), "{columns}: {lines:#?}");
        }
    }

    #[test]
    fn a_long_list_shows_the_part_around_the_marked_line() {
        let ways: Vec<MenuWay> = (0..40)
            .map(|number| MenuWay { risk: Some(Risk::Leaks), label: format!("way {number}"), about: "leaks: x".into() })
            .collect();
        let mut menu = Menu::new(&ways);
        for place in 0..menu.len() {
            let lines = menu.lines((24, 80), Ink::default());
            assert!(lines.len() <= 23, "{place}: {}", lines.len());
            assert_eq!(lines.iter().filter(|line| line.starts_with("  > ")).count(), 1, "{place}: {lines:?}");
            menu.press(&Key::ArrowDown);
        }
        assert_eq!(menu.marked, 0, "the list wraps");
        assert!(menu.lines((24, 80), Ink::default())[0].ends_with("; lines 1 to 22 of 43"));
    }

    #[test]
    fn keys_choose_and_quit() {
        let ways = ways();
        let chosen = |keys: &[Key]| {
            let mut menu = Menu::new(&ways);
            keys.iter().find_map(|key| menu.press(key))
        };
        let (up, down, enter) = (Key::ArrowUp, Key::ArrowDown, Key::Enter);
        assert_eq!(chosen(std::slice::from_ref(&enter)), Some(Chosen::Details));
        assert_eq!(chosen(&[up.clone(), enter.clone()]), Some(Chosen::Quit));
        assert_eq!(chosen(&[up.clone(), up, enter.clone()]), Some(Chosen::Skip));
        assert_eq!(chosen(&[down.clone(), Key::Char(' ')]), Some(Chosen::Way(0)));
        assert_eq!(chosen(&[Key::Char('9'), enter.clone()]), Some(Chosen::Details), "there is no ninth way");
        assert_eq!(chosen(&[Key::End, enter]), Some(Chosen::Quit));
        assert_eq!(chosen(&[down, Key::Char('q')]), Some(Chosen::Quit));
        assert_eq!(chosen(&[Key::Escape]), Some(Chosen::Quit));
    }

    #[test]
    fn a_colour_does_not_move_a_column() {
        let ways = ways();
        let lines = |colour| Menu::new(&ways).lines((24, 80), Ink { colour, ascii: false });
        let plain: Vec<String> = lines(true).iter().map(|line| console::strip_ansi_codes(line).into_owned()).collect();
        assert_eq!(plain, lines(false));
        assert_ne!(lines(true), lines(false));
    }
}
