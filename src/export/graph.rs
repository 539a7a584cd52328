//! The graph of waiting objects: from each target down to the root causes. It is built from the
//! needs of a report; needs that are met are left out, and many objects that wait for the same are
//! one node.

use crate::export::headline::headline;
use crate::report::{NeedKind, NeedState, Ref, Report, Requirement};
use crate::screen::targets::Standing;
use crate::screen::{needs, targets};
use indexmap::IndexMap;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Up to this many objects that wait for the same thing get their own nodes.
const MAX_ALIKE: usize = 3;
/// The maximum number of nodes: more can be neither read nor laid out.
const MAX_DRAWN: usize = 150;

/// Nodes, and edges between their positions.
pub(crate) struct Diagram {
    pub(crate) nodes: Vec<DiagramNode>,
    pub(crate) edges: BTreeSet<(usize, usize)>,
}

/// An object, or several that wait for the same.
pub(crate) struct DiagramNode {
    /// The causes whose root it is, its name, then further facts.
    pub(crate) lines: Vec<String>,
    pub(crate) is_target: bool,
    pub(crate) is_root: bool,
}

/// The graph of a report; never empty.
pub(crate) fn graph(report: &Report) -> Diagram {
    let mut draft = Drawing::new(report);
    draft.targets();
    draft.follow();
    draft.roots();
    let (nodes, edges) = grouped(&draft);
    let mut graph = cut(nodes, &edges);
    if graph.nodes.is_empty() {
        graph.nodes.push(DiagramNode { lines: vec![headline(report)], is_target: false, is_root: false });
    }
    graph
}

/// One object while the graph is built.
#[derive(Default)]
struct Thing {
    name: String,
    kind: String,
    says: Vec<&'static str>,
    finalizers: Vec<String>,
    standing: Option<Standing>,
    /// The numbers of the findings whose root it is.
    causes: BTreeSet<usize>,
}

type ThingKey<'r> = (&'r str, Option<&'r str>, &'r str);

struct Drawing<'r> {
    report: &'r Report,
    by_id: HashMap<&'r str, &'r Requirement>,
    /// By kind, namespace and name.
    things: IndexMap<ThingKey<'r>, Thing>,
    edges: BTreeSet<(usize, usize)>,
    next: Vec<&'r Requirement>,
}

impl<'r> Drawing<'r> {
    fn new(report: &'r Report) -> Self {
        let by_id = report.needs.iter().map(|need| (need.id.as_str(), need)).collect();
        Self { report, by_id, things: IndexMap::new(), edges: BTreeSet::new(), next: Vec::new() }
    }

    /// Begins with the targets; without targets, with the needs that no other need rests on.
    fn targets(&mut self) {
        let report = self.report;
        for (target, standing) in targets::each(report) {
            let place = self.place_of(&target.object);
            self.things[place].standing = Some(standing);
        }
        let targets: HashSet<&Ref> = report.targets.iter().map(|target| &target.object).collect();
        let is_target = |need: &&Requirement| {
            need.need == NeedKind::Deleted && need.object.as_ref().is_some_and(|object| targets.contains(object))
        };
        self.next = if targets.is_empty() {
            needs::tops(report).filter(|need| need.state != NeedState::Met).collect()
        } else {
            report.needs.iter().filter(is_target).collect()
        };
        self.next.reverse();
    }

    /// Follows the needs.
    fn follow(&mut self) {
        let mut known: HashSet<&str> = self.next.iter().map(|need| need.id.as_str()).collect();
        while let Some(need) = self.next.pop() {
            let place = self.place(need);
            self.tell(place, need);
            for on in self.parts(need).into_iter().rev() {
                let other = self.place(on);
                if other != place {
                    self.edges.insert((place, other));
                }
                if known.insert(&on.id) {
                    self.next.push(on);
                }
            }
        }
    }

    /// Marks the objects that are the roots of causes.
    fn roots(&mut self) {
        let report = self.report;
        let roots = report.numbered().into_iter().filter(|told| told.finding.is_root_cause());
        let roots: HashMap<&str, usize> =
            roots.filter_map(|told| Some((told.finding.id.as_str(), told.number?))).collect();
        for need in report.needs.iter().filter(|need| need.state != NeedState::Met) {
            for number in need.findings.iter().filter_map(|id| roots.get(id.as_str())) {
                for end in self.ends(need) {
                    let place = self.place(end);
                    self.things[place].causes.insert(*number);
                }
            }
        }
    }

