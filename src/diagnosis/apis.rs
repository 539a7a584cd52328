//! Every aggregated API that fails, whether anything waits for it now or not: APIs that are
//! unavailable, cannot be discovered, or answer with errors. The targets are the namespaces that they
//! block.

use crate::diagnosis::answer::{self, Diagnosis};
use crate::diagnosis::explore::under_its_name;
use crate::diagnosis::merge;
use crate::diagnosis::verdict::Holding;
use crate::facts::{Facts, Known, Readable, SETTLE, Target, flat_each, for_each, is_late};
use crate::kubernetes::aggregation::count;
use crate::needs::{Draft, Explains, Rule};
use crate::plan::steps::recreate_namespace;
use crate::report::{About, Need, Ref, Report, TargetReport};
use crate::rules::{self, RULES};
use crate::survey::{Form, Object, ResourceId, Seen, Survey};

/// Finds the failing APIs.
#[must_use]
pub fn diagnose(survey: &Survey) -> Diagnosis {
    let facts = rules::facts(survey);
    let mut drafts = Vec::new();
    let held = held(&facts).ok_or_note(&facts).unwrap_or_default();
    look(&facts, &held, &mut drafts).ok_or_note(&facts);
    let reference = |namespace: &&Object| recreate_namespace::namespace(namespace.name()).with_uid(namespace.uid());
    let namespaces: Vec<Ref> = held.iter().map(reference).collect();
    super::missing_pods::look(&mut drafts, &facts).ok_or_note(&facts);
    for draft in &mut drafts {
        draft.finding.blocks.clone_from(&namespaces);
    }
    let drafts = merge::roots_first(drafts);
    let target = |(namespace, object): (&&Object, Ref)| TargetReport {
        since: namespace.deletion_asked(),
        ..TargetReport::new(object)
    };
    let mut targets: Vec<TargetReport> =
        held.iter().zip(namespaces).filter(|_| !drafts.is_empty()).map(target).collect();
    let told: Vec<Vec<Need>> = drafts.iter().map(Draft::needs).collect();
    let needs = super::requirements::of(&drafts, &told, &targets, &facts);
    let (findings, remedies) = merge::number(drafts, &facts);
    let holding = Holding::new(&findings);
    for target in &mut targets {
        holding.judge(target);
    }
    let about = About::Apis(count(&facts).unwrap_or_default());
    let (wants, unread) = facts.into_wants();
    let report = Report { about, needs, ..answer::report(survey, targets, findings, remedies, unread) };
    Diagnosis { report, wants }
}

/// The namespaces whose deletion is late. Each of them waits until every API has answered.
fn held<'s>(facts: &Facts<'s>) -> Known<Vec<&'s Object>> {
    let namespaces = ResourceId::new("", "v1", "namespaces");
    let terminating = facts.list(&namespaces, None, Form::Metadata)?.iter().filter(|namespace| namespace.is_deleting());
    let whole = flat_each(terminating, |namespace| {
        Ok(facts.get(&namespaces, None, namespace.name(), Form::Whole).if_readable()?.flatten())
    })?;
    let Some(resource) = facts.preferred("", "namespaces") else { return Ok(Vec::new()) };
    let emptied = |object: &&Object| {
        let target = Target { seen: Seen { resource, object } };
        target.namespace_being_emptied().is_some() && is_late(object, facts, SETTLE)
    };
    Ok(whole.into_iter().filter(emptied).collect())
}

/// Asks every rule, even after another has missed a fact. The error is that of the first rule that has
/// missed a fact.
fn look(facts: &Facts<'_>, held: &[&Object], drafts: &mut Vec<Draft>) -> Known {
    for_each(RULES.iter().flat_map(Rule::explained), |(rule, explains)| {
        let Explains::Serving(explain) = explains else { return Ok(()) };
        drafts.extend(under_its_name(rule, explain(held, facts)?));
        Ok(())
    })
}
