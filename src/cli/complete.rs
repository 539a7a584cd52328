//! An unfinished command line, and the candidates for its last word.

use super::accepted::repeatable;
use crate::server::Server;
use crate::survey::mask;
use clap::{Arg, Command, ValueEnum, ValueHint};

/// The kind of candidates for the last word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// One of these words, each with its description.
    Words(Vec<(String, String)>),
    /// A TYPE, a NAME of the TYPE before it, or TYPE/NAME. The words are commands, which are also
    /// allowed here.
    Objects(Vec<(String, String)>),
    /// A namespace.
    Namespace,
    /// A context of the kubeconfig.
    Context,
    /// A cluster of the kubeconfig.
    Cluster,
    /// A user of the kubeconfig.
    User,
    /// A run of the journal.
    Run,
    /// A word that `explain` knows.
    Explained,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Any text.
    Anything,
}

/// A parsed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedLine {
    /// The kind of candidates for the last word.
    pub wanted: Wanted,
    /// The typed beginning of the last word; of `--flag=value`, the beginning of the value alone.
    pub begun: String,
    /// The words before it that are neither flags nor a command.
    pub words: Vec<String>,
    /// The flags before it that are valid for any command, with their values.
    pub flags: Vec<String>,
    /// Whether all namespaces are meant.
    pub all_namespaces: bool,
}

/// Reads the words before the last one, one by one.
struct LineReader<'c> {
    root: &'c Command,
    command: Option<&'c Command>,
    words: Vec<String>,
    flags: Vec<String>,
    all_namespaces: bool,
    watches: bool,
    /// A flag whose value is the next word.
    open: Option<&'c Arg>,
    only_words: bool,
}

/// Parses a line as `root` would. The last word is still being typed.
#[must_use]
pub fn read(root: &Command, typed: &[String]) -> TypedLine {
    let (last, before) = typed.split_last().map_or(("", typed), |(last, before)| (last.as_str(), before));
    let mut reader = LineReader::of(root);
    for word in before {
        reader.take(word);
    }
    let (wanted, begun) = reader.last(last);
    if reader.open.is_some_and(Arg::is_global_set) {
        // The value of the flag is still missing.
        reader.flags.pop();
    }
    let LineReader { words, flags, all_namespaces, .. } = reader;
    TypedLine { wanted, begun: begun.into(), words, flags, all_namespaces }
}

/// The position of a command's name in a complete line, which may begin with flags.
#[must_use]
pub fn place_of_command(root: &Command, words: &[String]) -> Option<usize> {
    let mut reader = LineReader::of(root);
    words.iter().position(|word| {
        reader.take(word);
        reader.command.is_some()
    })
}

/// The words of a line, without the values of login flags and other possible credentials.
#[must_use]
pub fn without_credentials(root: &Command, words: &[String]) -> Vec<String> {
    let mut reader = LineReader::of(root);
    let kept = |word: &String| {
        let of_flag = match (reader.open, reader.flag(word)) {
            (Some(open), _) => hidden(open, word),
            (None, Some((flag, Some(value)))) => {
                hidden(flag, value).map(|hidden| format!("{}{hidden}", word.strip_suffix(value).unwrap_or_default()))
            }
            _ => None,
        };
        reader.take(word);
        of_flag.or_else(|| mask(word)).unwrap_or_else(|| word.clone())
    };
    words.iter().map(kept).collect()
}

/// What may be shown instead of the value of a flag that may contain credentials.
fn hidden(flag: &Arg, value: &str) -> Option<String> {
    match flag.get_id().as_str() {
        "token" | "password" | "username" => Some("(hidden)".into()),
        "server" => Some(Server::from(value).to_string()),
        _ => None,
    }
}

impl<'c> LineReader<'c> {
    fn of(root: &'c Command) -> Self {
        let (words, flags) = (Vec::new(), Vec::new());
        Self { root, command: None, words, flags, all_namespaces: false, watches: false, open: None, only_words: false }
    }

