//! A picture on the terminal that the next one replaces. The last one stays when the program ends.

use super::out;
use crate::screen::Shown;
use console::Term;
use std::io;

/// The terminal while pictures are drawn on it. Dropping it shows the cursor again.
#[derive(Debug)]
pub struct LiveScreen {
    term: Term,
    /// The number of lines in the last picture.
    drawn: usize,
    /// The rows and columns for which it was drawn.
    size: (usize, usize),
}

impl LiveScreen {
    /// Hides the cursor.
    pub fn new() -> Self {
        let term = Term::buffered_stdout();
        term.hide_cursor().and_then(|()| term.flush()).ok();
        let size = size_of(&term);
        Self { term, drawn: 0, size }
    }

    /// The current rows and columns.
    pub fn size(&self) -> (usize, usize) {
        size_of(&self.term)
    }

    /// Replaces the last picture by one that was laid out for `size`, in a single write. A terminal
    /// that was resized has moved the lines unpredictably, so drawing then starts at the top.
    pub fn draw(&mut self, lines: &[Shown], size: (usize, usize)) {
        self.try_draw(lines, size).ok();
    }

    fn try_draw(&mut self, lines: &[Shown], size: (usize, usize)) -> io::Result<()> {
        if size == self.size {
            self.term.move_cursor_up(self.drawn)?;
        } else {
            self.term.clear_screen()?;
        }
        for line in lines {
            self.term.clear_line()?;
            self.term.write_line(&out::in_its_letters(line))?;
        }
        self.term.clear_to_end_of_screen()?;
        self.term.flush()?;
        (self.drawn, self.size) = (lines.len(), size);
        Ok(())
    }
}

fn size_of(term: &Term) -> (usize, usize) {
    let (rows, columns) = term.size();
    (usize::from(rows).max(4), out::room(usize::from(columns).clamp(40, 400)))
}

impl Drop for LiveScreen {
    fn drop(&mut self) {
        self.term.show_cursor().and_then(|()| self.term.flush()).ok();
    }
}
