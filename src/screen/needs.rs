//! The needs as a tree: from each stuck target down to what is broken.

use crate::report::{
    Cause, ControllerState, NeedKind, NeedState, Owner, Ref, Report, Requirement, State, TargetReport, Verb,
};
use crate::screen::layout::{and_more, more};
use crate::screen::marks::{controller_word, owner_mark};
use crate::screen::tree::{Branch, aligned};
use crate::screen::{clean, targets};
use indexmap::IndexMap;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// How many branches of one need are drawn; the rest is counted.
const MAX_DRAWN: usize = 12;
/// Up to this many needs are compared to find those that rest on another.
const MAX_COMPARED: usize = 50;

/// What the marks of a tree mean.
pub(crate) const LEGEND: &str = "marks: ✗ broken, ⏳ being deleted, ↓ waits for what is below, ? unread";

/// The tree of needs below each stuck target.
pub(crate) fn tree(report: &Report) -> String {
    if !report.targets.iter().any(|target| target.state == State::Stuck) {
        return String::new();
    }
    let (forest, rest) = forest(report, |state| state == State::Stuck);
    let rest = and_more(rest, 0, "targets");
    let lines: Vec<String> = lines(forest).lines().map(|line| format!(" {line}\n")).collect();
    format!("{} {LEGEND}\n{}", lines.concat(), if rest.is_empty() { "\n" } else { &rest })
}

/// The trees as lines.
pub(crate) fn lines(forest: Vec<Branch>) -> String {
    let tree = |top: Branch| std::iter::once(format!("{}  {}", top.text, top.mark)).chain(aligned(top.below));
    forest.into_iter().flat_map(tree).map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The trees of all targets whose state is `wanted`; if very many targets are alike, only of the
/// first. Also returns how many are left out. Without targets, the trees begin at needs that no other
/// need rests on.
pub(crate) fn forest(report: &Report, wanted: impl Fn(State) -> bool) -> (Vec<Branch>, usize) {
    let by_id = report.needs.iter().map(|need| (need.id.as_str(), need)).collect();
    if report.targets.is_empty() {
        return (from_the_tops(report, &by_id), 0);
    }
    let wanted = |target: &&TargetReport| wanted(target.state);
    let all = report.targets.iter().filter(wanted).count();
    let drawn: Vec<&TargetReport> = if all <= targets::MAX_ALONE {
        report.targets.iter().filter(wanted).collect()
    } else {
        targets::alike(report, &targets::causes(report))
            .iter()
            .map(|group| group[0])
            .filter(wanted)
            .take(targets::MAX_NAMED)
            .collect()
    };
    let top = |need: &&Requirement| need.need == NeedKind::Deleted;
    let tops = report.needs.iter().filter(top).filter_map(|need| Some((need.object.as_ref()?, need))).rev().collect();
    let trees = drawn.iter().map(|target| target_tree(target, report, &by_id, &tops)).collect();
    (trees, all - drawn.len())
}

/// The needs of a report by their ids.
type ById<'r> = HashMap<&'r str, &'r Requirement>;

fn target_tree(target: &TargetReport, report: &Report, by_id: &ById<'_>, tops: &HashMap<&Ref, &Requirement>) -> Branch {
    let picture = Picture::new(report, by_id);
    let mut below = Vec::new();
    if let Some(top) = tops.get(&target.object) {
        picture.path.borrow_mut().push(&top.id);
        below = picture.owners(&target.object);
        below.extend(picture.below(top));
    }
    Branch { text: clean(&target.object.to_string()), mark: String::new(), below }
}

/// The trees of the needs that no other need rests on.
fn from_the_tops(report: &Report, by_id: &ById<'_>) -> Vec<Branch> {
    let picture = Picture::new(report, by_id);
    picture.drawn(tops(report).filter(|need| need.state != NeedState::Met).map(|need| vec![need]).collect())
}

/// The needs that no other need rests on.
pub(crate) fn tops(report: &Report) -> impl Iterator<Item = &Requirement> {
    let below: HashSet<&str> = report.needs.iter().flat_map(|need| &need.rests_on).map(String::as_str).collect();
    report.needs.iter().filter(move |need| !below.contains(need.id.as_str()))
}

/// The needs of one target while they are drawn.
struct Picture<'r> {
    report: &'r Report,
    by_id: &'r ById<'r>,
    /// The needs above the one that is being drawn.
    path: RefCell<Vec<&'r str>>,
    /// The needs that were already drawn with everything below them.
    shown: RefCell<HashSet<&'r str>>,
}

