//! The rights that a controller has lost: whose they were, which roles still hold them, and
//! who names the account as the product's own.

use crate::facts::{All, Facts, Known, Readable};
use crate::kubernetes::ownership::access::{self, Account};
use crate::kubernetes::ownership::{power, vouchers};
use crate::report::Ref;
use crate::survey::{Object, ResourceId, Seen};

/// The rights that a controller has lost.
#[derive(Debug, Clone)]
pub struct LostRights {
    /// The service account of the controller, as `namespace:name`.
    pub(crate) account: String,
    /// What names it as the product's, and takes rights in the whole cluster to write.
    pub(crate) named_by: Option<Ref>,
    /// The roles that are there still and give the right to whoever is bound to them.
    pub(crate) roles: Vec<LeftOver>,
}

/// A role that is left over.
#[derive(Debug, Clone)]
pub(crate) struct LeftOver {
    /// `ClusterRole acme-operator`
    pub(crate) name: String,
    /// What it includes that is power over more than the product's objects.
    pub(crate) power: Vec<&'static str>,
}

impl LostRights {
    /// What `workload` has lost, which runs as `account` and should write `held`; it is known
    /// by `kind`.
    ///
    /// # Errors
    /// When something was not surveyed yet.
    pub(crate) fn of(
        workload: Seen<'_>,
        account: &Account,
        kind: &ResourceId,
        held: Seen<'_>,
        facts: &Facts<'_>,
    ) -> Known<Self> {
        let roles = left_over(held, account, workload, facts).if_readable();
        let (named_by, roles) = (vouchers::of(workload, account, kind, facts), roles).all()?;
        let account = format!("{}:{}", account.namespace, account.name);
        Ok(Self { account, named_by, roles: roles.unwrap_or_default() })
    }
}

/// The roles that let `held` be written. A role names no account; where there are several, those
/// that are called like the account or the workload are meant.
fn left_over(held: Seen<'_>, account: &Account, workload: Seen<'_>, facts: &Facts<'_>) -> Known<Vec<LeftOver>> {
    let namespace = held.object.metadata.namespace.as_deref();
    let local = namespace.map_or(Ok(&[][..]), |name| access::list("roles", Some(name), facts));
    let (all, local) = (access::list("clusterroles", None, facts), local).all()?;
    let writes = |role: &&Object| access::lets_write_it(role, held);
    let kinds = all.iter().filter(writes).map(|role| ("ClusterRole", role));
    let roles: Vec<_> = kinds.chain(local.iter().filter(writes).map(|role| ("Role", role))).collect();
    let called = |name: &str| name.contains(&account.name) || name.contains(workload.object.name());
    let (like, others): (Vec<_>, Vec<_>) = roles.into_iter().partition(|(_, role)| called(role.name()));
    let meant = if like.is_empty() { others } else { like };
    let role = |(kind, role): (&str, &Object)| {
        let place = role.metadata.namespace.as_ref().map(|name| format!("{name}/")).unwrap_or_default();
        LeftOver { name: format!("{kind} {place}{}", role.name()), power: power::included(role, all) }
    };
    Ok(meant.into_iter().map(role).collect())
}
