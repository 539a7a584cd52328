//! Places the targets in the graph of needs, and reads from the graph whatever is not a root: objects
//! that merely wait for a target, broken objects that block nothing, and the needs as the report lists
//! them.

use crate::facts::Facts;
use crate::needs::{Draft, Graph, Settled};
use crate::report::{Need, NeedKind, NeedState, ObjectNote, Ref, Requirement, State, TargetReport};
use crate::survey::ResourceId;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The content of a target that must be empty before its deletion.
enum Holds<'a> {
    Namespace(&'a str),
    /// The objects of a kind, by the name of its definition, `plural.group`.
    Instances(&'a str),
}

impl<'a> Holds<'a> {
    fn of(target: &'a Ref) -> Option<Self> {
        match (target.kind.as_str(), target.api_version.split('/').next()) {
            ("Namespace", Some("v1")) => Some(Self::Namespace(&target.name)),
            ("CustomResourceDefinition", Some("apiextensions.k8s.io")) => Some(Self::Instances(&target.name)),
            _ => None,
        }
    }

    fn holds(&self, object: &Ref) -> bool {
        match self {
            Self::Namespace(name) => object.namespace.as_deref() == Some(name),
            Self::Instances(name) => object.target().resource.short() == *name,
        }
    }

    fn unread(&self, facts: &Facts<'_>) -> Vec<ResourceId> {
        match self {
            Self::Namespace(name) => facts.unread_in(Some(name)),
            Self::Instances(name) => facts.unread_in(None).into_iter().filter(|kind| kind.short() == **name).collect(),
        }
    }
}

/// The needs of a report whose roots come from elsewhere. `drafts` are the findings for each target,
/// `told` the needs of the merged findings.
pub(crate) fn of(
    drafts: &[Draft],
    told: &[Vec<Need>],
    targets: &[TargetReport],
    facts: &Facts<'_>,
) -> Vec<Requirement> {
    let mut graph = super::roots::graph(drafts);
    place_targets(&mut graph, targets, drafts.iter().flat_map(leads).collect(), facts);
    list(&graph.settled(), &tops(targets), told)
}

/// The deletion of each target.
pub(super) fn tops(targets: &[TargetReport]) -> Vec<Need> {
    targets.iter().map(|target| Need::Deleted(target.object.clone())).collect()
}

/// The needs to which a finding leads from a target.
pub(super) struct Lead {
    target: Ref,
    needs: Vec<Need>,
    /// Whether the target is one of the objects of the finding, and waits for the same.
    beside: bool,
}

/// The needs to which a finding leads from the targets that it holds. Most findings are about their target
/// itself and lead nowhere else.
pub(super) fn leads(draft: &Draft) -> impl Iterator<Item = Lead> {
    let lead = |target: &Ref| {
        let needs: Vec<Need> = if draft.is_of_its_objects() {
            let others = draft.finding.objects.iter().filter(|object| *object != target);
            others.cloned().map(Need::Deleted).collect()
        } else {
            let top = Need::Deleted(target.clone());
            draft.needs().into_iter().filter(|need| *need != top).collect()
        };
        let beside = draft.finding.objects.contains(target);
        (!needs.is_empty()).then(|| Lead { target: target.clone(), needs, beside })
    };
    draft.finding.blocks.iter().filter_map(lead)
}

/// Adds the targets above all needs of their findings.
pub(super) fn place_targets(graph: &mut Graph, targets: &[TargetReport], leads: Vec<Lead>, facts: &Facts<'_>) {
    let asked: HashSet<&Ref> = targets.iter().map(|target| &target.object).collect();
    let mut edges = Vec::new();
    for lead in leads {
        lead_in(graph, lead, &asked, &mut edges);
    }
    for (need, on) in edges {
        graph.rests(need, on);
    }
    for TargetReport { object: target, .. } in targets {
        for kind in Holds::of(target).map(|holds| holds.unread(facts)).unwrap_or_default() {
            graph.rests(Need::Deleted(target.clone()), Need::Emptied(target.clone()));
            graph.rests(Need::Emptied(target.clone()), Need::Readable(kind.clone()));
            graph.shows(Need::Readable(kind), NeedState::Unknown);
        }
    }
}

/// Connects a target with the needs of one of its findings, if no finding does.
fn lead_in(graph: &Graph, lead: Lead, asked: &HashSet<&Ref>, edges: &mut Vec<(Need, Need)>) {
    let Lead { target, needs, beside } = lead;
    let top = Need::Deleted(target.clone());
    let holds = Holds::of(&target);
    for need in needs {
        let inside = need.deleted().zip(holds.as_ref()).is_some_and(|(object, holds)| holds.holds(object));
        // Unless it is in the target, a need is not connected if it is the deletion of another target, if
        // the target waits for the same, or if another need rests on it already.
        let asked = need.deleted().is_some_and(|object| asked.contains(object));
        if !inside && (asked || beside || graph.is_rested_on(&need)) {
            continue;
        }
        let from = if holds.is_some() { Need::Emptied(target.clone()) } else { top.clone() };
        if holds.is_some() {
            edges.push((top.clone(), from.clone()));
        }
        edges.push((from, need));
    }
}

/// Adds the objects that wait for a target, above the target. `waiters` are pairs of object and target.
pub(super) fn place_waiters(graph: &mut Graph, waiters: &[(Ref, Ref)]) {
    for (waiter, target) in waiters {
        graph.rests(Need::Deleted(waiter.clone()), Need::Deleted(target.clone()));
    }
}

/// Sets the states of the targets' own needs by the result of the findings.
pub(super) fn judge(needs: &mut [Requirement], targets: &[TargetReport]) {
    let states: HashMap<&Ref, State> = targets.iter().map(|target| (&target.object, target.state)).collect();
    for need in needs.iter_mut().filter(|need| need.need == NeedKind::Deleted) {
        let Some(state) = need.object.as_ref().and_then(|object| states.get(object)) else { continue };
        need.state = match state {
            State::Gone => NeedState::Met,
            State::Unknown => NeedState::Unknown,
            State::Stuck => NeedState::Broken,
            _ => NeedState::Underway,
        };
    }
}

/// Adds the broken objects, whether a target depends on them or not.
pub(super) fn place_broken(graph: &mut Graph, broken: &BTreeSet<ObjectNote>) {
    for part in broken.iter().filter_map(|note| Need::of_part(&note.object)) {
        graph.shows(part, NeedState::Broken);
    }
}

/// The needs as the report lists them: `tops`, the deletion of each target, with their dependencies, and
/// then all others. `told` are the needs of each finding.
pub(super) fn list(settled: &Settled<'_>, tops: &[Need], told: &[Vec<Need>]) -> Vec<Requirement> {
    let count = settled.count();
    let mut order = Vec::with_capacity(count);
    let mut known = vec![false; count];
    let tops = tops.iter().filter_map(|top| settled.place(top));
    for start in tops.chain(0..count) {
        let mut next = vec![start];
        while let Some(place) = next.pop() {
            if !std::mem::replace(&mut known[place], true) {
                order.push(place);
                next.extend(settled.rests_on(place).rev());
            }
        }
    }
    let mut number = vec![0; count];
    order.iter().enumerate().for_each(|(index, place)| number[*place] = index);
    let mut needs: Vec<Requirement> = order.iter().map(|place| requirement(*place, settled, &number)).collect();
    for (index, needed) in told.iter().enumerate() {
        for place in needed.iter().filter_map(|need| settled.place(need)) {
            needs[number[place]].findings.push(format!("f{}", index + 1));
        }
    }
    needs
}

fn requirement(place: usize, settled: &Settled<'_>, number: &[usize]) -> Requirement {
    let id = |number: usize| format!("n{}", number + 1);
    let (need, state) = settled.at(place);
    let mut below: Vec<usize> = settled.rests_on(place).map(|place| number[place]).collect();
    below.sort_unstable();
    below.dedup();
    Requirement { rests_on: below.into_iter().map(id).collect(), ..Requirement::new(id(number[place]), need, state) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn the_need_of_a_gone_target_is_met() {
        let state = |state: State| {
            let object = Ref::from(Named { kind: "Pod".into(), name: "web".into(), ..Named::default() });
            let mut needs = [Requirement {
                id: "n1".into(),
                need: NeedKind::Deleted,
                object: Some(object.clone()),
                finalizer: None,
                cause: None,
                verb: None,
                resource: None,
                state: NeedState::Unknown,
                rests_on: Vec::new(),
                findings: Vec::new(),
            }];
            judge(&mut needs, &[TargetReport { object, state, since: None, summary: "".into() }]);
            needs[0].state
        };
        assert_eq!(state(State::Gone), NeedState::Met);
        assert_eq!(state(State::Stuck), NeedState::Broken);
        assert_eq!(state(State::Unknown), NeedState::Unknown);
        assert_eq!(state(State::Progressing), NeedState::Underway);
    }
}
