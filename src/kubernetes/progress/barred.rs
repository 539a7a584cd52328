//! Policies that refuse the controller's writes and let people's writes pass, and dead webhooks
//! that are called for controllers only. No dry run of this program meets them, but their own rules
//! show them.

use crate::facts::{Known, for_each};
use crate::kubernetes::admission::{Admission, Gate, Operation, kind, obstacle};
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::survey::Asker;

/// The policy or webhook that, by its own rules about who asks, refuses every update of a held
/// object by `account`.
pub(crate) fn by<'s>(account: &Account, inquiry: Inquiry<'_, 's>) -> Known<Option<Gate<'s>>> {
    let Inquiry { held, facts, .. } = inquiry;
    let asker = Asker::service_account(&account.namespace, &account.name);
    let admission = Admission::glance(facts)?;
    let mut found = None;
    for_each(held.read(), |seen| {
        let update = kind(seen.resource, Operation::Update);
        let gates = admission.about(update);
        let refuses = |gate: &Gate<'_>| gate.tells_of_who_asks() && gate.lets(&asker, Operation::Update) == Some(false);
        let is_webhook = |gate: &Gate<'_>| matches!(gate, Gate::Webhook { .. }) && gate.tells_of_who_asks();
        let is_asked =
            |gate: &Gate<'_>| is_webhook(gate) && gate.is_asked_about(&asker, Operation::Update) == Some(true);
        if found.is_none() && gates.iter().any(|gate| refuses(gate) || is_asked(gate)) {
            let all = admission.asked_among(&gates, update, seen.object)?;
            found = all.iter().copied().find(refuses);
            if found.is_none() {
                let unheard: Vec<Gate<'s>> = all.into_iter().filter(is_asked).collect();
                found = obstacle::unanswered(&unheard, facts)?.into_iter().next();
            }
        }
        Ok(())
    })?;
    Ok(found)
}
