//! Obstacles of a namespace's content after its pods: while a pod is left, only pods are deleted, so a
//! controller that does not run would be noticed only then.

use crate::facts::{Facts, Known, Target};
use crate::needs::{Draft, Going, Outlook, World};
use crate::reasons::foreseen;
use crate::survey::Seen;

/// Foresees how `objects`, which are not being deleted yet, would get stuck.
pub(crate) fn troubles<'s>(target: &Target<'s>, objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<Draft>> {
    let going = Going::of_objects(std::iter::once(target.seen));
    let (content, further) = (Ok(objects.to_vec()), Ok(Vec::new()));
    let mut out = Outlook::default();
    foreseen::of_content(objects, &World::new(&going, &content, &further), facts, &mut out)?;
    Ok(out.drafts)
}
