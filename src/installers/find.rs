//! The installed products, found by the marks on all objects in the cluster.

use super::installer::{Installer, Mark, Naming, label};
use super::table::{INSTALLERS, owner};
use super::{kapp, olm};
use crate::facts::{Facts, Known, Readable, all_below, goes_with, is_event, is_namespace};
use crate::inert::quote;
use crate::kubernetes::ownership::access;
use crate::survey::{self, Form, Metadata, ProductName, ResourceId, Seen};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Everything in the cluster.
pub(crate) struct Rows<'s> {
    /// Every object.
    pub(crate) all: Vec<Seen<'s>>,
    /// Whether every namespaced kind and the definitions were listed.
    pub(crate) complete: bool,
    by_owner: HashMap<&'s str, Vec<Seen<'s>>>,
    namespaces: HashMap<&'s str, &'s Metadata>,
    claims: kapp::Claims<'s>,
}

impl<'s> Rows<'s> {
    /// Lists all objects, once.
    pub(crate) fn read(facts: &Facts<'s>) -> Known<Self> {
        let everything = facts.everything(None)?;
        let definitions =
            facts.discovery().resources.iter().find(|resource| resource.kind == "CustomResourceDefinition");
        let listed = definitions.map(|kind| facts.list(&kind.id, None, Form::Metadata).if_readable()).transpose()?;
        let complete = everything.complete && listed.is_none_or(|listed| listed.is_some());
        let may_delete = |namespace: &str, seen| access::may_delete_from(namespace, seen, facts);
        let claims = kapp::Claims::read(&everything.rows, may_delete)?;
        Ok(Self::of_all(everything.rows, complete, claims))
    }

    fn of_all(all: Vec<Seen<'s>>, complete: bool, claims: kapp::Claims<'s>) -> Self {
        let mut by_owner: HashMap<&str, Vec<Seen<'_>>> = HashMap::new();
        for seen in &all {
            for owner in &seen.object.metadata.owner_references {
                by_owner.entry(&owner.uid).or_default().push(*seen);
            }
        }
        let namespaces = all.iter().filter(|seen| is_namespace(seen.resource));
        let namespaces = namespaces.map(|seen| (seen.object.name(), &seen.object.metadata)).collect();
        Self { all, complete, by_owner, namespaces, claims }
    }

    /// The installer whose own object this is, if it is where that installer keeps such objects.
    pub(super) fn owner(&self, seen: Seen<'_>) -> Option<&'static Installer> {
        owner(seen).filter(|installer| self.is_at_its_place(installer, seen))
    }

    fn is_at_its_place(&self, installer: &Installer, seen: Seen<'_>) -> bool {
        let namespace = seen.object.metadata.namespace.as_deref().and_then(|name| self.namespaces.get(name));
        let has = |key| namespace.is_some_and(|metadata| metadata.annotations.contains_key(key));
        (installer.place)(&seen.resource.id).is_none_or(has)
    }

    /// The product that one of an installer's own objects is, or is a part of.
    pub(super) fn named(&self, installer: &Installer, seen: Seen<'_>) -> Option<Mark> {
        let is_own = installer.is_own(seen) && self.is_at_its_place(installer, seen);
        is_own.then(|| (installer.names)(seen)).flatten()
    }

    /// The objects that the garbage collector deletes after this one: those without other owners.
    pub(crate) fn collected_after(&self, owner: Seen<'s>) -> Vec<Seen<'s>> {
        all_below(owner, |owner| self.of(owner).to_vec(), goes_with)
    }

    /// The objects that have this object as an owner.
    pub(super) fn of(&self, owner: Seen<'_>) -> &[Seen<'s>] {
        self.by_owner.get(owner.object.uid()).map_or(&[], Vec::as_slice)
    }
}

/// An installed product, found by its marks.
pub(crate) struct Installed<'s> {
    /// The installer.
    pub(crate) installer: &'static Installer,
    /// The name that the installer gives it.
    pub(crate) mark: Mark,
    /// The installer's own objects.
    pub(crate) own: Vec<Seen<'s>>,
    /// The objects with its marks.
    pub(super) marked: Vec<Seen<'s>>,
    /// The uids of those that a record proves to be members, wherever they are.
    pub(super) proven: HashSet<&'s str>,
    /// The products that claim its objects, if there are several.
    pub(crate) rivals: Vec<Mark>,
}

impl Installed<'_> {
    /// The product as the user names it in a shell: `helm/shop -n ops`.
    pub(crate) fn words(&self) -> String {
        self.words_of(&self.mark)
    }

    /// A product of the same installer, in the same form.
    pub(crate) fn words_of(&self, mark: &Mark) -> String {
        Self::words_in(mark, &format!("{}/{}", self.installer.word, mark.name))
    }

