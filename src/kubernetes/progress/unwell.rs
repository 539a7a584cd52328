//! Objects of the same product that a held object names, and that report a failure or are being deleted: the
//! controller needs them for the clean-up.

use crate::facts::{Facts, Known, Readable, flat_each, for_each};
use crate::kubernetes::external;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::{is_custom, is_kin};
use crate::kubernetes::finalizers::names::is_about_the_work_of;
use crate::kubernetes::mentions::metadata::{label_edges, owner_edges};
use crate::kubernetes::mentions::named_by_entry::named_by_entry;
use crate::kubernetes::mentions::spec::spec_edges;
use crate::kubernetes::mentions::users::names_it;
use crate::kubernetes::mentions::{Edge, End, How, InTheWay, edges, resolve};
use crate::kubernetes::messages::bare_words;
use crate::kubernetes::messages::trouble::{is_about_access, is_about_an_end, is_negative};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::missing::{ReferenceRole, part};
use crate::kubernetes::statements::other_objects::trouble_of;
use crate::kubernetes::statements::statement::{Statement, brief, complaints, words_of};
use crate::report::Ref;
use crate::survey::{Condition, Form, Object, Resource, Seen};
use serde_json::Value;

/// How many such objects are read.
const MAX_READ: usize = 3;

/// The minimum length of a word that is the end of a kind's name.
const MIN_WORD: usize = 4;

/// An object that a held one names, and with which its controller cannot work.
pub(crate) struct FailingReference<'s> {
    pub(crate) what: Seen<'s>,
    pub(crate) trouble: ReferenceState,
    /// Whether the finalizer names it.
    pub(crate) is_in_entry: bool,
}

/// Why a controller cannot work with an object.
pub(crate) enum ReferenceState {
    /// It reports a failure, with this message.
    Says(String),
    /// A condition of this type is False, without a message about a failure.
    IsNot(String),
    /// It is told to run nothing, by this field.
    Rests(String),
    /// It was made for the held object, and is being deleted.
    Goes,
}

/// The first object that reports a failure, among those that the first held object refers to or
/// that its conditions name. If something is `awaited`, any condition that is not True yet may be
/// the reason for the wait.
pub(crate) fn failing_reference<'s>(awaited: bool, inquiry: Inquiry<'_, 's>) -> Known<Option<FailingReference<'s>>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let Some(seen) = held.first_custom() else { return Ok(None) };
    let mut found: Option<FailingReference<'s>> = None;
    let mut look = |what: Seen<'s>, is_awaited: bool, is_in_entry: bool| {
        let goes = (what.object.is_deleting() && was_made_for(seen, what)).then_some(ReferenceState::Goes);
        let trouble = goes.or_else(|| trouble(what.object, is_awaited));
        let trouble = trouble.filter(|_| what.object.uid() != seen.object.uid());
        if let (None, Some(trouble)) = (&found, trouble) {
            found = Some(FailingReference { what, trouble, is_in_entry });
        }
    };
    let labels = if awaited { Vec::new() } else { label_edges(seen, facts.discovery()) };
    let entry = named_by_entry(inquiry.finalizer, seen, facts.discovery());
    for_each(needed(seen, facts).chain(entry).chain(labels), |edge| {
        let read = gaps.pass(edge.read(Form::Whole, facts))?.flatten();
        if let Some(what) = read.filter(|what| !(awaited && what.object.is_deleting())) {
            look(what, awaited, edge.how == How::Entry);
        }
        Ok(())
    })?;
    if awaited {
        return Ok(found);
    }
    let place = seen.object.metadata.namespace.as_deref();
    for_each(awaited_kinds(seen, facts), |kind| {
        let all = gaps.pass(facts.list(&kind.id, place.filter(|_| kind.namespaced), Form::Whole))?.unwrap_or_default();
        // The condition does not say which of several objects is meant.
        if let [one] = all {
            look(Seen { resource: kind, object: one }, true, false);
        }
        Ok(())
    })?;
    if found.is_some() { Ok(found) } else { failing_owner(seen, inquiry) }
}

/// The owner of `seen` that reports a failure of the work that the finalizer is called after: most of its complaints are
/// about what it owns.
fn failing_owner<'s>(seen: Seen<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<FailingReference<'s>>> {
    let Inquiry { finalizer, facts, gaps, .. } = inquiry;
    let owners = owner_edges(seen, facts.discovery()).filter(|edge| is_custom(&edge.resource.id.group));
    let failing = flat_each(owners, |edge| {
        let owner = gaps.pass(edge.read(Form::Whole, facts))?.flatten().filter(|owner| !owner.object.is_deleting());
        let mut conditions = owner.into_iter().flat_map(|owner| owner.object.conditions().map(move |it| (owner, it)));
        let telling = conditions.find(|(_, it)| {
            it.status() != "True" && is_about_the_work_of(it.kind(), finalizer) && is_negative(it.message())
        });
        let says = |it: Condition<'_>| ReferenceState::Says(brief(it.message()));
        Ok(telling.map(|(what, it)| FailingReference { what, trouble: says(it), is_in_entry: false }))
    })?;
    Ok(failing.into_iter().next())
}

