//! A person at a pseudo-terminal who types and reads the screen.

use super::wait::wait_until;
use nix::sys::termios::{InputFlags, LocalFlags, Termios, tcgetattr};
use rexpect::session::PtySession;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A command with only these variables. The caller adds its program and arguments.
pub fn environment(term: &str, home: &Path) -> Command {
    let mut command = Command::new("env");
    command.args(["-i", &format!("TERM={term}"), "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"]);
    command.arg(format!("HOME={}", home.display()));
    command
}

/// Waits for the choice whether to carry a step out, and chooses this line.
pub fn choose(session: &mut PtySession, line: &str) {
    session.exp_string("> details").expect("nothing is preselected that writes");
    session.exp_string("   quit").expect("the end of the choice");
    let keys = match line {
        "do it" => "\x1b[B\r",
        "details" => "\r",
        "skip" => "\x1b[B\x1b[B\r",
        // The list continues at its other end.
        "quit" => "\x1b[A\r",
        _ => panic!("{line}"),
    };
    press(session, keys);
}

/// Types these keys at a dialog, as soon as it accepts them.
pub fn press(session: &mut PtySession, keys: &str) {
    until_it_reads_keys(session);
    self::keys(session, keys);
}

/// Waits until a dialog reads single keys, which is a little after it appears.
pub fn until_it_reads_keys(session: &PtySession) {
    wait_until("it reads key by key", Duration::from_secs(10), || {
        !modes(session).local_flags.intersects(LocalFlags::ICANON | LocalFlags::ISIG)
    });
}

/// Types these keys without Enter, whatever reads them.
pub fn keys(session: &mut PtySession, keys: &str) {
    session.send(keys).and_then(|_| session.flush()).expect("typed");
}

/// Approves a harsh step by this name.
pub fn agree(session: &mut PtySession, name: &str) {
    choose(session, "do it");
    session.exp_string(&format!("type {name} to confirm")).expect("asks for the name");
    session.send_line(name).expect("typed");
}

/// Waits for a sentence, wherever the terminal breaks it into lines.
pub fn says(session: &mut PtySession, text: &str) -> String {
    let special = |c: char| if ".?*+()[]{}|^$\\".contains(c) { format!("\\{c}") } else { c.to_string() };
    let words: Vec<String> = text.split(' ').map(|word| word.chars().map(special).collect()).collect();
    let (_, found) = session.exp_regex(&words.join(r"\s+")).unwrap_or_else(|error| panic!("{text}: {error}"));
    found
}

/// Waits for the end, and ignores the output until then.
pub fn exit_code(session: &mut PtySession) -> i32 {
    session.exp_eof().expect("it ends");
    let status = format!("{:?}", session.process().wait().expect("it ends"));
    // `Exited(Pid(7), 130)`: rexpect does not export the type.
    let code = status.strip_prefix("Exited(").and_then(|rest| rest.trim_end_matches(')').rsplit(' ').next());
    code.and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("it ended by {status}"))
}

/// Whether the terminal passes on input line by line. rexpect turns echo off.
pub fn reads_lines(session: &PtySession) -> bool {
    let modes = modes(session);
    modes.local_flags.contains(LocalFlags::ICANON | LocalFlags::ISIG) && modes.input_flags.contains(InputFlags::ICRNL)
}

fn modes(session: &PtySession) -> Termios {
    tcgetattr(session.process().get_file_handle().expect("the terminal")).expect("its modes")
}

/// Sets the size of a session's terminal, as if its window was resized.
pub fn set_size(session: &PtySession, rows: u16, columns: u16) {
    let handle = session.process().get_file_handle().expect("the terminal");
    let status = Command::new("stty")
        .args(["rows", &rows.to_string(), "cols", &columns.to_string()])
        .stdin(Stdio::from(handle))
        .status()
        .expect("stty runs");
    assert!(status.success(), "the terminal has another size");
}
