//! A part of a product that does not run, where another part does and tells no reason: who set a
//! finalizer need not be who takes it off.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::ownership::access::account_of;
use crate::kubernetes::ownership::candidates::{Candidate, kinds};
use crate::kubernetes::ownership::traces::{MARKS, Traces, installation};
use crate::kubernetes::workloads::health::is_scaled_to_zero;
use crate::survey::{Form, Object, Seen};

/// A workload at 0 replicas that was installed with `best` and has the same right on what is held.
pub(crate) fn sibling<'s>(best: &Candidate<'s>, traces: &Traces<'s>, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    let Some(place) = best.seen.object.metadata.namespace.as_deref() else { return Ok(None) };
    if traces.rights.holder(&best.account()).is_none() {
        return Ok(None);
    }
    let all = flat_each(kinds(facts), |resource| {
        let list = facts.list(&resource.id, Some(place), Form::Whole).if_readable()?.unwrap_or_default();
        Ok(list.iter().map(move |object| Seen { resource, object }))
    })?;
    let mut resting = all.into_iter().filter(|seen| {
        is_scaled_to_zero(seen.object)
            && traces.rights.holder(&account_of(seen.object)).is_some()
            && are_of_one_product(seen.object, best.seen.object)
    });
    // With several, nobody knows which one it is.
    Ok(resting.next().filter(|_| resting.next().is_none()))
}

/// Whether two workloads of one namespace were installed together, or are called alike.
fn are_of_one_product(one: &Object, other: &Object) -> bool {
    let value = |object: &Object, key: &str| -> Option<String> {
        let metadata = &object.metadata;
        let value = metadata.annotations.get(key).or_else(|| metadata.labels.get(key))?;
        Some(installation(key, value).to_owned())
    };
    let together = MARKS.iter().any(|(key, _)| value(one, key).is_some_and(|mark| value(other, key) == Some(mark)));
    together || account_of(one) == account_of(other) || has_same_words(one.name(), other.name())
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
    fn parts_of_a_product_are_called_alike() {
        assert!(has_same_words("acme-bridge-scheduler", "acme-bridge-controllers"));
        assert!(!has_same_words("acme-bridge-scheduler", "acme-operator"));
        assert!(!has_same_words("acme", "acme"), "one word tells too little");
    }
}