/// ` and 2 more` if all are of the same kind; otherwise ` and 2 more objects`.
fn and_alike(need: &Requirement, alike: &[&Requirement]) -> String {
    let kind = |need: &Requirement| need.object.as_ref().map(|object| object.kind.clone());
    let is_of_its_kind = alike.iter().all(|other| kind(other) == kind(need));
    match alike.len() {
        0 => String::new(),
        count if is_of_its_kind => format!(" and {count} more"),
        count => format!(" and {}", more(count, "objects")),
    }
}

impl<'r> Picture<'r> {
    fn new(report: &'r Report, by_id: &'r ById<'r>) -> Self {
        Self { report, by_id, path: RefCell::default(), shown: RefCell::default() }
    }

    /// The needs below this one, as branches. Needs that are met or only lead on to others are not
    /// drawn; objects that wait for the same are one branch.
    fn below(&self, need: &'r Requirement) -> Vec<Branch> {
        let mut groups: IndexMap<String, Vec<&Requirement>> = IndexMap::new();
        for part in self.parts(need) {
            groups.entry(self.shape(part)).or_default().push(part);
        }
        self.drawn(self.without_what_is_deeper(groups.into_values().collect()))
    }

    /// A branch for each group; those that are too many are counted.
    fn drawn(&self, groups: Vec<Vec<&'r Requirement>>) -> Vec<Branch> {
        let rest = groups.len().saturating_sub(MAX_DRAWN);
        let drawn = groups.into_iter().take(MAX_DRAWN).map(|group| self.branch(group[0], &group[1..]));
        let rest = (rest > 0).then(|| Branch::leaf(format!("… and {rest} more"), ""));
        drawn.chain(rest).collect()
    }

