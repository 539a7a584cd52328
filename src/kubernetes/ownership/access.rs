//! The accounts that may write objects of a kind, and the bindings that allow it, according to RBAC.
//! A controller without this permission cannot remove a finalizer; one with it is a candidate.
//!
//! The permissions of other authorizers are not visible here
//! (<https://kubernetes.io/docs/reference/access-authn-authz/rbac/>).

use crate::facts::{All, Facts, Known, each};
use crate::kubernetes::finalizers::gaps::Gaps;
pub use crate::kubernetes::ownership::subjects::Account;
pub(crate) use crate::kubernetes::ownership::subjects::names;
use crate::kubernetes::ownership::subjects::{BoundSubject, is_everybodys, subjects};
use crate::survey::{Form, Object, ResourceId, Seen};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Deref;
use std::rc::Rc;

pub(crate) const RBAC: &str = "rbac.authorization.k8s.io";
/// The label of the roles that every API server creates: their rules do not show who owns a kind,
/// since products aggregate their own rules into them.
const BOOTSTRAPPING: &str = "kubernetes.io/bootstrapping";

/// The permissions of a role on a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own, and no two exclude each other")]
struct Allowed {
    /// `update` or `patch` of the object itself, which contains the finalizers.
    write: bool,
    /// A rule names the kind, or its `finalizers` subresource.
    named: bool,
    /// A rule names the `finalizers` subresource, as controllers' roles do.
    finalizers: bool,
    /// `list` or `watch` in a rule that names the kind: every controller of it needs that.
    lists: bool,
}

/// The permissions on objects of one kind. They are computed once for all objects that the same
/// rules match.
#[derive(Debug, Clone)]
pub(crate) struct Rights(Rc<Table>);

impl Deref for Rights {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.0
    }
}

/// The roles and bindings for one kind, evaluated.
#[derive(Debug)]
pub(crate) struct Table {
    /// The kind and place that it was read for.
    pub(crate) key: String,
    grants: Vec<Grant>,
    /// The accounts for which a rule names the kind, strongest evidence first.
    pub(crate) holders: Vec<Holder>,
    /// The index of each account in `holders`.
    place: HashMap<Account, usize>,
    /// A user for whom a rule names the kind, who may be a controller elsewhere.
    pub(crate) user: Option<String>,
    /// Whether every relevant role and binding was read.
    pub(crate) complete: bool,
    /// The roles and bindings that could not be read.
    gaps: Gaps,
}

#[derive(Debug)]
struct Grant {
    subject: BoundSubject,
    allowed: Allowed,
    via: String,
    /// Whether it is a `ClusterRoleBinding`.
    everywhere: bool,
}

/// An account for which a rule names the kind.
#[derive(Debug)]
pub(crate) struct Holder {
    pub(crate) account: Account,
    pub(crate) finalizers: bool,
    pub(crate) via: String,
}

/// One of the lists of roles and bindings; empty if the server has no RBAC.
pub(crate) fn list<'s>(plural: &str, namespace: Option<&str>, facts: &Facts<'s>) -> Known<&'s [Object]> {
    let id = facts.preferred(RBAC, plural).map(|found| found.id.clone());
    id.map_or(Ok(&[][..]), |id| facts.list(&id, namespace, Form::Whole))
}

/// The roles and bindings of a namespace, or of the cluster.
pub(crate) fn roles_and_bindings<'s>(
    namespace: Option<&str>,
    facts: &Facts<'s>,
) -> (Known<&'s [Object]>, Known<&'s [Object]>) {
    let [roles, bindings] =
        if namespace.is_some() { ["roles", "rolebindings"] } else { ["clusterroles", "clusterrolebindings"] };
    (list(roles, namespace, facts), list(bindings, namespace, facts))
}

