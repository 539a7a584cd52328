//! Installed products as targets: the objects to delete, their content, and objects that only carry
//! their marks.

use super::owned::owned;
use super::{elsewhere, users};
use crate::facts::{Facts, Known, Readable, each};
use crate::installers::{Apart, Installed, Made, Role, Rows, all, is_installers_own, made, near};
use crate::kubernetes::definitions::{Definition, Instances};
use crate::needs::Going;
use crate::plan::full_name;
use crate::plugin::COMMAND;
use crate::report::{
    Certainty, InstalledKind, InstalledProduct, Note, ObjectNote, Ref, Removable, Sentence, number_of,
};
use crate::rules;
use crate::survey::{Object, ProductName, Seen, Survey, TargetName, Want};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The objects that are deleted as one.
#[derive(Default)]
pub(super) struct Set<'s> {
    /// Whether the targets are deleted as one, in a common order.
    pub(super) is_one: bool,
    /// The targets.
    pub(super) targets: Vec<TargetName>,
    /// The objects that an installer removes with a target, by the uid of the target.
    pub(super) contents: HashMap<&'s str, Vec<Seen<'s>>>,
    /// The uids of the installers' own objects.
    pub(super) installers: BTreeSet<&'s str>,
    /// The uids of the targets that an installer has created, and creates again from its own sources.
    pub(super) made: BTreeSet<&'s str>,
    /// The uids of objects that only count the others, and are created again while any of these exists.
    pub(super) counts: BTreeSet<&'s str>,
    /// The objects that matter to people and are deleted after an object of a product's kinds, by the uid
    /// of that object.
    pub(super) owned: HashMap<&'s str, Vec<Seen<'s>>>,
    /// The descriptions of the products.
    pub(super) products: Vec<InstalledProduct>,
    /// Notes about the objects of the products.
    pub(super) consequences: Vec<ObjectNote>,
    /// Notes about the products of which nothing was found.
    pub(super) absent: BTreeSet<Note>,
    /// The facts that could not be read.
    pub(super) unread: BTreeSet<Note>,
}

/// The chosen objects, and the reads that are needed first.
type ChosenSet<'s> = (Set<'s>, BTreeSet<Want>);

/// Chooses the objects of these products.
pub(super) fn choose<'s>(survey: &'s Survey, names: &[ProductName], others: &[TargetName]) -> ChosenSet<'s> {
    chosen(survey, others, |facts, set| look(names, facts, set))
}

fn chosen<'s>(
    survey: &'s Survey,
    targets: &[TargetName],
    look: impl FnOnce(&Facts<'s>, &mut Set<'s>) -> Known,
) -> ChosenSet<'s> {
    let facts = rules::facts(survey);
    let mut set = Set { targets: targets.to_vec(), ..Set::default() };
    look(&facts, &mut set).ok_or_note(&facts);
    let (wants, unread) = facts.into_wants();
    set.unread = unread;
    (set, wants)
}

fn look<'s>(names: &[ProductName], facts: &Facts<'s>, set: &mut Set<'s>) -> Known {
    let rows = Rows::read(facts)?;
    let found = all(&rows);
    for name in names {
        let mut fitting: Vec<&Installed<'s>> = found.iter().filter(|it| it.answers(name)).collect();
        // If the namespace is named, products without one are not meant.
        if fitting.iter().any(|it| it.mark.namespace.is_some()) && name.namespace.is_some() {
            fitting.retain(|it| it.mark.namespace.is_some());
        }
        // Anyone may mark an object with a name; not everyone may create the installer's own object.
        let with_own = |it: &&Installed<'s>| !it.own.is_empty();
        if name.namespace.is_none() && fitting.iter().filter(|it| with_own(it)).count() == 1 {
            fitting.retain(with_own);
        }
        let is_member = |seen: &Seen<'s>| name.members.contains(seen.object.uid());
        match fitting[..] {
            [] if rows.all.iter().any(is_member) => {
                facts.note_unknown(name.to_string(), "what is left of the product does not name it any more");
            }
            [] => drop(set.absent.insert(Note::about(name.to_string(), not_found(name, &found)))),
            [one] if one.is_claimed(name) => facts.note_unknown(name.to_string(), rivals(one)),
            [one] => add(one, name, &found, &rows, facts, set)?,
            _ => facts.note_unknown(name.to_string(), several(&fitting)),
        }
    }
    Ok(())
}

