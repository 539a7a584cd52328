//! The subjects of a binding: service accounts, groups, users.

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

/// A subject of a binding.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BoundSubject {
    Account(Account),
    Group(String),
    User(String),
}

/// Whether a binding names this account itself, and not a group that contains it.
pub(crate) fn names(binding: &Object, account: &Account) -> bool {
    subjects(binding).any(|subject| matches!(&subject, BoundSubject::Account(named) if named == account))
}

/// Whether a group contains every service account.
pub(super) fn is_everybodys(group: &str) -> bool {
    ["system:serviceaccounts", "system:authenticated"].contains(&group)
}

/// The subjects of a binding.
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
            // A service account may be named as a user.
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

/// A user in a binding that is no part of Kubernetes.
pub(crate) fn user_of(binding: &Object) -> Option<String> {
    subjects(binding).find_map(|subject| match subject {
        BoundSubject::User(name) if !name.starts_with("system:") => Some(name),
        _ => None,
    })
}
