//! Whether a gate that refuses the removal of a finalizer to this program lets the controller remove
//! it: then it is no obstacle.

use super::find;
use crate::facts::{Facts, Known, Readable, each};
use crate::kubernetes::admission::{Obstacle, Operation};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::access::account_of;
use crate::report::Ref;
use crate::survey::{Asker, Form, Seen};

/// The evidence that `obstacle`, by its own conditions, lets through the controllers that remove
/// its finalizers; `None` if it refuses one of them, or if that cannot be seen.
pub(crate) fn of<'s>(obstacle: &Obstacle<'s>, facts: &Facts<'s>) -> Known<Option<String>> {
    let telling = obstacle.gate.filter(|gate| gate.tells_of_who_asks() && obstacle.operation == Operation::Update);
    let Some(gate) = telling.filter(|_| !obstacle.finalizers.is_empty() && obstacle.part.is_empty()) else {
        return Ok(None);
    };
    let accounts = each(&obstacle.finalizers, |finalizer| {
        let has = |seen: &&Seen<'s>| seen.object.metadata.finalizers.iter().any(|key| key == finalizer);
        let objects: Vec<Seen<'s>> = obstacle.objects.iter().filter(has).copied().collect();
        if objects.is_empty() {
            return Ok(None);
        }
        let held = HeldObjects::read_whole(&objects, facts)?;
        let workload = find(finalizer, &held, facts)?.profile.controller.workload;
        workload.map_or(Ok(None), |workload| account(&workload, facts))
    })?;
    let passes = |account: &Account| {
        gate.lets(&Asker::service_account(&account.namespace, &account.name), obstacle.operation) == Some(true)
    };
    let all: Option<Vec<Account>> = accounts.into_iter().map(|account| account.filter(passes)).collect();
    let text = |account| format!("{} refuses this to you and allows it to ServiceAccount {account}", gate.reference());
    Ok(all.and_then(|all| all.into_iter().next()).map(text))
}

/// The service account of a workload's pods.
fn account(workload: &Ref, facts: &Facts<'_>) -> Known<Option<Account>> {
    let Some(resource) = facts.discovery().by_kind(&workload.api_version, &workload.kind) else { return Ok(None) };
    let list = facts.list(&resource.id, workload.namespace.as_deref(), Form::Whole).if_readable()?;
    Ok(list.and_then(|list| list.iter().find(|object| object.name() == workload.name)).map(account_of))
}
