//! The kinds that the manifests define, and an imagined object of each kind whose objects an
//! operator in the manifests may change.

use super::cluster::{Imagined, namespace_called};
use crate::report::{Ref, Turn};
use crate::survey::{Object, Resource, ResourceId};
use serde_json::{Value, json};

/// The namespace of the imagined objects.
const PLACE: &str = "imagined";
const NAME: &str = "any";

/// The resources that a `CustomResourceDefinition` defines, the stored version first.
pub(super) fn defined(manifest: &Value) -> Vec<Resource> {
    let text = |pointer: &str| manifest.pointer(pointer).and_then(Value::as_str);
    let words = |pointer: &str| {
        let all = manifest.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
        all.filter_map(Value::as_str).map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    let parts = (text("/kind"), text("/spec/group"), text("/spec/names/plural"), text("/spec/names/kind"));
    let (Some("CustomResourceDefinition"), Some(group), Some(plural), Some(kind)) = parts else { return Vec::new() };
    let all = manifest.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
    let mut versions: Vec<&Value> = all.filter(|version| version["served"] == true).collect();
    versions.sort_by_key(|version| version["storage"] != true);
    let resource = |version: &Value| Resource {
        id: ResourceId::new(group, version["name"].as_str().unwrap_or_default(), plural),
        kind: kind.to_owned(),
        namespaced: text("/spec/scope") != Some("Cluster"),
        singular: text("/spec/names/singular").unwrap_or_default().to_owned(),
        short_names: words("/spec/names/shortNames"),
        verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
            .map(Into::into)
            .into(),
    };
    versions.into_iter().map(resource).collect()
}

/// Creates an object with a finalizer of each defined kind whose objects a role in the manifests
/// lets somebody change, since a finalizer may then have been added to any of them. Returns the
/// names of the created objects.
pub(super) fn create(imagined: &mut Imagined) -> Vec<Ref> {
    let mut created = Vec::new();
    let roles: Vec<Object> =
        ["roles", "clusterroles"].iter().flat_map(|plural| imagined.all("rbac.authorization.k8s.io", plural)).collect();
    let definitions = imagined.all("apiextensions.k8s.io", "customresourcedefinitions");
    for definition in definitions {
        let (Some(group), Some(plural)) = (definition.text("/spec/group"), definition.text("/spec/names/plural"))
        else {
            continue;
        };
        let Some(resource) = imagined.cluster.discovery.preferred(group, plural).cloned() else { continue };
        if !roles.iter().flat_map(|role| role.array("/rules")).any(|rule| lets_change(rule, group, plural)) {
            continue;
        }
        let place = resource.namespaced.then_some(PLACE);
        if place.is_some() {
            imagined.add_own("", "namespaces", None, namespace_called(PLACE));
        }
        let object = json!({"apiVersion": resource.id.api_version(), "kind": resource.kind,
            "metadata": {"name": NAME, "finalizers": [format!("{group}/finalizer")]}});
        let target = imagined.add(&resource, place, object);
        created.extend(target.map(|target| Ref::named(&resource, &target)));
    }
    created
}

/// Makes a turn that deletes an imagined object one about all objects of its kind, which can be carried out.
pub(super) fn about_all(turn: &mut Turn, created: &[Ref]) {
    for object in created {
        let place = object.namespace.as_ref().map(|place| format!(" -n {place}")).unwrap_or_default();
        let (one, all) = (format!(" {NAME}{place} "), if place.is_empty() { " --all " } else { " --all -A " });
        let of_kind = format!("kubectl delete {}{one}", object.target().resource.short());
        if turn.commands.iter().any(|command| command.starts_with(&of_kind)) {
            turn.title = format!("delete each {} that exists then", object.kind).into();
            turn.commands.iter_mut().for_each(|command| *command = command.replacen(&one, all, 1));
        }
    }
}

/// Whether a rule of a role lets its subjects change the objects of a kind.
fn lets_change(rule: &Value, group: &str, plural: &str) -> bool {
    let has = |field: &str, word: &str| {
        rule[field].as_array().into_iter().flatten().filter_map(Value::as_str).any(|it| it == "*" || it == word)
    };
    has("apiGroups", group) && has("resources", plural) && (has("verbs", "update") || has("verbs", "patch"))
}
