//! Guesses the meaning of words that name no TYPE: a mistyped command, or the name of an object
//! without its TYPE.

#![expect(clippy::disallowed_methods, reason = "how long an object has been going is by the clock of this machine")]

use super::interrupt;
use crate::cli::{Cli, command_like};
use crate::failure::{Exit, Failure, Hint};
use crate::plan::quote;
use crate::plugin::COMMAND;
use crate::read::discover::discover;
use crate::read::gather::{Freshness, read_apart};
use crate::screen::age;
use crate::survey::{Discovery, Fact, Form, Object, ResourceId, Want};
use crate::transport::connect::Connected;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Adds the probable meaning of the words to an error about them. `command` is the command before
/// the words.
pub async fn explained(
    result: Result<Exit, Failure>,
    cli: &Cli,
    command: &str,
    words: &[String],
) -> Result<Exit, Failure> {
    let Err(failure) = result else { return result };
    if failure.exit != Exit::Unknown || words.is_empty() {
        return Err(failure);
    }
    let meant = if command.is_empty() { command_like(words, &Cli::line()) } else { None };
    if !failure.is_about_type() && meant.is_none() {
        return Err(failure);
    }
    let connected = if cli.options.from.is_some() { None } else { connect(cli).await };
    if let Some(line) = meant.filter(|_| failure.is_about_type() || connected.is_none()) {
        let meant = Hint::from("did you mean this?").command(line);
        return Err(if failure.is_about_type() { failure.hint(meant) } else { failure.hint_first(meant) });
    }
    let named = match &connected {
        Some((connected, _)) if failure.is_about_type() => {
            interrupt::unless(async { Ok(named(connected, cli, command, words).await) }).await?
        }
        _ => None,
    };
    Err(named.into_iter().fold(failure, Failure::hint))
}

async fn connect(cli: &Cli) -> Option<(Connected, Discovery)> {
    let connected = cli.connection.connect().await.ok()?;
    let discovery = discover(&connected.api).await.ok()?;
    Some((connected, discovery))
}

/// The TYPEs that are searched for an object that was named without one.
const TYPES: [(&str, &str, &str, &str); 6] = [
    ("ns", "", "v1", "namespaces"),
    ("pod", "", "v1", "pods"),
    ("pvc", "", "v1", "persistentvolumeclaims"),
    ("pv", "", "v1", "persistentvolumes"),
    ("crd", "apiextensions.k8s.io", "v1", "customresourcedefinitions"),
    ("node", "", "v1", "nodes"),
];

/// Whether `kubectl unstick ns shop` was meant, and `terminating for 4m`, if there are such objects.
async fn named(connected: &Connected, cli: &Cli, command: &str, words: &[String]) -> Option<Hint> {
    if words.iter().any(|word| word.contains(['/', ','])) {
        return None;
    }
    let namespace = cli.connection.namespace.as_deref().unwrap_or(&connected.namespace);
    let place = |plural: &str| matches!(plural, "pods" | "persistentvolumeclaims").then_some(namespace);
    let want = |(_, group, version, plural): &(&str, &str, &str, &str), name: &str| {
        Want::get(&ResourceId::new(group, version, plural), place(plural), name, Form::Metadata)
    };
    let wants: BTreeSet<Want> = TYPES.iter().flat_map(|kind| words.iter().map(move |word| want(kind, word))).collect();
    let survey = read_apart(&connected.api, wants, Freshness::Cached).await;
    let found = |kind: &(&str, &str, &str, &str), word: &String| match survey.fact(&want(kind, word)) {
        Some(Fact::Found(object)) => Some(state(object)),
        _ => None,
    };
    let all = |kind: &&(&str, &str, &str, &str)| words.iter().all(|word| found(kind, word).is_some());
    let kind = TYPES.iter().find(all)?;
    let flag = |name: &str, value: Option<&str>| value.map(|value| format!(" {name} {}", quote(value)));
    let flags = flag("-n", cli.connection.namespace.as_deref().filter(|_| place(kind.3).is_some()));
    let flags = flags.into_iter().chain(flag("--context", cli.connection.context.as_deref())).collect::<String>();
    let names: Vec<String> = words.iter().map(|word| quote(word)).collect();
    let states: Vec<String> = words
        .iter()
        .filter_map(|word| Some((word, found(kind, word)?)))
        .map(|(word, state)| if words.len() == 1 { state } else { format!("{word} {state}") })
        .collect();
    let line = format!("{COMMAND} {command}{} {}{flags}", kind.0, names.join(" "));
    Some(Hint::from(format!("did you mean this? ({})", states.join(", "))).command(line))
}

fn state(object: &Object) -> String {
    let since = object.deletion_asked().map(|then| Timestamp::now().duration_since(then));
    since.map_or_else(|| "not being deleted".to_owned(), |since| format!("terminating for {}", age(since)))
}
