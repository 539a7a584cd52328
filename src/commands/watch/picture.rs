//! What a watch knows: the targets, what is left in them, the last diagnosis, and
//! how it gets on. News come in; a [`Moment`] comes out.

use crate::cluster::watch::{Heard, News};
use crate::commands::source::Diagnosed;
use crate::facts::Facts;
use crate::render::{Gone, Left, Moment, Pace, Standing};
use crate::report::{ControllerState, Finding, LinkState, Ref, Report, State, Target as TargetReport};
use crate::survey::{Fact, Form, Object, Survey, TargetName, Unread, Want};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::Duration;
use tokio::time::Instant;

/// More lists are not watched at a time: servers limit the requests that are open on
/// one connection. What is left out is seen by the next diagnosis.
const LISTS: usize = 60;
/// So many of the objects that are waited for are watched.
const FOLLOWED: usize = 10;
/// How fast objects go is judged by this time.
const WINDOW: Duration = Duration::from_secs(30);
/// A shorter time tells no rate.
const SHORTEST: Duration = Duration::from_secs(3);
/// Fewer that went tell no rate either, nor does it where none went for a while.
const FEWEST: usize = 3;
const STALLED: Duration = Duration::from_secs(5);
/// The namespace controller looks so long after each change (kubernetes/kubernetes:
/// `pkg/controller/namespace/namespace_controller.go`).
const LOOKS_AFTER: Duration = Duration::from_secs(5);
/// So many causes are named.
const CAUSES: usize = 12;

/// A target.
#[derive(Debug)]
pub struct Watched {
    /// Its name.
    pub name: TargetName,
    /// It, as the first diagnosis saw it.
    pub object: Ref,
    /// Whether it is gone, read back.
    pub gone: Option<Gone>,
    /// The object as it is, once it was heard of.
    now: Option<Object>,
    /// Another object of its name was seen.
    replaced: bool,
    /// When it changed last while it was watched.
    changed_at: Option<Instant>,
}

impl Watched {
    fn place(&self) -> Want {
        let form = if self.is_namespace() { Form::Whole } else { Form::Metadata };
        Want::get(&self.name.resource, self.name.namespace.as_deref(), &self.name.name, form)
    }

    fn is_namespace(&self) -> bool {
        self.object.kind == "Namespace" && self.name.resource.group.is_empty()
    }

    /// Whether the namespace controller works on it.
    fn is_being_emptied(&self) -> bool {
        let Some(object) = self.now.as_ref().filter(|_| self.is_namespace()) else { return false };
        object.is_deleting() && object.array("/spec/finalizers").iter().any(|entry| entry == "kubernetes")
    }

    /// Whether `place` is in it.
    fn holds(&self, place: &Want) -> bool {
        if self.is_namespace() {
            place.namespace.as_deref() == Some(self.name.name.as_str())
        } else {
            place.namespace.is_none() && self.name.name == place.resource.short()
        }
    }
}

/// What is left of one kind in one place.
#[derive(Debug, Default)]
struct Content {
    objects: HashMap<String, Held>,
}

#[derive(Debug, PartialEq)]
struct Held {
    going: bool,
    finalizers: Vec<String>,
}

impl From<&Object> for Held {
    fn from(object: &Object) -> Self {
        Self { going: object.is_deleting(), finalizers: object.metadata.finalizers.clone() }
    }
}

/// What a report says, without the ages that its texts tell.
fn gist(report: &Report) -> impl PartialEq + use<> {
    let targets = report.targets.iter().map(|target| (target.object.clone(), target.state)).collect::<Vec<_>>();
    let findings = report.findings.iter().map(|finding| {
        let what = (finding.rule, finding.finalizer.clone(), finding.root, finding.certainty);
        let controller = finding.controller.as_ref().map(|controller| controller.state);
        (what, finding.objects.clone(), finding.waits_for.clone(), finding.blocks.clone(), controller)
    });
    (targets, findings.collect::<Vec<_>>(), report.remedies.len(), report.unread.len(), report.also_broken.len())
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The same for as long as it is the same, whatever its age.
    key: String,
    /// One line.
    pub text: String,
}

