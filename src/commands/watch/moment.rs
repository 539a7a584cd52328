//! A picture at one moment: the state of the targets, the reasons why they wait, and the next event.

use super::content::counted;
use super::picture::WatchPicture;
use super::watched::Watched;
use crate::plan::full_name;
use crate::plugin::COMMAND;
use crate::report::{ControllerState, Finding, State, TargetReport};
use crate::screen::marks::controller_word;
use crate::screen::{Moment, WatchedTarget};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio::time::Instant;

/// The time after each change until the namespace controller checks again (kubernetes/kubernetes:
/// `pkg/controller/namespace/namespace_controller.go`).
const CONTROLLER_PAUSE: Duration = Duration::from_secs(5);
/// How many causes are named.
const MAX_CAUSES: usize = 12;

/// The reason why a target waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitReason {
    /// Identifies the reason, regardless of its age.
    key: String,
    /// The reason as one line of text.
    pub text: String,
}

impl WaitReason {
    /// Whether it is the same reason, perhaps with another age.
    pub fn is_like(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl WatchPicture {
    /// The picture to show.
    pub fn moment(&self, now: Instant, diagnosing: bool, over: bool) -> Moment {
        let (quiet, diagnosed) = (self.ages(now).0, now.duration_since(self.reported_at));
        Moment {
            targets: (0..self.targets.len()).map(|index| self.standing(index, now)).collect(),
            left: counted(self.lists.values()),
            pace: self.history.pace(self.is_stuck()).filter(|_| !over),
            causes: self.causes().into_iter().map(|cause| cause.text).collect(),
            over,
            workers: self.workers(true),
            missed: self.workers(false),
            next: self.next(now),
            command: self.command().filter(|_| !over),
            trouble: self.trouble(now),
            quiet,
            diagnosed: (!diagnosing).then_some(diagnosed),
        }
    }

    fn standing(&self, index: usize, now: Instant) -> WatchedTarget {
        let target = &self.targets[index];
        let reported = self.report_of(target);
        let left = self.left_in(index).map(|left| left.iter().map(|left| left.count).sum());
        let most = left.map(|left| target.most.max(left));
        WatchedTarget {
            name: target.object.to_string(),
            gone: target.gone,
            state: reported.map_or(State::Unknown, |reported| reported.state),
            age: reported.and_then(|reported| reported.since).map(|since| self.clock(now).duration_since(since)),
            left,
            most,
        }
    }

    /// The time on the server, whose clock also gave the diagnosis's time.
    fn clock(&self, now: Instant) -> Timestamp {
        let since = SignedDuration::try_from(now.duration_since(self.reported_at)).unwrap_or_default();
        self.report.taken_at.checked_add(since).unwrap_or(self.report.taken_at)
    }

    /// The root causes. If there are none, what the report says about the targets.
    pub fn causes(&self) -> Vec<WaitReason> {
        let roots: Vec<WaitReason> = self.roots().take(MAX_CAUSES).map(|finding| self.cause(finding)).collect();
        if !roots.is_empty() {
            return roots;
        }
        let still = |reported: &&TargetReport| reported.state != State::Gone && self.is_there(&reported.object);
        let reported = self.report.targets.iter().filter(still);
        reported.take(MAX_CAUSES).map(|reported| self.no_cause(reported)).collect()
    }

    fn cause(&self, finding: &Finding) -> WaitReason {
        let held = finding.blocks.iter().filter(|object| self.is_there(object));
        let names: Vec<&str> = held.map(|object| object.name.as_str()).collect();
        let text = match names.len() {
            _ if self.there().count() == 1 => finding.summary.to_string(),
            0..=3 => format!("{}: {}", names.join(", "), finding.summary),
            more => format!("{} and {} more: {}", names[..2].join(", "), more - 2, finding.summary),
        };
        let controller = finding.controller.as_ref().map(|controller| controller.state);
        let waits_for = finding.waits_for.as_ref().map(ToString::to_string).unwrap_or_default();
        let finalizer = finding.finalizer.as_deref().unwrap_or_default();
        WaitReason { key: format!("{} {} {finalizer} {waits_for} {controller:?}", finding.rule, finding.subject), text }
    }

    fn no_cause(&self, reported: &TargetReport) -> WaitReason {
        let about = |finding: &&Finding| finding.blocks.contains(&reported.object);
        let finding = self.report.findings.iter().find(about);
        let text = match reported.state {
            // A finding that nothing is late contains an age, which the screen shows separately.
            State::Progressing if finding.is_some_and(|finding| finding.on_time) => {
                "nothing is wrong so far".to_owned()
            }
            State::NotDeleting => "nobody has requested its deletion".to_owned(),
            _ => reported.summary.to_string(),
        };
        let text = if self.there().count() > 1 { format!("{}: {text}", reported.object) } else { text };
        let rule = finding.map_or("", |finding| finding.rule);
        WaitReason { key: format!("{} {:?} {rule}", reported.object, reported.state), text }
    }

    /// The command that shows the causes with their remedies, if something is stuck.
    fn command(&self) -> Option<String> {
        let is_stuck = |target: &&Watched| self.report_of(target).is_some_and(|told| told.state == State::Stuck);
        let target = self.there().map(|(_, target)| target).find(is_stuck)?;
        Some(format!("{COMMAND} {}", full_name(&target.object)))
    }

    /// The controllers that are at work, or those that should be.
    fn workers(&self, at_work: bool) -> Vec<String> {
        let mut workers = Vec::new();
        for finding in self.roots() {
            let Some(controller) = &finding.controller else { continue };
            let Some(workload) = &controller.workload else { continue };
            if (controller.state == ControllerState::Alive) != at_work {
                continue;
            }
            let what = finding.finalizer.as_deref().map(|key| format!(" (for {key})")).unwrap_or_default();
            let line = format!("{workload}: {}{what}", controller_word(controller.state));
            if !workers.contains(&line) {
                workers.push(line);
            }
        }
        if at_work
            && workers.is_empty()
            && !self.is_stuck()
            && self.there().any(|(_, target)| target.is_being_emptied())
        {
            workers.push("the namespace controller, in kube-controller-manager".into());
        }
        workers
    }

    /// The next check of the namespace controller, or the end of a grace period.
    fn next(&self, now: Instant) -> Option<String> {
        if let Some((_, target)) = self.there().find(|(_, target)| target.is_being_emptied()) {
            let looks = target.changed_at.and_then(|at| CONTROLLER_PAUSE.checked_sub(now.duration_since(at)));
            let pods = self
                .lists
                .iter()
                .any(|(place, content)| place.resource.plural == "pods" && !content.objects.is_empty());
            let whose = if self.there().count() > 1 { format!(" at {}", target.name.name) } else { String::new() };
            return Some(match looks {
                Some(rest) => format!("the namespace controller checks{whose} in about {} s", rest.as_secs() + 1),
                None if pods => format!(
                    "the namespace controller checks{whose} again within a minute, or half the longest grace period of \
                    its pods"
                ),
                None => format!("the namespace controller checks{whose} again within a minute"),
            });
        }
        let clock = self.clock(now);
        let ends = self.there().filter_map(|(_, target)| target.now.as_ref()?.metadata.deletion_timestamp).max()?;
        (ends > clock).then(|| format!("its grace period ends in {} s", ends.duration_since(clock).as_secs() + 1))
    }

    fn trouble(&self, now: Instant) -> Vec<String> {
        let mut trouble: Vec<String> = Vec::new();
        if let Some((since, target, why)) = self.blind(now) {
            trouble.push(format!("{} could not be read for {} s; trying again: {why}", target.object, since.as_secs()));
        } else {
            let lists = self.silent.iter().filter(|(place, _)| self.lists.contains_key(*place));
            trouble
                .extend(lists.take(2).map(|(place, (_, why))| format!("{place} cannot be read; trying again: {why}")));
        }
        trouble.extend(self.polled());
        trouble
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::watch::testing::diagnosed;

    #[test]
    fn the_age_of_a_deletion_in_time_is_shown_once() {
        let diagnosed = diagnosed(&[("c", true)]);
        let report = &diagnosed.report;
        assert!(report.targets[0].summary.ends_with("was requested 1s ago: nothing is late yet"), "{report:#?}");
        let picture = WatchPicture::new(&diagnosed, Instant::now());
        let causes: Vec<String> = picture.causes().into_iter().map(|cause| cause.text).collect();
        assert_eq!(causes, ["nothing is wrong so far"]);
    }
}
