//! `-o prometheus`: counts of stuck objects, in the text format for Prometheus, a textfile
//! collector or a Pushgateway.
//!
//! Labels have words from closed lists (states, rules, causes) and the contexts of the command
//! line. Each name begins a series of its own, so only two metrics name objects: one up to
//! [`MAX_NAMED`] per cluster, the other one for each state.

use crate::report::{Finding, Ref, Report, State, TargetReport};
use crate::screen::Shown;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

/// How many stuck objects of a cluster are named: those that have waited longest.
const MAX_NAMED: usize = 100;

/// The states in which an object is being deleted, and the words for them.
const STATES: [(&str, State); 3] =
    [("stuck", State::Stuck), ("progressing", State::Progressing), ("unknown", State::Unknown)];

/// The metrics of the clusters, labelled with their context if `contexts` is set.
pub fn prometheus(reports: &[Report], contexts: bool) -> Shown {
    let mut text = String::new();
    let context = |report: &Report| report.context.clone().filter(|_| contexts);
    let all: Vec<(Option<String>, &Report)> = reports.iter().map(|report| (context(report), report)).collect();
    let help = "Objects that are being deleted, by state.";
    gauge(&mut text, "unstick_objects", help, &all, |report| by_state(report, |targets| number(targets.len())));
    let help = "Age of the oldest deletion request, by state of the object.";
    gauge(&mut text, "unstick_oldest_terminating_seconds", help, &all, |report| {
        by_state(report, |targets| targets.iter().map(|target| age(report, target)).max().unwrap_or_default())
    });
    let help = "Age of the oldest deletion request, by state, with the object and the rule of its first cause.";
    gauge(&mut text, "unstick_oldest_object_seconds", help, &all, oldest);
    let help = "The objects that have been stuck longest, each with the rule of its first cause.";
    gauge(&mut text, "unstick_stuck_info", help, &all, |report| {
        let named = stuck(report).into_iter().take(MAX_NAMED);
        named.map(|(target, rule)| (labels_of(&target.object, rule), 1)).collect()
    });
    let help = "Number of stuck objects that unstick_stuck_info leaves out.";
    gauge(&mut text, "unstick_stuck_unnamed", help, &all, |report| {
        vec![(Vec::new(), number(stuck(report).len().saturating_sub(MAX_NAMED)))]
    });
    let of_causes = |value: fn(&WaitingByCause) -> i64| {
        move |report: &Report| waiting(report).iter().map(|(cause, it)| (cause.clone(), value(it))).collect()
    };
    let help = "Objects that wait for a root cause, by its rule and kind.";
    gauge(&mut text, "unstick_waiting_objects", help, &all, of_causes(|waiting| waiting.objects));
    let help = "Longest time that an object has been terminating.";
    gauge(&mut text, "unstick_oldest_waiting_seconds", help, &all, of_causes(|waiting| waiting.seconds));
    let help = "Kinds that could not be read completely: their objects may be stuck, too.";
    gauge(&mut text, "unstick_unread", help, &all, |report| vec![(Vec::new(), unread(report))]);
    let help = "Time at which the cluster was read.";
    gauge(&mut text, "unstick_scan_timestamp_seconds", help, &all, |report| {
        vec![(Vec::new(), report.taken_at.as_second())]
    });
    Shown::finished(text)
}

/// A value for each state. There is none if the namespaces could not be read: then the number of
/// stuck objects is unknown, and 0 would mean that there are none.
fn by_state(report: &Report, value: impl Fn(&[&TargetReport]) -> i64) -> Vec<Sample> {
    if report.unread_kinds.contains("namespaces") {
        return Vec::new();
    }
    let sample = |(word, state): (&str, State)| {
        let targets: Vec<&TargetReport> = report.targets.iter().filter(|target| target.state == state).collect();
        (vec![("state", word.to_owned())], value(&targets))
    };
    STATES.map(sample).to_vec()
}

