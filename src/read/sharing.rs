//! Distributes everything that is followed among watches: one watch for each kind and namespace,
//! but never more than a server handles on one connection.

use crate::survey::{Form, Object, ResourceId, Want};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many watches are open at a time. A server handles 100 requests on a connection
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/server/secure_serving.go`), and other
/// reads need some of them.
pub const MAX_WATCHES: usize = 40;

/// A group of wants that one watch follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchGroup {
    /// The list that is watched: one kind, in one namespace or in the whole cluster.
    pub place: Want,
    /// The parts of the list that are followed: lists, and objects by name.
    pub members: BTreeSet<Want>,
}

/// Groups with the same key can share a watch.
pub type WatchKey = (ResourceId, Option<String>);

/// The watches and polled groups that follow everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shared {
    /// The groups that are watched.
    pub watched: Vec<WatchGroup>,
    /// The groups that are read at intervals, because there would be more than [`MAX_WATCHES`].
    pub polled: Vec<WatchGroup>,
}

/// Distributes `places`, the most important first, among watches: one for each kind and namespace.
/// If that is too many, the kinds that are followed in the most namespaces are watched in the whole
/// cluster. If there are still too many kinds, the last ones are polled. Watches on the whole
/// cluster that are already `open` are kept.
#[must_use]
pub fn share(places: impl IntoIterator<Item = Want>, open: &BTreeSet<WatchKey>) -> Shared {
    let mut groups: BTreeMap<ResourceId, BTreeMap<Option<String>, Ranked>> = BTreeMap::new();
    for (rank, place) in places.into_iter().enumerate() {
        let of_kind = groups.entry(place.resource.clone()).or_default();
        of_kind
            .entry(place.namespace.clone())
            .or_insert_with(|| Ranked { rank, members: BTreeSet::new() })
            .members
            .insert(place);
    }
    for (resource, of_kind) in &mut groups {
        if of_kind.contains_key(&None) || open.contains(&(resource.clone(), None)) {
            merge(of_kind);
        }
    }
    let count = |groups: &BTreeMap<_, BTreeMap<_, _>>| groups.values().map(BTreeMap::len).sum::<usize>();
    while count(&groups) > MAX_WATCHES {
        let widest = groups.values_mut().max_by_key(|of_kind| of_kind.len()).filter(|of_kind| of_kind.len() > 1);
        let Some(of_kind) = widest else { break };
        merge(of_kind);
    }
    let groups = groups.into_iter().flat_map(|(resource, of_kind)| {
        of_kind.into_iter().map(move |(namespace, Ranked { rank, members })| {
            (rank, WatchGroup::of(&resource, namespace.as_deref(), members))
        })
    });
    let mut groups: Vec<(usize, WatchGroup)> = groups.collect();
    groups.sort_by_key(|(rank, _)| *rank);
    let mut watched: Vec<WatchGroup> = groups.into_iter().map(|(_, group)| group).collect();
    let polled = watched.split_off(watched.len().min(MAX_WATCHES));
    Shared { watched, polled }
}

/// Members, and the best rank among them.
struct Ranked {
    rank: usize,
    members: BTreeSet<Want>,
}

fn merge(of_kind: &mut BTreeMap<Option<String>, Ranked>) {
    let merged = std::mem::take(of_kind).into_values().reduce(|mut one, other| {
        one.rank = one.rank.min(other.rank);
        one.members.extend(other.members);
        one
    });
    of_kind.extend(merged.map(|merged| (None, merged)));
}

impl WatchGroup {
    fn of(resource: &ResourceId, namespace: Option<&str>, members: BTreeSet<Want>) -> Self {
        let whole = members.iter().any(|member| member.form == Form::Whole);
        let form = if whole { Form::Whole } else { Form::Metadata };
        Self { place: Want::list(resource, namespace, form), members }
    }

    /// The key of the watch.
    #[must_use]
    pub fn key(&self) -> WatchKey {
        (self.place.resource.clone(), self.place.namespace.clone())
    }

    /// Whether the watch of `self` also shows everything that `other` follows.
    #[must_use]
    pub fn serves(&self, other: &Self) -> bool {
        self.place == other.place && self.members.is_superset(&other.members)
    }

    /// The only object that is followed, if there is just one and nothing else.
    #[must_use]
    pub fn single(&self) -> Option<&Want> {
        self.members.first().filter(|first| self.members.len() == 1 && first.name.is_some())
    }

    /// Splits the group for callers who may not read the whole: by namespaces, or else by names.
    /// Empty if it cannot be split.
    #[must_use]
    pub fn parts(&self) -> Vec<Self> {
        if self.place.name.is_some() {
            return Vec::new();
        }
        let is_wide = self.place.namespace.is_none() && self.members.iter().any(|member| member.namespace.is_some());
        let mut parts: BTreeMap<(Option<&str>, Option<&str>), BTreeSet<Want>> = BTreeMap::new();
        for member in &self.members {
            let name = if is_wide { None } else { member.name.as_deref() };
            parts.entry((member.namespace.as_deref(), name)).or_default().insert(member.clone());
        }
        let is_smaller =
            |(namespace, name): &(Option<&str>, Option<&str>)| is_wide && namespace.is_some() || name.is_some();
        let (smaller, same): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(at, _)| is_smaller(at));
        if smaller.is_empty() {
            return Vec::new();
        }
        let part = |((namespace, name), members): ((Option<&str>, Option<&str>), BTreeSet<Want>)| {
            let mut part = Self::of(&self.place.resource, namespace, members);
            part.place.name = name.map(str::to_owned);
            part
        };
        smaller.into_iter().chain(same).map(part).collect()
    }
}

/// The members of a group, by namespace and name.
#[derive(Debug)]
pub struct Members(HashMap<(Option<String>, Option<String>), Vec<Want>>);

impl Members {
    /// Indexes the members of `group`.
    #[must_use]
    pub fn of(group: &WatchGroup) -> Self {
        let mut members: HashMap<_, Vec<Want>> = HashMap::with_capacity(group.members.len());
        for member in &group.members {
            members.entry((member.namespace.clone(), member.name.clone())).or_default().push(member.clone());
        }
        Self(members)
    }

    /// The members that follow `object`.
    pub(crate) fn that_follow(&self, object: &Object) -> impl Iterator<Item = &Want> {
        let namespace = object.metadata.namespace.as_deref().map(ToOwned::to_owned);
        let is_namespaced = namespace.is_some();
        let by_name = (namespace.clone(), Some(object.name().to_owned()));
        let wide = is_namespaced.then_some((None, None));
        [Some(by_name), Some((namespace, None)), wide]
            .into_iter()
            .flatten()
            .filter_map(|key| self.0.get(&key))
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(kind: &str, namespace: Option<&str>, name: &str) -> Want {
        Want::get(&ResourceId::new("", "v1", kind), namespace, name, Form::Metadata)
    }

    fn list(kind: &str, namespace: Option<&str>) -> Want {
        Want::list(&ResourceId::new("", "v1", kind), namespace, Form::Metadata)
    }

    fn object(namespace: Option<&str>, name: &str) -> Object {
        let mut object = Object::default();
        object.metadata.name = name.into();
        object.metadata.namespace = namespace.map(Into::into);
        object
    }

    fn nothing() -> BTreeSet<WatchKey> {
        BTreeSet::new()
    }

    #[test]
    fn ten_thousand_of_a_kind_and_place_are_one_watch() {
        let pods = (0..10_000).map(|number| named("pods", Some("shop"), &format!("p{number}")));
        let shared = share(pods.chain([list("configmaps", Some("shop"))]), &nothing());
        assert_eq!((shared.watched.len(), shared.polled.len()), (2, 0));
        assert_eq!(shared.watched[0].place, list("pods", Some("shop")));
        assert_eq!(shared.watched[0].members.len(), 10_000);
        assert_eq!(shared.watched[1].single(), None);
        let one = share([named("pods", Some("shop"), "p")], &nothing());
        assert_eq!(one.watched[0].single(), Some(&named("pods", Some("shop"), "p")));
    }

    #[test]
    fn too_many_watches_become_cluster_wide_the_widest_kind_first() {
        let many = |kind: &str, count: usize| -> Vec<Want> {
            (0..count).map(|number| list(kind, Some(&format!("n{number}")))).collect()
        };
        let places = || many("pods", 30).into_iter().chain(many("secrets", 12));
        let shared = share(places(), &nothing());
        assert_eq!((shared.watched.len(), shared.polled.len()), (13, 0));
        assert_eq!(shared.watched[0].place, list("pods", None));
        assert_eq!(shared.watched[0].members.len(), 30);
        // A watch of the whole cluster is kept even if there are fewer places.
        let open = BTreeSet::from([shared.watched[0].key()]);
        assert_eq!(share(many("pods", 2), &open).watched[0].place, list("pods", None));
        assert_eq!(share(many("pods", 2), &nothing()).watched.len(), 2);
    }

    #[test]
    fn the_least_important_of_too_many_kinds_are_polled() {
        let kinds = (0..MAX_WATCHES + 5).map(|number| list(&format!("k{number:02}"), Some("shop")));
        let shared = share(kinds.rev(), &nothing());
        assert_eq!((shared.watched.len(), shared.polled.len()), (MAX_WATCHES, 5));
        assert_eq!(shared.watched[0].place.resource.plural, "k44");
        assert!(shared.polled.iter().all(|group| group.place.resource.plural.as_str() < "k05"));
    }

    #[test]
    fn a_list_of_the_whole_cluster_serves_what_is_in_it() {
        let shared = share([named("pods", Some("a"), "p"), list("pods", None)], &nothing());
        assert_eq!(shared.watched.len(), 1);
        let members = Members::of(&shared.watched[0]);
        assert_eq!(members.that_follow(&object(Some("a"), "p")).count(), 2);
        assert_eq!(members.that_follow(&object(Some("b"), "p")).count(), 1);
    }

    #[test]
    fn an_object_is_reported_only_to_its_followers() {
        let places = [named("pods", Some("a"), "p"), list("pods", Some("a")), named("pods", Some("b"), "p")];
        let shared = share(places.clone(), &BTreeSet::from([(ResourceId::new("", "v1", "pods"), None)]));
        let members = Members::of(&shared.watched[0]);
        let of = |namespace: &str, name: &str| {
            members.that_follow(&object(Some(namespace), name)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(of("a", "p"), places[..2]);
        assert_eq!((of("a", "q"), of("b", "p")), (vec![places[1].clone()], vec![places[2].clone()]));
        assert!(of("b", "q").is_empty());
        let namespaces = share([named("namespaces", None, "a")], &nothing());
        assert_eq!(Members::of(&namespaces.watched[0]).that_follow(&object(None, "a")).count(), 1);
    }

    #[test]
    fn a_forbidden_cluster_wide_watch_is_split() {
        let places = [named("pods", Some("a"), "p"), named("pods", Some("a"), "q"), named("pods", Some("b"), "p")];
        let wide = share(places, &BTreeSet::from([(ResourceId::new("", "v1", "pods"), None)])).watched.remove(0);
        let parts = wide.parts();
        assert_eq!(
            parts.iter().map(|part| part.place.clone()).collect::<Vec<_>>(),
            [list("pods", Some("a")), list("pods", Some("b"))]
        );
        let names = parts[0].parts();
        assert_eq!(names.len(), 2);
        assert_eq!(names[0].place, named("pods", Some("a"), "p"));
        assert!(names[0].parts().is_empty());
        let alone = share([list("pods", Some("a"))], &nothing()).watched.remove(0);
        assert!(alone.parts().is_empty(), "nothing smaller");
    }
}
