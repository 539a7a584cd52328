//! Everything that is being deleted: found in one pass over every kind, and diagnosed together.
//!
//! Content of a namespace that is being deleted is no target of its own: the namespace is.

use super::answer::Diagnosis;
use super::targets;
use crate::facts::{All, Facts, Known, Readable, for_each, is_namespace};
use crate::report::{About, Note, NoteSubject, Report};
use crate::rules;
use crate::survey::{Form, Object, Resource, ResourceId, Scan, Selector, Survey, TargetName};
use std::collections::{BTreeSet, HashSet};

/// Finds and diagnoses everything that is being deleted in `scan`.
#[must_use]
pub fn diagnose(survey: &Survey, scan: &Scan) -> Diagnosis {
    let facts = rules::facts(survey);
    let mut names = Vec::new();
    look(&facts, scan, &mut names).ok_or_note(&facts);
    let (wants, unread) = facts.into_wants();
    let Diagnosis { report, wants: more } = targets::diagnose(survey, &names);
    let unread: BTreeSet<Note> = report.unread.into_iter().chain(unread).collect();
    let report = Report { about: About::Scan, unread: unread.into_iter().collect(), ..report };
    Diagnosis { report, wants: wants.into_iter().chain(more).collect() }
}

/// Adds the targets, as far as they are known, the namespaces first.
fn look(facts: &Facts<'_>, scan: &Scan, names: &mut Vec<TargetName>) -> Known {
    let selector = scan.selector.as_deref().and_then(|text| Selector::parse(text).ok());
    let is_chosen = |object: &Object| {
        object.is_deleting() && selector.as_ref().is_none_or(|selector| selector.matches(&object.metadata.labels))
    };
    let kind = ResourceId::new("", "v1", "namespaces");
    let going: Vec<&Object> = namespaces(&kind, facts, scan)?.into_iter().filter(|it| is_chosen(it)).collect();
    names.extend(going.iter().map(|it| TargetName::of(&kind, it)));
    // Their content is requested in the same pass.
    let contents = for_each(&going, |namespace| facts.sweep(namespace.name()).map(drop));
    let sweep = match &scan.namespace {
        Some(name) => facts.sweep(name),
        None => facts.being_deleted(),
    };
    let ((), sweep) = (contents, sweep).all()?;
    let place = scan.namespace.as_deref().map(|name| format!(" in namespace {name}")).unwrap_or_default();
    let list = |kind: &Resource| NoteSubject::list(&kind.id, format!("{}{place}", kind.id));
    sweep.unread.iter().for_each(|(kind, why)| facts.note_unread(list(kind), why));
    let going: HashSet<&str> = going.into_iter().map(Object::name).collect();
    let is_inside = |object: &Object| object.metadata.namespace.as_deref().is_some_and(|name| going.contains(name));
    let others = sweep.objects.iter().filter(|seen| is_chosen(seen.object) && !is_inside(seen.object));
    names.extend(
        others.filter(|seen| !is_namespace(seen.resource)).map(|seen| TargetName::of(&seen.resource.id, seen.object)),
    );
    Ok(())
}

/// The namespaces in scope.
fn namespaces<'s>(kind: &ResourceId, facts: &Facts<'s>, scan: &Scan) -> Known<Vec<&'s Object>> {
    Ok(match &scan.namespace {
        Some(name) => facts.metadata(kind, None, name)?.into_iter().collect(),
        None => facts.list(kind, None, Form::Metadata)?.iter().collect(),
    })
}
