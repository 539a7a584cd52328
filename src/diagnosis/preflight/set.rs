//! Several objects that are deleted as one: the content of each, and objects that lose their operator.

use super::product::{Set, homes};
use super::{content, elsewhere};
use crate::diagnosis::explore::resource_of;
use crate::facts::{Facts, Known, Readable, Target, flat_each, is_namespace};
use crate::kubernetes::definitions::{Definition, Instances};
use crate::needs::Going;
use crate::survey::{Seen, Survey, TargetName};
use std::collections::HashSet;

impl Set<'_> {
    /// Whether it is a product, or more than one object that the user has named, and not only namespaces.
    pub(super) fn counts_as_one(&self, survey: &Survey) -> bool {
        let is_place = |target: &TargetName| is_namespace(&resource_of(target, survey));
        !self.products.is_empty() || (self.targets.len() > 1 && !self.targets.iter().all(is_place))
    }
}

/// The objects whose deletion belongs to that of a target.
pub(super) struct SetContent<'s> {
    /// All of them.
    pub(super) all: Vec<Seen<'s>>,
    /// How many of these, the last ones, lose their operator without being deleted with the target.
    pub(super) left: usize,
}

/// The content of a target: the objects that are deleted with it, those that its installer created and
/// removes, and those that lose their operator with it. The latter are not deleted with it, and must be gone
/// before, whether the operator is named itself, with its namespace or as a product.
pub(super) fn content<'s>(
    target: &Target<'s>,
    set: &Set<'s>,
    going: &Going<'_>,
    facts: &Facts<'s>,
) -> Known<SetContent<'s>> {
    let own = content::content(target, going, facts);
    let along = set.contents.get(target.object().uid()).map_or(&[][..], Vec::as_slice);
    let made = flat_each(along, |seen| with_its_own(*seen, facts));
    let mut homes = homes(along.iter().copied().chain([target.seen]));
    if target.is_namespace() && own.as_ref().is_ok_and(|own| own.iter().any(elsewhere::runs)) {
        homes.insert(target.object().name());
    }
    let stranded = if homes.is_empty() { Ok(Vec::new()) } else { elsewhere::stranded(&homes, going, facts) };
    let (mut all, made, stranded) = (own?, made?, stranded?);
    let mut known: HashSet<&str> = all.iter().map(|seen| seen.object.uid()).collect();
    all.extend(made.into_iter().filter(|seen| known.insert(seen.object.uid())));
    let with_it = all.len();
    all.extend(stranded.into_iter().filter(|seen| known.insert(seen.object.uid())));
    Ok(SetContent { left: all.len() - with_it, all })
}

/// One object with its content.
fn with_its_own<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let mut all = vec![seen];
    if is_namespace(seen.resource) {
        all.extend(content::of_namespace(seen.object.name(), facts)?);
    } else if Definition::is(seen).is_some()
        && let Some(object) = facts.whole(seen).or_note(facts)?.flatten()
        && let Some(definition) = Definition::is(Seen { resource: seen.resource, object })
    {
        match definition.instances(facts)? {
            Instances::Listed(instances) => all.extend(instances),
            Instances::Unread { what, why } => facts.note_unread(what, &why),
            Instances::Unserved => {}
        }
    }
    Ok(all)
}
