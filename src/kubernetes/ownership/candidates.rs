//! The workloads that may be the controller, ranked by the evidence for them.

use crate::facts::{Facts, Gap, Known, Readable, each, flat_each};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::finalizers::names::{ControllerName, likeness};
use crate::kubernetes::ownership::access;
use crate::kubernetes::ownership::access::{Account, Lets, account_of};
use crate::kubernetes::ownership::configured_finalizers::ConfiguredPart;
use crate::kubernetes::ownership::driver_leases;
use crate::kubernetes::ownership::drivers::Serves;
use crate::kubernetes::ownership::lost;
use crate::kubernetes::ownership::lost::Lost;
use crate::kubernetes::ownership::owner::{RuledOut, is_called, programs};
use crate::kubernetes::ownership::traces::{ENOUGH, Traces};
use crate::kubernetes::ownership::{owner, tenants};
use crate::kubernetes::workloads::health;
use crate::report::Ref;
use crate::survey::{Form, Object, Resource, ResourceId, Seen};
use std::collections::{BTreeMap, BTreeSet};

/// The kinds that run controllers.
const KINDS: [(&str, &str); 3] = [("apps", "deployments"), ("apps", "statefulsets"), ("apps", "daemonsets")];
/// How many namespaces are searched for workloads, which are read whole.
const MAX_NAMESPACES: usize = 6;

/// The weight of the held object's own namespace: more than all other evidence for a namespace.
const HOME: i64 = 100;

/// A workload, whole, with the evidence for it.
pub(crate) type Candidate<'s> = Scored<Seen<'s>>;

/// The evidence for `seen`.
#[derive(Debug, Clone)]
pub(crate) struct Scored<S> {
    pub(crate) seen: S,
    pub(crate) score: i64,
    /// The pieces of evidence, each with its source.
    pub(crate) why: Vec<String>,
    /// The workload has one of the controller's names.
    pub(crate) named: bool,
    /// How many kinds of evidence there are: a name, an installer's marks, permissions.
    pub(crate) pieces: usize,
    /// The workload has one of the names in the catalogue: it removes the finalizer, whichever program set it
    /// (`names` of an entry), and so it comes first.
    catalogued: bool,
    /// Why the workload is not the controller, despite the evidence.
    pub(crate) ruled_out: Option<RuledOut>,
}

/// The candidates, best first, and the extent of the search.
pub(crate) type Ranking<'s> = RankingOf<Seen<'s>>;

/// A ranking of workloads that are represented by `S`.
#[derive(Debug)]
pub(crate) struct RankingOf<S> {
    pub(crate) best: Vec<Scored<S>>,
    /// How many of the first candidates have equal evidence.
    pub(crate) tied: usize,
    /// How many workloads were checked.
    pub(crate) looked_at: usize,
    /// Whether every workload with any evidence was checked.
    pub(crate) complete: bool,
    /// Namespaces with evidence that were not searched, because there are too many.
    pub(crate) left_out: Vec<String>,
    /// Workloads that are not the controller, despite much evidence.
    pub(crate) ruled_out: Vec<(S, RuledOut)>,
    /// Workloads with too little evidence, each with that evidence. While there is such a workload,
    /// the controller does not count as gone.
    pub(crate) suspects: Vec<(S, String)>,
}

impl<S> RankingOf<S> {
    /// The first candidates with equal evidence, no more than `most`.
    pub(crate) fn equals(&self, most: usize) -> &[Scored<S>] {
        &self.best[..self.tied.min(most)]
    }

    /// The same ranking with another representation of each workload; workloads without one are
    /// left out.
    fn with<T>(&self, other: impl Fn(&S) -> Option<T>) -> RankingOf<T> {
        let best: Vec<_> = self.best.iter().filter_map(|scored| Some(scored.of(other(&scored.seen)?))).collect();
        RankingOf {
            tied: self.tied.min(best.len()),
            best,
            looked_at: self.looked_at,
            complete: self.complete,
            left_out: self.left_out.clone(),
            ruled_out: self.ruled_out.iter().filter_map(|(it, out)| Some((other(it)?, out.clone()))).collect(),
            suspects: self.suspects.iter().filter_map(|(it, why)| Some((other(it)?, why.clone()))).collect(),
        }
    }
}

