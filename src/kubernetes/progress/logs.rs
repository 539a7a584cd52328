//! The records about held objects in a controller's own log, read from few pods and few runs of their containers.

use crate::facts::{Facts, Gap, Known, Readable, clock, each, flat_each, for_each, since};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::mentions::nodes::node_edges;
use crate::kubernetes::messages::trouble::{Tone, is_about_use, is_waiting};
use crate::kubernetes::ownership::owner;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::statements::statement::{CANNOT_CREATE, Statement};
use crate::kubernetes::workloads::health;
use crate::kubernetes::workloads::health::NodeState;
use crate::survey::{Bearing, Log, LogLine, LogOf, Object, Reason, Seen, Topic, Want};
use jiff::Timestamp;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How many pieces of evidence logs give: lines, and notes about what was read.
pub(crate) const MAX_EVIDENCE: usize = 8;
const MAX_LINES: usize = 6;
/// How many pods have their logs read.
const MAX_PODS: usize = 2;
/// How many runs of one pod's containers have their logs read.
const MAX_RUNS: usize = 2;
/// How many ids of what an object stands for are looked for.
const MAX_IDS: usize = 4;

/// The records of a controller's log about the held objects.
#[derive(Debug, Default)]
pub(crate) struct LogEvidence<'s> {
    pub(crate) evidence: Vec<String>,
    /// What it says since the deletion.
    pub(crate) said: Vec<Statement<'s>>,
    /// A line that names the object.
    pub(crate) named: Option<String>,
    /// Whether a log was read.
    pub(crate) is_read: bool,
    /// Whether a log could not be read.
    pub(crate) is_unread: bool,
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
    let said = each(workloads, |workload| Ok((workload, read(workload, inquiry)?.named)))?;
    Ok(said.into_iter().find_map(|(workload, named)| Some((workload, named?))))
}

/// The lines in the log of `workload` about objects that wait for the finalizer.
pub(crate) fn read<'s>(workload: Seen<'s>, inquiry: Inquiry<'_, 's>) -> Known<LogEvidence<'s>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = inquiry;
    let about = topic(finalizer, held.read().next().unwrap_or(held.first()));
    if !facts.may_read_logs_about(&about) {
        let why = "logs: read only for the first few finalizers, not for this one";
        return Ok(LogEvidence { evidence: vec![why.into()], ..LogEvidence::default() });
    }
    let namespace = workload.object.metadata.namespace.as_deref().unwrap_or_default();
    let asked = about.since.unwrap_or_default();
    let (mut lines, mut evidence, mut is_read, mut is_unread) = (Vec::new(), Vec::new(), false, false);
    for_each(runs(workload, asked, inquiry)?, |run| {
        let of = LogOf { container: run.container.into(), previous: run.previous, about: about.clone() };
        match facts.log(&Want::log(namespace, run.pod.name(), of)).surveyed()? {
            Ok(Some(log)) => {
                is_read = true;
                evidence.push(run.span(log, asked));
                lines.extend(log.lines.iter().map(|line| RunLine { run, line }));
            }
            Ok(None) => {}
            Err(Gap { why, .. }) if why.reason == Reason::Forbidden => {
                evidence = vec![format!("logs: permission to get pods/log in namespace {namespace} would help")];
                is_unread = true;
            }
            Err(gap) => {
                gaps.note(&gap);
                is_unread = true;
            }
        }
        Ok(())
    })?;
    sort(&mut lines, asked);
    let shown: Vec<String> = lines.iter().take(MAX_LINES).map(|line| line.text(facts)).collect();
    evidence.splice(0..0, shown);
    let is_about_it = |line: &&RunLine<'_>| matches!(line.line.bearing, Bearing::Names | Bearing::TroubleWithIt);
    let named = lines.iter().find(is_about_it).map(|line| line.text(facts));
    let of = held.read().next().unwrap_or(held.first());
    let mut telling: Vec<&RunLine<'_>> = lines.iter().filter(|line| line.tells(&about, asked)).collect();
    // A controller may complain about several things: the deletion waits for those that are about the end of the object.
    if telling.iter().any(|line| line.line.is_about_end) {
        telling.retain(|line| line.line.is_about_end);
    }
    let said = telling.into_iter().map(|line| line.statement(of, facts)).collect();
    Ok(LogEvidence { evidence, said, named, is_read, is_unread })
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
        since: object.deletion_asked(),
        ids: ids(object),
    }
}

