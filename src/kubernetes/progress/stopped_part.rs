//! A part of a product that does not run, while another part runs and gives no reason: a finalizer need
//! not be removed by the program that set it.

use crate::facts::{Known, Readable, flat_each};
use crate::kubernetes::finalizers::names::ControllerName;
use crate::kubernetes::ownership::access::account_of;
use crate::kubernetes::ownership::candidates::{Candidate, kinds};
use crate::kubernetes::ownership::owner::{Fit, fit};
use crate::kubernetes::ownership::scope;
use crate::kubernetes::ownership::traces::{HELM_NAMESPACE, MARKS, installation};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::workloads::health::{self, is_scaled_to_zero};
use crate::survey::{Form, Object, Seen};

/// A workload at 0 replicas that was installed with `best`, has the same permission on the held objects and is not
/// configured to ignore them. If a pod of `best` leads, that pod does the work.
pub(crate) fn sibling<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<Seen<'s>>> {
    let Inquiry { held, traces, facts, .. } = inquiry;
    let Some(place) = best.seen.object.metadata.namespace.as_deref() else { return Ok(None) };
    let is_its = |name: &&ControllerName| name.writer && fit(&name.word, best.seen.object) == Fit::Name;
    // A program that set the finalizer and writes the status under its own name is the controller.
    let does_it_all = traces.names.iter().filter(|name| name.owner).any(|name| is_its(&name));
    if does_it_all || traces.rights.holder(&best.account()).is_none() {
        return Ok(None);
    }
    let pods = health::pods_of(best.seen.object, place, facts).if_readable()?.unwrap_or_default();
    if health::lease(best.seen, &pods, facts).if_readable()?.flatten().is_some_and(|lease| lease.fresh) {
        return Ok(None);
    }
    let home = held.first().object.metadata.namespace.as_deref();
    let looks = |workload: &Object| {
        home.is_none_or(|home| scope::outside(workload, home).is_none())
            && held.whole.first().is_none_or(|object| scope::passes_over(workload, object).is_none())
    };
    let all = flat_each(kinds(facts), |resource| {
        let list = facts.list(&resource.id, Some(place), Form::Whole).if_readable()?.unwrap_or_default();
        Ok(list.iter().map(move |object| Seen { resource, object }))
    })?;
    let mut resting = all.into_iter().filter(|seen| {
        is_scaled_to_zero(seen.object)
            && traces.rights.holder(&account_of(seen.object)).is_some()
            && are_of_one_product(seen.object, best.seen.object)
            && looks(seen.object)
    });
    // With several, it is unknown which one is the controller.
    Ok(resting.next().filter(|_| resting.next().is_none()))
}

/// Whether two workloads of one namespace were installed together, or have similar names.
fn are_of_one_product(one: &Object, other: &Object) -> bool {
    let value = |object: &Object, key: &str| -> Option<String> {
        let metadata = &object.metadata;
        let value = metadata.annotations.get(key).or_else(|| metadata.labels.get(key))?;
        Some(installation(key, value).to_owned())
    };
    // Everything that is installed into a namespace has that mark.
    let tells = |key: &str| key != HELM_NAMESPACE;
    let together = MARKS
        .iter()
        .filter(|(key, _)| tells(key))
        .any(|(key, _)| value(one, key).is_some_and(|mark| value(other, key) == Some(mark)));
    // All sorts of programs share the default account.
    let same_account = account_of(one) == account_of(other) && account_of(one).name != "default";
    together || same_account || has_same_words(one.name(), other.name())
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
