//! The accounts that may write objects of a kind, and the bindings that allow it, according to RBAC.
//! A controller without this permission cannot remove a finalizer; one with it is a candidate.
//!
//! The permissions of other authorizers are not visible here
//! (<https://kubernetes.io/docs/reference/access-authn-authz/rbac/>).

use crate::facts::{All, Facts, Known, Readable, each};
use crate::kubernetes::admission::strings;
use crate::kubernetes::finalizers::gaps::Gaps;
pub use crate::kubernetes::ownership::subjects::Account;
pub(crate) use crate::kubernetes::ownership::subjects::names;
use crate::kubernetes::ownership::subjects::{BoundSubject, subjects};
use crate::survey::{Form, Object, ResourceId, Seen};
use indexmap::IndexMap;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

pub(crate) const RBAC: &str = "rbac.authorization.k8s.io";
/// The label of the roles that every API server creates: their rules do not show who owns a kind,
/// since products aggregate their own rules into them.
const BOOTSTRAPPING: &str = "kubernetes.io/bootstrapping";
/// The verbs that allow changes to an object.
const WRITES: [&str; 3] = ["update", "patch", "*"];

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
    /// `list` or `watch` in a rule that names the kind. Every controller of the kind needs these
    /// verbs.
    lists: bool,
}

/// The permissions on objects of one kind: the roles and bindings for it, evaluated once for all
/// objects that the same rules match.
#[derive(Debug)]
pub(crate) struct Rights {
    /// The kind and place that they were read for.
    pub(crate) key: String,
    grants: Vec<Grant>,
    /// The accounts for which a rule names the kind, strongest evidence first.
    pub(crate) holders: IndexMap<Account, Holder>,
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
    /// Whether the binding is a `ClusterRoleBinding`.
    everywhere: bool,
    /// Whether the binding is one of Kubernetes itself: their names begin with `system:`.
    by_kubernetes: bool,
}

/// The permission of an account for which a rule names the kind.
#[derive(Debug)]
pub(crate) struct Holder {
    /// A rule names the `finalizers` subresource.
    finalizers: bool,
    /// The binding.
    pub(crate) via: String,
}

impl Holder {
    /// The weight of the permission as evidence.
    pub(crate) fn weight(&self) -> i64 {
        if self.finalizers { 4 } else { 3 }
    }

    /// The evidence that `account` has the permission.
    pub(crate) fn text(&self, account: &Account) -> String {
        format!("RBAC: ServiceAccount {account} may write this kind ({})", self.via)
    }
}

/// A list of roles or bindings; empty if the server has no RBAC.
fn list<'s>(plural: &str, namespace: Option<&str>, facts: &Facts<'s>) -> Known<&'s [Object]> {
    facts.preferred(RBAC, plural).map_or(Ok(&[][..]), |kind| facts.list(&kind.id, namespace, Form::Whole))
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

/// The roles and bindings of the cluster, and those of a namespace.
pub(crate) fn in_cluster_and<'s>(
    namespace: Option<&str>,
    facts: &Facts<'s>,
) -> Known<[(&'s [Object], &'s [Object]); 2]> {
    let local = namespace.map(|name| roles_and_bindings(Some(name), facts).all()).transpose();
    let (cluster, local) = (roles_and_bindings(None, facts).all(), local).all()?;
    Ok([cluster, local.unwrap_or_default()])
}

/// The rules of all roles that are bound to `account`, cluster-wide or in one of these namespaces.
pub(crate) fn rules_of<'s>(account: &Account, namespaces: &[&str], facts: &Facts<'s>) -> Known<Vec<&'s Value>> {
    rules_for(|subject| subject.includes(account), namespaces, facts)
}

