//! `completion`: the scripts for shells, and the words that these request. The request has
//! kubectl's format for plugins: it contains the words typed so far. The answer has a candidate per
//! line, with its description after a tab, and a last line `:NUMBER` that tells the shell how to
//! treat the candidates (cobra's `ShellCompDirective`: spf13/cobra, `completions.go`).

mod candidates;
mod offline;
mod online;

use super::out;
use super::runtime::in_runtime;
use crate::cli::complete::{TypedLine, Wanted, read};
use crate::cli::{Cli, Shell};
use crate::failure::Exit;
use crate::plugin::{PROGRAM, named};
use candidates::{Candidates, FOLDERS, IN_ORDER, NO_FILES};
use clap::Parser;
use std::ffi::OsString;
use std::time::Duration;

/// How long a completion may take.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Prints the script of a shell.
pub fn script(shell: Shell) -> Exit {
    out::file(&named(match shell {
        Shell::Bash => include_str!("bash.sh"),
        Shell::Zsh => include_str!("zsh.zsh"),
        Shell::Fish => include_str!("fish.fish"),
        Shell::Powershell => include_str!("powershell.ps1"),
        Shell::Kubectl if cfg!(windows) => include_str!("kubectl.cmd"),
        Shell::Kubectl => include_str!("kubectl.sh"),
    }));
    Exit::Fine
}

/// Prints the completions of the last word. Errors are ignored: the user is still typing.
pub fn answer(typed: &[OsString]) -> Exit {
    let typed: Vec<String> = typed.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let line = read(&Cli::line(), &typed);
    out::file(&candidates(&line).lines(&line.begun));
    Exit::Fine
}

fn candidates(line: &TypedLine) -> Candidates {
    match &line.wanted {
        Wanted::Words(words) => Candidates::new(words.clone()),
        Wanted::File => Candidates::default(),
        Wanted::Folder => Candidates { directive: FOLDERS, ..Candidates::default() },
        Wanted::Anything => Candidates::new(Vec::new()),
        Wanted::Run => Candidates { directive: NO_FILES | IN_ORDER, ..Candidates::new(offline::runs()) },
        Wanted::Explained => Candidates::new(offline::explained()),
        Wanted::Context | Wanted::Cluster | Wanted::User => {
            let cli = with_flags(line);
            let words = cli.map(|cli| offline::of_kubeconfig(&line.wanted, &cli.connection));
            Candidates { are_own: true, ..Candidates::new(words.unwrap_or_default()) }
        }
        Wanted::Namespace => ask(line).unwrap_or_else(|| Candidates::new(Vec::new())),
        Wanted::Objects(commands) => ask(line).unwrap_or_else(|| Candidates::new(commands.clone())),
    }
}

/// Parses the typed flags; `None` if they are not valid yet.
fn with_flags(line: &TypedLine) -> Option<Cli> {
    let program = std::iter::once(PROGRAM);
    Cli::try_parse_from(program.chain(line.flags.iter().map(String::as_str))).ok()
}

/// Asks the cluster on another thread, which a credential plugin may block for any length of time.
fn ask(line: &TypedLine) -> Option<Candidates> {
    let answer = online::candidates(line.clone(), with_flags(line)?.connection, TIME_LIMIT);
    in_runtime(async {
        let answer = tokio::time::timeout(TIME_LIMIT, tokio::spawn(answer)).await;
        Ok(answer.ok().and_then(Result::ok).flatten())
    })
    .ok()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offline_words_need_no_cluster() {
        let of = |typed: &[&str]| {
            let words: Vec<String> = typed.iter().map(ToString::to_string).collect();
            let line = read(&Cli::line(), &words);
            candidates(&line).lines(&line.begun)
        };
        assert_eq!(of(&["ns", "a", "-o", "js"]), "json\tFor programs\n:4\n");
        assert_eq!(of(&["--approve=dis"]), "disruptive\tAlso steps that make something stop working for a while\n:4\n");
        assert!(of(&["explain", "pods-f"]).starts_with("pods-first\t"), "{}", of(&["explain", "pods-f"]));
        assert_eq!(of(&["--from", ""]), ":0\n");
        assert_eq!(of(&["--cache-dir", ""]), ":16\n");
        assert!(of(&["journal", "la"]).starts_with("last\t") && of(&["journal", "la"]).ends_with(":36\n"));
        assert_eq!(of(&["completion", "z"]), "zsh\tFor this program by its own name, in zsh\n:4\n");
    }

    #[test]
    fn every_shell_has_a_script_that_asks_the_program() {
        for script in [
            include_str!("bash.sh"),
            include_str!("zsh.zsh"),
            include_str!("fish.fish"),
            include_str!("powershell.ps1"),
            include_str!("kubectl.sh"),
            include_str!("kubectl.cmd"),
        ] {
            assert!(script.contains(" __complete ") && script.contains("kubectl-unstick"), "{script}");
        }
    }
}