/// The rules of all roles that are bound to `account`, cluster-wide or in one of these namespaces.
///
/// # Errors
/// When some of them were not surveyed yet, or cannot be read.
pub(crate) fn rules_of<'s>(account: &Account, namespaces: &[&str], facts: &Facts<'s>) -> Known<Vec<&'s Value>> {
    let places = std::iter::once(None).chain(namespaces.iter().copied().map(Some));
    let read = each(places, |place| roles_and_bindings(place, facts).all())?;
    let cluster_roles = read.first().map_or(&[][..], |(roles, _)| roles);
    let all_of_namespace = format!("system:serviceaccounts:{}", account.namespace);
    let is_its = |subject: &BoundSubject| match subject {
        BoundSubject::Account(holder) => holder == account,
        BoundSubject::Group(name) => *name == all_of_namespace || is_everybodys(name),
        BoundSubject::User(_) => false,
    };
    let mut rules = Vec::new();
    for (roles, bindings) in &read {
        for binding in bindings.iter().filter(|binding| subjects(binding).any(|subject| is_its(&subject))) {
            rules.extend(bound_role(binding, roles, cluster_roles).into_iter().flat_map(|role| role.array("/rules")));
        }
    }
    Ok(rules)
}

/// The role of a binding: a Role in its namespace, or a `ClusterRole`.
pub(crate) fn bound_role<'s>(binding: &Object, roles: &'s [Object], cluster_roles: &'s [Object]) -> Option<&'s Object> {
    let table = if binding.text("/roleRef/kind") == Some("Role") { roles } else { cluster_roles };
    let name = binding.text("/roleRef/name")?;
    table.iter().find(|role| role.name() == name)
}

/// How a rule allows writes to objects of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lets {
    /// It names the group.
    Named,
    /// It names every group.
    Everything,
}

/// Whether a rule allows writes to objects of `kind`, whatever their names.
pub(crate) fn lets_write(rule: &Value, kind: &ResourceId) -> Option<Lets> {
    let has = |field: &str, wanted: &[&str]| {
        let values = rule.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        values.into_iter().any(|value| wanted.contains(&value))
    };
    let writes = has("verbs", &["update", "patch", "*"]) && has("resources", &[&kind.plural, "*"]);
    match writes {
        true if has("apiGroups", &[&kind.group]) => Some(Lets::Named),
        true if has("apiGroups", &["*"]) => Some(Lets::Everything),
        _ => None,
    }
}

/// The first kind that a rule names and whose objects it allows to be written, in a group that is
/// `wanted`, as `plural.group`.
pub(crate) fn written_by_name(rule: &Value, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let texts = |field: &str| rule.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    texts("verbs").find(|verb| ["update", "patch", "*"].contains(verb))?;
    let group = texts("apiGroups").find(|group| wanted(group))?;
    let plural = texts("resources").find(|resource| !resource.contains(['/', '*']))?;
    Some(format!("{plural}.{group}"))
}

impl Rights {
    /// Reads the roles and bindings that apply to `resource` in `namespace`.
    pub(crate) fn read(
        resource: &ResourceId,
        namespace: Option<&str>,
        object: &str,
        facts: &Facts<'_>,
        gaps: &mut Gaps,
    ) -> Known<Self> {
        // No rule names most objects: the result for one of them then holds for all.
        let named = [None, namespace].into_iter().any(|place| is_named(object, place, facts));
        let key = format!("{}/{resource} {namespace:?} {:?}", resource.version, named.then_some(object));
        let table = facts.once(&key, || Table::read(&key, resource, namespace, object, facts))?;
        gaps.take_over(&table.gaps);
        Ok(Self(table))
    }
}

/// The resourceNames of all rules.
struct ResourceNames(HashSet<String>);

/// Whether a role in this namespace, or a `ClusterRole`, names objects of this name.
fn is_named(object: &str, namespace: Option<&str>, facts: &Facts<'_>) -> bool {
    let (plural, key) = (if namespace.is_some() { "roles" } else { "clusterroles" }, namespace.unwrap_or_default());
    let names = facts.once(key, || {
        let roles = list(plural, namespace, facts)?.iter();
        let all = roles.flat_map(|role| role.array("/rules"));
        let names = all.filter_map(|rule| rule.get("resourceNames")?.as_array()).flatten();
        Ok(ResourceNames(names.filter_map(Value::as_str).map(str::to_owned).collect()))
    });
    names.is_ok_and(|names| names.0.contains(object))
}

