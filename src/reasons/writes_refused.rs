//! Admission refuses what the controller writes, and lets others pass.

use super::case::CLEANS_UP;
use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use super::controller_unknown;
use super::quoted::answer_quoting;
use super::silent::SilentController;
use crate::facts::{All, Known, Readable};
use crate::findings::admission::exception::except;
use crate::findings::admission::refusal::ask_who_runs_it;
use crate::findings::services::repairs;
use crate::kubernetes::admission::obstacle::{is_in_a_file, is_named, name_in};
use crate::kubernetes::admission::{Admission, Gate, Operation};
use crate::kubernetes::messages::admission::{first, read};
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::progress::barred;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::plan::quote;
use crate::report::{Cause, ControllerState, Ref, Remedy, Sentence};
use crate::survey::{Probe, Probed};

pub(crate) const REASON: NamedReason =
    NamedReason::new("writes-refused", include_str!("writes_refused.md"), Stage::Gates);

pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let account = asked.best.account();
    let gate = barred::by(&account, asked.inquiry)?;
    Ok(gate.map(|gate| REASON.found(move |case| answer(case, gate, &account))))
}

/// The API server refuses the removal to the account of a controller that gives no reason, or to everybody: the
/// control plane may have admission that no object shows.
pub(super) fn ask_trial<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { finalizer, held, facts, .. } = silent.inquiry;
    let is_open = silent.gives_none || silent.why.is(&controller_unknown::REASON);
    if !is_open || !silent.is_going() {
        return Ok(None);
    }
    let account = silent.best.map(Candidate::account);
    let removal = || Probe::RemoveFinalizer(finalizer.to_owned());
    let example = facts.example(&format!("removal of {finalizer}"), held.first())?;
    let tried = facts.probe(example, removal()).if_readable();
    let user = account.as_ref().map(|it| format!("system:serviceaccount:{}:{}", it.namespace, it.name));
    let as_it = user.map(|user| facts.probe_as(&user, example, removal()).if_readable()).transpose();
    let (tried, as_it) = (tried, as_it).all()?;
    // An object that does not match its schema is another rule's.
    let refused = |answer: Option<Option<&'s Probed>>| match answer.flatten() {
        Some(Probed::Refused(refused)) if refused.code != 422 || names_a_gate(&refused.message) => Some(refused),
        _ => None,
    };
    let (by_all, by_account) = (refused(tried), refused(as_it.flatten()).map(|refused| (account, refused)));
    let Some((account, refused)) = by_account.or(by_all.map(|refused| (None, refused))) else { return Ok(None) };
    let admission = Admission::glance(facts)?;
    let words = first(&refused.message, example);
    let gate = words.and_then(|words| admission.gates().find(|gate| is_named(&words, gate)));
    // A gate that refuses it to everybody is an obstacle of the object, and another rule's.
    if by_all.is_some() && gate.is_some() {
        return Ok(None);
    }
    let found = REASON.found(move |case| refused_trial(case, gate, account.as_ref(), &refused.message));
    Ok(Some(found.words(&refused.message).turns_out(ControllerState::Failing)))
}

fn names_a_gate(message: &str) -> bool {
    read(message).iter().any(|words| name_in(words).is_some())
}

/// The API server's answer to a dry run as `account`, or as the caller, by `gate` or by something that no object
/// shows.
fn refused_trial<'s>(
    case: &Case<'_, 's>,
    gate: Option<Gate<'_>>,
    account: Option<&Account>,
    message: &str,
) -> Known<WordedReason<'s>> {
    let answered = match (gate, account) {
        (Some(gate), Some(account)) => answer(case, gate, account)?,
        (_, account) => {
            let lead = match account {
                Some(Account { namespace, name }) => case
                    .name()
                    .then(format!(" runs, and the API server refuses what ServiceAccount {namespace}/{name} writes: ")),
                None => "the API server refuses the removal: ".into(),
            };
            let quoting = answer_quoting(REASON.likely(case, Sentence::default()), "", case, message)?;
            let in_file = read(message).into_iter().find(is_in_a_file).map(|words| ask_who_runs_it(&words));
            let remedies = in_file.map_or(quoting.remedies, |way| vec![way]);
            WordedReason { because: lead.reported(message), remedies, ..quoting }.only_accepted(true)
        }
    };
    let said = Sentence::quoted(message, "the API server's answer to a dry run");
    let said = Sentence::from("trial removal of the finalizer: ").then(said);
    Ok(answered.cause(Cause::Admission).evidence(said, case.first(), ""))
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
