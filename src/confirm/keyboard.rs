//! The keyboard during a dialog.
//!
//! dialoguer reads single keys and ignores two that every program should support: end of input and
//! suspend. So dialoguer reads from a pseudo-terminal of this program, and each key passes through
//! here.

#![expect(clippy::disallowed_types, reason = "this is where a person is asked")]

use console::Term;
use nix::pty::openpty;
use nix::sys::signal::{Signal, raise};
use nix::sys::termios::{SetArg, SpecialCharacterIndices, Termios, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::dup2_stdin;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Ctrl-D.
const END: u8 = 0x04;
/// Ctrl-Z.
const STOP: u8 = 0x1a;

/// A dialog's own terminal. Dropping it gives the keys back to the person's terminal.
#[derive(Debug)]
pub struct Keyboard {
    person: OwnedFd,
    ended: Arc<AtomicBool>,
    passing: Option<JoinHandle<()>>,
}

impl Keyboard {
    /// Opens a terminal for a dialog.
    ///
    /// # Errors
    /// When the system has none left. The dialog then reads from the person's terminal.
    pub fn open() -> io::Result<Self> {
        let person = io::stdin().as_fd().try_clone_to_owned()?;
        let usual = tcgetattr(&person)?;
        let pair = openpty(None, &key_by_key(&usual))?;
        let ended = Arc::new(AtomicBool::new(false));
        let keys = KeyForwarder { person: File::from(person.try_clone()?), usual, dialog: File::from(pair.master) };
        dup2_stdin(&pair.slave)?;
        let heard = Arc::clone(&ended);
        let passing = Some(thread::spawn(move || keys.pass_on(&heard)));
        Ok(Self { person, ended, passing })
    }

    /// Ends the dialog that reads from this terminal by closing it.
    pub fn end(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        self.passing.take().map(JoinHandle::join);
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.end();
        dup2_stdin(&self.person).ok();
    }
}

/// Within this time, a dialog reads the keys that were passed on to it.
const READS_WITHIN: Duration = Duration::from_millis(100);

/// Passes a person's keys on to a dialog.
struct KeyForwarder {
    person: File,
    usual: Termios,
    dialog: File,
}

impl KeyForwarder {
    /// Passes keys on until the input or the dialog ends; then closes the dialog's terminal.
    fn pass_on(mut self, ended: &AtomicBool) {
        let mut keys = [0; 256];
        let raw = key_by_key(&self.usual);
        tcsetattr(&self.person, SetArg::TCSANOW, &raw).ok();
        while !ended.load(Ordering::Relaxed) {
            let Ok(count) = self.person.read(&mut keys) else { break };
            // No key arrived within the time set in `key_by_key`, or the terminal is gone.
            if count == 0 && tcgetattr(&self.person).is_err() {
                break;
            }
            let keys = &keys[..count];
            let end = keys.iter().position(|key| *key == END);
            let passed = &keys[..end.unwrap_or(count)];
            if passed.contains(&STOP) {
                self.stop(&raw);
            }
            if self.dialog.write_all(passed).is_err() {
                break;
            }
            if end.is_some() {
                // A dialog may wait forever if its terminal is closed while it has unread keys.
                thread::sleep(READS_WITHIN);
                break;
            }
        }
        tcsetattr(&self.person, SetArg::TCSANOW, &self.usual).ok();
    }

    /// Suspends the program until it is continued. The key then makes the dialog redraw itself.
    fn stop(&self, raw: &Termios) {
        let term = Term::stderr();
        term.show_cursor().ok();
        tcsetattr(&self.person, SetArg::TCSANOW, &self.usual).ok();
        raise(Signal::SIGTSTP).ok();
        tcsetattr(&self.person, SetArg::TCSANOW, raw).ok();
        term.hide_cursor().ok();
    }
}

/// Modes in which the terminal returns each key immediately, and nothing after a tenth of a second
/// without a key.
fn key_by_key(usual: &Termios) -> Termios {
    let mut modes = usual.clone();
    let output = modes.output_flags;
    cfmakeraw(&mut modes);
    modes.output_flags = output;
    modes.control_chars[SpecialCharacterIndices::VMIN as usize] = 0;
    modes.control_chars[SpecialCharacterIndices::VTIME as usize] = 1;
    modes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A person's terminal, the forwarder of its keys, and the dialog's input.
    fn at_a_terminal() -> (File, KeyForwarder, io::PipeReader) {
        let pair = openpty(None, None).unwrap();
        let usual = tcgetattr(&pair.slave).unwrap();
        let (dialog, write) = io::pipe().unwrap();
        let keys = KeyForwarder { person: File::from(pair.slave), usual, dialog: File::from(OwnedFd::from(write)) };
        (File::from(pair.master), keys, dialog)
    }

    /// The dialog's input after these keys, and whether the person's terminal is restored.
    fn passed_on(typed: &[u8]) -> (Vec<u8>, bool) {
        let (mut person, keys, mut dialog) = at_a_terminal();
        let (terminal, usual) = (keys.person.try_clone().unwrap(), keys.usual.clone());
        // Keys that arrive before the terminal returns single keys would be kept until the end of
        // the line.
        tcsetattr(&terminal, SetArg::TCSANOW, &key_by_key(&usual)).unwrap();
        person.write_all(typed).unwrap();
        let passing = thread::spawn(move || keys.pass_on(&AtomicBool::new(false)));
        let mut heard = Vec::new();
        dialog.read_to_end(&mut heard).unwrap();
        passing.join().unwrap();
        (heard, tcgetattr(&terminal).unwrap().local_flags == usual.local_flags)
    }

    #[test]
    fn keys_are_passed_on_up_to_the_end_of_input() {
        assert_eq!(passed_on(b"ab\x1b[A\x04c"), (b"ab\x1b[A".to_vec(), true));
    }

    #[test]
    fn keys_are_waited_for_until_the_dialog_ends() {
        let (mut person, keys, mut dialog) = at_a_terminal();
        let ended = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&ended);
        let passing = thread::spawn(move || keys.pass_on(&heard));
        // Longer than the terminal waits for a key.
        thread::sleep(std::time::Duration::from_millis(300));
        for key in [b"y", b"\r"] {
            person.write_all(key).unwrap();
            let mut passed = [0];
            dialog.read_exact(&mut passed).unwrap();
            assert_eq!(&passed, key);
        }
        ended.store(true, Ordering::Relaxed);
        passing.join().unwrap();
    }

    #[test]
    fn it_ends_when_the_terminal_is_gone() {
        let (person, keys, mut dialog) = at_a_terminal();
        let passing = thread::spawn(move || keys.pass_on(&AtomicBool::new(false)));
        drop(person);
        assert_eq!(dialog.read(&mut [0]).unwrap(), 0, "the dialog's end of input");
        passing.join().unwrap();
    }
}
