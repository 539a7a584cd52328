//! Differences between objects with the same finalizer and controller: each may have its own
//! statement, pause or node.

use crate::facts::{Facts, Known, Readable, for_each};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::Clarity;
use crate::kubernetes::mentions::nodes::node_edges;
use crate::kubernetes::mentions::spec::spec_edges;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::progress::pauses;
use crate::kubernetes::statements::statement::in_status;
use crate::survey::{Object, Seen};
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// How many objects with the same finalizer are read for their statements.
const MAX_ASKED: usize = 8;

/// Splits objects that wait for one finalizer by differences that may be the reason, in order of
/// first appearance. Objects without such a difference, and objects that were not read, stay
/// together.
pub(crate) fn by_reason<'s>(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<Vec<Seen<'s>>>> {
    if objects.len() < 2 || !is_custom(&objects[0].resource.id.group) {
        return Ok(vec![objects.to_vec()]);
    }
    let mut said: Vec<Option<String>> = vec![None; objects.len()];
    for_each(objects.iter().enumerate().take(MAX_ASKED), |(place, seen)| {
        if let Some(object) = facts.whole(*seen).if_readable()?.flatten() {
            let whole = Seen { object, ..*seen };
            // A finding for each of many objects would hide what they have in common.
            let names = if objects.len() <= MAX_ASKED { names_mentioned(whole, facts) } else { BTreeSet::new() };
            said[place] = Some([reason(whole, facts)?].into_iter().chain(names).collect::<Vec<_>>().join("\n"));
        }
        Ok(())
    })?;
    // If all that were read say the same, the others are assumed to be held by the same thing.
    let mut different = said.iter().flatten();
    let first = different.next().cloned().unwrap_or_default();
    let others = if different.all(|other| *other == first) { first } else { String::new() };
    let mut groups: IndexMap<String, Vec<Seen<'s>>> = IndexMap::new();
    for (seen, said) in objects.iter().zip(said) {
        groups.entry(said.unwrap_or_else(|| others.clone())).or_default().push(*seen);
    }
    Ok(groups.into_values().collect())
}

/// The reason that an object's status gives, without the names, numbers and times that differ from
/// object to object; whether it is paused, and its nodes. Empty if there is none.
fn reason(seen: Seen<'_>, facts: &Facts<'_>) -> Known<String> {
    let said = in_status(seen, facts).into_iter().filter(|said| said.trouble || said.goes_on || said.before);
    let said: BTreeSet<String> = said.map(|said| without_names(&said.message, seen.object)).collect();
    let mut all = Vec::from_iter(said);
    all.extend(pauses::switch(seen, |_| true).map(|_| "paused".to_owned()));
    // What cannot be read of the nodes is noted by the search for the controller.
    let nodes = node_edges(seen, facts, &Gaps::default())?;
    all.extend(nodes.into_iter().filter(|node| node.clarity == Clarity::Explicit).map(|node| node.name));
    Ok(all.join("\n"))
}

/// The names in an object's references that its error messages mention: not all objects lack the
/// same thing.
fn names_mentioned(seen: Seen<'_>, facts: &Facts<'_>) -> BTreeSet<String> {
    let said = in_status(seen, facts).into_iter().filter(|said| said.trouble);
    let messages: Vec<String> = said.map(|said| said.message.clone()).collect();
    let names = spec_edges(seen, facts.discovery()).into_iter().map(|reference| reference.name);
    let is_mentioned = |name: &String| messages.iter().any(|message| mentions(message, name));
    names.filter(|name| name != seen.object.name() && is_mentioned(name)).collect()
}

/// The words of a message that are not names: letters only, and not the object's name.
pub(crate) fn without_names(message: &str, of: &Object) -> String {
    let own = [Some(of.name()), of.metadata.namespace.as_deref()];
    let words = message.split(|c: char| c.is_whitespace() || "\"'`,;()[]".contains(c));
    let plain = words
        .map(|word| word.trim_end_matches([':', '.']))
        .filter(|word| !word.is_empty() && word.chars().all(char::is_alphabetic) && !own.contains(&Some(word)));
    plain.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_compared_without_object_names() {
        let object = |name: &str| -> Object {
            serde_json::from_value(serde_json::json!({"metadata": {"name": name, "namespace": "shop"}})).unwrap()
        };
        let one = without_names("cannot delete bucket shop/orders-1: denied after 3s", &object("orders-1"));
        let other = without_names("cannot delete bucket \"shop/carts-2\": denied after 40s", &object("carts-2"));
        assert_eq!((one.as_str(), one == other), ("cannot delete bucket denied after", true));
        assert_eq!(without_names("waits for web", &object("web")), "waits for");
        assert_ne!(without_names("AccessDenied", &object("a")), without_names("InUse", &object("a")));
    }
}
