//! The messages about held objects in a controller's own log: read with `--logs` only, and then from few
//! pods and few runs of their containers.

use crate::facts::{Facts, Gap, Known, Readable, each, flat_each, for_each, since};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::statements::statement::CANNOT_CREATE;
use crate::kubernetes::workloads::health;
use crate::kubernetes::workloads::health::NodeState;
use crate::survey::{Bearing, LogLine, LogOf, Object, Reason, Seen, Topic, Want};
use jiff::Timestamp;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How many pieces of evidence logs give: lines, and notes about unread logs.
pub(crate) const MAX_EVIDENCE: usize = 7;
const MAX_LINES: usize = 6;
/// How many pods have their logs read.
const MAX_PODS: usize = 2;
/// How many runs of a pod's containers have their logs read.
const MAX_RUNS: usize = 6;

/// The evidence from a controller's log.
#[derive(Debug, Default)]
pub(crate) struct LogEvidence {
    pub(crate) evidence: Vec<String>,
    /// The reason why it does not release the object, from lines since the deletion.
    pub(crate) why: Option<LoggedTrouble>,
    /// A line that names the object.
    pub(crate) named: Option<String>,
}

/// Why a controller does not release an object, by its log.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LoggedTrouble {
    /// It must create something for this object, and may not.
    CannotCreateForIt,
    /// It must create something in the namespace of the object.
    CannotCreate,
    /// An error while it worked on the object.
    Trouble(String),
}

/// One run of a container.
#[derive(Debug, Clone, Copy)]
struct ContainerRun<'s> {
    pod: &'s Object,
    container: &'s str,
    previous: bool,
}

/// A line, and the run that has written it.
#[derive(Debug, Clone, Copy)]
struct RunLine<'s> {
    run: ContainerRun<'s>,
    line: &'s LogLine,
}

/// The first of `workloads` whose log names an object that waits for the finalizer, and the line.
pub(crate) fn find<'s>(
    workloads: impl Iterator<Item = Seen<'s>>,
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<(Seen<'s>, String)>> {
    if !inquiry.facts.may_read_logs() {
        return Ok(None);
    }
    let said = each(workloads, |workload| Ok((workload, read(workload, inquiry)?.named)))?;
    Ok(said.into_iter().find_map(|(workload, named)| Some((workload, named?))))
}

/// The lines in the log of `workload` about objects that wait for the finalizer.
pub(crate) fn read<'s>(workload: Seen<'s>, inquiry: Inquiry<'_, 's>) -> Known<LogEvidence> {
    let Inquiry { finalizer, held, facts, gaps, .. } = inquiry;
    if !facts.may_read_logs() {
        return Ok(LogEvidence::default());
    }
    let about = topic(finalizer, held.first());
    if !facts.may_read_logs_about(&about) {
        let why = "logs: read only for the first few finalizers, not for this one";
        return Ok(LogEvidence { evidence: vec![why.into()], ..LogEvidence::default() });
    }
    let namespace = workload.object.metadata.namespace.as_deref().unwrap_or_default();
    let asked = held.first().object.deletion_asked().unwrap_or_default();
    let (mut lines, mut evidence, mut silent) = (Vec::new(), Vec::new(), 0);
    for_each(runs(workload, asked, facts, gaps)?, |run| {
        let of = LogOf { container: run.container.into(), previous: run.previous, about: about.clone() };
        match facts.log(&Want::log(namespace, run.pod.name(), of)).surveyed()? {
            Ok(read) => {
                silent += usize::from(read.is_some_and(<[_]>::is_empty));
                lines.extend(read.into_iter().flatten().map(|line| RunLine { run, line }));
            }
            Err(Gap { why, .. }) if why.reason == Reason::Forbidden => {
                evidence = vec![format!("logs: permission to get pods/log in namespace {namespace} would help")];
            }
            Err(gap) => gaps.note(&gap),
        }
        Ok(())
    })?;
    sort(&mut lines, asked);
    if lines.is_empty() && silent > 0 {
        evidence.push("logs: nothing about it in the last lines of its controller".into());
    }
    evidence.extend(lines.iter().take(MAX_LINES).map(|line| line.text(facts)));
    let is_about_it = |line: &&RunLine<'_>| matches!(line.line.bearing, Bearing::Names | Bearing::TroubleWithIt);
    let named = lines.iter().find(is_about_it).map(|line| line.text(facts));
    Ok(LogEvidence { why: why(&lines, &about, asked), evidence, named })
}

