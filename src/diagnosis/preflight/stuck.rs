//! Objects that would be deleted with a target and are stuck in their deletion already.

use crate::diagnosis::targets;
use crate::facts::{Facts, SETTLE, is_late};
use crate::needs::{Findings, Outlook};
use crate::survey::{Seen, Survey, TargetName};

/// How many of them are diagnosed.
const MAX_STUCK: usize = 20;

/// Adds the ordinary diagnosis of each: whatever holds it now would hold the target.
pub(super) fn look<'s>(content: &[Seen<'s>], survey: &'s Survey, facts: &Facts<'s>, out: &mut Outlook) {
    let late = content.iter().filter(|seen| is_late(seen.object, facts, SETTLE)).take(MAX_STUCK);
    for seen in late {
        let mut found = Findings::default();
        targets::look_at(&TargetName::of(&seen.resource.id, seen.object), facts, survey, &mut found);
        for draft in found.drafts.into_iter().filter(|draft| draft.finding.is_root_cause()) {
            out.hangs(draft);
        }
    }
}
