//! The facts of a watch: the targets, their content, the last diagnosis, and the progress.

use super::content::{Change, Changes, KindContent, Remaining, counted, instances, note};
use super::pace::History;
use super::watched::Watched;
use crate::commands::source::Diagnosed;
use crate::facts::Facts;
use crate::read::sharing::MAX_WATCHES;
use crate::read::watch::{News, Update};
use crate::report::{Finding, LinkState, Ref, Report, State, TargetReport};
use crate::screen::{Gone, LeftOfKind};
use crate::survey::{Form, Reason, Survey, TargetName, Unread, Want};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;
use tokio::time::Instant;

/// How many of the objects that targets wait for are watched.
const MAX_FOLLOWED: usize = 10;

/// All facts of a watch.
#[derive(Debug)]
pub struct WatchPicture {
    /// The targets that existed at the start.
    pub targets: Vec<Watched>,
    /// The positions of the targets, by the wants that show them and by their names in reports.
    by_place: HashMap<Want, usize>,
    by_object: HashMap<Ref, usize>,
    /// How many targets are not gone.
    left: usize,
    /// The last diagnosis.
    pub report: Report,
    /// The position of each target in the report.
    reported: BTreeMap<TargetName, usize>,
    /// How many lists are only polled because too many would be watched.
    pub too_many: usize,
    /// The targets that disappeared since such targets were last printed.
    pub(super) went: Vec<usize>,
    pub(super) lists: BTreeMap<Want, KindContent>,
    /// The followed objects, with the last version that was seen; `None` if the object does not exist.
    followed: BTreeMap<Want, Option<String>>,
    pub(super) silent: BTreeMap<Want, (Instant, Unread)>,
    polled: BTreeMap<Want, Unread>,
    pub(super) history: History,
    changed_at: Instant,
    diagnosed_at: Instant,
    /// The time of the report; `diagnosed_at` also counts failed attempts.
    pub(super) reported_at: Instant,
    /// Whether there was a change that may affect the diagnosis.
    pub(super) matters: bool,
    /// The changes of content since changes were last printed.
    pub(super) changes: Changes,
}

impl WatchPicture {
    /// The picture after a first diagnosis.
    pub fn new(diagnosed: &Diagnosed, now: Instant) -> Self {
        let there = diagnosed.report.targets.iter().filter(|target| target.state != State::Gone);
        let targets = there.map(|target| Watched {
            name: target.object.target(),
            object: target.object.clone(),
            gone: None,
            now: None,
            replaced: false,
            changed_at: None,
            most: 0,
        });
        let targets: Vec<Watched> = targets.collect();
        let mut picture = Self {
            by_place: targets.iter().enumerate().map(|(index, target)| (target.place(), index)).collect(),
            by_object: targets.iter().enumerate().map(|(index, target)| (target.object.clone(), index)).collect(),
            left: targets.len(),
            targets,
            reported: BTreeMap::new(),
            too_many: 0,
            went: Vec::new(),
            report: diagnosed.report.clone(),
            lists: BTreeMap::new(),
            followed: BTreeMap::new(),
            silent: BTreeMap::new(),
            polled: BTreeMap::new(),
            history: History::default(),
            changed_at: now,
            diagnosed_at: now,
            reported_at: now,
            matters: false,
            changes: Changes::new(),
        };
        picture.renew(diagnosed, now);
        picture
    }

