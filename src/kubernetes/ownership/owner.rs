//! Whether a workload can be the one that the traces name, or belongs to another product.

use crate::kubernetes::finalizers::names::{ControllerName, likeness, says_something};
use crate::kubernetes::ownership::scope::{Only, OutsideScope};
use crate::kubernetes::statements::statement::Statement;
use crate::report::{Ref, Sentence};
use crate::survey::{Object, Seen};
use serde_json::Value;

/// Labels that name a workload or its product.
const NAME_LABELS: [&str; 6] =
    ["app.kubernetes.io/name", "app.kubernetes.io/component", "app", "k8s-app", "name", "control-plane"];

/// Words in the names of all sorts of controllers.
pub(crate) const COMMON: [&str; 24] = [
    "addon", "admission", "agent", "apps", "client", "cluster", "controller", "controllers", "core", "daemon",
    "default", "driver", "kube", "kubernetes", "main", "manager", "node", "operator", "plugin", "provider", "server",
    "service", "system", "webhook",
];

/// How well a name matches a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// They have nothing in common.
    Not,
    /// The workload contains a word of the name, such as the product's.
    Word,
    /// One of the workload's names matches.
    Name,
}

/// A workload that was ruled out despite much evidence, and why.
#[derive(Debug, Clone)]
pub(crate) struct RuledOut {
    pub(crate) why: String,
    /// The workload certainly belongs to another product: it writes under a name of its own, or the
    /// catalogue names another workload.
    pub(crate) sure: bool,
    /// Only the workload's name speaks against it.
    pub(crate) by_name: bool,
    /// The workload would be the controller, but is configured to watch other objects.
    pub(crate) outside: Option<OutsideScope>,
}

impl RuledOut {
    pub(crate) fn new(why: String, sure: bool) -> Self {
        Self { why, sure, by_name: false, outside: None }
    }

    fn by_name(why: String, sure: bool) -> Self {
        Self { by_name: true, ..Self::new(why, sure) }
    }

    /// Ruled out because it is configured to watch other objects.
    pub(crate) fn told(outside: OutsideScope, sure: bool) -> Self {
        let told = &outside.told;
        let why = match &outside.only {
            Only::In(names) => format!("it watches only namespace {}: {told}", names.join(", ")),
            Only::NotIn(name) => format!("it does not watch namespace {name}: {told}"),
            Only::InLabelled(_) => format!("it watches other namespaces: {told}"),
            Only::Labels(_) | Only::Marked { .. } => format!("it watches other objects: {told}"),
        };
        Self { outside: Some(outside), ..Self::new(why, sure) }
    }
}

/// How well `name` matches a workload or a pod: its name, the labels that name it, its service
/// account, its containers and their programs.
pub(crate) fn fit(name: &str, workload: &Object) -> Fit {
    let telling = |called: &&str| says_something(called) && !COMMON.contains(called);
    // A common name counts only if it is the whole name.
    if workload.name() == name {
        return Fit::Name;
    }
    if called(workload).filter(telling).any(|called| likeness(name, called) > 0 || likeness(called, name) > 0) {
        return Fit::Name;
    }
    if all_words(workload).any(|called| share_a_word(name, called)) { Fit::Word } else { Fit::Not }
}

/// Whether a workload, or a label that names it, has exactly this name.
pub(crate) fn is_called(workload: &Object, name: &str) -> bool {
    own_names(workload).any(|called| likeness(name, called) == 2)
}

/// Whether a name, or a part of it, is that of a workload or of a label that names it.
pub(crate) fn is_part_of(name: &str, workload: &Object) -> bool {
    own_names(workload).any(|called| likeness(name, called) > 0)
}

/// The name of a workload, and the labels that name it.
fn own_names(workload: &Object) -> impl Iterator<Item = &str> {
    let labels = NAME_LABELS.iter().filter_map(|key| workload.metadata.labels.get(key)).map(String::as_str);
    std::iter::once(workload.name()).chain(labels)
}

