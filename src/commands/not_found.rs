//! Targets that do not exist: reports where they were looked for, and similar names.

use super::source::{Diagnosed, Live};
use super::{interrupt, out};
use crate::cli::Options;
use crate::export::Printer;
use crate::failure::{Failure, Hint};
use crate::plan::{one, quote};
use crate::plugin::COMMAND;
use crate::read::gather::{Freshness, named, read_apart};
use crate::report::{OwnerState, OwnershipReport, State, some_of};
use crate::survey::{Fact, Form, Survey, TargetName, Want, near};

/// Reports the targets that do not exist.
///
/// # Errors
/// When none of them exists.
pub async fn say(live: &Live, diagnosed: &Diagnosed, options: &Options) -> Result<(), Failure> {
    say_of(live, &missing(diagnosed), diagnosed.report.targets.len(), options).await
}

/// Reports where each of the `missing` was looked for. `targets` is the number of all targets.
///
/// # Errors
/// When none of the targets exists: then there is nothing to show.
pub async fn say_of(live: &Live, missing: &[&TargetName], targets: usize, options: &Options) -> Result<(), Failure> {
    if missing.is_empty() || options.ignore_not_found {
        return Ok(());
    }
    // Programs get their report in any case.
    let all = missing.len() == targets && matches!(options.output.printer(), Printer::Screen(_));
    let mut failures = failures(live, missing).await;
    let last = if all { failures.pop() } else { None };
    for failure in &failures {
        out::talk(failure);
    }
    last.map_or(Ok(()), Err)
}

/// The targets that do not exist.
pub fn missing(diagnosed: &Diagnosed) -> Vec<&TargetName> {
    let targets = diagnosed.report.targets.iter().zip(&diagnosed.survey.targets);
    targets.filter(|(target, _)| target.state == State::Gone).map(|(_, name)| name).collect()
}

/// The targets that do not exist, in a report about owners.
pub fn missing_nodes<'s>(report: &OwnershipReport, survey: &'s Survey) -> Vec<&'s TargetName> {
    let targets = report.targets.iter().zip(&survey.targets);
    targets.filter(|(node, _)| node.state == OwnerState::Missing).map(|(_, name)| name).collect()
}

/// A failure for each of the `missing`: where it was looked for, and similar names.
pub async fn failures(live: &Live, missing: &[&TargetName]) -> Vec<Failure> {
    // Each kind and namespace is read once, however many targets it has.
    let lists = missing.iter().map(|target| list(target)).collect();
    let survey = read_apart(&live.connected.api, lists, Freshness::Cached).await;
    let mut failures = Vec::new();
    for (place, name) in missing.iter().enumerate() {
        let elsewhere = if place < LOOKED_FOR { elsewhere(live, name).await } else { Vec::new() };
        failures.push(failure(live, &survey, name, &elsewhere));
    }
    failures
}

/// How many missing objects are searched in other namespaces; each takes a request.
const LOOKED_FOR: usize = 5;

/// The other namespaces with an object of this name. Those in which it is being deleted come first.
async fn elsewhere(live: &Live, name: &TargetName) -> Vec<String> {
    if name.namespace.is_none() {
        return Vec::new();
    }
    let found = interrupt::unless(async { Ok(named(&live.connected.api, &name.resource, &name.name).await) }).await;
    let mut found = found.ok().and_then(Result::ok).unwrap_or_default();
    // A server that ignores the field selector lists everything.
    found.retain(|object| object.name() == name.name);
    found.sort_by_key(|object| !object.is_deleting());
    found.iter().filter_map(|object| object.metadata.namespace.as_deref()).map(str::to_owned).collect()
}

/// `found in namespace storage`, with `kubectl unstick pods db-0 -n storage`
fn found_in(namespaces: &[String], name: &TargetName) -> Option<Hint> {
    let first = namespaces.first()?;
    let word = if namespaces.len() == 1 { "namespace" } else { "namespaces" };
    let command = format!("{COMMAND} {} -n {}", one(&name.resource.short(), &name.name), quote(first));
    Some(Hint::from(format!("found in {word} {}", some_of(namespaces, 3))).command(command))
}

fn failure(live: &Live, survey: &Survey, name: &TargetName, elsewhere: &[String]) -> Failure {
    let place = name.namespace.as_ref().map(|namespace| format!(" in namespace {namespace}")).unwrap_or_default();
    let near = near_names(survey, name);
    let hint = if let Some(found) = found_in(elsewhere, name) {
        found
    } else if near.is_empty() && name.resource.plural == "namespaces" {
        Hint::from("already deleted? with --ignore-not-found the exit code is 0; this shows what is left of it")
            .command(format!("{COMMAND} orphans -n {}", quote(&name.name)))
    } else if near.is_empty() {
        "already deleted? with --ignore-not-found the exit code is 0".into()
    } else {
        let near = near.join(", ");
        format!("did you mean {near}? Or is it already deleted? (with --ignore-not-found the exit code is 0)").into()
    };
    Failure::unknown(format!(
        "{} {:?} not found{place} (context {})",
        name.resource.short(),
        name.name,
        live.connected.context.as_deref().unwrap_or("none")
    ))
    .hint(hint)
}

fn list(target: &TargetName) -> Want {
    Want::list(&target.resource, target.namespace.as_deref(), Form::Metadata)
}

fn near_names(survey: &Survey, target: &TargetName) -> Vec<String> {
    let Some(Fact::Listed(objects)) = survey.fact(&list(target)) else { return Vec::new() };
    let near = objects.iter().filter_map(|object| Some((near(&target.name, object.name())?, object.name())));
    let mut near: Vec<(usize, &str)> = near.collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}
