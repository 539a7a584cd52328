//! In which order to delete: what needs somebody who goes with the target, then the
//! registrations that would be left without anybody behind them, then the target.

use super::Going;
use crate::diagnosis::outside;
use crate::diagnosis::report::{Ref, Target as TargetReport};
use crate::knowledge::catalogue;
use crate::plan::steps::delete_on_request;
use crate::plan::{Risk, Step, in_namespace, quote};
use crate::survey::{Cascade, Object, Seen};
use serde::Serialize;

/// So many objects are named in one command.
const NAMED: usize = 20;

/// When something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// While everybody who serves them is there still.
    Objects,
    /// When nothing is left that needs them.
    Registrations,
}

/// One turn of a deletion: what goes now. The commands wait until it is gone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// What is done, in the imperative.
    pub title: String,
    /// Why now; nothing of what was asked for itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What it may cost.
    pub risk: Risk,
    /// What follows from it.
    pub consequence: String,
    /// The kubectl commands, each of which waits for its effect.
    pub commands: Vec<String>,
    /// The same as steps; none where a person has to do it.
    pub steps: Vec<Step>,
}

/// The turns in order, the targets themselves last.
pub(super) fn of(
    turns: impl Iterator<Item = (Phase, Turn)>,
    targets: &[&TargetReport],
    going: &Going<'_>,
) -> Vec<Turn> {
    let mut first: Vec<(Phase, Turn)> = Vec::new();
    for (phase, turn) in turns {
        if !first.iter().any(|(_, known)| known.commands == turn.commands) {
            first.push((phase, turn));
        }
    }
    first.sort_by_key(|(phase, _)| *phase);
    let last = targets.iter().map(|target| target_itself(&target.object, going.cascade));
    first.into_iter().map(|(_, turn)| turn).chain(last).collect()
}

/// The target itself.
fn target_itself(object: &Ref, cascade: Cascade) -> Turn {
    let step = delete_on_request::step(object, cascade);
    let (risk, consequence) = match object.kind.as_str() {
        "Namespace" => (Risk::LosesData, "everything in it is deleted"),
        "CustomResourceDefinition" => (Risk::LosesData, "every object of its kind is deleted, in all namespaces"),
        "PersistentVolumeClaim" | "PersistentVolume" => (Risk::LosesData, "its data may be deleted with it"),
        _ => (Risk::Disruptive, "it cannot be brought back but by making it again"),
    };
    Turn {
        title: step.title(),
        why: String::new(),
        risk,
        consequence: consequence.into(),
        commands: vec![delete_on_request::waiting_command(object, cascade)],
        steps: vec![step],
    }
}

/// Objects that must go while somebody who goes with the target is there still.
/// `all` says that nothing else of their kind is in their namespace.
pub(super) fn objects(objects: &[Seen<'_>], all: bool, why: String) -> Turn {
    let all_of_them: Vec<Ref> = objects.iter().map(|seen| (*seen).into()).collect();
    let steps: Vec<Step> =
        all_of_them.iter().map(|object| delete_on_request::step(object, Cascade::Background)).collect();
    let resource = objects[0].resource.id.short();
    let mut commands = Vec::new();
    let mut namespaces: Vec<&Option<String>> = all_of_them.iter().map(|object| &object.namespace).collect();
    namespaces.dedup();
    for namespace in namespaces {
        let here: Vec<&Ref> = all_of_them.iter().filter(|object| object.namespace == *namespace).collect();
        let place = in_namespace(here[0]);
        if all && here.len() > 1 {
            commands.push(format!("kubectl delete {} --all{place} --timeout=5m", quote(&resource)));
            continue;
        }
        commands.extend(here.chunks(NAMED).map(|some| {
            let names: Vec<String> = some.iter().map(|object| quote(&object.name)).collect();
            format!("kubectl delete {} {}{place} --timeout=5m", quote(&resource), names.join(" "))
        }));
    }
    let (risk, consequence) = cost(objects);
    Turn { title: format!("delete {}", super::in_words(objects)), why, risk, consequence, commands, steps }
}

/// What the deletion of objects costs: what their controllers destroy.
fn cost(objects: &[Seen<'_>]) -> (Risk, String) {
    let mut keys = objects.iter().flat_map(|seen| &seen.object.metadata.finalizers);
    let destroyed = keys.find_map(|key| catalogue::lookup(key)?.if_finished);
    match destroyed {
        Some(text) => (Risk::LosesData, format!("their controller does its clean-up: {text}")),
        None => (Risk::Disruptive, "their controller does its clean-up; they can only be made again".into()),
    }
}

/// A registration that would be left without anybody behind it.
pub(super) fn registration(object: &Ref, why: String, consequence: &str) -> Turn {
    let step = delete_on_request::step(object, Cascade::Background);
    Turn {
        title: step.title(),
        why,
        risk: Risk::Disruptive,
        consequence: consequence.into(),
        commands: vec![delete_on_request::waiting_command(object, Cascade::Background)],
        steps: vec![step],
    }
}

/// Something that a person has to do.
pub(super) fn by_hand(title: String, why: String, command: String) -> Turn {
    Turn {
        title,
        why,
        risk: Risk::Manual,
        consequence: "nothing is lost".into(),
        commands: vec![command],
        steps: Vec::new(),
    }
}

/// What an object stands for outside the cluster, in words.
pub(super) fn outside_of(object: &Object) -> Vec<String> {
    outside::of(object).into_iter().map(|found| found.what).collect()
}
