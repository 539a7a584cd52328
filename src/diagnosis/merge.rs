//! One finding per cause: merging, ordering and numbering.

use crate::facts::{Facts, since};
use crate::kubernetes::garbage_collection;
use crate::needs::Draft;
use crate::plan::digest;
use crate::report::{Cause, Finding, Need, Ref, Remedy, Sentence, Step, StepKind, TargetReport};
use crate::rules::RULES;
use indexmap::IndexMap;
use indexmap::map::Entry;
use jiff::Timestamp;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash, RandomState};

/// Findings, one for each cause, in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Merged(IndexMap<CauseKey, (Draft, Option<Joined>)>);

/// The contents of a finding to which others are joined: searching its lists each time would take
/// quadratic time in the number of targets.
#[derive(Debug)]
struct Joined {
    blocks: Places,
    objects: Places,
    evidence: Places,
    outside: Places,
    /// The steps of each remedy, by its index.
    steps: Vec<Places>,
}

impl Joined {
    fn of(draft: &Draft) -> Self {
        Self {
            blocks: Places::of(&draft.finding.blocks),
            objects: Places::of(&draft.finding.objects),
            evidence: Places::of(&draft.finding.evidence),
            outside: Places::of(&draft.finding.outside),
            steps: draft.remedies.iter().map(|remedy| Places::of(&remedy.steps)).collect(),
        }
    }
}

/// The index of each item in a list, by the item's hash. A set would contain a copy of each item.
#[derive(Debug, Default)]
struct Places {
    hasher: RandomState,
    by_hash: HashMap<u64, usize>,
}

impl Places {
    fn of<T: Eq + Hash>(list: &[T]) -> Self {
        let mut places = Self::default();
        (0..list.len()).for_each(|place| places.add(list, place));
        places
    }

    /// Whether `item` is in the part of `list` that was added.
    fn hold<T: Eq + Hash>(&self, list: &[T], item: &T) -> bool {
        self.find(item, |place| list[place] == *item).is_ok()
    }

    /// Adds the item at `place`.
    fn add<T: Eq + Hash>(&mut self, list: &[T], place: usize) {
        if let Err(free) = self.find(&list[place], |other| list[other] == list[place]) {
            self.by_hash.insert(free, place);
        }
    }

    /// The index of the item that `is_it` recognizes, or a free key for it. Different items with the same
    /// hash get consecutive keys.
    fn find(&self, item: &impl Hash, is_it: impl Fn(usize) -> bool) -> Result<usize, u64> {
        let mut key = self.hasher.hash_one(item);
        while let Some(place) = self.by_hash.get(&key) {
            if is_it(*place) {
                return Ok(*place);
            }
            key = key.wrapping_add(1);
        }
        Err(key)
    }
}

