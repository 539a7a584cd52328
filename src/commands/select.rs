//! Selects objects that are not named one by one: by a TYPE alone, a label selector, all
//! namespaces, or manifests.

use super::manifests::{self, Manifest};
use super::outside;
use super::source::{self, Diagnosed, Live};
use super::words::{self, TypeAndName};
use crate::cli::Cli;
use crate::failure::{Failure, Hint};
use crate::plugin::COMMAND;
use crate::read::gather::listed;
use crate::screen::Shown;
use crate::survey::{Discovery, Form, Object, Purpose, Resource, TargetName, Want};

/// The selection of the command line.
#[derive(Debug)]
pub enum Selected {
    /// Named objects. If empty, every namespace that is being deleted.
    Named(Vec<TypeAndName>),
    /// Objects of these types that are being deleted.
    Types(Vec<String>),
    /// Objects that are named in manifests.
    Manifests(Vec<Manifest>),
}

/// Parses the arguments and the flags that replace them.
///
/// # Errors
/// When they contradict each other, or a manifest cannot be read.
pub fn asked(cli: &Cli) -> Result<Selected, Failure> {
    let (words, selection) = (&cli.words, &cli.selection);
    let refuse = |what: &str, hint: Hint| Err(Failure::unknown(what).hint(hint));
    let not_named = selection.not_named();
    if let Some(flag) = not_named.filter(|_| cli.options.from.is_some()) {
        return refuse(
            &format!("{flag} cannot be used with --from, which reads a file"),
            "write TYPE NAME to diagnose".into(),
        );
    }
    if let Some(flag) = selection.manifests.given() {
        if !words.is_empty() {
            return Err(Failure::contradiction(format!(
                "{flag} cannot be used with TYPE or NAME: the manifests name the objects"
            )));
        }
        if selection.selector.is_some() || selection.all_namespaces {
            return Err(Failure::contradiction(format!(
                "{flag} cannot be used with -l or -A: the manifests name the objects"
            )));
        }
        return manifests::read(&selection.manifests).map(Selected::Manifests);
    }
    match (words.as_slice(), not_named) {
        ([], Some(flag)) => {
            let hint = Hint::from("for example").command(format!("{COMMAND} pods -A"));
            refuse(&format!("{flag} needs a TYPE"), hint.command(format!("{COMMAND} pods -l app=web")))
        }
        ([], None) => Ok(Selected::Named(Vec::new())),
        ([types], _) if !types.contains('/') && cli.options.from.is_none() => words::types(types).map(Selected::Types),
        (_, Some("--all-namespaces")) => {
            let hint = Hint::from("leave out one of them").command(format!("{COMMAND} TYPE -A"));
            refuse("-A cannot be used with a NAME", hint.command(format!("{COMMAND} TYPE NAME -n NAMESPACE")))
        }
        (_, Some(flag)) => Err(Failure::contradiction(format!("{flag} cannot be used with a NAME"))),
        (words, None) => words::parse(words).map(Selected::Named),
    }
}

/// The report on the selected objects from the file of `--from`; `None` without that flag.
///
/// # Errors
/// When the selection does not name them, or the file does not contain them.
pub async fn recorded(cli: &Cli) -> Result<Option<Diagnosed>, Failure> {
    if cli.options.from.is_none() {
        return Ok(None);
    }
    let Selected::Named(named) = asked(cli)? else {
        return Err(Failure::unknown("survey needs the names of objects"));
    };
    source::recorded(cli, &named, &Purpose::Targets).await
}

/// Connects, and finds the selected objects.
///
/// # Errors
/// When the cluster cannot be reached, or a fact that decides the selection is unread.
pub async fn connect(cli: &Cli) -> Result<Live, Failure> {
    let (types, manifests) = match asked(cli)? {
        Selected::Named(named) => return Live::connect(cli, named).await,
        Selected::Types(types) => (types, Vec::new()),
        Selected::Manifests(manifests) => (Vec::new(), manifests),
    };
    let live = Live::connect(cli, Vec::new()).await?;
    let discovery = live.discovery().await?;
    let (mut targets, mut lists) = (Vec::new(), Vec::new());
    for kind in types {
        let resource = words::resource(&kind, &discovery)?;
        let namespace = (resource.namespaced && !cli.selection.all_namespaces).then(|| live.namespace());
        let want = Want::list(&resource.id, namespace, Form::Metadata);
        targets.extend(being_deleted(resource, &want, &live, cli).await?);
        lists.push((want, cli.selection.selector.clone()));
    }
    for manifest in manifests {
        targets.push(place(&manifest, &discovery, &live, cli.connection.namespace.as_deref())?);
    }
    live.choose(targets);
    Ok(live.taken_from(lists))
}

