//! Many unrelated kinds could not be listed at once, for want of time or room:
//! the API server or its store does not keep up. Nothing is proven by that.

use super::Rule;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Sweep, Target};
use crate::plan::Remedy;
use crate::survey::{Reason, ResourceId, Unread};
use std::collections::BTreeSet;

pub(super) const RULE: Rule =
    Rule { name: "server-overloaded", explanation: include_str!("server_overloaded.md"), diagnose };

/// One backend may answer for several kinds of one group; of so many groups none
/// has the same.
const GROUPS: usize = 3;
const KINDS: usize = 5;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !(target.is_namespace() && target.is_deleting()) {
        return Ok(());
    }
    let content = facts.sweep(target.object().name())?;
    let kinds = kinds(&content);
    let Some((_, first)) = content.unread.iter().find(|(resource, _)| kinds.contains(&resource.id)) else {
        return Ok(());
    };
    let namespace = target.reference();
    facts.note_unread(format!("{} kinds in namespace {}", kinds.len(), namespace.name), first);
    let names: Vec<String> = kinds.iter().take(3).map(ResourceId::short).collect();
    let summary = format!(
        "the API server does not keep up: {} unrelated kinds could not be listed ({} …)",
        kinds.len(),
        names.join(", ")
    );
    found.add(
        Draft::new(Cause::Unreadable, namespace, summary)
            .not_root()
            .likely()
            .remark(format!("LIST {}: {first}", names[0]))
            .remark("what is left in the namespace is not known; nothing is called empty for that")
            .remedy(Remedy::manual(
                "look again when the API server answers: kubectl get --raw '/readyz?verbose'; \
                 kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels",
                "nothing is lost",
            )),
    );
    Ok(())
}

/// The kinds that an overload explains; none when they are few or of one group.
pub(super) fn kinds(content: &Sweep<'_>) -> BTreeSet<ResourceId> {
    let short = content.unread.iter().filter(|(_, why)| is_for_want_of_room(why));
    let ids: BTreeSet<ResourceId> = short.map(|(resource, _)| resource.id.clone()).collect();
    let groups: BTreeSet<&str> = ids.iter().map(|id| id.group.as_str()).collect();
    if ids.len() >= KINDS && groups.len() >= GROUPS { ids } else { BTreeSet::new() }
}

/// Priority and fairness answers 429, time limits 504, a server on its way up or
/// down 503 (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/server/filters`).
fn is_for_want_of_room(why: &Unread) -> bool {
    let busy = ["(HTTP 429)", "(HTTP 503)", "(HTTP 504)", "etcdserver: ", "context deadline exceeded"];
    match why.reason {
        Reason::TimedOut => true,
        Reason::Rejected | Reason::ServerError => {
            busy.iter().any(|text| why.message.contains(text))
                && !super::support::versions::is_initializing(&why.message)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Resource;

    fn unread(reason: Reason, message: &str) -> Unread {
        Unread { reason, message: message.into() }
    }

    fn resource(group: &str, plural: &str) -> Resource {
        Resource {
            id: ResourceId::new(group, "v1", plural),
            kind: plural.into(),
            namespaced: true,
            singular: String::new(),
            short_names: Vec::new(),
            verbs: Vec::new(),
        }
    }

    #[test]
    fn a_few_kinds_of_one_group_are_no_overload() {
        let busy = unread(Reason::Rejected, "Too many requests, please try again later. (HTTP 429)");
        let of = |groups: &[&str]| -> Vec<Resource> {
            (0..6).map(|n| resource(groups[n % groups.len()], &format!("k{n}"))).collect()
        };
        let (one, many) = (of(&["acme.io"]), of(&["", "apps", "batch"]));
        let count = |resources: &[Resource]| {
            let unread = resources.iter().map(|resource| (resource, &busy)).collect();
            kinds(&Sweep { objects: Vec::new(), unread }).len()
        };
        assert_eq!((count(&one), count(&many)), (0, 6));
        assert!(!is_for_want_of_room(&unread(Reason::Rejected, "storage is (re)initializing (HTTP 429)")));
        assert!(!is_for_want_of_room(&unread(Reason::Forbidden, "no")));
    }
}
