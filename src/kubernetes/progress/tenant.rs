//! A controller that deletes what an object lists as its own in the name of an account which the
//! object chooses: a tenant's, which may do less than the controller itself
//! (<https://fluxcd.io/flux/components/kustomize/kustomizations/#role-based-access-control>).

use crate::facts::{Facts, Known, Readable, for_each};
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::permits::Permits;
use crate::kubernetes::progress::followers;
use crate::kubernetes::progress::judgement::Tenant;
use crate::report::Ref;
use crate::survey::Seen;

/// What the account that `seen` names may not delete of what `seen` lists as its own. `None` where the
/// roles allow everything, or could not be read.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn lacking(seen: Seen<'_>, facts: &Facts<'_>) -> Known<Option<Tenant>> {
    let namespace = seen.object.metadata.namespace.as_deref();
    let named = seen.object.text("/spec/serviceAccountName").filter(|name| !name.is_empty());
    let accounts = facts.preferred("", "serviceaccounts");
    let (Some(name), Some(namespace), Some(kind)) = (named, namespace, accounts) else { return Ok(None) };
    // One that does not exist is another trouble.
    if facts.metadata(&kind.id, Some(namespace), name).or_note(facts)?.flatten().is_none() {
        return Ok(None);
    }
    let account = Account { namespace: namespace.to_owned(), name: name.to_owned() };
    let mut lacking: Vec<Ref> = Vec::new();
    for_each(followers::of(seen, facts)?, |own| {
        let place = own.object.metadata.namespace.as_deref();
        let id = &own.resource.id;
        let permits = Permits::of(&account, place, facts).or_note(facts)?;
        if permits.is_some_and(|permits| !permits.allow("delete", &id.group, &id.plural)) {
            lacking.push(own.into());
        }
        Ok(())
    })?;
    let mut lacking = lacking.into_iter();
    let Some(what) = lacking.next() else { return Ok(None) };
    let target = crate::survey::TargetName {
        resource: kind.id.clone(),
        namespace: Some(namespace.to_owned()),
        name: name.to_owned(),
    };
    Ok(Some(Tenant { account: Ref::named(kind, &target), what, more: lacking.count() }))
}