impl Table {
    fn read(key: &str, resource: &ResourceId, namespace: Option<&str>, object: &str, facts: &Facts<'_>) -> Known<Self> {
        let mut gaps = Gaps::default();
        let mut complete = true;
        let mut read = |known| -> Known<&[Object]> {
            let objects = gaps.pass(known)?;
            complete &= objects.is_some();
            Ok(objects.unwrap_or_default())
        };
        let tables = each(std::iter::once(None).chain(namespace.map(Some)), |place| {
            let (roles, bindings) = roles_and_bindings(place, facts);
            (read(roles), read(bindings)).all()
        })?;
        let (cluster_roles, cluster_bindings) = tables[0];
        let (roles, bindings) = tables.get(1).copied().unwrap_or_default();
        let allow = |roles: &[Object]| -> HashMap<String, Allowed> {
            let of = |role: &Object| (role.name().to_owned(), allowed(role, resource, object));
            roles.iter().map(of).filter(|(_, allowed)| allowed.write || allowed.finalizers || allowed.lists).collect()
        };
        let (cluster_roles, roles) = (allow(cluster_roles), allow(roles));
        let mut grants = Vec::new();
        for binding in cluster_bindings.iter().chain(bindings) {
            let table = if binding.text("/roleRef/kind") == Some("Role") { &roles } else { &cluster_roles };
            if let Some(allowed) = binding.text("/roleRef/name").and_then(|name| table.get(name)) {
                let everywhere = binding.metadata.namespace.is_none();
                let grant = |subject| Grant { subject, allowed: *allowed, via: via(binding), everywhere };
                grants.extend(subjects(binding).map(grant));
            }
        }
        let user = grants.iter().filter(|grant| grant.allowed.named).find_map(|grant| match &grant.subject {
            BoundSubject::User(name) if !name.starts_with("system:") => Some(name.clone()),
            _ => None,
        });
        let holders = holders(&grants);
        let place = holders.iter().enumerate().map(|(at, holder)| (holder.account.clone(), at)).collect();
        Ok(Self { key: key.to_owned(), grants, holders, place, user, complete, gaps })
    }

    /// Whether the roles that were read allow `account` to write.
    pub(crate) fn may_write(&self, account: &Account) -> bool {
        let all_of_namespace = format!("system:serviceaccounts:{}", account.namespace);
        self.grants.iter().filter(|grant| grant.allowed.write).any(|grant| match &grant.subject {
            BoundSubject::Account(holder) => holder == account,
            BoundSubject::Group(name) => *name == all_of_namespace || is_everybodys(name),
            BoundSubject::User(_) => false,
        })
    }

    /// Whether a rule that names the kind allows `account` to list it.
    pub(crate) fn may_list(&self, account: &Account) -> bool {
        let is_it = |subject: &BoundSubject| matches!(subject, BoundSubject::Account(holder) if holder == account);
        self.grants.iter().any(|grant| grant.allowed.lists && is_it(&grant.subject))
    }

    /// The accounts that may list the kind by a rule that names it, and may not write it.
    pub(crate) fn listers(&self) -> BTreeSet<&Account> {
        let lists = self.grants.iter().filter(|grant| grant.allowed.lists);
        let accounts = lists.filter_map(|grant| match &grant.subject {
            BoundSubject::Account(account) => Some(account),
            BoundSubject::Group(_) | BoundSubject::User(_) => None,
        });
        accounts.filter(|account| !self.may_write(account)).collect()
    }

    /// Whether a `ClusterRoleBinding` gives `account` a role that names the kind and allows writes to
    /// it.
    pub(crate) fn is_bound_everywhere(&self, account: &Account) -> bool {
        let is_it = |grant: &&Grant| matches!(&grant.subject, BoundSubject::Account(holder) if holder == account);
        self.grants.iter().filter(is_it).any(|grant| grant.everywhere && grant.allowed.named)
    }

    /// The accounts of products that may write the kind because they may write everything. Bindings of
    /// Kubernetes itself, whose names begin with `system:`, are left out.
    pub(crate) fn bound_to_everything(&self) -> Vec<&Account> {
        let products =
            self.grants.iter().filter(|grant| grant.everywhere && grant.allowed.write && !grant.allowed.named);
        let accounts = products.filter_map(|grant| match &grant.subject {
            BoundSubject::Account(account) if !grant.via.contains(" system:") => Some(account),
            _ => None,
        });
        accounts.collect()
    }

    /// The entry of `account`, if a rule names the kind for it.
    pub(crate) fn holder(&self, account: &Account) -> Option<&Holder> {
        self.place.get(account).map(|at| &self.holders[*at])
    }
}

