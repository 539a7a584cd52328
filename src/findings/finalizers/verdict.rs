//! The meaning of a controller's state for a finding: its cause, the object that it waits for, and how well
//! the reason is known.

use crate::facts::clock;
use crate::findings::finalizers::{barred, expected_troubles, inaction, jobs, kinds};
use crate::kubernetes::ownership::lost_rights::WATCH;
use crate::kubernetes::progress::usual::Usual;
use crate::kubernetes::progress::{BeforeRelease, Explanation, InTheWay, Judgement, Work};
use crate::report::{Cause, Ref, Sentence, Why, and_more};

/// The beginning of a line that cannot give the reason.
const UNKNOWN: &str = "root cause unknown: ";

/// The verdict on a finding, by the state of the controller.
pub(crate) struct FinalizerVerdict {
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
    let verdict = FinalizerVerdict { why: verdict.why.max(known(!found.stale)), ..verdict };
    let (Some(usual), Explanation::Idle | Explanation::Unknown) = (usual, &found.why) else { return verdict };
    let workload = found.controller.workload.as_ref().filter(|_| matches!(found.why, Explanation::Idle));
    let who = workload.map_or_else(|| "nothing is late yet".into(), |workload| Sentence::from(workload).then(" runs"));
    let because = who.then(format!("; this usually takes {}", usual.words()));
    FinalizerVerdict { cause: Cause::Progressing, why: Why::Likely, because: Some(because), ..verdict }
}

fn known(is_proven: bool) -> Why {
    if is_proven { Why::Proven } else { Why::Likely }
}

/// A controller, and the judgement about it.
struct Judged<'j, 's> {
    cause: Cause,
    found: &'j Judgement<'s>,
    workload: Option<Ref>,
    /// Its name in a line.
    name: Sentence,
}

impl Judged<'_, '_> {
    /// A verdict with this text, which is proven.
    fn says(&self, because: Sentence) -> FinalizerVerdict {
        FinalizerVerdict {
            cause: self.cause,
            waits_for: self.workload.clone(),
            why: Why::Proven,
            because: Some(because),
        }
    }

    /// The verdict on a controller that does not exist, does not run where it must, or is kept from its work.
    fn by_presence(&self) -> Option<FinalizerVerdict> {
        let Self { found, name, .. } = self;
        Some(match &found.why {
            Explanation::Gone { .. } => self.says("no controller for it was found in this cluster".into()),
            Explanation::ScaledToZero(_) => {
                FinalizerVerdict { why: known(found.sure), ..self.says(name.clone().then(" is scaled to 0 replicas")) }
            }
            Explanation::Down { reason, missing, .. } => FinalizerVerdict {
                waits_for: missing.clone().or(self.workload.clone()),
                why: known(found.sure),
                ..self.says(name.clone().then(" is down: ").then(Sentence::reason(reason)))
            },
            Explanation::NotThere(_) | Explanation::LooksAway(_) => FinalizerVerdict {
                waits_for: inaction::missed(found),
                why: known(inaction::is_sure(found)),
                ..self.says(inaction::because(found, name.clone()))
            },
            Explanation::LostRights { lost, .. } => FinalizerVerdict {
                cause: Cause::Permissions,
                // A workload that only looks like the controller may never have had the permissions.
                why: known(found.sure && lost.is_named() && lost.lack.verbs != WATCH),
                ..self.says(name.clone().then(lost.without()))
            },
            Explanation::Barred { gate, .. } => FinalizerVerdict {
                cause: Cause::Admission,
                waits_for: Some(gate.reference()),
                why: Why::Likely,
                ..self.says(barred::because(name.clone(), *gate))
            },
            _ => return None,
        })
    }

    /// The verdict on a controller that needs something, or waits for something.
    fn by_need(&self) -> Option<FinalizerVerdict> {
        let Self { found, name, .. } = self;
        Some(match &found.why {
            Explanation::Tenant(tenant) => FinalizerVerdict {
                cause: Cause::Permissions,
                waits_for: Some(tenant.account.clone()),
                // Only the name of the field shows that the controller works as that account.
                why: Why::Likely,
                ..self.says(expected_troubles::of_tenant(tenant))
            },
            Explanation::Missing { what } => FinalizerVerdict {
                waits_for: Some(what.clone()),
                ..self.says(Sentence::from("its clean-up needs ").then(what).then(", which does not exist"))
            },
            Explanation::Lacks { what, field } => FinalizerVerdict {
                waits_for: Some(what.clone()),
                why: Why::Likely,
                ..self.says(
                    name.clone().then(format!(" runs, but {field} names ")).then(what).then(", which does not exist"),
                )
            },
            Explanation::Outlived(what) => FinalizerVerdict {
                waits_for: Some(what.clone()),
                why: Why::Likely,
                ..self.says(Sentence::from("its controller waits for ").then(what).then(", which does not exist"))
            },
            Explanation::NoKind(needed) => {
                FinalizerVerdict { why: Why::Likely, ..self.says(kinds::needed(name.clone(), needed)) }
            }
            Explanation::Blocked(blockers) => FinalizerVerdict {
                cause: Cause::Dependents,
                // If several kinds have that name, another may be meant.
                why: known(blockers.iter().all(|edge| edge.sure)),
                waits_for: blockers.first().map(|edge| edge.blocker.into()),
                ..self.says(Sentence::from("its controller waits for ").then(named(blockers)))
            },
            Explanation::InUse(users) => FinalizerVerdict {
                cause: Cause::InUse,
                waits_for: users.first().map(|edge| edge.blocker.into()),
                ..self.says(Sentence::from("it is in use by ").then(named(users)))
            },
            Explanation::CannotCreate => FinalizerVerdict {
                why: known(!found.by_log),
                ..self.says(
                    "its clean-up has to create something, but nothing can be created in a namespace that is being \
                    deleted"
                        .into(),
                )
            },
            _ => return None,
        })
    }