/// The rules of all roles that are bound to a subject of which `is_it` holds.
fn rules_for<'s>(
    is_it: impl Fn(&BoundSubject) -> bool,
    namespaces: &[&str],
    facts: &Facts<'s>,
) -> Known<Vec<&'s Value>> {
    let places = std::iter::once(None).chain(namespaces.iter().copied().map(Some));
    let read = each(places, |place| roles_and_bindings(place, facts).all())?;
    let cluster_roles = read.first().map_or(&[][..], |(roles, _)| roles);
    let mut rules = Vec::new();
    for (roles, bindings) in &read {
        for binding in bindings.iter().filter(|binding| subjects(binding).any(|subject| is_it(&subject))) {
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

/// Whether RBAC lets this account delete an object.
pub(crate) fn may_delete(account: &Account, seen: Seen<'_>, facts: &Facts<'_>) -> Known<bool> {
    lets_delete(|subject| subject.includes(account), seen, facts)
}

/// Whether RBAC lets a `ServiceAccount` of this namespace delete an object in another place. If it does,
/// whoever may write in the namespace can run a pod as that account, and delete the object. If roles or
/// bindings cannot be read, nothing says so.
pub(crate) fn may_delete_from(namespace: &str, seen: Seen<'_>, facts: &Facts<'_>) -> Known<bool> {
    Ok(lets_delete(|subject| subject.is_of(namespace), seen, facts).if_readable()?.unwrap_or_default())
}

fn lets_delete(is_it: impl Fn(&BoundSubject) -> bool, seen: Seen<'_>, facts: &Facts<'_>) -> Known<bool> {
    let lets = |rule: &Value| {
        let (id, mut names) = (&seen.resource.id, strings(rule, "resourceNames").peekable());
        has(rule, "verbs", &["delete", "*"])
            && has(rule, "resources", &[&id.plural, "*"])
            && has(rule, "apiGroups", &[&id.group, "*"])
            && (names.peek().is_none() || names.any(|name| name == seen.object.name()))
    };
    let places: Vec<&str> = seen.object.metadata.namespace.as_deref().into_iter().collect();
    Ok(rules_for(is_it, &places, facts)?.into_iter().any(lets))
}

/// How a rule allows writes to objects of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lets {
    /// The rule names the group.
    Named,
    /// The rule is for every group.
    Everything,
}

/// Whether a list of a rule contains one of `wanted`.
fn has(rule: &Value, field: &str, wanted: &[&str]) -> bool {
    strings(rule, field).any(|word| wanted.contains(&word))
}

/// Whether a rule allows writes to objects of `kind`, whatever their names.
pub(crate) fn lets_write(rule: &Value, kind: &ResourceId) -> Option<Lets> {
    match has(rule, "verbs", &WRITES) && has(rule, "resources", &[&kind.plural, "*"]) {
        true if has(rule, "apiGroups", &[&kind.group]) => Some(Lets::Named),
        true if has(rule, "apiGroups", &["*"]) => Some(Lets::Everything),
        _ => None,
    }
}

/// The first kind that a rule names and allows to be written, as `plural.group`. The group must be
/// `wanted`.
pub(crate) fn written_by_name(rule: &Value, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let group = strings(rule, "apiGroups").find(|group| wanted(group))?;
    let plural = strings(rule, "resources").find(|resource| !resource.contains(['/', '*']))?;
    has(rule, "verbs", &WRITES).then(|| format!("{plural}.{group}"))
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

impl Rights {
    /// Reads the roles and bindings that apply to `resource` in `namespace`.
    pub(crate) fn read(
        resource: &ResourceId,
        namespace: Option<&str>,
        object: &str,
        facts: &Facts<'_>,
        gaps: &Gaps,
    ) -> Known<Rc<Self>> {
        // No rule names most objects: the result for one of them then holds for all.
        let named = [None, namespace].into_iter().any(|place| is_named(object, place, facts));
        let key = format!("{}/{resource} {namespace:?} {:?}", resource.version, named.then_some(object));
        let rights = facts.once(&key, || Self::evaluate(&key, resource, namespace, object, facts))?;
        gaps.take_over(&rights.gaps);
        Ok(rights)
    }

    fn evaluate(
        key: &str,
        resource: &ResourceId,
        namespace: Option<&str>,
        object: &str,
        facts: &Facts<'_>,
    ) -> Known<Self> {
        let gaps = Gaps::default();
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
                let by_kubernetes = binding.name().starts_with("system:");
                let grant =
                    |subject| Grant { subject, allowed: *allowed, via: via(binding), everywhere, by_kubernetes };
                grants.extend(subjects(binding).map(grant));
            }
        }
        let user = grants.iter().filter(|grant| grant.allowed.named).find_map(|grant| grant.subject.user());
        let (user, holders) = (user.map(ToOwned::to_owned), holders(&grants));
        Ok(Self { key: key.to_owned(), grants, holders, user, complete, gaps })
    }

    /// Whether the roles that were read allow `account` to write.
    pub(crate) fn may_write(&self, account: &Account) -> bool {
        self.grants.iter().any(|grant| grant.allowed.write && grant.subject.includes(account))
    }

    /// Whether a rule that names the kind allows `account` to list it.
    pub(crate) fn may_list(&self, account: &Account) -> bool {
        self.grants.iter().any(|grant| grant.allowed.lists && grant.subject.account() == Some(account))
    }

    /// The accounts that may list the kind by a rule that names it, and may not write it.
    pub(crate) fn listers(&self) -> BTreeSet<&Account> {
        let lists = self.grants.iter().filter(|grant| grant.allowed.lists);
        lists.filter_map(|grant| grant.subject.account()).filter(|account| !self.may_write(account)).collect()
    }

    /// Whether a `ClusterRoleBinding` gives `account` a role that names the kind and allows writes to
    /// it.
    pub(crate) fn is_bound_everywhere(&self, account: &Account) -> bool {
        let gives_it = |grant: &Grant| grant.everywhere && grant.allowed.named;
        self.grants.iter().any(|grant| gives_it(grant) && grant.subject.account() == Some(account))
    }

    /// The accounts of products that may write the kind because they may write everything. Bindings of
    /// Kubernetes itself are left out.
    pub(crate) fn bound_to_everything(&self) -> impl Iterator<Item = &Account> {
        let all = self.grants.iter().filter(|grant| grant.everywhere && grant.allowed.write && !grant.allowed.named);
        all.filter(|grant| !grant.by_kubernetes).filter_map(|grant| grant.subject.account())
    }
}

