//! Fetches wants into a survey: concurrently, bounded, in one pass.

use super::discover::discover;
use super::http::{Answer, Api, METADATA};
use super::in_flight::bounded;
use super::probe;
use super::refusal::Refusal;
use crate::survey::{Fact, Form, LogOf, Object, Reason, ResourceId, Survey, Unread, Want, encode, pick, running};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const WHOLE: &str = "application/json";

/// Where lists are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// The server's watch cache, as it is: for a diagnosis.
    Cached,
    /// Consistent: before "done" or "empty" is said.
    Consistent,
}

/// Starts a survey: time, version, discovery, and the `first` wants, which need
/// no discovery, all in one round trip.
///
/// # Errors
/// When the server cannot be reached or is no Kubernetes API server.
pub async fn begin(api: &Api, first: BTreeSet<Want>, freshness: Freshness) -> Result<Survey, Refusal> {
    let facts = fetch(api, first, freshness, &|| {});
    let (version, discovery, facts) = tokio::join!(api.get("/version", WHOLE), discover(api), facts);
    let (version, discovery) = (version?, discovery?);
    let mut survey = Survey::new(version.date.unwrap_or_else(local_time), discovery);
    survey.server = server_version(&version);
    for (want, fact) in facts {
        survey.record(want, fact);
    }
    Ok(survey)
}

/// For servers that send no `Date`.
#[expect(clippy::disallowed_methods, reason = "the clock of a survey whose server has none")]
pub(super) fn local_time() -> Timestamp {
    Timestamp::now()
}

fn server_version(answer: &Answer) -> Option<String> {
    let version: serde_json::Value = serde_json::from_slice(&answer.body).ok()?;
    Some(version.get("gitVersion")?.as_str()?.to_owned())
}

/// Fetches `wants` and adds what they gave; `tick` is called after each.
pub async fn gather(
    api: &Api,
    wants: BTreeSet<Want>,
    survey: &mut Survey,
    freshness: Freshness,
    tick: &(dyn Fn() + Sync),
) {
    let aggregated = aggregated(survey);
    let (probes, reads) = wants.into_iter().partition(|want| aggregated.contains(&want.resource.api_version()));
    let silent = silent(survey, &aggregated);
    // What hangs takes no seat from the rest.
    let facts = tokio::join!(fetch(api, reads, freshness, tick), probe(api, probes, freshness, silent, tick));
    for (want, fact) in facts.0.into_iter().chain(facts.1) {
        survey.record(want, fact);
    }
}

async fn fetch(api: &Api, wants: BTreeSet<Want>, freshness: Freshness, tick: &(dyn Fn() + Sync)) -> Vec<(Want, Fact)> {
    let reads = wants.into_iter().map(|want| {
        let api = api.clone();
        async move {
            let fact = read(&api, &want, freshness).await;
            (want, fact)
        }
    });
    bounded(api.in_flight(), reads, tick).await
}

/// Reads of aggregated APIs: each of these APIs may cost its own time-out once,
/// and is not asked again after that.
async fn probe(
    api: &Api,
    wants: BTreeSet<Want>,
    freshness: Freshness,
    silent: BTreeSet<String>,
    tick: &(dyn Fn() + Sync),
) -> Vec<(Want, Fact)> {
    let silent = Arc::new(Mutex::new(silent));
    let reads = wants.into_iter().map(|want| {
        let (api, silent) = (api.probing(), Arc::clone(&silent));
        async move {
            let group_version = want.resource.api_version();
            let is_silent = silent.lock().unwrap_or_else(PoisonError::into_inner).contains(&group_version);
            let fact = if is_silent { not_asked() } else { read(&api, &want, freshness).await };
            if matches!(&fact, Fact::Unread(unread) if unread.reason == Reason::TimedOut) {
                silent.lock().unwrap_or_else(PoisonError::into_inner).insert(group_version);
            }
            (want, fact)
        }
    });
    bounded(api.in_flight(), reads, tick).await
}

fn not_asked() -> Fact {
    let message = "not asked: another request to the same API had no answer".into();
    Fact::Unread(Unread { reason: Reason::TimedOut, message })
}

/// The `group/version`s that a server behind the API server answers for.
fn aggregated(survey: &Survey) -> BTreeSet<String> {
    let Some(Fact::Listed(apis)) = survey.fact(&api_services()) else { return BTreeSet::new() };
    let served = apis.iter().filter(|api| api.at("/spec/service").is_some_and(|service| !service.is_null()));
    let part = |api: &Object, field: &str| api.text(&format!("/spec/{field}")).unwrap_or_default().to_owned();
    served.map(|api| format!("{}/{}", part(api, "group"), part(api, "version"))).collect()
}

