//! How the turns of a deletion are made of steps.

use crate::knowledge::catalogue;
use crate::plan::deletion;
use crate::plan::shell::{in_namespace, quote};
use crate::plan::steps::delete_on_request;
use crate::report::{Action, DeleteOnRequest, Ref, Risk, Step, Turn, counted, refs};
use crate::survey::{Cascade, Seen};
use indexmap::IndexMap;

/// The timeout of a command, in minutes.
const LIMIT: u8 = 5;
/// How many objects are named in one command.
const MAX_NAMED: usize = 20;

impl Turn {
    /// Objects that must be deleted while a controller that is deleted with the target still runs. `all` says
    /// that there are no others of their kind in their namespace; `cost` is the risk of deleting one, and why.
    pub(crate) fn objects<'s>(
        objects: &[Seen<'s>],
        all: bool,
        why: String,
        cost: impl Fn(&Seen<'s>) -> (Risk, String),
    ) -> Self {
        let all_of_them = refs(objects);
        let steps: Vec<Step> =
            all_of_them.iter().map(|object| delete_on_request::step(object, Cascade::Background)).collect();
        let resource = objects[0].resource.id.short();
        let usual_minutes = usual_minutes(objects);
        let limit = usual_minutes.unwrap_or_default().max(LIMIT);
        let mut by_namespace: IndexMap<Option<&str>, Vec<&Ref>> = IndexMap::new();
        for object in &all_of_them {
            by_namespace.entry(object.namespace.as_deref()).or_default().push(object);
        }
        let mut commands = Vec::new();
        for here in by_namespace.values() {
            let place = in_namespace(here[0]);
            if all && here.len() > 1 {
                commands.push(format!("kubectl delete {} --all{place} --timeout={limit}m", quote(&resource)));
                continue;
            }
            commands.extend(
                here.chunks(MAX_NAMED)
                    .map(|some| format!("kubectl delete {}{place} --timeout={limit}m", named(&resource, some))),
            );
        }
        let (risk, consequence) =
            deletion::worst(objects.iter().map(cost)).unwrap_or((Risk::Disruptive, String::new()));
        Self {
            title: format!("delete {}", counted(objects)).into(),
            why: why.into(),
            risk,
            consequence: consequence.into(),
            usual_minutes,
            commands,
            steps,
        }
    }

    /// A registration that would be left without a backend; `cost` is the risk of deleting it, and why.
    pub(crate) fn registration(seen: Seen<'_>, why: String, consequence: &str, cost: (Risk, String)) -> Self {
        let object = Ref::from(seen);
        let step = delete_on_request::step(&object, Cascade::Background);
        let (risk, of_itself) = cost;
        let besides = if deletion::is_cleaned_up(&seen) { format!("; {of_itself}") } else { String::new() };
        Self {
            title: step.title().into(),
            why: why.into(),
            risk,
            consequence: format!("{consequence}{besides}").into(),
            commands: vec![delete_on_request::waiting_command(&object, Cascade::Background)],
            steps: vec![step],
            ..Self::default()
        }
    }

    /// Background deletions of objects of one kind in one namespace, as one turn, except those that lose data:
    /// each of these is a question of its own.
    pub(crate) fn together(turns: Vec<Self>) -> Vec<Self> {
        let (alone, mut others): (Vec<Self>, Vec<Self>) = turns.into_iter().partition(|turn| turn.risk.is_harsh());
        let steps: Vec<Step> = others.iter().flat_map(|turn| turn.steps.clone()).collect();
        let in_background: Action = DeleteOnRequest { cascade: Cascade::Background }.into();
        let plain = steps.iter().all(|step| step.action == in_background);
        let Some(mut one) = (!others.is_empty()).then(|| others.swap_remove(0)) else { return alone };
        if let [Step { object: first, .. }, .., _] = &steps[..] {
            let resource = first.target().resource.short();
            let place = in_namespace(first);
            one.title = format!("delete {} {resource}{}", steps.len(), words_of_place(first)).into();
            one.commands = if plain {
                let all: Vec<&Ref> = steps.iter().map(|step| &step.object).collect();
                let some = all.chunks(MAX_NAMED);
                some.map(|some| format!("kubectl delete {}{place} --timeout=5m", named(&resource, some))).collect()
            } else {
                one.commands.into_iter().chain(others.into_iter().flat_map(|turn| turn.commands)).collect()
            };
        }
        one.steps = steps;
        std::iter::once(one).chain(alone).collect()
    }

    /// A turn that a person must carry out.
    pub(crate) fn by_hand(title: String, why: String, command: String) -> Self {
        Self {
            title: title.into(),
            why: why.into(),
            risk: Risk::Manual,
            consequence: "nothing is lost".into(),
            commands: vec![command],
            ..Self::default()
        }
    }
}

/// How many minutes the clean-ups of these objects usually take at most, if that is known for any of
/// them.
fn usual_minutes(objects: &[Seen<'_>]) -> Option<u8> {
    let finalizers = objects.iter().flat_map(|seen| &seen.object.metadata.finalizers);
    finalizers.filter_map(|key| catalogue::lookup(key)?.takes).max()
}

fn words_of_place(object: &Ref) -> String {
    object.namespace.as_ref().map(|namespace| format!(" in namespace {namespace}")).unwrap_or_default()
}

/// `RESOURCE NAME NAME`; `RESOURCE/NAME` for each, if a name could be a flag.
fn named(resource: &str, objects: &[&Ref]) -> String {
    let names = || objects.iter().map(|object| object.name.as_str());
    if names().any(|name| name.starts_with('-')) {
        return names().map(|name| quote(&format!("{resource}/{name}"))).collect::<Vec<_>>().join(" ");
    }
    std::iter::once(resource).chain(names()).map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::deletion::Circumstance;
    use crate::survey::{Object, Resource};
    use serde_json::json;

    fn cost(seen: &Seen<'_>) -> (Risk, String) {
        deletion::cost(seen, Circumstance::Ordinary)
    }

    #[test]
    fn a_registration_whose_controller_destroys_something_is_rated_so() {
        let resource = Resource::tested("apiregistration.k8s.io", "apiservices", "APIService", false);
        let risk = |finalizers: &[&str]| {
            let metadata = json!({"name": "v1.acme.io", "uid": "a", "finalizers": finalizers});
            let object = Object::single(json!({"metadata": metadata})).unwrap();
            let seen = Seen { resource: &resource, object: &object };
            let turn = Turn::registration(seen, String::new(), "requests fail", cost(&seen));
            (turn.risk, turn.consequence.to_string())
        };
        assert_eq!(risk(&[]), (Risk::Disruptive, "requests fail".to_owned()));
        let (destroys, why) = risk(&["resources-finalizer.argocd.argoproj.io"]);
        assert_eq!(destroys, Risk::LosesData);
        assert!(why.starts_with("requests fail; its controller does its clean-up: "), "{why}");
    }

    #[test]
    fn one_command_deletes_all_of_a_kind_or_named_objects() {
        let resource = Resource::tested("acme.io", "widgets", "Widget", true);
        let object = |name: &str| Object::single(json!({"metadata": {"name": name, "namespace": "shop"}})).unwrap();
        let (one, two) = (object("a"), object("b"));
        let seen = [&one, &two].map(|object| Seen { resource: &resource, object });
        let commands = |objects: &[Seen<'_>], all: bool| Turn::objects(objects, all, String::new(), cost).commands;
        assert_eq!(commands(&seen, true), ["kubectl delete widgets.acme.io --all -n shop --timeout=5m"]);
        assert_eq!(commands(&seen, false), ["kubectl delete widgets.acme.io a b -n shop --timeout=5m"]);
        assert_eq!(commands(&seen[..1], true), ["kubectl delete widgets.acme.io a -n shop --timeout=5m"]);
        let flag = object("--all");
        let seen = [&one, &flag].map(|object| Seen { resource: &resource, object });
        let apart = "kubectl delete widgets.acme.io/a widgets.acme.io/--all -n shop --timeout=5m";
        assert_eq!(commands(&seen, false), [apart]);
    }

    #[test]
    fn each_namespace_has_one_command() {
        let resource = Resource::tested("acme.io", "widgets", "Widget", true);
        let places = [("a", "cart"), ("b", "shop"), ("c", "cart")];
        let objects = places.map(|(name, namespace)| {
            Object::single(json!({"metadata": {"name": name, "namespace": namespace}})).unwrap()
        });
        let seen = objects.each_ref().map(|object| Seen { resource: &resource, object });
        let cart = "kubectl delete widgets.acme.io --all -n cart --timeout=5m";
        let shop = "kubectl delete widgets.acme.io b -n shop --timeout=5m";
        assert_eq!(Turn::objects(&seen, true, String::new(), cost).commands, [cart, shop]);
    }

    #[test]
    fn objects_of_a_kind_share_a_turn_unless_data_is_lost() {
        let resource = Resource::tested("", "services", "Service", true);
        let turn = |name: &str, risk: Risk| {
            let object = Object::single(json!({"metadata": {"name": name, "namespace": "ops", "uid": name}})).unwrap();
            let seen = Seen { resource: &resource, object: &object };
            Turn::registration(seen, String::new(), "gone", (risk, String::new()))
        };
        let turns =
            Turn::together(vec![turn("a", Risk::Disruptive), turn("b", Risk::LosesData), turn("c", Risk::Disruptive)]);
        let commands: Vec<&str> = turns.iter().flat_map(|turn| &turn.commands).map(String::as_str).collect();
        assert_eq!(
            commands,
            ["kubectl delete services a c -n ops --timeout=5m", "kubectl delete services b -n ops --timeout=5m"]
        );
        assert_eq!(turns[0].steps.len(), 2);
    }
}
