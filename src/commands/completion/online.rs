//! Completions that need a cluster: types, and names of objects.

#![expect(clippy::disallowed_methods, reason = "how long an object has been going is by the clock of this machine")]

use super::candidates::{Candidates, IN_ORDER, NO_FILES, NO_SPACE, is_no_flag};
use crate::cli::complete::{TypedLine, Wanted};
use crate::commands::words;
use crate::read::discover::discover;
use crate::read::gather::listed;
use crate::screen::age;
use crate::survey::{Discovery, Form, Object, Resource, ResourceId, TargetName, Want};
use crate::transport::Connection;
use crate::transport::connect::Connected;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::time::Duration;

/// The words that are requested from the cluster.
enum What {
    Namespaces,
    /// A TYPE, or several with commas; commands may be typed here, too.
    Types {
        begun: String,
        commands: Vec<(String, String)>,
    },
    /// NAMEs of a TYPE, except those that were already typed. If the word is TYPE/NAME, the names
    /// follow the slash.
    Names {
        kind: String,
        with_type: bool,
        taken: BTreeSet<String>,
    },
    /// A TYPE with a slash, after other words that are TYPE/NAME.
    TypesWithSlash,
}

/// Asks the cluster for the words that may follow in a line; `None` if it does not answer.
pub(super) async fn candidates(line: TypedLine, mut connection: Connection, patience: Duration) -> Option<Candidates> {
    let given = connection.request_timeout.unwrap_or(patience);
    connection.request_timeout = Some(given.min(patience));
    let connected = connection.connect().await.ok()?;
    let namespace = connection.namespace.as_deref().unwrap_or(&connected.namespace);
    match what(&line) {
        What::Namespaces => Some(in_order(names(&connected, &namespaces(), None).await?, str::to_owned)),
        What::Types { begun, commands } => {
            let types = types(&discover(&connected.api).await.ok()?, &begun);
            let words = commands.into_iter().chain(types.into_iter().map(|name| (name, String::new())));
            Some(Candidates::new(words.collect()))
        }
        What::TypesWithSlash => {
            let types = types(&discover(&connected.api).await.ok()?, "");
            let words = types.into_iter().map(|name| (name + "/", String::new())).collect();
            Some(Candidates { directive: NO_FILES | NO_SPACE, ..Candidates::new(words) })
        }
        What::Names { kind, with_type, taken } => {
            let target = place(&connected, &kind, namespace).await?;
            if target.namespace.is_some() && line.all_namespaces {
                return Some(Candidates::new(Vec::new()));
            }
            let found = names(&connected, &target.resource, target.namespace.as_deref()).await?;
            let is_wanted =
                |object: &Object| !taken.contains(object.name()) && (with_type || is_no_flag(object.name()));
            let found = found.into_iter().filter(is_wanted).collect();
            Some(in_order(found, |name| if with_type { format!("{kind}/{name}") } else { name.to_owned() }))
        }
    }
}

fn what(line: &TypedLine) -> What {
    let Wanted::Objects(commands) = &line.wanted else { return What::Namespaces };
    let words = match line.words.as_slice() {
        // `survey preflight TYPE NAME`
        [first, rest @ ..] if first == "preflight" => rest,
        words => words,
    };
    let (commands, begun) = (commands.clone(), line.begun.clone());
    if let Some((kind, _)) = begun.split_once('/') {
        let names = words.iter().filter_map(|word| word.split_once('/'));
        let taken = names.filter(|(other, _)| *other == kind).map(|(_, name)| name.to_owned()).collect();
        return What::Names { kind: kind.into(), with_type: true, taken };
    }
    match words {
        [] => What::Types { begun, commands },
        [first, ..] if first.contains('/') => What::TypesWithSlash,
        // If several types are given, the names of the first one are offered.
        [first, names @ ..] => {
            let kind = first.split(',').next().unwrap_or(first).to_owned();
            What::Names { kind, with_type: false, taken: names.iter().cloned().collect() }
        }
    }
}

/// The types with objects that can be deleted, as kubectl writes them. If a short name was typed,
/// it is used.
fn types(discovery: &Discovery, begun: &str) -> Vec<String> {
    let (before, last) = begun.rsplit_once(',').map_or(("", begun), |(before, last)| (&begun[..=before.len()], last));
    let deletable = || discovery.listable().filter(|resource| resource.can("delete"));
    let is_short = |resource: &Resource| resource.short_names.iter().any(|short| short == last);
    let short = deletable().any(is_short).then(|| last.to_owned());
    let mut names: Vec<String> = deletable().map(|resource| resource.id.short()).collect();
    names.sort();
    short.into_iter().chain(names).map(|name| format!("{before}{name}")).collect()
}

