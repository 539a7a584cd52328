//! A policy that refuses what a controller writes: what is said of it, and how the controller gets through.

use crate::findings::admission::exception::except;
use crate::kubernetes::admission::{Gate, Operation};
use crate::kubernetes::ownership::access::Account;
use crate::plan::quote;
use crate::report::{Ref, Remedy, Sentence};

/// Why `name`, which runs, does not get through.
pub(crate) fn because(name: Sentence, gate: Gate<'_>) -> Sentence {
    name.then(format!(" runs, and policy {} refuses what its account writes", gate.name()))
}

/// How it is let through.
pub(crate) fn remedies(gate: Gate<'_>, account: &Account, refs: &[Ref], clean_up: &str) -> Vec<Remedy> {
    let exemption = except(gate, refs, Operation::Update);
    std::iter::once(admit(gate, account, clean_up)).chain(exemption).collect()
}

/// That the policy lets `account` pass: only a person knows whether it may.
pub(crate) fn admit(gate: Gate<'_>, account: &Account, clean_up: &str) -> Remedy {
    let rules = match gate {
        Gate::Policy { policy, .. } => Ref::from(policy),
        Gate::Webhook { .. } => gate.reference(),
    };
    let Account { namespace, name } = account;
    let title = Sentence::from(format!("let ServiceAccount {namespace}/{name} pass in {rules}"))
        .by(format_args!("kubectl edit {}", quote(&rules.kubectl())));
    Remedy::manual(title, clean_up)
}
