//! Leftovers of forced finalizations anywhere in the cluster: objects in namespaces that do not exist,
//! or that are older than their namespace, and objects whose owners are gone.
//!
//! Everything is listed once, by metadata. Possible leftovers are checked again: the namespace by itself,
//! then the kinds in it. A namespace that was created or deleted between two lists therefore makes no
//! orphan.

use crate::diagnosis::answer::Diagnosis;
use crate::diagnosis::explore::under_its_name;
use crate::diagnosis::targets::look_at;
use crate::diagnosis::verdict::Holding;
use crate::diagnosis::{answer, merge, requirements};
use crate::facts::{Everything, Facts, Known, Readable, Sweep, each, for_each, is_pod};
use crate::kubernetes::namespaces::{is_default_content, is_older_than};
use crate::needs::{Draft, Explains, Findings, NamespacedObjects, OwnedObjects, Rule};
use crate::plan::steps::recreate_namespace;
use crate::report::{Cause, Finding, Need, Ref, Report, State, TargetReport, number_of};
use crate::rules::{self, RULES};
use crate::survey::{Form, Object, Purpose, Resource, ResourceId, Scope, Seen, Survey};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Finds the leftovers in `scope`.
#[must_use]
pub fn diagnose(survey: &Survey, scope: &Scope) -> Diagnosis {
    let facts = rules::facts(survey);
    let mut found = Leftovers::default();
    look(&facts, survey, scope, &mut found).ok_or_note(&facts);
    let told: Vec<Vec<Need>> = found.drafts.iter().map(Draft::needs).collect();
    let needs = requirements::of(&found.drafts, &told, &found.targets, &facts);
    let (findings, remedies) = merge::number(found.drafts, &facts);
    let holding = Holding::new(&findings);
    for target in found.judged_by_rules {
        holding.judge(&mut found.targets[target]);
    }
    let (wants, unread) = facts.into_wants();
    let report = Report { needs, ..answer::report(survey, found.targets, findings, remedies, unread) };
    Diagnosis { report, wants }
}

/// The results so far.
#[derive(Default)]
struct Leftovers {
    targets: Vec<TargetReport>,
    drafts: Vec<Draft>,
    /// The indices of the targets that rules have judged.
    judged_by_rules: Vec<usize>,
}

impl Leftovers {
    /// Adds a namespace with its findings.
    fn add(&mut self, namespace: Ref, summary: String, drafts: Vec<Draft>) {
        for mut draft in drafts {
            // The object is stranded, whatever its controller does.
            if draft.finding.is_trouble() {
                draft.finding.cause = Cause::Stranded;
            }
            draft.finding.blocks = vec![namespace.clone()];
            self.drafts.push(draft);
        }
        self.targets.push(TargetReport {
            state: State::Stuck,
            summary: summary.into(),
            ..TargetReport::new(namespace)
        });
    }
}

fn look<'s>(facts: &Facts<'s>, survey: &'s Survey, scope: &Scope, found: &mut Leftovers) -> Known {
    // A survey of all namespaces also serves for a single one.
    let taken_for = if let Purpose::Orphans(taken_for) = &survey.purpose { taken_for } else { scope };
    let listed_in = taken_for.namespace.as_deref();
    let Everything { rows, complete } = everything(facts, listed_in)?;
    let by_namespace = by_namespace(&rows, scope);
    let namespaces = namespaces(facts, listed_in, by_namespace.keys().copied())?;
    let suspect = |(name, namespace): &(&str, Option<&Object>)| is_suspect(*namespace, by_namespace.get(name));
    let suspects: Vec<(&str, Option<&Object>)> =
        namespaces.iter().map(|(name, namespace)| (*name, *namespace)).filter(suspect).collect();
    let contents = each(&suspects, |(name, namespace)| {
        let kinds = by_namespace.get(name).into_iter().flat_map(|inside| inside.kinds.values().copied());
        content(facts, name, namespace.is_none(), kinds)
    })?;
    let looked = for_each(suspects.iter().zip(contents), |((name, namespace), (content, read))| {
        if let Some(namespace) = namespace.filter(|namespace| namespace.is_deleting()) {
            going(facts, survey, namespace, &content, found);
            return Ok(());
        }
        let no_delete = scope.no_delete_in.contains(*name);
        let objects =
            NamespacedObjects { name, namespace: *namespace, objects: &content, complete: complete && read, no_delete };
        leftovers(facts, &objects, found)
    });
    let gone: HashSet<&str> =
        namespaces.iter().filter(|(_, namespace)| namespace.is_none()).map(|(name, _)| *name).collect();
    looked.and(ownerless(facts, scope, &rows, &gone, found))
}

