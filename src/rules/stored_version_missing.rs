//! Objects of a kind are stored in a version that its definition no longer has: no client can read
//! them, whatever version it requests.

use crate::facts::{Facts, Known, Target};
use crate::kubernetes::definitions::versions::{ConversionFailure, UnreadableKind};
use crate::kubernetes::definitions::{Definition, versions};
use crate::needs::{Draft, Explains, Findings, NotRead, Rule};
use crate::plan::{self, one};
use crate::report::{Cause, Remedy, Sentence};
use serde_json::json;

pub(super) const RULE: Rule = Rule::new(
    NAME,
    include_str!("stored_version_missing.md"),
    &[Explains::Listed(diagnose), Explains::Readable(for_unread)],
);

pub(super) const NAME: &str = "stored-version-missing";

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    found.add_all(versions::unreadable(target, facts)?.iter().filter_map(|kind| draft(kind, facts)));
    Ok(())
}

/// The finding for an object or a kind that cannot be read itself.
fn for_unread(unread: &NotRead<'_>, facts: &Facts<'_>) -> Known<Option<Draft>> {
    Ok(versions::of_kind(unread.kind, unread.why, facts)?.and_then(|kind| draft(&kind, facts)))
}

fn draft(kind: &UnreadableKind<'_>, facts: &Facts<'_>) -> Option<Draft> {
    let ConversionFailure::Version(stored) = &kind.why else { return None };
    let definition = kind.definition;
    let object = definition.reference();
    let version = stored.rsplit('/').next().unwrap_or_default();
    let name = definition.object().name();
    let known: Vec<&str> = definition.versions().collect();
    let summary = Sentence::unread(name)
        .then(format!(" cannot be read: objects of it are stored as {version}, which its definition no longer has"));
    let draft = Draft::new(Cause::Crd, object.clone(), summary)
        .explains(kind.need(facts))
        .remark(&kind.words)
        .evidence(format!("its versions: {}", known.join(", ")), &object, "spec.versions")
        .evidence(
            format!("status.storedVersions lists {}", definition.stored().join(", ")),
            &object,
            "status.storedVersions",
        );
    // The server's own answer, and not a quotation in a condition.
    let draft = if kind.now { draft.quoting(&kind.words, None) } else { draft };
    if !versions::lacks(definition, stored) {
        let draft = draft.likely().evidence(format!("{version} exists again"), &object, "spec.versions");
        return Some(draft.remedy(Remedy::manual("wait, and check again in a minute", "nothing is lost")));
    }
    Some(
        draft
            .remark("such an object cannot be read in any other way: GET and DELETE fail, too")
            .remedy(add_back(definition, version)),
    )
}

fn add_back(definition: Definition<'_>, version: &str) -> Remedy {
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let added = json!({"name": version, "served": false, "storage": false, "schema": schema});
    let patch = json!([{"op": "add", "path": "/spec/versions/-", "value": added}]);
    Remedy::command(
        "add the version to the definition again, with served: false",
        plan::patch(&one("crd", definition.object().name()), &patch),
        "nothing is lost: the objects can be read and deleted again within 60 seconds; remove the version again after every object has been rewritten",
    )
}
