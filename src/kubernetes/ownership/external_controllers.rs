//! Controllers that run outside of the cluster, as far as RBAC shows: an account or a user may write
//! the kind, and no workload here runs as that account.

use crate::facts::{All, Facts, Known, Readable};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::namespaces::namespace_of;
use crate::kubernetes::ownership::access::{self, Account};
use crate::kubernetes::ownership::candidates;
use crate::kubernetes::ownership::subjects::user_of;
use crate::kubernetes::ownership::traces::Traces;
use crate::survey::{Form, Object, Seen};

/// An account that may write the kind, while no workload with this account is known to be the
/// controller.
pub(crate) struct MayWrite<'s> {
    /// The evidence, in words.
    pub(crate) text: String,
    /// A rule names the kind, and something runs in the account's namespace.
    pub(crate) is_meant: bool,
    /// The workload that runs as the account, whole, if its namespace was read.
    pub(crate) workload: Option<Seen<'s>>,
}

/// The account that the controller may have, if its permissions are the only evidence. The workload
/// that runs as this account need not share a name with the object. Without such a workload, the
/// account may be used from outside of the cluster.
pub(crate) fn account<'s>(traces: &Traces<'_>, facts: &Facts<'s>) -> Known<Option<MayWrite<'s>>> {
    let workloads = candidates::workloads(facts)?;
    let runs_here = |account: &&Account| {
        let mut all = workloads.iter().flatten().flat_map(|list| list.iter());
        all.any(|workload| workload.metadata.namespace.as_deref() == Some(account.namespace.as_str()))
    };
    let named = || traces.rights.holders.keys().filter(|_| !is_custom(&traces.kind.group));
    if let Some(here) = named().find(runs_here) {
        let text = format!(
            "the workload that runs as ServiceAccount {here} may write this kind: perhaps it is the controller"
        );
        return Ok(Some(MayWrite { text, is_meant: true, workload: run_as(here, facts) }));
    }
    if let Some(all) = traces.rights.bound_to_everything().find(runs_here) {
        let text = format!(
            "the workload that runs as ServiceAccount {all} may write everything: perhaps it is the controller"
        );
        return Ok(Some(MayWrite { text, is_meant: false, workload: None }));
    }
    Ok(named().next().map(|account| {
        let text = format!(
            "ServiceAccount {account} may write this kind, and nothing runs in its namespace: \
            its controller may run outside this cluster"
        );
        MayWrite { text, is_meant: false, workload: None }
    }))
}

/// The only workload that runs as an account, if its namespace's workloads were read whole.
fn run_as<'s>(account: &Account, facts: &Facts<'s>) -> Option<Seen<'s>> {
    let kinds = candidates::kinds(facts).into_iter();
    let listed = kinds.filter_map(|resource| {
        let all = facts.list(&resource.id, Some(&account.namespace), Form::Whole).ok()?;
        Some(all.iter().map(move |object| Seen { resource, object }))
    });
    let mut its = listed.flatten().filter(|seen| access::account_of(seen.object) == *account);
    its.next().filter(|_| its.next().is_none())
}

/// The text about a user that may write this kind in a namespace like that of `held`. The namespace
/// of `held` is being deleted, and its bindings may have been deleted before the object.
pub(crate) fn user_elsewhere(held: Seen<'_>, facts: &Facts<'_>) -> Known<Option<String>> {
    if !held.resource.namespaced {
        return Ok(None);
    }
    let home = namespace_of(held.object, facts).if_readable()?.flatten();
    let Some(home) = home.filter(|home| home.is_deleting()) else { return Ok(None) };
    let namespaces = facts.preferred("", "namespaces");
    let namespaces = namespaces.map(|kind| facts.list(&kind.id, None, Form::Metadata).if_readable()).transpose()?;
    let mut others = namespaces.flatten().unwrap_or_default().iter().filter(|other| !other.is_deleting());
    let Some(other) = others.find(|other| are_alike(home, other)).map(Object::name) else { return Ok(None) };
    let ((roles, bindings), (cluster_roles, _)) =
        (access::roles_and_bindings(Some(other), facts), access::roles_and_bindings(None, facts));
    let all = (roles.if_readable(), bindings.if_readable(), cluster_roles.if_readable()).all()?;
    let [roles, bindings, cluster_roles] = <[_; 3]>::from(all).map(Option::unwrap_or_default);
    let lets = |binding: &Object| {
        let role = access::bound_role(binding, roles, cluster_roles);
        role.is_some_and(|role| access::lets_write_by_name(role, held))
    };
    let user = bindings.iter().filter(|binding| lets(binding)).find_map(user_of);
    Ok(user.map(|user| {
        format!("RBAC: user {user} may write this kind in namespace {other}, so its controller may run elsewhere")
    }))
}

/// Whether two namespaces have the same purpose: owners of the same kind, or names that begin alike.
fn are_alike(one: &Object, other: &Object) -> bool {
    let (owners, others) = (&one.metadata.owner_references, &other.metadata.owner_references);
    let stem = |object: &'_ Object| object.name().split_once('-').map(|(stem, _)| stem.to_owned());
    let same_stem = stem(one).is_some_and(|own| own != "kube" && Some(own) == stem(other));
    owners.iter().any(|owner| others.iter().any(|other| other.kind == owner.kind)) || same_stem
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn namespaces_are_alike_by_name_or_owner_kind() {
        let named = |name: &str, owner: &str| -> Object {
            let owner = json!([{"apiVersion": "a.example/v1", "kind": owner, "name": "o", "uid": "u"}]);
            serde_json::from_value(json!({"metadata": {"name": name, "ownerReferences": owner}})).unwrap()
        };
        assert!(are_alike(&named("depot-west", "A"), &named("depot-east", "B")));
        assert!(are_alike(&named("west", "Member"), &named("east", "Member")));
        assert!(!are_alike(&named("kube-node-lease", "A"), &named("kube-system", "B")));
        assert!(!are_alike(&named("shop", "A"), &named("ops", "B")));
    }
}
