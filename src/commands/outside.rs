//! What is stuck outside of a selection in which nothing is being deleted, and whether the place of the
//! selection exists at all.

use super::out;
use super::source::{Diagnosed, Live};
use super::words::objects_are;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::plan::quote;
use crate::plugin::COMMAND;
use crate::read::gather::{Freshness, listed, read_apart};
use crate::report::{Report, State};
use crate::screen::{Shown, Talk};
use crate::survey::{Fact, Form, Object, ResourceId, Want};

/// Whether the call names nothing at all, so that it is about every namespace that is being deleted.
pub fn is_bare(cli: &Cli) -> bool {
    cli.words.is_empty() && cli.selection.manifests.given().is_none()
}

/// Whether the call names a namespace, or all of them, and nothing in it.
pub fn is_place_alone(cli: &Cli) -> bool {
    let has_place = cli.connection.namespace.is_some() || cli.selection.all_namespaces;
    is_bare(cli) && has_place && cli.options.from.is_none()
}

/// Surveys everything that is being deleted, in one pass that reads from the store.
///
/// # Errors
/// As for [`Live::diagnose`].
pub async fn look(live: &Live) -> Result<Diagnosed, Failure> {
    live.look_everywhere();
    live.diagnose(Freshness::Consistent).await
}

/// The sentence for a bare call when no namespace is being deleted, with what else is.
pub fn beside_namespaces(report: &Report, cli: &Cli) -> Shown {
    let count = |state: State| report.targets.iter().filter(|target| target.state == state).count();
    let (stuck, unknown, young) = (count(State::Stuck), count(State::Unknown), count(State::Progressing));
    let of_stuck = match stuck {
        1 => "but 1 other object is stuck".to_owned(),
        count => format!("but {count} other objects are stuck"),
    };
    let scan = "scan".to_owned();
    let (rest, words) = match () {
        () if stuck > 0 => (format!(", {of_stuck}"), scan),
        () if unknown > 0 => (format!("; {} being deleted, reason unknown", objects_are(unknown)), scan),
        () if !report.unread.is_empty() => ("; not every other object could be looked at".to_owned(), scan),
        () if young > 0 => (format!("; {} being deleted, nothing is wrong so far", objects_are(young)), scan),
        () => {
            let flag = if cli.selection.watch { " -w" } else { "" };
            (", and no other object is stuck; for one object".to_owned(), format!("TYPE NAME{flag}"))
        }
    };
    Shown::line_and_command(&format!("no namespace is being deleted{rest}:"), &format!("{COMMAND} {words}"))
}

/// Says that a call about namespaces has looked at nothing else.
pub fn say_not_looked_at() {
    out::talk(Talk::from("objects outside of these namespaces were not looked at:").command(format!("{COMMAND} scan")));
}

/// `said`, with how many objects of the selected types are being deleted in other namespaces.
pub async fn and_in_other_namespaces(said: String, cli: &Cli, live: &Live) -> Shown {
    let (mut count, mut is_unread) = (0, false);
    for (want, selector) in live.lists() {
        if want.namespace.is_none() {
            continue;
        }
        let everywhere = Want::list(&want.resource, None, Form::Metadata);
        match listed(&live.connected.api, &everywhere, selector.as_deref()).await {
            Ok(objects) => count += objects.iter().filter(|object| Object::is_deleting(object)).count(),
            Err(_) => is_unread = true,
        }
    }
    let types = cli.words.first().map(|types| quote(types)).unwrap_or_default();
    match () {
        () if count > 0 => {
            Shown::line_and_command(&format!("{said}; {count} in other namespaces:"), &format!("{COMMAND} {types} -A"))
        }
        () if is_unread => Shown::line(&format!("{said}; other namespaces were not looked at")),
        () => Shown::line(&said),
    }
}

/// Refuses to call a namespace empty that does not exist. One that cannot be read may exist.
///
/// # Errors
/// When the server says that it does not exist.
pub async fn must_exist(live: &Live, namespace: &str) -> Result<(), Failure> {
    let want = Want::get(&ResourceId::new("", "v1", "namespaces"), None, namespace, Form::Metadata);
    let survey = read_apart(&live.connected.api, [want.clone()].into(), Freshness::Consistent).await;
    if !matches!(survey.fact(&want), Some(Fact::Missing)) {
        return Ok(());
    }
    let context = live.connected.context.as_deref().unwrap_or("none");
    Err(Failure::unknown(format!("namespace {namespace:?} not found (context {context})"))
        .hint("this shows what is left of it")
        .command(format!("{COMMAND} orphans -n {}", quote(namespace))))
}

/// Refuses to say of a namespace that nothing is stuck in it if it does not exist.
///
/// # Errors
/// When it does not exist.
pub async fn has_its_place(report: &Report, cli: &Cli, live: &Live) -> Result<(), Failure> {
    let place = cli.connection.namespace.as_deref().filter(|_| report.targets.is_empty());
    if let Some(namespace) = place { must_exist(live, namespace).await } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Named, Note, Ref, TargetReport};

    fn beside(report: &Report) -> String {
        let cli = Cli::read(&["kubectl-unstick".into()]).unwrap();
        beside_namespaces(report, &cli).into()
    }

    #[test]
    fn a_bare_call_ends_with_the_next_command() {
        assert_eq!(
            beside(&Report::default()),
            "no namespace is being deleted, and no other object is stuck; for one object:\n  $ kubectl unstick TYPE NAME\n"
        );
        let unread = vec![Note::about("pods", "forbidden")];
        assert_eq!(
            beside(&Report { unread, ..Report::default() }),
            "no namespace is being deleted; not every other object could be looked at:\n  $ kubectl unstick scan\n"
        );
        let stuck = TargetReport { state: State::Stuck, ..TargetReport::new(Ref::from(Named::default())) };
        assert_eq!(
            beside(&Report { targets: vec![stuck], ..Report::default() }),
            "no namespace is being deleted, but 1 other object is stuck:\n  $ kubectl unstick scan\n"
        );
    }
}
