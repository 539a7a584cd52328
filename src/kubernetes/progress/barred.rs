//! A policy that refuses what the controller writes and lets people pass: no dry run of ours shows it, its
//! own rules do.

use crate::facts::{Known, for_each};
use crate::kubernetes::admission::{Admission, Gate, Operation, kind, place_of};
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::survey::Asker;

/// The policy that refuses every update of a held object to `account`, by its own rules about who asks.
pub(crate) fn by<'s>(account: &Account, inquiry: Inquiry<'_, 's>) -> Known<Option<Gate<'s>>> {
    let Inquiry { held, facts, .. } = inquiry;
    let asker = Asker::service_account(&account.namespace, &account.name);
    let admission = Admission::glance(facts)?;
    let mut found = None;
    for_each(held.read(), |seen| {
        let update = kind(seen.resource, Operation::Update);
        let gates = admission.about(update, facts);
        let refuses = |gate: &Gate<'_>| gate.tells_of_who_asks() && gate.lets(&asker, Operation::Update) == Some(false);
        if found.is_none() && gates.iter().any(refuses) {
            let place = place_of(seen.object, facts)?;
            found = Admission::asked(&gates, update, seen.object, place, facts).into_iter().find(refuses);
        }
        Ok(())
    })?;
    Ok(found)
}
