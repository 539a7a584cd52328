//! The API server's errors about missing permissions.

/// A permission that a user lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LackedRight {
    /// The user.
    pub(crate) user: String,
    pub(crate) verb: String,
    /// The plural, with a subresource after a slash.
    pub(crate) resource: String,
    pub(crate) group: String,
    /// The namespace; `None` for the cluster.
    pub(crate) namespace: Option<String>,
}

/// The missing permission that a message reports: `User "u" cannot patch resource "configmaps" in API
/// group "" in the namespace "shop"` (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go`).
pub(crate) fn lacked(message: &str) -> Option<LackedRight> {
    // A program that passes the error on may have escaped the quotation marks.
    let message = message.replace("\\\"", "\"");
    let (_, rest) = message.split_once("User \"")?;
    let (user, rest) = rest.split_once("\" cannot ")?;
    let (verb, rest) = rest.split_once(" resource \"")?;
    let (resource, rest) = rest.split_once("\" in API group \"")?;
    let (group, rest) = rest.split_once('"')?;
    let place = rest.strip_prefix(" in the namespace \"").and_then(|rest| rest.split_once('"'));
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    [user, verb, resource].into_iter().all(is_word).then(|| LackedRight {
        user: user.to_owned(),
        verb: verb.to_owned(),
        resource: resource.to_owned(),
        group: group.to_owned(),
        namespace: place.map(|(name, _)| name.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_errors_name_the_missing_right() {
        let text = r#"sync: configmaps "a" is forbidden: User "system:serviceaccount:ops:acme" cannot patch resource "configmaps/status" in API group "" in the namespace "shop""#;
        let right = lacked(text).unwrap();
        assert_eq!((right.user.as_str(), right.verb.as_str()), ("system:serviceaccount:ops:acme", "patch"));
        assert_eq!((right.resource.as_str(), right.group.as_str()), ("configmaps/status", ""));
        assert_eq!(right.namespace.as_deref(), Some("shop"));
        let text = r#"User "u" cannot list resource "parcels" in API group "acme.io" at the cluster scope"#;
        assert_eq!(lacked(text).map(|right| (right.group, right.namespace)), Some(("acme.io".into(), None)));
        assert_eq!(lacked(&text.replace('"', "\\\"")).map(|right| right.verb), Some("list".into()));
        assert_eq!(lacked("User \"u\" cannot come"), None);
    }
}
