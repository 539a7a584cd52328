//! Messages as they come: a line each, and none that is longer than anybody needs.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// A call names an object or two.
const LONGEST: usize = 1 << 20;

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line that is too long; nothing of it was kept.
    TooLong,
    /// The end of input, or an error of reading: nothing comes any more.
    End,
}

/// Lines of input.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: BufReader<R>,
    /// The beginning of a line whose end has not come.
    begun: Vec<u8>,
    /// That line is too long: it is passed over to its end.
    skips: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn of(input: R) -> Self {
        Self { input: BufReader::new(input), begun: Vec::new(), skips: false }
    }

    /// The next line. A last one without an end is one, too.
    pub(super) async fn next(&mut self) -> Next {
        loop {
            let Ok(piece) = self.input.fill_buf().await else { return Next::End };
            if piece.is_empty() {
                let rest = std::mem::take(&mut self.begun);
                return if rest.is_empty() { Next::End } else { Next::Line(rest) };
            }
            let end = piece.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(piece.len(), |end| end + 1);
            let fits = self.begun.len() + taken <= LONGEST;
            if !self.skips && fits {
                self.begun.extend_from_slice(&piece[..end.unwrap_or(taken)]);
            }
            self.input.consume(taken);
            match (self.skips, fits, end) {
                // It was told of before.
                (true, _, Some(_)) => self.skips = false,
                (false, true, Some(_)) => return Next::Line(std::mem::take(&mut self.begun)),
                (false, false, end) => {
                    self.begun = Vec::new();
                    self.skips = end.is_none();
                    return Next::TooLong;
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

    async fn all(input: impl AsyncRead + Unpin) -> Vec<Next> {
        let mut lines = Lines::of(input);
        let mut all = Vec::new();
        loop {
            match lines.next().await {
                Next::End => return all,
                next => all.push(next),
            }
        }
    }

    #[tokio::test]
    async fn lines_come_one_by_one_and_the_last_needs_no_end() {
        let line = |text: &str| Next::Line(text.as_bytes().to_vec());
        assert_eq!(all(&b"a\n\nb\r\nc"[..]).await, [line("a"), line(""), line("b\r"), line("c")]);
        assert_eq!(all(&b""[..]).await, []);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_told_of_once_and_the_next_is_read() {
        for length in [LONGEST, 100_000_000] {
            let long = tokio::io::repeat(b'x').take(length as u64);
            let told = all(long.chain(&b"\nb\n"[..])).await;
            assert_eq!(told, [Next::TooLong, Next::Line(b"b".to_vec())], "{length}");
        }
        let longest = tokio::io::repeat(b'x').take(LONGEST as u64 - 1);
        assert!(matches!(&all(longest.chain(&b"\n"[..])).await[..], [Next::Line(line)] if line.len() == LONGEST - 1));
    }
}
