//! An aggregated API that is reported as available and still fails: its LIST is refused, answers with an
//! error or does not answer, or its DELETE leaves objects behind that it reported as deleted. The namespace
//! controller meets the same failure.

use crate::facts::{All, Facts, Gap, Known, Readable, SETTLE, Sweep, Target, flat_each, is_late};
use crate::findings::aggregation::{request, with_background};
use crate::findings::overload;
use crate::findings::services::repairs;
use crate::kubernetes::aggregation::Registrar;
use crate::kubernetes::past_obstacle::NAMESPACE_CONTROLLER;
use crate::kubernetes::services::{Backend, ServiceName, Verdict};
use crate::kubernetes::{aggregation, services};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{alone, in_namespace, one, quote};
use crate::report::{Cause, Link, LinkState, Ref, Remedy, Sentence};
use crate::survey::{Condition, Form, Object, Reason, Resource, ResourceId, Seen, Unread};
use indexmap::IndexMap;
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule::new(
    "aggregated-api-fails",
    include_str!("aggregated_api_fails.md"),
    &[Explains::Listed(diagnose), Explains::Serving(findings)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(()) };
    if !is_late(target.object(), facts, SETTLE) {
        return Ok(());
    }
    let apis = aggregation::aggregated(facts)?;
    if apis.is_empty() {
        return Ok(());
    }
    let content = facts.sweep(namespace)?;
    let failures = by_api(&apis, in_namespace_of(target.object(), &content, facts)?);
    found.add_all(drafts(&failures, facts)?);
    Ok(())
}

/// The available APIs that fail to list the namespaces that are being emptied or, if there are none,
/// `default`.
///
/// # Errors
/// When something was not surveyed yet, or the `APIService`s cannot be read.
fn findings(namespaces: &[&Object], facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let apis = aggregation::aggregated(facts)?;
    let probed: Vec<&str> = match namespaces {
        [] => vec!["default"],
        some => some.iter().take(MAX_PROBED).map(|namespace| namespace.name()).collect(),
    };
    let kinds = facts.discovery().listable_namespaced().filter(|resource| resource.can("delete"));
    let kinds = kinds.filter(|resource| apis.iter().any(|api| is_behind(*api, resource)));
    let lists = kinds.flat_map(|resource| probed.iter().map(move |namespace| (resource, *namespace)));
    let failures = flat_each(lists, |(resource, namespace)| {
        let unread = facts.list(&resource.id, Some(namespace), Form::Metadata).surveyed()?.err();
        let Some(Gap { what, why }) = unread.filter(|gap| gap.why.reason != Reason::NotServed) else {
            return Ok(None);
        };
        facts.note_unread(what, &why);
        Ok(is_its_own(&why).then(|| FailedRequest::list(resource, namespace, &why)))
    })?;
    drafts(&by_api(&apis, failures), facts)
}

/// How many namespaces are listed to see whether an API answers.
const MAX_PROBED: usize = 3;

/// Whether a kind is served by this API, which is reported as available.
fn is_behind(api: Seen<'_>, resource: &Resource) -> bool {
    aggregation::is_available(api.object) && aggregation::group_version(api.object) == resource.id.api_version()
}

/// Whether the server behind the API fails, and not the permissions of the user.
fn is_its_own(why: &Unread) -> bool {
    matches!(why.reason, Reason::ServerError | Reason::Garbled | Reason::TimedOut | Reason::Refused)
}

/// An API with its failed requests.
type FailingApi<'s> = (Seen<'s>, Vec<FailedRequest<'s>>);

/// A failed request.
struct FailedRequest<'s> {
    resource: &'s Resource,
    verb: &'static str,
    namespace: String,
    says: Sentence,
    silent: bool,
    /// Whether it was not sent, because another one to the same API got no answer.
    skipped: bool,
    /// Whether there is no other explanation.
    proven: bool,
    left: Vec<Ref>,
}