fn topic(finalizer: &str, seen: Seen<'_>) -> Topic {
    let Seen { resource, object } = seen;
    Topic {
        kind: resource.kind.clone(),
        resource: resource.id.plural.clone(),
        namespace: object.metadata.namespace.as_deref().map(ToOwned::to_owned),
        name: object.name().to_owned(),
        uid: object.uid().to_owned(),
        finalizer: Some(finalizer.to_owned()),
        ..Topic::default()
    }
}

/// The runs whose logs are read: of the pod that leads, then of the newest ones. The kubelet of a node
/// that is not Ready gives no log.
fn runs<'s>(seen: Seen<'s>, asked: Timestamp, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<ContainerRun<'s>>> {
    let workload = seen.object;
    let namespace = workload.metadata.namespace.as_deref().unwrap_or_default();
    let Some(mut pods) = gaps.pass(health::pods_of(workload, namespace, facts))? else { return Ok(Vec::new()) };
    let leader = health::lease(seen, &pods, facts).if_readable()?.flatten().map(|lease| lease.pod);
    pods.sort_by_key(|pod| {
        let leads = leader.as_deref() == Some(pod.name());
        (pod.is_deleting(), !leads, Reverse(pod.metadata.creation_timestamp))
    });
    flat_each(pods.into_iter().take(MAX_PODS), |pod| {
        let is_ready = gaps.pass(health::node_of(pod, facts))?.is_none_or(|node| node == NodeState::Ready);
        Ok(if is_ready { runs_of(pod, asked) } else { Vec::new() })
    })
}

/// The runs of a pod's containers: those that are running, and those that have ended since `asked` or
/// were not followed by another.
fn runs_of(pod: &Object, asked: Timestamp) -> Vec<ContainerRun<'_>> {
    let mut runs = Vec::new();
    let init = pod.array("/status/initContainerStatuses").iter();
    let init = init.filter(|status| status.pointer("/state/terminated/exitCode").and_then(Value::as_i64) != Some(0));
    for status in init.chain(pod.array("/status/containerStatuses")) {
        let Some(container) = status.get("name").and_then(Value::as_str) else { continue };
        let is = |pointer: &str| status.pointer(pointer).is_some_and(|state| !state.is_null());
        let ended = status.pointer("/lastState/terminated/finishedAt").and_then(Value::as_str);
        let ended: Option<Timestamp> = ended.and_then(|time| time.parse().ok());
        let recent = ended.is_some_and(|ended| ended >= asked);
        if is("/state/running") || is("/state/terminated") {
            runs.push(ContainerRun { pod, container, previous: false });
        }
        if is("/lastState/terminated") && (recent || !is("/state/running")) {
            runs.push(ContainerRun { pod, container, previous: true });
        }
    }
    runs.truncate(MAX_RUNS);
    runs
}

/// Sorts the lines, best evidence first, and removes repetitions: lines since `asked` and the last
/// words of a run, whenever it ended; then those that tell more, then the latest.
fn sort(lines: &mut Vec<RunLine<'_>>, asked: Timestamp) {
    lines.sort_by_key(|RunLine { line, .. }| {
        let old = line.bearing != Bearing::LastWords && line.at.is_none_or(|at| at < asked);
        (old, line.rank(), Reverse(line.at))
    });
    let mut told = BTreeSet::new();
    lines.retain(|RunLine { line, .. }| told.insert(line.gist()));
}