    /// Takes a new diagnosis. Returns whether it differs from the last one.
    pub fn renew(&mut self, diagnosed: &Diagnosed, now: Instant) -> bool {
        let news = gist(&diagnosed.report) != gist(&self.report);
        self.report = diagnosed.report.clone();
        let reported = self.report.targets.iter().enumerate();
        // If several targets have the same name, the first counts.
        self.reported = reported.rev().map(|(index, target)| (target.object.target(), index)).collect();
        (self.diagnosed_at, self.reported_at) = (now, now);
        let found = self.content(&diagnosed.survey);
        // A kind that is no longer served takes its objects with it.
        let silent = &self.silent;
        self.lists.retain(|place, content| {
            !content.objects.is_empty() && (found.contains_key(place) || !silent.contains_key(place))
        });
        for (place, content) in found {
            self.lists.entry(place).or_insert(content);
        }
        let followed = self.waited_for(&diagnosed.survey);
        self.followed.retain(|place, _| followed.contains(place));
        for place in followed {
            self.followed.entry(place).or_default();
        }
        let watched: HashSet<Want> = self.places().collect();
        self.silent.retain(|place, _| watched.contains(place));
        self.matters = false;
        self.count_most();
        news
    }

    /// Remembers the most objects that were seen in each target.
    fn count_most(&mut self) {
        for index in 0..self.targets.len() {
            let left = self.left_in(index).map_or(0, |left| left.iter().map(|left| left.count).sum());
            let target = &mut self.targets[index];
            target.most = target.most.max(left);
        }
    }

    /// Notes a failed diagnosis: the next one waits as long as after a success.
    pub fn was_not_diagnosed(&mut self, now: Instant) {
        self.diagnosed_at = now;
    }

    /// Marks targets in the report that are gone, and drops findings that only concern these.
    /// Returns whether the report changed.
    pub fn close_report(&mut self) -> bool {
        let gone: HashMap<Ref, Gone> =
            self.targets.iter().filter_map(|target| Some((target.object.clone(), target.gone?))).collect();
        let report = &mut self.report;
        for target in self.targets.iter().filter(|target| target.gone.is_some()) {
            let words = target.gone.map(Gone::words).unwrap_or_default();
            match self.reported.get(&target.name).map(|index| &mut report.targets[*index]) {
                Some(reported) => {
                    (reported.state, reported.object) = (State::Gone, reported.object.clone().missing());
                    reported.summary = words.into();
                }
                None => report.targets.push(TargetReport {
                    object: target.object.clone().missing(),
                    state: State::Gone,
                    since: None,
                    summary: words.into(),
                }),
            }
        }
        let is_gone = |blocked: &Ref| gone.contains_key(blocked);
        report.findings.retain(|finding| finding.blocks.is_empty() || !finding.blocks.iter().all(is_gone));
        let findings = &report.findings;
        report.remedies.retain(|remedy| findings.iter().any(|finding| finding.remedies.contains(&remedy.id)));
        !gone.is_empty()
    }

    /// The wants to watch, the most important first.
    pub fn places(&self) -> impl Iterator<Item = Want> {
        let targets = self.there().map(|(_, target)| target.place());
        targets.chain(self.followed.keys().cloned()).chain(self.lists.keys().cloned())
    }

    /// Whether nothing is left to watch.
    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Whether this is a target that is not gone.
    pub(super) fn is_there(&self, object: &Ref) -> bool {
        self.by_object.get(object).is_some_and(|index| self.targets[*index].gone.is_none())
    }

    /// The report about a target in the last diagnosis.
    pub(super) fn report_of(&self, target: &Watched) -> Option<&TargetReport> {
        self.reported.get(&target.name).map(|index| &self.report.targets[*index])
    }

    /// The targets that are not gone.
    pub fn there(&self) -> impl Iterator<Item = (usize, &Watched)> {
        self.targets.iter().enumerate().filter(|(_, target)| target.gone.is_none())
    }

    /// The lists of remaining objects in targets that are being emptied.
    fn content(&self, survey: &Survey) -> BTreeMap<Want, KindContent> {
        let facts = Facts::new(survey);
        let mut lists: BTreeMap<Want, KindContent> = BTreeMap::new();
        for (_, target) in self.there() {
            if !target.is_namespace() {
                lists.extend(instances(target, survey));
                continue;
            }
            let Ok(sweep) = facts.sweep(&target.name.name) else { continue };
            for seen in &sweep.objects {
                let place = Want::list(&seen.resource.id, Some(&target.name.name), Form::Metadata);
                lists.entry(place).or_insert_with(|| KindContent::of(seen.resource)).add(seen.object);
            }
        }
        lists
    }

