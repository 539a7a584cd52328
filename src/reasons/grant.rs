//! The remedy for a controller that has lost its permissions: which account must get which permissions
//! again, for which resource and where. The remedy is a command only if an object that takes cluster-wide
//! permissions to write names the account, and if the permissions give power over nothing but the product's
//! own objects. Otherwise a stranger could trick an administrator into giving away permissions.

use crate::facts::Facts;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::namespaces::takes_nothing_new;
use crate::kubernetes::ownership::lost_rights::{Lack, LeftOver, LostRights};
use crate::kubernetes::ownership::power;
use crate::plan::{self, quote};
use crate::plugin::PLUGIN;
use crate::report::{Ref, Remedy, Sentence};
use crate::survey::ResourceId;
use indexmap::IndexSet;
use serde_json::json;

/// The permissions that a controller needs on the objects that it releases.
const VERBS: &str = "get,list,watch,update,patch";

impl LostRights {
    /// The object that names the account as the product's, as a text.
    pub(crate) fn evidence(&self) -> String {
        let account = self.account();
        match &self.named_by {
            Some(voucher) => format!("{voucher} names {account}, and writing it needs cluster-wide permissions"),
            None => {
                format!(
                    "no ClusterRoleBinding, webhook or API of the product names {account}, so it may belong to anybody"
                )
            }
        }
    }

    /// The text about the role that is bound to the account and no longer contains the permission.
    pub(crate) fn narrowed(&self) -> Option<String> {
        let role = self.narrowed.first()?;
        let (verbs, kind) = (self.lack.verbs(), &self.lack.kind);
        let on = if self.lack.is_writing() { String::new() } else { format!(" {}", self.lack.on()) };
        Some(format!("{} names {kind} but does not let {} {verbs}{on}", role.called(), self.account()))
    }

    /// The missing permission, as the end of a sentence.
    pub(crate) fn without(&self) -> String {
        if self.lack.is_writing() {
            return " runs, but has no permission to update it".into();
        }
        format!(" runs, but has no permission to {}", self.lack.words())
    }

    /// Whether the account is named as the product's by an object that not everybody can write.
    pub(crate) fn is_named(&self) -> bool {
        self.named_by.is_some()
    }

    fn account(&self) -> String {
        format!("ServiceAccount {}", self.account.replacen(':', "/", 1))
    }

    /// The power that the permissions on `kind` and the missing permission include, by themselves or through the
    /// roles that contain them.
    fn power(&self, kind: &ResourceId) -> Vec<&'static str> {
        let roles = self.roles.iter().chain(&self.narrowed).flat_map(|role| role.power.iter().copied());
        let all = power::over(kind).into_iter().chain(roles).chain(power::over(&self.lack.kind));
        all.collect::<IndexSet<_>>().into_iter().collect()
    }

    /// The remedy for `object`, after which the controller does its `clean_up`. `when` is empty, or says before what
    /// the permissions must be back.
    pub(crate) fn remedy(&self, object: &Ref, workload: &Ref, clean_up: &str, when: &str, facts: &Facts<'_>) -> Remedy {
        let kind = object.target().resource;
        let local = object.namespace.as_ref().filter(|namespace| !takes_nothing_new(namespace, facts));
        let place = |namespace: Option<&String>| {
            namespace.map_or_else(|| "in all namespaces".to_owned(), |name| format!("in namespace {name}"))
        };
        let (account, resource) = (self.account(), kind.to_string());
        let power = self.power(&kind);
        let Some(voucher) = self.named_by.as_ref().filter(|_| power.is_empty()) else {
            let verbs = if self.lack.is_writing() { "update".to_owned() } else { self.lack.verbs() };
            let on = if self.lack.is_writing() { resource.clone() } else { self.lack.on() };
            let gets = format!("{account} may then {verbs} {on} {}", place(object.namespace.as_ref()));
            return Remedy::manual(self.by_hand(workload, &resource, when), self.warning(&gets, &power, clean_up));
        };
        let named = format!("{account}, which {voucher} names, may then");
        if let Some(role) = self.roles.first().and_then(LeftOver::unbound_cluster_role) {
            let consequence =
                format!("{named} do everything that ClusterRole {role} allows, {}; {clean_up}", place(None));
            return Remedy::manual(bind(&self.account, role, when), consequence);
        }
        if let Some(role) = self.narrowed.first().and_then(LeftOver::cluster_role) {
            let consequence = format!("{named} {}; {clean_up}", self.lack.words());
            return Remedy::manual(put_back(role, &self.lack, when), consequence);
        }
        let rights = VERBS.replace(',', ", ");
        let consequence = format!("{named} {rights} {resource} {}", place(local));
        Remedy::manual(
            command(&self.account, &kind, local.map(String::as_str), when),
            format!("{consequence}; {clean_up}"),
        )
    }

    /// The advice to a person who knows the origin of the product. That nobody vouches for the account is said first:
    /// the rest of the line reads like an instruction.
    fn by_hand(&self, workload: &Ref, resource: &str, when: &str) -> String {
        let account = self.account();
        let what = match (&self.roles[..], &self.narrowed[..]) {
            ([role, ..], _) if role.is_unbound => {
                format!("it binds {}, which has no binding, to {account}", role.called())
            }
            (_, [role, ..]) => {
                format!("it allows {}, which {account} is bound to, to {}", role.called(), self.lack.words())
            }
            (_, []) if !self.lack.is_writing() => {
                format!("it allows {account} to {}", self.lack.words())
            }
            ([], _) => format!("it allows {account} to update {resource}"),
            ([role, ..], _) => format!("it binds {} to {account}", role.called()),
        };
        let again = format!("apply the product's own RBAC again{when}, from its chart or manifests: {what}");
        if self.named_by.is_some() {
            return again;
        }
        format!(
            "nothing proves that {account} belongs to the product: make sure that {workload} does, and only then \
            {again}"
        )
    }

    fn warning(&self, gets: &str, power: &[&str], clean_up: &str) -> String {
        let power = if power.is_empty() { String::new() } else { format!("; that includes {}", power.join(", ")) };
        let stranger = match &self.named_by {
            Some(_) => String::new(),
            None => {
                "; names, labels and leases do not prove who owns that account: anybody with write access to its namespace can \
                set them"
                    .to_owned()
            }
        };
        format!("{gets}{power}{stranger}; {clean_up}")
    }
}

