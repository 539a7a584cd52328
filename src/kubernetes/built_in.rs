//! References to objects of kinds that every API server has.

use crate::report::{Named, Ref};

/// A reference to an object of a kind that every API server has.
pub(crate) fn named(api_version: &str, kind: &str, plural: &str, namespace: Option<&str>, name: &str) -> Ref {
    Ref::from(Named {
        api_version: api_version.into(),
        kind: kind.into(),
        resource: plural.into(),
        namespace: namespace.map(Into::into),
        name: name.into(),
        ..Named::default()
    })
}
