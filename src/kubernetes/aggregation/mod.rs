//! Facts about aggregated APIs: who registered one, the messages about it, how many namespaces wait
//! for it, and whether it is available again.

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::past_obstacle::PastObstacle;
use crate::kubernetes::services::ServiceName;
use crate::report::Ref;
use crate::survey::{Condition, Form, Object, ResourceId, Seen};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The `APIService`s with a Service: a server behind the API server answers for them.
pub(crate) fn aggregated<'s>(facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let Some(resource) = facts.preferred("apiregistration.k8s.io", "apiservices") else {
        return Ok(Vec::new());
    };
    let all = facts.list(&resource.id, None, Form::Whole)?;
    let served = |api: &Object| api.at("/spec/service").is_some_and(|service| !service.is_null());
    let places = facts.once("aggregated APIs", || Ok(places(all.iter().map(served))))?;
    Ok(places.iter().map(|place| Seen { resource, object: &all[*place] }).collect())
}

/// The indices of the items that are true.
fn places(of: impl Iterator<Item = bool>) -> Vec<usize> {
    of.enumerate().filter_map(|(place, is_true)| is_true.then_some(place)).collect()
}

/// The aggregated APIs whose Service is deleted; `goes` says by namespace and name whether a
/// Service is.
pub(crate) fn served_from<'s>(goes: impl Fn(&str, &str) -> bool, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let all = aggregated(facts)?.into_iter();
    let served = |api: &Seen<'_>| {
        let service = service(api.object);
        goes(service.namespace, service.name)
    };
    Ok(all.filter(served).collect())
}

/// The `group/version` as discovery names it.
pub(crate) fn group_version(api: &Object) -> String {
    let part = |pointer| api.text(pointer).unwrap_or_default();
    format!("{}/{}", part("/spec/group"), part("/spec/version"))
}

/// Whether the API is available, so that the API server forwards requests to it.
pub(crate) fn is_available(api: &Object) -> bool {
    api.condition("Available").map(Condition::status) == Some("True")
}

/// The Service that an `APIService` names.
pub(crate) fn service(api: &Object) -> ServiceName<'_> {
    ServiceName::read(api.at("/spec/service").unwrap_or(&Value::Null), &api.metadata)
}

/// The creator of an `APIService`.
pub(crate) struct Registrar {
    /// Its description.
    pub(crate) text: String,
    /// Whether the installer still exists and would register the API again.
    pub(crate) is_there: bool,
}

/// The creator of an `APIService`. OLM and Helm leave marks; other creators leave only their name,
/// as the manager of its fields.
pub(crate) fn registrar(api: Seen<'_>, facts: &Facts<'_>) -> Known<Option<Registrar>> {
    let metadata = &api.object.metadata;
    let label = |key: &str| metadata.labels.get(key).map(String::as_str);
    let annotation = |key: &str| metadata.annotations.get(key).map(String::as_str);
    let plain = |text: String| Ok(Some(Registrar { text, is_there: false }));
    if let (Some(owner), Some(namespace)) = (label("olm.owner"), label("olm.owner.namespace")) {
        return by_olm(owner, namespace, facts).map(Some);
    }
    if let Some(release) = annotation("meta.helm.sh/release-name") {
        let namespace = annotation("meta.helm.sh/release-namespace").unwrap_or("default");
        return plain(format!("registered by Helm release {release} in namespace {namespace}"));
    }
    if let Some(tool) = label("app.kubernetes.io/managed-by") {
        return plain(format!("registered by {tool}"));
    }
    let whole = facts.whole(api).if_readable()?.flatten();
    let of_spec = whole.and_then(Object::spec_written_by);
    Ok(of_spec.map(|manager| Registrar { text: format!("registered by {}", manager.name), is_there: false }))
}

fn by_olm(owner: &str, namespace: &str, facts: &Facts<'_>) -> Known<Registrar> {
    let text = format!("registered by OLM for ClusterServiceVersion {namespace}/{owner}");
    let Some(versions) = facts.preferred("operators.coreos.com", "clusterserviceversions") else {
        return Ok(Registrar { text: format!("{text}; OLM is no longer installed"), is_there: false });
    };
    Ok(match facts.get(&versions.id, Some(namespace), owner, Form::Metadata).if_readable()? {
        Some(None) => Registrar { text: format!("{text}, which no longer exists"), is_there: false },
        _ => Registrar { text, is_there: true },
    })
}

