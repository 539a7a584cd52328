//! The subjects of a binding: service accounts, groups, users.

use crate::survey::Object;
use serde_json::Value;
use std::fmt::{self, Display, Formatter};

/// A service account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

impl Display for Account {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// A subject of a binding.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BoundSubject {
    Account(Account),
    Group(String),
    User(String),
}

impl BoundSubject {
    /// The account that it names, if it is no group or user.
    pub(super) fn account(&self) -> Option<&Account> {
        if let Self::Account(account) = self { Some(account) } else { None }
    }

    /// The user that it names, unless that is a part of Kubernetes.
    pub(super) fn user(&self) -> Option<&str> {
        if let Self::User(name) = self { Some(name.as_str()).filter(|name| !name.starts_with("system:")) } else { None }
    }

    /// Whether it is an account of this namespace, or all of them.
    pub(super) fn is_of(&self, namespace: &str) -> bool {
        match self {
            Self::Account(account) => account.namespace == namespace,
            Self::Group(name) => name.strip_prefix("system:serviceaccounts:") == Some(namespace),
            Self::User(_) => false,
        }
    }

    /// Whether it is this account, or a group that contains it.
    pub(super) fn includes(&self, account: &Account) -> bool {
        match self {
            Self::Account(named) => named == account,
            Self::Group(name) if name == "system:serviceaccounts" || name == "system:authenticated" => true,
            Self::Group(name) => name.strip_prefix("system:serviceaccounts:") == Some(&account.namespace),
            Self::User(_) => false,
        }
    }
}

/// Whether a binding names this account itself, and not a group that contains it.
pub(crate) fn names(binding: &Object, account: &Account) -> bool {
    subjects(binding).any(|subject| subject.account() == Some(account))
}

/// The subjects of a binding.
pub(super) fn subjects(binding: &Object) -> impl Iterator<Item = BoundSubject> {
    binding.array("/subjects").iter().filter_map(|subject| {
        let text = |field: &str| subject.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
        let account = |namespace: Option<&str>, name: &str| {
            let namespace = namespace.unwrap_or_default().to_owned();
            BoundSubject::Account(Account { namespace, name: name.to_owned() })
        };
        let name = text("name").unwrap_or_default();
        match text("kind")? {
            "ServiceAccount" => Some(account(text("namespace").or(binding.metadata.namespace.as_deref()), name)),
            "Group" => Some(BoundSubject::Group(name.to_owned())),
            // A service account may be named as a user.
            "User" => Some(match name.strip_prefix("system:serviceaccount:").and_then(|user| user.split_once(':')) {
                Some((namespace, name)) => account(Some(namespace), name),
                None => BoundSubject::User(name.to_owned()),
            }),
            _ => None,
        }
    })
}

/// A user in a binding that is no part of Kubernetes.
pub(crate) fn user_of(binding: &Object) -> Option<String> {
    subjects(binding).find_map(|subject| subject.user().map(ToOwned::to_owned))
}
