//! Combines wants that one list answers. When many namespaces are swept, a list of a kind in all
//! namespaces replaces the lists in each; when many objects of a kind are read, a list replaces the
//! reads of single objects.

use crate::read::list::{Freshness, ListRequest, Listed};
use crate::read::sieve::{KeptObjects, Sieve};
use crate::survey::{Fact, Form, Object, ResourceId, Unread, Want};
use crate::transport::http::Api;
use crate::transport::refusal::Refusal;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// From this many namespaces on, one list in all namespaces replaces a kind's lists in each. Most
/// kinds are rare, so the list is hardly longer than those that it replaces.
const MIN_PLACES: usize = 4;
/// From this many namespaces on, even common kinds are listed in all namespaces: each request has
/// its cost, and there are about 300 kinds.
const MANY_PLACES: usize = 16;
/// With fewer namespaces, a list is given up when it is longer than this many bytes for each of
/// them: the kind is common elsewhere.
const MAX_BYTES_A_PLACE: u64 = 256 << 10;
/// From this many objects of a kind on, one list replaces the reads of single objects.
const MIN_OBJECTS: usize = 16;
/// The maximum length of that list for each object, in bytes.
const MAX_BYTES_AN_OBJECT: u64 = 64 << 10;

/// How many objects that are being deleted elsewhere are kept in case a rule asks for them later.
pub(crate) const MAX_ASIDE: usize = 5_000;

/// A read: one request, or one list in pages.
pub(crate) enum Read {
    One(Box<Want>),
    SharedList(SharedList),
    /// The first of several wants that one list did not answer, and the reason for that.
    Sample(Vec<Want>, Unread),
}

/// Wants of one kind and form that one list answers.
pub(crate) struct SharedList {
    pub wants: Vec<Want>,
    /// Whether the wants are objects rather than lists.
    named: bool,
}

/// Plans the reads of `wants`.
pub(crate) fn plan(wants: BTreeSet<Want>) -> Vec<Read> {
    let mut groups: BTreeMap<(ResourceId, Form, bool), Vec<Want>> = BTreeMap::new();
    let mut reads = Vec::new();
    for want in wants {
        let named = want.name.is_some();
        let everywhere = !named && want.namespace.is_none();
        if want.log.is_some() || want.probe.is_some() || (everywhere && want.form != Form::Deleting) {
            reads.push(Read::one(want));
        } else {
            let form = if want.form == Form::Deleting { Form::Metadata } else { want.form };
            groups.entry((want.resource.clone(), form, named)).or_default().push(want);
        }
    }
    for ((.., named), wants) in groups {
        let enough = match wants.iter().any(is_everywhere) {
            true => 2,
            false if named => MIN_OBJECTS,
            false => MIN_PLACES,
        };
        if wants.len() >= enough {
            reads.push(Read::SharedList(SharedList { wants, named }));
        } else {
            reads.extend(wants.into_iter().map(Read::one));
        }
    }
    reads
}

/// Whether the want needs the list in all namespaces anyway.
fn is_everywhere(want: &Want) -> bool {
    want.form == Form::Deleting && want.namespace.is_none()
}

impl Read {
    pub(crate) fn one(want: Want) -> Self {
        Self::One(Box::new(want))
    }
}

impl SharedList {
    /// Reads the list and takes the answer to each want from it. The second part is everything else
    /// that it shows, in case a rule asks for it later. A single object is read from the store, and
    /// so is a list that replaces it.
    pub(crate) async fn read(
        &self,
        api: &Api,
        freshness: Freshness,
    ) -> Result<(Vec<Fact>, Option<(Want, Fact)>), Refusal> {
        let first = &self.wants[0];
        let place = self.place();
        let form = if first.form == Form::Deleting { Form::Metadata } else { first.form };
        let list = Want::list(&first.resource, place, form);
        let listing = ListRequest {
            sieve: Sieve { only: self.only(), ..Sieve::of(&list) },
            most: self.most(),
            most_elsewhere: if self.wants.iter().any(is_everywhere) { usize::MAX } else { MAX_ASIDE },
            ..ListRequest::of(api, &list)
        };
        if self.named {
            return Ok((self.objects(listing.paged().await?), None));
        }
        let Listed { objects, lacks_elsewhere, .. } = listing.read(form, freshness, true).await?;
        let aside = if lacks_elsewhere { None } else { self.aside(&objects) };
        Ok((self.lists(objects), aside))
    }

    /// Whether the list shows all objects that are being deleted anywhere.
    fn shows_deletions(&self) -> bool {
        let forms = [Form::Metadata, Form::Deleting];
        !self.named && self.place().is_none() && self.wants.iter().all(|want| forms.contains(&want.form))
    }