    /// The objects whose changes may change the diagnosis.
    fn waited_for(&self, survey: &Survey) -> BTreeSet<Want> {
        let mut places = BTreeSet::new();
        for finding in self.roots() {
            let controller = finding.controller.iter().filter_map(|controller| controller.workload.as_ref());
            let broken = finding.chain.iter().filter(|link| link.state == LinkState::Broken).map(|link| &link.object);
            for object in finding.waits_for.iter().chain(controller).chain(broken) {
                if places.len() == MAX_FOLLOWED {
                    return places;
                }
                let name = object.target();
                let served =
                    survey.discovery.resources.iter().any(|resource| {
                        resource.id == name.resource && resource.namespaced == name.namespace.is_some()
                    });
                let is_target = self.targets.iter().any(|target| target.name == name);
                if served && !is_target {
                    places.insert(Want::get(&name.resource, name.namespace.as_deref(), &name.name, Form::Metadata));
                }
            }
        }
        places
    }

    /// The root causes of targets that are not gone.
    pub(super) fn roots(&self) -> impl Iterator<Item = &Finding> {
        let held = |finding: &&Finding| finding.blocks.iter().any(|object| self.is_there(object));
        self.report.findings.iter().filter(|finding| finding.root && finding.is_trouble()).filter(held)
    }

    /// The targets that the last diagnosis no longer found, whatever the watches reported.
    pub fn not_found(&self) -> impl Iterator<Item = usize> {
        let is_gone = |target: &Watched| self.report_of(target).is_some_and(|reported| reported.state == State::Gone);
        self.there().filter(move |(_, target)| is_gone(target)).map(|(index, _)| index)
    }

