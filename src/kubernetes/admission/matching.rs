//! Matches webhooks and policies to requests as the API server does (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go`,
//! `…/predicates/namespace/matcher.go`, `…/predicates/object/matcher.go`).

use crate::facts::is_namespace;
use crate::survey::{Discovery, Object, Resource, Texts};
use serde_json::Value;

/// The operation of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// The object is created.
    Create,
    /// The object is changed; the removal of a finalizer is one such change.
    Update,
    /// The object is deleted.
    Delete,
}

impl Operation {
    /// The operation's name in rules.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }
}

/// Whether a webhook or policy matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// No.
    No,
    /// An expression decides, which only the API server evaluates.
    Perhaps,
    /// Yes.
    Yes,
}

/// A kind of request.
#[derive(Debug, Clone, Copy)]
pub struct Kind<'a> {
    /// The resource of the objects.
    pub resource: &'a Resource,
    /// The part of the objects; empty for the objects themselves.
    pub subresource: &'a str,
    /// The operation.
    pub operation: Operation,
}

/// The API server calls no webhook for this group of its own, so that a broken registration can
/// always be repaired.
const EXEMPT: &str = "admissionregistration.k8s.io";

/// Whether one of `rules` matches requests of this kind. With `matchPolicy: Equivalent`, a rule for
/// another version of the same resource matches, too.
pub(crate) fn rules_match(rules: &[Value], exact: bool, kind: Kind<'_>, discovery: &Discovery) -> bool {
    if kind.resource.id.group == EXEMPT {
        return false;
    }
    rules.iter().any(|rule| {
        lists(rule, "operations", kind.operation.word())
            && lists(rule, "apiGroups", &kind.resource.id.group)
            && version_matches(rule, exact, kind.resource, discovery)
            && resource_matches(rule, kind)
            && scope_matches(rule, kind.resource)
    })
}

/// The strings in a list of a rule.
pub(crate) fn strings<'a>(rule: &'a Value, field: &str) -> impl Iterator<Item = &'a str> {
    rule.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn lists(rule: &Value, field: &str, wanted: &str) -> bool {
    strings(rule, field).any(|word| word == "*" || word == wanted)
}

fn version_matches(rule: &Value, exact: bool, resource: &Resource, discovery: &Discovery) -> bool {
    let id = &resource.id;
    lists(rule, "apiVersions", &id.version)
        || (!exact
            && discovery
                .resources
                .iter()
                .any(|other| other.id.is(&id.group, &id.plural) && lists(rule, "apiVersions", &other.id.version)))
}

/// `*` matches no subresources, `*/*` matches everything, and `pods/*` matches the pods themselves
/// as well.
fn resource_matches(rule: &Value, kind: Kind<'_>) -> bool {
    strings(rule, "resources").any(|word| {
        let (resource, subresource) = word.split_once('/').unwrap_or((word, ""));
        (resource == "*" || resource == kind.resource.id.plural)
            && (subresource == "*" || subresource == kind.subresource)
    })
}

fn scope_matches(rule: &Value, resource: &Resource) -> bool {
    match rule.get("scope").and_then(Value::as_str) {
        Some("Namespaced") => resource.namespaced,
        Some("Cluster") => !resource.namespaced,
        _ => true,
    }
}

/// Whether a policy's rules name this object, or no object at all.
pub(crate) fn names_match(rules: &[Value], object: &Object) -> bool {
    rules.iter().any(|rule| {
        let mut names = strings(rule, "resourceNames").peekable();
        names.peek().is_none() || names.any(|name| name == object.name())
    })
}

/// Whether both selectors of a webhook or policy match this object. The namespaceSelector exempts
/// no cluster-scoped object; a Namespace is matched by its own labels.
pub(crate) fn selected(of: &Value, resource: &Resource, object: &Object, namespace: Option<&Object>) -> bool {
    let labels = if is_namespace(resource) { Some(object) } else { namespace };
    let namespace = labels.is_none_or(|place| selects(of.get("namespaceSelector"), &place.metadata.labels));
    namespace && selects(of.get("objectSelector"), &object.metadata.labels)
}

/// Whether a label selector matches these labels; an empty one matches all.
pub(crate) fn selects(selector: Option<&Value>, labels: &Texts) -> bool {
    let Some(selector) = selector else { return true };
    let equal = selector.get("matchLabels").and_then(Value::as_object);
    let equal = equal.into_iter().flatten().all(|(key, value)| labels.get(key).map(String::as_str) == value.as_str());
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    equal && expressions.into_iter().flatten().all(|expression| holds(expression, labels))
}

fn holds(expression: &Value, labels: &Texts) -> bool {
    let value = expression.get("key").and_then(Value::as_str).and_then(|key| labels.get(key));
    let listed = || strings(expression, "values").any(|one| value.is_some_and(|value| value == one));
    match expression.get("operator").and_then(Value::as_str) {
        Some("In") => listed(),
        Some("NotIn") => !listed(),
        Some("Exists") => value.is_some(),
        Some("DoesNotExist") => value.is_none(),
        _ => false,
    }
}

