//! The permissions that a controller has lost: its account, the roles that still contain them, and
//! the evidence that the account is the product's own.

use crate::facts::{All, Facts, Known, Readable};
use crate::kubernetes::ownership::access::{self, Account};
use crate::kubernetes::ownership::{power, unbound, vouchers};
use crate::report::Ref;
use crate::survey::{Object, ResourceId, Seen};

/// The permissions that a controller has lost.
#[derive(Debug, Clone)]
pub struct LostRights {
    /// The service account of the controller, as `namespace:name`.
    pub(crate) account: String,
    /// The permission that it lacks.
    pub(crate) lack: Lack,
    /// The object that names the account as the product's own; writing that object takes
    /// cluster-wide permissions.
    pub(crate) named_by: Option<Ref>,
    /// The existing roles with the permission; those without a binding come first.
    pub(crate) roles: Vec<LeftOver>,
    /// The roles bound to the account that name the kind and lack the permission.
    pub(crate) narrowed: Vec<LeftOver>,
}

/// The permission to watch. A controller without it may still list again and again.
pub(crate) const WATCH: &str = "watch";

/// The permissions to write. A controller needs one of them.
pub(crate) const WRITE: [&str; 2] = ["update", "patch"];

/// A permission that an account lacks.
#[derive(Debug, Clone)]
pub(crate) struct Lack {
    /// Any of these verbs would do.
    pub(crate) verbs: Vec<String>,
    /// The plural, with a subresource after a slash.
    pub(crate) resource: String,
    /// The kind of the resource.
    pub(crate) kind: ResourceId,
}

impl Lack {
    /// The permission for any of `verbs` on `resource`.
    pub(crate) fn of(verbs: &[&str], resource: impl Into<String>, kind: ResourceId) -> Self {
        Self { verbs: verbs.iter().copied().map(Into::into).collect(), resource: resource.into(), kind }
    }

    /// `update or patch`
    pub(crate) fn verbs(&self) -> String {
        self.verbs.join(" or ")
    }

    /// `update or patch databases.acme.io/status`
    pub(crate) fn words(&self) -> String {
        format!("{} {}", self.verbs(), self.on())
    }

    /// `databases.acme.io/status`
    pub(crate) fn on(&self) -> String {
        let part = self.resource.strip_prefix(self.kind.plural.as_str()).unwrap_or_default();
        format!("{}{part}", self.kind)
    }

    /// Whether it is the permission to write the object itself.
    pub(crate) fn is_writing(&self) -> bool {
        !self.resource.contains('/') && self.includes("update")
    }

    /// Whether `verb` is one of the verbs.
    pub(crate) fn includes(&self, verb: &str) -> bool {
        self.verbs.iter().any(|lacked| lacked == verb)
    }
}

/// A remaining role.
#[derive(Debug, Clone)]
pub(crate) struct LeftOver {
    /// Its name.
    pub(crate) name: String,
    /// Its namespace; `None` for a `ClusterRole`.
    pub(crate) namespace: Option<String>,
    /// Whether it has no binding, and a name like the account or the workload.
    pub(crate) is_unbound: bool,
    /// Its permissions beyond the product's own objects.
    pub(crate) power: Vec<&'static str>,
}

impl LostRights {
    /// The permissions that `workload`, which should write `held`, has lost. `kind` identifies the
    /// product.
    pub(crate) fn of(
        workload: Seen<'_>,
        kind: &ResourceId,
        held: Seen<'_>,
        lack: Lack,
        facts: &Facts<'_>,
    ) -> Known<Self> {
        let account = access::account_of(workload.object);
        let roles = left_over(held, &account, workload, facts).if_readable();
        let narrowed = narrowed(held, &account, &lack, facts).if_readable();
        let (named_by, roles, narrowed) = (vouchers::of(workload, kind, facts), roles, narrowed).all()?;
        let account = format!("{}:{}", account.namespace, account.name);
        Ok(Self { account, lack, named_by, roles: roles.unwrap_or_default(), narrowed: narrowed.unwrap_or_default() })
    }
}

fn named(role: &Object, all: &[Object], is_unbound: bool) -> LeftOver {
    let (name, namespace) = (role.name().to_owned(), role.metadata.namespace.as_deref().map(ToOwned::to_owned));
    LeftOver { name, namespace, is_unbound, power: power::included(role, all) }
}

/// The roles that allow writes to `held`. Since a role names no account, the order is: first roles
/// named like the account or the workload, then roles without a binding, then roles that also allow
/// writes to the status, as those of controllers do. If any role has such a name, the others are
/// left out.
fn left_over(held: Seen<'_>, account: &Account, workload: Seen<'_>, facts: &Facts<'_>) -> Known<Vec<LeftOver>> {
    let read = access::in_cluster_and(held.object.metadata.namespace.as_deref(), facts);
    let ([(all, _), (local, _)], unbound) = (read, unbound::roles(held, facts)).all()?;
    let writes = |role: &&Object| access::lets_write_it(role, held);
    let called = |name: &str| name.contains(&account.name) || name.contains(workload.object.name());
    // A role with neither name may be for people.
    let is_unbound = |role: &Object| called(role.name()) && unbound.iter().any(|other| std::ptr::eq(*other, role));
    let mut roles: Vec<&Object> = all.iter().chain(local).filter(writes).collect();
    let works = |role: &Object| access::lets_write_parts(role, &held.resource.id) && !unbound::is_for_people(role, all);
    let key = |role: &Object| {
        (!called(role.name()), !is_unbound(role), !works(role), std::cmp::Reverse(role.array("/rules").len()))
    };
    roles.sort_by_key(|role| key(role));
    let any_like = roles.first().is_some_and(|role| called(role.name()));
    let meant = roles.into_iter().filter(|role| !any_like || called(role.name()));
    Ok(meant.map(|role| named(role, all, is_unbound(role))).collect())
}

/// The roles bound to `account` that name the kind of `held` and lack the permission.
fn narrowed(held: Seen<'_>, account: &Account, lack: &Lack, facts: &Facts<'_>) -> Known<Vec<LeftOver>> {
    let namespace = held.object.metadata.namespace.as_deref();
    let [(all, cluster), (roles, bindings)] = access::in_cluster_and(namespace, facts)?;
    let its = cluster.iter().chain(bindings).filter(|binding| access::names(binding, account));
    let bound = its.filter_map(|binding| access::bound_role(binding, roles, all));
    let lacks_it = |role: &&Object| !lack.is_writing() || !access::lets_write_it(role, held);
    let names_it = |role: &&Object| access::names_kind(role, &held.resource.id);
    Ok(bound.filter(names_it).filter(lacks_it).map(|role| named(role, all, false)).collect())
}
