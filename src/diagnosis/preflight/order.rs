//! The order of deletions: first objects that need a program which is deleted with the target, then the
//! registrations that would be left without a backend, then the target.

use super::precedence::Precedence;
use super::product::Set;
use super::storage;
use crate::facts::is_namespace;
use crate::knowledge::catalogue;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::inventory;
use crate::needs::{Cost, Phase};
use crate::plan::deletion::{self, Circumstance};
use crate::plan::steps::delete_on_request;
use crate::report::{InstalledKind, ObjectNote, Ref, Risk, TargetReport, Turn};
use crate::survey::{Cascade, Object, Seen, TargetName};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many consequences of a deletion one question names.
const MAX_COSTS: usize = 3;

/// The cost of deleting a target itself, of the volumes behind it, and of what the controllers of its content
/// destroy. `known` is what is known of the target.
pub(super) fn costs(
    target: Seen<'_>,
    known: Circumstance,
    content: &[Seen<'_>],
    volumes: Option<&[Object]>,
) -> Vec<Cost> {
    // The deletion of everything in a namespace is announced anyway.
    let is_namespace = is_namespace(target.resource);
    let (risk, text) = deletion::cost_with_disk(&target, known, volumes);
    let with_it = if deletion::is_cleaned_up(&target) { inventory::in_words(target.object) } else { String::new() };
    let own = Cost { object: target.into(), risk, text: text + &with_it };
    std::iter::once(own).chain(costs_of(content, is_namespace, volumes)).collect()
}

/// Like [`costs`], for the objects that are deleted with a target.
pub(super) fn costs_of(content: &[Seen<'_>], in_namespace: bool, volumes: Option<&[Object]>) -> Vec<Cost> {
    let live = content.iter().filter(|seen| !seen.object.is_deleting());
    let costs = live.flat_map(|seen| {
        let disk = storage::cost(*seen, volumes).filter(|_| !in_namespace);
        let destroyed = catalogue::destroyed(&seen.object.metadata.finalizers);
        destroyed.map(|text| loses(*seen, text.to_owned())).chain(disk)
    });
    costs.collect()
}

fn loses(seen: Seen<'_>, text: String) -> Cost {
    Cost { object: seen.into(), risk: Risk::LosesData, text }
}

/// The costs of the objects that are deleted after an object, by the uid of that object.
pub(super) fn owned_costs<'s>(set: &Set<'s>, volumes: Option<&[Object]>) -> HashMap<&'s str, Vec<Cost>> {
    let costs = |seen: &Seen<'s>| {
        let known = costs_of(&[*seen], false, volumes);
        let guards = seen.object.metadata.finalizers.iter().find_map(|key| Some(catalogue::lookup(key)?.guards));
        let text = guards.map_or_else(
            || "its controller cleans up".to_owned(),
            |it| format!("its controller does its clean-up: {it}"),
        );
        let risk = deletion::cost(seen, Circumstance::Ordinary).0;
        if known.is_empty() { vec![Cost { object: (*seen).into(), risk, text }] } else { known }
    };
    set.owned.iter().map(|(uid, owned)| (*uid, owned.iter().flat_map(costs).collect())).collect()
}

