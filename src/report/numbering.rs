//! The order and the numbers of findings on screens.

use super::{Cause, ControllerState, Finding, OwnershipReport, Ref, Remedy, Report};
use std::collections::{HashMap, HashSet};

/// A finding with its number on screens.
#[derive(Debug, Clone, Copy)]
pub struct Numbered<'r> {
    /// The finding.
    pub finding: &'r Finding,
    /// The number of its cause; `None` for a mere consequence of a cause.
    pub number: Option<usize>,
    /// Whether it is the first finding of its cause: the others have the same broken end.
    pub is_first: bool,
}

impl Finding {
    /// The broken object that must be repaired. Findings of different rules with the same broken end
    /// are one cause: a Deployment at 0 replicas may hold finalizers and serve a webhook. A controller that runs and
    /// fails is none itself: each of its objects may have its own reason.
    #[must_use]
    pub fn broken_end(&self) -> Option<&Ref> {
        let of_holder = || {
            let holder = self.controller.as_ref()?;
            match holder.state {
                ControllerState::Down => holder.workload.as_ref(),
                ControllerState::Failing => self.waits_for.as_ref().filter(|end| holder.workload.as_ref() != Some(end)),
                _ => None,
            }
        };
        self.broken_link.as_ref().or_else(of_holder).filter(|_| self.is_root_cause())
    }
}

impl Report {
    /// All findings: root causes first, the findings of one cause next to each other.
    #[must_use]
    pub fn numbered(&self) -> Vec<Numbered<'_>> {
        numbered(&self.findings)
    }

    /// The root causes in the order of screens, each as its findings: those with the same broken end.
    #[must_use]
    pub fn root_causes(&self) -> Vec<Vec<&Finding>> {
        root_causes(&self.findings)
    }

    /// The remedies of one cause, each once, with the finding that offers it.
    #[must_use]
    pub fn ways_out_of<'r>(&'r self, cause: &[&'r Finding]) -> Vec<(&'r Finding, &'r Remedy)> {
        let mut known = HashSet::new();
        let all = cause.iter().flat_map(|finding| self.remedies_of(finding).map(move |remedy| (*finding, remedy)));
        all.filter(|(_, remedy)| known.insert(&remedy.id)).collect()
    }
}

impl OwnershipReport {
    /// The root causes, like those of a [`Report`].
    #[must_use]
    pub fn root_causes(&self) -> Vec<Vec<&Finding>> {
        root_causes(&self.findings)
    }
}

/// Groups of findings, in screen order, that are one cause.
pub fn by_cause<'a, 'r>(told: &'a [&'r Finding]) -> impl Iterator<Item = &'a [&'r Finding]> {
    told.chunk_by(|one, next| one.broken_end().is_some() && one.broken_end() == next.broken_end())
}

/// How many causes these findings make.
#[must_use]
pub fn count_causes(findings: &[&Finding]) -> usize {
    let ends: HashSet<&Ref> = findings.iter().filter_map(|finding| finding.broken_end()).collect();
    ends.len() + findings.iter().filter(|finding| finding.broken_end().is_none()).count()
}

fn root_causes(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let roots = numbered(findings).into_iter().map(|told| told.finding).filter(|finding| finding.is_root_cause());
    by_cause(&roots.collect::<Vec<_>>()).map(<[&Finding]>::to_vec).collect()
}

