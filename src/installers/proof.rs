//! Whether an object belongs to a product. A tenant writes everything in a namespace of the tenant's own: records,
//! labels, annotations and owner references of the objects there, and no cluster-scoped object and none elsewhere.

use super::find::{Installed, Rows};
use super::installer::{Installer, Mark};
use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::ownership::access::{self, Account};
use crate::survey::Seen;

/// The namespaces reserved for Kubernetes itself, in which charts grant permissions: no tenant
/// writes there.
pub(super) const SYSTEM: [&str; 2] = ["kube-system", "kube-public"];

/// What the marks of an object say of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// All that identifies it.
    All,
    /// Its name alone. A product in another namespace may have the same name.
    Name,
}

impl Says {
    /// What a marked object says of its product.
    pub(super) fn of(product: &Installed<'_>, seen: Seen<'_>) -> Self {
        let has_none = |mark: Mark| mark.namespace.is_none() && !product.installer.by_name;
        if (product.installer.mark)(seen).is_some_and(has_none) { Self::Name } else { Self::All }
    }
}

/// An object with the marks of a product.
#[derive(Debug, Clone, Copy)]
pub(super) struct MarkedObject<'s> {
    pub(super) seen: Seen<'s>,
    pub(super) says: Says,
}

/// The namespace of an object.
pub(super) fn place(seen: Seen<'_>) -> Option<&str> {
    seen.object.metadata.namespace.as_deref()
}

/// Whether nobody writes an object who may write in some namespaces only.
pub(super) fn is_out_of_reach(seen: Seen<'_>) -> bool {
    place(seen).is_none_or(|namespace| SYSTEM.contains(&namespace))
}

/// Whether an object in the record of `lister` belongs to it: it is in the same namespace, or it says so
/// itself. A mark without a namespace suffices where the record is out of the reach of tenants, or where
/// whoever may write the record could delete the object anyway.
pub(super) fn is_said_back<'s>(
    lister: Seen<'s>,
    entry: Seen<'s>,
    installer: &Installer,
    rows: &Rows<'s>,
    facts: &Facts<'s>,
) -> Known<bool> {
    let home = place(lister);
    let is_owned = entry.object.is_owned_by(lister.object);
    if is_owned || (home.is_some() && place(entry) == home) {
        return Ok(true);
    }
    let Some(own) = rows.named(installer, lister) else { return Ok(false) };
    let marks = [(installer.mark)(entry), (installer.also)(&entry.object.metadata)];
    let mut marks = marks.into_iter().flatten().filter(|mark| mark.is_called(&own));
    let Some(mark) = marks.find(|mark| mark.namespace.is_none() || mark.namespace == own.namespace) else {
        return Ok(false);
    };
    match home {
        _ if mark.namespace == own.namespace && (mark.namespace.is_some() || installer.by_name) => Ok(true),
        None => Ok(installer.by_name),
        Some(_) if (installer.place)(&lister.resource.id).is_some() => Ok(true),
        Some(home) => access::may_delete_from(home, entry, facts),
    }
}

/// The accounts as which the installer acts for the product's own objects.
pub(super) fn accounts(product: &Installed<'_>, facts: &Facts<'_>) -> Known<Vec<Account>> {
    flat_each(&product.own, |own| {
        let whole = facts.whole(*own).if_readable()?.flatten();
        let name = whole.and_then(product.installer.account);
        let account = name.zip(place(*own));
        Ok(account.map(|(name, namespace)| Account { namespace: namespace.to_owned(), name: name.to_owned() }))
    })
}
