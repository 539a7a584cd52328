//! The height of the first question about a report, so that the screen above leaves room for it.

use super::menu::Menu;
use super::{MenuWay, Question, above, afterwards, choice, only_way, question, way_of};
use crate::report::{Finding, Remedy, Report, State};

/// How many lines the first question takes with its dialog, on a terminal of this width.
#[must_use]
pub fn lines_of_the_first(report: &Report, width: usize) -> usize {
    let causes = report.root_causes();
    let Some(cause) = causes.first() else { return 0 };
    let ways = report.ways_out_of(cause);
    let ways: Vec<_> = ways.into_iter().filter(|(_, remedy)| !remedy.steps.is_empty()).collect();
    let context = report.context.as_deref();
    let label = "Step 1 of 1";
    let (text, lines) = match ways[..] {
        [] => return 0,
        [(finding, remedy)] => {
            let asked = Question { alike: remedy.steps[..1].to_vec(), risk: remedy.level(), by_name: remedy.by_name };
            let then = afterwards(&touched(finding, report), &remedy.steps[0]);
            (question(label, context, remedy, &asked).then(then), vec![only_way()])
        }
        _ => {
            let line = |(finding, remedy): &(&Finding, &Remedy)| way_of(remedy, &touched(finding, report));
            (
                choice(label, &cause[0].subject, cause[0].others(), context),
                ways.iter().map(line).collect::<Vec<MenuWay>>(),
            )
        }
    };
    above(cause[0], report).then(text).height(width) + Menu::height(&lines, width)
}

/// The namespaces that a repair of this cause unblocks. They are nudged afterwards if their
/// controller would not check them in time.
#[must_use]
pub fn touched(finding: &Finding, report: &Report) -> Vec<String> {
    let going = report.targets.iter().filter(|target| target.state != State::Gone);
    let namespaces = going.map(|target| &target.object).filter(|object| object.resource == "namespaces");
    let held = namespaces.filter(|object| finding.blocks.contains(object) && !finding.is_stranded());
    held.map(|object| object.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::plan::steps::force_delete_pod;
    use crate::report::{Cause, Named, Ref, Risk, TargetReport};
    use crate::survey::{Discovery, Survey};

    fn named(kind: &str, resource: &str, name: &str) -> Ref {
        Ref::from(Named {
            api_version: "v1".into(),
            kind: kind.into(),
            resource: resource.into(),
            name: name.into(),
            ..Named::default()
        })
    }

    fn namespace(name: &str) -> Ref {
        named("Namespace", "namespaces", name)
    }

    /// One cause with this many remedies, which blocks the namespace `shop`.
    fn report(ways: usize) -> Report {
        let nothing = Discovery { resources: Vec::new(), stale: Vec::new() };
        let survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), nothing);
        let mut report = crate::diagnosis::diagnose(&survey, &[]).report;
        let pod = named("Pod", "pods", "web-0");
        let mut finding = Draft::new(Cause::Kubelet, pod.clone(), "").finding;
        finding.blocks = vec![namespace("shop"), namespace("gone"), pod.clone()];
        for way in 0..ways {
            let id = format!("r{way}");
            finding.remedies.push(id.clone());
            report
                .remedies
                .push(Remedy { id, ..Remedy::new(force_delete_pod::step(&pod), Risk::Leaks, "volumes stay") });
        }
        report.findings.push(finding);
        report
    }

    fn with_targets(targets: &[(Ref, State)]) -> Report {
        let target = |(object, state): &(Ref, State)| TargetReport {
            object: object.clone(),
            state: *state,
            since: None,
            summary: "".into(),
        };
        Report { targets: targets.iter().map(target).collect(), ..report(1) }
    }

    #[test]
    fn the_height_of_the_first_question_includes_its_dialog() {
        assert_eq!(lines_of_the_first(&Report { findings: Vec::new(), ..report(1) }, 200), 0);
        assert_eq!(lines_of_the_first(&report(0), 200), 0, "there is nothing to ask");
        let dialog = ["keys", "details", "do it", "skip", "quit"].len();
        assert_eq!(lines_of_the_first(&report(1), 200), 3 + dialog, "a blank line, the step, and what it may cost");
        assert!(lines_of_the_first(&report(1), 20) > 3 + dialog);
        assert_eq!(lines_of_the_first(&report(3), 200), 3 + dialog + 2, "what follows from a way is a line");
        let touched = with_targets(&[(namespace("shop"), State::Stuck)]);
        assert_eq!(lines_of_the_first(&touched, 200), 4 + dialog, "what is done afterwards is a line more");
    }

    #[test]
    fn namespaces_freed_by_a_repair_are_annotated() {
        let report = with_targets(&[
            (namespace("shop"), State::Stuck),
            (namespace("other"), State::Stuck),
            (namespace("gone"), State::Gone),
            (named("Pod", "pods", "web-0"), State::Stuck),
        ]);
        assert_eq!(touched(&report.findings[0], &report), ["shop"]);
    }
}
