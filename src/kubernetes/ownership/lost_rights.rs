//! The rights that a controller has lost: whose they were, which roles still hold them, and
//! who names the account as the product's own.

use crate::facts::{All, Facts, Known, Readable};
use crate::kubernetes::ownership::access::{self, Account};
use crate::kubernetes::ownership::{power, unbound, vouchers};
use crate::report::Ref;
use crate::survey::{Object, ResourceId, Seen};

/// The rights that a controller has lost.
#[derive(Debug, Clone)]
pub struct LostRights {
    /// The service account of the controller, as `namespace:name`.
    pub(crate) account: String,
    /// What it may not do.
    pub(crate) lack: Lack,
    /// What names it as the product's, and takes rights in the whole cluster to write.
    pub(crate) named_by: Option<Ref>,
    /// The roles that are there still and give the right to whoever is bound to them; first those
    /// that nobody is bound to.
    pub(crate) roles: Vec<LeftOver>,
    /// The roles that the account is bound to, and that name the kind without the right.
    pub(crate) narrowed: Vec<LeftOver>,
}

/// The right to hear of changes: a controller may also look at everything again and again.
pub(crate) const WATCH: &str = "watch";

/// What an account may not do.
#[derive(Debug, Clone)]
pub(crate) struct Lack {
    /// `update or patch`
    pub(crate) verbs: String,
    /// The plural, with a subresource behind a slash.
    pub(crate) resource: String,
    /// The kind that this is of.
    pub(crate) kind: ResourceId,
}

impl Lack {
    /// `update or patch databases.acme.io/status`
    pub(crate) fn words(&self) -> String {
        format!("{} {}", self.verbs, self.on())
    }

    /// `databases.acme.io/status`
    pub(crate) fn on(&self) -> String {
        let part = self.resource.strip_prefix(self.kind.plural.as_str()).unwrap_or_default();
        format!("{}{part}", self.kind)
    }

    /// Whether it is the object itself that cannot be written.
    pub(crate) fn is_writing(&self) -> bool {
        !self.resource.contains('/') && self.verbs.contains("update")
    }
}

/// A role that is left over.
#[derive(Debug, Clone)]
pub(crate) struct LeftOver {
    /// `ClusterRole acme-operator`
    pub(crate) name: String,
    /// Nobody is bound to it, and it is called like the account or the workload.
    pub(crate) is_unbound: bool,
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
        lack: Lack,
        facts: &Facts<'_>,
    ) -> Known<Self> {
        let roles = left_over(held, account, workload, facts).if_readable();
        let narrowed = narrowed(held, account, &lack, facts).if_readable();
        let (named_by, roles, narrowed) = (vouchers::of(workload, account, kind, facts), roles, narrowed).all()?;
        let account = format!("{}:{}", account.namespace, account.name);
        Ok(Self { account, lack, named_by, roles: roles.unwrap_or_default(), narrowed: narrowed.unwrap_or_default() })
    }
}

/// The roles of the cluster, and those of a namespace.
fn roles<'s>(held: Seen<'_>, facts: &Facts<'s>) -> Known<(&'s [Object], &'s [Object])> {
    let namespace = held.object.metadata.namespace.as_deref();
    let local = namespace.map_or(Ok(&[][..]), |name| access::list("roles", Some(name), facts));
    (access::list("clusterroles", None, facts), local).all()
}

fn named(role: &Object, all: &[Object], is_unbound: bool) -> LeftOver {
    let name = match &role.metadata.namespace {
        Some(namespace) => format!("Role {namespace}/{}", role.name()),
        None => format!("ClusterRole {}", role.name()),
    };
    LeftOver { name, is_unbound, power: power::included(role, all) }
}

/// The roles that let `held` be written. A role names no account; where there are several, those
/// that are called like the account or the workload are meant, and those that nobody is bound to; then those
/// by which a controller works, which writes the status.
fn left_over(held: Seen<'_>, account: &Account, workload: Seen<'_>, facts: &Facts<'_>) -> Known<Vec<LeftOver>> {
    let unbound = unbound::roles(held, facts);
    let ((all, local), unbound) = (roles(held, facts), unbound).all()?;
    let writes = |role: &&Object| access::lets_write_it(role, held);
    let roles = all.iter().filter(writes).chain(local.iter().filter(writes));
    let called = |name: &str| name.contains(&account.name) || name.contains(workload.object.name());
    // One that is called like neither may be for people.
    let is_unbound = |role: &Object| called(role.name()) && unbound.iter().any(|other| std::ptr::eq(*other, role));
    let mut roles: Vec<&Object> = roles.collect();
    let works = |role: &Object| access::lets_write_parts(role, &held.resource.id) && !unbound::is_for_people(role, all);
    let key = |role: &Object| {
        (!called(role.name()), !is_unbound(role), !works(role), std::cmp::Reverse(role.array("/rules").len()))
    };
    roles.sort_by_key(|role| key(role));
    let any_like = roles.first().is_some_and(|role| called(role.name()));
    let meant = roles.into_iter().filter(|role| !any_like || called(role.name()));
    Ok(meant.map(|role| named(role, all, is_unbound(role))).collect())
}

/// The roles that `account` is bound to and that name the kind of `held`, without what it lacks.
fn narrowed(held: Seen<'_>, account: &Account, lack: &Lack, facts: &Facts<'_>) -> Known<Vec<LeftOver>> {
    let namespace = held.object.metadata.namespace.as_deref();
    let local = namespace.map(|name| access::roles_and_bindings(Some(name), facts));
    let everywhere = access::roles_and_bindings(None, facts);
    let (all, cluster) = everywhere.all()?;
    let (roles, bindings) = local.map(All::all).transpose()?.unwrap_or_default();
    let its = cluster.iter().chain(bindings).filter(|binding| access::names(binding, account));
    let bound = its.filter_map(|binding| access::bound_role(binding, roles, all));
    let lacks_it = |role: &&Object| !lack.is_writing() || !access::lets_write_it(role, held);
    let names_it = |role: &&Object| access::names_kind(role, &held.resource.id);
    Ok(bound.filter(names_it).filter(lacks_it).map(|role| named(role, all, false)).collect())
}
