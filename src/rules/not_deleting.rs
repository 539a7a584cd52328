//! Nobody has asked for the deletion of this object.

use super::Rule;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Target};

pub(super) const RULE: Rule = Rule { name: "not-deleting", explanation: include_str!("not_deleting.md"), diagnose };

#[expect(clippy::unnecessary_wraps, reason = "every rule has this shape")]
fn diagnose(target: &Target<'_>, _: &Facts<'_>, found: &mut Findings) -> Known {
    if !target.is_deleting() {
        let object = target.reference();
        found.add(Draft::new(Cause::NotDeleting, object.clone(), format!("{object} is not being deleted")).evidence(
            "no deletionTimestamp: no DELETE was accepted",
            &object,
            "metadata.deletionTimestamp",
        ));
    }
    Ok(())
}