fn holders(grants: &[Grant]) -> IndexMap<Account, Holder> {
    let mut holders: IndexMap<Account, Holder> = IndexMap::new();
    for Grant { subject, allowed, via, .. } in grants.iter().filter(|grant| grant.allowed.named) {
        let Some(account) = subject.account() else { continue };
        let new = || Holder { finalizers: false, via: via.clone() };
        holders.entry(account.clone()).or_insert_with(new).finalizers |= allowed.finalizers;
    }
    holders.sort_by(|_, one, _, other| other.finalizers.cmp(&one.finalizers));
    holders
}

/// Whether a role is one of those that every API server creates.
pub(crate) fn is_of_kubernetes(role: &Object) -> bool {
    role.metadata.labels.contains_key(BOOTSTRAPPING)
}

/// Whether a rule of a product's own role names a kind, and not only a subresource.
pub(crate) fn names_kind(role: &Object, kind: &ResourceId) -> bool {
    let names = |rule: &Value| has(rule, "apiGroups", &[&kind.group]) && has(rule, "resources", &[&kind.plural]);
    !is_of_kubernetes(role) && role.array("/rules").iter().any(names)
}

/// Whether a role allows writes to the status or the finalizers of a kind, which controllers need and
/// people do not.
pub(crate) fn lets_write_parts(role: &Object, kind: &ResourceId) -> bool {
    let parts = ["status", "finalizers"].map(|part| format!("{}/{part}", kind.plural));
    role.array("/rules").iter().any(|rule| {
        has(rule, "apiGroups", &[&kind.group])
            && has(rule, "verbs", &WRITES)
            && has(rule, "resources", &[&parts[0], &parts[1]])
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
        let has = |field: &str, wanted: &[&str]| has(rule, field, wanted);
        let itself = has("resources", &[&resource.plural]);
        let group_named = has("apiGroups", &[&resource.group]);
        all.lists |= own && itself && group_named && has("verbs", &["list", "watch"]);
        let of_group = group_named || has("apiGroups", &["*"]);
        let of_object = strings(rule, "resourceNames").next().is_none() || has("resourceNames", &[object]);
        if !has("verbs", &WRITES) || !of_group || !of_object {
            continue;
        }
        let finalizers = has("resources", &[&format!("{}/finalizers", resource.plural)]);
        let whole_group = has("resources", &["*"]);
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
        let grant = |name: &str| Rights {
            key: String::new(),
            grants: vec![Grant {
                subject: BoundSubject::Group(name.into()),
                allowed: Allowed { write: true, ..Allowed::default() },
                via: String::new(),
                everywhere: true,
                by_kubernetes: false,
            }],
            holders: IndexMap::new(),
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
