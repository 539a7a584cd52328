//! APIs without which a namespace is not known to be empty: those that fail now, and
//! those that would as soon as what serves them has gone with the target.

use crate::diagnosis::explore;
use crate::facts::{Facts, Known, SETTLE, Target, Unknown};
use crate::kubernetes::definitions::Definition;
use crate::needs::{Draft, Explains, Findings, Going, Outlook, Phase, Rule};
use crate::report::{Cause, Ref, Turn, counted, refs};
use crate::rules::RULES;
use crate::survey::{Discovery, Form, Resource, ResourceId, Seen};
use std::collections::{BTreeMap, BTreeSet};

/// So many definitions are looked at.
const DEFINITIONS: usize = 60;
/// The rule about conversions.
const RULE: &str = "conversion-webhook-dead";

/// Adds what would keep the target from being listed.
pub(super) fn look<'s>(target: &Target<'s>, going: &Going<'_>, facts: &Facts<'s>, out: &mut Outlook) -> Known {
    if !target.is_namespace() && Definition::is(target.seen).is_none() {
        return Ok(());
    }
    let now = as_if_deleted(target, facts, out);
    let served = served_from_within(going, facts, out);
    let converted = converted_from_within(target, going, facts, out);
    now.and(served).and(converted)
}

/// What fails now already.
fn as_if_deleted(target: &Target<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let mut object = target.object().clone();
    // So long ago that nobody is waited for and everything is looked for: also what the
    // store lists and the cache, from which controllers list, does not.
    object.metadata.deletion_timestamp = facts.now().checked_sub(SETTLE * 4).ok();
    let deleted = Target { seen: Seen { resource: target.seen.resource, object: &object } };
    let mut undecided = Ok(());
    // The rules about lists read nothing of the target but its content.
    for (rule, explains) in RULES.iter().flat_map(Rule::explained) {
        let Explains::Listed(explain) = explains else { continue };
        let mut found = Findings::default();
        if let Err(unknown) = explain(&deleted, facts, &mut found) {
            undecided = Err::<(), Unknown>(unknown);
        }
        for draft in found.drafts {
            out.hangs(rule, draft);
        }
    }
    undecided
}

/// Aggregated APIs that are served from a namespace that goes: they stay registered,
/// and every deletion of a namespace waits for them, this one included.
fn served_from_within(going: &Going<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let Some(resource) = facts.discovery().preferred("apiregistration.k8s.io", "apiservices") else { return Ok(()) };
    let apis = facts.list(&resource.id, None, Form::Whole)?;
    let leaving: Vec<Ref> = (apis.iter().filter(|api| going.holds(api.text("/spec/service/namespace"))))
        .map(|api| Ref::of(resource, api))
        .collect();
    // Those that fail now are told of; deleted first they are in nobody's way.
    for draft in out.drafts.iter_mut().filter(|draft| draft.finding.cause == Cause::Api) {
        draft.finding.avoidable |= draft.finding.objects.iter().all(|api| leaving.contains(api));
    }
    for (api, object) in apis.iter().filter(|api| going.holds(api.text("/spec/service/namespace"))).zip(leaving) {
        let service = api.text("/spec/service/name").unwrap_or_default();
        let place = api.text("/spec/service/namespace").unwrap_or_default();
        if out.drafts.iter().any(|draft| draft.finding.cause == Cause::Api && draft.finding.objects.contains(&object)) {
            out.first(Phase::Registrations, turn(&object, place));
            continue;
        }
        let draft = Draft::new(
            Cause::Api,
            object.clone(),
            format!(
                "APIService {} would stay and no longer answer: its Service {place}/{service} would go first",
                object.name
            ),
        )
        .evidence(format!("served by Service {place}/{service}"), &object, "spec.service")
        .remark(
            "no namespace is known to be empty while an API cannot be looked into: every deletion of one would wait",
        )
        .likely();
        let turn = turn(&object, place);
        out.hangs_unless("apiservice-unavailable", draft, Phase::Registrations, turn);
    }
    Ok(())
}

fn turn(api: &Ref, place: &str) -> Turn {
    Turn::registration(
        api,
        format!("its server goes with namespace {place}"),
        "clients of this API find it gone until it is registered again; objects behind it stay where they are",
    )
}