fn not_found(name: &ProductName, found: &[Installed<'_>]) -> String {
    let place = name.namespace.as_ref().map(|it| format!(" in namespace {it}")).unwrap_or_default();
    let near = near(name, found);
    let near = match &near[..] {
        [] => format!("; `{COMMAND} products` lists what is installed"),
        near => format!("; did you mean {}?", near.join(" or ")),
    };
    format!("not found{place}: no object's labels, annotations or inventory name it{near}")
}

/// The reason why a product cannot be told from others that claim the same objects.
fn rivals(product: &Installed<'_>) -> String {
    let all: Vec<String> = product.rivals.iter().map(|mark| product.words_of(mark)).collect();
    format!(
        "{} claim the same objects, and anybody may write such a claim: {} names them",
        all.join(" and "),
        product.words()
    )
}

fn several(fitting: &[&Installed<'_>]) -> String {
    let own = |it: &&Installed<'_>| match it.own.first() {
        // The installer's own object has a type, which distinguishes them.
        Some(own) if fitting.iter().all(|other| other.mark.namespace == it.mark.namespace) => {
            it.words_with(&format!("{}/{}", own.resource.id.short(), own.object.name()))
        }
        _ => it.words(),
    };
    let words: Vec<String> = fitting.iter().map(own).collect();
    format!("{} have that name; name one of them: {}", fitting.len(), words.join(", "))
}

fn add<'s>(
    product: &Installed<'s>,
    name: &ProductName,
    found: &[Installed<'s>],
    rows: &Rows<'s>,
    facts: &Facts<'s>,
    set: &mut Set<'s>,
) -> Known {
    let made = as_at_first(made(product, name.namespace.as_deref(), rows, facts)?, name);
    let installer = product.installer;
    let leaves = |seen: &Seen<'s>| (installer.leaves)(*seen);
    // The installer's own object deletes its content; the rest is deleted one by one.
    let goes_along = made.remover.is_some();
    let (alone, content): (Vec<Seen<'s>>, Vec<Seen<'s>>) =
        made.members.iter().copied().partition(|seen| !goes_along || leaves(seen));
    // As long as objects stay, those that count them would be created again.
    let counts = if made.apart.is_empty() && made.keeps.is_empty() { &made.counts[..] } else { &[] };
    let targets = || made.own.iter().chain(&alone).chain(counts);
    set.targets.extend(targets().map(|seen| TargetName::of(&seen.resource.id, seen.object)));
    let uids = targets().map(|seen| seen.object.uid().to_owned()).collect();
    set.installers.extend(made.own.iter().map(|seen| seen.object.uid()));
    if installer.is_sure {
        set.made.extend(alone.iter().map(|seen| seen.object.uid()));
    }
    set.counts.extend(counts.iter().map(|seen| seen.object.uid()));
    if let Some(remover) = made.remover {
        set.contents.insert(remover.object.uid(), content);
    }
    if let (Some(own), Some(why)) = (made.remover, made.stays) {
        let why = format!("its deletion alone leaves everything that it has created: {why}");
        set.consequences.push(ObjectNote { object: own.into(), why: why.into() });
    }
    note_what_goes(product, &made, set);
    let deleted_with = |definition: Seen<'s>| match made.remover {
        Some(remover) if goes_along && !leaves(&definition) => remover.object.uid().to_owned(),
        _ => definition.object.uid().to_owned(),
    };
    let described = InstalledProduct { members: uids, ..to_be_deleted(product, &made, rows, found, facts, set)? };
    set.products.push(with_deletions(described, &made.members, |seen| Some(deleted_with(seen))));
    Ok(())
}

