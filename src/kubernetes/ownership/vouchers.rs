//! Objects that name a workload's account as a product's own, and that can be written only with
//! permissions in the whole cluster. Names, labels, field managers, leases and events are no such
//! evidence: anybody with permissions in one namespace can copy them.

use crate::facts::{All, Facts, Known, Readable, flat_each};
use crate::kubernetes::admission::{Admission, Gate, strings};
use crate::kubernetes::aggregation::aggregated;
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::ownership::access;
use crate::kubernetes::ownership::access::{Account, is_of_kubernetes, names};
use crate::report::Ref;
use crate::survey::{Form, Object, Resource, ResourceId, Seen};
use serde_json::Value;

/// The object that names the account of `workload` as one of the product that `kind` belongs to; `None`
/// if there is none, or it cannot be read.
///
/// A namespace younger than that object does not count: somebody else may have created it again
/// under the name of a deleted one.
pub(crate) fn of<'s>(workload: Seen<'s>, kind: &ResourceId, facts: &Facts<'s>) -> Known<Option<Ref>> {
    let account = access::account_of(workload.object);
    let namespaces = ResourceId::new("", "v1", "namespaces");
    let home = facts.metadata(&namespaces, None, &account.namespace).if_readable();
    let (home, bound) = (home, by_binding(&account, kind, facts)).all()?;
    let Some(home) = home.flatten() else { return Ok(None) };
    let is_older = |voucher: &Seen<'s>| is_no_younger(voucher.object, home);
    if let Some(binding) = bound.into_iter().find(is_older) {
        return Ok(Some(binding.into()));
    }
    let called = called_there(&account.namespace, kind, facts)?;
    let older = flat_each(&called, |(registration, service)| {
        let selector = selector(&account.namespace, service, facts)?;
        let is_its = selector.is_some_and(|selector| runs(workload.object, selector)) && is_older(registration);
        Ok(is_its.then(|| Ref::from(*registration)))
    })?;
    Ok(older.into_iter().next())
}

fn is_no_younger(voucher: &Object, namespace: &Object) -> bool {
    let times = voucher.metadata.creation_timestamp.zip(namespace.metadata.creation_timestamp);
    times.is_some_and(|(voucher, namespace)| namespace <= voucher)
}

/// The `ClusterRoleBinding`s that name the account and let it write objects of the kind's product. An
/// account that may only read them need not be the product's own.
fn by_binding<'s>(account: &Account, kind: &ResourceId, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let (roles, bindings) = access::roles_and_bindings(None, facts);
    let (roles, bindings) = (roles.if_readable(), bindings.if_readable()).all()?;
    let (roles, bindings) = (roles.unwrap_or_default(), bindings.unwrap_or_default());
    let Some(resource) = facts.preferred(access::RBAC, "clusterrolebindings") else { return Ok(Vec::new()) };
    let works = |binding: &&Object| {
        let role = binding.text("/roleRef/name").and_then(|name| roles.iter().find(|role| role.name() == name));
        role.is_some_and(|role| !is_of_kubernetes(role) && works_on(role, kind))
    };
    let bindings = bindings.iter().filter(|binding| names(binding, account)).filter(works);
    Ok(bindings.map(|object| Seen { resource, object }).collect())
}

/// Whether a role names objects of the product of `kind` and lets its holders write them: anything in
/// its API group or, for a built-in kind, a part of that kind.
fn works_on(role: &Object, kind: &ResourceId) -> bool {
    let is_part = |resource: &str| resource.split('/').next() == Some(&kind.plural);
    role.array("/rules").iter().any(|rule| {
        strings(rule, "apiGroups").any(|group| group == kind.group)
            && strings(rule, "verbs").any(|verb| !["get", "list", "watch"].contains(&verb))
            && (is_custom(&kind.group) || strings(rule, "resources").any(is_part))
    })
}

/// The registrations of the product that call a Service in this namespace, each with the Service's
/// name: webhook configurations, `APIService`s, and the definition of the kind.
fn called_there<'s>(namespace: &str, kind: &ResourceId, facts: &Facts<'s>) -> Known<Vec<(Seen<'s>, &'s str)>> {
    if !is_custom(&kind.group) {
        return Ok(Vec::new());
    }
    let resource = facts.preferred(&kind.group, &kind.plural);
    let definition = resource.map_or(Ok(None), |kind: &Resource| Definition::of(kind, facts));
    let (apis, definition) = (aggregated(facts).if_readable(), definition.if_readable());
    let (gates, apis, definition) = (Admission::glance(facts), apis, definition).all()?;
    let webhooks = gates.gates().filter_map(|gate| match gate {
        Gate::Webhook { configuration, entry, .. } if is_about(entry, &kind.group) => {
            Some((configuration, entry.pointer("/clientConfig/service")?))
        }
        _ => None,
    });
    let webhooks: Vec<(Seen<'s>, &'s Value)> = webhooks.collect();
    let apis = apis.unwrap_or_default().into_iter();
    let apis = apis.filter(|api| api.object.text("/spec/group") == Some(&kind.group));
    let apis = apis.filter_map(|api| Some((api, api.object.at("/spec/service")?)));
    let converts = definition.flatten().and_then(|it| Some((it.seen, it.webhook()?.get("service")?)));
    let all = webhooks.into_iter().chain(apis).chain(converts);
    let in_it = |service: &Value| service.get("namespace").and_then(Value::as_str) == Some(namespace);
    let named = all.filter(|(_, service)| in_it(service));
    Ok(named.filter_map(|(seen, service)| Some((seen, service.get("name")?.as_str()?))).collect())
}

/// Whether a rule of a webhook names this API group.
fn is_about(entry: &Value, group: &str) -> bool {
    let mut rules = entry.get("rules").and_then(Value::as_array).into_iter().flatten();
    rules.any(|rule| strings(rule, "apiGroups").any(|it| it == group))
}

fn selector<'s>(namespace: &str, service: &str, facts: &Facts<'s>) -> Known<Option<&'s Value>> {
    let services = ResourceId::new("", "v1", "services");
    let service = facts.get(&services, Some(namespace), service, Form::Whole).if_readable()?.flatten();
    Ok(service.and_then(|service| service.at("/spec/selector")))
}

/// Whether a Service with this selector selects the pods of `workload`.
fn runs(workload: &Object, selector: &Value) -> bool {
    let Some(wanted) = selector.as_object().filter(|wanted| !wanted.is_empty()) else { return false };
    let labels = workload.at("/spec/template/metadata/labels");
    wanted.iter().all(|(key, value)| labels.and_then(|labels| labels.get(key)) == Some(value))
}