fn why(lines: &[RunLine<'_>], about: &Topic, asked: Timestamp) -> Option<LoggedTrouble> {
    let namespace = about.namespace.as_deref().unwrap_or_default();
    let refused = format!("{CANNOT_CREATE} {namespace} because");
    let since_then = || lines.iter().map(|line| line.line).filter(|line| line.at.is_some_and(|at| at >= asked));
    let with_it = || since_then().filter(|line| line.bearing == Bearing::TroubleWithIt);
    let says = |line: &LogLine| line.text.contains(&refused) || line.message().contains(&refused);
    let cannot_create = |line: &LogLine| !namespace.is_empty() && says(line);
    if with_it().any(cannot_create) {
        return Some(LoggedTrouble::CannotCreateForIt);
    }
    let trouble = with_it().next().map(|line| LoggedTrouble::Trouble(line.message().into_owned()));
    trouble.or_else(|| since_then().any(cannot_create).then_some(LoggedTrouble::CannotCreate))
}

impl RunLine<'_> {
    fn text(&self, facts: &Facts<'_>) -> String {
        let Self { run: ContainerRun { pod, container, previous }, line } = self;
        let namespace = pod.metadata.namespace.as_deref().unwrap_or_default();
        let log = if *previous { "previous log" } else { "log" };
        let age = line.at.map(|at| format!(", {}s ago", since(at, facts.now()).as_secs())).unwrap_or_default();
        format!("{log} of pod {namespace}/{}, container {container}{age}: {}", pod.name(), line.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn time(text: &str) -> Timestamp {
        format!("2026-11-21T{text}Z").parse().unwrap()
    }

    fn said(lines: &[(&str, Bearing, &str)]) -> Option<LoggedTrouble> {
        let pod: Object = serde_json::from_value(json!({"metadata": {"name": "p"}})).unwrap();
        let run = ContainerRun { pod: &pod, container: "manager", previous: false };
        let line = |(at, bearing, text): &(&str, Bearing, &str)| LogLine::new(Some(time(at)), *bearing, *text);
        let lines: Vec<LogLine> = lines.iter().map(line).collect();
        let mut lines: Vec<RunLine<'_>> = lines.iter().map(|line| RunLine { run, line }).collect();
        let about = Topic { namespace: Some("shop".into()), ..Topic::default() };
        sort(&mut lines, time("11:00:00"));
        why(&lines, &about, time("11:00:00"))
    }

    #[test]
    fn log_lines_since_the_deletion_give_the_reason() {
        use Bearing::{LastWords, Names, Trouble, TroubleWithIt};
        let refused =
            "jobs.batch is forbidden: unable to create new content in namespace shop because it is being terminated";
        let elsewhere = refused.replace("shop", "shop-2");
        let trouble = |text: &str| Some(LoggedTrouble::Trouble(text.into()));
        assert_eq!(said(&[]), None);
        assert_eq!(said(&[("11:01:00", Names, "a"), ("11:01:00", Trouble, "b"), ("11:01:00", LastWords, "c")]), None);
        assert_eq!(said(&[("10:59:00", TroubleWithIt, "before"), ("10:59:00", Trouble, refused)]), None);
        let twice = [("11:01:00", TroubleWithIt, "first"), ("11:02:00", TroubleWithIt, "x err=\"then\"")];
        assert_eq!(said(&twice), trouble("then"));
        assert_eq!(said(&[("11:01:00", TroubleWithIt, refused), twice[1]]), Some(LoggedTrouble::CannotCreateForIt));
        assert_eq!(said(&[("11:01:00", Trouble, refused), twice[1]]), trouble("then"));
        assert_eq!(said(&[("11:01:00", Trouble, refused)]), Some(LoggedTrouble::CannotCreate));
        assert_eq!(said(&[("11:01:00", Trouble, &elsewhere)]), None);
    }

    #[test]
    fn runs_that_may_tell_something_are_read() {
        let ended = |at: &str| json!({"terminated": {"exitCode": 2, "finishedAt": time(at).to_string()}});
        let pod = json!({"metadata": {"name": "p"}, "status": {
        "initContainerStatuses": [
            {"name": "done", "state": {"terminated": {"exitCode": 0}}},
            {"name": "failing", "state": {"waiting": {}}, "lastState": ended("10:00:00")},
        ],
        "containerStatuses": [
            {"name": "steady", "state": {"running": {}}, "lastState": {}},
            {"name": "restarted-long-ago", "state": {"running": {}}, "lastState": ended("10:00:00")},
            {"name": "restarted", "state": {"running": {}}, "lastState": ended("11:00:00")},
            {"name": "never-started", "state": {"waiting": {}}},
            {"name": "ended", "state": ended("10:00:00"), "lastState": {}},
        ]}});
        let pod: Object = serde_json::from_value(pod).unwrap();
        let runs: Vec<(&str, bool)> =
            runs_of(&pod, time("11:00:00")).iter().map(|run| (run.container, run.previous)).collect();
        assert_eq!(
            runs,
            [
                ("failing", true),
                ("steady", false),
                ("restarted-long-ago", false),
                ("restarted", false),
                ("restarted", true),
                ("ended", false)
            ]
        );
    }
}