impl<'s> FailedRequest<'s> {
    fn list(resource: &'s Resource, namespace: &str, why: &Unread) -> Self {
        let silent = why.reason == Reason::TimedOut;
        let (says, skipped) = (why.into(), why.message.contains("not asked"));
        // A list that is too slow for this program need not be too slow for the controller, which waits longer.
        Self {
            resource,
            verb: "LIST",
            namespace: namespace.into(),
            says,
            silent,
            skipped,
            proven: !silent,
            left: Vec::new(),
        }
    }
}

/// The failed requests in a namespace that is being emptied.
fn in_namespace_of<'s>(namespace: &Object, content: &Sweep<'s>, facts: &Facts<'s>) -> Known<Vec<FailedRequest<'s>>> {
    // If the API server itself is overloaded, a timeout says nothing about the server behind it.
    let overloaded = !overload::kinds(content, facts)?.is_empty();
    let explained = |why: &Unread| overloaded && why.reason == Reason::TimedOut;
    let unlistable = content.unread.iter().filter(|(_, why)| is_its_own(why) && !explained(why));
    let mut failures: Vec<FailedRequest<'s>> =
        unlistable.map(|(resource, why)| FailedRequest::list(resource, namespace.name(), why)).collect();
    let condition = namespace.condition("NamespaceDeletionContentFailure");
    let Some(condition) = condition.filter(|condition| condition.status() == "True") else { return Ok(failures) };
    let asked = namespace.deletion_asked().unwrap_or_default();
    let back = aggregation::back_since(asked, facts)?;
    let is_back = back.is_some_and(|back| back.is_fresh(asked, NAMESPACE_CONTROLLER, facts));
    // While a pod remains, the controller has not tried the rest.
    if content.may_have_pods() {
        return Ok(failures);
    }
    let mut left: BTreeMap<&ResourceId, Vec<Seen<'s>>> = BTreeMap::new();
    for seen in content.rest().filter(|seen| !seen.object.is_deleting()) {
        left.entry(&seen.resource.id).or_default().push(seen);
    }
    let undeleted = left.into_values().filter_map(|left| undeleted(namespace.name(), &left, condition));
    // An API that came back a moment ago may not have been called since.
    failures.extend(undeleted.filter(|failure| failure.proven || !is_back));
    Ok(failures)
}

/// Objects without a deletionTimestamp after the controller has deleted them: `unexpected items still
/// remain in namespace: NS for gvr: GROUP/VERSION, Resource=PLURAL` says that their deletion was not
/// refused.
fn undeleted<'s>(namespace: &str, left: &[Seen<'s>], condition: Condition<'_>) -> Option<FailedRequest<'s>> {
    let resource = left.first()?.resource;
    let message = condition.message();
    let kind = format!("{}, Resource={}", resource.id.api_version(), resource.id.plural);
    let ghost = message.contains("unexpected items still remain") && message.contains(&kind);
    let says = if ghost {
        "the server says that it has deleted them, but they still exist".into()
    } else {
        Sentence::from("the namespace controller reports: ").reported(message)
    };
    let left = left.iter().map(|seen| (*seen).into()).collect();
    Some(FailedRequest {
        resource,
        verb: "DELETE",
        namespace: namespace.into(),
        says,
        silent: false,
        skipped: false,
        proven: ghost || message.contains(&resource.id.plural),
        left,
    })
}

/// The failures of each available API. Failures of kinds that no such API serves have another cause.
fn by_api<'s>(apis: &[Seen<'s>], failures: Vec<FailedRequest<'s>>) -> Vec<FailingApi<'s>> {
    let mut grouped: IndexMap<&str, FailingApi<'s>> = IndexMap::new();
    for failure in failures {
        if let Some(api) = apis.iter().find(|api| is_behind(**api, failure.resource)) {
            grouped.entry(api.object.uid()).or_insert((*api, Vec::new())).1.push(failure);
        }
    }
    grouped.into_values().collect()
}