/// How many namespaces are being deleted; `None` if they cannot be read.
pub(crate) fn terminating(facts: &Facts<'_>) -> Known<Option<usize>> {
    let all = facts.list(&ResourceId::new("", "v1", "namespaces"), None, Form::Metadata).if_readable()?;
    let Some(all) = all else { return Ok(None) };
    let count = || all.iter().filter(|namespace| namespace.is_deleting()).count();
    facts.once("terminating namespaces", || Ok(count())).map(|count| Some(*count))
}

/// The `group/version`s of the aggregated APIs that are available; none if the `APIService`s cannot
/// be read.
pub(crate) fn available_groups(facts: &Facts<'_>) -> Known<BTreeSet<String>> {
    let apis = aggregated(facts).if_readable()?.unwrap_or_default();
    Ok(apis.into_iter().filter(|api| is_available(api.object)).map(|api| group_version(api.object)).collect())
}

/// The aggregated API that last became available again, if that was after `asked`; `None` also if
/// the `APIService`s cannot be read.
pub(crate) fn back_since(asked: Timestamp, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let apis = aggregated(facts).if_readable()?.unwrap_or_default();
    let back = apis.into_iter().filter_map(back).filter(|mended| mended.until > asked);
    Ok(back.max_by_key(|mended| mended.until))
}

/// Errors of clients about an API that does not answer (kubernetes/kubernetes:
/// `staging/src/k8s.io/client-go/discovery/discovery_client.go`,
/// `staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go`).
const UNANSWERED: [&str; 3] =
    ["list of server APIs: ", "stale GroupVersion discovery", "currently unable to handle the request"];

/// The unavailable APIs that a message names; none if the `APIService`s cannot be read.
pub(crate) fn named_in<'s>(message: &str, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    Ok(told_of(message, facts)?.into_iter().filter(|api| !is_available(api.object)).collect())
}

/// The obstacle that a controller met when it got `message` at that time, if that is over: every
/// API that the message names has become available since.
pub(crate) fn overtaken(message: &str, at: Option<Timestamp>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let apis = told_of(message, facts)?;
    let back: Option<Vec<PastObstacle>> = apis.into_iter().map(back).collect();
    let last = back.unwrap_or_default().into_iter().max_by_key(|mended| mended.until);
    Ok(last.filter(|mended| at.is_some_and(|at| mended.until > at)))
}

fn told_of<'s>(message: &str, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    if !UNANSWERED.iter().any(|words| message.contains(words)) {
        return Ok(Vec::new());
    }
    let apis = aggregated(facts).if_readable()?.unwrap_or_default();
    let words: Vec<&str> = message.split(|c: char| c.is_whitespace() || ",:;()[]\"".contains(c)).collect();
    let is_named = |api: &Seen<'_>| {
        let (group_version, group) = (group_version(api.object), api.object.text("/spec/group").unwrap_or_default());
        let of_group = |word: &str| word.strip_suffix(group).is_some_and(|kind| kind.ends_with('.'));
        words.iter().any(|word| *word == group_version || of_group(word))
    };
    Ok(apis.into_iter().filter(is_named).collect())
}

/// An API that is available again, and the time since which it has been.
fn back(api: Seen<'_>) -> Option<PastObstacle> {
    let until = api.object.condition("Available").filter(|it| it.status() == "True")?.since()?;
    Some(PastObstacle { was: format!("{} was unavailable", Ref::from(api)), until })
}

/// How many aggregated APIs there are.
pub(crate) fn count(facts: &Facts<'_>) -> Known<usize> {
    aggregated(facts).map(|apis| apis.len())
}

/// The `group/version`s whose `APIService` is unavailable; none if the `APIService`s cannot be
/// read.
pub(crate) fn unavailable_groups(facts: &Facts<'_>) -> Known<BTreeSet<String>> {
    let apis = unavailable(facts).if_readable()?.unwrap_or_default();
    Ok(apis.into_values().flatten().map(|api| group_version(api.object)).collect())
}

/// `APIService`s by the namespace, name and port of the Service behind them.
pub(crate) type ByBackend<'s> = BTreeMap<(&'s str, &'s str, i64), Vec<Seen<'s>>>;

/// Unavailable `APIService`s by the Service and port behind them: APIs that one repair fixes are
/// one finding.
pub(crate) fn unavailable<'s>(facts: &Facts<'s>) -> Known<ByBackend<'s>> {
    let apis = aggregated(facts)?;
    let broken = facts.once("unavailable APIs", || Ok(places(apis.iter().map(|seen| !is_available(seen.object)))))?;
    let mut by_backend = ByBackend::new();
    for seen in broken.iter().map(|place| apis[*place]) {
        let service = service(seen.object);
        by_backend.entry((service.namespace, service.name, service.port)).or_default().push(seen);
    }
    Ok(by_backend)
}
