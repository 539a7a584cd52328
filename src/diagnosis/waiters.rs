//! What only waits for a target: owners that are being deleted themselves, and
//! what has installed it and is on its way out. These are no causes: they go on
//! when the target has gone. Nothing here decides a verdict, so what cannot be
//! read is passed over.

use crate::facts::{Facts, Known, Readable, Target, Unknown};
use crate::kubernetes::garbage_collection::standing;
use crate::report::{Named, ObjectNote, OwnerState, Ref, Sentence};
use crate::survey::{Form, Object, Seen};
use serde_json::Value;

/// So many owners, and so many installers that are being deleted, are looked at.
const LOOKED_AT: usize = 10;

/// Installers that say in a label of what they have made who they are: name,
/// namespace, and their own kind.
const MARKS: [(&str, &str, &str, &str); 2] = [
    (
        "kustomize.toolkit.fluxcd.io/name",
        "kustomize.toolkit.fluxcd.io/namespace",
        "kustomize.toolkit.fluxcd.io",
        "kustomizations",
    ),
    ("helm.toolkit.fluxcd.io/name", "helm.toolkit.fluxcd.io/namespace", "helm.toolkit.fluxcd.io", "helmreleases"),
];

/// Installers whose spec names the namespace that they fill.
const DESTINATIONS: [(&str, &str, &str); 3] = [
    ("argoproj.io", "applications", "/spec/destination/namespace"),
    ("helm.toolkit.fluxcd.io", "helmreleases", "/spec/targetNamespace"),
    ("kustomize.toolkit.fluxcd.io", "kustomizations", "/spec/targetNamespace"),
];

/// Installers that run outside the cluster, by how their field managers begin.
const OUTSIDE: [(&str, &[&str]); 2] = [("Terraform", &["terraform", "hashicorp"]), ("Pulumi", &["pulumi"])];

/// What waits for `target`.
///
/// # Errors
/// When something was not surveyed yet.
pub(super) fn of(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    if !target.is_deleting() {
        return Ok(Vec::new());
    }
    // All of them leave their wants in the same round.
    let looked =
        [owners(target, facts), by_mark(target, facts), by_destination(target, facts), by_release(target, facts)];
    let mut notes: Vec<ObjectNote> = looked.into_iter().collect::<Known<Vec<_>>>()?.into_iter().flatten().collect();
    notes.extend(outside(target));
    Ok(notes)
}

fn note(seen: Seen<'_>, why: impl Into<Sentence>) -> ObjectNote {
    ObjectNote { object: seen.into(), why: why.into() }
}

/// What is known; nothing where it cannot be read.
fn pass<T: Default>(known: Known<T>) -> Known<T> {
    match known {
        Err(Unknown::Unread { .. }) => Ok(T::default()),
        known => known,
    }
}

fn owners(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    let object = target.object();
    let references = object.metadata.owner_references.iter().take(LOOKED_AT);
    let mut notes = Vec::new();
    for reference in references {
        let owner = match standing(reference, object.metadata.namespace.as_deref(), facts).surveyed()? {
            Ok((OwnerState::Terminating, Some(owner))) => owner,
            _ => continue,
        };
        notes.push(note(owner, format!("it is being deleted, and owns {}", target.reference())));
    }
    Ok(notes)
}

fn by_mark(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    let metadata = &target.object().metadata;
    let mut notes = Vec::new();
    for (name, namespace, group, plural) in MARKS {
        let (Some(name), Some(namespace)) = (metadata.labels.get(name), metadata.labels.get(namespace)) else {
            continue;
        };
        let Some(resource) = facts.preferred(group, plural) else { continue };
        let installer = pass(facts.metadata(&resource.id, Some(namespace), name))?;
        if let Some(object) = installer.filter(|object| object.is_deleting()) {
            notes.push(note(
                Seen { resource, object },
                format!("it is being deleted, and has applied {}", target.reference()),
            ));
        }
    }
    if let Some((name, mark)) = argo_application(target.object())
        && let Some(resource) = facts.preferred("argoproj.io", "applications")
    {
        let applications = pass(facts.list(&resource.id, None, Form::Metadata))?;
        let named = applications.iter().filter(|object| object.name() == name && object.is_deleting());
        notes.extend(named.map(|object| {
            note(
                Seen { resource, object },
                format!("it is being deleted, and {} names it in {mark}", target.reference()),
            )
        }));
    }
    Ok(notes)
}

/// The Application that an object names: by `NAMESPACE_NAME:GROUP/KIND:…` or
/// `NAME:…`, or by its bare name.
fn argo_application(object: &Object) -> Option<(&str, &'static str)> {
    const TRACKING: &str = "argocd.argoproj.io/tracking-id";
    const INSTANCE: &str = "argocd.argoproj.io/instance";
    if let Some(id) = object.metadata.annotations.get(TRACKING) {
        let application = id.split(':').next().unwrap_or_default();
        return Some((application.rsplit_once('_').map_or(application, |(_, name)| name), TRACKING));
    }
    object.metadata.labels.get(INSTANCE).map(|name| (name.as_str(), INSTANCE))
}