/// The objects of its product that the clean-up of `seen` needs: those that its spec refers to.
fn needed<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> impl Iterator<Item = Edge<'s>> {
    let counts = |edge: &Edge<'_>| {
        is_custom(&edge.resource.id.group) && matches!(part(edge), ReferenceRole::Source | ReferenceRole::Kin)
    };
    spec_edges(seen, facts.discovery()).into_iter().filter(counts).take(MAX_READ)
}

/// Whether `made` was made for `seen`: it refers back, and is the younger of both.
fn was_made_for(seen: Seen<'_>, made: Seen<'_>) -> bool {
    let born = |seen: Seen<'_>| seen.object.metadata.creation_timestamp;
    let is_called_after = made.object.name().strip_prefix(seen.object.name()).is_some_and(|rest| rest.starts_with('-'));
    let is_younger = born(made) > born(seen) || born(made) == born(seen) && is_called_after;
    is_younger && (made.object.is_owned_by(seen.object) || names_it(made, seen))
}

/// Types of conditions that are False while nothing can be done with what an object represents.
const REACHED: [&str; 5] = ["Available", "Connected", "Online", "Reachable", "Ready"];

/// Why nobody can work with an object. If it `is_awaited`, anything that is not True yet is waited for.
fn trouble(object: &Object, is_awaited: bool) -> Option<ReferenceState> {
    let at_zero = |field: &&str| object.at(&format!("/spec/{field}")).and_then(Value::as_i64) == Some(0);
    let rests = ["replicas", "instances"].into_iter().find(at_zero);
    let mut all = complaints(object).into_iter().chain(failing(object));
    let mut says = || all.find(|words| is_awaited || is_negative(words) || is_not_ready(words));
    let is_cut_off = |condition: &Condition<'_>| condition.status() == "False" && REACHED.contains(&condition.kind());
    let is_not = || object.conditions().find(is_cut_off).map(|condition| condition.kind().to_owned());
    let rests = rests.map(|field| ReferenceState::Rests(format!("spec.{field}")));
    rests.or_else(|| says().map(ReferenceState::Says)).or_else(|| is_not().map(ReferenceState::IsNot))
}

fn is_not_ready(words: &str) -> bool {
    let lower = words.to_lowercase();
    lower.contains("not ready") || lower.contains("notready")
}

/// The messages of conditions that are False; some products use states of their own instead of `False`.
fn failing(object: &Object) -> Vec<String> {
    let fails = |status: &str| status == "False" || !["True", "Unknown", ""].contains(&status) && is_negative(status);
    let status = |condition: &'_ Value| condition.get("status").and_then(Value::as_str).unwrap_or_default().to_owned();
    let failing = object.array("/status/conditions").iter().filter(|condition| fails(&status(condition)));
    failing.map(|condition| brief(&words_of(condition))).collect()
}

/// The kinds of a product that are named in conditions which are False: `KeystoneAPIReady=False`.
fn awaited_kinds<'s>(seen: Seen<'_>, facts: &Facts<'s>) -> Vec<&'s Resource> {
    let failing = seen.object.conditions().filter(|condition| condition.status() == "False");
    let names = failing.filter_map(|condition| condition.kind().strip_suffix("Ready"));
    let own = |kind: &&Resource| is_kin(&kind.id.group, &seen.resource.id.group);
    let kinds = names.filter_map(|name| {
        let mut kinds = facts.discovery().resources.iter().filter(own).filter(|kind| is_custom(&kind.id.group));
        kinds.find(|kind| kind.kind == name && kind.id != seen.resource.id)
    });
    kinds.take(1).collect()
}

/// The first held object, if it is one of a custom kind, and the objects that it was created from or that belong to
/// the same product.
pub(crate) fn with_sources<'s>(held: &HeldObjects<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let Some(seen) = held.first_custom() else { return Ok(Vec::new()) };
    let sources = flat_each(needed(seen, facts), |edge| Ok(edge.read(Form::Whole, facts).or_note(facts)?.flatten()))?;
    Ok(std::iter::once(seen).chain(sources).collect())
}

/// The trouble that an object reports about itself and that stops its clean-up as well: a lost connection, or access
/// that is denied or fails, if the object stands for something outside the cluster or the message is about its end.
pub(crate) fn own_complaint(seen: Seen<'_>) -> Option<String> {
    let matters = |message: &String| !external::of(seen.object).is_empty() || is_about_an_end(message);
    complaint(seen).filter(matters).or_else(|| disconnected(seen))
}

/// The message of an object which says that access is denied or fails.
pub(crate) fn complaint(seen: Seen<'_>) -> Option<String> {
    let is_custom = is_custom(&seen.resource.id.group);
    complaints(seen.object).into_iter().filter(|_| is_custom).find(|message| is_about_access(message))
}

