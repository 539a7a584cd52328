//! Statements about a held object since its deletion: in its conditions, its status and its
//! events.

use crate::facts::{Facts, Known, flat_each, since};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::finalizers::names::{ControllerName, goes_by, is_about_the_work_of};
use crate::kubernetes::messages::trouble::{
    Ago, Tone, calm_tone, is_about_an_end, is_about_use, is_negative, is_trouble, tells_why, tone,
};
use crate::kubernetes::statements::annotations::attempts;
use crate::kubernetes::statements::events;
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::storage::attachment::{detach_error, detach_failed};
use crate::kubernetes::storage::is_attachment;
use crate::survey::{self, Object, Seen};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// A statement about a held object since its deletion was requested.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the words")]
pub(crate) struct Statement<'s> {
    pub(crate) of: Seen<'s>,
    /// The message, with its field or event.
    pub(crate) text: String,
    /// The message alone.
    pub(crate) message: String,
    /// When it was last written, if that can be seen.
    pub(crate) at: Option<Timestamp>,
    /// Whether it reports trouble.
    pub(crate) trouble: bool,
    /// Whether it reports work in progress.
    pub(crate) goes_on: bool,
    /// Whether it is from before the deletion, and never changed: past trouble, which counts if the
    /// object that it names does not exist.
    pub(crate) before: bool,
    /// Whether it began before the deletion, and is not about the object's end.
    pub(crate) began_before: bool,
    /// Whether it is an event, but not a warning.
    pub(crate) is_calm_event: bool,
    /// Whether it may be about another finalizer of its object.
    pub(crate) is_perhaps: bool,
    /// Where it was read.
    pub(crate) said_in: SaidIn<'s>,
    /// The writer of the status that contains it, if there is only one.
    pub(crate) writer: Option<String>,
}

impl<'s> Statement<'s> {
    pub(crate) fn new(of: Seen<'s>, text: String, message: String, tone: Tone) -> Self {
        let (trouble, goes_on) = (tone == Tone::Trouble, tone == Tone::GoesOn);
        Self {
            of,
            text,
            message,
            at: None,
            trouble,
            goes_on,
            before: false,
            began_before: false,
            is_calm_event: false,
            is_perhaps: false,
            said_in: SaidIn::Object,
            writer: None,
        }
    }

    /// The component that an event names as its sender.
    pub(crate) fn by(&self) -> Option<&'s str> {
        match self.said_in {
            SaidIn::Event(by) => by,
            SaidIn::Status | SaidIn::Object | SaidIn::Log => None,
        }
    }

    /// Whether it is an event.
    pub(crate) fn is_event(&self) -> bool {
        matches!(self.said_in, SaidIn::Event(_))
    }

    /// Whether it says more than that the object is being deleted, or that this fails.
    pub(crate) fn tells_why(&self) -> bool {
        let Seen { resource, object } = self.of;
        tells_why(&self.message, &[object.name(), &resource.kind, &resource.id.group, &resource.id.plural])
    }

    /// Whether it is another program's event that also came before the deletion: a program that audits or scans
    /// objects does not affect their deletion.
    pub(crate) fn is_habit(&self, names: &[ControllerName], controller: Option<&Object>) -> bool {
        let is_theirs = |by: &str| {
            let known: Vec<String> = names.iter().map(|name| name.word.clone()).collect();
            let own = controller.map(|it| it.name().to_owned());
            goes_by(by, &known) || own.is_some_and(|own| goes_by(by, &[own]))
        };
        self.began_before && self.by().is_some_and(|by| !is_theirs(by))
    }

    /// Whether its author may be another program, with none of `names`. An event may name no sender.
    pub(crate) fn is_hearsay(&self, names: &[String]) -> bool {
        self.is_event() && !self.by().is_some_and(|by| goes_by(by, names))
    }
}

/// Conditions that report no trouble while they are True.
pub(crate) const GOOD: [&str; 8] =
    ["Available", "Healthy", "Ready", "ReconcileSucceeded", "Reconciled", "ResourcesAvailable", "Succeeded", "Synced"];

/// How many characters of a message are kept.
pub(crate) const MAX_MESSAGE: usize = 600;

