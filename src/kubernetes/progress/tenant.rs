//! Controllers that delete the objects in an inventory as an account that the inventory's owner names: a
//! tenant's, which may have fewer permissions than the controller itself
//! (<https://fluxcd.io/flux/components/kustomize/kustomizations/#role-based-access-control>).

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::mentions::followers::followers;
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::permits::Permits;
use crate::report::Ref;
use crate::survey::{Seen, TargetName};

/// A tenant's account that must delete an object and may not.
#[derive(Debug, Clone)]
pub struct Tenant {
    /// The account.
    pub account: Ref,
    /// The first object that it may not delete.
    pub what: Ref,
    /// How many others there are.
    pub more: usize,
}

/// The objects in the inventory of `seen` that the account which `seen` names may not delete. `None` if
/// the roles allow all deletions, or could not be read.
pub(crate) fn lacking(seen: Seen<'_>, facts: &Facts<'_>) -> Known<Option<Tenant>> {
    let namespace = seen.object.metadata.namespace.as_deref();
    let named = seen.object.text("/spec/serviceAccountName").filter(|name| !name.is_empty());
    let accounts = facts.preferred("", "serviceaccounts");
    let (Some(name), Some(namespace), Some(kind)) = (named, namespace, accounts) else { return Ok(None) };
    // An account that does not exist is another problem.
    if facts.metadata(&kind.id, Some(namespace), name).or_note(facts)?.flatten().is_none() {
        return Ok(None);
    }
    let account = Account { namespace: namespace.to_owned(), name: name.to_owned() };
    let lacking = flat_each(followers(seen, facts)?, |own| {
        let id = &own.resource.id;
        let permits = Permits::of(&account, own.object.metadata.namespace.as_deref(), facts).or_note(facts)?;
        Ok(permits.filter(|permits| !permits.allow("delete", &id.group, &id.plural)).map(|_| Ref::from(own)))
    })?;
    let mut lacking = lacking.into_iter();
    let Some(what) = lacking.next() else { return Ok(None) };
    let Account { namespace, name } = account;
    let target = TargetName { resource: kind.id.clone(), namespace: Some(namespace), name };
    Ok(Some(Tenant { account: Ref::named(kind, &target), what, more: lacking.count() }))
}
