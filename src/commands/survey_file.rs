//! Reads the file that `--from` names. Reading always ends, even of a folder, a device or an
//! endless pipe, and at most [`MAX_BYTES`] are kept.

#![expect(clippy::disallowed_types, reason = "the file is named on the command line")]

use crate::cli::Options;
use crate::failure::Failure;
use crate::plugin::COMMAND;
use crate::survey::file::NotASurvey;
use crate::survey::{Survey, file};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The maximum size of a survey. 100,000 objects take about 60 MB.
const MAX_BYTES: u64 = 256 << 20;

/// Refuses `--logs` together with `--from`.
///
/// # Errors
/// When both are given.
pub fn has_no_logs(options: &Options) -> Result<(), Failure> {
    if options.logs && options.from.is_some() {
        return Err(Failure::unknown("--logs cannot be used with --from, which reads a file")
            .hint("take the survey with logs")
            .command(format!("{COMMAND} survey --logs")));
    }
    Ok(())
}

/// Reads a survey, and the base that it names, if any; `-` is stdin.
///
/// # Errors
/// When one of them cannot be read, is too large, or is no text or no survey.
pub fn read(path: &Path) -> Result<Survey, Failure> {
    let what = format!("survey {}", path.display());
    let text = text_of(path).map_err(|problem| problem.of(&what))?;
    let survey = file::read_on(&text, |base| read_base(path, Path::new(base)));
    survey.map_err(|error| Failure::unknown(format!("{what}: {error}")))
}

/// Reads the base of the survey at `of`. `named` is relative to the survey's folder.
fn read_base(of: &Path, named: &Path) -> Result<Survey, NotASurvey> {
    let because = |why: String| NotASurvey::for_want_of_its_base(format!("its base {why}"));
    let path = of.parent().unwrap_or(Path::new("")).join(named);
    let shown = path.display();
    if of.as_os_str() == "-" && named.is_relative() {
        return Err(because(format!(
            "{shown} is a path relative to the survey, and stdin has no directory: use --from FILE"
        )));
    }
    if is_same_file(of, &path) {
        return Err(because(format!("{shown} names itself as its base: name another survey, or none")));
    }
    let text = text_of(&path).map_err(|problem| {
        let failure = problem.of(&shown.to_string());
        let why = failure.what();
        because(format!("{why}; put it there, or correct base: in the survey"))
    })?;
    let survey = file::read_on(&text, |further| -> Result<Survey, _> {
        let why = format!("it names a base itself ({further}): only a complete survey can be a base");
        Err(NotASurvey::for_want_of_its_base(why))
    });
    survey.map_err(|error| because(format!("{shown}: {error}")))
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Reads the whole text; `-` is stdin.
fn text_of(path: &Path) -> Result<String, Problem> {
    let bytes = if path.as_os_str() == "-" {
        all(io::stdin().lock(), 0, MAX_BYTES)
    } else {
        open(path).and_then(|(file, size)| all(file, size, MAX_BYTES))
    };
    text(bytes?).map_err(Problem::NoText)
}

/// The reason why a text could not be read.
#[derive(Debug)]
enum Problem {
    Folder,
    TooLarge,
    Unreadable(io::Error),
    /// Not UTF-8 from this byte on.
    NoText(usize),
}

impl Problem {
    /// The failure for this file.
    fn of(&self, what: &str) -> Failure {
        match self {
            Self::Folder => {
                Failure::unknown(format!("{what} is a directory")).hint("name the file in it that contains the survey")
            }
            Self::TooLarge => Failure::unknown(format!("{what} is larger than {} MiB", MAX_BYTES >> 20))
                .hint("take a smaller survey: name a single object or one namespace"),
            Self::Unreadable(error) => Failure::unknown(format!("{what} cannot be read: {error}")),
            Self::NoText(place) => {
                Failure::unknown(format!("{what} is not text: byte {} is not allowed in YAML", place + 1))
                    .hint("if the file is compressed, unpack it first; this command writes a survey as YAML")
                    .command(format!("{COMMAND} survey"))
            }
        }
    }
}

/// Opens a file. Returns its size as well; 0 for a pipe, whose size is unknown.
fn open(path: &Path) -> Result<(File, u64), Problem> {
    let is_folder = std::fs::metadata(path).map_err(Problem::Unreadable)?.is_dir();
    if is_folder {
        return Err(Problem::Folder);
    }
    let file = File::open(path).map_err(Problem::Unreadable)?;
    let size = file.metadata().map_err(Problem::Unreadable)?.len();
    Ok((file, size))
}

/// Reads everything up to the limit. Even a file of known size may grow meanwhile.
fn all(from: impl Read, size: u64, limit: u64) -> Result<Vec<u8>, Problem> {
    if size > limit {
        return Err(Problem::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    from.take(limit + 1).read_to_end(&mut bytes).map_err(Problem::Unreadable)?;
    if bytes.len() as u64 > limit { Err(Problem::TooLarge) } else { Ok(bytes) }
}

/// The bytes as text, or the position of the first invalid byte. YAML treats a zero byte as the end.
fn text(bytes: Vec<u8>) -> Result<String, usize> {
    let text = String::from_utf8(bytes).map_err(|error| error.utf8_error().valid_up_to())?;
    match text.find('\0') {
        Some(place) => Err(place),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_stops_at_the_limit() {
        assert_eq!(all(&b"abc"[..], 0, 3).unwrap(), b"abc");
        assert!(matches!(all(&b"abcd"[..], 0, 3), Err(Problem::TooLarge)));
        assert!(matches!(all(io::repeat(b'a'), 0, 1 << 20), Err(Problem::TooLarge)), "it never ends");
        assert!(matches!(all(io::empty(), 4, 3), Err(Problem::TooLarge)), "its size is enough");
        assert_eq!(all(&b"abc"[..], 1, 3).unwrap(), b"abc", "it has grown");
    }

    #[test]
    fn invalid_text_is_reported_with_its_position() {
        assert_eq!(text("ä".into()), Ok("ä".to_owned()));
        assert_eq!(text(b"ab\xff".to_vec()), Err(2));
        assert_eq!(text(b"ab\xc3".to_vec()), Err(2));
        assert_eq!(text(b"a\0b".to_vec()), Err(1));
        let said = Problem::NoText(2).of("survey s").to_string();
        assert!(said.starts_with("survey s is not text: byte 3 "), "{said}");
    }
}
