//! A question to a person, put until it is answered.

use super::{interrupt, out};
use crate::confirm::{self, Choice};
use crate::failure::Failure;

/// What a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Do it.
    Yes,
    /// Leave it.
    No,
    /// Ask no more.
    Quit,
}

/// Shows a question and takes its answer: a yes, or this `name`. `details` shows what
/// `d` asks for.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub async fn put(question: &str, name: Option<String>, details: &dyn Fn()) -> Result<Answer, Failure> {
    out::question(question);
    loop {
        let name = name.clone();
        let asked = tokio::task::spawn_blocking(move || confirm::ask(name.as_deref()));
        let choice = tokio::select! {
            choice = asked => choice,
            () = interrupt::pressed() => return Err(Failure::interrupted("interrupted")),
        };
        match choice {
            Ok(Ok(Choice::Yes)) => return Ok(Answer::Yes),
            Ok(Ok(Choice::No)) => return Ok(Answer::No),
            Ok(Ok(Choice::Quit)) => return Ok(Answer::Quit),
            Ok(Ok(Choice::Details)) => details(),
            Ok(Err(_)) | Err(_) => return Err(Failure::interrupted("interrupted")),
        }
    }
}