/// Those of which a request had no answer already.
fn silent(survey: &Survey, aggregated: &BTreeSet<String>) -> BTreeSet<String> {
    if aggregated.is_empty() {
        return BTreeSet::new();
    }
    let timed_out = |fact: &Fact| matches!(fact, Fact::Unread(unread) if unread.reason == Reason::TimedOut);
    let silent = survey.facts().filter(|(_, fact)| timed_out(fact)).map(|(want, _)| want.resource.api_version());
    silent.filter(|group_version| aggregated.contains(group_version)).collect()
}

/// The list that says which APIs are aggregated.
#[must_use]
pub fn api_services() -> Want {
    Want::list(&ResourceId::new("apiregistration.k8s.io", "v1", "apiservices"), None, Form::Whole)
}

async fn read(api: &Api, want: &Want, freshness: Freshness) -> Fact {
    if let Some(of) = want.log.as_ref().filter(|_| want.resource.plural == "nodes") {
        return ask_kubelet(api, want, of).await.unwrap_or_else(|refusal| {
            if refusal.is_not_found() { Fact::Missing } else { Fact::Unread(refusal.unread()) }
        });
    }
    if let Some(of) = &want.log {
        return log(api, want, of).await.unwrap_or_else(|refusal| no_log(want, &refusal));
    }
    if let Some(of) = &want.probe {
        return probe::ask(api, want, of).await;
    }
    let result = if want.name.is_some() { get(api, want).await } else { list(api, want, freshness).await };
    result.unwrap_or_else(|refusal| {
        if want.name.is_some() && refusal.is_not_found() { Fact::Missing } else { Fact::Unread(refusal.unread()) }
    })
}

async fn get(api: &Api, want: &Want) -> Result<Fact, Refusal> {
    let accept = if want.form == Form::Whole { WHOLE } else { METADATA };
    let answer = api.get(&want.path(), accept).await?;
    let object = serde_json::from_slice(&answer.body)
        .and_then(Object::single)
        .map_err(|error| Refusal::garbled(&error.to_string()))?;
    Ok(Fact::Found(Box::new(object)))
}

/// So many of a log's last lines are read.
const LOG_LINES: u32 = 500;
/// So many of them at least, however long they are: container runtimes break
/// lines into pieces of 16 KiB, so that these always fit.
const LONG_LOG_LINES: u32 = 50;
/// So many bytes of a log are read.
const LOG_BYTES: usize = 1 << 20;

/// The kubelet counts the bytes from the first of the last lines on, so that too
/// many bytes cut off the very latest (kubernetes/kubernetes:
/// `staging/src/k8s.io/cri-client/pkg/logs/logs.go`): then fewer lines are read.
async fn log(api: &Api, want: &Want, of: &LogOf) -> Result<Fact, Refusal> {
    let mut answer = log_tail(api, want, of, LOG_LINES).await?;
    if answer.body.len() >= LOG_BYTES {
        answer = log_tail(api, want, of, LONG_LOG_LINES).await?;
    }
    let text = String::from_utf8_lossy(&answer.body);
    Ok(Fact::Logged(pick(&text, of)))
}

async fn log_tail(api: &Api, want: &Want, of: &LogOf, lines: u32) -> Result<Answer, Refusal> {
    let (pod, container) = (want.path(), encode(&of.container));
    let previous = if of.previous { "&previous=true" } else { "" };
    let bounds = format!("tailLines={lines}&limitBytes={LOG_BYTES}&timestamps=true");
    api.get(&format!("{pod}/log?container={container}&{bounds}{previous}"), "application/json, */*").await
}

/// What a kubelet says when it is asked through its node. One that may not be asked
/// for its log lists its files instead (kubernetes/kubernetes:
/// `pkg/kubelet/server/server.go`, `pkg/kubelet/kubelet_server_journal.go`).
async fn ask_kubelet(api: &Api, want: &Want, of: &LogOf) -> Result<Fact, Refusal> {
    let node = want.path();
    if of.container == LogOf::RUNNING {
        let answer = api.get(&format!("{node}/proxy/runningpods/"), WHOLE).await?;
        let text = String::from_utf8_lossy(&answer.body);
        return running(&text, of).map(Fact::Logged).map_err(|error| Refusal::garbled(&error.to_string()));
    }
    let pattern = encode(&of.about.uid);
    let query = format!("query=kubelet&pattern={pattern}&tailLines={LOG_LINES}");
    let answer = api.get(&format!("{node}/proxy/logs/?{query}"), "text/plain, */*").await?;
    let text = String::from_utf8_lossy(&answer.body);
    let is_listing = text.trim_start().starts_with('<');
    Ok(if is_listing { Fact::Missing } else { Fact::Logged(pick(&text, of)) })
}

