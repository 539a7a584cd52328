//! Reads logs of containers, and asks kubelets.

use crate::read::list::WHOLE;
use crate::survey::{Bearing, Fact, Log, LogOf, Reason, Unread, Want, covered, encode, log_of, pick, running};
use crate::transport::http::Api;
use crate::transport::refusal::Refusal;
use jiff::SignedDuration;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How many bytes are read from the deletion on: a controller that has given up says why there alone.
const FIRST_BYTES: usize = 256 << 10;
/// How long before the deletion it is read from: what was said before, too, is no consequence.
const BEFORE: SignedDuration = SignedDuration::from_mins(1);
/// How many of a log's last lines are read.
const LAST_LINES: u32 = 500;
/// How many bytes these may have.
const LAST_BYTES: usize = 1 << 20;
/// How many lines are read if these have more. Container runtimes break lines into pieces of 16 KiB, so this many
/// always fit.
const LONG_LINES: u32 = 50;
/// How many of the last lines are read if fewer say nothing about the object.
const MORE_LINES: u32 = 5000;
/// How many bytes these may have.
const MORE_BYTES: usize = 4 << 20;
/// How long a controller waits at most before it tries again (kubernetes/client-go:
/// `util/workqueue/default_rate_limiters.go`).
const LONGEST_BACK_OFF: SignedDuration = SignedDuration::from_secs(1000);
/// How long one read may take.
const TIME: Duration = Duration::from_secs(2);

/// Reads a container's log at both ends: from the deletion on, and the last lines. The kubelet counts the bytes from
/// the oldest wanted line on (kubernetes/kubernetes: `staging/src/k8s.io/cri-client/pkg/logs/logs.go`).
///
/// # Errors
/// When the end of the log cannot be read.
pub(super) async fn of_container(api: &Api, want: &Want, of: &LogOf) -> Result<Fact, Refusal> {
    let (first, last) = tokio::join!(begin(api, want, of), tail(api, want, of));
    let (first, last) = (first.unwrap_or_default(), last?);
    let log = log_of(&first, &last, of);
    let tells = log.lines.iter().any(|line| matches!(line.bearing, Bearing::TroubleWithIt | Bearing::LastWords));
    let is_short = covered(&last).is_some_and(|covered| covered < LONGEST_BACK_OFF);
    if tells || !is_short || last.lines().count() < LAST_LINES as usize {
        return Ok(Fact::Logged(log));
    }
    match part(api, want, of, &format!("tailLines={MORE_LINES}"), MORE_BYTES).await {
        Ok(more) => Ok(Fact::Logged(log_of(&first, &more, of))),
        Err(_) => Ok(Fact::Logged(log)),
    }
}

/// The log from the deletion on.
async fn begin(api: &Api, want: &Want, of: &LogOf) -> Result<String, Refusal> {
    let Some(since) = of.about.since.filter(|_| !of.previous) else { return Ok(String::new()) };
    let since = since.checked_sub(BEFORE).unwrap_or(since);
    part(api, want, of, &format!("sinceTime={}", encode(&since.to_string())), FIRST_BYTES).await
}

/// The end of the log. If the limit cuts off the latest lines, fewer are requested.
async fn tail(api: &Api, want: &Want, of: &LogOf) -> Result<String, Refusal> {
    let last = part(api, want, of, &format!("tailLines={LAST_LINES}"), LAST_BYTES).await?;
    if last.len() < LAST_BYTES {
        return Ok(last);
    }
    part(api, want, of, &format!("tailLines={LONG_LINES}"), LAST_BYTES).await
}

/// A part of a log. What has come in time counts: a kubelet may never end its answer.
async fn part(api: &Api, want: &Want, of: &LogOf, which: &str, most: usize) -> Result<String, Refusal> {
    let (pod, container) = (want.path(), encode(&of.container));
    let previous = if of.previous { "&previous=true" } else { "" };
    let path = format!("{pod}/log?container={container}&{which}&limitBytes={most}&timestamps=true{previous}");
    let end = Instant::now() + TIME;
    let opened = timeout_at(end, Box::pin(api.open(&path, "application/json, */*"))).await;
    let mut stream = opened.map_err(|_| Refusal::late(TIME))??;
    let (mut read, mut reserved) = (Vec::new(), api.budget.enter());
    while read.len() < most {
        let left = end.saturating_duration_since(Instant::now());
        match stream.piece(left).await {
            Ok(Some(piece)) => {
                reserved.add(2 * piece.len()).map_err(|why| Refusal::garbled(&why))?;
                read.extend_from_slice(&piece);
            }
            Ok(None) => break,
            Err(_) if !read.is_empty() => break,
            Err(refusal) => return Err(refusal),
        }
    }
    read.truncate(most);
    Ok(String::from_utf8_lossy(&read).into_owned())
}

/// Asks a kubelet through its node. A kubelet that does not serve its log lists its files instead
/// (kubernetes/kubernetes: `pkg/kubelet/server/server.go`,
/// `pkg/kubelet/kubelet_server_journal.go`).
///
/// # Errors
/// When the kubelet does not answer, or not as one does.
pub(super) async fn of_kubelet(api: &Api, want: &Want, of: &LogOf) -> Result<Fact, Refusal> {
    let node = want.path();
    let logged = |lines| Fact::Logged(Log { lines, ..Log::default() });
    if of.container == LogOf::RUNNING {
        let answer = api.get(&format!("{node}/proxy/runningpods/"), WHOLE).await?;
        let text = String::from_utf8_lossy(&answer.body);
        return running(&text, of).map(logged).map_err(|error| Refusal::garbled(&error.to_string()));
    }
    let pattern = encode(&of.about.uid);
    let query = format!("query=kubelet&pattern={pattern}&tailLines={LAST_LINES}");
    let answer = api.get(&format!("{node}/proxy/logs/?{query}"), "text/plain, */*").await?;
    let text = String::from_utf8_lossy(&answer.body);
    let is_listing = text.trim_start().starts_with('<');
    Ok(if is_listing { Fact::Missing } else { logged(pick(&text, of)) })
}

/// The fact if there is no log. The kubelet answers with status 400 that the container has not run
/// (again) (kubernetes/kubernetes: `pkg/kubelet/kubelet_pods.go`). The API server answers that the
/// pod has no such container. A 404 with a name other than the pod's is about its node.
pub(super) fn none(want: &Want, refusal: &Refusal) -> Fact {
    const NEVER_WRITTEN: [&str; 5] = [
        "previous terminated container", "is waiting to start", "is terminated", "is not available",
        "is not valid for pod",
    ];
    let pod = want.name.as_deref().unwrap_or_default();
    let unread = refusal.unread();
    let never = unread.reason == Reason::Rejected && NEVER_WRITTEN.iter().any(|text| refusal.message.contains(text));
    if never || (refusal.is_not_found() && refusal.names(pod)) {
        Fact::Missing
    } else if refusal.is_not_found() {
        Fact::Unread(Unread { reason: Reason::Unreachable, message: "the pod's node does not exist".into() })
    } else {
        Fact::Unread(unread)
    }
}