fn holders(grants: &[Grant]) -> Vec<Holder> {
    let mut holders: Vec<Holder> = Vec::new();
    let mut place: HashMap<&Account, usize> = HashMap::new();
    for grant in grants.iter().filter(|grant| grant.allowed.named) {
        let BoundSubject::Account(account) = &grant.subject else { continue };
        if let Some(at) = place.get(account) {
            holders[*at].finalizers |= grant.allowed.finalizers;
        } else {
            place.insert(account, holders.len());
            let (finalizers, via) = (grant.allowed.finalizers, grant.via.clone());
            holders.push(Holder { account: account.clone(), finalizers, via });
        }
    }
    holders.sort_by_key(|holder| !holder.finalizers);
    holders
}

/// Whether it is one of the roles that every API server creates.
pub(crate) fn is_of_kubernetes(role: &Object) -> bool {
    role.metadata.labels.contains_key(BOOTSTRAPPING)
}

/// Whether a rule of a product's own role names a kind, and not only a subresource.
pub(crate) fn names_kind(role: &Object, kind: &ResourceId) -> bool {
    let has = |rule: &Value, field: &str, wanted: &str| {
        rule.get(field).and_then(Value::as_array).is_some_and(|values| values.iter().any(|value| value == wanted))
    };
    let names = |rule: &Value| has(rule, "apiGroups", &kind.group) && has(rule, "resources", &kind.plural);
    !is_of_kubernetes(role) && role.array("/rules").iter().any(names)
}

/// Whether a role allows writes to the status or the finalizers of a kind, which controllers need and
/// people do not.
pub(crate) fn lets_write_parts(role: &Object, kind: &ResourceId) -> bool {
    let parts = ["status", "finalizers"].map(|part| format!("{}/{part}", kind.plural));
    let holds = |rule: &Value, field: &str, wanted: &[&str]| {
        let values = rule.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        values.into_iter().any(|value| wanted.contains(&value))
    };
    role.array("/rules").iter().any(|rule| {
        holds(rule, "apiGroups", &[&kind.group])
            && holds(rule, "verbs", &["update", "patch", "*"])
            && holds(rule, "resources", &[&parts[0], &parts[1]])
    })
}

/// Whether a role names the kind of `seen` and lets its holders write `seen`.
pub(crate) fn lets_write_by_name(role: &Object, seen: Seen<'_>) -> bool {
    let allowed = allowed(role, &seen.resource.id, seen.object.name());
    allowed.write && allowed.named
}

/// Whether a product's own role lets its holders write `seen`.
pub(crate) fn lets_write_it(role: &Object, seen: Seen<'_>) -> bool {
    !is_of_kubernetes(role) && allowed(role, &seen.resource.id, seen.object.name()).write
}

fn via(binding: &Object) -> String {
    match &binding.metadata.namespace {
        Some(namespace) => format!("RoleBinding {namespace}/{}", binding.name()),
        None => format!("ClusterRoleBinding {}", binding.name()),
    }
}

fn allowed(role: &Object, resource: &ResourceId, object: &str) -> Allowed {
    let mut all = Allowed::default();
    let own = !is_of_kubernetes(role);
    for rule in role.array("/rules") {
        let values = |field: &str| -> Vec<&str> {
            rule.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
        };
        let verbs = values("verbs");
        let names = values("resourceNames");
        let groups = values("apiGroups");
        let writes = verbs.iter().any(|verb| ["update", "patch", "*"].contains(verb));
        let of_group = groups.iter().any(|group| *group == resource.group || *group == "*");
        let resources = values("resources");
        let lists = verbs.iter().any(|verb| ["list", "watch"].contains(verb));
        let itself = resources.contains(&resource.plural.as_str());
        all.lists |= own && lists && itself && groups.contains(&resource.group.as_str());
        if !writes || !of_group || !(names.is_empty() || names.contains(&object)) {
            continue;
        }
        let finalizers = resources.contains(&format!("{}/finalizers", resource.plural).as_str());
        let whole_group = resources.contains(&"*");
        let group_named = groups.contains(&resource.group.as_str());
        all.write |= itself || whole_group;
        // Every role names kinds of the core group: only the kind itself counts there.
        let telling = group_named && (itself || finalizers || (whole_group && !resource.group.is_empty()));
        all.named |= own && telling;
        all.finalizers |= own && group_named && finalizers;
    }
    all
}

