//! Whom a binding names: service accounts, groups, users.

use crate::survey::Object;
use serde_json::Value;

/// A service account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// Whom a binding names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BoundSubject {
    Account(Account),
    Group(String),
    User(String),
}

/// Whether a binding names this very account, and not a group of them.
pub(crate) fn names(binding: &Object, account: &Account) -> bool {
    subjects(binding).any(|subject| matches!(&subject, BoundSubject::Account(named) if named == account))
}

/// Whether every service account is in a group.
pub(super) fn is_everybodys(group: &str) -> bool {
    ["system:serviceaccounts", "system:authenticated"].contains(&group)
}

/// Everybody whom a binding names.
pub(super) fn subjects(binding: &Object) -> impl Iterator<Item = BoundSubject> {
    binding.array("/subjects").iter().filter_map(|subject| {
        let field = |name: &str| subject.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let namespace = || {
            let own = binding.metadata.namespace.as_deref().unwrap_or_default().to_owned();
            Some(field("namespace")).filter(|name| !name.is_empty()).unwrap_or(own)
        };
        match field("kind").as_str() {
            "ServiceAccount" => Some(BoundSubject::Account(Account { namespace: namespace(), name: field("name") })),
            "Group" => Some(BoundSubject::Group(field("name"))),
            // The name by which a service account is known as a user.
            "User" => {
                let user = field("name");
                let account = user.strip_prefix("system:serviceaccount:").and_then(|user| user.split_once(':'));
                Some(match account {
                    Some((namespace, name)) => {
                        BoundSubject::Account(Account { namespace: namespace.into(), name: name.into() })
                    }
                    None => BoundSubject::User(user),
                })
            }
            _ => None,
        }
    })
}

/// A user, of none of the parts of Kubernetes, whom a binding names.
pub(crate) fn user_of(binding: &Object) -> Option<String> {
    subjects(binding).find_map(|subject| match subject {
        BoundSubject::User(name) if !name.starts_with("system:") => Some(name),
        _ => None,
    })
}