impl Reason {
    /// Whether it is the same, of another age perhaps.
    pub fn is_like(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// What has changed since it was last told.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Change {
    /// So many objects went, came, or are being deleted now.
    pub went: usize,
    /// See above.
    pub came: usize,
    /// See above.
    pub doomed: usize,
}

/// Changes by target and kind.
pub type Changes = BTreeMap<(usize, String), Change>;

/// All that is known.
#[derive(Debug)]
pub struct Picture {
    /// The targets that were there at the start.
    pub targets: Vec<Watched>,
    /// The last diagnosis.
    pub report: Report,
    lists: BTreeMap<Want, Content>,
    /// With the version that was heard of last; none is that of an object that is not there.
    followed: BTreeMap<Want, Option<String>>,
    silent: BTreeMap<Want, (Instant, Unread)>,
    polled: BTreeMap<Want, Unread>,
    history: VecDeque<(Instant, usize)>,
    changed_at: Instant,
    diagnosed_at: Instant,
    /// When the report was made; `diagnosed_at` counts tries as well.
    reported_at: Instant,
    /// Something changed that the diagnosis may rest on.
    matters: bool,
    changes: Changes,
}

impl Picture {
    /// The picture of a first diagnosis.
    pub fn new(diagnosed: &Diagnosed, now: Instant) -> Self {
        let there = diagnosed.report.targets.iter().filter(|target| target.state != State::Gone);
        let targets = there.map(|target| Watched {
            name: target.object.target(),
            object: target.object.clone(),
            gone: None,
            now: None,
            replaced: false,
            changed_at: None,
        });
        let mut picture = Self {
            targets: targets.collect(),
            report: diagnosed.report.clone(),
            lists: BTreeMap::new(),
            followed: BTreeMap::new(),
            silent: BTreeMap::new(),
            polled: BTreeMap::new(),
            history: VecDeque::new(),
            changed_at: now,
            diagnosed_at: now,
            reported_at: now,
            matters: false,
            changes: Changes::new(),
        };
        picture.renew(diagnosed, now);
        picture
    }

    /// Takes over another diagnosis; whether it says something else than the last one.
    pub fn renew(&mut self, diagnosed: &Diagnosed, now: Instant) -> bool {
        let news = gist(&diagnosed.report) != gist(&self.report);
        self.report = diagnosed.report.clone();
        (self.diagnosed_at, self.reported_at) = (now, now);
        let found = self.content(&diagnosed.survey);
        // A kind that is no longer served takes its objects with it.
        let silent = &self.silent;
        self.lists.retain(|place, content| {
            !content.objects.is_empty() && (found.contains_key(place) || !silent.contains_key(place))
        });
        for (place, objects) in found {
            if self.lists.len() < LISTS {
                self.lists.entry(place).or_insert(Content { objects });
            }
        }
        let followed = self.waited_for(&diagnosed.survey);
        self.followed.retain(|place, _| followed.contains(place));
        for place in followed {
            self.followed.entry(place).or_default();
        }
        let watched = self.places();
        self.silent.retain(|place, _| watched.contains(place));
        self.matters = false;
        news
    }

    /// Notes that a diagnosis could not be made: the next one waits as long.
    pub fn was_not_diagnosed(&mut self, now: Instant) {
        self.diagnosed_at = now;
    }

    /// Makes the report say which targets are gone, and leaves out what held only these.
    /// Says whether that changes it.
    pub fn close_report(&mut self) -> bool {
        let gone: Vec<(Ref, Gone)> =
            self.targets.iter().filter_map(|target| Some((target.object.clone(), target.gone?))).collect();
        let report = &mut self.report;
        for target in &mut report.targets {
            if let Some((_, gone)) = gone.iter().find(|(object, _)| object.target() == target.object.target()) {
                (target.state, target.object.missing) = (State::Gone, true);
                gone.words().clone_into(&mut target.summary);
            }
        }
        for (object, words) in &gone {
            if !report.targets.iter().any(|target| target.object.target() == object.target()) {
                report.targets.push(TargetReport {
                    object: object.clone().missing(),
                    state: State::Gone,
                    since: None,
                    summary: words.words().into(),
                });
            }
        }
        let is_gone = |blocked: &Ref| gone.iter().any(|(object, _)| object == blocked);
        report.findings.retain(|finding| finding.blocks.is_empty() || !finding.blocks.iter().all(is_gone));
        let findings = &report.findings;
        report.remedies.retain(|remedy| findings.iter().any(|finding| finding.remedies.contains(&remedy.id)));
        !gone.is_empty()
    }

