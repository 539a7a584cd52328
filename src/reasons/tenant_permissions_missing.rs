//! The account that the object names may not delete what the object has created.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason = Reason {
    name: "tenant-permissions-missing",
    page: include_str!("tenant_permissions_missing.md"),
    stage: Stage::Rights,
};