/// The match as far as `matchConditions` show: expressions are not evaluated here.
pub(crate) fn conditions(of: &Value) -> Match {
    let expressions = of.get("matchConditions").and_then(Value::as_array).into_iter().flatten();
    expressions.fold(Match::Yes, |sum, condition| {
        sum.min(match condition.get("expression").and_then(Value::as_str).map(str::trim) {
            Some("true") => Match::Yes,
            Some("false") => Match::No,
            _ => Match::Perhaps,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::ResourceId;
    use serde_json::json;

    fn resource(group: &str, version: &str, plural: &str, namespaced: bool) -> Resource {
        Resource { id: ResourceId::new(group, version, plural), ..Resource::tested(group, plural, plural, namespaced) }
    }

    fn rule(group: &str, version: &str, operation: &str, resource: &str) -> Value {
        json!({"apiGroups": [group], "apiVersions": [version], "operations": [operation], "resources": [resource]})
    }

    fn asked(rule: Value, resource: &Resource, subresource: &str, operation: Operation) -> bool {
        let other = Resource { id: ResourceId::new("acme.io", "v1beta1", "widgets"), ..resource.clone() };
        let discovery = Discovery { resources: vec![resource.clone(), other], stale: Vec::new() };
        rules_match(&[rule], false, Kind { resource, subresource, operation }, &discovery)
    }

    #[test]
    fn rules_are_matched_as_the_server_matches_them() {
        let pods = resource("", "v1", "pods", true);
        for (word, itself, status) in [
            ("pods", true, false),
            ("*", true, false),
            ("*/*", true, true),
            ("pods/*", true, true),
            ("pods/status", false, true),
        ] {
            assert_eq!(asked(rule("", "v1", "*", word), &pods, "", Operation::Delete), itself, "{word}");
            assert_eq!(asked(rule("", "v1", "*", word), &pods, "status", Operation::Update), status, "{word}");
        }
        assert!(!asked(rule("", "v1", "CREATE", "pods"), &pods, "", Operation::Delete));
        assert!(!asked(rule("apps", "v1", "*", "pods"), &pods, "", Operation::Delete));
    }

    #[test]
    fn another_version_of_the_same_resource_is_equivalent() {
        let widgets = resource("acme.io", "v1", "widgets", true);
        assert!(asked(rule("acme.io", "v1beta1", "*", "widgets"), &widgets, "", Operation::Update));
        let discovery = Discovery { resources: vec![widgets.clone()], stale: Vec::new() };
        let kind = Kind { resource: &widgets, subresource: "", operation: Operation::Update };
        assert!(!rules_match(&[rule("acme.io", "v1beta1", "*", "widgets")], true, kind, &discovery));
    }

    #[test]
    fn a_namespace_is_cluster_scoped_and_admission_itself_is_exempt() {
        let namespaces = resource("", "v1", "namespaces", false);
        let mut scoped = rule("*", "*", "*", "*");
        scoped["scope"] = json!("Namespaced");
        assert!(!asked(scoped.clone(), &namespaces, "", Operation::Delete));
        scoped["scope"] = json!("Cluster");
        assert!(asked(scoped, &namespaces, "", Operation::Delete));
        let webhooks = resource(EXEMPT, "v1", "validatingwebhookconfigurations", false);
        assert!(!asked(rule("*", "*", "*", "*/*"), &webhooks, "", Operation::Update));
    }

    #[test]
    fn selectors_match_labels() {
        let labels: Texts = [("a".to_owned(), "1".to_owned())].into();
        let by = |operator: &str, key: &str, values: Value| {
            selects(Some(&json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]})), &labels)
        };
        assert!(selects(None, &labels) && selects(Some(&json!({})), &labels));
        assert!(selects(Some(&json!({"matchLabels": {"a": "1"}})), &labels));
        assert!(!selects(Some(&json!({"matchLabels": {"a": "2"}})), &labels));
        assert!(by("In", "a", json!(["1", "2"])) && !by("In", "b", json!(["1"])));
        assert!(by("NotIn", "b", json!(["1"])) && !by("NotIn", "a", json!(["1"])));
        assert!(by("Exists", "a", json!(null)) && by("DoesNotExist", "b", json!(null)));
    }

    #[test]
    fn only_constant_conditions_are_evaluated() {
        let of = |expression: &str| conditions(&json!({"matchConditions": [{"name": "x", "expression": expression}]}));
        assert_eq!(conditions(&json!({})), Match::Yes);
        assert_eq!(of("true"), Match::Yes);
        assert_eq!(of("false"), Match::No);
        assert_eq!(of("request.userInfo.username != 'x'"), Match::Perhaps);
    }
}
