//! Other objects for which a controller waits, or that use the held one.

use crate::facts::{Facts, Known};
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::mentions::grammar::walk;
use crate::kubernetes::statements::other_objects::trouble_of;
use crate::plan::full_name;
use crate::plugin::COMMAND;
use crate::report::{Need, Ref, Remedy, Sentence, and_more};
use crate::survey::{Object, Seen, TargetName};

/// How many of the objects that a controller waits for are checked.
const MAX_BLOCKERS: usize = 10;

/// The needs that those which are being deleted are gone.
pub(super) fn going(others: &[InTheWay<'_>]) -> Vec<Need> {
    let going = others.iter().filter(|edge| edge.blocker.object.is_deleting());
    going.take(MAX_BLOCKERS).map(|edge| Need::Deleted(edge.blocker.into())).collect()
}

/// The first, and how many more there are.
pub(super) fn named(others: &[InTheWay<'_>]) -> Sentence {
    Sentence::from(&Ref::from(others[0].blocker)).then(and_more(others.len() - 1))
}

/// The trouble that `other` reports about itself, if it is not being deleted: then it is the reason, and not only in
/// the way.
pub(super) fn reports(other: &InTheWay<'_>, facts: &Facts<'_>) -> Known<Sentence> {
    if other.blocker.object.is_deleting() {
        return Ok(Sentence::default());
    }
    let words = trouble_of(other.blocker, facts)?;
    Ok(words.map(|words| Sentence::from(", which says: ").reported(words)).unwrap_or_default())
}

/// The remedy to release an object that is waited for, or to check what keeps it.
pub(super) fn release(other: Seen<'_>) -> Sentence {
    let (named, is_going) = (Ref::from(other), other.object.is_deleting());
    let name = full_name(&named);
    if is_going {
        Sentence::from(format!("release {named} first")).by(format_args!("{COMMAND} {name}"))
    } else {
        Sentence::from(format!("check what {named} waits for, or what needs it"))
            .by(format_args!("kubectl get {name} -o yaml"))
    }
}

/// The remedy before a deletion: delete a user first, or let it use another object.
pub(super) fn free_first(user: &Ref) -> Remedy {
    let title = match fixed(user) {
        Some((first, why)) => Sentence::from(first.replace("{it}", &user.to_string())).then(format!(" first: {why}")),
        None => Sentence::from("delete ").then(user).then(" first, or change it so that it uses another object"),
    };
    let look = format!("kubectl get {} -o yaml", full_name(user));
    Remedy::command(title, look, "check first whether it is still needed")
}

/// How `user` stops its use of `object`, which it names in `field`.
pub(super) fn stop_use(user: &Ref, object: &Ref, field: Option<&str>) -> Sentence {
    match (fixed(user), field) {
        (Some((way, why)), _) => format!("{}: {why}", way.replace("{it}", &user.to_string())).into(),
        (None, Some(field)) => format!("change {field} of {user}, which names {object}, or delete {user}").into(),
        (None, None) => format!("let {user} use something other than {object}, or delete it").into(),
    }
}

/// What ends the use by an object of a built-in kind whose references cannot be changed, and why.
fn fixed(user: &Ref) -> Option<(&'static str, &'static str)> {
    let TargetName { resource, .. } = user.target();
    let all: [(&str, &str, &str, &str); 4] = [
        (
            "",
            "persistentvolumeclaims",
            "delete {it} when its data is copied or not needed",
            "what a claim was made from cannot be changed",
        ),
        (
            "",
            "persistentvolumes",
            "delete the claim of {it}, or {it} itself",
            "the source of a volume cannot be changed",
        ),
        ("", "pods", "delete {it}, and change what creates it", "what a pod refers to cannot be changed"),
        ("batch", "jobs", "let {it} finish, or delete it", "the template of a Job cannot be changed"),
    ];
    let found = all.into_iter().find(|(group, plural, ..)| resource.is(group, plural));
    found.map(|(_, _, way, why)| (way, why))
}

/// The field in which the spec of `user` names `object`.
pub(super) fn field_naming(user: &Object, object: &Ref) -> Option<String> {
    let mut found = None;
    walk(user.at("/spec")?, "spec", 0, &mut |field, _, value| {
        let named = value.as_str().is_some_and(|text| text == object.name);
        found = found.take().or_else(|| named.then(|| field.to_owned()));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;
    use serde_json::json;

    fn named(version: &str, kind: &str, resource: &str) -> Ref {
        let (api_version, kind, resource) = (version.into(), kind.into(), resource.into());
        Named { api_version, kind, resource, name: "x".into(), ..Named::default() }.into()
    }

    #[test]
    fn a_use_ends_in_the_way_that_works_for_the_kind() {
        let used = named("acme.io/v1", "Pool", "pools");
        let told = |user: &Ref, field| stop_use(user, &used, field).to_string();
        let claim = named("v1", "PersistentVolumeClaim", "persistentvolumeclaims");
        assert!(told(&claim, Some("spec.dataSource.name")).contains("made from cannot be changed"));
        let queue = named("acme.io/v1", "Queue", "queues");
        assert_eq!(
            told(&queue, Some("spec.pool")),
            "change spec.pool of Queue x, which names Pool x, or delete Queue x"
        );
        assert_eq!(told(&queue, None), "let Queue x use something other than Pool x, or delete it");
        assert!(free_first(&claim).title.to_string().starts_with("delete PersistentVolumeClaim x when its data"));
    }

    #[test]
    fn the_field_that_names_an_object_is_found() {
        let user = json!({"metadata": {"name": "q"}, "spec": {"pools": [{"ref": {"name": "x"}}], "other": "y"}});
        let user: Object = serde_json::from_value(user).unwrap();
        assert_eq!(
            field_naming(&user, &named("acme.io/v1", "Pool", "pools")).as_deref(),
            Some("spec.pools[0].ref.name")
        );
    }
}
