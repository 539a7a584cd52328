//! Roles that allow writes to a kind and have no binding any more: a controller that lost its
//! binding is not gone.

use crate::facts::{Facts, Known};
use crate::kubernetes::admission::selects;
use crate::kubernetes::ownership::access;
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::owner;
use crate::survey::{Object, Seen};

/// The roles of the cluster and of the namespace of `held` that name its kind and allow writes to
/// it, and that no binding names. Aggregated roles are left out: they are for people, or parts of
/// another role
/// (<https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles>).
pub(crate) fn roles<'s>(held: Seen<'_>, facts: &Facts<'s>) -> Known<Vec<&'s Object>> {
    let namespace = held.object.metadata.namespace.as_deref();
    let [(cluster_roles, cluster_bindings), (roles, bindings)] = access::in_cluster_and(namespace, facts)?;
    let is_bound = |role: &Object| {
        let kind = if role.metadata.namespace.is_some() { "Role" } else { "ClusterRole" };
        let names = |binding: &&Object| {
            binding.text("/roleRef/name") == Some(role.name()) && binding.text("/roleRef/kind") == Some(kind)
        };
        let subjects = |binding: &Object| !binding.array("/subjects").is_empty();
        cluster_bindings.iter().chain(bindings).filter(names).any(subjects)
    };
    let all = cluster_roles.iter().chain(roles);
    let is_gathered = |role: &Object| role.metadata.labels.keys().any(|key| key.contains("aggregate-to"));
    Ok(all.filter(|role| access::lets_write_by_name(role, held) && !is_gathered(role) && !is_bound(role)).collect())
}

/// The field that selects the roles that a role aggregates.
const GATHERS: &str = "/aggregationRule/clusterRoleSelectors";

/// Whether a role is for people: it aggregates others, or another aggregates it.
pub(crate) fn is_for_people(role: &Object, all: &[Object]) -> bool {
    let gathers = |other: &Object| {
        let selectors = other.array(GATHERS);
        selectors.iter().any(|selector| selects(Some(selector), &role.metadata.labels))
    };
    !role.array(GATHERS).is_empty() || all.iter().any(gathers)
}

/// Whether a role's name is like that of a workload or of its account.
pub(crate) fn is_called_after(role: &Object, workload: &Object, account: &Account) -> bool {
    let own = account.name != "default" && owner::share_a_word(role.name(), &account.name);
    own || owner::share_a_word(role.name(), workload.name())
}