    fn take(&mut self, word: &str) {
        if let Some(flag) = self.open.take() {
            self.keep(flag, word);
        } else if self.only_words || word == "-" || !word.starts_with('-') {
            self.take_word(word);
        } else if word == "--" {
            self.only_words = true;
        } else if let Some((flag, value)) = self.flag(word) {
            self.keep(flag, word);
            self.all_namespaces |= self.has(word, 'A', "--all-namespaces");
            self.watches |= self.has(word, 'w', "--watch");
            self.open = Some(flag).filter(|flag| value.is_none() && takes_the_next_word(flag));
        }
    }

    fn take_word(&mut self, word: &str) {
        let may_be_command = self.command.is_none() && self.words.is_empty();
        match self.root.find_subcommand(word).filter(|_| may_be_command) {
            Some(command) => self.command = Some(command),
            None => self.words.push(word.into()),
        }
    }

    fn keep(&mut self, flag: &Arg, word: &str) {
        if flag.is_global_set() {
            self.flags.push(word.into());
        }
    }

    /// The flag in a word, with its value if the same word contains it.
    fn flag<'w>(&self, word: &'w str) -> Option<(&'c Arg, Option<&'w str>)> {
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            return Some((self.known().find(|flag| flag.get_long() == Some(name))?, value));
        }
        let letters = word.strip_prefix('-')?;
        let mut found = None;
        for (place, letter) in letters.char_indices() {
            let flag = self.known().find(|flag| flag.get_short() == Some(letter))?;
            let rest = &letters[place + letter.len_utf8()..];
            if flag.get_action().takes_values() {
                let value = rest.strip_prefix('=').unwrap_or(rest);
                return Some((flag, Some(value).filter(|_| !rest.is_empty())));
            }
            found = Some((flag, None));
        }
        found
    }

    /// Whether a word is this flag, alone or among short flags.
    fn has(&self, word: &str, short: char, long: &str) -> bool {
        let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
            return word == long;
        };
        let takes_value = |letter: char| {
            self.known().any(|flag| flag.get_short() == Some(letter) && flag.get_action().takes_values())
        };
        letters.chars().take_while(|letter| !takes_value(*letter)).any(|letter| letter == short)
    }

    fn known(&self) -> impl Iterator<Item = &'c Arg> + use<'c> {
        let own = self.command.map(Command::get_arguments).into_iter().flatten();
        // A command has its own copies of the shared flags; `help` has none and ignores them.
        let takes_them = self.command.is_none_or(|command| command.get_name() == "help");
        let is_command = self.command.is_some();
        let all = self.root.get_arguments();
        own.chain(all.filter(move |flag| takes_them && (!is_command || flag.is_global_set())))
    }

    fn last<'w>(&self, word: &'w str) -> (Wanted, &'w str) {
        if let Some(flag) = self.open {
            return (self.value_of(flag), word);
        }
        if self.only_words || !word.starts_with('-') {
            return (self.word(), word);
        }
        match self.flag(word).and_then(|(flag, value)| Some((flag, value?))) {
            Some((flag, value)) => (self.value_of(flag), value),
            None => (Wanted::Words(self.flags()), word),
        }
    }

    fn flags(&self) -> Vec<(String, String)> {
        if self.command.is_some_and(|command| command.get_name() == "help") {
            return Vec::new();
        }
        let shown = self.known().filter(|flag| !flag.is_hide_set());
        let named = shown.filter_map(|flag| Some((format!("--{}", flag.get_long()?), in_short(flag.get_help()))));
        let mut flags: Vec<_> = named.collect();
        flags.sort();
        flags
    }

    fn value_of(&self, flag: &Arg) -> Wanted {
        let wanted = value_of(flag);
        let is_watched = self.watches && self.command.is_none() && flag.get_id().as_str() == "output";
        match wanted {
            Wanted::Words(mut words) if is_watched => {
                let kept = repeatable().into_iter().filter_map(|format| format.to_possible_value());
                let kept: Vec<_> = kept.map(|value| value.get_name().to_owned()).collect();
                words.retain(|(name, _)| kept.contains(name));
                Wanted::Words(words)
            }
            wanted => wanted,
        }
    }

    fn word(&self) -> Wanted {
        let first = self.words.is_empty();
        let Some(command) = self.command else {
            return Wanted::Objects(if first { commands(self.root) } else { Vec::new() });
        };
        match command.get_name() {
            "owners" | "preflight" => Wanted::Objects(Vec::new()),
            "survey" => match self.words.first().map(String::as_str) {
                None => {
                    let also = ["apis", "orphans", "preflight", "scan"];
                    Wanted::Objects(
                        commands(self.root).into_iter().filter(|(name, _)| also.contains(&&**name)).collect(),
                    )
                }
                Some("apis" | "orphans" | "scan") => Wanted::Anything,
                Some(_) => Wanted::Objects(Vec::new()),
            },
            "journal" | "undo" if first => Wanted::Run,
            "explain" if first => Wanted::Explained,
            "help" if first => Wanted::Words(commands(self.root)),
            _ if first => command.get_positionals().next().map_or(Wanted::Anything, value_of),
            _ => Wanted::Anything,
        }
    }
}

