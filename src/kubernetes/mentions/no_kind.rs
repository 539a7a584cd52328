//! Kinds that a held object needs and that the server does not serve: their definition was deleted, or
//! never created. Their objects cannot be read.

use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::grammar::{is_made_later, walk};
use crate::kubernetes::statements::statement::Statement;
use crate::survey::{Discovery, Seen, stem_of_reference};
use serde_json::Value;

/// A kind that is needed and not served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnservedKind {
    /// `DiskCluster`
    pub kind: String,
    /// The API group.
    pub group: String,
    /// The name of the object of that kind, if it is known.
    pub name: Option<String>,
    /// The field that names it.
    pub field: String,
    /// Whether the controller's message says so.
    pub(crate) said: bool,
}

impl UnservedKind {
    /// A kind that a message names, which was read in `field`.
    fn told((kind, group): (&str, &str), field: &str) -> Self {
        Self { kind: kind.into(), group: group.into(), name: None, field: field.into(), said: true }
    }

    /// `DiskCluster.infra.acme.io`
    #[must_use]
    pub fn full(&self) -> String {
        format!("{}.{}", self.kind, self.group)
    }
}

/// The first kind that one of the held objects needs and that is not served: one in a message about
/// the object, or one that its spec refers to. Kinds of its inventory count only if a message names
/// the kind: without the kind, such objects are gone, too.
pub(crate) fn unserved_kind(
    held: &HeldObjects<'_>,
    said: &[Statement<'_>],
    discovery: &Discovery,
) -> Option<UnservedKind> {
    let told = said.iter().filter(|said| said.trouble).filter_map(|said| no_match(&said.message));
    let mut told = told.filter(|(kind, group)| is_unserved(kind, group, discovery));
    let mut custom = held.read().filter(|seen| is_custom(&seen.resource.id.group));
    let told = told.next().map(|told| UnservedKind::told(told, "its status"));
    told.or_else(|| custom.find_map(|seen| referred(seen, discovery)))
}

/// The kind in a program's last message, if the program ended because it is not served.
pub(crate) fn missed_at_start(words: &str, discovery: &Discovery) -> Option<UnservedKind> {
    // A JSON log escapes quotation marks.
    let plain = words.replace('\\', "");
    let told = no_match(&plain).filter(|(kind, group)| is_unserved(kind, group, discovery))?;
    Some(UnservedKind::told(told, "its last message"))
}

/// The kind and the group in `no matches for kind "DiskCluster" in version "infra.acme.io/v1"`
/// (kubernetes/kubernetes: `staging/src/k8s.io/apimachinery/pkg/api/meta/errors.go`).
fn no_match(message: &str) -> Option<(&str, &str)> {
    let (_, rest) = message.split_once("no matches for kind \"")?;
    let (kind, rest) = rest.split_once("\" in version \"")?;
    let (version, _) = rest.split_once('"')?;
    let (group, _) = version.split_once('/')?;
    Some((kind, group))
}

fn is_unserved(kind: &str, group: &str, discovery: &Discovery) -> bool {
    // A group with stale discovery may be served.
    let is_known = !discovery.stale.iter().any(|version| version.split('/').next() == Some(group));
    let serves = discovery.resources.iter().any(|resource| resource.id.group == group && resource.kind == kind);
    is_custom(group) && is_known && !serves
}

/// A kind that a spec refers to by its name and its group.
fn referred(seen: Seen<'_>, discovery: &Discovery) -> Option<UnservedKind> {
    let mut found = None;
    walk(seen.object.at("/spec")?, "spec", 0, &mut |field, key, value| {
        let text = |name: &str| value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let is_reference = stem_of_reference(key).is_some() && !is_made_later(field);
        let version = text("apiVersion").and_then(|version| version.split_once('/')).map(|(group, _)| group);
        let group = version.or_else(|| text("apiGroup")).or_else(|| text("group"));
        if let (true, None, Some(kind), Some(group), Some(name)) =
            (is_reference, found.as_ref(), text("kind"), group, text("name"))
            && is_unserved(kind, group, discovery)
        {
            let (kind, group, name) = (kind.to_owned(), group.to_owned(), Some(name.to_owned()));
            found = Some(UnservedKind { kind, group, name, field: field.to_owned(), said: false });
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::fixtures::discovery;
    use crate::survey::Object;
    use serde_json::json;

    fn found(spec: &Value) -> Option<String> {
        let discovery = discovery();
        let object: Object = serde_json::from_value(json!({"metadata": {"name": "b"}, "spec": spec})).unwrap();
        referred(Seen { resource: &discovery.resources[1], object: &object }, &discovery).map(|kind| kind.full())
    }

    #[test]
    fn a_reference_to_a_kind_that_is_not_served_is_found() {
        let reference = |version: &str, kind: &str| json!({"apiVersion": version, "kind": kind, "name": "x"});
        let infra = |version, kind| found(&json!({"infrastructureRef": reference(version, kind)}));
        assert_eq!(infra("infra.acme.io/v1", "DiskCluster").as_deref(), Some("DiskCluster.infra.acme.io"));
        assert_eq!(infra("acme.io/v1beta1", "Bucket"), None, "in another version it is served");
        assert_eq!(infra("v1", "Nothing"), None, "the core group is always whole");
        assert_eq!(found(&json!({"template": reference("infra.acme.io/v1", "DiskCluster")})), None);
        assert_eq!(found(&json!({"outputRef": reference("infra.acme.io/v1", "DiskCluster")})), None);
    }

    #[test]
    fn no_match_errors_name_the_kind() {
        let words = "cannot get it: no matches for kind \"DiskCluster\" in version \"infra.acme.io/v1\"";
        assert_eq!(no_match(words), Some(("DiskCluster", "infra.acme.io")));
        assert!(is_unserved("DiskCluster", "infra.acme.io", &discovery()));
        let stale = Discovery { stale: vec!["infra.acme.io/v1".into()], ..discovery() };
        assert!(!is_unserved("DiskCluster", "infra.acme.io", &stale), "that API does not answer");
    }
}
