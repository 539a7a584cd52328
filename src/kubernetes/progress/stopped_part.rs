//! A part of a product that does not run, while another part runs and gives no reason: a finalizer need
//! not be removed by the program that set it.

use crate::facts::{Known, Readable};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::names::ControllerName;
use crate::kubernetes::ownership::access::account_of;
use crate::kubernetes::ownership::candidates::{Candidate, workloads_in};
use crate::kubernetes::ownership::marks::share_a_mark;
use crate::kubernetes::ownership::owner::{Fit, fit};
use crate::kubernetes::ownership::scope;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::workloads::health::{self, is_scaled_to_zero};
use crate::survey::{Object, Seen};

/// A workload at 0 replicas that is a part of the product of `best`. If a pod of `best` leads, that pod does the work.
pub(crate) fn sibling<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<Seen<'s>>> {
    let Inquiry { traces, facts, .. } = inquiry;
    let is_its = |name: &&ControllerName| name.writer && fit(&name.word, best.seen.object) == Fit::Name;
    // A program that set the finalizer and writes the status under its own name is the controller.
    let does_it_all = traces.names.iter().filter(|name| name.owner).any(|name| is_its(&name));
    if does_it_all || !traces.rights.holders.contains_key(&best.account()) {
        return Ok(None);
    }
    let pods = best.pods(facts).if_readable()?.unwrap_or_default();
    if health::lease(best.seen, &pods, facts).if_readable()?.flatten().is_some_and(|lease| lease.fresh) {
        return Ok(None);
    }
    let mut resting = parts(best, inquiry)?.into_iter().filter(|seen| is_scaled_to_zero(seen.object));
    // With several, it is unknown which one is the controller.
    Ok(resting.next().filter(|_| resting.next().is_none()))
}

/// The workloads that were installed with `best`, have permission to write the held objects and are not configured to
/// ignore them.
pub(crate) fn parts<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<Seen<'s>>> {
    let Inquiry { held, traces, facts, .. } = inquiry;
    let Some(place) = best.seen.object.metadata.namespace.as_deref() else { return Ok(Vec::new()) };
    let home = held.first().object.metadata.namespace.as_deref();
    let looks = |workload: &Object| {
        home.is_none_or(|home| scope::outside(workload, home).is_none())
            && held.whole.first().is_none_or(|object| scope::passes_over(workload, object).is_none())
    };
    let is_part = |seen: &Seen<'_>| {
        seen.object.uid() != best.seen.object.uid()
            && traces.rights.holders.contains_key(&account_of(seen.object))
            && are_of_one_product(seen.object, best.seen.object)
            && looks(seen.object)
    };
    Ok(workloads_in(place, facts, &Gaps::default())?.into_iter().filter(is_part).collect())
}

/// Whether two workloads of one namespace were installed together, or have similar names.
fn are_of_one_product(one: &Object, other: &Object) -> bool {
    // All sorts of programs share the default account.
    let same_account = account_of(one) == account_of(other) && account_of(one).name != "default";
    share_a_mark(one, other) || same_account || has_same_words(one.name(), other.name())
}

/// Whether two names begin with the same two words: `acme-bridge-scheduler` and
/// `acme-bridge-controllers`.
fn has_same_words(one: &str, other: &str) -> bool {
    let first_two = |name: &str| name.splitn(3, '-').take(2).map(ToOwned::to_owned).collect::<Vec<_>>();
    let (one, other) = (first_two(one), first_two(other));
    one.len() == 2 && one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_product_share_words() {
        assert!(has_same_words("acme-bridge-scheduler", "acme-bridge-controllers"));
        assert!(!has_same_words("acme-bridge-scheduler", "acme-operator"));
        assert!(!has_same_words("acme", "acme"), "one word tells too little");
    }
}