    /// The last needs below `need` that no other finding is about; at least `need` itself. A need
    /// in a ring is its own end.
    fn ends(&self, first: &'r Requirement) -> Vec<&'r Requirement> {
        let (mut ends, mut next, mut known) = (Vec::new(), vec![first], HashSet::from([first.id.as_str()]));
        while let Some(need) = next.pop() {
            let mut below = self.parts(need);
            if below.iter().any(|on| on.id == first.id) {
                return vec![first];
            }
            below.retain(|on| on.findings.is_empty());
            if below.is_empty() {
                ends.push(need);
            }
            next.extend(below.into_iter().filter(|on| known.insert(&on.id)));
        }
        ends
    }

    /// The unmet needs that a need rests on, directly or through needs that are met.
    fn parts(&self, need: &'r Requirement) -> Vec<&'r Requirement> {
        let (mut parts, mut known, mut next) = (Vec::new(), HashSet::new(), vec![need]);
        while let Some(need) = next.pop() {
            for on in need.rests_on.iter().filter_map(|id| self.by_id.get(id.as_str()).copied()) {
                match on.state {
                    _ if !known.insert(on.id.as_str()) => {}
                    NeedState::Met => next.push(on),
                    _ => parts.push(on),
                }
            }
        }
        parts
    }

    fn place(&mut self, need: &'r Requirement) -> usize {
        match (&need.object, &need.resource) {
            (Some(object), _) => self.place_of(object),
            (None, Some(resource)) => self.place_of_key(("list of", None, resource), || format!("list of {resource}")),
            (None, None) => self.place_of_key(("", None, &need.id), || need.id.clone()),
        }
    }

    fn place_of(&mut self, object: &'r Ref) -> usize {
        self.place_of_key((&object.kind, object.namespace.as_deref(), &object.name), || object.to_string())
    }

    fn place_of_key(&mut self, key: ThingKey<'r>, name: impl Fn() -> String) -> usize {
        let thing = self.things.entry(key);
        let place = thing.index();
        thing.or_insert_with(|| Thing { name: name(), kind: key.0.to_owned(), ..Thing::default() });
        place
    }

    /// Adds the words of a need to its object.
    fn tell(&mut self, place: usize, need: &Requirement) {
        let words = match (need.need, need.state) {
            (NeedKind::Released, _) => {
                self.things[place].finalizers.extend(need.finalizer.clone());
                return;
            }
            (NeedKind::Accepted, _) => needs::refused(need.verb),
            (NeedKind::Existing, _) => "does not exist",
            (NeedKind::Readable, NeedState::Broken) => "cannot be read",
            (NeedKind::Readable, _) => "was not read",
            (NeedKind::Acting, _) => match needs::controller(self.report, need) {
                Some(word) => word,
                None => return,
            },
            _ => return,
        };
        if !self.things[place].says.contains(&words) {
            self.things[place].says.push(words);
        }
    }
}

/// The things as nodes; those that wait for the same are one node.
fn grouped(draft: &Drawing<'_>) -> (Vec<DiagramNode>, BTreeSet<(usize, usize)>) {
    let classes = classes(draft);
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    for class in &classes {
        *sizes.entry(*class).or_default() += 1;
    }
    let mut groups: IndexMap<(usize, Option<usize>), Vec<&Thing>> = IndexMap::new();
    let mut group_of = Vec::new();
    for (place, (thing, class)) in draft.things.values().zip(&classes).enumerate() {
        let alone = (sizes[class] <= MAX_ALIKE).then_some(place);
        let group = groups.entry((*class, alone));
        group_of.push(group.index());
        group.or_default().push(thing);
    }
    let edges = draft.edges.iter().map(|(from, to)| (group_of[*from], group_of[*to])).collect();
    (groups.values().map(|group| node(group, draft.report)).collect(), edges)
}

/// The class of each thing: things of one class have the same kind and state, and wait for things
/// of the same classes. Classes are split until this holds.
fn classes(draft: &Drawing<'_>) -> Vec<usize> {
    let looks = |thing: &Thing| {
        let standing = thing.standing.as_ref().map(|standing| standing.says.clone());
        (thing.kind.clone(), thing.says.clone(), thing.finalizers.clone(), standing, thing.causes.clone())
    };
    let (mut classes, mut count) = numbered(draft.things.values().map(looks));
    loop {
        let mut below = vec![BTreeSet::new(); classes.len()];
        for (from, to) in &draft.edges {
            below[*from].insert(classes[*to]);
        }
        let (finer, more) = numbered(classes.iter().copied().zip(below));
        if more == count {
            return finer;
        }
        (classes, count) = (finer, more);
    }
}

/// A number for each value, the same for equal values, and how many numbers there are.
fn numbered<T: Eq + std::hash::Hash>(values: impl Iterator<Item = T>) -> (Vec<usize>, usize) {
    let mut known = HashMap::new();
    let numbers = values.map(|value| {
        let new = known.len();
        *known.entry(value).or_insert(new)
    });
    let numbers = numbers.collect();
    (numbers, known.len())
}

fn node(group: &[&Thing], report: &Report) -> DiagramNode {
    let first = group[0];
    let names: Vec<&str> = group.iter().take(MAX_ALIKE).map(|thing| thing.name.as_str()).collect();
    let mut lines: Vec<String> = first.causes.iter().map(|number| format!("ROOT CAUSE {number}")).collect();
    lines.push(match group.len() {
        1 => first.name.clone(),
        all => format!("{} and {} more", names.join(", "), all - names.len()),
    });
    if let Some(standing) = &first.standing {
        let age = (group.len() == 1 && !standing.age.is_empty()).then(|| standing.age.clone());
        lines.extend(age.into_iter().chain([standing.says.clone()]));
    }
    lines.extend(first.finalizers.iter().map(|finalizer| format!("finalizer {finalizer}")));
    lines.extend(first.says.iter().map(|words| (*words).to_owned()));
    lines.extend(first.causes.iter().map(|number| report.findings[number - 1].summary.to_string()));
    DiagramNode { lines, is_target: first.standing.is_some(), is_root: !first.causes.is_empty() }
}

/// The part that can be drawn: targets and root causes have priority.
fn cut(nodes: Vec<DiagramNode>, edges: &BTreeSet<(usize, usize)>) -> Diagram {
    let all = nodes.len();
    let mut order: Vec<usize> = (0..all).collect();
    order.sort_by_key(|place| !(nodes[*place].is_target || nodes[*place].is_root));
    let kept: BTreeSet<usize> = order.into_iter().take(MAX_DRAWN).collect();
    let new: HashMap<usize, usize> = kept.iter().copied().zip(0..).collect();
    let edges = edges.iter().filter_map(|(from, to)| Some((*new.get(from)?, *new.get(to)?))).collect();
    let mut nodes: Vec<DiagramNode> =
        nodes.into_iter().enumerate().filter(|(place, _)| kept.contains(place)).map(|(_, node)| node).collect();
    if all > MAX_DRAWN {
        let rest = vec![format!("… and {} more", all - MAX_DRAWN), "-o json lists all of them".into()];
        nodes.push(DiagramNode { lines: rest, is_target: false, is_root: false });
    }
    Diagram { nodes, edges }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Named, Need};
    use crate::screen::hostile;

    /// A namespace that waits for objects of these kinds, each with its finalizer, all for one
    /// Deployment.
    fn report(kinds: &[String]) -> Report {
        let object = |kind: &str, name: String| Ref::from(Named { kind: kind.into(), name, ..Named::default() });
        let need = |id: String, need: &Need, on: Vec<String>| Requirement {
            rests_on: on,
            ..Requirement::new(id, need, NeedState::Broken)
        };
        let namespace = object("Namespace", "shop".into());
        let ids = (0..kinds.len()).map(|number| format!("d{number}")).collect();
        let actor = object("Deployment", "operator".into());
        let last = Requirement { findings: vec!["f1".into()], ..need("last".into(), &Need::Acting(actor), Vec::new()) };
        let mut needs = vec![need("top".into(), &Need::Deleted(namespace.clone()), ids), last];
        for (number, kind) in kinds.iter().enumerate() {
            let held = object(kind, format!("o-{number}"));
            let (deleted, released) = (Need::Deleted(held.clone()), Need::Released(held, "a/b".into()));
            needs.push(need(format!("d{number}"), &deleted, vec![format!("r{number}")]));
            needs.push(need(format!("r{number}"), &released, vec!["last".into()]));
        }
        let mut report = Report { needs, ..hostile::report() };
        report.targets[0].object = namespace;
        report
    }

    #[test]
    fn objects_that_wait_for_the_same_are_one_node() {
        let few = graph(&report(&vec!["ConfigMap".into(); 3]));
        assert_eq!((few.nodes.len(), few.edges.len()), (5, 6));
        let many = graph(&report(&vec!["ConfigMap".into(); 5000]));
        assert_eq!((many.nodes.len(), many.edges.len()), (3, 2));
        let crowd = many.nodes.iter().find(|node| !node.is_target && !node.is_root).expect("the objects");
        assert!(crowd.lines[0].ends_with(" and 4997 more") && crowd.lines[1] == "finalizer a/b", "{:?}", crowd.lines);
    }

    #[test]
    fn a_graph_with_too_many_nodes_keeps_targets_and_root_causes() {
        let kinds: Vec<String> = (0..300).map(|number| format!("Kind{number}")).collect();
        let graph = graph(&report(&kinds));
        assert_eq!(graph.nodes.len(), MAX_DRAWN + 1);
        assert_eq!(graph.nodes[MAX_DRAWN].lines[0], "… and 152 more");
        let root = graph.nodes.iter().position(|node| node.is_root).expect("the root cause is drawn");
        assert!(graph.edges.iter().any(|(_, to)| *to == root) && graph.nodes.iter().any(|node| node.is_target));
    }
}