/// Fields of a status, besides its conditions, that contain messages.
pub(crate) const WORDS: [&str; 9] = [
    "message", "error", "error.message", "errorMessage", "lastError", "failureMessage", "reason", "statusMessage",
    "lastErrorMessage",
];

/// The API server's message when it refuses a creation (kubernetes/kubernetes:
/// staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).
pub(crate) const CANNOT_CREATE: &str = "unable to create new content in namespace";

/// How many events of an object are read.
const MAX_EVENTS: usize = 10;

/// All statements about the held objects since their deletion.
pub(crate) fn said<'s>(held: &HeldObjects<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<Statement<'s>>> {
    let mut all = Vec::new();
    // The status of a built-in kind is not written by a finalizer's owner.
    for seen in held.read().filter(|seen| is_custom(&seen.resource.id.group)) {
        all.extend(in_status(seen, facts));
        all.extend(in_annotations(seen));
    }
    // Other programs may add conditions to a node.
    for seen in held.read().filter(|seen| seen.resource.id.is("", "nodes")) {
        let finalizers = &seen.object.metadata.finalizers;
        let counts = |kind: &str| finalizers.iter().any(|finalizer| is_about_the_work_of(kind, finalizer));
        all.extend(in_conditions(seen, facts, counts));
    }
    all.extend(held.read().filter_map(of_attachment));
    all.extend(flat_each(held.read(), |seen| Ok(gaps.pass(in_events(seen, facts))?.unwrap_or_default()))?);
    Ok(all)
}

