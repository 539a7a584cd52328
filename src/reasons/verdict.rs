//! The meaning of a controller's state for a finding: its cause, the object that it waits for, and how well
//! the reason is known.

use crate::facts::clock;
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::ownership::lost_rights::WATCH;
use crate::kubernetes::progress::usual::Usual;
use crate::kubernetes::progress::{BeforeRelease, Explanation, Judgement, Work};
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::statements::statement::brief;
use crate::reasons::{barred, expected_troubles, inaction, jobs, kinds, not_late_yet, set_by_hand, which};
use crate::report::{Cause, Ref, Sentence, Why, and_more};

/// The beginning of a line that cannot give the reason.
const UNKNOWN: &str = "root cause unknown: ";

/// The verdict on a finding, by the state of the controller.
pub(crate) struct FinalizerVerdict {
    /// The name of the reason.
    pub(crate) reason: &'static str,
    /// The kind of cause.
    pub(crate) cause: Cause,
    /// The object that is waited for.
    pub(crate) waits_for: Option<Ref>,
    /// How well it is known why the controller does not release the object.
    pub(crate) why: Why,
    /// The addition to the summary.
    pub(crate) because: Option<Sentence>,
}

/// The verdict on a finding of `cause`, by the judgement `found` about the controller. Within the `usual`
/// time nothing is late, even if the controller is not seen to work.
pub(crate) fn verdict(cause: Cause, found: &Judgement<'_>, usual: Option<Usual>) -> FinalizerVerdict {
    let workload = found.controller.workload.clone();
    let name = workload.as_ref().map_or_else(|| "its controller".into(), Sentence::from);
    let judged = Judged { cause, found, workload, name };
    let verdict = judged.by_presence().or_else(|| judged.by_need()).or_else(|| judged.by_dependency());
    let verdict = verdict.unwrap_or_else(|| judged.by_words());
    // A user who may create events in a namespace may send one about any object there.
    let is_known = !found.stale && !found.is_by_event();
    let verdict = FinalizerVerdict { why: verdict.why.max(known(is_known)), ..verdict };
    let (Some(usual), Explanation::Idle | Explanation::Unknown) = (usual, &found.why) else { return verdict };
    let workload = found.controller.workload.as_ref().filter(|_| matches!(found.why, Explanation::Idle));
    let who = workload.map_or_else(|| "nothing is late yet".into(), |workload| Sentence::from(workload).then(" runs"));
    let because = who.then(format!("; this usually takes {}", usual.words()));
    let reason = not_late_yet::REASON.name;
    FinalizerVerdict { reason, cause: Cause::Progressing, why: Why::Likely, because: Some(because), ..verdict }
}

fn known(is_proven: bool) -> Why {
    if is_proven { Why::Proven } else { Why::Likely }
}

/// The verdict on a finalizer for which no controller was found, by the command with which a person has set
/// it (kubernetes/kubernetes: `staging/src/k8s.io/kubectl/pkg/cmd/edit/edit.go`, `patch/patch.go`).
pub(crate) fn by_setter(verdict: FinalizerVerdict, found: &Judgement<'_>, setter: &str) -> FinalizerVerdict {
    let command = match setter {
        "kubectl-edit" => "kubectl edit",
        "kubectl-patch" => "kubectl patch",
        _ => return verdict,
    };
    match found.why {
        Explanation::Gone { .. } | Explanation::Unknown if found.controller.workload.is_none() => {
            let because = format!("set with {command}: perhaps no controller removes it");
            let reason = set_by_hand::REASON.name;
            FinalizerVerdict { reason, why: Why::Likely, because: Some(because.into()), ..verdict }
        }
        _ => verdict,
    }
}

/// A controller, and the judgement about it.
struct Judged<'j, 's> {
    cause: Cause,
    found: &'j Judgement<'s>,
    workload: Option<Ref>,
    /// Its name in a line.
    name: Sentence,
}

impl FinalizerVerdict {
    fn cause(self, cause: Cause) -> Self {
        Self { cause, ..self }
    }