/// The turns in order, the targets last, each with its consequences. Targets that are deleted as one are
/// ordered among themselves, and those of one kind are one turn. `precedence` is the order of the objects
/// that operators reconcile; `owned` are the costs of the objects that are deleted after an object, by its
/// uid.
pub(super) fn of(
    mut turns: Vec<(Phase, Turn)>,
    targets: &[(&TargetReport, &[Cost])],
    cascade: Cascade,
    set: &Set<'_>,
    precedence: &Precedence,
    owned: &HashMap<&str, Vec<Cost>>,
) -> Vec<Turn> {
    // One target may need a turn earlier than another does.
    turns.sort_by_key(|(phase, _)| *phase);
    let mut known = HashSet::new();
    turns.retain(|(_, turn)| known.insert(turn.commands.clone()));
    let before = turns.iter().flat_map(|(_, turn)| &turn.steps);
    let mut before: HashSet<String> = before.map(|step| step.object.uid.clone()).collect();
    let after = before.iter().filter_map(|uid| owned.get(uid.as_str())).flatten();
    let after: Vec<String> = after.map(|cost| cost.object.uid.clone()).collect();
    before.extend(after);
    let first = turns.into_iter().map(|(phase, turn)| (phase, with_owned(turn, owned)));
    let of_target = |target: &TargetReport, costs: &[Cost]| {
        let lost = lost_definitions(&target.object, set);
        let is_left = |cost: &&Cost| cost.object.uid == target.object.uid || !before.contains(&cost.object.uid);
        let left: Vec<&Cost> = costs.iter().filter(is_left).chain(&lost).collect();
        target_itself(&target.object, cascade, &left)
    };
    if !set.is_one {
        let own = targets.iter().map(|(target, costs)| of_target(target, costs));
        return first.map(|(_, turn)| turn).chain(own).collect();
    }
    let mut ranked: Vec<(Rank, Turn)> = first.map(|(phase, turn)| (Rank::of_phase(phase), turn)).collect();
    let mut own: Vec<(Rank, &TargetReport, &[Cost])> = targets
        .iter()
        .filter(|(target, _)| !before.contains(&target.object.uid))
        .map(|(target, costs)| (Rank::in_set(&target.object, set), *target, *costs))
        .collect();
    own.sort_by_key(|(rank, _, _)| *rank);
    let alike = |one: &(Rank, &TargetReport, &[Cost]), next: &(Rank, &TargetReport, &[Cost])| {
        one.0 == next.0
            && one.1.object.resource == next.1.object.resource
            && one.1.object.namespace == next.1.object.namespace
    };
    for group in own.chunk_by(alike) {
        let turns = group.iter().map(|(_, target, costs)| of_target(target, costs)).collect();
        ranked.extend(Turn::together(turns).into_iter().map(|turn| (group[0].0, turn)));
    }
    // Turns of the same rank keep their order: objects that must be deleted early come before the targets.
    ranked.sort_by_key(|(rank, _)| *rank);
    let begin = ranked.partition_point(|(rank, _)| *rank < Rank::Objects);
    let end = ranked.partition_point(|(rank, _)| *rank <= Rank::Objects);
    let mut turns: Vec<Turn> = ranked.into_iter().map(|(_, turn)| turn).collect();
    let objects: Vec<Turn> = turns.drain(begin..end).collect();
    turns.splice(begin..begin, precedence.arrange(objects));
    turns
}

/// The first object that `kubectl delete` would delete too early: it deletes objects in the order in
/// which they are named, or in which they stand in the files.
pub(super) fn against_the_given_order(given: &[TargetName], order: &[Turn]) -> Option<ObjectNote> {
    let places: BTreeMap<&TargetName, usize> = given.iter().zip(0..).collect();
    let mut last: Option<(usize, &Ref)> = None;
    for object in order.iter().flat_map(|turn| &turn.steps).map(|step| &step.object) {
        let Some(at) = places.get(&object.target()).copied() else { continue };
        match last {
            Some((place, before)) if at < place && before.resource != object.resource => {
                let why = format!("kubectl delete follows the given order and would delete it before {before}");
                return Some(ObjectNote { object: object.clone(), why: why.into() });
            }
            Some((place, _)) if at < place => {}
            _ => last = Some((at, object)),
        }
    }
    None
}

/// A turn with the costs of the objects that are deleted after its own.
fn with_owned(turn: Turn, owned: &HashMap<&str, Vec<Cost>>) -> Turn {
    let costs: Vec<&Cost> =
        turn.steps.iter().filter_map(|step| owned.get(step.object.uid.as_str())).flatten().collect();
    let Some(risk) = costs.iter().map(|cost| cost.risk).max() else { return turn };
    let own = turn.consequence.to_string();
    let words: Vec<String> = std::iter::once(own).chain(in_words(&turn.steps[0].object, &costs)).collect();
    Turn { risk: turn.risk.max(risk), consequence: words.join("; ").into(), ..turn }
}