/// How long the target has been terminating, in seconds.
fn age(report: &Report, target: &TargetReport) -> i64 {
    target.since.map_or(0, |since| (report.taken_at - since).get_seconds().max(0))
}

/// The rule of the first root cause of each target that waits for one.
fn first_causes(report: &Report) -> HashMap<&Ref, &'static str> {
    let mut rules: HashMap<&Ref, &'static str> = HashMap::new();
    for finding in report.findings.iter().filter(|finding| finding.is_root_cause()) {
        for target in &finding.blocks {
            rules.entry(target).or_insert(finding.rule);
        }
    }
    rules
}

/// The age of the oldest target in each state, with its name. A state without targets has no sample.
fn oldest(report: &Report) -> Vec<Sample> {
    let rules = first_causes(report);
    let sample = |(word, state): (&'static str, State)| {
        let targets = report.targets.iter().filter(|target| target.state == state && target.since.is_some());
        // As below, names decide among objects of the same age.
        let target = targets.min_by_key(|target| (target.since, &target.object))?;
        let mut labels = vec![("state", word.to_owned())];
        labels.extend(labels_of(&target.object, rules.get(&target.object).copied().unwrap_or_default()));
        Some((labels, age(report, target)))
    };
    STATES.into_iter().filter_map(sample).collect()
}

