//! An aggregated API that does not answer stops the deletion of every
//! namespace: the namespace controller must find each group empty before it
//! lets any namespace go.

use super::Rule;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Ref, SETTLE, Target, Unknown, since};
use crate::plan::{Remedy, Risk, quote, steps};
use crate::survey::{Condition, Form, Object, Resource, Seen};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const RULE: Rule =
    Rule { name: "apiservice-unavailable", explanation: include_str!("apiservice_unavailable.md"), diagnose };

/// The Service behind an `APIService`: namespace and name.
type Backend<'s> = (&'s str, &'s str);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !(target.is_namespace() && target.is_deleting()) {
        return Ok(());
    }
    let blocks = target.namespace_being_emptied().is_some();
    for (backend, apis) in unavailable(facts)? {
        if blocks {
            found.add(draft(target, backend, &apis, facts)?);
        } else {
            let object = apis[0].into();
            found.also_broken(object, "unavailable, but this namespace no longer waits for its content");
        }
    }
    Ok(())
}

/// The `group/version`s whose `APIService` is unavailable; none when those cannot
/// be read, which this rule puts on record.
pub(super) fn groups(facts: &Facts<'_>) -> Known<BTreeSet<String>> {
    match unavailable(facts) {
        Ok(apis) => Ok(apis.into_values().flatten().map(|api| group_version(api.object)).collect()),
        Err(Unknown::NotSurveyed) => Err(Unknown::NotSurveyed),
        Err(Unknown::Unread { .. }) => Ok(BTreeSet::new()),
    }
}

/// The `group/version`s that a server behind the API server answers for.
pub(super) fn aggregated(facts: &Facts<'_>) -> Known<BTreeSet<String>> {
    let Some(resource) = facts.discovery().preferred("apiregistration.k8s.io", "apiservices") else {
        return Ok(BTreeSet::new());
    };
    match facts.list(&resource.id, None, Form::Whole) {
        Ok(apis) => Ok(apis.iter().filter(|api| is_aggregated(api)).map(group_version).collect()),
        Err(Unknown::NotSurveyed) => Err(Unknown::NotSurveyed),
        Err(Unknown::Unread { .. }) => Ok(BTreeSet::new()),
    }
}

fn is_aggregated(api: &Object) -> bool {
    api.at("/spec/service").is_some_and(|service| !service.is_null())
}

fn group_version(api: &Object) -> String {
    let part = |pointer| api.text(pointer).unwrap_or_default();
    format!("{}/{}", part("/spec/group"), part("/spec/version"))
}

/// Unavailable `APIService`s by the Service behind them: what one repair mends is
/// one finding.
fn unavailable<'s>(facts: &Facts<'s>) -> Known<BTreeMap<Backend<'s>, Vec<Seen<'s>>>> {
    let mut by_backend: BTreeMap<Backend<'s>, Vec<Seen<'s>>> = BTreeMap::new();
    let Some(resource) = facts.discovery().preferred("apiregistration.k8s.io", "apiservices") else {
        return Ok(by_backend);
    };
    for object in facts.list(&resource.id, None, Form::Whole)? {
        if !is_aggregated(object) || object.condition("Available").map(Condition::status) == Some("True") {
            continue;
        }
        let backend = |field: &str| object.text(&format!("/spec/service/{field}")).unwrap_or_default();
        by_backend.entry((backend("namespace"), backend("name"))).or_default().push(Seen { resource, object });
    }
    Ok(by_backend)
}

fn draft(target: &Target<'_>, backend: Backend<'_>, apis: &[Seen<'_>], facts: &Facts<'_>) -> Known<Draft> {
    let refs: Vec<Ref> = apis.iter().map(|api| (*api).into()).collect();
    let service = service(backend, facts)?;
    let verb = if refs.len() == 1 { "is" } else { "are" };
    let names: Vec<&str> = refs.iter().map(|api| api.name.as_str()).collect();
    let plural = if refs.len() == 1 { "" } else { "s" };
    let summary = format!("APIService{plural} {} {verb} unavailable", names.join(", "));
    let mut draft = Draft::new(Cause::Api, refs[0].clone(), summary);
    for (api, reference) in apis.iter().zip(&refs) {
        let says = api.object.condition("Available").map_or("no condition yet".into(), Condition::says);
        draft = draft.evidence(says, reference, "status.conditions[Available]");
    }
    if let Some(service) = &service {
        draft = draft.waits_for(service.clone());
    }
    draft = draft.remark("every namespace deletion in this cluster waits for it");
    // A Service in a namespace that is going does not come back.
    let going = backend.0 == target.object().name();
    let settled = going || apis.iter().all(|api| unavailable_for_long(api.object, facts));
    draft = with_remedies(draft, service.as_ref(), &refs, settled);
    Ok(draft.objects(refs))
}

/// The Service behind the API, marked as missing when it is. `None` when it is
/// not readable.
fn service(backend: Backend<'_>, facts: &Facts<'_>) -> Known<Option<Ref>> {
    let (namespace, name) = backend;
    let Some(services) = facts.discovery().preferred("", "services") else { return Ok(None) };
    let named = |resource: &Resource| Ref {
        api_version: resource.id.api_version(),
        kind: resource.kind.clone(),
        resource: resource.id.plural.clone(),
        namespace: Some(namespace.into()),
        name: name.into(),
        ..Ref::default()
    };
    match facts.get(&services.id, Some(namespace), name, Form::Whole) {
        Ok(Some(object)) => Ok(Some(Ref::of(services, object))),
        Ok(None) => Ok(Some(named(services).missing())),
        Err(Unknown::NotSurveyed) => Err(Unknown::NotSurveyed),
        Err(Unknown::Unread { what, why }) => {
            facts.note_unread(what, &why);
            Ok(None)
        }
    }
}

/// Whether it has been found unavailable for longer than an installation takes
/// from its first object to its last.
fn unavailable_for_long(api: &Object, facts: &Facts<'_>) -> bool {
    let condition = api.condition("Available").filter(|condition| condition.status() == "False");
    condition.and_then(Condition::since).is_some_and(|then| since(then, facts.now()) > SETTLE * 2)
}

fn with_remedies(draft: Draft, service: Option<&Ref>, apis: &[Ref], settled: bool) -> Draft {
    let left_over = settled && service.is_some_and(|service| service.missing);
    let (risk, consequence) = if left_over {
        (
            Risk::Harmless,
            "its Service does not exist, so nothing can use it; installing the product again creates it again",
        )
    } else {
        (
            Risk::Disruptive,
            "clients of this API find it gone until it is registered again; objects behind it are not deleted with the namespace",
        )
    };
    let mut delete = Remedy::new(steps::delete_api_service::step(&apis[0]), risk, consequence);
    delete.steps.extend(apis[1..].iter().map(steps::delete_api_service::step));
    if apis.len() > 1 {
        let names: Vec<&str> = apis.iter().map(|api| api.name.as_str()).collect();
        delete.title = format!("delete APIServices {}", names.join(", "));
    }
    let repair = service.map(|service| {
        let namespace = quote(service.namespace.as_deref().unwrap_or_default());
        Remedy::manual(
            format!(
                "if it is still wanted, repair its backend: kubectl -n {namespace} get service,endpointslices,pods"
            ),
            "nothing is lost; namespaces go on by themselves",
        )
    });
    match (left_over, repair) {
        (true, _) | (false, None) => draft.remedy(delete),
        (false, Some(repair)) => draft.remedy(repair).remedy(delete),
    }
}