/// The failed attempts in an object's annotations.
fn in_annotations(seen: Seen<'_>) -> impl Iterator<Item = Statement<'_>> {
    let now = Ago { said: SignedDuration::ZERO, written: SignedDuration::ZERO };
    attempts(seen.object).into_iter().filter_map(move |attempt| {
        let (tone, message) = (tone(&attempt.words, now), brief(&attempt.words));
        let text = format!("annotation {} says \"{message}\"", attempt.key);
        (tone != Tone::Calm).then(|| Statement { at: attempt.at, ..Statement::new(seen, text, message, tone) })
    })
}

/// The statements in an object's status: those from after the deletion was requested, and trouble from
/// before it.
pub(crate) fn in_status<'s>(seen: Seen<'s>, facts: &Facts<'_>) -> Vec<Statement<'s>> {
    let mut said = in_conditions(seen, facts, |_| true);
    said.extend(in_fields(seen, facts));
    said
}

/// Whether a part of an object's status was written after its deletion was requested.
fn is_fresh(object: &Object, field: Option<&str>, asked: Timestamp) -> bool {
    observed(object.at("/status/observedGeneration"), object)
        || object.status_field_written(field).is_some_and(|time| time >= asked)
}

/// The statements in those conditions whose type `counts`.
fn in_conditions<'s>(seen: Seen<'s>, facts: &Facts<'_>, counts: impl Fn(&str) -> bool) -> Vec<Statement<'s>> {
    let object = seen.object;
    let Some(asked) = object.deletion_asked() else { return Vec::new() };
    let conditions_are_fresh = is_fresh(object, Some("f:conditions"), asked);
    let (writer, said_in) = (only_writer(object), SaidIn::status_of(object));
    let written = since(object.status_field_written(None).unwrap_or(asked).max(asked), facts.now());
    let mut said = Vec::new();
    for condition in object.array("/status/conditions") {
        let text = |field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default();
        let time = text("lastTransitionTime").parse::<Timestamp>().ok();
        let fresh = time.is_some_and(|time| time >= asked)
            || observed(condition.get("observedGeneration"), object)
            || conditions_are_fresh;
        let message = words_of(condition);
        let good = text("status") == "True" && GOOD.contains(&text("type"));
        if message.is_empty() || !counts(text("type")) || (!fresh && (good || !is_negative(&message))) {
            continue;
        }
        let ago = Ago { said: since(time.unwrap_or(asked).max(asked), facts.now()), written };
        // A wait that began before the deletion does not concern it.
        let began_before = time.is_some_and(|time| time < asked) && !is_about_an_end(&message);
        let is_of_before = began_before && !is_negative(&message);
        // A condition that reports a success reports no trouble.
        let holds = text("status") == "True";
        let in_use = holds && is_about_use(text("type"));
        let succeeded = holds && !in_use && !is_about_an_end(text("type")) && !is_trouble(&message);
        let message = if in_use { format!("{}: {message}", text("type")) } else { message };
        let tone = if good || !fresh || is_of_before || succeeded { Tone::Calm } else { tone(&message, ago) };
        let complains = in_use || (stands_for_failure(condition) && !is_of_before);
        let tone = if complains && fresh { Tone::Trouble } else { tone };
        let message = brief(&message);
        let text = format!("condition {} says \"{message}\"", in_short(condition));
        let at = time.max(object.status_field_written(Some("f:conditions")));
        said.push(Statement {
            at,
            before: !fresh,
            began_before,
            said_in,
            writer: writer.clone(),
            ..Statement::new(seen, text, message, tone)
        });
    }
    said
}

/// The statements in an object's status besides its conditions.
fn in_fields<'s>(seen: Seen<'s>, facts: &Facts<'_>) -> Vec<Statement<'s>> {
    let object = seen.object;
    let Some(asked) = object.deletion_asked().filter(|asked| is_fresh(object, None, *asked)) else { return Vec::new() };
    let (writer, said_in, at) = (only_writer(object), SaidIn::status_of(object), object.status_field_written(None));
    let written = since(at.unwrap_or(asked).max(asked), facts.now());
    let told = words_in_status(object).into_iter().filter_map(|(field, message)| {
        let (tone, message) = (tone(message, Ago { said: written, written }), brief(message));
        let text = format!("{field} says \"{message}\"");
        let said = Statement { at, said_in, writer: writer.clone(), ..Statement::new(seen, text, message, tone) };
        (tone != Tone::Calm).then_some(said)
    });
    told.collect()
}

/// The messages in a status besides its conditions, each with its field: in fields for messages, and
/// sentences about trouble in any other field.
fn words_in_status(object: &Object) -> Vec<(String, &str)> {
    let fields = object.at("/status").and_then(Value::as_object).into_iter().flatten();
    let all = fields.flat_map(|(key, value)| {
        let own = value.as_str().map(|words| (key.clone(), words));
        let within = value.as_object().into_iter().flatten();
        let within = within.filter_map(move |(part, value)| Some((format!("{key}.{part}"), value.as_str()?)));
        own.into_iter().chain(within)
    });
    let is_sentence = |words: &str| words.contains(' ') && is_negative(words);
    let told = all.filter(|(field, words)| WORDS.contains(&field.as_str()) || is_sentence(words));
    told.map(|(field, words)| (format!("status.{field}"), words)).collect()
}

/// The trouble that an object reports about itself: bad conditions, and messages in its status about
/// failures.
pub(crate) fn complaints(object: &Object) -> Vec<String> {
    let text =
        |condition: &Value, field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let bad = |condition: &&Value| {
        let (kind, status) = (text(condition, "type"), text(condition, "status"));
        // The type tells what its status denies.
        let words = format!("{} {}", text(condition, "reason"), text(condition, "message"));
        let is_good = GOOD.contains(&kind.as_str());
        match status.as_str() {
            "True" => is_negative(&format!("{kind} {words}")),
            "False" => is_good || (is_negative(&words) && !is_negative(&kind)),
            _ => is_good || is_negative(&format!("{kind} {words}")),
        }
    };
    let conditions = object.array("/status/conditions").iter().filter(bad);
    let conditions = conditions.map(|it| format!("{}: {}", text(it, "reason"), text(it, "message")));
    let words = words_in_status(object).into_iter().map(|(_, words)| words.to_owned());
    let all = conditions.chain(words).map(|words| brief(words.trim_matches([':', ' '])));
    all.filter(|words| !words.is_empty()).collect()
}

/// Why a volume could not be detached: in this built-in kind, the driver's own controller writes the
/// message.
fn of_attachment(seen: Seen<'_>) -> Option<Statement<'_>> {
    let message = detach_error(seen.object).filter(|_| is_attachment(seen.resource)).map(brief)?;
    let text = format!("status.detachError says \"{message}\"");
    let said = Statement::new(seen, text, message, Tone::Trouble);
    let said_in = SaidIn::status_of(seen.object);
    Some(Statement { at: detach_failed(seen.object), said_in, writer: only_writer(seen.object), ..said })
}

/// The reason and the message of a condition, in one line.
pub(crate) fn words_of(condition: &Value) -> String {
    let text = |field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default();
    format!("{}: {}", text("reason"), text("message")).trim_matches([':', ' ']).to_owned()
}

/// The type of a condition with its status, which some controllers leave out: `Ready=False`, `DeletionError`.
fn in_short(condition: &Value) -> String {
    let text = |field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default();
    format!("{}={}", text("type"), text("status")).trim_end_matches('=').to_owned()
}

/// Whether a condition reports a failure by its type alone.
fn stands_for_failure(condition: &Value) -> bool {
    let text = |field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default();
    FAILS.iter().any(|end| text("type").ends_with(end)) && !["False", "Unknown"].contains(&text("status"))
}

/// Types of conditions, or their suffixes, that report a failure unless they are False, whatever the message.
const FAILS: [&str; 8] = ["Blocked", "Conflict", "Degraded", "Error", "Failed", "Failure", "Stalled", "Terminal"];

/// The first condition that reports a failure, even if it is older than the deletion.
pub(crate) fn standing_failure(seen: Seen<'_>) -> Option<Statement<'_>> {
    seen.object.array("/status/conditions").iter().find_map(|condition| {
        let text = |field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default();
        let message = brief(&words_of(condition));
        let stands = stands_for_failure(condition) && !text("message").is_empty();
        let said = format!("condition {} says \"{message}\"", in_short(condition));
        stands.then(|| Statement::new(seen, said, message, Tone::Trouble)).filter(Statement::tells_why)
    })
}

/// The manager that alone writes an object's status.
fn only_writer(object: &Object) -> Option<String> {
    let mut writers: Vec<String> = object.status_written_by().map(|manager| manager.name).collect();
    writers.sort();
    writers.dedup();
    let first = writers.pop();
    first.filter(|_| writers.is_empty())
}

/// Whether a controller has observed the deletion, which raises the generation
/// (kubernetes/kubernetes: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go).
pub(crate) fn observed(generation: Option<&Value>, object: &Object) -> bool {
    let observed = generation.and_then(Value::as_i64);
    object.metadata.generation.is_some_and(|now| now > 1 && observed.is_some_and(|seen| seen >= now))
}

/// A message in one line, no longer than a report shows it, without what repeats it.
pub(crate) fn brief(message: &str) -> String {
    survey::brief(&survey::without_printed(message), MAX_MESSAGE)
}

/// The events about an object that are of interest: warnings, and waits.
pub(crate) fn in_events<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Statement<'s>>> {
    let asked = seen.object.deletion_asked();
    let mut all = Vec::new();
    for event in events::about(seen, MAX_EVENTS, facts)? {
        let text = |pointer: &str| event.text(pointer).unwrap_or_default();
        let last = events::last_seen(event);
        let after = last.zip(asked).is_some_and(|(last, asked)| last >= asked);
        let message = brief(&format!("{}: {}", text("/reason"), text("/message")));
        // A Normal event reports work, or a wait.
        let said = since(last.unwrap_or(facts.now()), facts.now());
        let is_warning = text("/type") == "Warning";
        let tone = if is_warning { Tone::Trouble } else { calm_tone(&message, Ago { said, written: said }) };
        if !after || tone == Tone::Calm {
            continue;
        }
        let by = [text("/reportingComponent"), text("/source/component")].into_iter().find(|by| !by.is_empty());
        if by == Some(GARBAGE_COLLECTOR) {
            continue;
        }
        let from = by.map(|by| format!(" from {by}")).unwrap_or_default();
        let text = format!("{} event{from} says \"{message}\"", if is_warning { "Warning" } else { "Normal" });
        // A repeated event, which may also come for objects that are not being deleted.
        let first = event.text("/firstTimestamp").and_then(|time| time.parse().ok());
        let first = first.or(event.metadata.creation_timestamp);
        let began_before = first.zip(asked).is_some_and(|(first, asked)| first < asked) && !is_about_an_end(&message);
        let said = Statement::new(seen, text, message, tone);
        all.push(Statement { said_in: SaidIn::Event(by), at: last, is_calm_event: !is_warning, began_before, ..said });
    }
    Ok(all)
}

/// The component that sends the garbage collector's events: they are about owners, never about
/// finalizers.
pub(crate) const GARBAGE_COLLECTOR: &str = "garbage-collector-controller";