/// Notes the objects whose marks seem to keep them.
fn note_what_goes<'s>(product: &Installed<'s>, made: &Made<'s>, set: &mut Set<'s>) {
    let misleading = made.members.iter().filter_map(|seen| {
        let why = (product.installer.fails_to_keep)(&seen.object.metadata)?;
        Some(ObjectNote { object: (*seen).into(), why: why.into() })
    });
    set.consequences.extend(misleading);
}

/// The product with the objects that delete its definitions.
fn with_deletions<'s>(
    mut described: InstalledProduct,
    members: &[Seen<'s>],
    deleted_with: impl Fn(Seen<'s>) -> Option<String>,
) -> InstalledProduct {
    for kind in described.kinds.iter_mut().filter(|kind| kind.is_defined) {
        let is_it = |seen: &&Seen<'s>| Definition::is(**seen).is_some() && seen.object.name() == kind.resource;
        kind.deleted_with = members.iter().find(is_it).and_then(|seen| deleted_with(*seen));
    }
    described
}

/// The product with each object in the list in which it was when the deletion began.
fn as_at_first<'s>(mut made: Made<'s>, name: &ProductName) -> Made<'s> {
    let (known, apart): (Vec<Apart<'s>>, Vec<Apart<'s>>) =
        made.apart.into_iter().partition(|it| name.members.contains(it.seen.object.uid()));
    made.apart = apart;
    made.members.extend(known.into_iter().map(|it| it.seen));
    let why = |seen: &Seen<'s>| name.apart.get(seen.object.uid()).cloned();
    made.apart.extend(made.members.iter().filter_map(|seen| Some(Apart { seen: *seen, why: why(seen)? })));
    made.members.retain(|seen| why(seen).is_none());
    made
}

/// The product with the users of its kinds. The objects that are deleted after those of its kinds are
/// added to `set`.
fn to_be_deleted<'s>(
    product: &Installed<'s>,
    made: &Made<'s>,
    rows: &Rows<'s>,
    found: &[Installed<'s>],
    facts: &Facts<'s>,
    set: &mut Set<'s>,
) -> Known<InstalledProduct> {
    let described = described(product, made, rows, facts)?;
    let used_by = users::of(made, &described.kinds, rows, found, facts)?;
    set.owned.extend(owned(&described.kinds, rows));
    Ok(InstalledProduct { used_by, ..described })
}

/// The content of installers' own objects among plain targets, by the installers' rules.
pub(super) fn of_targets<'s>(survey: &'s Survey, targets: &[TargetName]) -> ChosenSet<'s> {
    chosen(survey, targets, |facts, set| along(targets, facts, set))
}

fn along<'s>(targets: &[TargetName], facts: &Facts<'s>, set: &mut Set<'s>) -> Known {
    let own: Vec<&TargetName> = targets.iter().filter(|name| is_installers_own(&name.resource)).collect();
    if own.is_empty() {
        return Ok(());
    }
    let rows = Rows::read(facts)?;
    let found = all(&rows);
    for name in own {
        let is_it = |seen: &&Seen<'_>| TargetName::of(&seen.resource.id, seen.object) == *name;
        let of_product = found.iter().find_map(|product| Some((product, product.own.iter().find(is_it)?)));
        let Some((product, seen)) = of_product else { continue };
        let made = made(product, None, &rows, facts)?;
        set.installers.insert(seen.object.uid());
        let object = Ref::from(*seen);
        let stays = match product.installer.role_of(*seen) {
            Role::Asks(why) => Some(why),
            Role::Counts => Some("it does not delete them, it only lists them"),
            Role::Removes | Role::Follows => made.stays,
        };
        let described = to_be_deleted(product, &made, &rows, &found, facts, set)?;
        if let Some(why) = stays {
            set.products.push(described);
            let why = format!(
                "its deletion leaves the {} that it has created: {why}",
                number_of(made.members.len() + made.keeps.len(), "object")
            );
            set.consequences.push(ObjectNote { object, why: why.into() });
        } else {
            let goes = made.members.iter().filter(|it| !(product.installer.leaves)(**it) && !is_it(it));
            let goes: Vec<Seen<'s>> = goes.copied().collect();
            let uid = seen.object.uid();
            note_what_goes(product, &made, set);
            set.products.push(with_deletions(described, &goes, |_| Some(uid.to_owned())));
            set.contents.insert(uid, goes);
        }
    }
    Ok(())
}

