//! Asks a person a question until it is answered.

use super::terminal::AsItWas;
use super::{interrupt, out};
use crate::confirm::{self, Choice, Chosen, MenuWay};
use crate::failure::Failure;
use crate::screen::Talk;
use std::io;
use std::time::Duration;

/// Within this time, a dialog notices that its terminal was closed.
const ENDS_WITHIN: Duration = Duration::from_secs(1);

/// The decision of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// Do the step.
    Yes,
    /// Leave the step.
    No,
    /// Ask no more questions.
    Quit,
}

/// Asks a question whose answer is yes or no, or `name` if that must be typed. If the person asks
/// for `details`, they are shown and the question is repeated.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub async fn put(question: Talk, name: Option<String>, details: &dyn Fn() -> Talk) -> Result<Reply, Failure> {
    let name = name.map(|name| confirm::to_type(&name));
    loop {
        out::question(question.clone());
        match choice(name.clone()).await? {
            Choice::Yes => return Ok(Reply::Yes),
            Choice::No => return Ok(Reply::No),
            Choice::Quit => return Ok(Reply::Quit),
            Choice::Details => in_pages(details()).await?,
        }
    }
}

/// Shows a text page by page if possible.
async fn in_pages(text: Talk) -> Result<(), Failure> {
    if !confirm::has_dialogs() {
        out::talk(text);
        return Ok(());
    }
    let text = out::as_talk(text);
    of_a_person(move || confirm::in_pages(&text)).await
}

/// Asks whether a person agrees to what was already shown. Quitting counts as no.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub async fn yes_or_no(question: &str) -> Result<bool, Failure> {
    out::question(question);
    loop {
        let choice = if confirm::has_dialogs() {
            of_a_person(confirm::yes_or_no).await?
        } else {
            of_a_person(|| confirm::ask(None)).await?
        };
        match choice {
            Choice::Details => out::talk("all output is shown above"),
            choice => return Ok(choice == Choice::Yes),
        }
    }
}

/// Asks for the name that confirms the choice; an empty answer is no.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub async fn name(question: Talk, name: &str) -> Result<Reply, Failure> {
    out::question(question);
    let name = confirm::to_type(name);
    Ok(match of_a_person(move || confirm::name(&name)).await? {
        Choice::Yes => Reply::Yes,
        Choice::No | Choice::Details => Reply::No,
        Choice::Quit => Reply::Quit,
    })
}

/// Lets a person choose in a dialog among `ways`, which are in the order in which to try them.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub async fn among(question: Talk, ways: &[MenuWay], details: &dyn Fn() -> Talk) -> Result<Chosen, Failure> {
    let ink = out::ink();
    loop {
        out::question(question.clone());
        let ways = ways.to_vec();
        match of_a_person(move || confirm::choose_among(&ways, ink)).await? {
            Chosen::Details => in_pages(details()).await?,
            chosen => return Ok(chosen),
        }
    }
}

/// Lets a person choose one of several decisions, the first of which is preselected; `None` if the person
/// quits.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub async fn one_of(question: Talk, labels: Vec<&'static str>) -> Result<Option<usize>, Failure> {
    let ink = out::ink();
    out::question(question);
    of_a_person(move || confirm::decide(&labels, ink)).await
}

async fn choice(name: Option<String>) -> Result<Choice, Failure> {
    if !confirm::has_dialogs() {
        return of_a_person(move || confirm::ask(name.as_deref())).await;
    }
    let ink = out::ink();
    loop {
        match (of_a_person(move || confirm::choose(ink)).await?, name.clone()) {
            // An empty answer returns to the choice.
            (Choice::Yes, Some(name)) => match of_a_person(move || confirm::name(&name)).await? {
                Choice::No => {}
                choice => return Ok(choice),
            },
            (choice, _) => return Ok(choice),
        }
    }
}

/// Runs a dialog while the rest of the program continues. However it ends, the terminal is
/// restored.
async fn of_a_person<T: Send + 'static>(ask: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, Failure> {
    out::forget_typed_ahead();
    let _terminal = AsItWas::remember();
    let is_dialog = confirm::has_dialogs();
    if is_dialog {
        interrupt::heed_hang_ups();
    }
    let mut keyboard = is_dialog.then(confirm::Keyboard::open).and_then(Result::ok);
    let mut asked = tokio::task::spawn_blocking(ask);
    let answer = tokio::select! {
        answer = &mut asked => return answer.ok().and_then(Result::ok).ok_or_else(|| Failure::interrupted("interrupted")),
        () = interrupt::pressed() => Err(Failure::interrupted("interrupted")),
        () = no_room() => {
            out::talk("the terminal is too small for a question; no more questions are asked");
            Err(Failure::interrupted("interrupted"))
        }
    };
    // The dialog sets the terminal's modes once more when it ends. It does not end if it had not begun
    // to read: without its own terminal, it reads from the person's.
    if let Some(keyboard) = &mut keyboard {
        keyboard.end();
        tokio::time::timeout(ENDS_WITHIN, asked).await.ok();
    }
    answer
}

/// Waits until the window is too small for the dialog.
#[cfg(unix)]
async fn no_room() {
    use tokio::signal::unix::{SignalKind, signal};
    let changes = signal(SignalKind::window_change()).ok().filter(|_| confirm::has_dialogs());
    let Some(mut changes) = changes else { return std::future::pending().await };
    while confirm::has_room() {
        if changes.recv().await.is_none() {
            return std::future::pending().await;
        }
    }
}

/// The window's size is unknown on this platform.
#[cfg(not(unix))]
async fn no_room() {
    std::future::pending().await
}