impl<S> Scored<S> {
    /// The same evidence for another representation of the workload.
    fn of<T>(&self, seen: T) -> Scored<T> {
        let Self { score, named, pieces, catalogued, .. } = *self;
        Scored { seen, score, why: self.why.clone(), named, pieces, catalogued, ruled_out: self.ruled_out.clone() }
    }
}

/// The key of a workload: the kind and namespace of the list that contains it, and its name.
struct WorkloadKey(ResourceId, String, String);

impl WorkloadKey {
    fn of(seen: Seen<'_>) -> Self {
        let namespace = seen.object.metadata.namespace.as_deref().unwrap_or_default().to_owned();
        Self(seen.resource.id.clone(), namespace, seen.object.name().to_owned())
    }

    fn seen<'s>(&self, facts: &Facts<'s>) -> Option<Seen<'s>> {
        let Self(kind, namespace, name) = self;
        let resource = facts.preferred(&kind.group, &kind.plural)?;
        let object = facts.named(facts.list(kind, Some(namespace), Form::Whole).ok()?, name)?;
        Some(Seen { resource, object })
    }
}

impl<'s> Candidate<'s> {
    /// A workload for which a `line` of its own log, or a Lease, is the only evidence.
    pub(crate) fn by_log(seen: Seen<'s>, line: String) -> Self {
        let (score, pieces, named, catalogued) = (ENOUGH, 1, true, false);
        Self { seen, score, why: vec![line], named, pieces, catalogued, ruled_out: None }
    }

    /// The service account of its pods.
    pub(crate) fn account(&self) -> Account {
        account_of(self.seen.object)
    }