/// What an object stands for elsewhere: the values of fields that are called an id or a handle. Names and short words
/// would be found anywhere.
fn ids(object: &Object) -> Vec<String> {
    const CALLED: [&str; 4] = ["id", "arn", "handle", "externalname"];
    let mut found = BTreeSet::new();
    let mut look = |key: &str, value: &str| {
        let key = key.to_lowercase().replace(['-', '_'], "");
        let is_id = CALLED.iter().any(|called| key.ends_with(called)) && key != "uid";
        let is_rare = value.len() >= 12 && value.contains(|c: char| c.is_ascii_digit()) && !value.contains(' ');
        if is_id && is_rare && value != object.uid() && value != object.name() && found.len() < MAX_IDS {
            found.insert(value.to_owned());
        }
    };
    for (key, value) in object.metadata.annotations.iter() {
        look(key, value);
    }
    let mut parts: Vec<&Value> = ["/status", "/spec"].iter().filter_map(|part| object.at(part)).collect();
    while let Some(part) = parts.pop() {
        match part {
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value {
                        Value::String(text) => look(key, text),
                        other => parts.push(other),
                    }
                }
            }
            Value::Array(entries) => parts.extend(entries),
            _ => {}
        }
    }
    found.into_iter().collect()
}

/// The runs whose logs are read: of the pod that leads, of the one on the object's node, then of the newest ones. The
/// kubelet of a node that is not Ready gives no log.
fn runs<'s>(seen: Seen<'s>, asked: Timestamp, inquiry: Inquiry<'_, 's>) -> Known<Vec<ContainerRun<'s>>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let workload = seen.object;
    let namespace = workload.metadata.namespace.as_deref().unwrap_or_default();
    let Some(mut pods) = gaps.pass(health::pods_of(workload, namespace, facts))? else { return Ok(Vec::new()) };
    let leader = health::lease(seen, &pods, facts).if_readable()?.flatten().map(|lease| lease.pod);
    let nodes = flat_each(held.read().take(1), |seen| node_edges(seen, facts, &Gaps::default()))?;
    let is_on_node = |pod: &Object| nodes.iter().any(|edge| pod.text("/spec/nodeName") == Some(edge.name.as_str()));
    pods.sort_by_key(|pod| {
        let leads = leader.as_deref() == Some(pod.name());
        (pod.is_deleting(), !leads, !is_on_node(pod), Reverse(pod.metadata.creation_timestamp))
    });
    // A pod that does not lead has nothing to say, and an agent works for its node alone.
    let is_one = leader.is_some() || pods.first().is_some_and(|pod| is_on_node(pod));
    flat_each(pods.into_iter().take(if is_one { 1 } else { MAX_PODS }), |pod| {
        let is_ready = gaps.pass(health::node_of(pod, facts))?.is_none_or(|node| node == NodeState::Ready);
        Ok(if is_ready { runs_of(pod, asked, inquiry.finalizer, workload.name()) } else { Vec::new() })
    })
}

/// The runs of a pod's containers: those that are running, and those that have ended since `asked` or
/// were not followed by another. The container that is called after the finalizer comes first, then those that are
/// called after their work.
fn runs_of<'s>(pod: &'s Object, asked: Timestamp, finalizer: &str, workload: &str) -> Vec<ContainerRun<'s>> {
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
    let image = |container: &str| {
        let mut all = pod.array("/spec/containers").iter();
        let found = all.find(|it| it.get("name").is_some_and(|name| name == container));
        let image = found.and_then(|it| it.get("image")?.as_str()).unwrap_or_default();
        image.rsplit('/').next().unwrap_or_default().to_owned()
    };
    let place = |run: &ContainerRun<'_>| {
        let called = [run.container.to_owned(), image(run.container)];
        let is_after = |text: &str| called.iter().any(|called| owner::share_a_word(called, text));
        let works = ["manager", "controller", "operator"].iter().any(|word| called.iter().any(|it| it.contains(word)));
        // `external-attacher/csi-acme-io` is the entry of the attacher beside every driver.
        let begins = finalizer.split(['/', '.']).next().unwrap_or_default();
        (!is_after(begins), !is_after(finalizer), !(works || is_after(workload)))
    };
    runs.sort_by_key(place);
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

impl ContainerRun<'_> {
    fn words(&self) -> String {
        let Self { pod, container, previous } = self;
        let namespace = pod.metadata.namespace.as_deref().unwrap_or_default();
        let log = if *previous { "previous log" } else { "log" };
        format!("{log} of pod {namespace}/{}, container {container}", pod.name())
    }

    /// What was read of its log.
    fn span(&self, log: &Log, asked: Timestamp) -> String {
        let about = |line: &&LogLine| matches!(line.bearing, Bearing::Names | Bearing::TroubleWithIt);
        let records = match log.lines.iter().filter(about).count() {
            0 => "nothing about it".to_owned(),
            1 => "1 record about it".to_owned(),
            count => format!("{count} records about it"),
        };
        let time = match (log.begins, log.ends) {
            (Some(begins), Some(ends)) => format!(", {} to {}", clock(begins), clock(ends)),
            _ => String::new(),
        };
        let late = log.begins.is_some_and(|begins| begins > asked && !self.previous);
        let late = if late { "; it begins after the deletion" } else { "" };
        format!("read the {}{time}: {records}{late}", self.words())
    }
}