    /// Takes an update. If it is about a target that seems to be gone, returns this target.
    pub fn hear(&mut self, heard: Update, now: Instant) -> Option<usize> {
        let Update { place, news } = heard;
        match &news {
            News::Silent(why) => {
                self.matters |= why.reason == Reason::NotServed;
                self.silent.entry(place).or_insert_with(|| (now, why.clone()));
                return None;
            }
            News::Polled(why) => {
                self.polled.insert(place, why.clone());
                return None;
            }
            News::Listed(_) | News::Changed(_) | News::Gone(_) => drop(self.silent.remove(&place)),
        }
        if let Some(&target) = self.by_place.get(&place) {
            let is_there = self.targets[target].gone.is_none();
            return if is_there { self.hear_of_target(target, news, now) } else { None };
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
                let mut new: HashMap<String, Remaining> = HashMap::with_capacity(objects.len());
                for object in &objects {
                    other |= note(&mut change, content.objects.remove(object.uid()).as_ref(), &object.into());
                    new.insert(object.uid().to_owned(), object.into());
                }
                change.went = content.objects.len();
                content.objects = new;
            }
            News::Changed(object) => {
                let held = Remaining::from(&*object);
                other |= note(&mut change, content.objects.get(object.uid()), &held);
                content.objects.insert(object.uid().to_owned(), held);
            }
            News::Gone(uid) => change.went = usize::from(content.objects.remove(&uid).is_some()),
            News::Silent(_) | News::Polled(_) => {}
        }
        let emptied = change.went > 0 && content.objects.is_empty();
        let changed = change != Change::default();
        if changed {
            let known = self.changes.entry((target, content.called.clone())).or_default();
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
            News::Changed(object) => object.metadata.resource_version.as_deref(),
            News::Listed(objects) => objects.first().and_then(|object| object.metadata.resource_version.as_deref()),
            _ => None,
        };
        let version = version.unwrap_or_default().to_owned();
        if let Some(known) = self.followed.get_mut(place) {
            self.matters |= known.as_ref().is_some_and(|known| *known != version);
            *known = Some(version);
        }
    }

    /// Notes that a target was read back and is gone.
    pub fn is_gone(&mut self, index: usize, now: Instant) {
        let target = &mut self.targets[index];
        target.gone = Some(if target.replaced { Gone::Replaced } else { Gone::Away });
        let name = target.name.name.clone();
        if target.is_namespace() {
            self.lists.retain(|place, _| place.namespace.as_ref() != Some(&name));
        }
        self.changes.retain(|(of, _), _| *of != index);
        self.left -= 1;
        self.went.push(index);
        self.silent.clear();
        (self.changed_at, self.matters) = (now, true);
    }

    /// How long nothing has changed, and the age of the diagnosis.
    pub fn ages(&self, now: Instant) -> (Duration, Duration) {
        (now.duration_since(self.changed_at), now.duration_since(self.diagnosed_at))
    }

    /// Notes the number of remaining objects, to measure the rate: the content of targets that are
    /// being emptied, and the other targets.
    pub fn sample(&mut self, now: Instant) {
        let content: usize = self.lists.values().map(|content| content.objects.len()).sum();
        let targets = self.there().filter(|(_, target)| !target.is_namespace()).count();
        self.history.note(now, content + targets);
    }

    /// Whether the last diagnosis found something that blocks a target.
    pub fn is_stuck(&self) -> bool {
        self.roots().next().is_some()
    }

    /// A target that cannot be read, why, and for how long.
    pub fn blind(&self, now: Instant) -> Option<(Duration, &Watched, &Unread)> {
        if self.silent.is_empty() {
            return None;
        }
        let silent = self.there().filter_map(|(_, target)| {
            let (since, why) = self.silent.get(&target.place())?;
            Some((now.duration_since(*since), target, why))
        });
        silent.max_by_key(|(since, ..)| *since)
    }

    /// A sentence for each kind that is only polled.
    pub fn polled(&self) -> Vec<String> {
        let say = |(place, why): (&Want, &Unread)| format!("{place} cannot be watched and is read every 10 s: {why}");
        let too_many = (self.too_many > 0)
            .then(|| format!("{MAX_WATCHES} kinds are watched at a time; {} more are read every 10 s", self.too_many));
        self.polled.iter().map(say).chain(too_many).collect()
    }

    /// The remaining objects in one target, most frequent first; `None` if they are unknown.
    pub fn left_in(&self, index: usize) -> Option<Vec<LeftOfKind>> {
        let target = &self.targets[index];
        let lists: Vec<_> =
            self.lists.iter().filter(|(place, _)| target.holds(place)).map(|(_, content)| content).collect();
        let known = !lists.is_empty()
            || (target.is_namespace()
                && self.report_of(target).map(|reported| reported.state) != Some(State::NotDeleting));
        known.then(|| counted(lists.into_iter()))
    }
}

/// The content of a report without the ages in its texts.
pub fn gist(report: &Report) -> impl PartialEq + use<> {
    let targets = report.targets.iter().map(|target| (target.object.clone(), target.state)).collect::<Vec<_>>();
    let findings = report.findings.iter().map(|finding| {
        let what = (finding.rule, finding.finalizer.clone(), finding.root, finding.why);
        let controller = finding.controller.as_ref().map(|controller| controller.state);
        (what, finding.objects.clone(), finding.waits_for.clone(), finding.blocks.clone(), controller)
    });
    (targets, findings.collect::<Vec<_>>(), report.remedies.len(), report.unread.len(), report.also_broken.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::watch::testing::diagnosed;

    #[test]
    fn a_target_that_a_later_diagnosis_does_not_find_seems_to_be_gone() {
        let mut picture = WatchPicture::new(&diagnosed(&[("a", true), ("b", true)]), Instant::now());
        assert_eq!(picture.not_found().count(), 0);
        picture.renew(&diagnosed(&[("a", true), ("b", false)]), Instant::now());
        assert_eq!(picture.not_found().collect::<Vec<_>>(), [1]);
        picture.is_gone(1, Instant::now());
        assert_eq!(picture.not_found().count(), 0, "it was read back");
    }
}