    /// Its pods.
    pub(crate) fn pods(&self, facts: &Facts<'s>) -> Known<Vec<&'s Object>> {
        let namespace = self.seen.object.metadata.namespace.as_deref().unwrap_or_default();
        health::pods_of(self.seen.object, namespace, facts)
    }

    /// The same candidate, accepted as the controller despite another name.
    fn under_another_name(mut self) -> Self {
        self.why.extend(self.ruled_out.map(|out| format!("{}, and nothing else may write this kind", out.why)));
        Self { ruled_out: None, named: false, pieces: 1, ..self }
    }

    /// Whether the workload is in the namespace of the held object.
    pub(crate) fn is_at_home(&self, traces: &Traces<'_>) -> bool {
        traces.home.is_some() && self.seen.object.metadata.namespace.as_deref() == traces.home.as_deref()
    }

    /// A reference to the workload.
    pub(crate) fn reference(&self) -> Ref {
        self.seen.into()
    }
}

/// Finds and ranks the workloads that `traces` point at. All workloads are compared by their
/// metadata first. Those in the best namespaces, and in the namespaces of service accounts that may
/// write the kind, are then read whole.
pub(crate) fn rank<'s>(traces: &Traces<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Ranking<'s>> {
    let kept = facts.once(&traces.key(), || {
        let gaps = Gaps::default();
        let ranking = rank_anew(traces, facts, &gaps)?;
        Ok((ranking.with(|seen| Some(WorkloadKey::of(*seen))), gaps))
    })?;
    let (ranking, unread) = &*kept;
    gaps.take_over(unread);
    // A workload whose metadata contradict the list that contains it is not found again.
    Ok(ranking.with(|key| key.seen(facts)))
}

fn rank_anew<'s>(traces: &Traces<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Ranking<'s>> {
    let (mut looked_at, mut complete) = (0, true);
    let mut inhabited: BTreeSet<&str> = BTreeSet::new();
    let mut by_namespace: BTreeMap<&str, i64> = BTreeMap::new();
    for list in workloads(facts)? {
        let Ok(workloads) = list.map_err(|gap| gaps.note(&gap)) else {
            complete = false;
            continue;
        };
        looked_at += workloads.len();
        for workload in workloads {
            let score = by_metadata(traces, workload).0;
            let namespace = workload.metadata.namespace.as_deref().unwrap_or_default();
            inhabited.insert(namespace);
            if score > 0 {
                let best = by_namespace.entry(namespace).or_default();
                *best = (*best).max(score);
            }
        }
    }
    let mut namespaces = promising(traces, by_namespace);
    namespaces.retain(|name| !complete || inhabited.contains(name.as_str()));
    let left_out = namespaces.split_off(namespaces.len().min(MAX_NAMESPACES));
    let mut best = whole(&namespaces, traces, facts, gaps)?;
    let stands_out = |one: &Candidate<'_>| one.score >= ENOUGH && one.ruled_out.is_none();
    if !best.iter().any(stands_out) && lost_its_rights(&best, traces).is_none() {
        let further = further(traces, &namespaces, facts)?;
        best.extend(whole(&further, traces, facts, gaps)?);
    }
    ask_leases(&mut best, traces, facts, gaps)?;
    let lost = match lost_its_rights(&best, traces) {
        Some((lost, false)) if another_product(&lost, traces, facts)?.is_some() => None,
        lost => lost.map(|(lost, _)| lost),
    };
    let suspects = suspects(&best, traces);
    best.retain(|candidate| candidate.score >= ENOUGH);
    best.sort_by_cached_key(|candidate| (!candidate.catalogued, -candidate.score, candidate.reference()));
    rule_out_namesakes(&mut best, traces);
    if let Some(first) = best.iter_mut().find(|candidate| candidate.ruled_out.is_none()) {
        first.ruled_out = another_product(first, traces, facts)?;
    }
    let (mut out, mut best): (Vec<_>, Vec<_>) = best.into_iter().partition(|candidate| candidate.ruled_out.is_some());
    if best.is_empty()
        && lost.is_none()
        && let Some(place) = only_writer(&out, traces)
    {
        best.push(out.remove(place).under_another_name());
    }
    let ruled_out = out.into_iter().filter_map(|candidate| Some((candidate.seen, candidate.ruled_out?))).collect();
    let best: Vec<_> = if best.is_empty() { lost.into_iter().collect() } else { best };
    let first = best.first().map(|candidate| (candidate.catalogued, candidate.score));
    let tied = best.iter().take_while(|candidate| Some((candidate.catalogued, candidate.score)) == first).count();
    complete &= left_out.is_empty();
    Ok(Ranking { best, tied, looked_at, complete, left_out, ruled_out, suspects })
}

/// Asks the Leases of the storage driver which workload serves it, unless a single one stands out: that a manifest does
/// not name the driver is no evidence.
fn ask_leases<'s>(all: &mut Vec<Candidate<'s>>, traces: &Traces<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known {
    let Some(driver) = &traces.driver else { return Ok(()) };
    let mut best = all.iter().filter(|one| one.score >= ENOUGH && one.ruled_out.is_none()).map(|one| one.seen.object);
    if best.clone().count() == 1 || best.any(|workload| driver.served_by(workload) == Serves::Named) {
        return Ok(());
    }
    let leases = driver_leases::of_driver(traces, facts, gaps)?;
    let read: BTreeSet<&str> = all.iter().filter_map(|one| one.seen.object.metadata.namespace.as_deref()).collect();
    all.extend(whole(&driver_leases::places(&leases, &read), traces, facts, gaps)?);
    let told = driver_leases::traces(all.iter().map(|one| one.seen.object), &leases, traces);
    for (one, trace) in all.iter_mut().zip(told).filter_map(|(one, trace)| Some((one, trace?))) {
        one.score = one.score.max(ENOUGH) + Serves::Named.weight();
        // Anybody may create a Lease of that name in a namespace.
        one.pieces += usize::from(traces.rights.holders.contains_key(&one.account()));
        one.ruled_out = owner::ruled_out(&traces.names, one.seen.object).filter(|_| !trace.held);
        one.why.push(trace.text);
    }
    Ok(())
}

/// The index, among workloads that were ruled out, of the only one that may write a custom kind:
/// programs often write under another name than their workload's.
fn only_writer(ruled_out: &[Candidate<'_>], traces: &Traces<'_>) -> Option<usize> {
    let rights = &traces.rights;
    if !is_custom(&traces.kind.group) || !rights.complete || rights.user.is_some() || rights.holders.len() != 1 {
        return None;
    }
    let only_its_name = |out: &RuledOut| out.by_name && (!out.sure || traces.catalogue_is_of_another_product());
    let is_it = |candidate: &Candidate<'_>| {
        rights.holders.contains_key(&candidate.account()) && candidate.ruled_out.as_ref().is_some_and(only_its_name)
    };
    let mut fit = (0..ruled_out.len()).filter(|place| is_it(&ruled_out[*place]));
    fit.next().filter(|_| fit.next().is_none())
}

/// More namespaces to search if no evidence suffices: those with a workload that carries the
/// finalizer's domain, with an account that may list the kind, or with a workload named like a role
/// without a binding.
fn further(traces: &Traces<'_>, read: &[String], facts: &Facts<'_>) -> Known<Vec<String>> {
    let lists = workloads(facts)?;
    let all = lists.into_iter().flatten().flatten();
    let hinted = all.filter(|workload| traces.hint(workload)).filter_map(|it| it.metadata.namespace.as_deref());
    let new: BTreeSet<&str> = hinted.filter(|namespace| read.iter().all(|known| known != namespace)).collect();
    Ok(new.into_iter().map(ToOwned::to_owned).take(MAX_NAMESPACES.saturating_sub(read.len())).collect())
}

/// Workloads with too little evidence to be called the controller, and too much to say that the
/// controller is gone.
fn suspects<'s>(all: &[Candidate<'s>], traces: &Traces<'s>) -> Vec<(Seen<'s>, String)> {
    let why = |candidate: &Candidate<'s>| {
        let (workload, account) = (candidate.seen.object, candidate.account());
        if candidate.score >= ENOUGH || candidate.ruled_out.as_ref().is_some_and(|out| out.sure) {
            return None;
        }
        let named = traces.names.iter().find(|name| name.catalogued && owner::is_part_of(&name.word, workload));
        if let Some(name) = named {
            return Some(format!("it has the name of {}", name.word));
        }
        if traces.may_be_it_by_right(&account) || traces.may_be_it_by_word(workload, &account) {
            return Some(format!("its ServiceAccount {} may write this kind", account.name));
        }
        let lost = traces.lost_by(workload, &account)?;
        lost.is_likely().then(|| "it was installed together with the kind, or may have lost its permissions".to_owned())
    };
    all.iter().filter_map(|candidate| Some((candidate.seen, why(candidate)?))).collect()
}

