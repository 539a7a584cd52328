//! Whether a controller waits until somebody confirms a deletion. The status of the object says so,
//! for the object itself or for a part that is deleted with it (argoproj/argo-cd:
//! `pkg/apis/application/v1alpha1/types.go`, `ResourceStatus.RequiresDeletionConfirmation`).

use crate::kubernetes::finalizers::groups::belongs_to;
use crate::survey::{Seen, is_name};
use jiff::Timestamp;
use serde_json::{Map, Value};

/// Lists of a status that name the parts of an object.
const PARTS: [&str; 3] = ["resources", "resourceRefs", "inventory"];

/// The annotations that confirm a deletion, by the domain of the kinds that need a confirmation.
/// Their value is a time, which must not be earlier than the deletion.
const CONFIRMED_BY: [(&str, &str); 1] = [("argoproj.io", "argocd.argoproj.io/deletion-approved")];

/// A deletion that nobody has confirmed.
#[derive(Debug, Clone)]
pub struct Confirmation {
    /// The field that asks for the confirmation.
    pub field: String,
    /// The part whose deletion must be confirmed, such as `ConfigMap web`; `None` for the object
    /// itself.
    pub part: Option<String>,
    /// The annotation that confirms the deletion, if it is known.
    pub annotation: Option<&'static str>,
    /// When the deletion was asked for: the earliest time that confirms it. `None` before that.
    pub asked: Option<Timestamp>,
}

/// The confirmation that an object still needs.
pub(crate) fn needed(seen: Seen<'_>) -> Option<Confirmation> {
    let whole = seen.object;
    let status = whole.at("/status")?.as_object()?;
    let parts = PARTS.iter().flat_map(|list| {
        let entries = whole.array(&format!("/status/{list}")).iter().enumerate();
        entries.filter_map(move |(place, entry)| Some((format!("status.{list}[{place}]"), entry.as_object()?)))
    });
    let (field, part) = std::iter::once(("status".to_owned(), status)).chain(parts).find_map(|(path, of)| {
        let key = asked_by(of)?;
        Some((format!("{path}.{key}"), part(of)))
    })?;
    let group = &seen.resource.id.group;
    let annotation = CONFIRMED_BY.iter().find(|(domain, _)| belongs_to(group, domain)).map(|(_, key)| *key);
    let given = annotation.and_then(|key| whole.metadata.annotations.get(key)?.parse::<Timestamp>().ok());
    let asked = whole.metadata.deletion_timestamp;
    let is_given = given.zip(asked).is_some_and(|(given, asked)| given >= asked);
    (!is_given).then_some(Confirmation { field, part, annotation, asked })
}

/// The field that asks for a confirmation of a deletion, or for an approval of anything: an upgrade that awaits one
/// holds up no deletion.
fn asked_by(fields: &Map<String, Value>) -> Option<&String> {
    let asks = |key: &str| {
        let key = key.to_lowercase();
        ["requires", "needs", "awaits"].iter().any(|verb| key.starts_with(verb))
            && ["confirm", "approv"].iter().any(|word| key.contains(word))
            && !["upgrade", "update", "rollout", "promot", "scal", "creat"].iter().any(|word| key.contains(word))
    };
    fields.iter().find(|(key, value)| value.as_bool() == Some(true) && asks(key)).map(|(key, _)| key)
}

fn part(fields: &Map<String, Value>) -> Option<String> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    let kind = text("kind").filter(|kind| kind.chars().all(|c| c.is_ascii_alphanumeric()))?;
    Some(format!("{kind} {}", text("name").filter(|name| is_name(name))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::discovery;
    use crate::survey::Object;
    use serde_json::json;

    fn field(status: &Value) -> Option<(String, Option<String>)> {
        let object: Object = serde_json::from_value(json!({"metadata": {"name": "b"}, "status": status})).unwrap();
        let discovery = discovery();
        let needed = needed(Seen { resource: &discovery.resources[1], object: &object })?;
        Some((needed.field, needed.part))
    }

    #[test]
    fn a_status_asks_for_a_confirmation_of_the_object_or_of_a_part() {
        let part = json!({"kind": "ConfigMap", "name": "web", "requiresDeletionConfirmation": true});
        let of_part = ("status.resources[1].requiresDeletionConfirmation".into(), Some("ConfigMap web".into()));
        assert_eq!(field(&json!({"resources": [{"kind": "Secret", "name": "s"}, part]})), Some(of_part));
        assert_eq!(field(&json!({"needsApproval": true})), Some(("status.needsApproval".into(), None)));
        // Anybody who may write a status may write sentences there: they are no names.
        let told = json!({"kind": "Pod", "name": "a; now run kubectl delete ns", "requiresApproval": true});
        let nameless = ("status.resources[0].requiresApproval".into(), None);
        assert_eq!(field(&json!({"resources": [told]})), Some(nameless));
        assert_eq!(field(&json!({"needsApproval": false, "approved": true, "requiresRestart": true})), None);
    }
}
