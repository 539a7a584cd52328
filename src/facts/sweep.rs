//! All objects of a namespace, and their owners: taken from many lists, once for all callers.

use super::dependents::{Dependents, List, OwnerIndex, is_watched};
use super::kinds::{is_event, is_pod};
use super::known::Known;
use super::read::Facts;
use super::reading::for_each;
use crate::report::Ref;
use crate::survey::{Fact, Form, Object, Reason, Resource, Seen, Sought, Unread};
use std::collections::{BTreeMap, HashSet};

/// All objects of a namespace that could be read.
#[derive(Debug, Clone)]
pub struct Sweep<'s> {
    /// Every object, in the order of discovery.
    pub objects: Vec<Seen<'s>>,
    /// The kinds that could not be listed. A kind that does not serve LIST at all is not among them:
    /// it holds up no namespace.
    pub unread: Vec<(&'s Resource, &'s Unread)>,
}

impl<'s> Facts<'s> {
    /// Everything in a namespace: one metadata list for each namespaced kind that can be deleted. Other
    /// kinds, such as pod metrics, hold up no namespace: the namespace controller ignores them.
    pub fn sweep(&self, namespace: &str) -> Known<Sweep<'s>> {
        self.sweep_as(namespace, Form::Metadata)
    }

    /// Like [`Self::sweep`], in another form: from etcd or from the watch cache only.
    pub fn sweep_as(&self, namespace: &str, form: Form) -> Known<Sweep<'s>> {
        let swept = self.once(&format!("{form:?} {namespace}"), || self.swept(Some(namespace), form))?;
        Ok(self.sweep_of(&swept, Some(namespace), form))
    }

    /// All objects in the cluster that are being deleted, of every kind that can be deleted.
    pub fn being_deleted(&self) -> Known<Sweep<'s>> {
        let swept = self.swept(None, Form::Deleting)?;
        let mut sweep = self.sweep_of(&swept, None, Form::Deleting);
        sweep.objects.retain(|seen| seen.object.is_deleting());
        Ok(sweep)
    }

    /// The objects at these positions, and the reasons for the unread kinds.
    fn sweep_of(&self, swept: &Swept, namespace: Option<&str>, form: Form) -> Sweep<'s> {
        let mut objects = Vec::new();
        for (kind, places) in &swept.kinds {
            let (resource, listed) = self.list_of(*kind, namespace, form);
            objects.extend(places.iter().map(|place| Seen { resource, object: &listed[*place] }));
        }
        Sweep { objects, unread: self.unread(&swept.unread, namespace, form) }
    }

    /// Sweeps a namespace, or all namespaces and the objects outside of them.
    fn swept(&self, namespace: Option<&str>, form: Form) -> Known<Swept> {
        let mut swept = Swept::default();
        let mut seen = HashSet::new();
        let is_swept = |(_, kind): &(usize, &&Resource)| (kind.namespaced || namespace.is_none()) && kind.can("delete");
        for_each(self.listable.iter().enumerate().filter(is_swept), |(kind, resource)| {
            match self.look_up(Sought::list(&resource.id, namespace, form))? {
                Fact::Listed(objects) => {
                    // The same object may be served under two groups, like events.
                    let all = objects.iter().enumerate();
                    let new = all.filter(|(_, object)| seen.insert(object.uid()) || object.uid().is_empty());
                    let new: Vec<usize> = new.map(|(place, _)| place).collect();
                    swept.kinds.extend((!new.is_empty()).then_some((kind, new)));
                }
                Fact::Unread(why) if why.reason != Reason::NotServed => swept.unread.push(kind),
                _ => {}
            }
            Ok(())
        })?;
        Ok(swept)
    }

    /// The dependents of owners in a namespace.
    pub fn dependents_in<'f>(&'f self, namespace: &'f str) -> Known<Dependents<'f, 's>> {
        self.dependents_among(Some(namespace), Form::Metadata)
    }

    /// The dependents of `owner` and of the objects below it: in the namespace of `owner` or, if it is cluster-scoped,
    /// anywhere.
    pub fn dependents_near<'f>(&'f self, owner: &'f Object) -> Known<Dependents<'f, 's>> {
        match owner.metadata.namespace.as_deref() {
            Some(namespace) => self.dependents_in(namespace),
            None => self.dependents_anywhere(),
        }
    }

    /// The dependents of owners anywhere: one list for each kind that the garbage collector watches.
    pub fn dependents_anywhere(&self) -> Known<Dependents<'_, 's>> {
        self.dependents_among(None, Form::Owned)
    }

    fn dependents_among<'f>(&'f self, namespace: Option<&'f str>, form: Form) -> Known<Dependents<'f, 's>> {
        let owned = self.once(namespace.unwrap_or_default(), || self.owned(namespace, form))?;
        Ok(Dependents { facts: self, owned, namespace, form })
    }

    fn owned(&self, namespace: Option<&str>, form: Form) -> Known<OwnerIndex> {
        let mut owned = OwnerIndex::default();
        let may_own = |(_, kind): &(usize, &'s Resource)| (kind.namespaced || namespace.is_none()) && is_watched(kind);
        for_each(self.listable.iter().copied().enumerate().filter(may_own), |(kind, resource)| {
            match self.look_up(Sought::list(&resource.id, namespace, form))? {
                Fact::Listed(objects) if objects.iter().any(|it| !it.metadata.owner_references.is_empty()) => {
                    owned.add(kind, objects);
                }
                Fact::Unread(why) if why.reason != Reason::NotServed => owned.unread.push(kind),
                _ => {}
            }
            Ok(())
        })?;
        Ok(owned)
    }

    /// A kind that can be listed, with its listed objects.
    pub(super) fn list_of(&self, kind: usize, namespace: Option<&str>, form: Form) -> List<'s> {
        let resource = self.listable[kind];
        match self.look_up(Sought::list(&resource.id, namespace, form)) {
            Ok(Fact::Listed(objects)) => (resource, objects),
            _ => (resource, &[]),
        }
    }

    pub(super) fn unread(
        &self,
        kinds: &[usize],
        namespace: Option<&str>,
        form: Form,
    ) -> Vec<(&'s Resource, &'s Unread)> {
        let kinds = kinds.iter().map(|kind| self.listable[*kind]);
        let unread = kinds.map(|kind| (kind, self.look_up(Sought::list(&kind.id, namespace, form))));
        let why =
            unread.filter_map(|(kind, read)| if let Ok(Fact::Unread(why)) = read { Some((kind, why)) } else { None });
        why.collect()
    }
}