async fn place(connected: &Connected, kind: &str, namespace: &str) -> Option<TargetName> {
    let named = (kind.to_owned(), String::new());
    if let Some(known) = words::resolve_early(&named, namespace) {
        return Some(known);
    }
    words::resolve(&named, &discover(&connected.api).await.ok()?, namespace).ok()
}

fn namespaces() -> ResourceId {
    ResourceId::new("", "v1", "namespaces")
}

async fn names(connected: &Connected, resource: &ResourceId, namespace: Option<&str>) -> Option<Vec<Object>> {
    listed(&connected.api, &Want::list(resource, namespace, Form::Metadata), None).await.ok()
}

/// Puts objects that are being deleted first, beginning with the longest deletion: they are
/// probably wanted.
fn in_order(mut objects: Vec<Object>, written: impl Fn(&str) -> String) -> Candidates {
    objects.sort_by_cached_key(|object| {
        let asked = object.deletion_asked();
        (asked.is_none(), asked, object.name().to_owned())
    });
    let now = Timestamp::now();
    let about = |object: &Object| {
        let since = object.deletion_asked().map(|asked| now.duration_since(asked));
        since.map(|since| format!("terminating for {}", age(since))).unwrap_or_default()
    };
    let words = objects.iter().map(|object| (written(object.name()), about(object))).collect();
    Candidates { directive: NO_FILES | IN_ORDER, ..Candidates::new(words) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::cli::complete::read;
    use serde_json::json;

    fn resource(group: &str, plural: &str, short: &str, verbs: &[&str]) -> Resource {
        Resource {
            short_names: vec![short.into()],
            verbs: verbs.iter().map(ToString::to_string).collect(),
            ..Resource::tested(group, plural, "", true)
        }
    }

    #[test]
    fn only_deletable_types_are_offered() {
        let both = ["list", "delete"];
        let resources = vec![
            resource("", "pods", "po", &both),
            resource("apps", "deployments", "deploy", &both),
            resource("", "bindings", "", &["create"]),
            resource("", "componentstatuses", "cs", &["list"]),
        ];
        let discovery = Discovery { resources, stale: Vec::new() };
        assert_eq!(types(&discovery, ""), ["deployments.apps", "pods"]);
        assert_eq!(types(&discovery, "deploy")[0], "deploy");
        assert_eq!(types(&discovery, "svc,po"), ["svc,po", "svc,deployments.apps", "svc,pods"]);
    }

    #[test]
    fn the_longest_deletions_come_first() {
        let object = |name: &str, going: Option<&str>| -> Object {
            serde_json::from_value(json!({"metadata": {"name": name, "deletionTimestamp": going}})).unwrap()
        };
        let (early, late) = (Some("2026-01-01T00:00:00Z"), Some("2026-01-02T00:00:00Z"));
        let found =
            in_order(vec![object("a", None), object("y", late), object("z", early), object("b", None)], |name| {
                format!("ns/{name}")
            });
        let words: Vec<&str> = found.words.iter().map(|(word, _)| word.as_str()).collect();
        assert_eq!(words, ["ns/z", "ns/y", "ns/a", "ns/b"]);
        assert!(found.words[0].1.starts_with("terminating for "), "{found:?}");
        assert_eq!(found.directive, NO_FILES | IN_ORDER);
    }

    #[test]
    fn the_request_follows_from_the_typed_words() {
        let of = |typed: &str| {
            let words: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            what(&read(&Cli::line(), &words))
        };
        assert!(matches!(of("po,sv"), What::Types { begun, commands } if begun == "po,sv" && !commands.is_empty()));
        assert!(matches!(of("owners "), What::Types { commands, .. } if commands.is_empty()));
        let names = |typed: &str| match of(typed) {
            What::Names { kind, with_type, taken } => {
                (kind, with_type, taken.into_iter().collect::<Vec<_>>().join(" "))
            }
            _ => panic!("{typed}"),
        };
        assert_eq!(names("po,svc a b "), ("po".into(), false, "a b".into()));
        assert_eq!(names("survey preflight ns "), ("ns".into(), false, String::new()));
        assert_eq!(names("po/a svc/b po/"), ("po".into(), true, "a".into()));
        assert!(matches!(of("po/a "), What::TypesWithSlash));
        assert!(matches!(of("-n "), What::Namespaces));
    }
}