    /// What is to be watched.
    pub fn places(&self) -> BTreeSet<Want> {
        let targets = self.there().map(|(_, target)| target.place());
        targets.chain(self.lists.keys().cloned()).chain(self.followed.keys().cloned()).collect()
    }

    /// The targets that are not gone.
    pub fn there(&self) -> impl Iterator<Item = (usize, &Watched)> {
        self.targets.iter().enumerate().filter(|(_, target)| target.gone.is_none())
    }

    /// The lists of what is left in the targets that are being emptied.
    fn content(&self, survey: &Survey) -> BTreeMap<Want, HashMap<String, Held>> {
        let facts = Facts::new(survey);
        let mut lists: BTreeMap<Want, HashMap<String, Held>> = BTreeMap::new();
        for (_, target) in self.there() {
            if !target.is_namespace() {
                lists.extend(instances(target, survey));
                continue;
            }
            let Ok(sweep) = facts.sweep(&target.name.name) else { continue };
            for seen in &sweep.objects {
                let place = Want::list(&seen.resource.id, Some(&target.name.name), Form::Metadata);
                lists.entry(place).or_default().insert(seen.object.uid().to_owned(), seen.object.into());
            }
        }
        lists
    }

    /// The objects whose change may change the diagnosis.
    fn waited_for(&self, survey: &Survey) -> BTreeSet<Want> {
        let mut places = BTreeSet::new();
        for finding in self.roots() {
            let controller = finding.controller.iter().filter_map(|controller| controller.workload.as_ref());
            let broken = finding.chain.iter().filter(|link| link.state == LinkState::Broken).map(|link| &link.object);
            for object in finding.waits_for.iter().chain(controller).chain(broken) {
                let name = object.target();
                let served =
                    survey.discovery.resources.iter().any(|resource| {
                        resource.id == name.resource && resource.namespaced == name.namespace.is_some()
                    });
                let is_target = self.targets.iter().any(|target| target.name == name);
                if served && !is_target && places.len() < FOLLOWED {
                    places.insert(Want::get(&name.resource, name.namespace.as_deref(), &name.name, Form::Metadata));
                }
            }
        }
        places
    }

    /// The root causes of what is not gone.
    fn roots(&self) -> impl Iterator<Item = &Finding> {
        let held = |finding: &&Finding| self.there().any(|(_, target)| finding.blocks.contains(&target.object));
        self.report.findings.iter().filter(|finding| finding.root && finding.is_trouble()).filter(held)
    }

    /// Takes in news; the target that seems to be gone, if one does.
    pub fn hear(&mut self, heard: Heard, now: Instant) -> Option<usize> {
        let Heard { place, news } = heard;
        match &news {
            News::Silent(why) => {
                self.matters |= why.reason == crate::survey::Reason::NotServed;
                self.silent.entry(place).or_insert_with(|| (now, why.clone()));
                return None;
            }
            News::Polled(why) => {
                self.polled.insert(place, why.clone());
                return None;
            }
            News::Listed(_) | News::Changed(_) | News::Gone(_) => drop(self.silent.remove(&place)),
        }
        if let Some(target) = self.targets.iter().position(|target| target.gone.is_none() && target.place() == place) {
            return self.hear_of_target(target, news, now);
        }
        if self.lists.contains_key(&place) {
            self.hear_of_content(&place, news, now);
        } else {
            self.hear_of_other(&place, &news);
        }
        None
    }

    fn hear_of_target(&mut self, index: usize, news: News, now: Instant) -> Option<usize> {
        let target = &mut self.targets[index];
        let object = match news {
            News::Changed(object) => Some(*object),
            News::Listed(objects) => objects.into_iter().next(),
            _ => None,
        };
        let Some(object) = object else { return Some(index) };
        if object.uid() != target.object.uid && !target.object.uid.is_empty() {
            target.replaced = true;
            return Some(index);
        }
        let before = target.now.replace(object);
        if before.is_some() && before != target.now {
            target.changed_at = Some(now);
            self.changed_at = now;
            self.matters = true;
        }
        None
    }