/// Why a workload with enough other traces is not the controller: the known owner of the finalizer
/// has another name.
pub(crate) fn ruled_out(names: &[ControllerName], workload: &Object) -> Option<RuledOut> {
    let owners = || names.iter().filter(|name| name.owner);
    let best = owners().map(|owner| fit(&owner.word, workload)).max()?;
    let own = names.iter().find(|name| name.writer && !name.owner && fit(&name.word, workload) == Fit::Name);
    let words: Vec<&str> = owners().map(|owner| owner.word.as_str()).take(3).collect();
    let other = words.join(", ");
    match (best, own) {
        (Fit::Name, _) => None,
        (Fit::Word, None) => goes_by_another_name(names, workload)
            .then(|| RuledOut::new(format!("its name does not match {other}"), false)),
        (Fit::Not | Fit::Word, Some(own)) => {
            Some(RuledOut::new(format!("it writes as {}, and {other} owns the finalizer", own.word), true))
        }
        (Fit::Not, None) => Some(RuledOut::by_name(
            format!("nothing in it has the name {other}"),
            owners().all(|owner| owner.catalogued),
        )),
    }
}

/// Whether the catalogue names the owner, the workload contains no word that distinguishes that
/// owner from the rest of its product, and no other possible owner has a name like the workload.
fn goes_by_another_name(names: &[ControllerName], workload: &Object) -> bool {
    let is_on_it = |word: &str| all_words(workload).any(|text| text.contains(word));
    let (known, others): (Vec<&ControllerName>, Vec<&ControllerName>) =
        names.iter().filter(|name| name.owner).partition(|name| name.catalogued);
    !known.is_empty()
        && !known.iter().any(|owner| telling_words(&owner.word).all(is_on_it))
        && others.iter().all(|owner| fit(&owner.word, workload) == Fit::Not)
}

/// Whether a name has a word that is not common to all sorts of controllers.
pub(crate) fn tells(name: &str) -> bool {
    telling_words(name).next().is_some()
}

/// The words of a name that are not common to all sorts of controllers.
fn telling_words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '.', '*']).filter(|word| !word.is_empty() && !COMMON.contains(word))
}

/// Whether a statement counts for a finalizer: not if its author has nothing to do with the
/// finalizer's owner.
pub(crate) fn counts(said: &Statement<'_>, names: &[ControllerName], best: Option<&Object>) -> bool {
    let mut owners = names.iter().filter(|name| name.owner).peekable();
    let (Some(speaker), Some(_)) = (speaker(said), owners.peek()) else { return true };
    if owners.any(|owner| alike(&owner.word, speaker)) || best.is_some_and(|best| fit(speaker, best) != Fit::Not) {
        return true;
    }
    // The component of an event is free text. It counts as another program's name only if that
    // program is known. An event that is no warning is mostly about another program's work.
    said.writer.is_none() && !said.is_calm_event && !others(said.of, names).any(|other| alike(&other, speaker))
}

/// The author of a statement, if its name identifies a program.
pub(crate) fn speaker<'a>(said: &'a Statement<'_>) -> Option<&'a str> {
    said.writer.as_deref().or(said.by()).filter(|speaker| says_something(speaker))
}

/// The owners of an object's other finalizers, and the writers of its status.
fn others<'a>(seen: Seen<'a>, names: &'a [ControllerName]) -> impl Iterator<Item = String> {
    let object = seen.object;
    let setters = object.metadata.finalizers.iter().filter_map(|key| object.finalizer_set_by(key));
    let managers = setters.chain(object.status_written_by()).map(|manager| manager.name);
    managers.filter(|name| !names.iter().any(|known| known.owner && known.word == *name))
}

/// Whether two names may belong to one program.
pub(crate) fn alike(one: &str, other: &str) -> bool {
    likeness(one, other) > 0 || likeness(other, one) > 0 || share_a_word(one, other)
}

/// The line for a workload that was ruled out.
pub(crate) fn line(workload: &Ref, ruled_out: &RuledOut) -> String {
    format!("not the controller: {workload}: {}", ruled_out.why)
}

