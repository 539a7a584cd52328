//! Restores the terminal after a dialog, however the dialog ends.

use crate::confirm;
#[cfg(unix)]
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};
#[cfg(unix)]
use std::sync::Mutex;

/// The person's terminal and its modes before a dialog, for a panic to restore: release builds
/// abort on a panic and drop nothing. The terminal is kept, too, because the dialog reads from
/// another one.
#[cfg(unix)]
static MODES: Mutex<Option<(OwnedFd, Termios)>> = Mutex::new(None);

/// Restores the terminal after a panic, too.
pub fn survive_panics() {
    let says = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        put_back();
        for term in [console::Term::stdout(), console::Term::stderr()].iter().filter(|term| term.is_term()) {
            term.show_cursor().ok();
        }
        says(panic);
    }));
}

/// The terminal's state before a dialog, which sets raw mode and hides the cursor. Dropping this
/// restores the state.
pub struct AsItWas {
    cursor: bool,
}

impl AsItWas {
    /// Remembers the state.
    pub fn remember() -> Self {
        #[cfg(unix)]
        if let Ok(mut modes) = MODES.lock() {
            let terminal = std::io::stdin().as_fd().try_clone_to_owned().ok();
            *modes = terminal.and_then(|terminal| tcgetattr(&terminal).ok().map(|modes| (terminal, modes)));
        }
        Self { cursor: confirm::has_dialogs() }
    }
}

impl Drop for AsItWas {
    fn drop(&mut self) {
        put_back();
        if self.cursor {
            console::Term::stderr().show_cursor().ok();
        }
    }
}

/// Restores the state once. It does not wait for the lock, which the panicking thread may hold.
#[cfg(unix)]
fn put_back() {
    let modes = MODES.try_lock().ok().and_then(|mut modes| modes.take());
    if let Some((terminal, modes)) = modes {
        tcsetattr(terminal, SetArg::TCSANOW, &modes).ok();
    }
}

/// The console of this platform has no such modes.
#[cfg(not(unix))]
fn put_back() {}

#[cfg(test)]
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test starts itself, on a terminal")]
mod tests {
    use super::*;
    use nix::sys::termios::{InputFlags, LocalFlags, cfmakeraw};
    use rexpect::session::spawn_command;
    use std::process::Command;

    const IN_A_TERMINAL: &str = "UNSTICK_PANIC_IN_A_TERMINAL";

    /// Runs itself in a pseudo-terminal and panics there, as a dialog might.
    #[test]
    fn a_panic_leaves_the_terminal_as_it_was() {
        if std::env::var_os(IN_A_TERMINAL).is_some() {
            return panic_in_a_dialog();
        }
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "commands::terminal::tests::a_panic_leaves_the_terminal_as_it_was", "--nocapture"]);
        command.env(IN_A_TERMINAL, "1").env("TERM", "xterm");
        let mut session = spawn_command(command, Some(60_000)).unwrap();
        session.exp_string("as in a dialog").unwrap();
        let terminal = session.process().get_file_handle().unwrap();
        assert!(!tcgetattr(&terminal).unwrap().local_flags.contains(LocalFlags::ICANON));
        session.send("x").and_then(|_| session.flush()).unwrap();
        session.exp_string("\x1b[?25h").expect("the cursor is back");
        session.exp_string("panicked").unwrap();
        session.process().wait().unwrap();
        let modes = tcgetattr(&terminal).unwrap();
        assert!(modes.local_flags.contains(LocalFlags::ICANON | LocalFlags::ISIG), "{modes:?}");
        assert!(modes.input_flags.contains(InputFlags::ICRNL), "{modes:?}");
    }

    /// Nothing is dropped before the process ends, as in release builds.
    fn panic_in_a_dialog() {
        survive_panics();
        std::mem::forget(AsItWas::remember());
        let mut modes = tcgetattr(std::io::stdin()).unwrap();
        cfmakeraw(&mut modes);
        tcsetattr(std::io::stdin(), SetArg::TCSANOW, &modes).unwrap();
        std::mem::forget(confirm::Keyboard::open().unwrap());
        console::Term::stderr().write_line("as in a dialog").unwrap();
        let key = console::Term::stderr().read_char().unwrap();
        panic!("the key {key}");
    }
}