/// The workload that lost the permission for its work, and whether more speaks for it than its name
/// and its permission to list.
fn lost_its_rights<'s>(all: &[Candidate<'s>], traces: &Traces<'s>) -> Option<(Candidate<'s>, bool)> {
    let of_it = |candidate: &Candidate<'s>| {
        let lost = traces.lost_by(candidate.seen.object, &candidate.account());
        lost.filter(|_| candidate.ruled_out.is_none()).unwrap_or_default()
    };
    let all_lost: Vec<Lost> = all.iter().map(of_it).collect();
    let at = lost::choose(&all_lost)?;
    let (mut chosen, lost) = (all[at].clone(), all_lost[at]);
    if lost.told {
        chosen.why.extend(traces.told_to(chosen.seen.object).map(|(_, text)| text));
    }
    if lost.of_object >= lost::ONE_INSTALLATION && lost.marks < lost::ONE_INSTALLATION {
        chosen.why.push("the object was installed together with it".into());
    }
    if lost.role {
        chosen.why.push("RBAC: the role of its name may write the kind, but has no binding".into());
    }
    if lost.lists {
        chosen.why.push("RBAC: it may list the kind but no longer write it".into());
    }
    let is_installed = lost.marks.max(lost.of_object) >= lost::ONE_INSTALLATION;
    chosen.pieces = 1 + usize::from(is_installed && (lost.lists || lost.writes));
    chosen.named = true;
    Some((chosen, lost.marks >= lost::ONE_INSTALLATION || lost.role || lost.told))
}

/// Rules out copies of one operator that is installed once for each namespace.
fn rule_out_namesakes<'s>(all: &mut [Candidate<'s>], traces: &Traces<'s>) {
    let Some(home) = &traces.home else { return };
    let rights = &traces.rights;
    let may_write = |candidate: &Candidate<'_>| !rights.complete || rights.may_write(&candidate.account());
    let tenants: Vec<(&Object, bool)> = all.iter().map(|it| (it.seen.object, may_write(it))).collect();
    for (candidate, out) in all.iter_mut().zip(tenants::ruled_out(&tenants, home)) {
        candidate.ruled_out = candidate.ruled_out.take().or(out);
    }
}