fn drafts(failing: &[FailingApi<'_>], facts: &Facts<'_>) -> Known<Vec<Draft>> {
    flat_each(failing, |(api, failures)| match look(*api, failures, facts).if_readable()? {
        Some(looked) => draft(*api, failures, looked, facts).map(Some),
        None => Ok(None),
    })
}

fn look<'s>(
    api: Seen<'s>,
    failures: &[FailedRequest<'_>],
    facts: &Facts<'s>,
) -> Known<(Backend<'s>, Option<Registrar>)> {
    let name: ServiceName<'s> = aggregation::service(api.object);
    let (mut backend, registrar) = (services::of(&name, facts), aggregation::registrar(api, facts)).all()?;
    if failures.iter().all(|failure| failure.silent) && backend.verdict == Verdict::Answers {
        services::route(&mut backend, facts)?;
    }
    Ok((backend, registrar))
}

fn draft(
    api: Seen<'_>,
    failures: &[FailedRequest<'_>],
    (backend, registrar): (Backend<'_>, Option<Registrar>),
    facts: &Facts<'_>,
) -> Known<Draft> {
    // A failed request is better evidence than one that was skipped because another timed out.
    let first = failures.iter().find(|failure| !failure.skipped).unwrap_or(&failures[0]);
    let subject = Ref::from(api);
    let kind = first.resource.id.short();
    let summary = Sentence::from(format!("APIService {} is available, and {} ", subject.name, first.verb))
        .then(Sentence::unread(&kind))
        .then(format!(" in namespace {} fails: ", first.namespace))
        .then(&first.says);
    let mut draft = Draft::new(Cause::Api, subject.clone(), summary).waits_for(backend.service.clone());
    draft = draft.evidence("Available=True", &subject, "status.conditions[Available]");
    for failure in failures {
        let FailedRequest { verb, resource, namespace, says, .. } = failure;
        draft = draft.remark(Sentence::from(format!("{verb} {} in namespace {namespace}: ", resource.id)).then(says));
    }
    for left in failures.iter().flat_map(|failure| &failure.left).take(3) {
        draft = draft.evidence("is not being deleted yet", left, "metadata.deletionTimestamp");
    }
    draft = draft.remark(match first.verb {
        "LIST" => {
            "the namespace controller must list this kind to find a namespace empty: until then, the deletion \
            of the namespace waits"
        }
        _ => "namespaces that contain its objects wait for it",
    });
    draft = with_background(draft, api, registrar.as_ref());
    let mut chain = backend.chain.clone();
    chain.insert(0, Link::new(subject.clone(), LinkState::Fine, "Available"));
    if backend.verdict != Verdict::Broken {
        let path = first.resource.id.path(Some(&first.namespace), None);
        chain.push(request(first.verb, &path, first.says.clone()));
    }
    draft = with_remedies(draft, &backend, first, &subject, facts)?.chain(chain);
    Ok(if failures.iter().all(|failure| !failure.proven) { draft.likely() } else { draft })
}

/// Adds repairs first. An API that is reported as available is not deleted unless the user asks for it.
fn with_remedies(
    draft: Draft,
    backend: &Backend<'_>,
    first: &FailedRequest<'_>,
    api: &Ref,
    facts: &Facts<'_>,
) -> Known<Draft> {
    let restored = "nothing is lost; the namespace controller tries again within 60 seconds";
    let draft = draft.remedies(repairs(backend, restored, facts)?);
    let path = first.resource.id.path(Some(&first.namespace), None);
    let place = in_namespace(&backend.service);
    let pods = format!("kubectl get pods{place}");
    let logs = backend.a_ready_pod().map_or(pods, |pod| format!("kubectl logs{place} {}", alone("pod", pod)));
    let repaired = match first.verb {
        "LIST" => "the API works again when this prints a list",
        _ => "the API works again when the objects that are being deleted are gone from this list",
    };
    let mend = Sentence::from(format!("repair the server behind {}", backend.service))
        .by(logs)
        .aside(repaired)
        .by(format_args!("kubectl get --raw {}", quote(&path)));
    let mend = Remedy::manual(mend, restored);
    Ok(draft.remedy(mend).remedy(Remedy::command(
        "delete this APIService, if the product is no longer wanted",
        format_args!("kubectl delete {}", one("apiservice", &api.name)),
        "requests for this API fail until it is registered again; its objects stay on its server",
    )))
}