impl LeftOver {
    /// `ClusterRole acme-operator`
    fn called(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("Role {namespace}/{}", self.name),
            None => format!("ClusterRole {}", self.name),
        }
    }

    /// Its name, if it is a `ClusterRole`.
    fn cluster_role(&self) -> Option<&str> {
        self.namespace.is_none().then_some(self.name.as_str())
    }

    /// Its name, if it is a `ClusterRole` without a binding.
    fn unbound_cluster_role(&self) -> Option<&str> {
        self.cluster_role().filter(|_| self.is_unbound)
    }
}

/// The remedy to bind a role that still exists.
fn bind(account: &str, role: &str, when: &str) -> Sentence {
    Sentence::from(format!("bind it to its ClusterRole again{when}")).by(format_args!(
        "kubectl create clusterrolebinding {role} --clusterrole={role} --serviceaccount={}",
        quote(account),
        role = quote(role)
    ))
}

/// The remedy to restore the rule that a role has lost: the next clean-up needs it, too.
fn put_back(role: &str, lack: &Lack, when: &str) -> Sentence {
    let regained = json!({"apiGroups": [lack.kind.group], "resources": [lack.resource], "verbs": lack.verbs});
    let patch = json!([{"op": "add", "path": "/rules/-", "value": regained}]);
    Sentence::from(format!("add the permission to its ClusterRole again{when}"))
        .by(plan::patch(&format!("clusterrole {}", quote(role)), &patch))
}

/// The permissions to restore, as a command. Nothing can be created in a namespace that is being deleted, so
/// there they are cluster-wide and temporary. A product's own kind has subresources, for which its controller
/// needs separate permissions
/// (<https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#status-subresource>).
fn command(account: &str, kind: &ResourceId, local: Option<&str>, when: &str) -> Sentence {
    let resource = kind.to_string();
    let name = format!("{PLUGIN}-{}", resource.replace('.', "-"));
    let parts =
        if is_custom(&kind.group) { format!(",{resource}/status,{resource}/finalizers") } else { String::new() };
    let role = format!("kubectl create clusterrole {name} --verb={VERBS} --resource={}", quote(&(resource + &parts)));
    let account = quote(account);
    match local {
        Some(namespace) => Sentence::from(format!("grant the permission again{when}")).by(format_args!(
            "{role} && kubectl create rolebinding {name} -n {} --clusterrole={name} --serviceaccount={account}",
            quote(namespace)
        )),
        None => Sentence::from(format!("grant the permission for a while{when}"))
            .by(format_args!(
                "{role} && kubectl create clusterrolebinding {name} --clusterrole={name} --serviceaccount={account}"
            ))
            .aside("delete both afterwards"),
    }
}