/// Why a workload with no evidence but its name belongs to another product: it may write a kind of
/// another group, and not this one.
fn another_product(candidate: &Candidate<'_>, traces: &Traces<'_>, facts: &Facts<'_>) -> Known<Option<RuledOut>> {
    let account = candidate.account();
    if candidate.pieces > 1 || !traces.rights.complete || traces.may_write(&account) {
        return Ok(None);
    }
    let places: Vec<&str> =
        [candidate.seen.object.metadata.namespace.as_deref(), traces.home.as_deref()].into_iter().flatten().collect();
    let Some(rules) = access::rules_of(&account, &places, facts).if_readable()? else { return Ok(None) };
    let named = |kind: &&Resource| rules.iter().any(|rule| access::lets_write(rule, &kind.id) == Some(Lets::Named));
    let other = |group: &str| is_custom(group) && group != traces.kind.group;
    let written = facts.discovery().resources.iter().filter(|kind| other(&kind.id.group)).find(named);
    // The kind that the workload works on may not be served: its definition was deleted, or never
    // created.
    let unserved = || rules.iter().find_map(|rule| access::written_by_name(rule, other));
    let written = written.map(|kind| kind.id.to_string()).or_else(unserved);
    Ok(written.map(|kind| RuledOut::new(format!("it may write {kind}, but not {}", traces.kind), false)))
}

/// The workloads of all namespaces by metadata, one list for each kind that can be listed.
pub(crate) fn workloads<'s>(facts: &Facts<'s>) -> Known<Vec<Result<&'s [Object], Gap>>> {
    each(kinds(facts), |kind| facts.list(&kind.id, None, Form::Metadata).surveyed())
}

pub(crate) fn kinds<'s>(facts: &Facts<'s>) -> Vec<&'s Resource> {
    KINDS.iter().filter_map(|(group, plural)| facts.preferred(group, plural)).collect()
}

/// The namespaces to search, most promising first.
fn promising(traces: &Traces<'_>, by_namespace: BTreeMap<&str, i64>) -> Vec<String> {
    let mut scored: BTreeMap<String, i64> =
        by_namespace.into_iter().map(|(namespace, score)| (namespace.to_owned(), score)).collect();
    for (account, holder) in &traces.rights.holders {
        *scored.entry(account.namespace.clone()).or_default() += holder.weight();
    }
    for namespace in &traces.namespaces {
        *scored.entry(namespace.clone()).or_default() += 2;
    }
    // If each namespace has its own operator, the controller is the operator in the object's
    // namespace.
    if let Some(score) = traces.home.as_ref().and_then(|home| scored.get_mut(home)) {
        *score += HOME;
    }
    let mut namespaces: Vec<(i64, String)> = scored.into_iter().map(|(name, score)| (-score, name)).collect();
    namespaces.sort();
    namespaces.into_iter().map(|(_, name)| name).filter(|name| !name.is_empty()).collect()
}

fn whole<'s>(namespaces: &[String], traces: &Traces<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<Candidate<'s>>> {
    let all = flat_each(namespaces, |namespace| workloads_in(namespace, facts, gaps))?;
    Ok(all.into_iter().map(|seen| candidate(seen, traces)).collect())
}

/// The workloads of a namespace, whole.
pub(crate) fn workloads_in<'s>(namespace: &str, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<Seen<'s>>> {
    flat_each(kinds(facts), |resource| {
        let list = gaps.pass(facts.list(&resource.id, Some(namespace), Form::Whole))?.unwrap_or_default();
        Ok(list.iter().map(move |object| Seen { resource, object }))
    })
}

/// The evidence for a workload in its metadata: the score, the best name of the controller that it has, and the
/// marks that it shares.
fn by_metadata<'t>(traces: &'t Traces<'_>, workload: &Object) -> (i64, Option<&'t ControllerName>, Vec<&'t str>) {
    let (mut score, marks) = traces.shared_with(workload);
    let points = |name: &ControllerName| {
        if is_called(workload, &name.word) {
            return name.weight;
        }
        if likeness(&name.word, workload.name()) > 0 { name.weight - 1 } else { 0 }
    };
    // Only the best name counts, not the number of names that match.
    let best = traces.names.iter().map(|name| (points(name), name)).max_by_key(|(points, _)| *points);
    let best = best.filter(|(points, _)| *points > 0);
    score += best.map_or(0, |(points, _)| i64::from(points));
    if let Some(brand) = &traces.brand
        && workload.name().contains(brand.as_str())
    {
        score += 1;
    }
    if score > 0
        && traces.namespaces.iter().any(|namespace| workload.metadata.namespace.as_deref() == Some(&**namespace))
    {
        score += 1;
    }
    (score, best.map(|(_, name)| name), marks)
}