/// All installed products, in one namespace or anywhere.
pub(super) fn list<'s>(survey: &'s Survey, namespace: Option<&str>) -> ChosenSet<'s> {
    chosen(survey, &[], |facts, set| listed(namespace, facts, set))
}

fn listed<'s>(namespace: Option<&str>, facts: &Facts<'s>, set: &mut Set<'s>) -> Known {
    let rows = Rows::read(facts)?;
    let found = all(&rows);
    let looked = each(&found, |product| made(product, None, &rows, facts))?;
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for (product, made) in found.iter().zip(&looked) {
        // A product that one installer has installed through another is listed once, even if its objects have
        // the marks of both.
        let all = made.own.iter().chain(&made.members).chain(made.keeps.iter().map(|(seen, _)| seen));
        let is_new = all.clone().any(|seen| !known.contains(seen.object.uid()));
        let here = namespace.is_none_or(|asked| product.mark.namespace.as_deref().is_none_or(|it| it == asked));
        let is_there = product.installer.is_sure || all.clone().any(|seen| seen.resource.id.group == "apps");
        if !is_new || !here || !is_there {
            continue;
        }
        known.extend(all.map(|seen| seen.object.uid()));
        set.products.push(described(product, made, &rows, facts)?);
    }
    Ok(())
}

fn described<'s>(
    product: &Installed<'s>,
    made: &Made<'s>,
    rows: &Rows<'s>,
    facts: &Facts<'s>,
) -> Known<InstalledProduct> {
    let kinds = kinds(made, facts)?;
    let all_read = rows.complete && kinds.iter().all(|kind| kind.objects.is_some());
    let held = kinds.iter().any(|kind| kind.held > 0);
    let removable = match (held, all_read) {
        (_, false) => Removable::Unknown,
        (false, true) => Removable::Yes,
        (true, true) if runs(made, facts)? => Removable::InOrder,
        (true, true) => Removable::No,
    };
    let note = |seen: &Seen<'_>, why: String| ObjectNote { object: (*seen).into(), why: why.into() };
    let look_at = |Apart { seen, why }: &Apart<'_>| {
        let object = Ref::from(*seen);
        let why = Sentence::from(why).by(format_args!("kubectl get {}", full_name(&object)));
        ObjectNote { object, why }
    };
    let outside = outside(product, made);
    let installer = product.installer;
    Ok(InstalledProduct {
        installer: installer.word,
        title: installer.title,
        name: product.mark.name.clone(),
        namespace: product.mark.namespace.clone(),
        certainty: if installer.is_sure { Certainty::Proven } else { Certainty::Likely },
        objects: made.own.len() + made.members.len() + made.keeps.len(),
        outside: outside.len(),
        taken_outside: made.remover.map(|own| (own.object.uid().to_owned(), outside)),
        members: BTreeSet::new(),
        kinds,
        removable,
        keeps: made.keeps.iter().map(|(seen, why)| note(seen, format!("its installer leaves it: {why}"))).collect(),
        apart: made.apart.iter().map(look_at).collect(),
        used_by: Vec::new(),
        by_itself: installer.by_itself.into(),
        forget: (installer.forget)(&product.mark),
    })
}

