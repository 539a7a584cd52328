//! Troubles that a running controller would meet in its work after a deletion, each with the way to
//! avoid it.

use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::mentions::followers;
use crate::kubernetes::progress::unwell::Flaw;
use crate::kubernetes::progress::{Explanation, Judgement, Tenant};
use crate::needs::{Mood, World};
use crate::plan::full_name;
use crate::reasons::{dangling_reference, in_use, kinds, reported, which};
use crate::report::{Ref, Remedy, Sentence, and_more};

/// A trouble that a controller would meet.
pub(crate) struct Encounter {
    /// The name of the reason.
    pub(crate) reason: &'static str,
    pub(crate) because: Sentence,
    /// Whether it is known to matter to the clean-up.
    pub(crate) mood: Mood,
    /// The object that would be waited for.
    pub(crate) waits_for: Option<Ref>,
    /// The remedy before the deletion.
    pub(crate) remedy: Remedy,
}

/// The trouble that `name`, which runs, would meet when it releases `held`.
pub(crate) fn trouble(
    found: &Judgement<'_>,
    name: Sentence,
    held: &HeldObjects<'_>,
    world: &World<'_>,
) -> Option<Encounter> {
    let reason = which::name_of(found);
    let certain = |because: Sentence, on: Option<Ref>, remedy| {
        Some(Encounter { reason, because, mood: Mood::Would, waits_for: on, remedy })
    };
    match &found.why {
        Explanation::Tenant(tenant) => certain(of_tenant(tenant), None, let_delete(tenant, " before you delete")),
        Explanation::Missing { what } => {
            certain(Sentence::from("its clean-up needs ").then(what).then(", which does not exist"), None, again(what))
        }
        // It is unknown whether the clean-up needs the object.
        Explanation::Lacks { what, field } => Some(Encounter {
            reason,
            because: Sentence::from("its clean-up may need ")
                .then(what)
                .then(format!(", which {field} names and which does not exist")),
            mood: Mood::May,
            waits_for: None,
            remedy: again(what),
        }),
        Explanation::Blocked(edges) => {
            let blocker = Ref::from(edges[0].blocker);
            let because = Sentence::from("its controller waits for ").then(&blocker);
            let remedy = first(&blocker);
            certain(because, Some(blocker), remedy)
        }
        // Objects that are deleted, too, are no longer users.
        Explanation::InUse(users) => {
            let others = users.iter().filter(|edge| !followers::is_counterpart(**edge, held));
            let mut left = others.map(|edge| Ref::from(edge.blocker)).filter(|user| !world.takes(user));
            let user = left.next()?;
            let more = match left.count() {
                0 => String::new(),
                count => format!(" and {count} more"),
            };
            let trouble = used_by(&user);
            Some(Encounter { because: trouble.because.then(more), ..trouble })
        }
        Explanation::NoKind(needed) => {
            let remedy = Remedy::manual(kinds::install(needed), "nothing is lost");
            certain(kinds::needed(name, needed), None, remedy)
        }
        Explanation::CannotCreate => {
            certain("its clean-up has to create something where nothing can be created".into(), None, resolve())
        }
        Explanation::Hearsay(message) | Explanation::Says(message) => {
            certain(Sentence::from("reported about it: ").reported(message), None, resolve())
        }
        _ => None,
    }
}

/// The trouble that `user`, which is not being deleted, uses the object.
pub(crate) fn used_by(user: &Ref) -> Encounter {
    let because = Sentence::from("it is in use by ").then(user);
    Encounter {
        reason: in_use::REASON.name,
        because,
        mood: Mood::Would,
        waits_for: Some(user.clone()),
        remedy: first(user),
    }
}

/// The trouble that a flaw would cause in the clean-up.
pub(crate) fn of_flaw(flaw: &Flaw) -> Encounter {
    let may = |reason, because, remedy| Encounter { reason, because, mood: Mood::May, waits_for: None, remedy };
    match flaw {
        Flaw::Says { by, message } => {
            let because = Sentence::from(by).then(" already reports: ").then(Sentence::reason(message));
            may(reported::REASON.name, because, resolve())
        }
        Flaw::Lacks { by, what, field } => {
            let because = Sentence::from(by)
                .then(", which it was created from, needs ")
                .then(what)
                .then(format!(", which {field} names and which does not exist"));
            may(dangling_reference::REASON.name, because, again(what))
        }
    }
}

/// The text about an account without the permission for its work.
pub(crate) fn of_tenant(Tenant { account, what, more }: &Tenant) -> Sentence {
    let more = and_more(*more);
    Sentence::from(account)
        .then(", which its controller acts as, may not delete ")
        .then(what)
        .then(format!("{more}, which it lists as its own"))
}

/// The remedy to give the account the permission.
pub(crate) fn let_delete(Tenant { account, what, .. }: &Tenant, when: &str) -> Remedy {
    let namespace = account.namespace.as_deref().unwrap_or_default();
    let (name, what) = (&account.name, full_name(what));
    Remedy::command(
        Sentence::from("let ").then(account).then(format!(" delete what it lists{when}")),
        format_args!("kubectl auth can-i delete {what} --as=system:serviceaccount:{namespace}:{name}"),
        "that account may then delete such objects",
    )
}

fn resolve() -> Remedy {
    Remedy::manual("fix what it says before you delete", "nothing is lost")
}

/// The remedy to create a missing object again.
fn again(what: &Ref) -> Remedy {
    let title = Sentence::from("create ").then(what).then(" again before you delete");
    Remedy::manual(title, "nothing is lost: the controller does its own clean-up")
}

/// The remedy to delete a user first, or let it use another object.
fn first(user: &Ref) -> Remedy {
    let title = Sentence::from("delete ").then(user).then(" first, or let it use another one");
    let look = format!("kubectl get {} -o yaml", full_name(user));
    Remedy::command(title, look, "check first whether it is still needed")
}

/// The remedy if the clean-up is possible only on a node that is gone.
pub(crate) fn without_node(node: &Ref) -> Remedy {
    let title = Sentence::from("bring ")
        .then(node)
        .then(" back before you delete; if it is gone for good, remove the finalizer afterwards");
    Remedy::manual(title, "data on the node is lost")
}