/// The facts that the first pass keeps about the content of a namespace: in a large cluster, the objects
/// themselves are too many.
#[derive(Default)]
struct Inside<'s> {
    /// The kinds of its objects.
    kinds: BTreeMap<&'s ResourceId, &'s Resource>,
    /// The oldest object.
    oldest: Option<&'s Object>,
}

impl<'s> Inside<'s> {
    fn add(&mut self, seen: Seen<'s>) {
        self.kinds.insert(&seen.resource.id, seen.resource);
        let made = |object: &Object| object.metadata.creation_timestamp;
        if made(seen.object).is_some() && self.oldest.is_none_or(|oldest| made(seen.object) < made(oldest)) {
            self.oldest = Some(seen.object);
        }
    }
}

/// The content of each namespace in scope.
fn by_namespace<'s>(rows: &[Seen<'s>], scope: &Scope) -> BTreeMap<&'s str, Inside<'s>> {
    let mut groups: BTreeMap<&str, Inside<'s>> = BTreeMap::new();
    for seen in rows {
        if let Some(namespace) = seen.object.metadata.namespace.as_deref()
            && scope.holds(Some(namespace))
        {
            groups.entry(namespace).or_default().add(*seen);
        }
    }
    groups
}

/// Everything that can be listed. The namespaces are read before their content or, if there are many,
/// together with it.
fn everything<'s>(facts: &Facts<'s>, namespace: Option<&str>) -> Known<Everything<'s>> {
    let namespaces = ResourceId::new("", "v1", "namespaces");
    match namespace {
        Some(name) => drop(facts.get(&namespaces, None, name, Form::Metadata)?),
        None => drop(facts.list(&namespaces, None, Form::Metadata)),
    }
    facts.everything(namespace)
}

/// Every namespace that exists or has objects, and whether it exists. A namespace that is missing in the
/// list is read by itself; if that fails, its content is not judged.
fn namespaces<'s>(
    facts: &Facts<'s>,
    listed_in: Option<&str>,
    with_rows: impl Iterator<Item = &'s str>,
) -> Known<BTreeMap<&'s str, Option<&'s Object>>> {
    let resource = ResourceId::new("", "v1", "namespaces");
    let mut known: BTreeMap<&str, Option<&Object>> = BTreeMap::new();
    if listed_in.is_none()
        && let Ok(listed) = facts.list(&resource, None, Form::Metadata)
    {
        known.extend(listed.iter().map(|namespace| (namespace.name(), Some(namespace))));
    }
    let names: Vec<&str> = with_rows.filter(|name| !known.contains_key(name)).collect();
    let asked = each(&names, |name| facts.get(&resource, None, name, Form::Metadata).or_note(facts))?;
    known.extend(names.into_iter().zip(asked).filter_map(|(name, asked)| Some((name, asked?))));
    Ok(known)
}

/// Whether a namespace needs a second check.
fn is_suspect(namespace: Option<&Object>, inside: Option<&Inside<'_>>) -> bool {
    let Some(namespace) = namespace else { return inside.is_some() };
    let oldest = inside.and_then(|inside| inside.oldest);
    recreate_namespace::made(namespace) || oldest.is_some_and(|oldest| is_older_than(oldest, namespace))
}

/// The objects that are in a namespace now, of the kinds that the first pass found there, and whether all
/// these kinds could be read. The pods of a namespace that is gone are read whole, since unscheduled ones
/// are deleted by themselves.
fn content<'s>(
    facts: &Facts<'s>,
    name: &str,
    gone: bool,
    kinds: impl Iterator<Item = &'s Resource>,
) -> Known<(Vec<Seen<'s>>, bool)> {
    let lists = each(kinds, |resource| {
        let form = if gone && is_pod(resource) { Form::Whole } else { Form::Metadata };
        let objects = facts.list(&resource.id, Some(name), form).or_note(facts)?;
        Ok(objects.map(|objects| objects.iter().map(|object| Seen { resource, object }).collect::<Vec<_>>()))
    })?;
    let complete = lists.iter().all(Option::is_some);
    Ok((lists.into_iter().flatten().flatten().collect(), complete))
}

/// Adds a namespace that does not exist, or that exists and contains leftovers or was created for them.
fn leftovers(facts: &Facts<'_>, housed: &NamespacedObjects<'_>, found: &mut Leftovers) -> Known {
    let mut drafts = Vec::new();
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::NamespaceExists(explain) = explains else { continue };
        drafts.extend(under_its_name(rule, explain(housed, facts)?));
    }
    if !drafts.is_empty() {
        let named = recreate_namespace::namespace(housed.name);
        let object = match housed.namespace {
            None => named.missing(),
            Some(namespace) => named.with_uid(namespace.uid()),
        };
        found.add(object, in_short(housed), drafts);
    }
    Ok(())
}