    /// The same, with another word for its name.
    pub(crate) fn words_with(&self, name: &str) -> String {
        Self::words_in(&self.mark, name)
    }

    fn words_in(mark: &Mark, name: &str) -> String {
        let place = mark.namespace.as_ref().map(|it| format!(" -n {}", quote(it))).unwrap_or_default();
        quote(name) + &place
    }

    /// Whether an object carries its marks, or is the installer's own.
    pub(crate) fn has(&self, uid: &str) -> bool {
        self.own.iter().chain(&self.marked).any(|seen| seen.object.uid() == uid)
    }

    /// Whether it is the product that the user named.
    pub(crate) fn answers(&self, sought: &ProductName) -> bool {
        let means = |mark: &Mark| sought.means(self.installer.word, &mark.name, mark.namespace.as_deref());
        means(&self.mark) || self.is_claimed(sought)
    }

    /// Whether the product that the user named is one of several that claim these objects.
    pub(crate) fn is_claimed(&self, sought: &ProductName) -> bool {
        let means = |mark: &Mark| sought.means(self.installer.word, &mark.name, mark.namespace.as_deref());
        self.rivals.iter().any(means)
    }
}

/// All installed products, by installer and name.
pub(crate) fn all<'s>(rows: &Rows<'s>) -> Vec<Installed<'s>> {
    let mut found: BTreeMap<(usize, Mark), Installed<'s>> = BTreeMap::new();
    let mut add = |place: usize, mut mark: Mark, seen: Seen<'s>, is_own: bool| {
        let installer = &INSTALLERS[place];
        let (mut rivals, mut is_proven) = (Vec::new(), false);
        if installer.naming == Naming::Number {
            is_proven = rows.claims.prove(&mark.name, seen);
            match rows.claims.app(&mark.name) {
                Some(app) => mark = app.clone(),
                None => rivals.extend(rows.claims.rivals(&mark.name).cloned()),
            }
        }
        let key = (place, mark.clone());
        let product = found.entry(key);
        let product = product.or_insert_with(|| Installed {
            installer,
            mark,
            own: vec![],
            marked: vec![],
            proven: HashSet::new(),
            rivals,
        });
        if is_proven {
            product.proven.insert(seen.object.uid());
        }
        if is_own { product.own.push(seen) } else { product.marked.push(seen) }
    };
    let services: HashMap<(&str, &str), Mark> = rows.all.iter().filter_map(|seen| service_version(*seen)).collect();
    for seen in rows.all.iter().filter(|seen| counts(**seen)) {
        for (place, installer) in INSTALLERS.iter().enumerate() {
            if let Some(mark) = rows.named(installer, *seen) {
                add(place, mark, *seen, true);
                continue;
            }
            let of_version =
                || services.get(&owner_version(*seen)?).filter(|_| installer.word == olm::INSTALLER.word).cloned();
            if let Some(mark) = (installer.mark)(*seen).or_else(of_version) {
                add(place, mark, *seen, false);
            }
        }
    }
    let mut found: Vec<Installed<'s>> = found.into_values().collect();
    assign_loose(&mut found);
    found
}

/// Whether the marks on an object count. If a controller has created it for another object, they are
/// copies of the other's labels.
pub(super) fn counts(seen: Seen<'_>) -> bool {
    let of_controller = seen.object.metadata.owner_references.iter().any(|owner| owner.controller == Some(true));
    let is_copy = seen.resource.id.is("", "endpoints");
    (!of_controller || owner(seen).is_some()) && !is_copy && !is_event(seen.resource)
}

/// A `ClusterServiceVersion`, with the mark of the operator that it is a version of.
fn service_version(seen: Seen<'_>) -> Option<((&str, &str), Mark)> {
    let is_it = olm::INSTALLER.is_own(seen) && seen.resource.id.plural == "clusterserviceversions";
    let mark = is_it.then(|| (olm::INSTALLER.names)(seen)).flatten()?;
    Some(((seen.object.metadata.namespace.as_deref()?, seen.object.name()), mark))
}

fn owner_version(seen: Seen<'_>) -> Option<(&str, &str)> {
    let metadata = &seen.object.metadata;
    Some((label(metadata, "olm.owner.namespace")?, label(metadata, "olm.owner")?))
}

/// Assigns the objects whose marks name no namespace to the product that they must belong to.
fn assign_loose(found: &mut Vec<Installed<'_>>) {
    let homes: Vec<Option<usize>> = (0..found.len()).map(|place| home(place, found)).collect();
    for (place, home) in homes.iter().enumerate() {
        if let Some(home) = home {
            let marked = std::mem::take(&mut found[place].marked);
            found[*home].marked.extend(marked);
        }
    }
    let mut homes = homes.iter();
    found.retain(|_| homes.next().is_some_and(Option::is_none));
}

