//! Admission refuses what the controller writes, and lets others pass.

use super::case::CLEANS_UP;
use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::facts::Known;
use crate::findings::admission::exception::except;
use crate::findings::services::repairs;
use crate::kubernetes::admission::{Gate, Operation};
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::progress::barred;
use crate::plan::quote;
use crate::report::{Cause, Ref, Remedy};

pub(crate) const REASON: NamedReason =
    NamedReason::new("writes-refused", include_str!("writes_refused.md"), Stage::Gates);

pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let account = asked.best.account();
    let gate = barred::by(&account, asked.inquiry)?;
    Ok(gate.map(|gate| FoundReason::new(&REASON, move |case| answer(case, gate, &account))))
}

/// `gate` refuses what `account`, which the controller runs as, writes.
fn answer<'s>(case: &Case<'_, 's>, gate: Gate<'_>, account: &Account) -> Known<WordedReason<'s>> {
    let name = gate.name();
    let because = case.name().then(match gate {
        Gate::Policy { .. } => format!(" runs, and policy {name} refuses what its account writes"),
        Gate::Webhook { .. } => {
            format!(" runs, and webhook {name}, which is called for what its account writes, does not answer")
        }
    });
    let answer = REASON.likely(case, because).cause(Cause::Admission).waits_for(gate.reference());
    Ok(answer.can_be_mended(true).only_accepted(true).remedies(ways(case, gate, account)?))
}

/// The remedies that let it pass.
fn ways(case: &Case<'_, '_>, gate: Gate<'_>, account: &Account) -> Known<Vec<Remedy>> {
    let restored = format!("webhook {} answers again, and its controller's requests are accepted", gate.name());
    let mut ways = match gate.backend(case.facts)? {
        Some(backend) => repairs(&backend, &restored, case.facts)?,
        None => Vec::new(),
    };
    if matches!(gate, Gate::Policy { .. }) {
        let clean_up = if case.is_foreseen() { CLEANS_UP.to_owned() } else { case.clean_up() };
        ways.push(admit(gate, account, &clean_up));
    }
    ways.extend(except(gate, case.refs, Operation::Update));
    Ok(ways)
}

/// The remedy to let `account` pass in the policy, which a person must decide.
fn admit(gate: Gate<'_>, account: &Account, clean_up: &str) -> Remedy {
    let rules = match gate {
        Gate::Policy { policy, .. } => Ref::from(policy),
        Gate::Webhook { .. } => gate.reference(),
    };
    let Account { namespace, name } = account;
    let title = format!("let ServiceAccount {namespace}/{name} pass in {rules}");
    Remedy::command(title, format_args!("kubectl edit {}", quote(&rules.kubectl())), clean_up)
}
