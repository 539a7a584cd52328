//! Gates that refuse a controller's writes: the texts, and how to let the controller pass.

use crate::facts::{Facts, Known};
use crate::findings::admission::exception::except;
use crate::findings::services::repairs;
use crate::kubernetes::admission::{Gate, Operation};
use crate::kubernetes::ownership::access::Account;
use crate::plan::quote;
use crate::report::{Ref, Remedy, Sentence};

/// The text about a controller `name` that runs and is refused.
pub(crate) fn because(name: Sentence, gate: Gate<'_>) -> Sentence {
    name.then(match gate {
        Gate::Policy { .. } => format!(" runs, and policy {} refuses what its account writes", gate.name()),
        Gate::Webhook { .. } => {
            format!(" runs, and webhook {}, which is called for what its account writes, does not answer", gate.name())
        }
    })
}

/// The remedies that let it pass.
///
/// # Errors
/// When the backend of a webhook was not surveyed yet.
pub(crate) fn remedies(
    gate: Gate<'_>,
    account: &Account,
    refs: &[Ref],
    clean_up: &str,
    facts: &Facts<'_>,
) -> Known<Vec<Remedy>> {
    let restored = format!("webhook {} answers again, and its controller's requests are accepted", gate.name());
    let mut ways = match gate.backend(facts)? {
        Some(backend) => repairs(&backend, &restored, facts)?,
        None => Vec::new(),
    };
    if matches!(gate, Gate::Policy { .. }) {
        ways.push(admit(gate, account, clean_up));
    }
    ways.extend(except(gate, refs, Operation::Update));
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