    fn hear_of_content(&mut self, place: &Want, news: News, now: Instant) {
        let target = self.targets.iter().position(|target| target.holds(place)).unwrap_or_default();
        let Some(content) = self.lists.get_mut(place) else { return };
        let mut change = Change::default();
        let mut other = false;
        match news {
            News::Listed(objects) => {
                let mut new: HashMap<String, Held> = HashMap::with_capacity(objects.len());
                for object in &objects {
                    other |= note(&mut change, content.objects.remove(object.uid()).as_ref(), &object.into());
                    new.insert(object.uid().to_owned(), object.into());
                }
                change.went = content.objects.len();
                content.objects = new;
            }
            News::Changed(object) => {
                let held = Held::from(&*object);
                other |= note(&mut change, content.objects.get(object.uid()), &held);
                content.objects.insert(object.metadata.uid, held);
            }
            News::Gone(uid) => change.went = usize::from(content.objects.remove(&uid).is_some()),
            News::Silent(_) | News::Polled(_) => {}
        }
        let emptied = change.went > 0 && content.objects.is_empty();
        let changed = change != Change::default();
        if changed {
            let known = self.changes.entry((target, place.resource.short())).or_default();
            known.went += change.went;
            known.came += change.came;
            known.doomed += change.doomed;
        }
        let stuck = self.is_stuck();
        self.matters |= emptied || change.came > 0 || (stuck && (changed || other));
        if changed || other {
            self.changed_at = now;
        }
    }

    fn hear_of_other(&mut self, place: &Want, news: &News) {
        let version = match news {
            News::Changed(object) => object.metadata.resource_version.clone(),
            News::Listed(objects) => objects.first().and_then(|object| object.metadata.resource_version.clone()),
            _ => None,
        };
        let version = version.unwrap_or_default();
        if let Some(known) = self.followed.get_mut(place) {
            self.matters |= known.as_ref().is_some_and(|known| *known != version);
            *known = Some(version);
        }
    }

    /// Notes that a target was read to be gone.
    pub fn is_gone(&mut self, index: usize, now: Instant) {
        let target = &mut self.targets[index];
        target.gone = Some(if target.replaced { Gone::Replaced } else { Gone::Away });
        let name = target.name.name.clone();
        if target.is_namespace() {
            self.lists.retain(|place, _| place.namespace.as_ref() != Some(&name));
        }
        self.changes.retain(|(of, _), _| *of != index);
        self.silent.clear();
        (self.changed_at, self.matters) = (now, true);
    }

    /// Whether something changed that calls for another diagnosis.
    pub fn matters(&self) -> bool {
        self.matters
    }

    /// How long nothing has changed, and for how long the diagnosis is known.
    pub fn ages(&self, now: Instant) -> (Duration, Duration) {
        (now.duration_since(self.changed_at), now.duration_since(self.diagnosed_at))
    }

    /// Whether the last diagnosis found something that holds a target.
    pub fn is_stuck(&self) -> bool {
        self.roots().next().is_some()
    }

    /// Why a target cannot be read, and for how long.
    pub fn blind(&self, now: Instant) -> Option<(Duration, &Watched, &Unread)> {
        let silent = self.there().filter_map(|(_, target)| {
            let (since, why) = self.silent.get(&target.place())?;
            Some((now.duration_since(*since), target, why))
        });
        silent.max_by_key(|(since, ..)| *since)
    }

    /// What may only be read every so often, in words.
    pub fn polled(&self) -> Vec<String> {
        let say = |(place, why): (&Want, &Unread)| format!("{place} cannot be watched and is read every 10 s: {why}");
        self.polled.iter().map(say).collect()
    }

    /// What has changed since this was asked.
    pub fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// What is left in one target, most first; `None` where that is not known.
    pub fn left_in(&self, index: usize) -> Option<Vec<Left>> {
        let target = &self.targets[index];
        let lists: Vec<_> = self.lists.iter().filter(|(place, _)| target.holds(place)).collect();
        let known = !lists.is_empty() || (target.is_namespace() && self.report_of(target) != Some(State::NotDeleting));
        known.then(|| counted(lists.into_iter()))
    }

    fn report_of(&self, target: &Watched) -> Option<State> {
        self.report.targets.iter().find(|other| other.object.target() == target.name).map(|other| other.state)
    }

    /// Notes how much is left, for the rate.
    pub fn sample(&mut self, now: Instant) {
        let total = self.lists.values().map(|content| content.objects.len()).sum();
        self.history.push_back((now, total));
        while self.history.front().is_some_and(|(then, _)| now.duration_since(*then) > WINDOW) {
            self.history.pop_front();
        }
    }