/// The costs of the definitions that an installer's own object deletes although their kinds have objects.
/// If a definition is deleted by itself, its own turn says so.
fn lost_definitions(object: &Ref, set: &Set<'_>) -> Vec<Cost> {
    if !set.contents.contains_key(object.uid.as_str()) {
        return Vec::new();
    }
    let kinds = set.products.iter().flat_map(|product| &product.kinds);
    let lost = kinds.filter(|kind| kind.is_lost_with(std::iter::once(&object.uid)));
    let cost = |kind: &InstalledKind| Cost {
        object: object.clone(),
        risk: Risk::LosesData,
        text: format!("deletes {}, and with it all objects of this kind, in all namespaces", kind.resource),
    };
    lost.map(cost).collect()
}

/// Whether an object is reconciled by an operator, and so is ordered among others of that sort.
pub(super) fn is_taken_care_of(object: &Ref) -> bool {
    Rank::of(object) == Rank::Objects
}

/// The place in the order of an object that is deleted with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Registrations without a backend, which refuse everything that follows.
    Unanswered,
    /// Installers that create deleted objects again, and delete nothing themselves.
    Installers,
    /// Objects that the operator reconciles, while it runs.
    Objects,
    /// Registrations that call the operator, while it answers.
    Registrations,
    /// Workloads.
    Workloads,
    /// Objects that workloads use, and those that lead to them.
    Rest,
    /// Permissions: workloads need them as long as they run.
    Rights,
    /// Objects with data.
    Data,
    /// Namespaces with everything that is left in them.
    Namespaces,
    /// Definitions, when no instances are left.
    Definitions,
    /// Objects that their installer creates again as long as any part of the product exists.
    Counts,
}

impl Rank {
    fn of_phase(phase: Phase) -> Self {
        match phase {
            Phase::Unanswered => Self::Unanswered,
            Phase::Objects => Self::Objects,
            Phase::Registrations => Self::Registrations,
        }
    }

    /// The rank of an object in a set. An installer's own object that deletes workloads counts as a
    /// workload.
    fn in_set(object: &Ref, set: &Set<'_>) -> Self {
        let uid = object.uid.as_str();
        if set.counts.contains(uid) {
            return Self::Counts;
        }
        match (set.installers.contains(uid), set.contents.contains_key(uid)) {
            (true, true) => Self::Workloads,
            (true, false) => Self::Installers,
            (false, _) => Self::of(object),
        }
    }

    fn of(object: &Ref) -> Self {
        let target = object.target();
        match (target.resource.group.as_str(), object.resource.as_str()) {
            ("apiextensions.k8s.io", _) => Self::Definitions,
            ("admissionregistration.k8s.io" | "apiregistration.k8s.io", _) => Self::Registrations,
            ("apps" | "batch" | "autoscaling", _) | ("", "pods" | "replicationcontrollers") => Self::Workloads,
            ("rbac.authorization.k8s.io", _) | ("", "serviceaccounts") => Self::Rights,
            ("", "persistentvolumeclaims" | "persistentvolumes") => Self::Data,
            ("", "namespaces") => Self::Namespaces,
            (group, _) if is_custom(group) => Self::Objects,
            _ => Self::Rest,
        }
    }
}

/// The turn of a target itself, with the consequences of its deletion.
fn target_itself(object: &Ref, cascade: Cascade, costs: &[&Cost]) -> Turn {
    let step = delete_on_request::step(object, cascade);
    Turn {
        title: step.title().into(),
        risk: costs.iter().map(|cost| cost.risk).max().unwrap_or(Risk::Disruptive),
        consequence: in_words(object, costs).join("; ").into(),
        commands: vec![delete_on_request::waiting_command(object, cascade)],
        steps: vec![step],
        ..Turn::default()
    }
}