/// The ends of the types of conditions about a connection, which are `True` while there is one.
const CONNECTIONS: [&str; 3] = ["connected", "online", "reachable"];

/// Words about a connection that is lost.
const LOST: [&str; 7] = [
    "disconnected", "lost connection", "lost contact", "not connected", "offline", "stopped updating its lease",
    "unreachable",
];

/// The condition of a custom object which says that the connection to what it stands for is lost.
fn disconnected(seen: Seen<'_>) -> Option<String> {
    let holds = |text: String, words: &[&str]| words.iter().any(|word| text.to_lowercase().contains(word));
    let is_a_connection = |kind: &str| {
        let kind = kind.to_lowercase();
        CONNECTIONS.iter().any(|end| kind.ends_with(end)) && !kind.contains("disconnected") && !kind.contains("unreach")
    };
    let is_lost = |condition: &Condition<'_>| {
        let is_not = matches!(condition.status(), "False" | "Unknown");
        let says = format!("{} {}", condition.reason(), condition.message());
        is_not && (is_a_connection(condition.kind()) || holds(says, &LOST))
    };
    let found = seen.object.conditions().find(is_lost).filter(|_| is_custom(&seen.resource.id.group))?;
    Some(brief(&format!("{}: {}", found.reason(), found.message())))
}

/// The missing credentials that a source names, with the field.
pub(crate) fn lacks(source: Seen<'_>, facts: &Facts<'_>) -> Known<Option<(Ref, String)>> {
    let is_data = |edge: &Edge<'_>| edge.resource.id.group.is_empty() && part(edge) != ReferenceRole::Other;
    let data = spec_edges(source, facts.discovery()).into_iter().filter(is_data);
    let lacking = flat_each(data, |edge| {
        let what = resolve(&edge, Form::Metadata, facts).or_note(facts)?.and_then(End::absent);
        Ok(what.map(|what| (what, edge.field)))
    })?;
    Ok(lacking.into_iter().next())
}

/// Ends of the names of kinds that hold no logins.
const WITHOUT_LOGINS: [&str; 2] = ["Class", "Project"];

/// The missing credentials of something from which the first held object was made, with the field that names them and
/// whose field that is.
pub(crate) fn lacking_login(held: &HeldObjects<'_>, facts: &Facts<'_>) -> Known<Option<(Ref, String)>> {
    let Some(seen) = held.first_custom() else { return Ok(None) };
    let may_log_in = |edge: &Edge<'_>| {
        let kind = &edge.resource.kind;
        part(edge) == ReferenceRole::Source && !WITHOUT_LOGINS.iter().any(|end| kind.ends_with(end))
    };
    let found = flat_each(needed(seen, facts).filter(may_log_in), |edge| {
        let Some(by) = edge.read(Form::Whole, facts).or_note(facts)?.flatten() else { return Ok(None) };
        let lacked = lacks(by, facts)?;
        Ok(lacked.map(|(what, field)| (what, format!("{field} of {}", Ref::from(by)))))
    })?;
    Ok(found.into_iter().next())
}

/// The objects to which the object of `said` is bound, whose kind the message names in part, and that
/// are being deleted or report trouble themselves.
pub(crate) fn partners_in_trouble<'s>(said: &Statement<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<InTheWay<'s>>> {
    flat_each(meant(said, inquiry)?, |edge| {
        let counts = edge.blocker.object.is_deleting() || trouble_of(edge.blocker, inquiry.facts)?.is_some();
        Ok(counts.then_some(edge))
    })
}

/// The same objects, if they are being deleted.
pub(crate) fn partners_going<'s>(said: &Statement<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<InTheWay<'s>>> {
    Ok(meant(said, inquiry)?.into_iter().filter(|edge| edge.blocker.object.is_deleting()).collect())
}

/// The objects of the same product that the object of `said` names, and whose kind the message names in part:
/// "host is still provisioning" is about the host that an annotation or the spec of the object names.
fn meant<'s>(said: &Statement<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<InTheWay<'s>>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let waiting = said.of;
    let words: Vec<String> = bare_words(&said.message).map(str::to_lowercase).collect();
    let is_meant = |edge: &Edge<'_>| {
        let (group, kind) = (&edge.resource.id.group, edge.resource.kind.to_lowercase());
        matches!(edge.how, How::Annotation | How::Spec | How::Status)
            && is_custom(group)
            && is_kin(group, &waiting.resource.id.group)
            && words.iter().any(|word| word.len() >= MIN_WORD && kind.ends_with(word.as_str()))
    };
    let named = edges(waiting, facts.discovery()).into_iter().filter(is_meant);
    flat_each(named.take(MAX_READ), |edge| {
        let blocker = gaps.pass(edge.read(Form::Whole, facts))?.flatten();
        let blocker = blocker.filter(|blocker| blocker.object.uid() != waiting.object.uid());
        Ok(blocker.map(|blocker| InTheWay { waiting, blocker, sure: false }))
    })
}
