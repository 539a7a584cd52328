//! The approval before the first step, and the steps left undone for lack of it.

use super::consent::{Consent, is_named};
use super::steps::Plan;
use crate::commands::out;
use crate::commands::source::{Diagnosed, Live};
use crate::failure::Failure;
use crate::plan::{Approval, in_namespace, quote};
use crate::plugin::COMMAND;
use crate::report::{About, Finding, Ref, Remedy, Report, Step};
use crate::screen::Talk;
use std::collections::BTreeSet;

/// How many unapproved steps, or new targets, are listed.
const MAX_LISTED: usize = 20;

/// The approval according to the first report.
///
/// # Errors
/// When a digest does not belong to any remedy in this report; then nothing may be done.
pub(super) fn first(
    live: &Live,
    diagnosed: &Diagnosed,
    consent: Consent,
    digests: &[String],
) -> Result<Approval, Failure> {
    let (targets, report) = (live.fix(diagnosed).to_vec(), &diagnosed.report);
    let mut approval = Approval::new(consent.by(), targets, report);
    for remedy in of_digests(digests, report)? {
        approval.agree_to(&remedy.steps, remedy.level());
    }
    Ok(approval)
}

/// The remedies with these digests.
fn of_digests<'r>(digests: &[String], report: &'r Report) -> Result<Vec<&'r Remedy>, Failure> {
    let find = |digest: &String| {
        report.remedies.iter().find(|remedy| remedy.digest == *digest).ok_or_else(|| {
            Failure::unknown(format!("no remedy has the digest {digest} any more; nothing was done")).hint(
                "the cluster has changed since then, or other objects are named; -o json shows the current digests",
            )
        })
    };
    digests.iter().map(find).collect()
}

impl Plan<'_> {
    /// Adds the steps of this report that a rule covers to the approval.
    pub(super) fn show_to_the_rule(&mut self, report: &Report) {
        let (consent, typed, words) = (self.consent, self.live.is_named_by_hand(), self.steps_named.as_ref());
        let Some(run) = &mut self.journal else { return };
        let may = |remedy: &Remedy, step: &Step| {
            consent.covers_step(remedy, step, report, typed) && words.is_none_or(|words| is_named(words, remedy))
        };
        run.approval.show(report, |remedy, step| remedy.is_none_or(|remedy| may(remedy, step)));
    }

    /// Whether the step was approved, or the user may be asked about it.
    pub(super) fn may_be_done(&self, remedy: &Remedy, step: &Step, report: &Report) -> bool {
        let Some(run) = &self.journal else { return true };
        match self.consent {
            Consent::Probe(_) => true,
            Consent::Ask => !run.approval.is_of_new_target(&step.object, report),
            Consent::UpTo(_) | Consent::Exactly => run.approval.covers(step, remedy.level()),
        }
    }

    /// Leaves out steps that were not approved, and reports this once. If digests were given, only
    /// steps that have changed since the approval are reported: a digest does not cover all steps
    /// anyway.
    pub(super) fn leave(&mut self, finding: &Finding, remedy: &Remedy, steps: &[&Step]) {
        let Some(run) = &self.journal else { return };
        let has_changed = |step: &&&Step| run.approval.has_changed(step, remedy.level());
        let left: Vec<&Step> = match self.consent {
            Consent::Exactly => steps.iter().filter(has_changed).copied().collect(),
            _ => steps.to_vec(),
        };
        let why = if self.consent == Consent::Exactly {
            "it differs from what was approved: another object, another value or a higher risk"
        } else {
            "it was not in the first report"
        };
        let lines = left.iter().map(|step| {
            let (object, namespace) = (quote(&step.object.kubectl()), in_namespace(&step.object));
            Talk::verdict(false, &format!("not done: {}: {why}", step.title()))
                .and("  run this again to see it; to diagnose it alone:")
                .command(format!("{COMMAND} {object}{namespace}"))
        });
        out::talk_of_some(lines, MAX_LISTED, |more| format!("and {more} more of these"));
        if !left.is_empty() {
            self.ledger.bad = true;
            // A harsher step must not replace the step that was left out.
            self.ledger.leave(finding);
        }
        self.ledger.see(left);
    }

    /// Reports objects that are stuck now but were left because they were not in the first report.
    /// Returns whether there are any.
    pub(super) async fn says_newcomers(&self, report: &Report) -> bool {
        let Some(run) = &self.journal else { return false };
        let mut lines: Vec<String> = Vec::new();
        for target in run.approval.new_targets(report) {
            lines.push(format!("{target} exists now, but it is another object of that name"));
        }
        if report.about == About::Orphans {
            let stranded = report.findings.iter().flat_map(|finding| &finding.objects);
            let new: BTreeSet<&Ref> = stranded.filter(|object| !run.approval.has_named(object)).collect();
            lines.extend(new.into_iter().map(|object| format!("also stranded now: {object}")));
        }
        let lines = lines.iter().map(|line| format!("{line}; run this again to see it"));
        let is_any = lines.len() > 0;
        out::talk_of_some(lines, MAX_LISTED, |more| format!("and {more} more of these"));
        say_newcomers(self.live).await || is_any
    }
}

/// Reports objects that match the selection and are being deleted now, but were left because they
/// were not in the first report. Returns whether there are any.
pub async fn say_newcomers(live: &Live) -> bool {
    let new = match live.newcomers().await {
        Ok(new) => new,
        Err(why) => {
            out::talk(format!("could not read whether more is being deleted now: {why}"));
            return false;
        }
    };
    let lines = new.iter().map(|target| {
        let name = match (&*target.resource.plural, &target.namespace) {
            ("namespaces", _) => format!("namespace {}", quote(&target.name)),
            (_, Some(namespace)) => {
                format!("{} -n {}", quote(&format!("{}/{}", target.resource.short(), target.name)), quote(namespace))
            }
            (_, None) => quote(&format!("{}/{}", target.resource.short(), target.name)),
        };
        format!("also terminating now: {name}; run this again to see it")
    });
    out::talk_of_some(lines, MAX_LISTED, |more| format!("and {more} more, also terminating now"));
    !new.is_empty()
}