impl RunLine<'_> {
    fn text(&self, facts: &Facts<'_>) -> String {
        let age = self.line.at.map(|at| format!(", {}s ago", since(at, facts.now()).as_secs())).unwrap_or_default();
        format!("{}{age}: {}", self.run.words(), self.line.text)
    }

    /// Whether the line is a statement about the object since `asked`, or says that nothing can be created in its
    /// namespace.
    fn tells(&self, about: &Topic, asked: Timestamp) -> bool {
        let message = self.line.message();
        let namespace = about.namespace.as_deref().unwrap_or_default();
        let refused = format!("{CANNOT_CREATE} {namespace} because");
        let is_new = self.line.at.is_some_and(|at| at >= asked);
        is_new
            && match self.line.bearing {
                Bearing::TroubleWithIt => true,
                // A write that lost a race names the object, too.
                Bearing::Names => is_waiting(&message) || is_about_use(&message),
                Bearing::Trouble => !namespace.is_empty() && message.contains(&refused),
                Bearing::LastWords => false,
            }
    }

    fn statement<'s>(&self, of: Seen<'s>, facts: &Facts<'_>) -> Statement<'s> {
        let message = self.line.message().into_owned();
        let said = Statement::new(of, self.text(facts), message, Tone::Trouble);
        Statement { at: self.line.at, said_in: SaidIn::Log, ..said }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn time(text: &str) -> Timestamp {
        format!("2026-11-21T{text}Z").parse().unwrap()
    }

    fn tells(at: &str, bearing: Bearing, text: &str) -> bool {
        let pod: Object = serde_json::from_value(json!({"metadata": {"name": "p"}})).unwrap();
        let run = ContainerRun { pod: &pod, container: "manager", previous: false };
        let line = LogLine::new(Some(time(at)), bearing, text);
        let about = Topic { namespace: Some("shop".into()), ..Topic::default() };
        RunLine { run, line: &line }.tells(&about, time("11:00:00"))
    }

    #[test]
    fn log_lines_since_the_deletion_are_statements() {
        use Bearing::{LastWords, Names, Trouble, TroubleWithIt};
        let refused =
            "jobs.batch is forbidden: unable to create new content in namespace shop because it is being terminated";
        assert!(tells("11:01:00", TroubleWithIt, "failed"));
        assert!(!tells("10:59:00", TroubleWithIt, "failed"));
        assert!(tells("11:01:00", Names, "still in use by 2 snapshots") && !tells("11:01:00", Names, "reconciling"));
        assert!(tells("11:01:00", Trouble, refused) && !tells("11:01:00", Trouble, "b"));
        assert!(!tells("11:01:00", Trouble, &refused.replace("shop", "shop-2")));
        assert!(!tells("11:01:00", LastWords, "panic"));
    }

    #[test]
    fn ids_are_values_that_stand_nowhere_else() {
        let object: Object = serde_json::from_value(json!({
            "metadata": {"name": "orders", "uid": "8d3c1f0a-1111", "annotations": {"crossplane.io/external-name": "db-7f3a9c2e51"}},
            "spec": {"csi": {"volumeHandle": "vol-0a1b2c3d4e5f"}, "id": "short"},
            "status": {"resources": [{"arn": "arn:aws:rds:eu-1:42:db:orders"}], "message": "an id 1234567890123"},
        }))
        .unwrap();
        assert_eq!(ids(&object), ["arn:aws:rds:eu-1:42:db:orders", "db-7f3a9c2e51", "vol-0a1b2c3d4e5f"]);
    }

    #[test]
    fn the_container_of_the_finalizer_is_read_before_others() {
        let running = |name: &str| json!({"name": name, "state": {"running": {}}});
        let pod = json!({"metadata": {"name": "p"},
            "spec": {"containers": [{"name": "liveness", "image": "r/livenessprobe:v2"},
                {"name": "csi-attacher", "image": "r/csi-attacher:v4"}, {"name": "plugin", "image": "r/acme-csi:v1"}]},
            "status": {"containerStatuses": [running("liveness"), running("plugin"), running("csi-attacher")]}});
        let pod: Object = serde_json::from_value(pod).unwrap();
        let first = |finalizer: &str| runs_of(&pod, time("11:00:00"), finalizer, "acme-csi")[0].container;
        assert_eq!(first("external-attacher/csi-acme-io"), "csi-attacher");
        assert_eq!(first("hold.example/x"), "plugin");
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
        let first = |pod: &Object| -> Vec<(String, bool)> {
            let runs = runs_of(pod, time("11:00:00"), "acme.io/x", "w");
            runs.iter().map(|run| (run.container.to_owned(), run.previous)).collect()
        };
        assert_eq!(first(&pod), [("failing".into(), true), ("steady".into(), false)]);
        let alone = |place: usize| -> Object {
            let status = pod.array("/status/containerStatuses")[place].clone();
            serde_json::from_value(json!({"metadata": {"name": "p"}, "status": {"containerStatuses": [status]}}))
                .unwrap()
        };
        assert_eq!(first(&alone(1)), [("restarted-long-ago".into(), false)]);
        assert_eq!(first(&alone(2)), [("restarted".into(), false), ("restarted".into(), true)]);
        assert_eq!(first(&alone(3)), []);
        assert_eq!(first(&alone(4)), [("ended".into(), false)]);
    }
}