    /// Only where objects go just now; and an estimate only where enough of them do, and
    /// nothing is known to be in the way of any.
    fn pace(&self) -> Option<Pace> {
        let (&(start, most), &(end, left)) = (self.history.front()?, self.history.back()?);
        let samples = self.history.iter().zip(self.history.iter().skip(1));
        let fell_at = samples.filter(|(before, after)| after.1 < before.1).map(|(_, after)| after.0).next_back()?;
        let took = end.duration_since(start);
        let went = most.saturating_sub(left);
        if took < SHORTEST || end.duration_since(fell_at) > STALLED || went < FEWEST || left == 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of objects are small")]
        let (rate, left) = (went as f64 / took.as_secs_f64(), left as f64);
        let rest = (!self.is_stuck()).then(|| Duration::try_from_secs_f64(left / rate).ok()).flatten();
        Some(Pace { rate, rest })
    }

    /// The picture as it is to be shown.
    pub fn moment(&self, now: Instant, diagnosing: bool, over: bool) -> Moment {
        let (quiet, diagnosed) = (self.ages(now).0, now.duration_since(self.reported_at));
        Moment {
            targets: (0..self.targets.len()).map(|index| self.standing(index, now)).collect(),
            left: counted(self.lists.iter()),
            pace: self.pace(),
            causes: self.causes().into_iter().map(|cause| cause.text).collect(),
            over,
            workers: self.workers(),
            next: self.next(now),
            trouble: self.trouble(now),
            quiet,
            diagnosed: (!diagnosing).then_some(diagnosed),
        }
    }

    fn standing(&self, index: usize, now: Instant) -> Standing {
        let target = &self.targets[index];
        let reported = self.report.targets.iter().find(|other| other.object.target() == target.name);
        let left = self.left_in(index).map(|left| left.iter().map(|left| left.count).sum());
        Standing {
            name: target.object.to_string(),
            gone: target.gone,
            state: reported.map_or(State::Unknown, |reported| reported.state),
            age: reported.and_then(|reported| reported.since).map(|since| self.clock(now).duration_since(since)),
            left,
        }
    }

    /// The time at the server, which gave that of the diagnosis.
    fn clock(&self, now: Instant) -> Timestamp {
        let since = SignedDuration::try_from(now.duration_since(self.reported_at)).unwrap_or_default();
        self.report.taken_at.checked_add(since).unwrap_or(self.report.taken_at)
    }

    /// The root causes; where there is none, what is said of the targets.
    pub fn causes(&self) -> Vec<Reason> {
        let roots: Vec<Reason> = self.roots().take(CAUSES).map(|finding| self.cause(finding)).collect();
        if !roots.is_empty() {
            return roots;
        }
        let reported = self.report.targets.iter().filter(|reported| {
            reported.state != State::Gone && self.there().any(|(_, target)| target.object == reported.object)
        });
        reported.take(CAUSES).map(|reported| self.no_cause(reported)).collect()
    }

    fn cause(&self, finding: &Finding) -> Reason {
        let held = self.there().filter(|(_, target)| finding.blocks.contains(&target.object));
        let names: Vec<&str> = held.map(|(_, target)| target.name.name.as_str()).collect();
        let text = match names.len() {
            _ if self.there().count() == 1 => finding.summary.clone(),
            0..=3 => format!("{}: {}", names.join(", "), finding.summary),
            more => format!("{} and {} more: {}", names[..2].join(", "), more - 2, finding.summary),
        };
        let controller = finding.controller.as_ref().map(|controller| controller.state);
        let waits_for = finding.waits_for.as_ref().map(ToString::to_string).unwrap_or_default();
        let finalizer = finding.finalizer.as_deref().unwrap_or_default();
        Reason { key: format!("{} {} {finalizer} {waits_for} {controller:?}", finding.rule, finding.subject), text }
    }

    fn no_cause(&self, reported: &TargetReport) -> Reason {
        let about = |finding: &&Finding| finding.blocks.contains(&reported.object);
        let rule = self.report.findings.iter().find(about).map_or("", |finding| finding.rule);
        let text = match reported.state {
            // That nothing is late yet has an age of its own; the screen tells it.
            State::Progressing if rule == "deletion-in-progress" => "nothing is wrong so far".to_owned(),
            State::NotDeleting => "nobody has asked for its deletion".to_owned(),
            _ => reported.summary.clone(),
        };
        let text = if self.there().count() > 1 { format!("{}: {text}", reported.object) } else { text };
        Reason { key: format!("{} {:?} {rule}", reported.object, reported.state), text }
    }