/// The product that a loose one belongs to: the only product of that name with the installer's own
/// objects. For a mere label, the only product with that label in a namespace. Namespaces in which
/// nothing runs are not considered, since anyone may put the label on an object in a namespace of their
/// own.
fn home(place: usize, found: &[Installed<'_>]) -> Option<usize> {
    let loose = &found[place];
    if loose.mark.namespace.is_some() || !loose.own.is_empty() {
        return None;
    }
    let is_home = |it: &Installed<'_>| {
        std::ptr::eq(it.installer, loose.installer)
            && it.mark.is_called(&loose.mark)
            && it.mark.namespace.is_some()
            && (!it.own.is_empty() || !it.installer.is_sure)
    };
    let homes: Vec<usize> = (0..found.len()).filter(|place| is_home(&found[*place])).collect();
    if loose.installer.is_sure {
        return <[usize; 1]>::try_from(homes).ok().map(|[home]| home);
    }
    let with = |is_it: fn(&ResourceId) -> bool| -> Vec<usize> {
        let has_it = |place: &usize| found[*place].marked.iter().any(|seen| is_it(&seen.resource.id));
        homes.iter().copied().filter(has_it).collect()
    };
    let running = with(|id| id.group == "apps");
    // While the product is being removed, none of it runs any more.
    let candidates = if running.is_empty() { with(|id| !id.is_private()) } else { running };
    <[usize; 1]>::try_from(candidates).ok().map(|[home]| home)
}

/// The maximum number of similar names that are suggested.
const MAX_NEAR: usize = 3;