/// What [`line`] says, as part of a sentence.
pub(crate) fn is_not(workload: &Ref, ruled_out: &RuledOut) -> Sentence {
    Sentence::from(workload).then(format!(" is not the controller: {}", ruled_out.why))
}

/// All names of a workload.
fn called(workload: &Object) -> impl Iterator<Item = &str> {
    let account = pod_spec(workload).and_then(|spec| spec.get("serviceAccountName")?.as_str());
    own_names(workload).chain(account).chain(programs(workload))
}

/// All names of a workload, its images and its namespace.
fn all_words(workload: &Object) -> impl Iterator<Item = &str> {
    called(workload).chain(images(workload)).chain(workload.metadata.namespace.as_deref())
}

/// The pod spec of a workload's template, or of a pod itself.
fn pod_spec(workload: &Object) -> Option<&Value> {
    workload.at("/spec/template/spec").or_else(|| workload.at("/spec"))
}

fn containers(workload: &Object) -> impl Iterator<Item = &Value> {
    pod_spec(workload).and_then(|spec| spec.get("containers")?.as_array()).into_iter().flatten()
}

/// Whether a workload runs a program with the common name `setter`, and belongs to the product whose
/// group or domain is one of `products`.
pub(crate) fn runs_as(setter: &str, products: &[&str], workload: &Object) -> bool {
    containers(workload).any(|container| command(container) == Some(setter))
        && all_words(workload).any(|called| products.iter().any(|product| share_a_word(product, called)))
}

/// The program that a container is told to run.
fn command(container: &Value) -> Option<&str> {
    container.pointer("/command/0")?.as_str()?.rsplit('/').next()
}

/// Whether one of a workload's names says that it is a controller.
pub(crate) fn is_called_a_controller(workload: &Object) -> bool {
    called(workload).any(|called| ["operator", "controller", "manager"].iter().any(|word| called.contains(word)))
}

/// The names, programs and images of a workload's containers.
pub(crate) fn programs(workload: &Object) -> impl Iterator<Item = &str> {
    containers(workload).flat_map(|container| {
        let text = |field: &str| container.get(field).and_then(Value::as_str);
        let image = text("image").and_then(|image| image.rsplit('/').next());
        let image = image.map(|image| image.split([':', '@']).next().unwrap_or(image));
        [text("name"), command(container), image].into_iter().flatten()
    })
}

/// The images of a workload, without the registry.
fn images(workload: &Object) -> impl Iterator<Item = &str> {
    let images = containers(workload).filter_map(|container| container.get("image")?.as_str());
    images.map(|image| image.split_once('/').map_or(image, |(_, path)| path))
}

/// Whether two workloads, or a workload and a pod, have the same images in whatever version.
pub(crate) fn run_the_same(one: &Object, other: &Object) -> bool {
    let bare = |image: &'_ str| image.split(['@', ':']).next().unwrap_or(image).to_owned();
    let (one, other): (Vec<_>, Vec<_>) = (images(one).map(bare).collect(), images(other).map(bare).collect());
    !one.is_empty() && one == other
}