/// Why there is no log. That its container has not run (again) is said by the
/// kubelet, with status 400 (kubernetes/kubernetes: `pkg/kubelet/kubelet_pods.go`);
/// that the pod has no such container by the API server. A 404 about another name
/// than the pod's is about its node.
fn no_log(want: &Want, refusal: &Refusal) -> Fact {
    const NEVER_WRITTEN: [&str; 5] = [
        "previous terminated container",
        "is waiting to start",
        "is terminated",
        "is not available",
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

#[derive(Deserialize)]
struct List<T> {
    metadata: ListMetadata,
    /// An empty list comes as `null`.
    items: Option<Vec<T>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListMetadata {
    /// From where on a watch goes on.
    resource_version: Option<String>,
    #[serde(rename = "continue")]
    more: Option<String>,
}

/// Metadata alone, without buffering the rest of the object.
#[derive(Deserialize)]
struct OnlyMetadata {
    metadata: crate::survey::Metadata,
}

impl From<OnlyMetadata> for Object {
    fn from(item: OnlyMetadata) -> Self {
        Self { metadata: item.metadata, ..Self::default() }
    }
}

async fn list(api: &Api, want: &Want, freshness: Freshness) -> Result<Fact, Refusal> {
    let freshness = if want.form == Form::Stored { Freshness::Consistent } else { freshness };
    if want.form == Form::Cached {
        return pages(api, want, "resourceVersion=0", "").await.map(|(objects, _)| Fact::Listed(objects));
    }
    let first = match freshness {
        Freshness::Cached => "resourceVersion=0",
        Freshness::Consistent => "limit=500",
    };
    let listed = match pages(api, want, first, "").await {
        // "storage is (re)initializing": with a limit the request goes past the
        // cache to the store and shows the real error (kubernetes/kubernetes:
        // staging/src/k8s.io/apiserver/pkg/storage/cacher/delegator.go).
        Err(refusal) if refusal.is_busy() && freshness == Freshness::Cached => pages(api, want, "limit=500", "").await,
        other => other,
    };
    listed.map(|(objects, _)| Fact::Listed(objects))
}

/// What a list holds of the objects that a label selector matches, from the store.
///
/// # Errors
/// When it cannot be read, or the selector is none.
pub async fn listed(api: &Api, want: &Want, selector: Option<&str>) -> Result<Vec<Object>, Unread> {
    let filter = selector.map(|selector| format!("&labelSelector={}", encode(selector))).unwrap_or_default();
    pages(api, want, "limit=500", &filter).await.map(|(objects, _)| objects).map_err(|refusal| refusal.unread())
}

/// A whole list, and the version of the store that it shows. `filter` is a selector
/// to add to the query of each page.
pub(super) async fn pages(api: &Api, want: &Want, first: &str, filter: &str) -> Result<(Vec<Object>, String), Refusal> {
    let accept = if want.form == Form::Whole { WHOLE } else { METADATA_LIST };
    let mut query = first.to_owned();
    let mut objects = Vec::new();
    loop {
        let answer = api.get(&format!("{}?{query}{filter}", want.path()), accept).await?;
        let (page, metadata) = match want.form {
            Form::Whole => page::<Object>(&answer)?,
            Form::Metadata | Form::Owned | Form::Stored | Form::Cached => page::<OnlyMetadata>(&answer)?,
        };
        let all = want.form != Form::Owned;
        objects.extend(page.into_iter().filter(|object| all || !object.metadata.owner_references.is_empty()));
        match metadata.more.filter(|token| !token.is_empty()) {
            Some(token) => query = format!("limit=500&continue={}", encode(&token)),
            None => return Ok((objects, metadata.resource_version.unwrap_or_default())),
        }
    }
}

fn page<T: serde::de::DeserializeOwned + Into<Object>>(
    answer: &Answer,
) -> Result<(Vec<Object>, ListMetadata), Refusal> {
    let list: List<T> =
        serde_json::from_slice(&answer.body).map_err(|error| Refusal::garbled(&format!("no list: {error}")))?;
    Ok((list.items.unwrap_or_default().into_iter().map(Into::into).collect(), list.metadata))
}