/// The stuck targets with the rule of their first cause, the oldest first.
fn stuck(report: &Report) -> Vec<(&TargetReport, &'static str)> {
    let rules = first_causes(report);
    let stuck = report.targets.iter().filter(|target| target.state == State::Stuck);
    let mut stuck: Vec<(&TargetReport, &'static str)> =
        stuck.map(|target| (target, rules.get(&target.object).copied().unwrap_or_default())).collect();
    // Names decide among objects of the same age, so that the same objects are named next time.
    stuck.sort_by_key(|(target, _)| (target.since, &target.object));
    stuck
}

/// The labels of an object, with the kind as kubectl accepts it. A namespace counts as part of
/// itself, so that alerts about it reach its owners.
fn labels_of(object: &Ref, rule: &str) -> Vec<(&'static str, String)> {
    let place = object.namespace.as_ref().or(object.is_namespace().then_some(&object.name));
    vec![
        ("kind", object.singular()),
        ("namespace", place.cloned().unwrap_or_default()),
        ("name", object.name.clone()),
        ("rule", rule.to_owned()),
    ]
}

/// The number of unread kinds, each counted once for all namespaces. Never 0 if the report says
/// that something is unread.
fn unread(report: &Report) -> i64 {
    number(report.unread_kinds.len().max(usize::from(!report.unread.is_empty())))
}

type Sample = (Vec<(&'static str, String)>, i64);

/// One metric: its description, then its samples, which must stay together. All samples of a cluster are
/// labelled with its context, if it is given.
fn gauge(
    text: &mut String,
    name: &str,
    help: &str,
    clusters: &[(Option<String>, &Report)],
    samples: impl Fn(&Report) -> Vec<Sample>,
) {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge").ok();
    for (context, report) in clusters {
        for (labels, value) in samples(report) {
            let context = context.clone().map(|context| ("context", context));
            let labels: Vec<String> =
                context.into_iter().chain(labels).map(|(key, word)| format!("{key}=\"{}\"", escaped(&word))).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            writeln!(text, "{name}{labels} {value}").ok();
        }
    }
}

/// The objects that wait for causes of one rule and kind.
struct WaitingByCause {
    objects: i64,
    seconds: i64,
}

fn waiting(report: &Report) -> BTreeMap<Vec<(&'static str, String)>, WaitingByCause> {
    let since: HashMap<&Ref, i64> = report.targets.iter().map(|target| (&target.object, age(report, target))).collect();
    let mut causes: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.is_root_cause()) {
        let labels = vec![("rule", finding.rule.to_owned()), ("cause", word(&finding.cause))];
        causes.entry(labels).or_default().push(finding);
    }
    let of = |findings: Vec<&Finding>| {
        let targets: HashSet<&Ref> = findings.iter().flat_map(|finding| &finding.blocks).collect();
        let seconds = targets.iter().filter_map(|target| since.get(*target)).max().copied().unwrap_or_default();
        // If a condition counts objects that nobody may list, the namespace stands for them.
        let named = findings.iter().filter(|finding| finding.unnamed == 0);
        let objects: HashSet<&Ref> = named.flat_map(|finding| &finding.objects).collect();
        let unnamed: usize = findings.iter().map(|finding| finding.unnamed).sum();
        WaitingByCause { objects: number((objects.len() + unnamed).max(targets.len())), seconds }
    };
    causes.into_iter().map(|(labels, findings)| (labels, of(findings))).collect()
}

/// The word for a value in JSON.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(ToOwned::to_owned)).unwrap_or_default()
}

fn escaped(label: &str) -> String {
    crate::screen::clean(label).replace('\\', "\\\\").replace('"', "\\\"")
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Note, TargetReport};
    use crate::survey::{Discovery, Fact, Form, Reason, ResourceId, Survey, Unread, Want};
    use jiff::{SignedDuration, Timestamp};

    fn report(context: &str, names: &[&str]) -> Report {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(2);
        let mut report = crate::diagnosis::diagnose_survey(&Survey::new(now, Discovery::default())).report;
        let object = |name: &&str| Ref::from(Named { kind: "Widget".into(), name: (*name).into(), ..Named::default() });
        let blocks: Vec<Ref> = names.iter().map(object).collect();
        let since = Some(Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1));
        let stuck =
            |object: &Ref| TargetReport { object: object.clone(), state: State::Stuck, since, summary: "".into() };
        report.targets = blocks.iter().map(stuck).collect();
        // Two causes of one kind. Each object waits for both, and each cause holds one more.
        for summary in ["one", "two"] {
            let draft = Draft::new(Cause::Finalizer, Ref::default(), summary);
            let objects = blocks.iter().cloned().chain([object(&"inside")]).collect();
            let mut finding = Finding { blocks: blocks.clone(), objects, ..draft.finding };
            finding.rule = "held-by-finalizer";
            report.findings.push(finding);
        }
        report.unread = vec![Note::about("pods", "forbidden")];
        report.context = Some(context.into());
        report
    }

    #[test]
    fn stuck_objects_are_counted_by_rule_and_cause() {
        let text = prometheus(&[report("east", &["a", "b"])], false);
        for line in [
            "# TYPE unstick_objects gauge",
            "unstick_objects{state=\"stuck\"} 2",
            "unstick_objects{state=\"progressing\"} 0",
            "unstick_oldest_terminating_seconds{state=\"stuck\"} 3600",
            "unstick_oldest_terminating_seconds{state=\"unknown\"} 0",
            "unstick_oldest_object_seconds{state=\"stuck\",kind=\"widget\",namespace=\"\",name=\"a\",rule=\"held-by-finalizer\"} 3600",
            "unstick_stuck_info{kind=\"widget\",namespace=\"\",name=\"a\",rule=\"held-by-finalizer\"} 1",
            "unstick_stuck_unnamed 0",
            "unstick_waiting_objects{rule=\"held-by-finalizer\",cause=\"finalizer\"} 3",
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
        assert_eq!(metrics.len(), 9, "each metric stands in one place");
    }

    #[test]
    fn unnamed_and_undecided_objects_still_have_an_age_and_a_count() {
        let mut report = report("east", &["a"]);
        report.targets[0].state = State::Unknown;
        for finding in &mut report.findings {
            finding.unnamed = 150;
        }
        let text = prometheus(&[report], false);
        assert!(text.contains("unstick_oldest_terminating_seconds{state=\"unknown\"} 3600\n"), "{text}");
        assert!(
            text.contains("unstick_waiting_objects{rule=\"held-by-finalizer\",cause=\"finalizer\"} 300\n"),
            "{text}"
        );
        assert!(!text.contains("unstick_stuck_info{"), "{text}");
    }

    #[test]
    fn the_oldest_are_named_and_the_others_counted() {
        let names: Vec<String> = (0..=MAX_NAMED).map(|number| format!("w{number:03}")).collect();
        let mut report = report("east", &names.iter().map(String::as_str).collect::<Vec<_>>());
        report.targets[MAX_NAMED].since = Some(Timestamp::UNIX_EPOCH);
        let text = prometheus(&[report], false);
        let told: Vec<&str> = text.lines().filter(|line| line.starts_with("unstick_stuck_info{")).collect();
        assert_eq!(told.len(), MAX_NAMED);
        assert!(told[0].contains("name=\"w100\"") && !text.contains("name=\"w099\""), "{text}");
        assert!(text.contains("unstick_stuck_unnamed 1\n"), "{text}");
    }

    #[test]
    fn the_oldest_object_of_each_state_is_named_with_its_age() {
        let mut report = report("east", &["b", "a", "c", "d", "e"]);
        report.targets[3].state = State::Unknown;
        report.targets[4].state = State::Progressing;
        report.targets[4].since = None;
        report.findings.clear();
        let named = |report: Report| {
            let text = prometheus(&[report], false);
            let lines = text.lines().filter(|line| line.starts_with("unstick_oldest_object_seconds{"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let of = |state: &str, name: &str, age: i64| {
            format!(
                "unstick_oldest_object_seconds{{state=\"{state}\",kind=\"widget\",namespace=\"\",name=\"{name}\",rule=\"\"}} {age}"
            )
        };
        // Of the same age, the first by name; without a time of the deletion, none.
        assert_eq!(named(report.clone()), [of("stuck", "a", 3600), of("unknown", "d", 3600)]);
        report.targets[2].since = Some(Timestamp::UNIX_EPOCH);
        assert_eq!(named(report), [of("stuck", "c", 7200), of("unknown", "d", 3600)]);
    }

    #[test]
    fn a_namespace_is_labelled_with_itself_and_a_kind_with_its_group() {
        let of = |api_version: &str, kind: &str, namespace: Option<&str>| {
            let named = Named {
                api_version: api_version.into(),
                kind: kind.into(),
                namespace: namespace.map(Into::into),
                name: "it".into(),
                ..Named::default()
            };
            labels_of(&named.into(), "r").into_iter().map(|(_, word)| word).collect::<Vec<_>>()
        };
        assert_eq!(of("v1", "Namespace", None), ["namespace", "it", "it", "r"]);
        assert_eq!(of("acme.io/v1", "Database", Some("shop")), ["database.acme.io", "shop", "it", "r"]);
    }

    #[test]
    fn each_kind_is_unread_once_and_unread_namespaces_are_not_empty() {
        let mut survey = Survey::new(Timestamp::UNIX_EPOCH, Discovery::default());
        let lists = |group: &str, plural: &str, places: &[Option<&str>]| -> Vec<Want> {
            let resource = ResourceId::new(group, "v1", plural);
            places.iter().map(|place| Want::list(&resource, *place, Form::Metadata)).collect()
        };
        let places = [None, Some("a"), Some("b"), Some("c")];
        let mut forbid = |wants: Vec<Want>, reason: Reason| {
            for want in wants {
                survey.record(want, Fact::Unread(Unread { reason, message: String::new() }));
            }
            prometheus(&[crate::diagnosis::diagnose_survey(&survey).report], false)
        };
        let mute = forbid(lists("acme.io", "databases", &places), Reason::TimedOut);
        assert!(mute.contains("unstick_unread 1\n") && mute.contains("unstick_objects{state=\"stuck\"} 0\n"), "{mute}");
        let more = forbid(lists("", "secrets", &places), Reason::Forbidden);
        assert!(more.contains("unstick_unread 2\n"), "{more}");
        let blind = forbid(lists("", "namespaces", &[None]), Reason::Forbidden);
        assert!(blind.contains("unstick_unread 3\n") && !blind.contains("unstick_objects{"), "{blind}");
    }
}