/// Findings have one cause if they wait for the same finalizer, or for the same object, for the same
/// reason. If they name neither, they must have the same subject.
type CauseKey = (&'static str, Cause, Option<String>, Option<Ref>, Option<Ref>, String);

impl Merged {
    /// All of `drafts`, joined by cause.
    pub(super) fn of(drafts: impl IntoIterator<Item = Draft>) -> Vec<Draft> {
        let mut merged = Self::default();
        drafts.into_iter().for_each(|draft| merged.add(draft));
        merged.into_drafts()
    }

    /// Adds a draft, or joins it to one with the same cause.
    pub(super) fn add(&mut self, draft: Draft) {
        match self.0.entry(key(&draft)) {
            Entry::Occupied(mut entry) => {
                let (into, known) = entry.get_mut();
                join(into, known.get_or_insert_with(|| Joined::of(into)), draft);
            }
            Entry::Vacant(entry) => drop(entry.insert((draft, None))),
        }
    }

    /// The joined drafts.
    pub(super) fn into_drafts(self) -> Vec<Draft> {
        self.0.into_values().map(|(draft, _)| draft).collect()
    }
}

fn key(draft: &Draft) -> CauseKey {
    let Finding { rule, cause, finalizer, waits_for, subject, .. } = &draft.finding;
    let alone = (finalizer.is_none() && waits_for.is_none()).then(|| subject.clone());
    (rule, *cause, finalizer.clone(), waits_for.clone(), alone, draft.reason.clone())
}

fn join(into: &mut Draft, known: &mut Joined, from: Draft) {
    let mut more = from.finding;
    add_new(&mut into.finding.blocks, &mut known.blocks, std::mem::take(&mut more.blocks));
    let before = into.finding.objects.len();
    add_new(&mut into.finding.objects, &mut known.objects, std::mem::take(&mut more.objects));
    if into.finding.objects.len() == before {
        return;
    }
    into.finding.unnamed += more.unnamed;
    into.count_again();
    // All these findings give a person the same instructions, which are listed once.
    let is_told = into.remedies.iter().any(|remedy| remedy.steps.is_empty());
    let remedies = from.remedies.into_iter().filter(|remedy| !(is_told && remedy.steps.is_empty())).collect();
    take_over(into, known, more, remedies);
}

/// Takes over the content and the remedies of another finding with the same cause.
fn take_over(into: &mut Draft, known: &mut Joined, more: Finding, remedies: Vec<Remedy>) {
    let told = &mut into.finding;
    told.set_by = told.set_by.take().or(more.set_by);
    told.product = told.product.take().or(more.product);
    told.guards = told.guards.take().or(more.guards);
    told.says = told.says.take().or(more.says);
    add_new(&mut told.outside, &mut known.outside, more.outside);
    add_new(&mut told.evidence, &mut known.evidence, more.evidence);
    for remedy in remedies {
        join_remedy(&mut into.remedies, &mut known.steps, remedy);
    }
}

/// Joins the findings whose finalizers have the same broken end, which one repair fixes. Returns them
/// with the needs of each.
pub(super) fn one_for_each_end(drafts: Vec<Draft>) -> (Vec<Draft>, Vec<Vec<Need>>) {
    let (mut joined, mut told): (Vec<Draft>, Vec<Vec<Need>>) = (Vec::new(), Vec::new());
    let mut places = HashMap::new();
    for draft in drafts {
        let needs = draft.needs();
        let end = draft.broken_end();
        let known: Option<usize> = end.as_ref().and_then(|end| places.get(end)).copied();
        if let Some(place) = known {
            join_end(&mut joined[place], draft);
            told[place].extend(needs);
        } else {
            places.extend(end.map(|end| (end, joined.len())));
            joined.push(draft);
            told.push(needs);
        }
    }
    (joined, told)
}

fn join_end(into: &mut Draft, from: Draft) {
    let mut known = Joined::of(into);
    let mut more = from.finding;
    add_new(&mut into.finding.blocks, &mut known.blocks, std::mem::take(&mut more.blocks));
    add_new(&mut into.finding.objects, &mut known.objects, std::mem::take(&mut more.objects));
    for finalizer in more.finalizer.take().into_iter().chain(std::mem::take(&mut more.more_finalizers)) {
        let told = &mut into.finding;
        if told.finalizer.as_ref() != Some(&finalizer) && !told.more_finalizers.contains(&finalizer) {
            told.more_finalizers.push(finalizer);
        }
    }
    into.count_again();
    // The consequence of each removal is kept, even if another has the same risk.
    let said = |remedies: &[Remedy]| -> Option<Sentence> {
        remedies.iter().find(|remedy| is_removal(remedy)).map(|remedy| remedy.consequence.clone())
    };
    let both = [said(&into.remedies), said(&from.remedies)];
    take_over(into, &mut known, more, from.remedies);
    if let Some(removal) = into.remedies.iter_mut().find(|remedy| is_removal(remedy)) {
        both.into_iter().flatten().for_each(|consequence| removal.consequence.and(consequence));
    }
}

fn is_removal(remedy: &Remedy) -> bool {
    remedy.steps.first().is_some_and(|step| step.kind() == StepKind::RemoveFinalizer)
}

/// Adds the steps to the remedy of the same kind, at the higher of the two risks; a new remedy comes
/// before those with more risk. `known` are the steps of each remedy.
fn join_remedy(into: &mut Vec<Remedy>, known: &mut Vec<Places>, from: Remedy) {
    let kind = |remedy: &Remedy| remedy.steps.first().map(Step::kind);
    let same = |remedy: &Remedy| kind(remedy) == kind(&from) && (kind(&from).is_some() || remedy.title == from.title);
    let Some(place) = into.iter().position(same) else {
        let place = into.iter().position(|remedy| remedy.risk > from.risk).unwrap_or(into.len());
        known.insert(place, Places::of(&from.steps));
        return into.insert(place, from);
    };
    let remedy = &mut into[place];
    if (from.risk, from.level()) > (remedy.risk, remedy.level()) {
        (remedy.risk, remedy.consequence) = (from.risk, from.consequence);
    }
    remedy.confirm_also(from.confirms);
    add_new(&mut remedy.steps, &mut known[place], from.steps);
    if let (Some(step), more @ 2..) = (remedy.steps.first(), remedy.steps.len()) {
        remedy.title = format!("{} and {} more", step.title(), more - 1).into();
    }
}

/// Adds the items that are not `known`. Items that are twice in `from` are added twice.
fn add_new<T: Eq + Hash>(into: &mut Vec<T>, known: &mut Places, from: Vec<T>) {
    let first = into.len();
    for item in from {
        if !known.hold(into, &item) {
            into.push(item);
        }
    }
    (first..into.len()).for_each(|place| known.add(into, place));
}

/// Puts the worst causes first: those for which most targets wait, then those for which one has waited longest.
/// Causes that are equally bad stay in the order of repair. A repair that another one depends on need not be moved
/// ahead: that other one is offered only afterwards.
pub(super) fn worst_first(
    drafts: Vec<Draft>,
    told: Vec<Vec<Need>>,
    targets: &[TargetReport],
    taken_at: Timestamp,
) -> (Vec<Draft>, Vec<Vec<Need>>) {
    let asked: HashMap<&Ref, Timestamp> =
        targets.iter().filter_map(|target| Some((&target.object, target.since?))).collect();
    let mut by_end: HashMap<&Ref, HashSet<&Ref>> = HashMap::new();
    for finding in drafts.iter().map(|draft| &draft.finding) {
        if let Some(end) = finding.broken_end() {
            by_end.entry(end).or_default().extend(&finding.blocks);
        }
    }
    let rank = |Draft { finding, .. }: &Draft| {
        if !finding.is_root_cause() {
            return (!finding.root, true, Reverse((0, None)));
        }
        let waiting = finding.broken_end().map_or_else(|| finding.blocks.iter().collect(), |end| by_end[end].clone());
        let oldest = waiting.iter().filter_map(|target| asked.get(*target)).min();
        // Nobody calls one of two waits the longer one because of some seconds.
        let minutes = oldest.map(|then| since(*then, taken_at).as_mins());
        (false, false, Reverse((waiting.len(), minutes)))
    };
    let ranks: Vec<_> = drafts.iter().map(rank).collect();
    let mut ranked: Vec<_> = ranks.into_iter().zip(drafts.into_iter().zip(told)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, both)| both).unzip()
}

