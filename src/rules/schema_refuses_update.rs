//! An object no longer matches the schema of its kind, so that every update is refused, including the
//! removal of its finalizer.

use crate::facts::{Facts, Known, Readable, Target, flat_each};
use crate::kubernetes::admission::{definition_changes, is_changed_on_the_way};
use crate::kubernetes::definitions::versions::definition;
use crate::kubernetes::finalizers::late::held_kinds;
use crate::kubernetes::namespaces::is_older_than;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{arguments, full_name, quote};
use crate::report::{Cause, Ref, Remedy, Sentence};
use crate::survey::{Probe, Probed, Seen, is_collectors};

pub(super) const RULE: Rule =
    Rule::new("schema-refuses-update", include_str!("schema_refuses_update.md"), &[Explains::Deleted(diagnose)]);

/// How many objects of one kind are tried: some may match and others not.
const MAX_TRIED: usize = 3;

/// An object, its finalizer and the server's message.
type SchemaRefusal<'s> = (Seen<'s>, &'s str, &'s str);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    found.add_all(flat_each(held_kinds(target, facts)?, |objects| draft(&objects, facts))?);
    Ok(())
}

fn draft(objects: &[Seen<'_>], facts: &Facts<'_>) -> Known<Option<Draft>> {
    let Some(definition) = definition(objects, facts)? else { return Ok(None) };
    // An object that was valid once is valid still, unless its definition has changed.
    let times_changed = definition_changes(definition.object);
    let changed = times_changed.is_none_or(|times| times > 0);
    let suspects = objects.iter().copied().filter(|seen| changed || is_older_than(seen.object, definition.object));
    let refused = flat_each(suspects.take(MAX_TRIED), |seen| refused(seen, facts))?;
    let Some((first, finalizer, words)) = refused.first() else { return Ok(None) };
    let refs: Vec<Ref> = refused.iter().map(|(seen, ..)| (*seen).into()).collect();
    let fields = fields(words);
    let summary = format!(
        "no finalizer can be removed from {}: the schema of {} refuses every update of it: {fields}",
        refs[0],
        definition.object.name()
    );
    let mut draft = Draft::new(Cause::Crd, refs[0].clone(), summary).waits_for(Ref::from(definition));
    for ((_, finalizer, words), object) in refused.iter().zip(&refs) {
        let answer = Sentence::quoted(*words, format_args!("the API server's answer to a dry run, {object}"));
        let tried = Sentence::from(format!("trial removal of finalizer {finalizer}: ")).then(answer);
        draft = draft.evidence(tried, object, "");
    }
    Ok(Some(
        draft
            .with_each(times_changed, |draft, changes| {
                draft.evidence(times(changes), &definition.into(), "metadata.generation")
            })
            .remark("its controller gets the same refusal, and so does a removal by hand")
            .remedy(repair(&refs[0], fields))
            .remedy(together(*first, finalizer, &refs[0]))
            .remedy(loosen(definition.object.name()))
            .objects(refs),
    ))
}

/// The server's answer to the removal of an object's first finalizer, if the schema is the reason
/// (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go`).
fn refused<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Option<SchemaRefusal<'s>>> {
    let Some(finalizer) = seen.object.metadata.finalizers.iter().find(|key| !is_collectors(key)) else {
        return Ok(None);
    };
    match facts.probe(seen, Probe::RemoveFinalizer(finalizer.clone())).surveyed()? {
        Ok(Some(Probed::Refused(refused))) if refused.code == 422 && refused.message.contains(" is invalid: ") => {
            let changed = is_changed_on_the_way(seen, &refused.message, facts)?;
            Ok((!changed).then_some((seen, finalizer, &refused.message)))
        }
        Ok(_) | Err(_) => Ok(None),
    }
}

fn times(changes: i64) -> String {
    match changes {
        1 => "changed once since its creation".into(),
        changes => format!("changed {changes} times since its creation"),
    }
}

/// `spec.size: Invalid value: …` in `Widget.acme.io "one" is invalid: …`.
fn fields(message: &str) -> &str {
    let fields = message.split_once(" is invalid: ").map_or(message, |(_, fields)| fields);
    // `<nil>` means the object as a whole.
    fields.trim_start_matches("<nil>: ")
}

fn repair(object: &Ref, fields: &str) -> Remedy {
    Remedy::command(
        Sentence::from("first correct what the schema refuses (").reported(fields).then(")"),
        format_args!("kubectl edit {}", full_name(object)),
        "nothing is lost: its controller can release it then",
    )
}

fn together(seen: Seen<'_>, finalizer: &str, object: &Ref) -> Remedy {
    let left: Vec<&String> = seen.object.metadata.finalizers.iter().filter(|key| *key != finalizer).collect();
    let patch = serde_json::json!({"metadata": {"uid": object.uid, "finalizers": left}, "FIELD": "VALUE"});
    Remedy::command(
        format!("if its controller is gone, repair the field and remove {finalizer} in one patch"),
        format_args!("kubectl patch {} --type=merge -p {}", arguments(object), quote(&patch.to_string())),
        "whatever its controller would have cleaned up stays behind",
    )
}

fn loosen(definition: &str) -> Remedy {
    Remedy::command(
        "relax the schema until the finalizer is removed",
        format_args!("kubectl edit crd {}", quote(definition)),
        "meanwhile invalid objects of the kind are accepted",
    )
}
