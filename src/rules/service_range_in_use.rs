//! A range of Service addresses is kept while Services have addresses that are in no other range
//! (kubernetes/kubernetes: `pkg/controller/servicecidrs/servicecidrs_controller.go`).

use crate::facts::{Facts, Known, Readable, SETTLE, Target, each, is_late};
use crate::findings::in_use::{InUseFinalizer, Use, first_and_more};
use crate::kubernetes::services::{only_in, service_of};
use crate::needs::{Explains, Findings, Rule};
use crate::report::{Cause, Ref, Remedy};
use crate::survey::{Object, Seen};
use jiff::SignedDuration;
use serde_json::Value;

pub(super) const RULE: Rule =
    Rule::new("service-range-in-use", include_str!("service_range_in_use.md"), &[Explains::Unused(diagnose)])
        .owns(&[FINALIZER.owned]);

const FINALIZER: InUseFinalizer = InUseFinalizer {
    cause: Cause::InUse,
    ..InUseFinalizer::new("servicecidrs.networking.k8s.io", "networking.k8s.io/service-cidr-finalizer")
};

/// How long the controller waits before it removes the finalizer, whether the range is in use or not.
const PAUSE: SignedDuration = SignedDuration::from_secs(10);
/// How many addresses are checked for their Services.
const MAX_ADDRESSES: usize = 10;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    FINALIZER.diagnose(target, facts, found, use_of)
}

fn use_of<'s>(range: Seen<'s>, facts: &Facts<'s>) -> Known<Use<'s>> {
    let Some(whole) = facts.whole(range)? else { return Ok(Use::Going) };
    let named = Ref::from(range);
    let Some(addresses) = only_in(whole, range.resource, facts).or_note(facts)? else {
        let says = format!("{named} waits for Services that could not be read");
        return Ok(Use::Unread(FINALIZER.keeps(&named, says).remedy(cover(whole))));
    };
    let Some(first) = addresses.first() else {
        if !is_late(range.object, facts, SETTLE + PAUSE) {
            return Ok(Use::Going);
        }
        let says = format!(
            "{named} keeps its finalizer, although no Service has an address that only this \
            ServiceCIDR covers"
        );
        return Ok(Use::Over(FINALIZER.keeps(&named, says)));
    };
    // If the Service of an address is gone, the address itself is the obstacle.
    let users =
        each(addresses.iter().take(MAX_ADDRESSES), |address| Ok(service_of(*address, facts)?.unwrap_or(*address)))?;
    let who = first_and_more(users[0], addresses.len());
    let draft = FINALIZER
        .keeps(&named, format!("{named} waits for {who}: no other ServiceCIDR covers the address"))
        .evidence(format!("was given to {}", Ref::from(users[0])), &Ref::from(*first), "spec.parentRef")
        .remedy(cover(whole));
    Ok(Use::By(users, draft))
}

/// The remedy to create another range that covers this one; the Services then keep their addresses.
fn cover(range: &Object) -> Remedy {
    let ranges: Vec<&str> = range.array("/spec/cidrs").iter().filter_map(Value::as_str).collect();
    Remedy::manual(
        format!("create another ServiceCIDR that covers {}, if the Services stay", ranges.join(" and ")),
        "nothing is lost: the Services keep their addresses",
    )
}