/// The objects of a product that are deleted and not in the namespace of the product, if that has one.
fn outside(product: &Installed<'_>, made: &Made<'_>) -> Vec<Ref> {
    let Some(home) = product.mark.namespace.as_deref() else { return Vec::new() };
    let all = made.own.iter().chain(&made.members);
    all.filter(|seen| seen.object.metadata.namespace.as_deref() != Some(home)).map(|seen| (*seen).into()).collect()
}

/// The kinds that a product defines, with their objects; then the kinds that lose their operator with it.
fn kinds<'s>(made: &Made<'s>, facts: &Facts<'s>) -> Known<Vec<InstalledKind>> {
    let members = || made.members.iter().chain(made.keeps.iter().map(|(seen, _)| seen));
    let definitions: Vec<Seen<'s>> = members().filter(|seen| Definition::is(**seen).is_some()).copied().collect();
    let wholes = each(&definitions, |seen| facts.whole(*seen).if_readable())?;
    let definitions = definitions.iter().zip(wholes).filter_map(|(seen, whole)| {
        let object = whole.flatten()?;
        Definition::is(Seen { resource: seen.resource, object })
    });
    let mut kinds = each(definitions.collect::<Vec<_>>(), |definition| {
        let resource = definition.object().name().to_owned();
        Ok(match definition.instances(facts)? {
            Instances::Listed(all) => counted(resource, all.iter().map(|seen| seen.object), true),
            Instances::Unserved => counted(resource, std::iter::empty(), true),
            Instances::Unread { .. } => InstalledKind { objects: None, ..counted(resource, std::iter::empty(), true) },
        })
    })?;
    let going = Going::of_objects(members().copied());
    let known: BTreeSet<String> = kinds.iter().map(|kind| kind.resource.clone()).collect();
    let mut stranded: BTreeMap<String, Vec<&Object>> = BTreeMap::new();
    for seen in elsewhere::stranded(&homes(members().copied()), &going, facts)? {
        stranded.entry(seen.resource.id.short()).or_default().push(seen.object);
    }
    stranded.retain(|resource, _| !known.contains(resource));
    kinds.extend(stranded.into_iter().map(|(resource, objects)| counted(resource, objects.into_iter(), false)));
    Ok(kinds)
}

/// The namespaces of the workloads among these.
pub(super) fn homes<'s>(seen: impl Iterator<Item = Seen<'s>>) -> BTreeSet<&'s str> {
    seen.filter(|seen| elsewhere::runs(seen)).filter_map(|seen| seen.object.metadata.namespace.as_deref()).collect()
}

fn counted<'o>(resource: String, objects: impl Iterator<Item = &'o Object>, is_defined: bool) -> InstalledKind {
    let objects: Vec<&Object> = objects.collect();
    let held = objects.iter().filter(|object| !object.metadata.finalizers.is_empty()).count();
    let namespaces: BTreeSet<&str> = objects.iter().filter_map(|object| object.metadata.namespace.as_deref()).collect();
    let namespaces = namespaces.into_iter().map(str::to_owned).collect();
    InstalledKind { resource, objects: Some(objects.len()), held, namespaces, is_defined, deleted_with: None }
}

/// Whether a workload of the product has a Ready pod.
fn runs(made: &Made<'_>, facts: &Facts<'_>) -> Known<bool> {
    let workloads = made.members.iter().filter(|seen| elsewhere::runs(seen));
    let wholes = each(workloads, |seen| facts.whole(*seen).if_readable())?;
    let ready = |object: &Object| {
        ["/status/readyReplicas", "/status/numberReady"]
            .iter()
            .any(|it| object.at(it).and_then(serde_json::Value::as_i64) > Some(0))
    };
    Ok(wholes.into_iter().flatten().flatten().any(ready))
}