/// Whether both texts contain the same distinctive word.
pub(crate) fn share_a_word(one: &str, other: &str) -> bool {
    let telling = |text: &str, in_it: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| word.len() > 3 && !COMMON.contains(word)).any(|word| in_it.contains(word))
    };
    // One program writes as one word what another writes as two.
    let joined = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric(), "");
    let (whole, in_it) = (joined(one), joined(other));
    telling(one, other) || telling(other, one) || (whole.len() > 6 && says_something(one) && in_it.contains(&whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::messages::trouble::Tone;
    use crate::kubernetes::statements::said_in::SaidIn;
    use serde_json::json;

    fn workload() -> Object {
        serde_json::from_value(json!({"metadata": {"name": "acme-operator", "namespace": "ops"},
            "spec": {"template": {"spec": {"serviceAccountName": "acme", "containers": [
                {"name": "manager", "command": ["/bin/databases"], "image": "example.invalid/stores/controller:v1"}]}}}}))
        .unwrap()
    }

    fn name(word: &str, owner: bool, writer: bool) -> ControllerName {
        ControllerName {
            word: word.into(),
            weight: 5,
            sources: Vec::new(),
            catalogued: false,
            in_cluster: true,
            owner,
            writer,
        }
    }

    #[test]
    fn names_fit_the_workloads_name_account_and_image() {
        let fits = |name| fit(name, &workload());
        assert_eq!(fits("acme-operator"), Fit::Name);
        assert_eq!(fits("databases"), Fit::Name);
        assert_eq!(fits("acme-snapshots"), Fit::Name, "its service account and more");
        assert_eq!(fits("stores-syncer"), Fit::Word, "a word of its image");
        assert_eq!(fits("acm-eoperator"), Fit::Word, "joined");
        assert_eq!(fits("snapshot-agent"), Fit::Not);
        assert_eq!(fits("dns-controller"), Fit::Not, "what every controller is called tells nothing");
    }

    #[test]
    fn a_program_counts_only_with_a_trace_of_its_product() {
        let mut workload = workload();
        assert!(runs_as("databases", &["store.acme.io"], &workload));
        assert!(!runs_as("manager", &["store.acme.io"], &workload), "it runs something else");
        assert!(!runs_as("databases", &["other.example"], &workload));
        assert!(is_called_a_controller(&workload));
        workload.metadata.name = "acme-console".into();
        workload.body.clear();
        assert!(!is_called_a_controller(&workload));
    }

    #[test]
    fn workloads_with_another_name_than_the_owner_are_ruled_out() {
        let out = |names: &[ControllerName]| ruled_out(names, &workload()).map(|out| out.sure);
        assert_eq!(out(&[]), None);
        assert_eq!(out(&[name("acme-operator", true, false)]), None);
        assert_eq!(out(&[name("snapshot-agent", true, false)]), Some(false));
        assert_eq!(out(&[name("snapshot-agent", true, false), name("acme-operator", false, true)]), Some(true));
        // It is of the same product, but another program.
        assert_eq!(out(&[name("stores-syncer", true, false), name("acme-operator", false, true)]), Some(true));
        assert_eq!(out(&[name("snapshot-agent", false, true)]), None);
    }

    #[test]
    fn statements_of_another_owner_are_ignored() {
        let entry =
            |manager: &str, fields: Value| json!({"manager": manager, "operation": "Update", "fieldsV1": fields});
        let mut object: Object = serde_json::from_value(json!({"metadata": {"name": "o",
            "finalizers": ["dns.example/records"]}}))
        .unwrap();
        let finalizers = json!({"f:metadata": {"f:finalizers": {"v:\"dns.example/records\"": {}}}});
        object.metadata.managed_fields =
            json!([entry("records-syncer", finalizers), entry("acme-operator", json!({"f:status": {}}))]);
        let resource = crate::survey::Resource::tested("acme.io", "databases", "Database", true);
        let of = Seen { resource: &resource, object: &object };
        let said = |by: Option<&'static str>, writer: Option<&str>| Statement {
            said_in: by.map_or(SaidIn::Status, |by| SaidIn::Event(Some(by))),
            writer: writer.map(ToOwned::to_owned),
            ..Statement::new(of, String::new(), String::new(), Tone::Trouble)
        };
        let heard = |owner: &str, said: &Statement<'_>| counts(said, &[name(owner, true, false)], None);
        assert!(!heard("snapshot-agent", &said(None, Some("acme-operator"))));
        assert!(heard("acme-snapshots", &said(None, Some("acme-operator"))));
        assert!(heard("snapshot-agent", &said(None, Some("manager"))), "anybody may be called so");
        assert!(!heard("snapshot-agent", &said(Some("records-syncer"), None)));
        assert!(heard("snapshot-agent", &said(Some("volume-keeper"), None)), "an event's component is any text");
    }
}
