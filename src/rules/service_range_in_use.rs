//! A range of Service addresses is kept while Services have addresses that are in no other range
//! (kubernetes/kubernetes: `pkg/controller/servicecidrs/servicecidrs_controller.go`).

use crate::facts::{Facts, Known, OwnedFinalizer, Readable, SETTLE, Target, each, for_each, is_late};
use crate::findings::controller_manager::{RELEASED_BY, protection_was_not_taken_off};
use crate::findings::storage::{kept, used_by};
use crate::kubernetes::finalizers::late::waiting;
use crate::kubernetes::services::{RANGE_IN_USE, is_range, only_in, service_of};
use crate::kubernetes::storage::has;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref, Remedy, and_more};
use crate::survey::Seen;
use jiff::SignedDuration;
use serde_json::Value;

pub(super) const RULE: Rule =
    Rule::new("service-range-in-use", include_str!("service_range_in_use.md"), &[Explains::Unused(diagnose)])
        .owns(&[OwnedFinalizer::new("servicecidrs.networking.k8s.io", RANGE_IN_USE)]);

/// How long the controller waits before it removes the finalizer, whether the range is in use or not.
const PAUSE: SignedDuration = SignedDuration::from_secs(10);
/// How many addresses are checked for their Services.
const MAX_ADDRESSES: usize = 10;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let held = waiting(target, facts)?;
    for_each(held.into_iter().filter(|seen| is_range(seen.resource) && has(*seen, RANGE_IN_USE)), |range| {
        let Some(whole) = facts.whole(range)? else { return Ok(()) };
        let whole = Seen { resource: range.resource, object: whole };
        let draft = match only_in(whole.object, range.resource, facts).or_note(facts)? {
            Some(addresses) if addresses.is_empty() && !is_late(range.object, facts, SETTLE + PAUSE) => return Ok(()),
            Some(addresses) => draft(whole, &addresses, target, facts, found)?,
            None => begin(range, "waits for Services that could not be read").likely().remedy(cover(whole)),
        };
        found.add(draft);
        Ok(())
    })
}

fn begin(range: Seen<'_>, because: &str) -> Draft {
    let named = Ref::from(range);
    kept(Cause::InUse, &named, RANGE_IN_USE, format!("{named} {because}"))
}

fn draft(
    range: Seen<'_>,
    addresses: &[Seen<'_>],
    target: &Target<'_>,
    facts: &Facts<'_>,
    found: &mut Findings,
) -> Known<Draft> {
    let Some(first) = addresses.first() else {
        let says = "keeps its finalizer: no Service has an address that is in this ServiceCIDR alone";
        return protection_was_not_taken_off(begin(range, says).remark(RELEASED_BY), range, facts);
    };
    // If the Service of an address is gone, the address itself is the obstacle.
    let users =
        each(addresses.iter().take(MAX_ADDRESSES), |address| Ok(service_of(*address, facts)?.unwrap_or(*address)))?;
    let more = and_more(addresses.len() - 1);
    let draft =
        begin(range, &format!("waits for {}{more}: no other ServiceCIDR covers the address", Ref::from(users[0])));
    let draft = draft
        .evidence(format!("was given to {}", Ref::from(users[0])), &Ref::from(*first), "spec.parentRef")
        .remedy(cover(range));
    used_by(draft, &users, target, facts, found)
}

/// The remedy to create another range that covers this one; the Services then keep their addresses.
fn cover(range: Seen<'_>) -> Remedy {
    let ranges: Vec<&str> = range.object.array("/spec/cidrs").iter().filter_map(Value::as_str).collect();
    Remedy::manual(
        format!("create another ServiceCIDR that covers {}, if the Services stay", ranges.join(" and ")),
        "nothing is lost: the Services keep their addresses",
    )
}
