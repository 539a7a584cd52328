//! The traces of a controller: its names, the marks of its installer on the kind's definition, and
//! the permissions to write the kind.

use crate::facts::{Facts, Known, Readable};
use crate::knowledge::catalogue::{self, Unseen};
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::{belongs_to, brand, domain, is_custom};
use crate::kubernetes::finalizers::names;
use crate::kubernetes::finalizers::names::{ControllerName, SETTER};
use crate::kubernetes::ownership::access::{Account, Rights};
use crate::kubernetes::ownership::configured_finalizers::{self, ConfiguredPart};
use crate::kubernetes::ownership::drivers::{Driver, is_shared};
use crate::kubernetes::ownership::lost;
use crate::kubernetes::ownership::lost::Lost;
use crate::kubernetes::ownership::marks::{
    HELM_NAMESPACE, HELM_RELEASE, NAMESPACES, SharedMark, mark, marks_of, weight_on,
};
use crate::kubernetes::ownership::owner::{Fit, RuledOut};
use crate::kubernetes::ownership::{drivers, owner, unbound};
use crate::survey::{Object, Resource, ResourceId, Seen};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many accounts may have a permission that still counts as evidence for each.
const MAX_HOLDERS: usize = 3;

/// The name under which a finalizer was set, if a library's template gives that name to every
/// program.
fn common_setter(finalizer: &str, held: &HeldObjects<'_>) -> Option<String> {
    let setters = held.whole.iter().filter_map(|object| object.finalizer_set_by(finalizer));
    setters
        .map(|manager| manager.name)
        .find(|name| ["manager", "controller", "operator", "main", "controller-manager"].contains(&name.as_str()))
}

/// All traces of a controller.
#[derive(Debug)]
pub(crate) struct Traces<'s> {
    pub(crate) names: Vec<ControllerName>,
    pub(crate) marks: Vec<SharedMark>,
    /// Namespaces of the same installation.
    pub(crate) namespaces: Vec<String>,
    /// The labels and annotations with which OLM marks objects that belong together.
    bundles: BTreeSet<&'s str>,
    /// The uids of the owners of the kind's definition: their other dependents were installed with it.
    owners: BTreeSet<&'s str>,
    /// The kind's definition, if it is installed, as far as that is known.
    pub(crate) definition: Option<&'s Object>,
    /// The kind that identifies the controller.
    pub(crate) kind: &'s ResourceId,
    /// The permissions on that kind.
    pub(crate) rights: Rc<Rights>,
    /// The permissions on the kind of the held object, if that differs.
    held: Option<Rc<Rights>>,
    /// The namespace of the held object. Among copies of an operator, the copy in this namespace is
    /// the controller.
    pub(crate) home: Option<String>,
    /// Where the controller may run invisibly, in the catalogue's words.
    pub(crate) unseen: Option<(Unseen, String)>,
    /// The installer's marks on the object itself.
    object_marks: Vec<SharedMark>,
    /// The name under which the finalizer was set, if many programs have that name.
    pub(crate) common_setter: Option<String>,
    finalizer: String,
    /// Whether the catalogue knows the finalizer's owner.
    catalogued: bool,
    /// The roles without a binding that allow writes to the kind, with their installer's marks.
    unbound: Vec<(&'s Object, Vec<SharedMark>)>,
    /// The storage driver that serves the held object, if only its sidecars are known.
    pub(crate) driver: Option<Driver<'s>>,
    /// The word of the API group that usually names the product: `acme` for `db.acme.io`.
    pub(crate) brand: Option<String>,
}