    /// The verdict on a controller whose dependencies do not work, though no message says so.
    fn by_dependency(&self) -> Option<FinalizerVerdict> {
        Some(match &self.found.why {
            Explanation::Unreferred { kind } => FinalizerVerdict {
                why: Why::Likely,
                ..self.says(
                    Sentence::from(format!("no {kind} refers to it any more, so that nothing may make "))
                        .then(&self.name)
                        .then(" check it again"),
                )
            },
            Explanation::Unwell { what, words } => FinalizerVerdict {
                waits_for: Some(what.clone()),
                why: Why::Likely,
                ..self.says(Sentence::from(what).then(format!(", which it refers to, reports: {words}")))
            },
            Explanation::CleanupJob(failed) => FinalizerVerdict {
                cause: Cause::Dependents,
                waits_for: Some(failed.job.clone()),
                why: Why::Likely,
                ..self.says(jobs::because(failed))
            },
            _ => return None,
        })
    }

    /// The verdict by the controller's message and by the evidence of its work.
    fn by_words(&self) -> FinalizerVerdict {
        let Self { found, name, workload, .. } = self;
        match &found.why {
            Explanation::Hearsay(message) if found.has_stopped_elsewhere() => FinalizerVerdict {
                why: Why::Likely,
                ..self.says(format!("its controller is not running: {message}").into())
            },
            Explanation::Hearsay(message) => {
                FinalizerVerdict { why: Why::Likely, ..self.says(format!("reported about it: {message}").into()) }
            }
            Explanation::Says(message) => FinalizerVerdict {
                waits_for: found.remote.as_ref().map(|remote| remote.secret.clone()).or(workload.clone()),
                why: known(!found.by_log),
                ..self.says(format!("its controller says: {message}").into())
            },
            Explanation::SaysOnly(message) => FinalizerVerdict {
                why: Why::Unknown,
                ..self.says(
                    Sentence::from(UNKNOWN).then(name).then(format!(" fails, and its only message is: {message}")),
                )
            },
            Explanation::SaidBefore(message) => FinalizerVerdict {
                why: Why::Likely,
                ..self.says(name.clone().then(format!(" runs; before it came back, this was reported: {message}")))
            },
            Explanation::Working(work) => FinalizerVerdict {
                cause: Cause::Progressing,
                why: known(*work == Work::Seen),
                ..self.says(at_work(*work, name.clone()))
            },
            Explanation::Hindered(first) => FinalizerVerdict {
                why: Why::Likely,
                ..self.says(name.clone().then(match first {
                    BeforeRelease::Drain => " runs, and the node is not drained yet",
                    BeforeRelease::Hook => " runs, and a hook has not been removed yet",
                }))
            },
            Explanation::Idle => FinalizerVerdict {
                why: Why::Unknown,
                ..self.says(
                    Sentence::from(UNKNOWN)
                        .then(name)
                        .then(" runs, but nothing that could be read says why it does not release it"),
                )
            },
            _ => FinalizerVerdict {
                waits_for: workload.clone().filter(|_| found.sure),
                why: Why::Unknown,
                ..self.says(match workload {
                    Some(workload) => Sentence::from(UNKNOWN)
                        .then("nothing that could be read says whether ")
                        .then(workload)
                        .then(" should release it"),
                    None => Sentence::from(UNKNOWN).then("nothing that could be read says who releases it"),
                })
            },
        }
    }
}

fn at_work(work: Work, name: Sentence) -> Sentence {
    match work {
        Work::Back(since) => name.then(format!(" has been back since {}: give it time", clock(since))),
        Work::Freed(since) => {
            Sentence::from("what blocked ").then(name).then(format!(" was fixed at {}: give it time", clock(since)))
        }
        Work::Seen | Work::Expected => name.then(" runs: give it time"),
    }
}

fn named(blockers: &[InTheWay<'_>]) -> Sentence {
    Sentence::from(&Ref::from(blockers[0].blocker)).then(and_more(blockers.len() - 1))
}