    /// All objects that are being deleted anywhere, unless a want asks for them.
    fn aside(&self, objects: &[Object]) -> Option<(Want, Fact)> {
        if !self.shows_deletions() || self.wants.iter().any(is_everywhere) {
            return None;
        }
        let deleting: Vec<&Object> = objects.iter().filter(|object| object.is_deleting()).collect();
        let want = Want::list(&self.wants[0].resource, None, Form::Deleting);
        (deleting.len() <= MAX_ASIDE).then(|| (want, Fact::Listed(deleting.into_iter().cloned().collect())))
    }

    /// The namespace that all wants are in, if there is only one.
    fn place(&self) -> Option<&str> {
        let first = self.wants[0].namespace.as_deref();
        if self.wants.iter().all(|want| want.namespace.as_deref() == first) { first } else { None }
    }

    fn only(&self) -> KeptObjects {
        let place = |want: &Want| want.namespace.clone().unwrap_or_default();
        if self.named {
            let name = |want: &Want| (place(want), want.name.clone().unwrap_or_default());
            KeptObjects::Named(self.wants.iter().map(name).collect())
        } else {
            let inside = self.wants.iter().filter(|want| !is_everywhere(want)).map(place).collect();
            if self.shows_deletions() { KeptObjects::InOrDeleting(inside) } else { KeptObjects::In(inside) }
        }
    }

    fn most(&self) -> Option<u64> {
        let count = self.wants.len();
        match (self.named, u64::try_from(count).unwrap_or(u64::MAX)) {
            (true, count) => Some(count.saturating_mul(MAX_BYTES_AN_OBJECT)),
            (false, _) if count >= MANY_PLACES || self.wants.iter().any(is_everywhere) => None,
            (false, count) => Some(count * MAX_BYTES_A_PLACE),
        }
    }

    fn lists(&self, objects: Vec<Object>) -> Vec<Fact> {
        // At most one want asks for these.
        let mut deleting: Vec<Object> = if self.wants.iter().any(is_everywhere) {
            objects.iter().filter(|object| object.is_deleting()).cloned().collect()
        } else {
            Vec::new()
        };
        let mut by_place: HashMap<Option<Arc<str>>, Vec<Object>> = HashMap::new();
        for object in objects {
            by_place.entry(object.metadata.namespace.clone()).or_default().push(object);
        }
        let mut inside = |want: &Want| by_place.remove(&want.namespace.as_deref().map(Arc::from));
        let list = |want: &Want| {
            if is_everywhere(want) { std::mem::take(&mut deleting) } else { inside(want).unwrap_or_default() }
        };
        self.wants.iter().map(list).map(Fact::Listed).collect()
    }