impl<'s> Traces<'s> {
    /// Reads the traces of the controller that removes `finalizer`.
    pub(crate) fn read(finalizer: &str, held: &HeldObjects<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Self> {
        let first = held.first();
        let kind = kind_of_interest(finalizer, first, facts);
        let definition = Definition::metadata_of(kind, facts);
        let namespace = first.object.metadata.namespace.as_deref();
        let rights = Rights::read(&kind.id, namespace, first.object.name(), facts, gaps);
        let held_kind = Some(&first.resource.id).filter(|held| **held != kind.id);
        let held_rights =
            held_kind.map(|held| Rights::read(held, namespace, first.object.name(), facts, gaps)).transpose();
        let mut names = names::names(finalizer, held);
        drivers::leave_those_of_sidecars(&mut names, held);
        let driver = Driver::of(held, facts).filter(|_| are_a_sidecars(&names));
        let unbound = unbound::roles(first, facts).if_readable()?.unwrap_or_default().into_iter();
        let unbound = unbound.map(|role| (role, marks_of("role", role))).collect();
        let definition = gaps.pass(definition)?.flatten().map(|seen| seen.object);
        let driver = match driver {
            Some((name, read)) => {
                let read = gaps.pass(read)?;
                Some(Driver { name, known: read.is_some(), installed: read.flatten() })
            }
            None => None,
        };
        let mut traces = Self {
            catalogued: catalogue::of(finalizer, &first.resource.kind, &first.resource.id.group)
                .is_some_and(|entry| !entry.framework),
            names,
            marks: Vec::new(),
            object_marks: held.whole.first().map(|object| marks_of("it", object)).unwrap_or_default(),
            common_setter: common_setter(finalizer, held),
            finalizer: finalizer.to_owned(),
            unbound,
            namespaces: Vec::new(),
            bundles: BTreeSet::new(),
            owners: definition.into_iter().flat_map(owners_of).collect(),
            definition,
            kind: &kind.id,
            rights: rights?,
            held: held_rights?,
            brand: brand(&kind.id.group),
            unseen: unseen(finalizer, first.resource),
            driver,
            home: namespace.map(ToOwned::to_owned),
        };
        if let Some(definition) = definition {
            traces.read_marks("CustomResourceDefinition", definition);
        } else if let Some(installed) = traces.driver.as_ref().and_then(|driver| driver.installed) {
            traces.read_marks("CSIDriver", installed);
        }
        Ok(traces)
    }

    /// Why a workload or a pod is not the controller, despite the evidence.
    pub(crate) fn rule_out(&self, workload: &Object) -> Option<RuledOut> {
        owner::ruled_out(&self.names, workload).or_else(|| self.driver.as_ref()?.rules_out(workload))
    }

    fn read_marks(&mut self, kind: &str, definition: &'s Object) {
        self.marks = marks_of(kind, definition);
        self.namespaces.extend(NAMESPACES.iter().filter_map(|key| mark(definition, key)).cloned());
        let of_olm = |key: &&String| key.starts_with("operators.coreos.com/");
        for bundle in definition.metadata.labels.keys().filter(of_olm) {
            self.namespaces.extend(bundle.rsplit_once('.').map(|(_, namespace)| namespace.to_owned()));
            self.bundles.insert(bundle);
        }
        let certificate = mark(definition, "cert-manager.io/inject-ca-from").and_then(|text| text.split_once('/'));
        self.namespaces.extend(certificate.map(|(namespace, _)| namespace.to_owned()));
    }

    /// Whether a workload writes under the common name with which the finalizer was set, and belongs to
    /// the same product.
    pub(crate) fn is_the_common_setter(&self, workload: &Object) -> bool {
        let products = [self.kind.group.as_str(), domain(&self.finalizer)];
        self.common_setter.as_ref().is_some_and(|setter| owner::runs_as(setter, &products, workload))
    }

    /// Whether any trace shows that the finalizer itself belongs to the product of `workload`: its owner
    /// or setter is known, or its name is like the kind's, the product's or the workload's. Otherwise the
    /// traces only show who owns the kind, and any program may put a finalizer on another's objects.
    pub(crate) fn tell_whose(&self, workload: &Object) -> bool {
        let domain = domain(&self.finalizer);
        let called_after = |brand: &String| domain.contains(brand.as_str());
        self.is_setter_known()
            || self.is_the_common_setter(workload)
            || belongs_to(&self.kind.group, domain)
            || self.brand.as_ref().is_some_and(called_after)
            || owner::fit(domain, workload) != Fit::Not
    }

    /// Whether so few accounts have a permission on the kind that it is evidence for each.
    pub(crate) fn rights_are_rare(&self) -> bool {
        self.rights.holders.len() <= MAX_HOLDERS
    }

    /// The evidence that a workload has lost the permission to write the kind.
    pub(crate) fn lost_by(&self, workload: &Object, account: &Account) -> Option<Lost> {
        if !self.rights.complete || self.rights.may_write(account) || self.is_of_another_release(workload) {
            return None;
        }
        let bundled = self.is_in_its_bundle(workload) || self.has_its_owner(workload);
        // A workload whose name is the mark's value is not just another part of the installation.
        let named =
            |mark: &SharedMark| mark.is_on(workload) && mark.value == workload.name() && owner::tells(&mark.value);
        let named = i64::from(self.marks.iter().any(named));
        let is_owner = |name: &ControllerName| name.weight >= SETTER && owner::is_part_of(&name.word, workload);
        let named_by_owner = self.names.iter().any(is_owner);
        Some(Lost {
            marks: weight_on(workload, &self.marks) + named + if bundled { lost::ONE_INSTALLATION } else { 0 },
            of_object: weight_on(workload, &self.object_marks),
            role: (named_by_owner || !self.is_owner_known()) && self.has_role(workload, account),
            named: named_by_owner,
            told: matches!(configured_finalizers::of(&self.finalizer, workload), Some((ConfiguredPart::Whole, _))),
            lists: self.rights.may_list(account),
            // Other programs of a product list its kinds, too; its marks then identify its controller.
            rare: !self.is_owner_known() && self.marks.is_empty() && self.rights.listers().len() <= MAX_HOLDERS,
            writes: self.is_the_common_setter(workload),
            called: owner::is_called_a_controller(workload),
        })
    }

    /// Whether a name of the controller is known: then a permission is not enough evidence for a
    /// workload with other names.
    fn is_owner_known(&self) -> bool {
        self.catalogued || self.is_setter_known()
    }

    /// Whether the name under which the finalizer was set is known, or a name in the catalogue.
    fn is_setter_known(&self) -> bool {
        self.names.iter().any(|name| name.weight >= SETTER)
    }

    /// Whether the catalogue's entry is about another product than the kind's group names: two products
    /// may use one name for a finalizer.
    pub(crate) fn catalogue_is_of_another_product(&self) -> bool {
        let entry = catalogue::lookup(&self.finalizer);
        entry.is_some_and(|entry| !owner::share_a_word(&entry.product.to_lowercase(), &self.kind.group))
    }

    /// How much of the finalizer a workload's configuration contains. The domain alone does not count if
    /// the owner is known, since other programs of the product contain it, too.
    pub(crate) fn told_to(&self, workload: &Object) -> Option<(ConfiguredPart, String)> {
        configured_finalizers::of(&self.finalizer, workload)
            .filter(|(told, _)| *told == ConfiguredPart::Whole || !self.is_owner_known())
    }

    /// Whether an account has a permission on a built-in kind, which many accounts have, while the
    /// finalizer is a product's and its owner is unknown. Then the controller need not be gone.
    pub(crate) fn may_be_it_by_right(&self, account: &Account) -> bool {
        self.tells_on_core_kinds() && self.is_holder(account)
    }

    /// Whether an account may write a built-in kind, and the workload or its namespace has a name
    /// like the finalizer. That is too little to call the workload the controller. The name under
    /// which the finalizer was set may be that of a part of a program.
    pub(crate) fn may_be_it_by_word(&self, workload: &Object, account: &Account) -> bool {
        let mut called = std::iter::once(workload.name()).chain(workload.metadata.namespace.as_deref());
        (self.held.is_some() || !is_custom(&self.kind.group))
            && !self.catalogued
            && self.is_holder(account)
            && called.any(|called| owner::share_a_word(&self.finalizer, called))
    }

    /// Whether a rule names, for an account, the kind of the held object or the one that identifies the
    /// controller.
    fn is_holder(&self, account: &Account) -> bool {
        self.all_rights().any(|rights| rights.holders.contains_key(account))
    }

    /// The permissions on the kind that identifies the controller, and on that of the held object.
    fn all_rights(&self) -> impl Iterator<Item = &Rights> {
        std::iter::once(&self.rights).chain(&self.held).map(|rights| &**rights)
    }

    /// The permissions on the kind of the held object.
    pub(crate) fn rights_on_held(&self) -> &Rights {
        self.held.as_ref().unwrap_or(&self.rights)
    }

    fn tells_on_core_kinds(&self) -> bool {
        !self.is_owner_known() && configured_finalizers::telling_domain(&self.finalizer).is_some()
    }

    /// Whether there are traces of a controller in this cluster, besides the catalogue.
    pub(crate) fn any_here(&self) -> bool {
        let in_cluster = |name: &ControllerName| name.in_cluster;
        self.definition.is_some()
            || !self.marks.is_empty()
            || !self.rights.holders.is_empty()
            || self.names.iter().any(in_cluster)
    }

    /// Whether a workload's metadata give a reason to read it, though they are no evidence that it is
    /// the controller.
    pub(crate) fn hint(&self, workload: &Object) -> bool {
        let namespace = workload.metadata.namespace.as_deref().unwrap_or_default();
        let listers = self.rights.listers();
        let is_listers = listers.len() <= MAX_HOLDERS && listers.iter().any(|account| account.namespace == namespace);
        let account = Account { namespace: namespace.to_owned(), name: workload.name().to_owned() };
        is_listers || configured_finalizers::is_labelled(&self.finalizer, workload) || self.has_role(workload, &account)
    }

    /// Whether a permission on the kind is evidence by itself. Many accounts have a permission on a
    /// built-in kind: there it counts only if the finalizer is a product's and its controller has
    /// no known name. If the controller's name is known, the permission counts only if a single
    /// account has it, and only on the kind of the held object: an account that may write another
    /// kind with the finalizer's domain need not be the controller's.
    pub(crate) fn rights_tell(&self) -> bool {
        let holders = self.rights.holders.len();
        let known = self.is_setter_known();
        let tells = is_custom(&self.kind.group) || (!known && self.tells_on_core_kinds());
        tells && holders <= if known { 1 } else { MAX_HOLDERS } && !(known && self.held.is_some())
    }

    /// Whether a permission on the kind is evidence for `workload`. Many workloads may write a built-in
    /// kind without being the controller of one of its objects. One in the object's own namespace may be,
    /// or one that shares a word with the finalizer.
    pub(crate) fn may_be_its_own(&self, workload: &Object) -> bool {
        is_custom(&self.kind.group)
            || workload.metadata.namespace.as_deref() == self.home.as_deref()
            || owner::fit(domain(&self.finalizer), workload) != Fit::Not
    }

    /// Whether an account may write the held object, or the kind that identifies the controller: a
    /// workload with only part of the name needs that.
    pub(crate) fn may_write(&self, account: &Account) -> bool {
        self.all_rights().any(|rights| rights.may_write(account))
    }

    /// Whether a `ClusterRoleBinding` gives an account a role that names the kind of the held object, or
    /// the one that identifies the controller.
    pub(crate) fn is_bound_everywhere(&self, account: &Account) -> bool {
        self.all_rights().any(|rights| rights.is_bound_everywhere(account))
    }

    /// The key of a ranking: everything that it depends on, the same for objects with the same traces.
    pub(crate) fn key(&self) -> String {
        let rights = (&self.rights.key, self.held.as_ref().map(|rights| &rights.key));
        let driver = self.driver.as_ref().map(|it| (&it.name, it.known, it.installed.map(Object::uid)));
        let of_object: Vec<_> = self.object_marks.iter().map(|mark| (mark.key, &mark.value)).collect();
        let product = (&self.common_setter, &self.finalizer, &self.brand);
        let places = (&self.namespaces, &self.bundles, &self.owners, &self.home);
        format!("{:?}", (&self.names, &self.marks, of_object, places, self.kind, rights, product, driver))
    }

    /// Whether a role without a binding was installed along with a workload that runs as `account`, or
    /// has a name like it.
    fn has_role(&self, workload: &Object, account: &Account) -> bool {
        self.unbound.iter().any(|(role, marks)| {
            owners_of(role).any(|owner| owners_of(workload).any(|other| owner == other))
                || weight_on(workload, marks) >= lost::ONE_INSTALLATION
                || unbound::is_called_after(role, workload, account)
        })
    }

    /// Whether OLM installed a workload together with the kind's definition.
    fn is_in_its_bundle(&self, workload: &Object) -> bool {
        workload.metadata.labels.keys().any(|key| self.bundles.contains(key.as_str()))
    }

    /// Whether a workload and the kind's definition have a common owner.
    fn has_its_owner(&self, workload: &Object) -> bool {
        owners_of(workload).any(|owner| self.owners.contains(owner))
    }

    /// Whether there are any traces of a controller.
    pub(crate) fn any(&self) -> bool {
        !self.names.is_empty() || !self.marks.is_empty() || !self.rights.holders.is_empty()
    }

    /// The marks that a workload shares with the kind's definition, and their score, which is lower
    /// if another release installed the workload.
    pub(crate) fn shared_with(&self, workload: &Object) -> (i64, Vec<&str>) {
        let mut score = weight_on(workload, &self.marks);
        let on_it = self.marks.iter().filter(|mark| mark.is_on(workload));
        let mut why: Vec<&str> = on_it.map(|mark| mark.text.as_str()).collect();
        if self.is_of_another_release(workload) {
            score -= 3;
        }
        if self.is_in_its_bundle(workload) {
            score += 3;
            why.push("its OLM bundle owns the CustomResourceDefinition too");
        }
        if self.has_its_owner(workload) {
            score += lost::ONE_INSTALLATION;
            why.push("its owner owns the CustomResourceDefinition too");
        }
        (score, why)
    }
}

fn owners_of(object: &Object) -> impl Iterator<Item = &str> {
    object.metadata.owner_references.iter().map(|owner| owner.uid.as_str())
}

/// Whether all known names of the owner are names that every driver's controller has.
fn are_a_sidecars(names: &[ControllerName]) -> bool {
    let mut owners = names.iter().filter(|name| name.owner).peekable();
    owners.peek().is_some() && owners.all(|name| is_shared(&name.word))
}

impl Traces<'_> {
    /// Whether Helm installed a workload with another release than the kind's definition: mostly another
    /// product, sometimes a product with a chart of its own for the definitions.
    pub(crate) fn is_of_another_release(&self, workload: &Object) -> bool {
        [HELM_RELEASE, HELM_NAMESPACE].into_iter().any(|key| {
            let own = self.marks.iter().find(|mark| mark.key == key);
            workload.metadata.annotations.get(key).zip(own).is_some_and(|(release, own)| *release != own.value)
        })
    }
}

