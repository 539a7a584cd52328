//! Guesses the intended command line: a mistyped command, a verb of kubectl, or a flag of another
//! command.

use super::examples::named;
use crate::plugin::COMMAND;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// Flags of kubectl that this program lacks, and what to use instead.
const OF_KUBECTL: [(&[&str], &str); 8] = [
    (
        &["--force", "--grace-period", "--now"],
        "a forced deletion is offered only where it is the way out, and only after confirmation",
    ),
    (&["--all"], "`{COMMAND} TYPE` selects all objects of that type that are being deleted; add -A for all namespaces"),
    (
        &["--wait", "--for", "--watch-only", "--output-watch-events"],
        "-w watches until it is gone, or until --timeout: `{COMMAND} TYPE NAME -w`",
    ),
    (&["--field-selector"], "TYPE without NAME selects the objects that are being deleted; -l narrows them by labels"),
    (
        &[
            "--no-headers", "--show-labels", "--show-kind", "--show-managed-fields", "--sort-by", "--label-columns",
            "-L", "--template",
        ],
        "-o name prints only names; -o json prints everything, for jq",
    ),
    (&["--container", "--tail", "--previous", "--since"], "--logs reads the logs of controllers"),
    (&["--interactive", "-i"], "on a terminal a question is asked for each step"),
    (
        &[
            "--chunk-size", "--kuberc", "--log-flush-frequency", "--match-server-version", "--profile",
            "--profile-output", "--raw", "--subresource", "--vmodule", "--warnings-as-errors",
        ],
        "leave it out: this flag of kubectl has no meaning here",
    ),
];

/// Verbs of kubectl and others, with a command that replaces the verb and a flag to append.
const VERBS: [(&[&str], &str, &str); 8] = [
    (&["get", "describe", "status", "why", "diagnose", "check", "fix", "unstick"], "", ""),
    (&["delete", "rm"], "", " --delete"),
    (&["watch", "wait"], "", " -w"),
    (&["finalize"], "", " --finalize"),
    (&["list", "ls", "stuck"], "scan", ""),
    (&["tree", "owner"], "owners", ""),
    (&["history", "log", "runs"], "journal", ""),
    (&["rollback", "revert", "restore"], "undo", ""),
];

/// The commands that take no objects.
const WITHOUT_OBJECTS: [&str; 3] = ["scan", "apis", "orphans"];

/// The command line that was probably meant, if the first word is like a command of `root`.
#[must_use]
pub fn command_like(words: &[String], root: &Command) -> Option<String> {
    let (first, rest) = words.split_first()?;
    let rest = rest.join(" ");
    if let Some((_, command, flag)) = VERBS.iter().find(|(verbs, ..)| verbs.contains(&first.as_str())) {
        return Some(match (*command, &*rest) {
            ("scan" | "journal", _) => format!("{COMMAND} {command}"),
            ("", "") if flag.is_empty() => format!("{COMMAND} scan"),
            ("", "") => format!("{COMMAND} TYPE NAME{flag}"),
            // Nobody should delete a namespace because of a guess.
            ("", rest) if is_a_name(rest) && *flag == " --delete" => format!("{COMMAND} TYPE {rest}{flag}"),
            ("", rest) if is_a_name(rest) => format!("{COMMAND} ns {rest}{flag}"),
            ("", rest) => format!("{COMMAND} {rest}{flag}"),
            (command, rest) => format!("{COMMAND} {command} {rest}").trim_end().to_owned(),
        });
    }
    let near = |name: &str| strsim::damerau_levenshtein(name, first);
    let best = root.get_subcommands().map(Command::get_name).min_by_key(|name| near(name))?;
    // In a short word, two wrong letters already make a different word.
    let is_near = near(best) <= 1 + usize::from(first.len() > 6);
    is_near.then(|| format!("{COMMAND} {best} {rest}").trim_end().to_owned())
}

/// The types that may stand alone: their objects that are being deleted are meant.
const TYPES: [&str; 22] = [
    "ns", "namespace", "namespaces", "po", "pod", "pods", "pvc", "pv", "node", "nodes", "svc", "service", "services",
    "job", "jobs", "deploy", "deployment", "deployments", "secrets", "configmaps", "crd", "crds",
];

/// Whether the word is a type that everybody knows, in any of kubectl's spellings.
#[must_use]
pub fn is_type(word: &str) -> bool {
    TYPES.contains(&word)
}

/// Whether these words are a single name without its TYPE, most often that of a namespace.
fn is_a_name(words: &str) -> bool {
    !words.starts_with('-') && !words.contains([' ', '/', ',', '.']) && !is_type(words)
}

/// The error with helpful advice. `place` is the position of the command.
pub(super) fn with_tip(mut error: clap::Error, root: &Command, place: Option<usize>, words: &[String]) -> clap::Error {
    let command = place.and_then(|place| root.find_subcommand(&words[place]));
    let Some(ContextValue::String(refused)) = error.get(ContextKind::InvalidArg).cloned() else { return error };
    let tip = match error.kind() {
        ErrorKind::UnknownArgument if refused.starts_with('-') => of_flag(&refused, command, root),
        ErrorKind::UnknownArgument => command.and_then(|command| of_words(command, &refused, words)),
        ErrorKind::InvalidValue => of_value(&error),
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedValue);
        error.remove(ContextKind::TrailingArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(named(&tip))]));
    } else if error.kind() == ErrorKind::UnknownArgument {
        // clap suggests `-- --flag`, but neither a TYPE nor a NAME begins with a dash.
        error.remove(ContextKind::TrailingArg);
        error.remove(ContextKind::Suggested);
    }
    error
}