/// Puts the roots first; otherwise, findings are in the order of their rules.
pub(super) fn roots_first(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let place = |rule: &str| RULES.iter().position(|known| known.name == rule);
    drafts.sort_by_cached_key(|draft| (!draft.finding.root, place(draft.finding.rule)));
    drafts
}

/// Adds a remedy and returns its id. If another finding has added the same steps, they are offered once,
/// at the higher of the two risks. `places` finds a remedy by its steps.
fn offer_once(remedies: &mut Vec<Remedy>, places: &mut Places, mut remedy: Remedy) -> String {
    let known = places.find(&remedy.steps, |place| remedies[place].steps == remedy.steps);
    if let Ok(known) = known
        && !remedy.steps.is_empty()
    {
        let other = &mut remedies[known];
        other.risk = other.risk.max(remedy.risk);
        other.confirm_also(remedy.confirms);
        other.consequence.and(remedy.consequence);
        return other.id.clone();
    }
    if let Err(free) = known {
        places.by_hash.insert(free, remedies.len());
    }
    remedy.id = format!("r{}", remedies.len() + 1);
    remedies.push(remedy);
    remedies[remedies.len() - 1].id.clone()
}

/// Sets the ids of findings and remedies, and the owners of findings.
pub(super) fn number(drafts: Vec<Draft>, facts: &Facts<'_>) -> (Vec<Finding>, Vec<Remedy>) {
    let (mut findings, mut remedies, mut places) = (Vec::new(), Vec::new(), Places::default());
    for (index, draft) in drafts.into_iter().enumerate() {
        let mut finding = draft.finding;
        finding.id = format!("f{}", index + 1);
        finding.owners = garbage_collection::of(&finding.objects, facts);
        for remedy in draft.remedies {
            finding.remedies.push(offer_once(&mut remedies, &mut places, remedy));
        }
        findings.push(finding);
    }
    // Digests take some megabytes for thousands of steps, so only the last answer has them.
    if !facts.wants_more() {
        for remedy in &mut remedies {
            remedy.digest = digest::of(remedy);
        }
    }
    (findings, remedies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Waiting;
    use crate::plan::steps::remove_finalizer;
    use crate::report::{Named, Risk};
    use jiff::SignedDuration;
    use std::cell::Cell;
    use std::hash::Hasher;

    thread_local! {
        static TOUCHED: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts its comparisons and hashes.
    #[derive(Debug)]
    struct Counted(usize);

    fn touch() {
        TOUCHED.set(TOUCHED.get() + 1);
    }

    impl PartialEq for Counted {
        fn eq(&self, other: &Self) -> bool {
            touch();
            self.0 == other.0
        }
    }

    impl Eq for Counted {}

    impl Hash for Counted {
        fn hash<H: Hasher>(&self, state: &mut H) {
            touch();
            self.0.hash(state);
        }
    }

    #[test]
    fn joining_takes_linear_time() {
        let (mut all, mut known) = (Vec::new(), Places::default());
        for number in 0..10_000 {
            // Each adds something new, and something that all add.
            add_new(&mut all, &mut known, vec![Counted(number), Counted(0)]);
        }
        assert_eq!(all.len(), 10_001, "of the first both were new");
        assert!(TOUCHED.get() < 20 * 10_000, "{} times", TOUCHED.get());
    }

    #[test]
    fn similar_findings_are_merged_with_their_remedies() {
        let object =
            |number: usize| Ref::from(Named { kind: "Widget".into(), name: format!("w-{number}"), ..Named::default() });
        let step = |number: usize| remove_finalizer::step(&object(number), &["a.io/x".to_owned()], "a.io/x");
        let draft = |number: usize| {
            let waiting = Waiting { rest: ": gone".into(), ..Waiting::default() };
            Draft::waiting(Cause::Finalizer, &[object(number)], &object(number), "a.io/x", waiting)
                .remark("said by all")
                .evidence("said by one", &object(number), "metadata")
                .remedy(Remedy::manual("look", ""))
                .remedy(Remedy::new(step(number), Risk::Leaks, "leaks"))
        };
        let merged = Merged::of((0..100).chain(0..100).map(draft));
        let [one] = &merged[..] else { panic!("{} findings", merged.len()) };
        assert_eq!(one.finding.summary, "100 objects wait for finalizer a.io/x: gone");
        assert_eq!((one.finding.objects.len(), one.finding.evidence.len()), (100, 101));
        assert_eq!(one.remedies.iter().map(|remedy| remedy.steps.len()).collect::<Vec<_>>(), [0, 100]);
    }

    #[test]
    fn the_worst_cause_is_first() {
        let named =
            |kind: &str, name: &str| Ref::from(Named { kind: kind.into(), name: name.into(), ..Named::default() });
        let taken_at = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(9);
        let target = |name: &str, hours: i64| TargetReport {
            since: Some(taken_at - SignedDuration::from_hours(hours)),
            ..TargetReport::new(named("Namespace", name))
        };
        let targets = [target("a", 1), target("b", 2), target("c", 2)];
        let draft = |cause: Cause, root: bool, name: &str, blocks: &[&str]| {
            let mut draft = Draft::new(cause, named("Widget", name), "waits");
            draft.finding.root = root;
            draft.finding.blocks = blocks.iter().map(|name| named("Namespace", name)).collect();
            draft
        };
        let behind = |mut draft: Draft, end: &str| {
            draft.finding.broken_link = Some(named("Deployment", end));
            draft
        };
        let drafts = vec![
            draft(Cause::NotDeleting, true, "lives", &["a", "b", "c"]),
            draft(Cause::Finalizer, true, "one", &["a"]),
            draft(Cause::Finalizer, true, "one-for-longer", &["b"]),
            draft(Cause::Finalizer, true, "one-as-long", &["c"]),
            draft(Cause::Finalizer, true, "two", &["a", "b"]),
            behind(draft(Cause::Admission, true, "half", &["a", "b"]), "x"),
            behind(draft(Cause::Finalizer, true, "other-half", &["b", "c"]), "x"),
            draft(Cause::Finalizer, false, "follows", &["a", "b", "c"]),
        ];
        let told = drafts.iter().map(Draft::needs).collect();
        let (ordered, told) = worst_first(drafts, told, &targets, taken_at);
        assert_eq!(told, ordered.iter().map(Draft::needs).collect::<Vec<_>>(), "each keeps its needs");
        let order: Vec<&str> = ordered.iter().map(|draft| draft.finding.subject.name.as_str()).collect();
        let worst = ["half", "other-half", "two", "one-for-longer", "one-as-long", "one"];
        assert_eq!((&order[..6], &order[6..]), (&worst[..], &["lives", "follows"][..]));
    }

    #[test]
    fn a_shared_remedy_is_offered_once_at_the_highest_risk() {
        let (mut remedies, mut places) = (Vec::new(), Places::default());
        let pod = Ref::from(Named { kind: "Pod".into(), name: "web".into(), ..Named::default() });
        let step = || remove_finalizer::step(&pod, &["acme.io/hold".to_owned()], "acme.io/hold");
        let offered: Vec<(String, Risk)> = [Risk::Leaks, Risk::LosesData, Risk::Leaks]
            .map(|risk| {
                let id = offer_once(&mut remedies, &mut places, Remedy::new(step(), risk, "it is lost"));
                (id, remedies[0].risk)
            })
            .into();
        let once = |risk| ("r1".to_owned(), risk);
        assert_eq!(offered, [once(Risk::Leaks), once(Risk::LosesData), once(Risk::LosesData)]);
        assert_eq!((remedies.len(), &*remedies[0].consequence), (1, "it is lost"));
    }

    #[test]
    fn remedies_are_inserted_in_stable_order_of_risk() {
        let mut remedies = vec![Remedy::manual("a", ""), Remedy::manual("b", "")];
        (remedies[0].risk, remedies[1].risk) = (Risk::Disruptive, Risk::LosesData);
        let mut known = vec![Places::default(), Places::default()];
        join_remedy(&mut remedies, &mut known, Remedy { risk: Risk::Disruptive, ..Remedy::manual("c", "") });
        let titles: Vec<&str> = remedies.iter().map(|remedy| &*remedy.title).collect();
        assert_eq!(titles, ["a", "c", "b"]);
    }

    #[test]
    fn a_joined_remedy_has_the_highest_risk() {
        let remedy = |name: &str, risk: Risk, consequence: &str| {
            let object = Ref::from(Named { kind: "Pod".into(), name: name.into(), ..Named::default() });
            Remedy::new(
                remove_finalizer::step(&object, &["acme.io/hold".to_owned()], "acme.io/hold"),
                risk,
                consequence,
            )
        };
        let joined = |risks: [(Risk, &str); 2]| {
            let [first, second] = risks;
            let (mut remedies, mut known) = (Vec::new(), Vec::new());
            join_remedy(&mut remedies, &mut known, remedy("a", first.0, first.1));
            join_remedy(&mut remedies, &mut known, remedy("b", second.0, second.1));
            assert_eq!((remedies.len(), remedies[0].steps.len()), (1, 2));
            (remedies[0].risk, remedies.swap_remove(0).consequence)
        };
        let (mild, harsh) = ((Risk::Leaks, "mild"), (Risk::LosesData, "harsh"));
        assert_eq!(joined([mild, harsh]), (Risk::LosesData, "harsh".into()));
        assert_eq!(joined([harsh, mild]), (Risk::LosesData, "harsh".into()));
        assert_eq!(joined([mild, (Risk::Leaks, "the same")]), (Risk::Leaks, "mild".into()));
    }
}
