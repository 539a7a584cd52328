//! Reasons that quote a message: how it is introduced, and what to do about it.

use super::advice::{fix_before, wait};
use super::answer::WordedReason;
use super::case::Case;
use super::profile::RemoteCluster;
use super::reason::NamedReason;
use super::{marks, protection};
use crate::facts::Known;
use crate::kubernetes::mentions::grammar::is_made_later;
use crate::kubernetes::mentions::message::is_gone;
use crate::kubernetes::mentions::spec::spec_edges;
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::messages::demand::Demand;
use crate::kubernetes::messages::trouble::is_waiting;
use crate::kubernetes::progress::unanswered::unanswered;
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::statements::statement::brief;
use crate::report::{Ref, Remedy, Sentence};

/// The consequence if the controller keeps something because of its content.
const EMPTYING_DESTROYS: &str = "its content is lost: make sure that nobody needs it";

/// Completes `answer` about a controller's `message`.
pub(super) fn answer_quoting<'s>(
    answer: WordedReason<'s>,
    lead: &'static str,
    case: &Case<'_, 's>,
    message: &str,
) -> Known<WordedReason<'s>> {
    let mut answer = answer.needs(unanswered(message, case.facts)?).words(message);
    answer.because = self::lead(case, lead).reported(message);
    // The catalogue's advice may not fit the message.
    let way = match &case.found.remote {
        Some(RemoteCluster { secret, field }) => {
            let text = format!("names {secret}, the kubeconfig of another cluster");
            answer = answer.evidence(text, case.first(), field);
            case.by_hand(format!("correct the kubeconfig in {secret} ({field}), or make its cluster reachable"))
        }
        None => fix(case, message),
    };
    // An event is the word of those who may create events there, a log repeats what tenants write, and a status
    // that was written along with the object may be anybody's: none of them becomes a command.
    let is_own = case.found.said_in == Some(SaidIn::Status);
    let switch =
        || protection::switch_off(message, case.held).or_else(|| marks::set(message, case.finalizer, case.held));
    let way = is_own.then(switch).flatten().unwrap_or(way);
    // If the object in its message is gone, there is nothing to repair.
    let can_be_mended = !is_gone(message, case.objects[0], case.facts);
    let answer = answer.can_be_mended(can_be_mended).only_accepted(is_about_admission(message));
    // Waiting comes first if the controller waits, since that may end by itself, and last after an error, which stays.
    let (first, last) = if is_waiting(message) { (wait(case), None) } else { (None, wait(case)) };
    Ok(answer.remedies(first).remedies([way]).remedies(last))
}

/// The answer if a deletion is only foreseen.
pub(super) fn answer_foreseen<'s>(
    reason: &'static NamedReason,
    case: &Case<'_, 's>,
    message: &str,
) -> WordedReason<'s> {
    let because = Sentence::from("this was reported about it: ").reported(message);
    reason.likely(case, because).acts().waits_for(None).remedies([fix_before(message, case.first())])
}

/// The words before a message: `lead`, or the sender that an event names, who need not have sent it.
fn lead(case: &Case<'_, '_>, lead: &'static str) -> Sentence {
    match case.found.said_in {
        Some(SaidIn::Event(Some(by))) => {
            let by = Sentence::quoted(brief(by), "the sender that an event names");
            Sentence::from("an event sent as ").then(by).then(" says: ")
        }
        Some(SaidIn::Event(None)) => "an event that names no sender says: ".into(),
        Some(SaidIn::Log) => "its log says: ".into(),
        Some(SaidIn::Status | SaidIn::Object) | None => lead.into(),
    }
}

/// The remedy for a controller's message, by what its words ask for.
fn fix(case: &Case<'_, '_>, message: &str) -> Remedy {
    let asked = Demand::by(message);
    let who = case.workload().map_or_else(|| "its controller".to_owned(), Ref::to_string);
    // An event is the word of those who may create events there; a log, and what was written along with the object,
    // repeat what tenants write.
    let may_name = match case.found.said_in {
        Some(SaidIn::Event(_)) => false,
        Some(SaidIn::Status) => true,
        _ => !asked.gives_power(),
    };
    let title = asked.title(&who, case.first(), if may_name { message } else { "" });
    let title = if asked.is_about_a_login() { title.then(login(case)) } else { title };
    match asked {
        Demand::OtherVersion => case.by_hand(title),
        Demand::Emptying => Remedy { mends_its_work: true, ..Remedy::manual(title, EMPTYING_DESTROYS) },
        _ => Remedy { mends_its_work: true, ..Remedy::manual(title, case.clean_up()) },
    }
}

/// The Secrets that the object itself names, from which its controller may take its login.
fn login(case: &Case<'_, '_>) -> Sentence {
    let edges = case.held.read().take(1).flat_map(|seen| spec_edges(seen, case.facts.discovery()));
    let mut secrets = edges.filter(|edge| edge.resource.id.is("", "secrets") && !is_made_later(&edge.field));
    let Some(edge) = secrets.next() else { return Sentence::default() };
    format!(" ({} of {} names Secret {})", edge.field, case.first(), edge.name).into()
}