fn of_flag(refused: &str, command: Option<&Command>, root: &Command) -> Option<String> {
    let flag = refused.split('=').next().unwrap_or(refused);
    let is_it = |arg: &Arg| {
        let long = arg.get_long().is_some_and(|long| flag == format!("--{long}"));
        long || arg.get_short().is_some_and(|short| flag == format!("-{short}"))
    };
    let has = |command: &Command| command.get_arguments().any(is_it);
    match (command.map(Command::get_name), flag) {
        (Some("apis" | "orphans"), "-A" | "--all-namespaces") => {
            return Some("leave it out: all namespaces are read in any case".into());
        }
        (Some(_), _) if has(root) => {
            return Some(format!("use it with the diagnosis: `{{COMMAND}} TYPE NAME {flag}`"));
        }
        _ => {}
    }
    let other = root.get_subcommands().find(|other| has(other)).map(Command::get_name);
    let elsewhere = || other.map(|name| format!("`{{COMMAND}} {name}` has this flag"));
    let of_kubectl = OF_KUBECTL.iter().find(|(flags, _)| flags.contains(&flag));
    of_kubectl.map(|(_, tip)| (*tip).to_owned()).or_else(elsewhere).or_else(|| with_swapped_letters(flag, root))
}

/// The flag that differs by one letter, or by two that changed places.
fn with_swapped_letters(flag: &str, root: &Command) -> Option<String> {
    let flags = root.get_arguments().filter_map(Arg::get_long).map(|long| format!("--{long}"));
    let near = flags.filter(|known| strsim::damerau_levenshtein(known, flag) == 1).min()?;
    Some(format!("did you mean `{near}`?"))
}

/// The advice for a command that takes no words.
fn of_words(command: &Command, refused: &str, words: &[String]) -> Option<String> {
    let name = command.get_name();
    if !WITHOUT_OBJECTS.contains(&name) {
        return None;
    }
    let rest = words.iter().map(String::as_str).skip_while(|word| *word != refused);
    let rest: Vec<&str> = rest.take_while(|word| !word.starts_with('-')).collect();
    Some(match rest.as_slice() {
        [only] if !only.contains('/') => {
            format!(
                "for one namespace: `{{COMMAND}} {name} -n {only}`; for all objects of a TYPE: `{{COMMAND}} {only}`"
            )
        }
        objects => format!("for these objects: `{{COMMAND}} {}`", objects.join(" ")),
    })
}

fn of_value(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else { return None };
    let templates = ["jsonpath", "go-template", "custom-columns"];
    let is_template = templates.iter().any(|template| value.starts_with(template));
    is_template.then(|| "-o json prints everything, for jq".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::*;

    fn said(line: &str) -> String {
        let words = std::iter::once("kubectl-unstick").chain(line.split(' ')).map(Into::into);
        Cli::read(&words.collect::<Vec<_>>()).expect_err(line).to_string()
    }

    fn meant(line: &str) -> Option<String> {
        command_like(&line.split(' ').map(str::to_owned).collect::<Vec<_>>(), &Cli::line())
    }

    #[test]
    fn mistyped_commands_and_kubectl_verbs_get_a_suggestion() {
        for (typed, line) in [
            ("scna", "kubectl unstick scan"),
            ("prefligth ns shop", "kubectl unstick preflight ns shop"),
            ("orphan", "kubectl unstick orphans"),
            ("expain pods-first", "kubectl unstick explain pods-first"),
            ("delete ns shop", "kubectl unstick ns shop --delete"),
            ("get", "kubectl unstick scan"),
            ("status", "kubectl unstick scan"),
            ("describe pod web-1", "kubectl unstick pod web-1"),
            ("watch ns shop", "kubectl unstick ns shop -w"),
            ("why shop", "kubectl unstick ns shop"),
            ("why pods", "kubectl unstick pods"),
            ("delete shop", "kubectl unstick TYPE shop --delete"),
            ("tree deploy/web", "kubectl unstick owners deploy/web"),
            ("list pods", "kubectl unstick scan"),
        ] {
            assert_eq!(meant(typed).as_deref(), Some(line), "{typed}");
        }
        for typed in ["pods", "ns shop", "nodes", "sc", "svc", "roles", "secrets", "shop", "crd", "pv"] {
            assert_eq!(meant(typed), None, "{typed}");
        }
    }

    #[test]
    fn unsupported_arguments_lead_to_a_tip() {
        for (line, tip) in [
            ("scan ns shop", "tip: for these objects: `kubectl unstick ns shop`"),
            ("scan ns/shop -o json", "tip: for these objects: `kubectl unstick ns/shop`"),
            ("-o json scan pod web -n shop", "tip: for these objects: `kubectl unstick pod web`"),
            ("orphans shop", "`kubectl unstick orphans -n shop`"),
            ("preflight ns shop -w", "`kubectl unstick TYPE NAME -w`"),
            ("scan --delete", "`kubectl unstick TYPE NAME --delete`"),
            ("orphans -A", "all namespaces are read in any case"),
            ("ns shop --contexts a,b", "`kubectl unstick scan` has this flag"),
            ("ns shop --force", "a forced deletion is offered only"),
            ("ns shop --grace-period=0", "a forced deletion is offered only"),
            ("ns shop --wait", "-w watches until it is gone"),
            ("pods --all", "`kubectl unstick TYPE` selects all objects of that type"),
            ("scan --no-headers", "-o name"),
            ("ns shop --warnings-as-errors", "leave it out"),
            ("ns shop --yse", "did you mean `--yes`?"),
            ("ns shop -o jsonpath={.status}", "-o json prints everything"),
        ] {
            let said = said(line);
            assert!(said.contains(tip) && said.matches("tip: ").count() == 1, "{line}: {said}");
        }
        let said = said("ns shop --nonsense");
        assert!(!said.contains("as a value"), "{said}");
    }
}