    /// Drops groups that another group rests on anyway. Very many groups are not compared.
    fn without_what_is_deeper(&self, groups: Vec<Vec<&'r Requirement>>) -> Vec<Vec<&'r Requirement>> {
        if groups.len() > MAX_COMPARED {
            return groups;
        }
        let below: Vec<HashSet<&str>> = groups.iter().map(|group| self.all_below(group[0])).collect();
        let firsts: Vec<&str> = groups.iter().map(|group| group[0].id.as_str()).collect();
        let rests = |one: usize, other: usize| below[one].contains(firsts[other]);
        let deeper = |place: usize| (0..firsts.len()).any(|other| rests(other, place) && !rests(place, other));
        groups.into_iter().enumerate().filter(|(place, _)| !deeper(*place)).map(|(_, group)| group).collect()
    }

    /// The needs that are drawn below `need`, each once.
    fn parts(&self, need: &'r Requirement) -> Vec<&'r Requirement> {
        let mut parts = self.all_parts(need, &mut HashSet::new());
        let mut known: HashSet<&str> = self.path.borrow().iter().copied().collect();
        parts.retain(|part| known.insert(part.id.as_str()));
        parts
    }

    /// Everything that `need` rests on, directly or indirectly. A ring ends at the needs drawn above.
    fn all_below(&self, need: &'r Requirement) -> HashSet<&'r str> {
        let (mut known, mut next) = (HashSet::new(), vec![need]);
        let path = self.path.borrow();
        while let Some(need) = next.pop() {
            let onward = need.rests_on.iter().filter(|id| !path.contains(&id.as_str()));
            let below = onward.filter(|id| known.insert(id.as_str()));
            next.extend(below.filter_map(|id| self.by_id.get(id.as_str())));
        }
        known
    }

    /// Like [`Self::parts`], including needs that were drawn above. A ring is followed once.
    fn all_parts(&self, need: &'r Requirement, known: &mut HashSet<&'r str>) -> Vec<&'r Requirement> {
        let mut parts = Vec::new();
        if !known.insert(&need.id) {
            return parts;
        }
        for on in need.rests_on.iter().filter_map(|id| self.by_id.get(id.as_str()).copied()) {
            let leads_on = on.state == NeedState::Met || matches!(on.need, NeedKind::Emptied | NeedKind::Done);
            let further = if leads_on { self.all_parts(on, known) } else { Vec::new() };
            if further.is_empty() && on.state != NeedState::Met {
                parts.push(on);
            }
            parts.extend(further);
        }
        parts
    }

    /// A key that is equal for objects that wait for the same.
    fn shape(&self, need: &'r Requirement) -> String {
        let parts = self.parts(need);
        if need.need != NeedKind::Deleted || parts.is_empty() { need.id.clone() } else { self.shapes(&parts, need) }
    }

    fn shapes(&self, parts: &[&'r Requirement], of: &Requirement) -> String {
        let shape = |part: &&'r Requirement| {
            if part.object != of.object || part.need == NeedKind::Deleted {
                return part.id.clone();
            }
            let below = self.shapes(&self.parts(part), of);
            format!("{:?} {:?} {:?} {:?} ({below})", part.need, part.finalizer, part.verb, part.state)
        };
        parts.iter().map(shape).collect::<Vec<_>>().join(" ")
    }

    /// A need, together with needs that are alike.
    fn branch(&self, need: &'r Requirement, alike: &[&Requirement]) -> Branch {
        let mut parts = self.parts(need);
        let mut mark = self.mark(need, parts.is_empty());
        let mut inner = need;
        // An object that waits for a single thing of its own shares one line with it.
        if let ([only], NeedKind::Deleted) = (&parts[..], need.need)
            && only.object == need.object
            && let Some(own) = own(only)
        {
            mark = own;
            inner = only;
            parts = self.parts(only);
        }
        let text = format!("{}{}", self.text(need), and_alike(need, alike));
        if !parts.is_empty() && !self.shown.borrow_mut().insert(&need.id) {
            return Branch::leaf(format!("{text}, as above"), mark);
        }
        let mut below = need
            .object
            .as_ref()
            .filter(|_| need.need == NeedKind::Deleted)
            .map_or_else(Vec::new, |object| self.owners(object));
        self.path.borrow_mut().push(&need.id);
        below.extend(self.below(inner));
        self.path.borrow_mut().pop();
        Branch { text, mark, below }
    }

    fn text(&self, need: &Requirement) -> String {
        let object = need.object.as_ref().map(ToString::to_string).unwrap_or_default();
        match need.need {
            NeedKind::Released => format!("finalizer {}", clean(need.finalizer.as_deref().unwrap_or_default())),
            NeedKind::Accepted => match self.path.borrow().last().and_then(|id| self.by_id[id].object.as_ref()) {
                Some(above) if need.object.as_ref() == Some(above) => refused(need.verb).into(),
                _ => format!(
                    "{} of {}",
                    if need.verb == Some(Verb::Update) { "update" } else { "deletion" },
                    clean(&object)
                ),
            },
            NeedKind::Readable => format!("list of {}", clean(need.resource.as_deref().unwrap_or_default())),
            NeedKind::Done => need.cause.map_or("", whose).into(),
            _ => clean(&object),
        }
    }

    fn mark(&self, need: &Requirement, is_end: bool) -> String {
        let word = match need.need {
            NeedKind::Existing => " missing",
            NeedKind::Readable if need.state == NeedState::Broken => " cannot be read",
            NeedKind::Readable => " unread",
            NeedKind::Acting => controller(self.report, need).unwrap_or_default(),
            _ => "",
        };
        let goes = matches!(need.need, NeedKind::Deleted | NeedKind::Released | NeedKind::Done);
        let mark = match need.state {
            NeedState::Met => "✓",
            NeedState::Underway => "⏳",
            NeedState::Unknown => "?",
            NeedState::Broken if is_end || need.need == NeedKind::Existing => "✗",
            NeedState::Broken if goes => "⏳",
            NeedState::Broken => "↓",
        };
        let space = if word.is_empty() || word.starts_with(' ') { "" } else { " " };
        format!("{mark}{space}{word}")
    }

    fn owners(&self, object: &Ref) -> Vec<Branch> {
        let mut ownerships = self.report.findings.iter().flat_map(|finding| &finding.owners);
        let ownership = ownerships.find(|ownership| ownership.of == *object);
        // Owners that are waiting themselves are drawn above.
        let path = self.path.borrow();
        let above = |owner: &&Owner| {
            path.iter().filter_map(|id| self.by_id[id].object.as_ref()).any(|object| object.uid == owner.object.uid)
        };
        let owners = ownership.map(|ownership| &ownership.owners[..]).unwrap_or_default();
        owners.iter().filter(|owner| owner.object.uid.is_empty() || !above(owner)).map(owner_branch).collect()
    }
}

/// The state of the controller that a need names.
pub(crate) fn controller(report: &Report, need: &Requirement) -> Option<&'static str> {
    let workload = need.object.as_ref()?;
    let is_it = |other: &Ref| other.clone().with_uid("") == *workload;
    let mut controllers = report.findings.iter().filter_map(|finding| finding.controller.as_ref());
    let controller = controllers.find(|controller| controller.workload.as_ref().is_some_and(is_it))?;
    // Beside a mark that something is broken, "alive" would contradict it.
    let is_open = controller.state == ControllerState::Alive && need.state == NeedState::Broken;
    Some(if is_open { "runs, but does not finish" } else { controller_word(controller.state) })
}

/// The text beside an object that waits only for this need.
fn own(need: &Requirement) -> Option<String> {
    match need.need {
        NeedKind::Released => Some(format!("⏳ {}", clean(need.finalizer.as_deref()?))),
        NeedKind::Accepted => Some(format!("✗ {}", refused(need.verb))),
        _ => None,
    }
}

/// The actor or thing that the object waits for.
fn whose(cause: Cause) -> &'static str {
    match cause {
        Cause::Finalizer | Cause::NamespaceFinalizer => "its finalizers",
        Cause::Api => "an aggregated API",
        Cause::Admission => "admission",
        Cause::Conversion => "the conversion of its stored objects",
        Cause::Crd => "its definition",
        Cause::Kubelet => "the kubelet",
        Cause::Storage | Cause::InUse => "its users",
        Cause::Dependents => "what must be deleted first",
        Cause::GarbageCollector => "the garbage collector",
        Cause::NamespaceController => "the namespace controller",
        Cause::Permissions => "permissions of its controller",
        Cause::Eviction => "its eviction",
        Cause::Unreadable => "lists that cannot be read",
        Cause::Stranded => "its namespace or definition",
        Cause::Progressing | Cause::NotDeleting => "its deletion",
    }
}

pub(crate) fn refused(verb: Option<Verb>) -> &'static str {
    match verb {
        Some(Verb::Update) => "its update is refused",
        _ => "its deletion is refused",
    }
}

fn owner_branch(owner: &Owner) -> Branch {
    Branch {
        text: format!("owned by {}", clean(&owner.object.to_string())),
        mark: owner_mark(owner.state).trim_start().to_owned(),
        below: owner.owners.iter().map(owner_branch).collect(),
    }
}