    /// The objects by name. One that is missing in a list from the store does not exist.
    fn objects(&self, listed: Listed) -> Vec<Fact> {
        let kind = listed.head.kind.strip_suffix("List").unwrap_or_default().to_owned();
        let key = |namespace: Option<&str>, name: &str| (namespace.unwrap_or_default().to_owned(), name.to_owned());
        let mut by_name: HashMap<(String, String), Object> = listed
            .objects
            .into_iter()
            .map(|object| (key(object.metadata.namespace.as_deref(), object.name()), object))
            .collect();
        let mut object = |want: &Want| {
            let mut object =
                by_name.remove(&key(want.namespace.as_deref(), want.name.as_deref().unwrap_or_default()))?;
            // Items of built-in kinds do not name their kind.
            if object.kind.is_empty() {
                object.kind.clone_from(&kind);
                object.api_version = want.resource.api_version();
            }
            Some(Fact::Found(Box::new(object)))
        };
        self.wants.iter().map(|want| object(want).unwrap_or(Fact::Missing)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(plural: &str) -> ResourceId {
        ResourceId::new("", "v1", plural)
    }

    fn lists(plural: &str, count: usize) -> impl Iterator<Item = Want> {
        (0..count).map(move |number| Want::list(&kind(plural), Some(&format!("n{number}")), Form::Metadata))
    }

    fn gets(plural: &str, namespace: Option<&'static str>, count: usize) -> impl Iterator<Item = Want> {
        (0..count).map(move |number| Want::get(&kind(plural), namespace, &format!("o{number}"), Form::Metadata))
    }

    fn shared_list(wants: impl Iterator<Item = Want>) -> Vec<SharedList> {
        let shared_list = |read| match read {
            Read::One(_) | Read::Sample(..) => None,
            Read::SharedList(shared_list) => Some(shared_list),
        };
        plan(wants.collect()).into_iter().filter_map(shared_list).collect()
    }

    fn object(namespace: &str, name: &str) -> Object {
        serde_json::from_value(serde_json::json!({"metadata": {"name": name, "namespace": namespace}})).unwrap()
    }

    #[test]
    fn lists_of_one_kind_in_several_namespaces_are_one() {
        assert!(shared_list(lists("pods", MIN_PLACES - 1).chain(lists("secrets", MIN_PLACES - 1))).is_empty());
        let groups =
            shared_list(lists("pods", MIN_PLACES).chain(lists("secrets", MANY_PLACES)).chain(gets("pods", None, 3)));
        let sizes: Vec<_> = groups.iter().map(|group| (group.wants.len(), group.most(), group.place())).collect();
        assert_eq!(sizes, [(4, Some(4 * MAX_BYTES_A_PLACE), None), (16, None, None)]);
        let stored = lists("pods", 2).chain(lists("pods", 3).map(|want| Want { form: Form::Stored, ..want }));
        assert!(shared_list(stored).is_empty(), "forms are lists of their own");
    }

    #[test]
    fn a_list_of_namespaces_also_answers_what_is_being_deleted_anywhere() {
        let everywhere = Want::list(&kind("pods"), None, Form::Deleting);
        assert!(shared_list(std::iter::once(everywhere.clone())).is_empty(), "alone it is a list of its own");
        let group = shared_list(lists("pods", 1).chain([everywhere])).remove(0);
        assert_eq!((group.place(), group.most()), (None, None));
        let mut going = object("other", "going");
        going.metadata.deletion_timestamp = Some(jiff::Timestamp::UNIX_EPOCH);
        let facts = group.lists(vec![object("n0", "a"), going.clone()]);
        let of = |want: &Want| facts[group.wants.iter().position(|other| other == want).unwrap()].clone();
        assert_eq!(of(&Want::list(&kind("pods"), Some("n0"), Form::Metadata)), Fact::Listed(vec![object("n0", "a")]));
        assert_eq!(of(&Want::list(&kind("pods"), None, Form::Deleting)), Fact::Listed(vec![going]));
        assert!(matches!(group.only(), KeptObjects::InOrDeleting(inside) if inside.len() == 1));
    }

    #[test]
    fn deletions_elsewhere_are_kept_aside() {
        let mut going = object("other", "going");
        going.metadata.deletion_timestamp = Some(jiff::Timestamp::UNIX_EPOCH);
        let everywhere = Want::list(&kind("pods"), None, Form::Deleting);
        let group = shared_list(lists("pods", MIN_PLACES)).remove(0);
        assert!(matches!(group.only(), KeptObjects::InOrDeleting(_)));
        let aside = group.aside(&[object("n0", "a"), going.clone()]);
        assert_eq!(aside, Some((everywhere, Fact::Listed(vec![going.clone()]))));
        assert_eq!(group.aside(&vec![going.clone(); MAX_ASIDE + 1]), None, "too many to keep unasked");
        let whole = shared_list(lists("pods", MIN_PLACES).map(|want| Want { form: Form::Whole, ..want })).remove(0);
        assert!(matches!(whole.only(), KeptObjects::In(_)), "these may be large");
        assert_eq!(whole.aside(&[going]), None);
    }

    #[test]
    fn each_namespace_gets_its_own_objects() {
        let group = shared_list(lists("pods", MIN_PLACES)).remove(0);
        let facts = group.lists(vec![object("n2", "a"), object("n0", "b"), object("n2", "c"), object("other", "d")]);
        let listed = |objects: &[(&str, &str)]| {
            Fact::Listed(objects.iter().map(|(namespace, name)| object(namespace, name)).collect())
        };
        assert_eq!(facts, [listed(&[("n0", "b")]), listed(&[]), listed(&[("n2", "a"), ("n2", "c")]), listed(&[])]);
    }

    #[test]
    fn many_objects_of_a_kind_are_read_by_a_list() {
        assert!(shared_list(gets("pods", Some("shop"), MIN_OBJECTS - 1)).is_empty());
        let group = shared_list(gets("pods", Some("shop"), MIN_OBJECTS)).remove(0);
        assert_eq!((group.place(), group.most()), (Some("shop"), Some(16 * MAX_BYTES_AN_OBJECT)));
        let head = crate::transport::scan::Head { kind: "PodList".into(), ..Default::default() };
        let facts = group.objects(Listed { objects: vec![object("shop", "o3")], head, ..Listed::default() });
        let Fact::Found(found) =
            &facts[group.wants.iter().position(|want| want.name.as_deref() == Some("o3")).unwrap()]
        else {
            panic!("{facts:?}")
        };
        assert_eq!((found.name(), found.kind.as_str(), found.api_version.as_str()), ("o3", "Pod", "v1"));
        assert_eq!(facts.iter().filter(|fact| **fact == Fact::Missing).count(), MIN_OBJECTS - 1);
    }

    #[test]
    fn logs_and_dry_runs_are_asked_one_by_one() {
        let log = |number| {
            let of = crate::survey::LogOf {
                container: format!("c{number}"),
                previous: false,
                about: crate::survey::Topic::default(),
            };
            Want::log("shop", "p", of)
        };
        assert!(shared_list((0..40).map(log)).is_empty());
    }
}
