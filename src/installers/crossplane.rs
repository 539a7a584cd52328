//! Crossplane: a package owns its revisions, and these own the objects that they created
//! (crossplane/crossplane: `apis/pkg/v1/revision_types.go`, `objectRefs`).

use super::installer::{Installer, Mark, PLAIN};
use super::inventory::Inventory;
use crate::survey::Seen;

pub(super) const INSTALLER: Installer = Installer {
    word: "crossplane",
    title: "Crossplane package",
    by_name: true,
    names,
    own: &[
        ("pkg.crossplane.io", "providers"),
        ("pkg.crossplane.io", "configurations"),
        ("pkg.crossplane.io", "functions"),
        ("pkg.crossplane.io", "providerrevisions"),
        ("pkg.crossplane.io", "configurationrevisions"),
        ("pkg.crossplane.io", "functionrevisions"),
    ],
    inventory: |own| Inventory::listed(own, "/status/objectRefs"),
    by_itself: "deleting a package deletes its Deployment and its definitions at once: its managed resources wait for \
                a provider that is gone, and what they represent outside stays",
    ..PLAIN
};

/// A Provider and a Function may have the same name.
fn names(seen: Seen<'_>) -> Option<Mark> {
    let kind = match seen.resource.id.plural.as_str() {
        "providers" => "Provider",
        "configurations" => "Configuration",
        "functions" => "Function",
        _ => return None,
    };
    Some(Mark::new(None, seen.object.name()).of_kind(kind))
}