    fn waits_for(self, object: Option<Ref>) -> Self {
        Self { waits_for: object, ..self }
    }

    fn why(self, why: Why) -> Self {
        Self { why, ..self }
    }
}

impl Judged<'_, '_> {
    /// A verdict with this text, which is proven.
    fn says(&self, because: Sentence) -> FinalizerVerdict {
        FinalizerVerdict {
            reason: which::name_of(self.found),
            cause: self.cause,
            waits_for: self.workload.clone(),
            why: Why::Proven,
            because: Some(because),
        }
    }

    /// A verdict with this text, which is likely.
    fn likely(&self, because: Sentence) -> FinalizerVerdict {
        self.says(because).why(Why::Likely)
    }

    /// The verdict on a controller that does not exist, does not run where it must, or is kept from its work.
    fn by_presence(&self) -> Option<FinalizerVerdict> {
        let Self { found, name, .. } = self;
        Some(match &found.why {
            // A search that found nothing may have looked in the wrong places.
            Explanation::Gone { .. } => self.likely("no controller for it was found in this cluster".into()),
            Explanation::ScaledToZero(_) => {
                self.says(name.clone().then(" is scaled to 0 replicas")).why(known(found.sure))
            }
            Explanation::Down { reason, missing, .. } => self
                .says(name.clone().then(" is down: ").then(Sentence::reason(reason)))
                .waits_for(missing.clone().or(self.workload.clone()))
                .why(known(found.sure)),
            Explanation::NotThere(_) | Explanation::LooksAway(_) => self
                .says(inaction::because(found, name.clone()))
                .waits_for(inaction::missed(found))
                .why(known(inaction::is_sure(found))),
            Explanation::LostRights { lost, .. } => {
                // A workload that only looks like the controller may never have had the permissions.
                let is_lost = found.sure && lost.is_named() && !lost.lack.includes(WATCH);
                self.says(name.clone().then(lost.without())).cause(Cause::Permissions).why(known(is_lost))
            }
            Explanation::Barred { gate, .. } => self
                .likely(barred::because(name.clone(), *gate))
                .cause(Cause::Admission)
                .waits_for(Some(gate.reference())),
            _ => return None,
        })
    }

    /// The verdict on a controller that needs something, or waits for something.
    fn by_need(&self) -> Option<FinalizerVerdict> {
        let Self { found, name, .. } = self;
        Some(match &found.why {
            // Only the name of the field shows that the controller works as that account.
            Explanation::Tenant(tenant) => self
                .likely(expected_troubles::of_tenant(tenant))
                .cause(Cause::Permissions)
                .waits_for(Some(tenant.account.clone())),
            Explanation::Missing { what } => self
                .says(Sentence::from("its clean-up needs ").then(what).then(", which does not exist"))
                .waits_for(Some(what.clone())),
            Explanation::Lacks { what, field } => {
                let names = name.clone().then(format!(" runs, but {field} names "));
                self.likely(names.then(what).then(", which does not exist")).waits_for(Some(what.clone()))
            }
            Explanation::Outlived(what) => self
                .likely(Sentence::from("its controller waits for ").then(what).then(", which does not exist"))
                .waits_for(Some(what.clone())),
            Explanation::NoKind(needed) => self.likely(kinds::needed(name.clone(), needed)),
            // If several kinds have that name, another may be meant.
            Explanation::Blocked(blockers) => self
                .says(Sentence::from("its controller waits for ").then(named(blockers)))
                .cause(Cause::Dependents)
                .waits_for(blockers.first().map(|edge| edge.blocker.into()))
                .why(known(blockers.iter().all(|edge| edge.sure))),
            Explanation::InUse(users) => self
                .says(Sentence::from("it is in use by ").then(named(users)))
                .cause(Cause::InUse)
                .waits_for(users.first().map(|edge| edge.blocker.into())),
            Explanation::CannotCreate => {
                let because = "its clean-up has to create something, but nothing can be created in a namespace that is \
                    being deleted";
                self.says(because.into()).why(known(!found.by_log))
            }
            _ => return None,
        })
    }

