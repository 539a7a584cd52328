//! Results that are computed or sorted once and shared.

use super::known::Known;
use super::read::Facts;
use crate::survey::{Object, Seen};
use std::rc::Rc;

/// Lists of at least this length are searched through an index of their names, shorter ones from the
/// beginning.
const LONG: usize = 16;

impl<'s> Facts<'s> {
    /// The result of `work`, which runs once for each `key`. The key must contain everything that
    /// `work` depends on besides the survey.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn once<T: 'static>(&self, key: &str, work: impl FnOnce() -> Known<T>) -> Known<Rc<T>> {
        self.memo.once(key, work)
    }

    /// The first object with this name in a list of the survey.
    #[must_use]
    pub fn named(&self, list: &'s [Object], name: &str) -> Option<&'s Object> {
        if list.len() < LONG {
            return list.iter().find(|object| object.name() == name);
        }
        let by_name = self.memo.by_name(list);
        let first = by_name.get(by_name.partition_point(|place| list[*place].name() < name))?;
        Some(&list[*first]).filter(|object| object.name() == name)
    }

    /// The objects of a list of the survey whose names begin with `prefix`, in its order.
    #[must_use]
    pub fn beginning(&self, list: &'s [Object], prefix: &str) -> Vec<&'s Object> {
        let begins = |place: &usize| list[*place].name().starts_with(prefix);
        let by_name = self.memo.by_name(list);
        let first = by_name.partition_point(|place| list[*place].name() < prefix);
        let mut places: Vec<usize> = by_name[first..].iter().copied().take_while(begins).collect();
        places.sort_unstable();
        places.into_iter().map(|place| &list[place]).collect()
    }

    /// The objects of a list of the survey that have one of these names, in its order.
    #[must_use]
    pub fn all_named(&self, list: &'s [Object], names: &[&str]) -> Vec<&'s Object> {
        if names.is_empty() || list.len() < LONG {
            return list.iter().filter(|object| names.contains(&object.name())).collect();
        }
        let by_name = self.memo.by_name(list);
        let mut places: Vec<usize> = Vec::new();
        for name in names {
            let first = by_name.partition_point(|place| list[*place].name() < *name);
            places.extend(by_name[first..].iter().take_while(|place| list[**place].name() == *name));
        }
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|place| &list[place]).collect()
    }

    /// Whether the object is a target, or is deleted with one: with its namespace or with its
    /// definition.
    #[must_use]
    pub fn is_asked_about(&self, seen: Seen<'_>) -> bool {
        let (id, metadata) = (&seen.resource.id, &seen.object.metadata);
        let namespace = metadata.namespace.as_deref();
        let definition = format!("{}.{}", id.plural, id.group);
        namespace.is_some_and(|name| self.asked.contains(&("", "namespaces", None, name)))
            || self.asked.contains(&("apiextensions.k8s.io", "customresourcedefinitions", None, &definition))
            || self.asked.contains(&(&id.group, &id.plural, namespace, &metadata.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::known::Unknown;
    use crate::survey::{Form, InMemory, ResourceId, Want};
    use std::cell::Cell;

    fn object(name: &str) -> Object {
        serde_json::from_value(serde_json::json!({"metadata": {"name": name, "uid": format!("uid-{name}")}})).unwrap()
    }

    #[test]
    fn results_are_computed_once() {
        let survey = InMemory::default().survey();
        let facts = Facts::new(&survey);
        let asked = Cell::new(0);
        let ask = |key: &str| {
            facts.once(key, || {
                asked.set(asked.get() + 1);
                Ok(format!("told of {key}"))
            })
        };
        assert_eq!((ask("a").unwrap().as_str(), ask("a").unwrap().as_str()), ("told of a", "told of a"));
        assert_eq!((ask("b").unwrap().as_str(), asked.get()), ("told of b", 2));
        assert_eq!(*facts.once("a", || Ok(7)).unwrap(), 7, "another type is another question");
        let unknown = || facts.once::<u8>("c", || Err(Unknown::NotSurveyed)).unwrap_err();
        assert_eq!((unknown(), unknown()), (Unknown::NotSurveyed, Unknown::NotSurveyed));
    }

    #[test]
    fn an_index_finds_what_a_search_finds() {
        let kind = ResourceId::new("", "v1", "events");
        let mut names: Vec<String> = (0..200).map(|number| format!("pod-{}.{number}", number % 50)).collect();
        names.push("pod-1.1".into());
        let mut cluster = InMemory::default();
        for name in &names {
            cluster.add(&kind, object(name));
        }
        let survey = cluster.read([Want::list(&kind, None, Form::Metadata)]);
        let facts = Facts::new(&survey);
        let list = facts.list(&kind, None, Form::Metadata).unwrap();
        for prefix in ["pod-1.", "pod-4", "pod-49.199", "q", ""] {
            let searched: Vec<*const Object> =
                list.iter().filter(|object| object.name().starts_with(prefix)).map(std::ptr::from_ref).collect();
            let found: Vec<*const Object> = facts.beginning(list, prefix).into_iter().map(std::ptr::from_ref).collect();
            assert_eq!(found, searched, "{prefix}");
        }
        for names in [&["pod-7.7", "none", "pod-1.1", "pod-7.7"][..], &[]] {
            let searched: Vec<*const Object> =
                list.iter().filter(|object| names.contains(&object.name())).map(std::ptr::from_ref).collect();
            let found: Vec<*const Object> = facts.all_named(list, names).into_iter().map(std::ptr::from_ref).collect();
            assert_eq!(found, searched, "{names:?}");
        }
        for name in ["pod-1.1", "pod-7.7", "none"] {
            let searched = list.iter().find(|object| object.name() == name).map(std::ptr::from_ref);
            assert_eq!(facts.named(list, name).map(std::ptr::from_ref), searched, "{name}");
        }
    }
}
