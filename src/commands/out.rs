//! Prints data to stdout and talk to stderr. If the reader closes its end, that is not an error.
//!
//! Only [`Shown`] and [`Talk`] are printed: text that was made inert. The exception is text for a
//! file: a survey, a shell script, a page of the program itself.

#![expect(clippy::disallowed_methods, reason = "this is where the program prints and looks at its terminal")]

use super::{locale, workflow};
use crate::cli::{Color, Options, Output};
use crate::confirm::{self, Ink};
use crate::export::Printer;
use crate::report::Report;
use crate::screen::{Look, Shown, Talk};
use crate::{plugin, screen};
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The error of the first write to stdout that failed.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Whether screens and talk are limited to ASCII.
static ASCII: AtomicBool = AtomicBool::new(false);

/// Whether the marks of talk are coloured.
static PAINTED: AtomicBool = AtomicBool::new(false);

/// Decides whether talk is coloured, and whether screens and talk are limited to ASCII: if colours
/// are switched off, or the terminal can show nothing else. Pipes get UTF-8 in every locale, as
/// from kubectl.
pub fn heed_the_terminal(options: &Options) {
    let is_terminal = std::io::stdout().is_terminal() || std::io::stderr().is_terminal();
    let foreign = is_terminal && locale::is_not_utf8(|name| std::env::var(name).ok());
    ASCII.store(options.color == Color::Never || confirm::is_dumb() || foreign, Ordering::Relaxed);
    PAINTED.store(colour(options.color, std::io::stderr().is_terminal()), Ordering::Relaxed);
}

/// Makes the commands on screens name the kubectl that started the plugin, if the shell would find another one.
pub fn heed_the_caller() {
    let Some(path) = std::env::var_os("KUBECTL_PATH").map(PathBuf::from) else { return };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join("kubectl")).find(|file| file.is_file());
    plugin::called_by(&path, found.as_deref());
}

/// The text in characters that the terminal can show.
pub fn in_its_letters(text: &str) -> Cow<'_, str> {
    if ASCII.load(Ordering::Relaxed) { screen::ascii(text).into() } else { text.into() }
}

/// Tells a runner of workflows that what follows is text: it heeds the lines of both streams, and data
/// for programs is on stdout.
pub fn begin() {
    if let Some(line) = workflow::stop() {
        to_stderr(&line);
    }
}

/// Tells it that the text is over.
pub fn end() {
    if let Some(line) = workflow::resume() {
        to_stderr(&line);
    }
}

/// Prints a screen.
pub fn screen(text: &Shown) {
    file(&workflow::without_commands(&in_its_letters(text)));
}

/// Prints data.
pub fn data(text: &Shown) {
    file(&workflow::without_commands(text));
}

/// Prints the text of a file unchanged.
pub fn file(text: &str) {
    let mut stdout = std::io::stdout().lock();
    heed(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
}

/// Remembers the error of a write to stdout.
pub fn heed(written: std::io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        UNWRITTEN.get_or_init(|| error.to_string());
    }
}

/// The error that prevented stdout from taking everything that was printed, if any.
pub fn unwritten() -> Option<&'static str> {
    UNWRITTEN.get().map(String::as_str)
}

/// Prints talk. If the width is known, lines are broken between words.
pub fn talk(talk: impl Into<Talk>) {
    to_stderr(&workflow::without_commands(&as_talk(talk)));
}

fn to_stderr(line: &str) {
    writeln!(std::io::stderr().lock(), "{line}").ok();
}

/// Talk in its printed form.
pub fn as_talk(talk: impl Into<Talk>) -> Shown {
    let width = width_of(&console::Term::stderr());
    let wrapped = (width < Look::UNLIMITED).then_some(width);
    let text = talk.into().laid_out(wrapped, width, PAINTED.load(Ordering::Relaxed));
    if ASCII.load(Ordering::Relaxed) { text.in_ascii() } else { text }
}

/// The style of a choice.
pub fn ink() -> Ink {
    Ink { colour: PAINTED.load(Ordering::Relaxed), ascii: ASCII.load(Ordering::Relaxed) }
}

/// Prints the first `most` of `items`, and if there are more, the text of `rest` for their number.
pub fn talk_of_some<T: Into<Talk>>(
    items: impl ExactSizeIterator<Item = T>,
    most: usize,
    rest: impl FnOnce(usize) -> String,
) {
    let more = items.len().saturating_sub(most);
    items.take(most).for_each(talk);
    if more > 0 {
        talk(rest(more));
    }
}

/// Prints a question. Input that was typed before it appeared does not count as an answer.
pub fn question(question: impl Into<Talk>) {
    forget_typed_ahead();
    talk(question);
}

/// Discards input that was typed and not read yet.
#[cfg(unix)]
pub fn forget_typed_ahead() {
    use nix::sys::termios::{FlushArg, tcflush};
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        tcflush(&stdin, FlushArg::TCIFLUSH).ok();
    }
}

/// Discards input that was typed and not read yet: the console holds it as events.
#[cfg(windows)]
pub fn forget_typed_ahead() {
    use crossterm_winapi::{Console, Handle};
    if std::io::stdin().is_terminal()
        && let Ok(keyboard) = Handle::current_in_handle()
    {
        Console::from(keyboard).read_console_input().ok();
    }
}

/// Prints a report in the requested format.
pub fn report(report: &Report, options: &Options) {
    match options.output.printer() {
        Printer::Screen(print) => screen(&print(report, look(options))),
        Printer::Data(_, one_of_many) if options.is_stream => data(&one_of_many(report)),
        _ => data(&options.output.report(report, look(options))),
    }
}

/// Shows a report that is followed by a question.
pub fn report_before_question(report: &Report, options: &Options) {
    if options.output.is_screen() {
        let question = confirm::lines_of_the_first(report, width());
        screen(&screen::screen_before_question(report, look(options), question));
    } else {
        self::report(report, options);
    }
}

/// The look of stdout.
pub fn look(options: &Options) -> Look {
    let colour = colour(options.color, std::io::stdout().is_terminal());
    Look { width: width(), colour, all: options.output == Output::Wide }
}

fn colour(when: Color, terminal: bool) -> bool {
    let wanted = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match when {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !wanted("NO_COLOR") && !confirm::is_dumb(),
    }
}

/// The width of the screen.
pub fn width() -> usize {
    width_of(&console::Term::stdout())
}

fn width_of(terminal: &console::Term) -> usize {
    if terminal.is_term() {
        return room(usize::from(terminal.size().1).clamp(40, 400));
    }
    // In a pipe, lines are not broken, so that `grep` finds them whole, unless the user has set a
    // width.
    let columns: Option<usize> = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.map_or(Look::UNLIMITED, |columns| room(columns.clamp(40, 400)))
}

/// The width for which a screen of this many columns is laid out.
pub fn room(columns: usize) -> usize {
    if ASCII.load(Ordering::Relaxed) { screen::room_for_ascii(columns) } else { columns }
}

/// Whether stdout is a screen on which one picture can replace another.
pub fn is_screen() -> bool {
    std::io::stdout().is_terminal() && !confirm::is_dumb()
}

/// Whether a person can answer a question.
pub fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && std::io::stderr().is_terminal()
}

/// Whether progress may be drawn.
pub fn can_draw() -> bool {
    std::io::stdout().is_terminal() && std::io::stderr().is_terminal()
}