/// A summary, such as `does not exist, but contains 3 objects`.
fn in_short(housed: &NamespacedObjects<'_>) -> String {
    let count = housed.objects.len();
    let Some(namespace) = housed.namespace else {
        return format!("does not exist, but contains {}", number_of(count, "object"));
    };
    let older = housed.objects.iter().filter(|seen| is_older_than(seen.object, namespace) && !is_default_content(seen));
    let objects: Vec<Ref> = older.map(|seen| (*seen).into()).collect();
    if objects.is_empty() {
        "was created again to release what was stranded in it; nothing of that is left".to_owned()
    } else {
        format!("contains objects that are older than the namespace: {}", Sweep::count(&objects))
    }
}

/// Adds a namespace that contains leftovers and is being deleted: it is diagnosed like any target.
fn going(facts: &Facts<'_>, survey: &Survey, namespace: &Object, content: &[Seen<'_>], found: &mut Leftovers) {
    if !recreate_namespace::made(namespace) && !content.iter().any(|seen| is_older_than(seen.object, namespace)) {
        return;
    }
    let target = recreate_namespace::namespace(namespace.name()).target();
    let mut findings = Findings::default();
    let looked = look_at(&target, facts, survey, &mut findings);
    if looked.state == State::Gone {
        return;
    }
    for mut draft in findings.drafts {
        draft.finding.blocks = vec![looked.object.clone()];
        found.drafts.push(draft);
    }
    found.judged_by_rules.push(found.targets.len());
    found.targets.push(looked);
}

/// Adds objects without owners. Those in namespaces that are gone are reported already.
fn ownerless(
    facts: &Facts<'_>,
    scope: &Scope,
    rows: &[Seen<'_>],
    gone: &HashSet<&str>,
    found: &mut Leftovers,
) -> Known {
    let stranded = |object: &Object| object.metadata.namespace.as_deref().is_some_and(|name| gone.contains(name));
    let known_before =
        |object: &Object| scope.without_owners_before.as_ref().is_none_or(|before| before.contains(object.uid()));
    let is_asked_about = |seen: &&Seen<'_>| {
        let object = seen.object;
        !object.metadata.owner_references.is_empty()
            && scope.holds(object.metadata.namespace.as_deref())
            && !stranded(object)
            && known_before(object)
    };
    let objects: Vec<Seen<'_>> = rows.iter().filter(is_asked_about).copied().collect();
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::OwnersExist(explain) = explains else { continue };
        let drafts = explain(&OwnedObjects { objects: &objects, listed: rows }, facts)?;
        found.drafts.extend(under_its_name(rule, drafts));
    }
    Ok(())
}

/// The uids of all objects that are reported to have no owners, for a second check.
#[must_use]
pub fn without_owners(report: &Report) -> BTreeSet<String> {
    let of_owners = |finding: &&Finding| {
        let mut explained = RULES.iter().flat_map(Rule::explained);
        explained.any(|(rule, explains)| rule == finding.rule && matches!(explains, Explains::OwnersExist(_)))
    };
    let ownerless = report.findings.iter().filter(of_owners);
    ownerless.flat_map(|finding| &finding.objects).map(|object| object.uid.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_oldest_object_is_chosen_among_those_of_known_age() {
        let kind = Resource::tested("", "configmaps", "ConfigMap", true);
        let object = |name: &str, made: Option<&str>| {
            Object::single(json!({"metadata": {"name": name, "creationTimestamp": made}})).unwrap()
        };
        let oldest = |objects: &[(&str, Option<&str>)]| {
            let objects: Vec<Object> = objects.iter().map(|(name, made)| object(name, *made)).collect();
            let mut inside = Inside::default();
            for object in &objects {
                inside.add(Seen { resource: &kind, object });
            }
            inside.oldest.map(|object| object.name().to_owned())
        };
        let (early, late) = (Some("2026-01-01T00:00:00Z"), Some("2026-01-02T00:00:00Z"));
        assert_eq!(oldest(&[("a", late), ("b", early), ("c", late)]).as_deref(), Some("b"));
        assert_eq!(oldest(&[("a", early), ("b", early)]).as_deref(), Some("a"));
        assert_eq!(oldest(&[("a", late), ("b", None)]).as_deref(), Some("a"));
        assert_eq!(oldest(&[("a", None)]), None);
    }
}