/// The sentence for selected types of which nothing is being deleted.
///
/// # Errors
/// When the namespace does not exist.
pub async fn nothing(cli: &Cli, live: &Live) -> Result<Shown, Failure> {
    let is_of_a_place = live.lists().iter().any(|(want, _)| want.namespace.is_some());
    if is_of_a_place {
        outside::must_exist(live, live.namespace()).await?;
    }
    let types = cli.words.first().map_or("objects", String::as_str);
    let place = match (types, cli.selection.all_namespaces) {
        ("ns" | "namespace" | "namespaces", _) => String::new(),
        (_, true) => " in any namespace".to_owned(),
        (_, false) => format!(" in namespace {}", live.namespace()),
    };
    let matching =
        cli.selection.selector.as_ref().map(|selector| format!(" that match {selector}")).unwrap_or_default();
    let said = format!("none of the {types}{matching}{place} is being deleted");
    Ok(outside::and_in_other_namespaces(said, cli, live).await)
}

async fn being_deleted(resource: &Resource, want: &Want, live: &Live, cli: &Cli) -> Result<Vec<TargetName>, Failure> {
    let objects = listed(&live.connected.api, want, cli.selection.selector.as_deref()).await;
    let objects = objects.map_err(|why| {
        Failure::unknown(format!("{want} cannot be listed: {why}"))
            .hint("name the objects")
            .command(format!("{COMMAND} TYPE NAME"))
    })?;
    let going = objects.into_iter().filter(Object::is_deleting);
    Ok(going.map(|object| TargetName::of(&resource.id, &object)).collect())
}

/// The place of a manifest's object. `given` is the namespace of `-n`.
///
/// # Errors
/// When the server serves no such kind, or the namespaces contradict each other.
pub fn place(
    manifest: &Manifest,
    discovery: &Discovery,
    live: &Live,
    given: Option<&str>,
) -> Result<TargetName, Failure> {
    let Manifest { api_version, kind, namespace, name, .. } = manifest;
    let known = discovery.by_kind(api_version, kind).map(|found| words::real(found, discovery));
    let resource = known.ok_or_else(|| {
        Failure::unknown(format!("the server serves no kind {kind:?} in {api_version:?}"))
            .hint("this lists the types")
            .command("kubectl api-resources")
    })?;
    let namespace =
        if resource.namespaced { Some(agreed(namespace.as_deref(), given)?.unwrap_or(live.namespace())) } else { None };
    Ok(TargetName { resource: resource.id.clone(), namespace: namespace.map(str::to_owned), name: name.clone() })
}

/// The namespace of a manifest and of `-n`, which must agree. The message is kubectl's
/// (kubernetes/kubernetes: `staging/src/k8s.io/cli-runtime/pkg/resource/visitor.go`).
fn agreed<'a>(named: Option<&'a str>, given: Option<&'a str>) -> Result<Option<&'a str>, Failure> {
    match (named, given) {
        (Some(named), Some(given)) if named != given => Err(Failure::unknown(format!(
            "the namespace from the provided object \"{named}\" does not match the namespace \"{given}\". You must pass \
             '--namespace={named}' to perform this operation."
        ))),
        _ => Ok(named.or(given)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn asked_by(line: &str) -> Result<Selected, Failure> {
        asked(&Cli::try_parse_from(std::iter::once("kubectl-unstick").chain(line.split_whitespace())).unwrap())
    }

    #[test]
    fn a_type_alone_selects_its_terminating_objects() {
        assert!(matches!(asked_by("pods,svc"), Ok(Selected::Types(types)) if types == ["pods", "svc"]));
        assert!(matches!(asked_by("pods -A -l app=web"), Ok(Selected::Types(_))));
        assert!(matches!(asked_by("pods web"), Ok(Selected::Named(_))));
        assert!(matches!(asked_by("pods/web"), Ok(Selected::Named(_))));
        assert!(matches!(asked_by("-w"), Ok(Selected::Named(named)) if named.is_empty()));
    }

    #[test]
    fn contradicting_selections_are_refused_with_a_reason() {
        for (line, reason) in [
            ("-A", "needs a TYPE"),
            ("-l a=b", "needs a TYPE"),
            ("pods web -A", "-A cannot be used with a NAME"),
            ("pods web -l a=b", "cannot be used with a NAME"),
            ("pods/web -l a=b", "cannot be used with a NAME"),
            ("pods -f x.yaml", "the manifests name the objects"),
            ("-f x.yaml -A", "cannot be used with -l or -A"),
            ("-k overlays -l a=b", "-k cannot be used with -l or -A"),
            ("-f /nowhere/x.yaml", "cannot be read"),
            ("pods -A --from x", "--from, which reads a file"),
            ("pods,", "TYPE is empty"),
        ] {
            let text = asked_by(line).unwrap_err().to_string();
            assert!(text.contains(reason), "{line}: {text}");
        }
    }

    #[test]
    fn a_manifest_and_the_flag_name_one_namespace() {
        assert_eq!(agreed(Some("a"), Some("a")).unwrap(), Some("a"));
        assert_eq!((agreed(Some("a"), None).unwrap(), agreed(None, Some("b")).unwrap()), (Some("a"), Some("b")));
        assert_eq!(
            agreed(Some("a"), Some("b")).unwrap_err().to_string(),
            "the namespace from the provided object \"a\" does not match the namespace \"b\". You must pass \
             '--namespace=a' to perform this operation."
        );
    }
}
