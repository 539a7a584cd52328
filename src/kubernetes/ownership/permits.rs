//! The permissions of one account, according to the roles that were read.

use crate::facts::{Facts, Known};
use crate::kubernetes::admission::strings;
use crate::kubernetes::ownership::access::{self, Account};
use crate::kubernetes::ownership::power::covers;
use serde_json::Value;

/// The rules that apply to an account.
#[derive(Debug)]
pub(crate) struct Permits<'s>(Vec<&'s Value>);

impl<'s> Permits<'s> {
    /// Reads the rules that apply everywhere, and those that apply in `namespace`.
    pub(crate) fn of(account: &Account, namespace: Option<&str>, facts: &Facts<'s>) -> Known<Self> {
        let places: Vec<&str> = namespace.into_iter().collect();
        access::rules_of(account, &places, facts).map(Self)
    }

    /// Whether a rule allows `verb` on all objects of `resource`, which may be a subresource. A rule with
    /// resourceNames allows no list.
    pub(crate) fn allow(&self, verb: &str, group: &str, resource: &str) -> bool {
        self.0.iter().any(|rule| {
            let is_for_some = strings(rule, "resourceNames").next().is_some();
            (!is_for_some || !["list", "watch", "create"].contains(&verb))
                && strings(rule, "verbs").any(|it| it == verb || it == "*")
                && strings(rule, "apiGroups").any(|it| it == group || it == "*")
                && strings(rule, "resources").any(|it| covers(it, resource))
        })
    }

    /// Whether a rule allows writes to `resource`, by either verb.
    pub(crate) fn allow_to_write(&self, group: &str, resource: &str) -> bool {
        ["update", "patch"].into_iter().any(|verb| self.allow(verb, group, resource))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rules_are_read_as_the_authorizer_reads_them() {
        let rule = |groups: &[&str], resources: &[&str], verbs: &[&str], names: &[&str]| json!({"apiGroups": groups, "resources": resources, "verbs": verbs, "resourceNames": names});
        let may = |rule: Value, verb: &str, resource: &str| Permits(vec![&rule]).allow(verb, "acme.io", resource);
        let all = rule(&["*"], &["*"], &["*"], &[]);
        assert!(may(all, "patch", "parcels/status"));
        let parts = || rule(&["acme.io"], &["*/status", "parcels"], &["update"], &[]);
        assert!(may(parts(), "update", "parcels/status") && may(parts(), "update", "parcels"));
        assert!(!may(parts(), "update", "parcels/finalizers") && !may(parts(), "patch", "parcels"));
        let named = || rule(&["acme.io"], &["parcels"], &["list", "update"], &["x"]);
        assert!(may(named(), "update", "parcels") && !may(named(), "list", "parcels"));
        let other = rule(&["other.io"], &["parcels"], &["list"], &[]);
        assert!(!may(other, "list", "parcels"));
    }
}
