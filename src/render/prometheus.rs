//! `-o prometheus`: how much is stuck, in the text that Prometheus scrapes, a textfile
//! collector reads and a Pushgateway takes.
//!
//! Labels take words from closed lists (states, rules, causes) and the contexts of the
//! command line. Names of objects are no labels: each would begin a series of its own.

use super::Shown;
use crate::report::{Finding, Ref, Report, State};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

/// The metrics of the clusters; `contexts` says of each which it is.
#[must_use]
pub fn prometheus(reports: &[Report], contexts: bool) -> Shown {
    let mut text = String::new();
    let all: Vec<(Labels<'_>, &Report)> = reports.iter().map(|report| (Labels::of(report, contexts), report)).collect();
    gauge(&mut text, "unstick_objects", "Objects that are being deleted, by how they stand.", &all, |report| {
        let count = |state| report.targets.iter().filter(|target| target.state == state).count();
        [("stuck", State::Stuck), ("progressing", State::Progressing), ("unknown", State::Unknown)]
            .map(|(word, state)| (vec![("state", word.to_owned())], number(count(state))))
            .to_vec()
    });
    let of_causes = |value: fn(&Waiting) -> i64| {
        move |report: &Report| waiting(report).iter().map(|(cause, it)| (cause.clone(), value(it))).collect()
    };
    let help = "Objects that wait for a root cause, by its rule and kind.";
    gauge(&mut text, "unstick_waiting_objects", help, &all, of_causes(|waiting| waiting.objects));
    let help = "How long the object has been waiting that has waited for the longest.";
    gauge(&mut text, "unstick_oldest_waiting_seconds", help, &all, of_causes(|waiting| waiting.seconds));
    let help = "What could not be read: objects in there may be stuck, too.";
    gauge(&mut text, "unstick_unread", help, &all, |report| vec![(Vec::new(), number(report.unread.len()))]);
    let help = "When the cluster was looked at.";
    gauge(&mut text, "unstick_scan_timestamp_seconds", help, &all, |report| {
        vec![(Vec::new(), report.taken_at.as_second())]
    });
    Shown::finished(text)
}

/// The labels that every metric of a cluster has.
struct Labels<'r>(Option<&'r str>);

impl<'r> Labels<'r> {
    fn of(report: &'r Report, contexts: bool) -> Self {
        Self(report.context.as_deref().filter(|_| contexts))
    }
}

type Sample = (Vec<(&'static str, String)>, i64);

/// One metric: what it is, then its samples, which must not be apart from each other.
fn gauge(
    text: &mut String,
    name: &str,
    help: &str,
    clusters: &[(Labels<'_>, &Report)],
    samples: impl Fn(&Report) -> Vec<Sample>,
) {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge").ok();
    for (Labels(context), report) in clusters {
        for (labels, value) in samples(report) {
            let context = context.map(|context| ("context", context.to_owned()));
            let labels: Vec<String> =
                context.into_iter().chain(labels).map(|(key, word)| format!("{key}=\"{}\"", escaped(&word))).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            writeln!(text, "{name}{labels} {value}").ok();
        }
    }
}

/// Who waits for causes of one rule and kind.
struct Waiting {
    objects: i64,
    seconds: i64,
}

fn waiting(report: &Report) -> BTreeMap<Vec<(&'static str, String)>, Waiting> {
    let since: HashMap<&Ref, i64> = report
        .targets
        .iter()
        .filter_map(|target| Some((&target.object, (report.taken_at - target.since?).get_seconds().max(0))))
        .collect();
    let mut causes: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.is_root_cause()) {
        let labels = vec![("rule", finding.rule.to_owned()), ("cause", word(&finding.cause))];
        causes.entry(labels).or_default().push(finding);
    }
    let of = |findings: Vec<&Finding>| {
        let objects: HashSet<&Ref> = findings.iter().flat_map(|finding| &finding.blocks).collect();
        let seconds = objects.iter().filter_map(|object| since.get(*object)).max().copied().unwrap_or_default();
        Waiting { objects: number(objects.len()), seconds }
    };
    causes.into_iter().map(|(labels, findings)| (labels, of(findings))).collect()
}

/// As JSON has it.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(ToOwned::to_owned)).unwrap_or_default()
}

fn escaped(label: &str) -> String {
    super::clean(label).replace('\\', "\\\\").replace('"', "\\\"")
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Note, Target};
    use crate::survey::{Discovery, Survey};
    use jiff::{SignedDuration, Timestamp};

    fn report(context: &str, names: &[&str]) -> Report {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(2);
        let mut report = crate::diagnosis::diagnose_survey(&Survey::new(now, Discovery::default())).report;
        let object = |name: &&str| Ref::from(Named { kind: "Widget".into(), name: (*name).into(), ..Named::default() });
        let blocks: Vec<Ref> = names.iter().map(object).collect();
        let since = Some(Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1));
        let stuck = |object: &Ref| Target { object: object.clone(), state: State::Stuck, since, summary: "".into() };
        report.targets = blocks.iter().map(stuck).collect();
        // Two causes of one kind, for which one object waits twice.
        for summary in ["one", "two"] {
            let draft = Draft::new(Cause::Finalizer, Ref::default(), summary);
            let mut finding = Finding { blocks: blocks.clone(), ..draft.finding };
            finding.rule = "held-by-finalizer";
            report.findings.push(finding);
        }
        report.unread = vec![Note { what: "pods".into(), why: "forbidden".into() }];
        report.context = Some(context.into());
        report
    }

    #[test]
    fn what_is_stuck_is_counted_by_rule_and_cause() {
        let text = prometheus(&[report("east", &["a", "b"])], false);
        for line in [
            "# TYPE unstick_objects gauge",
            "unstick_objects{state=\"stuck\"} 2",
            "unstick_objects{state=\"progressing\"} 0",
            "unstick_waiting_objects{rule=\"held-by-finalizer\",cause=\"finalizer\"} 2",
            "unstick_oldest_waiting_seconds{rule=\"held-by-finalizer\",cause=\"finalizer\"} 3600",
            "unstick_unread 1",
            "unstick_scan_timestamp_seconds 7200",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
    }

    #[test]
    fn several_clusters_are_told_apart_and_their_names_break_nothing() {
        let reports = [report("east", &["a"]), report("we\"st\n\\", &["b"])];
        let text = prometheus(&reports, true);
        assert!(
            text.contains("unstick_unread{context=\"east\"} 1\nunstick_unread{context=\"we\\\"st<U+000A>\\\\\"} 1\n"),
            "{text}"
        );
        let metrics: Vec<&str> = text.lines().filter(|line| line.starts_with("# TYPE")).collect();
        assert_eq!(metrics.len(), 5, "each metric stands in one place");
    }
}
