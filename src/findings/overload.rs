//! Many unrelated kinds could not be listed at once, because of timeouts or refusals: the API server or etcd
//! may be overloaded, though nothing is proven.

use crate::facts::{Facts, Known, Sweep, Target};
use crate::kubernetes::aggregation::{available_groups, unavailable_groups};
use crate::kubernetes::definitions::versions::is_initializing;
use crate::needs::Draft;
use crate::report::{Cause, Remedy, Sentence};
use crate::survey::{Reason, ResourceId, Unread};
use std::collections::BTreeSet;

/// With kinds of this many groups, a single backend cannot be the reason: a backend may serve several
/// kinds, but of one group.
const MIN_GROUPS: usize = 3;
/// With this many kinds, an overload is likely.
const MIN_KINDS: usize = 5;

/// The single finding about all kinds that could not be listed. It is no root: none of them is known to
/// block anything.
pub(crate) fn draft(
    target: &Target<'_>,
    content: &Sweep<'_>,
    kinds: &BTreeSet<ResourceId>,
    facts: &Facts<'_>,
) -> Option<Draft> {
    let (_, first) = content.unread.iter().find(|(resource, _)| kinds.contains(&resource.id))?;
    let namespace = target.reference();
    facts.note_unread(format!("{} kinds in namespace {}", kinds.len(), namespace.name), first);
    let names: Vec<String> = kinds.iter().take(3).map(ResourceId::short).collect();
    let summary = format!(
        "the API server is overloaded: {} unrelated kinds could not be listed ({} …)",
        kinds.len(),
        names.join(", ")
    );
    Some(
        Draft::new(Cause::Unreadable, namespace, summary)
            .underway()
            .likely()
            .remark(format!("LIST {}: {first}", names[0]))
            .quoting(format!("LIST {}: {first}", names[0]), None)
            .remark("it is not known what is left in the namespace; it is not treated as empty")
            .remedy(Remedy::manual(
                Sentence::from("check again when the API server answers")
                    .by("kubectl get --raw '/readyz?verbose'")
                    .by("kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels"),
                "nothing is lost",
            )),
    )
}

/// The kinds that an overload explains; none if they are few or of one group. Kinds behind aggregated APIs
/// alone say nothing about the API server itself.
pub(crate) fn kinds(content: &Sweep<'_>, facts: &Facts<'_>) -> Known<BTreeSet<ResourceId>> {
    let short: Vec<&ResourceId> =
        content.unread.iter().filter(|(_, why)| is_for_want_of_room(why)).map(|(resource, _)| &resource.id).collect();
    if short.len() < MIN_KINDS {
        return Ok(BTreeSet::new());
    }
    let aggregated = available_groups(facts)?;
    let unavailable = unavailable_groups(facts)?;
    let own = |id: &ResourceId| !aggregated.contains(&id.api_version()) && !unavailable.contains(&id.api_version());
    if unrelated(short.iter().copied().filter(|id| own(id))).is_empty() {
        return Ok(BTreeSet::new());
    }
    // Then the overload also explains the kinds behind the API server.
    Ok(short.into_iter().filter(|id| !unavailable.contains(&id.api_version())).cloned().collect())
}

fn unrelated<'a>(ids: impl Iterator<Item = &'a ResourceId>) -> BTreeSet<ResourceId> {
    let ids: BTreeSet<ResourceId> = ids.cloned().collect();
    let groups: BTreeSet<&str> = ids.iter().map(|id| id.group.as_str()).collect();
    if ids.len() >= MIN_KINDS && groups.len() >= MIN_GROUPS { ids } else { BTreeSet::new() }
}

/// Whether the reason is an overload: priority and fairness answers 429, timeouts 504, and a server that starts
/// or stops 503 (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/server/filters`).
fn is_for_want_of_room(why: &Unread) -> bool {
    let busy = ["(HTTP 429)", "(HTTP 503)", "(HTTP 504)", "etcdserver: ", "context deadline exceeded"];
    match why.reason {
        Reason::TimedOut => true,
        Reason::Rejected | Reason::ServerError => {
            busy.iter().any(|text| why.message.contains(text)) && !is_initializing(&why.message)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unread(reason: Reason, message: &str) -> Unread {
        Unread { reason, message: message.into() }
    }

    #[test]
    fn a_few_kinds_of_one_group_are_no_overload() {
        let count = |groups: &[&str]| {
            let ids: Vec<ResourceId> =
                (0..6).map(|n| ResourceId::new(groups[n % groups.len()], "v1", &format!("k{n}"))).collect();
            unrelated(ids.iter()).len()
        };
        assert_eq!((count(&["acme.io"]), count(&["", "apps", "batch"])), (0, 6));
    }

    #[test]
    fn a_cache_that_is_not_ready_is_no_overload() {
        assert!(is_for_want_of_room(&unread(
            Reason::Rejected,
            "Too many requests, please try again later. (HTTP 429)"
        )));
        assert!(!is_for_want_of_room(&unread(Reason::ServerError, "storage is (re)initializing (HTTP 429)")));
        assert!(!is_for_want_of_room(&unread(Reason::Forbidden, "no")));
    }
}