/// The consequences of a deletion: for the target itself, then for its content, with equal ones
/// combined.
pub(super) fn in_words(target: &Ref, costs: &[&Cost]) -> Vec<String> {
    let (own, others): (Vec<&Cost>, Vec<&Cost>) = costs.iter().partition(|cost| cost.object.uid == target.uid);
    let mut words: Vec<String> = own.into_iter().map(|cost| cost.text.clone()).collect();
    let mut by_text: BTreeMap<&str, Vec<&Ref>> = BTreeMap::new();
    for cost in others {
        by_text.entry(&cost.text).or_default().push(&cost.object);
    }
    let untold = by_text.len().saturating_sub(MAX_COSTS);
    words.extend(by_text.into_iter().take(MAX_COSTS).map(|(text, objects)| match &objects[..] {
        [only] => format!("also deleted: {only}: {text}"),
        several => format!("also deleted: {} and {} more: {text}", several[0], several.len() - 1),
    }));
    if untold > 0 {
        words.push(format!("and {untold} more clean-ups"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Named, Sentence};
    use crate::survey::Resource;
    use serde_json::json;

    /// A finalizer in the catalogue whose controller destroys something.
    const DESTROYS: &str = "resources-finalizer.argocd.argoproj.io";

    fn resource(group: &str, plural: &str, kind: &str) -> Resource {
        Resource::tested(group, plural, kind, true)
    }

    fn object(name: &str, finalizers: &[&str]) -> Object {
        let metadata = json!({"name": name, "namespace": "shop", "uid": name, "finalizers": finalizers});
        serde_json::from_value(json!({"metadata": metadata})).unwrap()
    }

    fn ordered(turns: Vec<(Phase, Turn)>, targets: &[(&TargetReport, &[Cost])]) -> Vec<Turn> {
        of(turns, targets, Cascade::Background, &Set::default(), &Precedence::default(), &HashMap::new())
    }

    fn ordinary(seen: &Seen<'_>) -> (Risk, String) {
        deletion::cost(seen, Circumstance::Ordinary)
    }

    fn turn(target: Seen<'_>, content: &[Seen<'_>], first: Option<Turn>) -> Turn {
        let report = TargetReport {
            object: target.into(),
            state: crate::report::State::WouldGo,
            since: None,
            summary: "".into(),
        };
        let costs = costs(target, Circumstance::Ordinary, content, None);
        let turns = first.into_iter().map(|turn| (Phase::Objects, turn)).collect();
        ordered(turns, &[(&report, &costs)]).pop().unwrap()
    }

    #[test]
    fn a_target_costs_what_its_own_finalizers_destroy() {
        let applications = resource("argoproj.io", "applications", "Application");
        let (plain, held) = (object("plain", &["acme.io/x"]), object("blog", &[DESTROYS]));
        let plain = turn(Seen { resource: &applications, object: &plain }, &[], None);
        assert_eq!(plain.risk, Risk::Disruptive);
        let held = turn(Seen { resource: &applications, object: &held }, &[], None);
        assert_eq!(held.risk, Risk::LosesData);
        assert!(held.consequence.contains("its controller does its clean-up: "), "{}", held.consequence);
    }

    #[test]
    fn a_target_costs_its_dependents_unless_deleted_before() {
        let (sets, applications, claims) = (
            resource("", "configmaps", "ConfigMap"),
            resource("argoproj.io", "applications", "Application"),
            resource("", "persistentvolumeclaims", "PersistentVolumeClaim"),
        );
        let (set, blog, shop) = (object("all", &[]), object("blog", &[DESTROYS]), object("shop", &[DESTROYS]));
        let (set, with) = (
            Seen { resource: &sets, object: &set },
            [&blog, &shop].map(|object| Seen { resource: &applications, object }),
        );
        let alone = turn(set, &[], None);
        assert_eq!(alone.risk, Risk::Disruptive);
        let both = turn(set, &with, None);
        assert_eq!(both.risk, Risk::LosesData);
        assert!(both.consequence.contains("also deleted: Application shop/blog and 1 more: "), "{}", both.consequence);
        let before = Turn::objects(&with, true, String::new(), ordinary);
        assert_eq!((before.risk, turn(set, &with, Some(before.clone())).risk), (Risk::LosesData, Risk::Disruptive));
        let data = object("data", &["kubernetes.io/pvc-protection"]);
        let unknown = turn(set, &[Seen { resource: &claims, object: &data }], None);
        assert_eq!(unknown.risk, Risk::LosesData, "{}", unknown.consequence);
    }

    #[test]
    fn the_reclaim_policy_decides_what_a_claim_costs() {
        let claims = resource("", "persistentvolumeclaims", "PersistentVolumeClaim");
        let data = object("data", &[]);
        let cost = |policy: &str| {
            let volume = json!({"metadata": {"name": "pv-1", "uid": "v"},
                "spec": {"persistentVolumeReclaimPolicy": policy, "claimRef": {"uid": "data"}}});
            let volumes = [Object::single(volume).unwrap()];
            let mut costs =
                costs(Seen { resource: &claims, object: &data }, Circumstance::Ordinary, &[], Some(&volumes));
            (costs.len(), costs.pop().map(|cost| (cost.risk, cost.text)).unwrap())
        };
        let deleted = "PersistentVolume pv-1 and the disk behind it are deleted, with the data".to_owned();
        assert_eq!(cost("Delete"), (1, (Risk::LosesData, deleted)));
        let stays = "PersistentVolume pv-1 stays with its data, in phase Released: nothing deletes it".to_owned();
        assert_eq!(cost("Retain"), (1, (Risk::Disruptive, stays)));
    }

    #[test]
    fn a_turn_that_two_targets_need_is_done_once() {
        let applications = resource("argoproj.io", "applications", "Application");
        let (blog, shop) = (object("blog", &[]), object("shop", &[]));
        let turn = |object| Turn::objects(&[Seen { resource: &applications, object }], true, String::new(), ordinary);
        let turns = [turn(&blog), turn(&shop), turn(&blog)].map(|turn| (Phase::Objects, turn));
        let titles: Vec<Sentence> = ordered(turns.into(), &[]).into_iter().map(|turn| turn.title).collect();
        assert_eq!(titles, [turn(&blog).title, turn(&shop).title]);
    }

    #[test]
    fn the_reclaim_policy_decides_what_a_volume_costs() {
        let kind = resource("", "persistentvolumes", "PersistentVolume");
        let volume = |uid: &str, policy: &str| {
            let volume =
                json!({"metadata": {"name": uid, "uid": uid}, "spec": {"persistentVolumeReclaimPolicy": policy}});
            Object::single(volume).unwrap()
        };
        let volumes = [volume("a", "Delete"), volume("b", "Retain")];
        let risk = |volume| {
            costs(Seen { resource: &kind, object: volume }, Circumstance::Ordinary, &[], Some(&volumes))
                .pop()
                .unwrap()
                .risk
        };
        assert_eq!((risk(&volumes[0]), risk(&volumes[1])), (Risk::LosesData, Risk::Disruptive));
    }

    #[test]
    fn further_clean_ups_are_counted() {
        let target = Ref::from(Named { uid: "top".into(), ..Named::default() });
        let cost = |number: usize| {
            let object = Ref::from(Named {
                kind: "Widget".into(),
                name: format!("w{number}"),
                uid: number.to_string(),
                ..Named::default()
            });
            Cost { object, risk: Risk::LosesData, text: format!("text {number}") }
        };
        let words = |count: usize| {
            let costs: Vec<Cost> = (0..count).map(cost).collect();
            in_words(&target, &costs.iter().collect::<Vec<_>>())
        };
        assert_eq!(words(MAX_COSTS).len(), MAX_COSTS);
        assert_eq!(words(MAX_COSTS + 2)[MAX_COSTS..], ["and 2 more clean-ups"]);
    }
}