/// The names of products that are similar to the one that the user named.
pub(crate) fn near(sought: &ProductName, found: &[Installed<'_>]) -> Vec<String> {
    let distance = |it: &Installed<'_>| survey::near(&sought.name, &it.mark.name);
    let mut near: Vec<&Installed<'_>> = found.iter().filter(|it| distance(it).is_some()).collect();
    near.sort_by_key(|it| (it.installer.word != sought.installer, distance(it)));
    near.into_iter().take(MAX_NEAR).map(Installed::words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Object, Resource};
    use serde_json::{Value, json};

    fn resource(group: &str, plural: &str) -> Resource {
        Resource::tested(group, plural, plural, true)
    }

    fn object(namespace: Option<&str>, name: &str, labels: &Value, annotations: &Value) -> Object {
        let metadata =
            json!({"name": name, "namespace": namespace, "uid": name, "labels": labels, "annotations": annotations});
        serde_json::from_value(json!({"metadata": metadata})).unwrap()
    }

    /// The products found among these, as `installer/name -n namespace`, with the names of their objects.
    fn found(rows: &[(&Resource, &Object)]) -> Vec<(String, Vec<String>)> {
        let all_rows: Vec<Seen<'_>> = rows.iter().map(|(resource, object)| Seen { resource, object }).collect();
        let claims = kapp::Claims::read(&all_rows, |_, _| Ok(false)).unwrap();
        let rows = Rows::of_all(all_rows, true, claims);
        let names = |it: &Installed<'_>| {
            it.own.iter().chain(&it.marked).map(|seen| seen.object.name().to_owned()).collect::<Vec<_>>()
        };
        all(&rows).iter().map(|it| (it.words(), names(it))).collect()
    }

    #[test]
    fn a_product_is_named_as_words_for_a_shell() {
        let release =
            json!({"meta.helm.sh/release-name": "a b", "meta.helm.sh/release-namespace": "ops;touch${IFS}PWNED"});
        let object = object(Some("shop"), "d", &json!({}), &release);
        let found = found(&[(&resource("apps", "deployments"), &object)]);
        assert_eq!(found[0].0, "'helm/a b' -n 'ops;touch${IFS}PWNED'");
    }

    #[test]
    fn every_installer_is_known_by_its_marks() {
        let (deployments, crds) = (resource("apps", "deployments"), resource("apiextensions.k8s.io", "x"));
        let none = json!({});
        for (labels, annotations, words) in [
            (
                none.clone(),
                json!({"meta.helm.sh/release-name": "op", "meta.helm.sh/release-namespace": "a"}),
                "helm/op -n a",
            ),
            (json!({"operators.coreos.com/op.a": ""}), none.clone(), "olm/op -n a"),
            (
                json!({"olm.operatorframework.io/owner-kind": "ClusterExtension", "olm.operatorframework.io/owner-name": "op"}),
                none.clone(),
                "olmv1/op",
            ),
            (
                json!({"kustomize.toolkit.fluxcd.io/name": "op", "kustomize.toolkit.fluxcd.io/namespace": "a"}),
                none.clone(),
                "flux/op -n a",
            ),
            (none.clone(), json!({"argocd.argoproj.io/tracking-id": "op:apps/Deployment:a/web"}), "argocd/op"),
            (
                none.clone(),
                json!({"argocd.argoproj.io/tracking-id": "team_op:apps/Deployment:a/web"}),
                "argocd/op -n team",
            ),
            (json!({"kapp.k14s.io/app": "17"}), none.clone(), "kapp/17"),
            (none.clone(), json!({"objectset.rio.cattle.io/id": "default-op"}), "fleet/op"),
            (json!({"app.kubernetes.io/instance": "op"}), none.clone(), "instance/op -n a"),
        ] {
            let web = object(Some("a"), "web", &labels, &annotations);
            assert_eq!(found(&[(&deployments, &web)]), [(words.to_owned(), vec!["web".to_owned()])]);
        }
        // Ids that Rancher itself uses, and the empty one of a k3s Addon.
        for id in ["fleet-manage-agent", ""] {
            let other = object(Some("a"), "web", &none, &json!({"objectset.rio.cattle.io/id": id}));
            assert_eq!(found(&[(&crds, &other)]), [], "{id}");
        }
    }

    #[test]
    fn a_label_counts_per_namespace_and_for_cluster_scoped_objects() {
        let (deployments, roles) =
            (resource("apps", "deployments"), resource("rbac.authorization.k8s.io", "clusterroles"));
        let labels = json!({"app.kubernetes.io/instance": "op"});
        let (web, role) = (object(Some("a"), "web", &labels, &json!({})), object(None, "role", &labels, &json!({})));
        let one = found(&[(&roles, &role), (&deployments, &web)]);
        assert_eq!(one, [("instance/op -n a".to_owned(), vec!["web".to_owned(), "role".to_owned()])]);
        let other = object(Some("b"), "other", &labels, &json!({}));
        assert_eq!(found(&[(&roles, &role), (&deployments, &web), (&deployments, &other)]).len(), 3);
        let one = found(&[(&roles, &role), (&deployments, &web), (&resource("", "configmaps"), &other)]);
        assert_eq!(one[0], ("instance/op -n a".to_owned(), vec!["web".to_owned(), "role".to_owned()]));
        assert_eq!(one[1], ("instance/op -n b".to_owned(), vec!["other".to_owned()]));
        let rest = found(&[(&roles, &role), (&resource("", "configmaps"), &other)]);
        assert_eq!(rest[0], ("instance/op".to_owned(), vec!["role".to_owned()]), "it is not that of namespace b");
    }

    #[test]
    fn a_kapp_app_gets_its_name_from_its_changes() {
        let (configs, deployments) = (resource("", "configmaps"), resource("apps", "deployments"));
        let web = object(Some("a"), "web", &json!({"kapp.k14s.io/app": "17"}), &json!({}));
        let labels = json!({"kapp.k14s.io/app-change-app": "op", "kapp.k14s.io/app-change-app-label": "17"});
        let change = object(Some("state"), "op-change", &labels, &json!({}));
        let all = found(&[(&configs, &change), (&deployments, &web)]);
        assert_eq!(all, [("kapp/17".to_owned(), vec!["web".to_owned()])], "nothing of the app is there");
        let here = object(Some("a"), "op-change", &labels, &json!({}));
        let all = found(&[(&configs, &change), (&configs, &here), (&deployments, &web)]);
        assert_eq!(all, [("kapp/op -n a".to_owned(), vec!["web".to_owned()])]);
        let copy = object(Some("state"), "copy", &json!({"kapp.k14s.io/app": "17"}), &json!({}));
        let all = found(&[(&configs, &change), (&configs, &here), (&configs, &copy), (&deployments, &web)]);
        assert_eq!(all[0].0, "kapp/17", "two claim it");
    }

    #[test]
    fn similar_product_names_are_suggested() {
        let deployments = resource("apps", "deployments");
        let annotations = json!({"meta.helm.sh/release-name": "database", "meta.helm.sh/release-namespace": "a"});
        let web = object(Some("a"), "web", &json!({}), &annotations);
        let seen = vec![Seen { resource: &deployments, object: &web }];
        let rows = Rows::of_all(seen, true, kapp::Claims::default());
        let sought = |name: &str| ProductName { installer: "helm".into(), name: name.into(), ..ProductName::default() };
        assert_eq!(near(&sought("databse"), &all(&rows)), ["helm/database -n a"]);
        assert_eq!(near(&sought("queue"), &all(&rows)), Vec::<String>::new());
    }
}
