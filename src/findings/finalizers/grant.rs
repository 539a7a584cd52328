//! The way out where a controller has lost its rights: who is to get which again, on what, and
//! where. It is a command only where something names the account that somebody needs rights in
//! the whole cluster to write, and where the rights are power over nothing but the product's
//! own objects. Otherwise it would be a stranger who makes an administrator give them away.

use crate::facts::Facts;
use crate::kubernetes::namespaces::takes_nothing_new;
use crate::kubernetes::ownership::lost_rights::LostRights;
use crate::kubernetes::ownership::power;
use crate::plan::quote;
use crate::plugin::PLUGIN;
use crate::report::{Ref, Remedy, Sentence};
use crate::survey::ResourceId;

/// What a controller needs to take a finalizer off.
const VERBS: &str = "get,list,watch,update,patch";

impl LostRights {
    /// The object that names the account as the product's, and what it is.
    pub(crate) fn evidence(&self) -> String {
        let account = self.account();
        match &self.named_by {
            Some(voucher) => format!("{voucher} names {account}, and takes rights in the whole cluster to write"),
            None => {
                format!("no ClusterRoleBinding, webhook or API of the product names {account}: it may be anybody's")
            }
        }
    }

    /// Whether something names the account as the product's that not everybody can write.
    pub(crate) fn is_named(&self) -> bool {
        self.named_by.is_some()
    }

    fn account(&self) -> String {
        format!("ServiceAccount {}", self.account.replacen(':', "/", 1))
    }

    /// What the rights on `kind` would be power over, themselves or by the role that holds them.
    fn power(&self, kind: &ResourceId) -> Vec<&'static str> {
        let roles = self.roles.iter().flat_map(|role| role.power.iter().copied());
        let mut all: Vec<&str> = power::over(kind).into_iter().chain(roles).collect();
        let mut known = Vec::new();
        all.retain(|what| {
            !known.contains(what) && {
                known.push(*what);
                true
            }
        });
        all
    }

    /// The way out for `object`, whose controller then does its `clean_up`; `when` says before
    /// what, if that matters.
    pub(crate) fn remedy(&self, object: &Ref, workload: &Ref, clean_up: &str, when: &str, facts: &Facts<'_>) -> Remedy {
        let kind = object.target().resource;
        let local = object.namespace.as_ref().filter(|namespace| !takes_nothing_new(namespace, facts));
        let place = |namespace: Option<&String>| {
            namespace.map_or_else(|| "in all namespaces".to_owned(), |name| format!("in namespace {name}"))
        };
        let (account, resource) = (self.account(), kind.to_string());
        let power = self.power(&kind);
        let Some(voucher) = self.named_by.as_ref().filter(|_| power.is_empty()) else {
            let gets = format!("{account} may then update {resource} {}", place(object.namespace.as_ref()));
            return Remedy::manual(self.by_hand(workload, &resource, when), self.warning(&gets, &power, clean_up));
        };
        let rights = VERBS.replace(',', ", ");
        let consequence = format!("{account}, which {voucher} names, may then {rights} {resource} {}", place(local));
        Remedy::manual(
            command(&self.account, &resource, local.map(String::as_str), when),
            format!("{consequence}; {clean_up}"),
        )
    }

    /// What a person does who knows where the product comes from.
    fn by_hand(&self, workload: &Ref, resource: &str, when: &str) -> String {
        let account = self.account();
        let what = match &self.roles[..] {
            [] => format!("it gives {account} the right to update {resource}"),
            [role, ..] => format!("it gives {} to {account}", role.name),
        };
        let again = format!("apply the product's own RBAC again{when}, from its chart or manifests: {what}");
        if self.named_by.is_some() {
            return again;
        }
        format!("make sure that {workload} is the product's own, and then {again}")
    }

    fn warning(&self, gets: &str, power: &[&str], clean_up: &str) -> String {
        let power = if power.is_empty() { String::new() } else { format!("; that includes {}", power.join(", ")) };
        let stranger = match &self.named_by {
            Some(_) => String::new(),
            None => {
                "; names, labels and leases do not show whose it is: whoever may write in its namespace can set them"
                    .to_owned()
            }
        };
        format!("{gets}{power}{stranger}; {clean_up}")
    }
}

/// The binding to restore, as a command. Nothing can be created in a namespace
/// that is being deleted, so there it is cluster-wide and for a while.
fn command(account: &str, resource: &str, local: Option<&str>, when: &str) -> Sentence {
    let name = format!("{PLUGIN}-{}", resource.replace('.', "-"));
    let role = format!("kubectl create clusterrole {name} --verb={VERBS} --resource={}", quote(resource));
    let account = quote(account);
    match local {
        Some(namespace) => Sentence::from(format!("give it the right again{when}")).by(format_args!(
            "{role} && kubectl create rolebinding {name} -n {} --clusterrole={name} --serviceaccount={account}",
            quote(namespace)
        )),
        None => Sentence::from(format!("give it the right for a while{when}")).by(format_args!(
            "{role} && kubectl create clusterrolebinding {name} --clusterrole={name} --serviceaccount={account}; delete both afterwards"
        )),
    }
}
