//! Rows of a kind are stored in one version and asked for in another, and the
//! webhook that converts them does not answer: nobody can read the kind, the
//! namespace controller included.

use super::Rule;
use super::support::versions::{self, Unreadable, Why};
use crate::diagnosis::{Cause, Definition, Draft, Facts, Findings, Known, Ref, Target, Unknown};
use crate::plan::{Remedy, Risk, quote, steps};
use crate::survey::{Form, Resource, ResourceId, Seen, TargetName, Unread};
use serde_json::Value;

pub(super) const RULE: Rule = Rule { name: NAME, explanation: include_str!("conversion_webhook_dead.md"), diagnose };

pub(super) const NAME: &str = "conversion-webhook-dead";

/// So many of the objects behind it are named.
const SHOWN: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let kinds = versions::unreadable(target, facts)?;
    let kinds = kinds.into_iter().filter(|kind| matches!(kind.why, Why::Webhook | Why::Silent));
    let drafts: Vec<Known<Draft>> = kinds
        .map(|kind| {
            let left = left(target, kind.definition, facts)?;
            let draft = draft(&kind, facts)?;
            Ok(with_objects(draft, left.as_deref(), found))
        })
        .collect();
    for draft in drafts {
        found.add(draft?);
    }
    Ok(())
}

/// The finding for one object that cannot be read itself.
pub(super) fn for_object(kind: &Resource, why: &Unread, facts: &Facts<'_>) -> Known<Option<Draft>> {
    match versions::of_kind(kind, why, facts)? {
        Some(kind) if matches!(kind.why, Why::Webhook | Why::Silent) => draft(&kind, facts).map(Some),
        _ => Ok(None),
    }
}

/// What is left behind it in a namespace, where another version can be read.
fn left<'s>(target: &Target<'s>, definition: Definition<'s>, facts: &Facts<'s>) -> Known<Option<Vec<Seen<'s>>>> {
    match target.namespace_being_emptied() {
        Some(namespace) => versions::readable_otherwise(definition, namespace, facts),
        None => Ok(None),
    }
}

/// Names them; what holds them is looked for, too, since it comes next.
fn with_objects(mut draft: Draft, left: Option<&[Seen<'_>]>, found: &mut Findings) -> Draft {
    let Some(left) = left else { return draft };
    for seen in left.iter().take(SHOWN) {
        let reference = Ref::from(*seen);
        let state = if seen.object.is_deleting() { "being deleted" } else { "not asked to go" };
        let version = &seen.resource.id.version;
        draft = draft.evidence(format!("left: {reference}, {state}; it shows as {version}"), &reference, "");
    }
    left.iter().filter(|seen| seen.object.is_deleting()).for_each(|seen| found.follow(*seen));
    draft
}

fn draft(kind: &Unreadable<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let definition = kind.definition;
    let object = definition.reference();
    let name = definition.object().name();
    let behind = Behind::of(definition, facts)?;
    let dead = behind.words();
    let summary = format!("{name} cannot be read: {dead}");
    let mut draft = Draft::new(Cause::Conversion, object.clone(), summary).remark(kind.words.clone());
    draft = draft.evidence(
        format!(
            "strategy Webhook; rows may be in {}, written in {}",
            definition.stored().join(", "),
            definition.storage().unwrap_or("?")
        ),
        &object,
        "spec.conversion",
    );
    if let Some(service) = &behind.service {
        draft = draft.waits_for(service.clone());
    }
    if kind.why == Why::Silent || (!kind.now && !behind.is_missing()) {
        draft = draft.likely();
    }
    if definition.webhook().is_none() {
        // Somebody has set it to None since: the next look gets on.
        return Ok(draft.likely().remedy(Remedy::manual("wait, and look again in a minute", "nothing is lost")));
    }
    draft =
        draft.remark("only namespaces with rows in another version are hit; whatever lists the kind meets the same");
    Ok(draft.remedy(repair(&behind, definition)).remedy(none(definition)))
}

/// Who answers for the webhook.
struct Behind {
    /// The Service, marked when it does not exist; `None` for a URL.
    service: Option<Ref>,
    /// What the configuration names.
    named: String,
}

impl Behind {
    fn of(definition: Definition<'_>, facts: &Facts<'_>) -> Known<Self> {
        let Some(config) = definition.webhook() else {
            return Ok(Self { service: None, named: "its conversion webhook".into() });
        };
        let text = |field: &str| config.pointer(field).and_then(Value::as_str).unwrap_or_default();
        if config.get("service").is_none_or(Value::is_null) {
            return Ok(Self { service: None, named: format!("its conversion webhook at {}", text("/url")) });
        }
        let (namespace, name) = (text("/service/namespace"), text("/service/name"));
        let services = TargetName {
            resource: ResourceId::new("", "v1", "services"),
            namespace: Some(namespace.into()),
            name: name.into(),
        };
        let named = Ref {
            api_version: "v1".into(),
            kind: "Service".into(),
            resource: "services".into(),
            namespace: Some(namespace.into()),
            name: name.into(),
            ..Ref::default()
        };
        let service = match facts.get(&services.resource, Some(namespace), name, Form::Whole) {
            Ok(Some(object)) => Ref { uid: object.uid().into(), ..named },
            Ok(None) => named.missing(),
            Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
            Err(Unknown::Unread { what, why }) => {
                facts.note_unread(what, &why);
                named
            }
        };
        Ok(Self { named: format!("the conversion webhook behind {service}"), service: Some(service) })
    }

    fn is_missing(&self) -> bool {
        self.service.as_ref().is_some_and(|service| service.missing)
    }

    fn words(&self) -> String {
        match &self.service {
            Some(service) if service.missing => {
                format!("its conversion webhook is dead: {service} does not exist")
            }
            _ => format!("{} does not do its part", self.named),
        }
    }
}

fn repair(behind: &Behind, definition: Definition<'_>) -> Remedy {
    let name = quote(definition.object().name());
    let title = match &behind.service {
        Some(service) => format!(
            "bring {service} back, with the product that it belongs to: kubectl -n {} get service,endpointslices,pods; kubectl get crd {name} --show-labels",
            quote(service.namespace.as_deref().unwrap_or_default())
        ),
        None => format!("bring {} back: kubectl get crd {name} -o jsonpath='{{.spec.conversion}}'", behind.named),
    };
    Remedy::manual(title, "nothing is lost; what waits goes on by itself within 60 seconds")
}

fn none(definition: Definition<'_>) -> Remedy {
    let shown = definition.object().at("/spec/conversion").unwrap_or(&Value::Null);
    let consequence = if definition.object().is_deleting() {
        "its objects can be read and deleted again; it goes with them, so that nothing is to be put back"
    } else {
        "its objects can be read and deleted again; while it is None, what only another version knows is pruned from every object that is written: put the webhook back afterwards"
    };
    Remedy::new(steps::conversion_none::step(&definition.reference(), shown), Risk::Disruptive, consequence)
}