    fn workers(&self) -> Vec<String> {
        let mut workers = Vec::new();
        for finding in self.roots() {
            let Some(controller) = &finding.controller else { continue };
            let Some(workload) = &controller.workload else { continue };
            let what = finding.finalizer.as_deref().map(|key| format!(" (for {key})")).unwrap_or_default();
            let line = format!("{workload}: {}{what}", in_a_word(controller.state));
            if !workers.contains(&line) {
                workers.push(line);
            }
        }
        if workers.is_empty() && !self.is_stuck() && self.there().any(|(_, target)| target.is_being_emptied()) {
            workers.push("the namespace controller, in kube-controller-manager".into());
        }
        workers
    }

    /// The next look of the namespace controller, or the end of a grace period.
    fn next(&self, now: Instant) -> Option<String> {
        if let Some((_, target)) = self.there().find(|(_, target)| target.is_being_emptied()) {
            let looks = target.changed_at.and_then(|at| LOOKS_AFTER.checked_sub(now.duration_since(at)));
            let pods = self
                .lists
                .iter()
                .any(|(place, content)| place.resource.plural == "pods" && !content.objects.is_empty());
            let whose = if self.there().count() > 1 { format!(" at {}", target.name.name) } else { String::new() };
            return Some(match looks {
                Some(rest) => format!("the namespace controller looks{whose} in about {} s", rest.as_secs() + 1),
                None if pods => format!(
                    "the namespace controller looks{whose} again within a minute, or half the longest grace period of its pods"
                ),
                None => format!("the namespace controller looks{whose} again within a minute"),
            });
        }
        let clock = self.clock(now);
        let ends = self.there().filter_map(|(_, target)| target.now.as_ref()?.metadata.deletion_timestamp).max()?;
        (ends > clock).then(|| format!("its grace period ends in {} s", ends.duration_since(clock).as_secs() + 1))
    }

    fn trouble(&self, now: Instant) -> Vec<String> {
        let mut trouble: Vec<String> = Vec::new();
        if let Some((since, target, why)) = self.blind(now) {
            trouble.push(format!("{} cannot be read for {} s; trying again: {why}", target.object, since.as_secs()));
        } else {
            let lists = self.silent.iter().filter(|(place, _)| self.lists.contains_key(place));
            trouble
                .extend(lists.take(2).map(|(place, (_, why))| format!("{place} cannot be read; trying again: {why}")));
        }
        trouble.extend(self.polled());
        trouble
    }
}

/// Counts what an object's change is; whether its finalizers changed.
fn note(change: &mut Change, before: Option<&Held>, now: &Held) -> bool {
    match before {
        None => change.came += 1,
        Some(before) if now.going && !before.going => change.doomed += 1,
        Some(before) => return before.finalizers != now.finalizers,
    }
    false
}

/// The objects of a definition, wherever the diagnosis has listed them.
fn instances(target: &Watched, survey: &Survey) -> Option<(Want, HashMap<String, Held>)> {
    if target.name.resource.plural != "customresourcedefinitions" {
        return None;
    }
    let mut lists = survey.facts().filter(|(want, _)| {
        want.namespace.is_none() && want.name.is_none() && want.resource.short() == target.name.name
    });
    let (want, objects) = lists.find_map(|(want, fact)| match fact {
        Fact::Listed(objects) if !objects.is_empty() => Some((want, objects)),
        _ => None,
    })?;
    let held = objects.iter().map(|object| (object.uid().to_owned(), object.into())).collect();
    Some((Want::list(&want.resource, None, Form::Metadata), held))
}

fn counted<'a>(lists: impl Iterator<Item = (&'a Want, &'a Content)>) -> Vec<Left> {
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (place, content) in lists.filter(|(_, content)| !content.objects.is_empty()) {
        let (count, going) = kinds.entry(place.resource.short()).or_default();
        *count += content.objects.len();
        *going += content.objects.values().filter(|held| held.going).count();
    }
    let mut left: Vec<Left> = kinds.into_iter().map(|(kind, (count, going))| Left { kind, count, going }).collect();
    left.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.kind.cmp(&b.kind)));
    left
}

fn in_a_word(state: ControllerState) -> &'static str {
    match state {
        ControllerState::Gone => "gone",
        ControllerState::Down => "down",
        ControllerState::Failing => "failing",
        ControllerState::Alive => "alive",
        ControllerState::Unknown => "not known how it stands",
    }
}