/// A workload with the evidence for it.
pub(crate) fn candidate<'s>(seen: Seen<'s>, traces: &Traces<'_>) -> Candidate<'s> {
    let workload = seen.object;
    let (mut score, name, marks) = by_metadata(traces, workload);
    let mut why: Vec<String> = name.map(ControllerName::text).into_iter().collect();
    why.extend(marks.iter().copied().map(Into::into));
    let account = account_of(workload);
    let (mut named, catalogued) = (name.is_some(), name.is_some_and(|name| name.catalogued));
    let may_write = !traces.rights.complete || traces.may_write(&account);
    // A workload that was merely installed along with the kind is a candidate only if it could do the work.
    let marked = !marks.is_empty();
    // A partial match of the name also needs the permission. A whole match does not: the permission may
    // be what the workload has lost.
    let whole = name.is_some_and(|name| is_called(workload, &name.word));
    let mut may = whole || may_write;
    let holder = traces.rights.holders.get(&account);
    if let Some(holder) = holder {
        may = true;
        score += holder.weight();
        why.push(holder.text(&account));
    }
    let runs = |name: &&ControllerName| programs(workload).any(|program| program == name.word);
    let has_name_of = |known: &ControllerName| name.is_some_and(|name| name.has_sources_of(known));
    if let Some(known) = traces.names.iter().find(runs)
        && !has_name_of(known)
    {
        score += i64::from(known.weight.min(3));
        why.push(format!("{}; one of its containers runs {}", known.text(), known.word));
        (may, named) = (true, true);
    }
    let common = traces.common_setter.as_deref().filter(|_| traces.is_the_common_setter(workload));
    if let Some(setter) = common {
        score += 2;
        why.push(format!("managedFields: {setter} set the finalizer, and this workload runs under that name"));
    }
    if workload.metadata.namespace.as_deref() == traces.home.as_deref() && score > 0 {
        score += 1;
    }
    let told = told(workload, holder.is_some(), traces);
    if let Some((how, text)) = &told {
        score += if *how == ConfiguredPart::Whole { 3 } else { 2 };
        why.push(text.clone());
    }
    // If permissions are the only evidence, they must identify it.
    may &= named || marked || told.is_some() || (traces.rights_tell() && traces.may_be_its_own(workload));
    // A workload of another release that may not write the kind is another product's with the same
    // name.
    may &= may_write || !traces.is_of_another_release(workload);
    // A permission that many accounts have identifies none of them.
    let rare = holder.is_some() && traces.rights_are_rare();
    let could = rare || (whole && traces.rights.complete && may_write);
    let whole = told.is_some_and(|(how, _)| how == ConfiguredPart::Whole);
    let pieces = usize::from(named || common.is_some()) + usize::from(marked) + usize::from(could) + usize::from(whole);
    // An installer's marks are on everything that it installs: they do not show which workload it
    // is.
    let mut who = named || common.is_some() || rare || whole;
    if let Some(driver) = &traces.driver {
        // Every driver's workloads have these names: only the driver's own name decides.
        let served = driver.served_by(workload);
        who &= served == Serves::Named || marked;
        score += served.weight();
        if served == Serves::Named {
            why.push(format!("its command names driver {}", driver.name));
        }
    }
    let (score, pieces) = (if may { score } else { 0 }, if who { pieces } else { 1 });
    Candidate { seen, score, why, named, pieces, catalogued, ruled_out: traces.rule_out(workload) }
}

/// How much of the finalizer a workload's configuration contains. The domain alone counts only for a
/// workload that is named a controller, or that has the permission.
fn told(workload: &Object, is_holder: bool, traces: &Traces<'_>) -> Option<(ConfiguredPart, String)> {
    let counts =
        |told: ConfiguredPart| told == ConfiguredPart::Whole || is_holder || owner::is_called_a_controller(workload);
    traces.told_to(workload).filter(|(told, _)| counts(*told))
}
