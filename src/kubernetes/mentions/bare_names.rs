//! Objects that a controller's message names without their kind: `please delete reports-db-1 to
//! resume`. A message is mostly about kinds that the controller works on, so these are searched.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::edge::{Edge, How, InTheWay};
use crate::kubernetes::mentions::resolve::{End, resolve};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::messages::conversion::is_about_a_conversion;
use crate::kubernetes::messages::{bare_words, mentions};
use crate::kubernetes::statements::statement::Statement;
use crate::report::Ref;
use crate::survey::{Form, Resource, Seen, is_name};

/// How many kinds are searched.
const MAX_KINDS: usize = 6;

/// Words in the names of finalizers that are the same on each object.
const OF_FINALIZERS: [&str; 6] = ["cleanup", "controller", "finalizer", "finalizers", "operator", "protection"];

/// The objects that messages name without a kind.
#[derive(Default)]
pub(crate) struct NamedWithoutKind<'s> {
    /// Those that exist.
    pub(crate) there: Vec<InTheWay<'s>>,
    /// One that an entry among the finalizers names, too, and that exists in none of the kinds.
    pub(crate) absent: Option<GoneObject>,
}

/// An object that does not exist.
#[derive(Debug, Clone)]
pub(crate) enum GoneObject {
    /// Its kind is named, too.
    OfKind(Ref),
    /// A mere name, which no object of the kinds has.
    Called(String),
}

/// The objects that messages about trouble name without a kind, in the namespace of the object and
/// among the kinds of its group.
pub(crate) fn named_without_kind<'s>(
    troubles: &[&Statement<'s>],
    finalizer: &str,
    held: &HeldObjects<'s>,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<NamedWithoutKind<'s>> {
    if let Some(by_entry) = by_entry(troubles, finalizer, held.first(), facts, gaps)? {
        return Ok(by_entry);
    }
    // A refusal names the gate and its backend, which the controller does not wait for.
    let custom = |said: &&&Statement<'s>| {
        is_custom(&said.of.resource.id.group)
            && !is_about_admission(&said.message)
            && !is_about_a_conversion(&said.message)
    };
    let named: Vec<(&Statement<'s>, &str)> = troubles
        .iter()
        .filter(custom)
        .flat_map(|said| words_like_names(&said.message).map(move |name| (*said, name)))
        .filter(|(said, name)| *name != said.of.object.name())
        .collect();
    let Some((first, _)) = named.first() else { return Ok(NamedWithoutKind::default()) };
    let kinds = kinds(first.of.resource, facts);
    let mut all_read = true;
    let found = flat_each(kinds, |kind| {
        let place = first.of.object.metadata.namespace.as_deref().filter(|_| kind.namespaced);
        let objects = facts.list(&kind.id, place, Form::Metadata).if_readable()?;
        all_read &= objects.is_some();
        let words: Vec<&str> = named.iter().map(|(_, name)| *name).collect();
        let there = facts.all_named(objects.unwrap_or_default(), &words);
        Ok(there.into_iter().map(move |object| Seen { resource: kind, object }))
    })?;
    let edge = |blocker: Seen<'s>| {
        let waiting = named.iter().find(|(_, name)| *name == blocker.object.name()).map(|(said, _)| said.of)?;
        (waiting.object.uid() != blocker.object.uid()).then_some(InTheWay { waiting, blocker, sure: false })
    };
    let edges: Vec<InTheWay<'s>> = found.into_iter().filter_map(edge).collect();
    if !edges.is_empty() {
        return Ok(NamedWithoutKind { there: edges, absent: None });
    }
    // An entry among the finalizers with the same word shows that the word is a name at all.
    let entry = named.iter().find(|(said, name)| {
        let object = said.of.object;
        let entries = std::iter::once(finalizer).chain(object.metadata.finalizers.iter().map(String::as_str));
        entries.into_iter().any(|entry| entry.ends_with(name) && mentions(&entry.replace(['.', '/'], " "), name))
    });
    let absent = entry.filter(|_| all_read).map(|(_, name)| GoneObject::Called((*name).to_owned()));
    Ok(NamedWithoutKind { there: Vec::new(), absent })
}

/// The object that an entry among the finalizers names, by kind and name: `user.reports` or
/// `user/reports`. Another finalizer of the object counts if a message about trouble names the kind.
fn by_entry<'s>(
    troubles: &[&Statement<'s>],
    finalizer: &str,
    first: Seen<'s>,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Option<NamedWithoutKind<'s>>> {
    let edges = first.object.metadata.finalizers.iter().filter_map(|entry| {
        let (kind, name) = entry.split_once(['.', '/'])?;
        let mut kinds = facts.discovery().resources.iter().filter(|it| it.id.group == first.resource.id.group);
        let kind = kinds.find(|it| it.kind.eq_ignore_ascii_case(kind) && it.kind != first.resource.kind)?;
        let said = troubles.iter().any(|said| said.message.contains(kind.kind.as_str()));
        let is_called_so = is_name(name) && !name.split(['.', '-']).any(|word| OF_FINALIZERS.contains(&word));
        // `boat.ferry.example` names the kind and its group, and no object.
        let is_group = name == kind.id.group || kind.id.group.ends_with(&format!(".{name}"));
        let counts = is_custom(&kind.id.group) && is_called_so && !is_group && (entry == finalizer || said);
        let to = Edge::to(first, kind, None, name).filter(|_| counts)?;
        Some(Edge { how: How::Entry, field: "metadata.finalizers".into(), ..to })
    });
    let found = flat_each(edges, |edge| {
        let end = gaps.pass(resolve(&edge, Form::Metadata, facts))?;
        Ok(end.map(|end| match end {
            End::There(blocker) | End::Going(blocker) => {
                NamedWithoutKind { there: vec![InTheWay { waiting: first, blocker, sure: false }], absent: None }
            }
            End::Absent(what) => NamedWithoutKind { there: Vec::new(), absent: Some(GoneObject::OfKind(what)) },
        }))
    })?;
    Ok(found.into_iter().next())
}

/// The kinds that the controller of `own` works on, as far as that is known: `own` itself, and
/// the other kinds of its group.
fn kinds<'s>(own: &Resource, facts: &Facts<'s>) -> Vec<&'s Resource> {
    let listable = facts.discovery().listable();
    let mut kinds: Vec<&Resource> = listable.filter(|kind| kind.id.group == own.id.group).collect();
    kinds.sort_by_key(|kind| (kind.id.plural != own.id.plural, &kind.id));
    kinds.truncate(MAX_KINDS);
    kinds
}

/// Words that are very probably names: they contain a hyphen or are in quotes.
fn words_like_names(message: &str) -> impl Iterator<Item = &str> {
    let quoted = message.split(['"', '\'', '`']).skip(1).step_by(2);
    let words = bare_words(message).filter(|word| word.contains('-') && word.len() > 3);
    quoted.chain(words).filter(|word| is_name(word) && !word.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognized_by_their_form() {
        let names = |message| words_like_names(message).collect::<Vec<_>>();
        assert_eq!(names("Please delete reports-db-1 to resume ..."), ["reports-db-1"]);
        assert_eq!(names("blocked by \"orders\"."), ["orders"]);
        assert_eq!(names("Deletion in progress, but blocked."), [""; 0]);
    }
}