/// The service account of a workload's pods.
pub(crate) fn account_of(workload: &Object) -> Account {
    let name = workload.text("/spec/template/spec/serviceAccountName").filter(|name| !name.is_empty());
    Account {
        namespace: workload.metadata.namespace.as_deref().unwrap_or_default().to_owned(),
        name: name.unwrap_or("default").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn role(rules: &Value) -> Object {
        serde_json::from_value(json!({"metadata": {"name": "r"}, "rules": rules})).unwrap()
    }

    fn on_widgets(rules: &Value) -> Allowed {
        allowed(&role(rules), &ResourceId::new("acme.io", "v1", "widgets"), "w")
    }

    #[test]
    fn rules_are_read_as_the_authorizer_reads_them() {
        let write = |rules: Value| on_widgets(&rules).write;
        assert!(write(json!([{"apiGroups": ["acme.io"], "resources": ["widgets"], "verbs": ["patch"]}])));
        assert!(write(json!([{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}])));
        assert!(!write(json!([{"apiGroups": ["acme.io"], "resources": ["widgets"], "verbs": ["get", "delete"]}])));
        assert!(!write(json!([{"apiGroups": ["acme.io"], "resources": ["widgets/status"], "verbs": ["update"]}])));
        assert!(!write(json!([{"apiGroups": [""], "resources": ["widgets"], "verbs": ["update"]}])));
        let named = |name| json!([{"apiGroups": ["acme.io"], "resources": ["widgets"], "resourceNames": [name], "verbs": ["update"]}]);
        assert!(write(named("w")) && !write(named("x")));
    }

    #[test]
    fn a_kind_that_a_rule_names_need_not_be_served() {
        let written = |rule: Value| written_by_name(&rule, |group| group == "other.io");
        let rule = |group: &str, resource: &str, verb: &str| json!({"apiGroups": [group], "resources": [resource], "verbs": [verb]});
        assert_eq!(written(rule("other.io", "gadgets", "update")).as_deref(), Some("gadgets.other.io"));
        assert_eq!(written(rule("other.io", "gadgets", "list")), None);
        assert_eq!(written(rule("other.io", "gadgets/status", "update")), None, "not the objects themselves");
        assert_eq!(written(rule("*", "*", "*")), None, "it names none");
    }

    #[test]
    fn a_wildcard_does_not_name_the_kind() {
        assert!(!on_widgets(&json!([{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}])).named);
        assert!(on_widgets(&json!([{"apiGroups": ["acme.io"], "resources": ["*"], "verbs": ["*"]}])).named);
        let finalizers = json!([{"apiGroups": ["acme.io"], "resources": ["widgets/finalizers"], "verbs": ["update"]}]);
        let allowed = on_widgets(&finalizers);
        assert!(allowed.finalizers && allowed.named && !allowed.write);
    }

    #[test]
    fn list_only_accounts_are_no_owners() {
        let reads = json!([{"apiGroups": ["acme.io"], "resources": ["widgets"], "verbs": ["get", "list", "watch"]}]);
        let allowed = on_widgets(&reads);
        assert!(allowed.lists && !allowed.named && !allowed.write);
        let all = json!([{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]);
        assert!(!on_widgets(&all).lists, "the kind is not written out");
    }

    #[test]
    fn built_in_roles_name_nobody() {
        let rules = json!([{"apiGroups": ["acme.io"], "resources": ["widgets"], "verbs": ["update"]}]);
        let mut edit = role(&rules);
        edit.metadata.labels.insert(BOOTSTRAPPING.into(), "rbac-defaults".into());
        let allowed = allowed(&edit, &ResourceId::new("acme.io", "v1", "widgets"), "w");
        assert!(allowed.write && !allowed.named);
    }

    #[test]
    fn groups_of_service_accounts_are_understood() {
        let grant = |name: &str| Table {
            key: String::new(),
            grants: vec![Grant {
                subject: BoundSubject::Group(name.into()),
                allowed: Allowed { write: true, ..Allowed::default() },
                via: String::new(),
                everywhere: true,
            }],
            holders: vec![],
            place: HashMap::new(),
            user: None,
            complete: true,
            gaps: Gaps::default(),
        };
        let account = Account { namespace: "ops".into(), name: "a".into() };
        assert!(grant("system:serviceaccounts:ops").may_write(&account));
        assert!(grant("system:authenticated").may_write(&account));
        assert!(!grant("system:serviceaccounts:other").may_write(&account));
        assert!(!grant("system:masters").may_write(&account));
    }
}