    /// The verdict on a controller whose dependencies do not work, though no message says so.
    fn by_dependency(&self) -> Option<FinalizerVerdict> {
        Some(match &self.found.why {
            Explanation::Unreferred { kind } => self.likely(
                Sentence::from(format!("no {kind} refers to it any more, so that nothing may make "))
                    .then(&self.name)
                    .then(" check it again"),
            ),
            Explanation::Unwell { what, words } => self
                .likely(
                    Sentence::from(what).then(", which it refers to, reports: ").then(Sentence::quoted(words, what)),
                )
                .waits_for(Some(what.clone())),
            Explanation::CleanupJob(failed) => {
                self.likely(jobs::because(failed)).cause(Cause::Dependents).waits_for(Some(failed.job.clone()))
            }
            _ => return None,
        })
    }

    /// The words before a message: `lead`, or the sender that an event names, who need not have sent it.
    fn lead(&self, lead: &'static str) -> Sentence {
        match self.found.said_in {
            Some(SaidIn::Event(Some(by))) => {
                let by = Sentence::quoted(brief(by), "the sender that an event names");
                Sentence::from("an event sent as ").then(by).then(" says: ")
            }
            Some(SaidIn::Event(None)) => "an event that names no sender says: ".into(),
            Some(SaidIn::Status | SaidIn::Object) | None => lead.into(),
        }
    }

    /// The verdict by the controller's message and by the evidence of its work.
    fn by_words(&self) -> FinalizerVerdict {
        let Self { found, name, workload, .. } = self;
        let unknown = Sentence::from(UNKNOWN);
        match &found.why {
            Explanation::Hearsay(message) if found.has_stopped_elsewhere() => {
                self.likely(Sentence::from("its controller is not running: ").reported(message))
            }
            Explanation::Hearsay(message) => self.likely(self.lead("reported about it: ").reported(message)),
            Explanation::Says(message) => self
                .says(self.lead("its controller says: ").reported(message))
                .waits_for(found.remote.as_ref().map(|remote| remote.secret.clone()).or(workload.clone()))
                .why(known(!found.by_log)),
            Explanation::SaysOnly(message) => {
                let fails =
                    unknown.then(name).then(Sentence::from(" fails, and its only message is: ").reported(message));
                self.says(fails).why(Why::Unknown)
            }
            Explanation::SaidBefore(message) => self.likely(
                name.clone().then(Sentence::from(" runs; before it came back, this was reported: ").reported(message)),
            ),
            Explanation::Working(work) => {
                self.says(at_work(*work, name.clone())).cause(Cause::Progressing).why(known(*work == Work::Seen))
            }
            Explanation::Hindered(first) => self.likely(name.clone().then(match first {
                BeforeRelease::Drain => " runs, and the node is not drained yet",
                BeforeRelease::Hook => " runs, and a hook has not been removed yet",
            })),
            Explanation::Idle => {
                let runs = " runs, but nothing that could be read says why it does not release it";
                self.says(unknown.then(name).then(runs)).why(Why::Unknown)
            }
            _ => {
                let because = match workload {
                    Some(workload) => unknown
                        .then("nothing that could be read says whether ")
                        .then(workload)
                        .then(" should release it"),
                    None => unknown.then("nothing that could be read says who releases it"),
                };
                self.says(because).waits_for(workload.clone().filter(|_| found.sure)).why(Why::Unknown)
            }
        }
    }
}

fn at_work(work: Work, name: Sentence) -> Sentence {
    match work {
        Work::Back(since) => name.then(format!(" has been back since {}: give it time", clock(since))),
        Work::Freed(since) => {
            Sentence::from("what blocked ").then(name).then(format!(" was fixed at {}: give it time", clock(since)))
        }
        Work::Starting => name.then(" is starting, and is not Ready yet: give it time"),
        Work::Seen | Work::Expected => name.then(" runs: give it time"),
    }
}

fn named(blockers: &[InTheWay<'_>]) -> Sentence {
    Sentence::from(&Ref::from(blockers[0].blocker)).then(and_more(blockers.len() - 1))
}