fn commands(root: &Command) -> Vec<(String, String)> {
    let shown = root.get_subcommands().filter(|command| !command.is_hide_set());
    shown.map(|command| (command.get_name().to_owned(), in_short(command.get_about()))).collect()
}

/// The first sentence, up to the end of its line.
fn in_short(help: Option<&clap::builder::StyledStr>) -> String {
    let text = help.map(ToString::to_string).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    line.split_once(". ").map_or(line, |(sentence, _)| sentence).trim_end_matches('.').to_owned()
}

/// Whether `--flag value` is allowed, not only `--flag=value`.
fn takes_the_next_word(flag: &Arg) -> bool {
    flag.get_action().takes_values() && !flag.is_require_equals_set()
}

fn value_of(flag: &Arg) -> Wanted {
    match flag.get_id().as_str() {
        "namespace" => return Wanted::Namespace,
        "context" => return Wanted::Context,
        "cluster" => return Wanted::Cluster,
        "user" => return Wanted::User,
        _ => {}
    }
    let values = flag.get_possible_values();
    let shown = values.iter().filter(|value| !value.is_hide_set());
    let words: Vec<_> = shown.map(|value| (value.get_name().to_owned(), in_short(value.get_help()))).collect();
    match flag.get_value_hint() {
        _ if !words.is_empty() => Wanted::Words(words),
        ValueHint::DirPath => Wanted::Folder,
        ValueHint::AnyPath | ValueHint::FilePath => Wanted::File,
        _ => Wanted::Anything,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::*;

    /// Parses a line; the last word begins after the last space.
    fn line(typed: &str) -> TypedLine {
        let words: Vec<String> = typed.split(' ').map(str::to_owned).collect();
        read(&Cli::line(), &words)
    }

    fn names(wanted: Wanted) -> Vec<String> {
        match wanted {
            Wanted::Words(words) | Wanted::Objects(words) => words.into_iter().map(|(name, _)| name).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_may_be_a_credential_is_left_out() {
        for (line, kept) in [
            (
                "--token a --token=b ns --password=c=d -v 6",
                "--token (hidden) --token=(hidden) ns --password=(hidden) -v 6",
            ),
            ("scan --username ann", "scan --username (hidden)"),
            ("--server=https://ann:b@host", "--server=https://host"),
            ("--server ann:b@host:1 ns", "--server host:1 ns"),
            ("-s http://ann:b/c@host -A", "-s http://host -A"),
            ("-shttp://ann:b@host", "-shttp://host"),
            ("-s=ann:b@host", "-s=host"),
            ("-As ann:b@host -nshop", "-As host -nshop"),
            ("https://ann:b@host", "https://(masked)@host"),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(without_credentials(&Cli::line(), &words).join(" "), kept);
        }
    }

    #[test]
    fn types_or_commands_are_completed_first_and_then_names() {
        let first = line("");
        assert!(names(first.wanted).contains(&"preflight".to_owned()) && first.words.is_empty());
        let second = line("ns sh");
        assert_eq!(second.wanted, Wanted::Objects(Vec::new()));
        assert_eq!((second.begun.as_str(), second.words), ("sh", vec!["ns".to_owned()]));
        assert_eq!(line("preflight ns a ").words, ["ns", "a"]);
        assert_eq!(names(line("survey ").wanted), ["apis", "scan", "orphans", "preflight"]);
        assert_eq!(line("apis ").wanted, Wanted::Anything);
    }

    #[test]
    fn flags_and_their_values_are_no_words() {
        let line = line("-n shop --context=prod pods --dry-run -Aw -o json we");
        assert_eq!((line.words, line.begun.as_str()), (vec!["pods".to_owned()], "we"));
        assert_eq!(line.flags, ["-n", "shop", "--context=prod", "--dry-run", "-o", "json"]);
        assert!(line.all_namespaces);
        assert_eq!(self::line("--context c -n ").flags, ["--context", "c"], "a flag without its value says nothing");
        assert_eq!(self::line("-o json owners deploy/").wanted, Wanted::Objects(Vec::new()));
    }

    #[test]
    fn flag_values_are_completed_in_every_notation() {
        for (typed, wanted, begun) in [
            ("-n ", Wanted::Namespace, ""),
            ("-nsh", Wanted::Namespace, "sh"),
            ("pods --namespace=sh", Wanted::Namespace, "sh"),
            ("--context pr", Wanted::Context, "pr"),
            ("ns a --cluster ", Wanted::Cluster, ""),
            ("--user ", Wanted::User, ""),
            ("--from ", Wanted::File, ""),
            ("-f ", Wanted::File, ""),
            ("--cache-dir ", Wanted::Folder, ""),
            ("--token ", Wanted::Anything, ""),
            ("undo 2", Wanted::Run, "2"),
            ("explain ", Wanted::Explained, ""),
        ] {
            let line = line(typed);
            assert_eq!((line.wanted, line.begun.as_str()), (wanted, begun), "{typed}");
        }
        let output = line("ns a --output=j");
        assert_eq!(output.begun, "j");
        assert!(names(output.wanted).contains(&"yaml".to_owned()));
        for (typed, formats) in [("journal -o ", "table name json yaml"), ("ns a -Aw -o ", "table wide json yaml")] {
            assert_eq!(names(line(typed).wanted).join(" "), formats, "{typed}");
        }
        assert_eq!(names(line("--approve ").wanted), ["harmless", "disruptive", "leaks", "loses-data"]);
        assert!(names(line("completion ").wanted).contains(&"zsh".to_owned()));
        // The flag takes a value only after `=`.
        assert_eq!(names(line("--dry-run=").wanted), ["none", "client", "server"]);
        assert_eq!(line("ns --dry-run ").wanted, Wanted::Objects(Vec::new()));
    }

    #[test]
    fn flags_are_those_of_the_command() {
        let of = |typed: &str| names(line(typed).wanted);
        assert!(of("--").contains(&"--finalize".to_owned()) && of("-").contains(&"--namespace".to_owned()));
        let journal = of("journal --");
        assert!(journal.contains(&"--output".to_owned()) && !journal.contains(&"--finalize".to_owned()));
        let Wanted::Words(flags) = line("--selec").wanted else { panic!() };
        let selector = flags.iter().find(|(name, _)| name == "--selector");
        assert!(selector.is_some_and(|(_, help)| help.contains("app=web")), "{selector:?}");
    }
}