fn numbered(findings: &[Finding]) -> Vec<Numbered<'_>> {
    let has_root = findings.iter().any(Finding::is_root_cause);
    let mut of_end: HashMap<&Ref, Vec<&Finding>> = HashMap::new();
    for finding in findings {
        if let Some(end) = finding.broken_end() {
            of_end.entry(end).or_default().push(finding);
        }
    }
    let (mut told, mut causes) = (Vec::with_capacity(findings.len()), 0);
    for finding in findings {
        let follows = has_root && !finding.root && finding.cause != Cause::NotDeleting;
        let Some(end) = finding.broken_end() else {
            causes += usize::from(!follows);
            told.push(Numbered { finding, number: (!follows).then_some(causes), is_first: true });
            continue;
        };
        // The first finding of this end has added them all.
        let Some(alike) = of_end.remove(end) else { continue };
        causes += 1;
        let alike = alike.into_iter().enumerate();
        told.extend(alike.map(|(place, finding)| Numbered { finding, number: Some(causes), is_first: place == 0 }));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Controller, Named};
    use crate::survey::{Discovery, Survey};

    fn named(kind: &str, name: &str) -> Ref {
        Ref::from(Named { kind: kind.into(), name: name.into(), ..Named::default() })
    }

    fn root(name: &str, end: Option<&str>) -> Finding {
        let mut finding = Draft::new(Cause::Finalizer, named("Widget", name), "waits").finding;
        finding.root = true;
        finding.broken_link = end.map(|end| named("Deployment", end));
        finding
    }

    fn numbers(findings: Vec<Finding>) -> Vec<(String, Option<usize>, bool)> {
        let survey = Survey::new(jiff::Timestamp::UNIX_EPOCH, Discovery::default());
        let mut report = crate::diagnosis::diagnose(&survey, &[]).report;
        report.findings = findings;
        let told = report.numbered();
        assert_eq!(told.len(), report.findings.len(), "each is told once");
        told.iter().map(|told| (told.finding.subject.name.clone(), told.number, told.is_first)).collect()
    }

    #[test]
    fn findings_with_one_broken_end_are_one_cause() {
        let held = |state| {
            let workload = Some(named("Deployment", "a"));
            let controller = Some(Controller { workload, state, evidence: Vec::new() });
            Finding { controller, ..root("held", None) }
        };
        let mut follower = root("follower", Some("a"));
        follower.root = false;
        let one = |name: &str, number: Option<usize>, is_first| (name.to_owned(), number, is_first);
        assert_eq!(
            numbers(vec![root("api", Some("a")), root("other", None), held(ControllerState::Down), follower.clone()]),
            [
                one("api", Some(1), true),
                one("held", Some(1), false),
                one("other", Some(2), true),
                one("follower", None, true)
            ]
        );
        // A running controller is not a broken end.
        assert_eq!(
            numbers(vec![root("api", Some("a")), held(ControllerState::Alive)]),
            [one("api", Some(1), true), one("held", Some(2), true)]
        );
        assert_eq!(numbers(vec![follower]), [one("follower", Some(1), true)], "where there is no root");
    }

    #[test]
    fn a_cause_lists_each_remedy_of_its_findings_once() {
        let survey = Survey::new(jiff::Timestamp::UNIX_EPOCH, Discovery::default());
        let mut report = crate::diagnosis::diagnose(&survey, &[]).report;
        let ways = |finding: Finding, ids: &[&str]| Finding {
            remedies: ids.iter().map(|id| (*id).to_owned()).collect(),
            ..finding
        };
        report.findings = vec![
            ways(root("api", Some("a")), &["r1", "r2"]),
            ways(root("other", None), &["r4"]),
            ways(root("held", Some("a")), &["r1", "r3"]),
        ];
        for number in 1..=4 {
            let step = crate::plan::steps::force_delete_pod::step(&named("Pod", "web"));
            let remedy = Remedy::new(step, crate::report::Risk::Leaks, "");
            report.remedies.push(Remedy { id: format!("r{number}"), ..remedy });
        }
        let causes = report.root_causes();
        let names = |cause: &Vec<&Finding>| cause.iter().map(|it| it.subject.name.clone()).collect::<Vec<_>>();
        assert_eq!(causes.iter().map(names).collect::<Vec<_>>(), [vec!["api", "held"], vec!["other"]]);
        let ways = report.ways_out_of(&causes[0]);
        let ways: Vec<(&str, &str)> =
            ways.iter().map(|(finding, remedy)| (finding.subject.name.as_str(), remedy.id.as_str())).collect();
        assert_eq!(ways, [("api", "r1"), ("api", "r2"), ("held", "r3")]);
        assert_eq!(count_causes(&report.findings.iter().collect::<Vec<_>>()), 2);
    }
}
