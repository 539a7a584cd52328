//! Reads messages, one per line, up to a maximum length.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The maximum length of a line. A call names only a few objects.
const MAX_LINE: usize = 1 << 20;

/// The result of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextLine {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line that is too long; its content was dropped.
    TooLong,
    /// The end of input, or an error.
    End,
}

/// Reads lines of input.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: BufReader<R>,
    /// The beginning of an incomplete line.
    begun: Vec<u8>,
    /// Whether the current line is too long and is skipped to its end.
    skips: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn of(input: R) -> Self {
        Self { input: BufReader::new(input), begun: Vec::new(), skips: false }
    }

    /// The next line. The last one need not have an end.
    pub(super) async fn next(&mut self) -> NextLine {
        loop {
            let Ok(piece) = self.input.fill_buf().await else { return NextLine::End };
            if piece.is_empty() {
                let rest = std::mem::take(&mut self.begun);
                return if rest.is_empty() { NextLine::End } else { NextLine::Line(rest) };
            }
            let end = piece.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(piece.len(), |end| end + 1);
            let fits = self.begun.len() + taken <= MAX_LINE;
            if !self.skips && fits {
                self.begun.extend_from_slice(&piece[..end.unwrap_or(taken)]);
            }
            self.input.consume(taken);
            match (self.skips, fits, end) {
                // It was already reported.
                (true, _, Some(_)) => self.skips = false,
                (false, true, Some(_)) => return NextLine::Line(std::mem::take(&mut self.begun)),
                (false, false, end) => {
                    self.begun = Vec::new();
                    self.skips = end.is_none();
                    return NextLine::TooLong;
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    async fn all(input: impl AsyncRead + Unpin) -> Vec<NextLine> {
        let mut lines = Lines::of(input);
        let mut all = Vec::new();
        loop {
            match lines.next().await {
                NextLine::End => return all,
                next => all.push(next),
            }
        }
    }

    #[tokio::test]
    async fn lines_come_one_by_one_and_the_last_needs_no_end() {
        let line = |text: &str| NextLine::Line(text.as_bytes().to_vec());
        assert_eq!(all(&b"a\n\nb\r\nc"[..]).await, [line("a"), line(""), line("b\r"), line("c")]);
        assert_eq!(all(&b""[..]).await, []);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_reported_once_and_skipped() {
        for length in [MAX_LINE, 100_000_000] {
            let long = tokio::io::repeat(b'x').take(length as u64);
            let told = all(long.chain(&b"\nb\n"[..])).await;
            assert_eq!(told, [NextLine::TooLong, NextLine::Line(b"b".to_vec())], "{length}");
        }
        let longest = tokio::io::repeat(b'x').take(MAX_LINE as u64 - 1);
        assert!(
            matches!(&all(longest.chain(&b"\n"[..])).await[..], [NextLine::Line(line)] if line.len() == MAX_LINE - 1)
        );
    }
}
