//! Objects that only wait for a target: its owners and its installers, as far as they are being deleted
//! themselves. They are no causes, since they continue when the target is gone. Nothing here decides a
//! verdict, so unread objects are ignored.

use crate::facts::{Facts, Known, Readable, Target, flat_each};
use crate::kubernetes::garbage_collection::standing;
use crate::report::{Named, ObjectNote, OwnerState, Ref, Sentence};
use crate::survey::{Form, Object, Seen};
use serde_json::Value;

/// How many owners, and how many installers that are being deleted, are checked.
const MAX_LOOKED_AT: usize = 10;

/// Installers that label their objects: the label with the installer's name, the label with its
/// namespace, and the group and plural of its kind.
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

/// Installers that run outside the cluster, and the prefixes of their field managers.
const OUTSIDE: [(&str, &[&str]); 2] = [("Terraform", &["terraform", "hashicorp"]), ("Pulumi", &["pulumi"])];

/// The objects that wait for `target`.
pub(super) fn of(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    if !target.is_deleting() {
        return Ok(Vec::new());
    }
    let mut notes =
        flat_each([owners, by_mark, by_application, by_destination, by_release], |waiters| waiters(target, facts))?;
    notes.extend(outside(target));
    Ok(notes)
}

fn note(seen: Seen<'_>, why: impl Into<Sentence>) -> ObjectNote {
    ObjectNote { object: seen.into(), why: why.into() }
}

fn owners(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    let object = target.object();
    let references = object.metadata.owner_references.iter().take(MAX_LOOKED_AT);
    flat_each(references, |reference| {
        let standing = standing(reference, object.metadata.namespace.as_deref(), facts).if_readable()?;
        let Some((OwnerState::Terminating, Some(owner))) = standing else { return Ok(None) };
        Ok(Some(note(owner, format!("it is being deleted, and owns {}", target.reference()))))
    })
}

fn by_mark(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    let metadata = &target.object().metadata;
    flat_each(MARKS, |(name, namespace, group, plural)| {
        let (Some(name), Some(namespace)) = (metadata.labels.get(name), metadata.labels.get(namespace)) else {
            return Ok(None);
        };
        let Some(resource) = facts.preferred(group, plural) else { return Ok(None) };
        let installer = facts.metadata(&resource.id, Some(namespace), name).if_readable()?.flatten();
        let installer = installer.filter(|object| object.is_deleting());
        let why = || format!("it is being deleted and has applied {}", target.reference());
        Ok(installer.map(|object| note(Seen { resource, object }, why())))
    })
}

fn by_application(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    let named = argo_application(target.object()).zip(facts.preferred("argoproj.io", "applications"));
    let Some(((name, mark), resource)) = named else { return Ok(Vec::new()) };
    let applications = facts.list(&resource.id, None, Form::Metadata).if_readable()?.unwrap_or_default();
    let named = applications.iter().filter(|object| object.name() == name && object.is_deleting());
    let why = || format!("it is being deleted, and {} names it in {mark}", target.reference());
    Ok(named.map(|object| note(Seen { resource, object }, why())).collect())
}

/// The Application that an object names: as `NAMESPACE_NAME:GROUP/KIND:…` or `NAME:…`, or by its bare
/// name.
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
    flat_each(DESTINATIONS, |(group, plural, field)| {
        let Some(resource) = facts.preferred(group, plural) else { return Ok(Vec::new()) };
        let installers = facts.list(&resource.id, None, Form::Metadata).if_readable()?.unwrap_or_default();
        // Objects in the namespace itself are its content.
        let outside = |object: &&Object| object.metadata.namespace.as_deref() != Some(namespace);
        let going = installers.iter().filter(|object| object.is_deleting()).filter(outside).take(MAX_LOOKED_AT);
        flat_each(going, |object| {
            let installer = Seen { resource, object };
            let whole = facts.whole(installer).if_readable()?.flatten();
            let fills_it = whole.is_some_and(|whole| whole.text(field) == Some(namespace));
            let why = || format!("it is being deleted and has installed into namespace {namespace}");
            Ok(fills_it.then(|| note(installer, why())))
        })
    })
}

/// Helm releases that are being uninstalled. The record is a Secret with the release's name and status as
/// labels (helm/helm: `pkg/storage/driver/secrets.go`).
fn by_release(target: &Target<'_>, facts: &Facts<'_>) -> Known<Vec<ObjectNote>> {
    let object = target.object();
    let annotation = |key: &str| object.metadata.annotations.get(key).map(String::as_str);
    let release = annotation("meta.helm.sh/release-name");
    let stored_in = annotation("meta.helm.sh/release-namespace").filter(|_| release.is_some());
    let own = target.is_namespace().then(|| object.name());
    let (Some(namespace), Some(secrets)) = (stored_in.or(own), facts.preferred("", "secrets")) else {
        return Ok(Vec::new());
    };
    let records = facts.list(&secrets.id, Some(namespace), Form::Metadata).if_readable()?.unwrap_or_default();
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

/// Programs outside the cluster that have written the target: a run that destroys it waits until it is
/// gone.
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