/// The positions in the survey of all objects in a namespace: for each kind, given by its index
/// among those that can be listed, the indices of the objects in its list.
#[derive(Debug, Default)]
struct Swept {
    kinds: Vec<(usize, Vec<usize>)>,
    unread: Vec<usize>,
}

impl<'s> Sweep<'s> {
    /// The objects that are being deleted.
    pub fn deleting(&self) -> impl Iterator<Item = Seen<'s>> {
        self.objects.iter().copied().filter(|seen| seen.object.is_deleting())
    }

    /// The pods.
    pub fn pods(&self) -> impl Iterator<Item = Seen<'s>> {
        self.objects.iter().copied().filter(|seen| is_pod(seen.resource))
    }

    /// Whether a pod exists, or may exist since pods could not be listed.
    #[must_use]
    pub fn may_have_pods(&self) -> bool {
        self.pods().next().is_some() || self.unread.iter().any(|(resource, _)| is_pod(resource))
    }

    /// The objects besides pods and events.
    pub fn rest(&self) -> impl Iterator<Item = Seen<'s>> {
        self.objects.iter().copied().filter(|seen| !is_pod(seen.resource) && !is_event(seen.resource))
    }

    /// The kinds and numbers of these objects, most frequent first: `3 configmaps, 1 widget.acme.io`.
    #[must_use]
    pub fn count(objects: &[Ref]) -> String {
        let mut counts: BTreeMap<String, (usize, &Ref)> = BTreeMap::new();
        for object in objects {
            let name = object.kubectl();
            let kind = name.rsplit_once('/').map_or(name.as_str(), |(kind, _)| kind);
            counts.entry(kind.to_owned()).or_insert((0, object)).0 += 1;
        }
        let mut counts: Vec<(usize, String)> = counts
            .into_iter()
            .map(|(kind, (count, first))| (count, if count == 1 { first.singular() } else { kind }))
            .collect();
        counts.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let named: Vec<String> = counts.iter().take(3).map(|(count, kind)| format!("{count} {kind}")).collect();
        let more: usize = counts.iter().skip(3).map(|(count, _)| count).sum();
        if more == 0 { named.join(", ") } else { format!("{}, {more} more", named.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn a_single_object_is_counted_in_the_singular() {
        let object = |kind: &str, resource: &str, api_version: &str| {
            Ref::from(Named {
                kind: kind.into(),
                resource: resource.into(),
                api_version: api_version.into(),
                ..Named::default()
            })
        };
        let map = || object("ConfigMap", "configmaps", "v1");
        let database = object("Database", "databases", "acme.io/v1");
        assert_eq!(Sweep::count(&[map()]), "1 configmap");
        assert_eq!(Sweep::count(&[database, map(), map()]), "2 configmaps, 1 database.acme.io");
    }
}