fn by_destination(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    if !target.is_namespace() {
        return Ok(Vec::new());
    }
    let namespace = target.object().name();
    let mut notes = Vec::new();
    for (group, plural, field) in DESTINATIONS {
        let Some(resource) = facts.preferred(group, plural) else { continue };
        let installers = pass(facts.list(&resource.id, None, Form::Metadata))?;
        // What is in the namespace itself is its content.
        let outside = |object: &&Object| object.metadata.namespace.as_deref() != Some(namespace);
        for object in installers.iter().filter(|object| object.is_deleting()).filter(outside).take(LOOKED_AT) {
            let whole =
                pass(facts.get(&resource.id, object.metadata.namespace.as_deref(), object.name(), Form::Whole))?;
            if whole.is_some_and(|whole| whole.text(field) == Some(namespace)) {
                let why = format!("it is being deleted, and has installed into namespace {namespace}");
                notes.push(note(Seen { resource, object }, why));
            }
        }
    }
    Ok(notes)
}

/// Helm's releases that are being uninstalled. The record is a Secret that bears
/// the release's name and status as labels (helm/helm: `pkg/storage/driver/secrets.go`).
fn by_release(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    let object = target.object();
    let annotation = |key: &str| object.metadata.annotations.get(key).map(String::as_str);
    let release = annotation("meta.helm.sh/release-name");
    let stored_in = annotation("meta.helm.sh/release-namespace").filter(|_| release.is_some());
    let own = target.is_namespace().then(|| object.name());
    let (Some(namespace), Some(secrets)) = (stored_in.or(own), facts.preferred("", "secrets")) else {
        return Ok(Vec::new());
    };
    let records = pass(facts.list(&secrets.id, Some(namespace), Form::Metadata))?;
    let label = |record: &Object, key: &str| record.metadata.labels.get(key).cloned().unwrap_or_default();
    let uninstalling = records.iter().filter(|record| {
        label(record, "owner") == "helm"
            && label(record, "status") == "uninstalling"
            && release.is_none_or(|release| label(record, "name") == release)
    });
    Ok(uninstalling
        .map(|record| {
            let why = format!("Helm is uninstalling release {}, and may wait for it", label(record, "name"));
            note(Seen { resource: secrets, object: record }, why)
        })
        .collect())
}

/// Programs outside the cluster that have written the target: a run that
/// destroys it waits until it is gone.
fn outside(target: &Target<'_>) -> Option<ObjectNote> {
    let fields = target.object().metadata.managed_fields.as_array()?;
    let mut managers = fields.iter().filter_map(|entry| entry.get("manager").and_then(Value::as_str));
    let (program, manager) = managers.find_map(|manager| Some((outsider(manager)?, manager)))?;
    let object = Ref::from(Named { kind: program.into(), name: "run".into(), ..Named::default() });
    let why = format!("{manager} has written {}: a run that destroys it waits until it is gone", target.reference());
    Some(ObjectNote { object, why: why.into() })
}

fn outsider(manager: &str) -> Option<&'static str> {
    let manager = manager.to_lowercase();
    let begins = |names: &[&str]| names.iter().any(|name| manager.starts_with(name));
    OUTSIDE.iter().find(|(_, names)| begins(names)).map(|(program, _)| *program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_application_is_known_by_its_tracking_id_or_label() {
        let object = |metadata: Value| -> Object { serde_json::from_value(json!({ "metadata": metadata })).unwrap() };
        let tracked = |id: &str| object(json!({"name": "n", "annotations": {"argocd.argoproj.io/tracking-id": id}}));
        assert_eq!(argo_application(&tracked("shop:apps/Deployment:shop/web")).map(|(name, _)| name), Some("shop"));
        assert_eq!(argo_application(&tracked("team_shop:/Namespace:/shop")).map(|(name, _)| name), Some("shop"));
        let labelled = object(json!({"name": "n", "labels": {"argocd.argoproj.io/instance": "shop"}}));
        assert_eq!(argo_application(&labelled).map(|(name, _)| name), Some("shop"));
        assert_eq!(argo_application(&object(json!({"name": "n"}))), None);
    }

    #[test]
    fn programs_outside_are_known_by_their_field_manager() {
        assert_eq!(outsider("HashiCorp"), Some("Terraform"));
        assert_eq!(outsider("pulumi-kubernetes-1234"), Some("Pulumi"));
        assert_eq!(outsider("kubectl"), None);
    }
}