/// The kind that identifies the controller: the object's own kind or, if that is built in, the kind
/// of its owner, or a kind in the finalizer's domain.
fn kind_of_interest<'s>(finalizer: &str, first: Seen<'s>, facts: &Facts<'s>) -> &'s Resource {
    let discovery = facts.discovery();
    if is_custom(&first.resource.id.group) {
        return named_in(finalizer, first.resource, facts).unwrap_or(first.resource);
    }
    let owners = first.object.metadata.owner_references.iter().take(5);
    let owner = owners
        .filter(|owner| is_custom(owner.api_version.split('/').next().unwrap_or_default()))
        .find_map(|owner| discovery.by_kind(&owner.api_version, &owner.kind));
    let domain = domain(finalizer);
    let in_group = |fits: &dyn Fn(&str) -> bool| discovery.resources.iter().find(|resource| fits(&resource.id.group));
    // Several products may share a domain: the group with exactly that name comes first.
    let same_domain = || {
        let named = in_group(&|group| group == domain && is_custom(group));
        named.or_else(|| in_group(&|group| belongs_to(group, domain)))
    };
    owner.or_else(same_domain).unwrap_or(first.resource)
}

/// A kind of the API group in a finalizer's name, if that group is a part of the object's own
/// group: the owner of `lines.net.acme.io` on a kind of `acme.io` is the controller of
/// `net.acme.io`.
fn named_in<'s>(finalizer: &str, own: &Resource, facts: &Facts<'s>) -> Option<&'s Resource> {
    let domain = domain(finalizer);
    let is_called_after = |group: &str| domain == group || domain.ends_with(&format!(".{group}"));
    let is_part = |group: &str| group.ends_with(&format!(".{}", own.id.group));
    let kinds = facts.discovery().resources.iter();
    kinds
        .filter(|kind| is_part(&kind.id.group) && is_called_after(&kind.id.group))
        .max_by_key(|kind| kind.id.group.len())
}

/// Where the controller may run invisibly. Some controllers run in a managed control plane or in
/// another cluster, and some are a person with a program.
fn unseen(finalizer: &str, kind: &Resource) -> Option<(Unseen, String)> {
    let entry = catalogue::of(finalizer, &kind.kind, &kind.id.group)?;
    Some((entry.unseen?, format!("the controller may run where this cluster does not show it: {}", entry.namespace)))
}

/// The definition of the kind that identifies the controller, by metadata; `None` if the kind is
/// built in or aggregated.
pub(crate) fn definition<'s>(finalizer: &str, first: Seen<'_>, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    let definition = Definition::metadata_of(kind_of_interest(finalizer, first, facts), facts)?;
    Ok(definition.map(|seen| seen.object))
}

/// The score from which a workload counts as the controller.
pub(crate) const ENOUGH: i64 = 3;