/// Kinds whose rows are converted by a webhook in a namespace that goes. Only kinds of
/// several versions are converted; definitions are large, and so many are read.
fn converted_from_within<'s>(target: &Target<'s>, going: &Going<'_>, facts: &Facts<'s>, out: &mut Outlook) -> Known {
    if going.namespaces.is_empty() || !target.is_namespace() {
        return Ok(());
    }
    let name = target.object().name();
    let content = facts.sweep(name)?.objects;
    if !content.iter().any(|seen| seen.resource.id.group.is_empty() && seen.resource.id.plural == "services") {
        return Ok(());
    }
    let here: BTreeSet<&ResourceId> = content.iter().map(|seen| &seen.resource.id).collect();
    let mut kinds: Vec<&Resource> = of_several_versions(facts.discovery());
    kinds.sort_by_key(|kind| !here.contains(&kind.id));
    let definitions: Vec<Known<Option<Definition<'s>>>> =
        kinds.into_iter().take(DEFINITIONS).map(|kind| Definition::of(kind, facts)).collect();
    let mut waits = false;
    for definition in definitions {
        match definition {
            Ok(Some(definition)) if is_converted_in(&definition, name) => converted(target, definition, facts, out)?,
            Ok(_) => {}
            Err(Unknown::NotSurveyed) => waits = true,
            Err(unread) => explore::undecided(unread, facts),
        }
    }
    if waits { Err(Unknown::NotSurveyed) } else { Ok(()) }
}

/// The kinds of definitions that are served in more than one version.
fn of_several_versions(discovery: &Discovery) -> Vec<&Resource> {
    let mut versions: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for resource in &discovery.resources {
        *versions.entry((&resource.id.group, &resource.id.plural)).or_default() += 1;
    }
    let several = |resource: &&Resource| versions[&(resource.id.group.as_str(), resource.id.plural.as_str())] > 1;
    let custom = |resource: &&Resource| resource.id.group.contains('.') && !resource.id.group.ends_with(".k8s.io");
    discovery.listable().filter(several).filter(custom).collect()
}

fn is_converted_in(definition: &Definition<'_>, namespace: &str) -> bool {
    let service = definition.webhook().and_then(|webhook| webhook.pointer("/service/namespace")?.as_str());
    service == Some(namespace)
}

/// One that has rows in a version that is not the one that controllers ask for: it
/// cannot be listed any more. While all rows are in that version nothing is converted.
fn converted<'s>(target: &Target<'s>, definition: Definition<'s>, facts: &Facts<'s>, out: &mut Outlook) -> Known {
    let reference = definition.reference();
    let (group, plural) = (definition.says("/group"), definition.says("/names/plural"));
    let asked = facts.discovery().preferred(group, plural);
    let stored = definition.stored();
    let converts = asked.is_some_and(|asked| stored.iter().any(|version| *version != asked.id.version));
    let place = target.reference();
    if !converts {
        let why = format!(
            "its objects can be read in the version of the rows alone when {place}, which converts them, is gone"
        );
        out.consequence(reference, why);
        return Ok(());
    }
    let all = facts.sweep(target.object().name())?.objects;
    let here: Vec<Seen<'s>> =
        all.into_iter().filter(|seen| seen.resource.id.group == group && seen.resource.id.plural == plural).collect();
    let why = format!("nobody converts its rows when {place} is gone: they cannot be read any more, in any namespace");
    out.consequence(reference.clone(), why);
    // A list of a namespace reads no row of another one; and what cannot be read now
    // was told of.
    let told = |draft: &Draft| draft.finding.rule == RULE && draft.finding.subject == reference;
    if here.is_empty() || out.drafts.iter().any(told) {
        return Ok(());
    }
    let service = definition.webhook().and_then(|webhook| webhook.pointer("/service/name")?.as_str());
    let draft = Draft::new(
        Cause::Conversion,
        here[0].into(),
        format!(
            "{} could not be read any more: Service {}, which converts them, would go first",
            counted(&here),
            service.unwrap_or_default()
        ),
    )
    .waits_for(reference.clone())
    .evidence(format!("rows may be in {}", stored.join(", ")), &reference, "status.storedVersions")
    .evidence("strategy Webhook", &reference, "spec.conversion")
    .likely()
    .objects(refs(&here));
    let turn =
        Turn::objects(&here, true, format!("while Service {} is there to convert them", service.unwrap_or_default()));
    out.hangs_unless(RULE, draft, Phase::Objects, turn);
    Ok(())
}
