//! Carries out one step: reads the object again and compares, tries the write in a server-side dry
//! run, records the image of the object, writes, and reads back.

use crate::journal::Run;
use crate::kubernetes::namespaces::{is_default_content, is_leftover};
use crate::plan::{Guard, Needs, StepVerdict, Write, WriteRequest};
use crate::read::content::{read_to_be_empty, read_to_be_missing, read_to_hold};
use crate::read::gather::local_time;
use crate::survey::{Discovery, Object, TargetName, Unread};
use crate::transport::http::{Answer, Api, METADATA};
use crate::transport::refusal::Refusal;
use crate::write::send::{change, try_out};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;

const WHOLE: &str = "application/json";
/// A write that was accepted must show within this time.
const SHOWS_WITHIN: Duration = Duration::from_secs(10);

/// The outcome of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The step was done, and its effect was read back.
    Done(String),
    /// Nothing was written: the object is already in the desired state.
    AlreadySo(String),
    /// The server would accept the write (dry run).
    WouldDo(String),
    /// Nothing was written: the object was not as it was shown, or the server refused.
    Refused(String),
    /// The step was written, or perhaps written, but no effect was seen.
    Unconfirmed(String),
}

impl Outcome {
    /// The outcome in one word, for the journal.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Done(_) => "done",
            Self::AlreadySo(_) => "already-so",
            Self::WouldDo(_) => "would-do",
            Self::Refused(_) => "refused",
            Self::Unconfirmed(_) => "unconfirmed",
        }
    }

    /// The outcome as a title, before the details on a screen.
    #[must_use]
    pub fn title(&self) -> &'static str {
        match self {
            Self::Done(_) => "done",
            Self::AlreadySo(_) => "nothing to do",
            Self::WouldDo(_) => "dry run",
            Self::Refused(_) => "not done",
            Self::Unconfirmed(_) => "not confirmed",
        }
    }

    /// The details in words.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Done(text)
            | Self::AlreadySo(text)
            | Self::WouldDo(text)
            | Self::Refused(text)
            | Self::Unconfirmed(text) => text,
        }
    }

    /// Whether the server refused the step because `namespace` does not exist.
    pub(crate) fn is_for_want_of(&self, namespace: &str) -> bool {
        matches!(self, Self::Refused(text) if text.contains(&format!("namespaces \"{namespace}\" not found")))
    }

    /// Whether the step achieved its purpose.
    pub(crate) fn is_good(&self) -> bool {
        matches!(self, Self::Done(_) | Self::AlreadySo(_) | Self::WouldDo(_))
    }
}

/// An object that was read again.
pub(crate) struct Reread {
    pub(crate) raw: Value,
    pub(crate) object: Object,
    pub(crate) at: Timestamp,
}

/// The text if no dry run was sent.
const UNTRIED: &str =
    "not tried: an aggregated API server serves it, or may serve it, and may ignore that it is a dry run";

/// How often a step is tried if its object changes between reading and writing.
const MAX_ATTEMPTS: usize = 3;

/// Carries out `step`, which must have been approved. Without a journal, nothing follows the
/// server's dry run. `interrupted` is called once more before anything is written.
pub async fn carry_out(
    api: &Api,
    step: &dyn Write,
    journal: Option<&mut Run>,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Outcome {
    carry_on(api, step, journal, interrupted, 0, String::new()).await
}

/// Like [`carry_out`], after `attempts` that ended in conflicts; `last` is the message of the last
/// conflict.
pub(crate) async fn carry_on(
    api: &Api,
    step: &dyn Write,
    mut journal: Option<&mut Run>,
    interrupted: &(dyn Fn() -> bool + Sync),
    attempts: usize,
    mut last: String,
) -> Outcome {
    if let Some(refused) = journal.as_deref().and_then(|journal| not_agreed_to(step, journal)) {
        return refused;
    }
    for _ in attempts..MAX_ATTEMPTS {
        match attempt(api, step, journal.as_deref_mut(), interrupted).await {
            Attempt::Settled(outcome) => return outcome,
            Attempt::Conflict(message) => last = message,
        }
    }
    Outcome::Refused(format!("the server refuses it: {last}"))
}

/// The outcome of a step that was not approved; `None` if it was.
pub(crate) fn not_agreed_to(step: &dyn Write, journal: &Run) -> Option<Outcome> {
    let text = || format!("nothing was written: not approved: {}", step.title());
    (!journal.approval.permits(&step.identity())).then(|| Outcome::Refused(text()))
}

/// The result of one attempt.
pub(crate) enum Attempt {
    /// The final outcome.
    Settled(Outcome),
    /// The server states that the object differs from what the request assumes.
    Conflict(String),
}

/// A step that the server would accept: the object as it was read again, and the request for it.
pub(crate) struct Prepared {
    pub(crate) request: WriteRequest,
    pub(crate) before: Value,
    untried: bool,
}

async fn attempt(
    api: &Api,
    step: &dyn Write,
    journal: Option<&mut Run>,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Attempt {
    let prepared = match prepare(api, step).await {
        Ok(prepared) => prepared,
        Err(attempt) => return attempt,
    };
    let Some(journal) = journal else {
        let text = if prepared.untried { UNTRIED } else { "the server would accept it" };
        return Attempt::Settled(Outcome::WouldDo(text.into()));
    };
    if interrupted() {
        return Attempt::Settled(Outcome::Refused("interrupted before anything was written".into()));
    }
    write(api, step, &prepared, journal).await
}

/// Reads the object again, compares it, and tries the write in a dry run. Writes nothing.
pub(crate) async fn prepare(api: &Api, step: &dyn Write) -> Result<Prepared, Attempt> {
    let now = check(api, step).await.map_err(Attempt::Settled)?;
    let request = step.request(&now.raw, now.at);
    match dry_run(api, &request).await {
        Ok(answer) => match answer.as_ref().and_then(|answer| in_vain(step, answer)) {
            Some(why) => Err(Attempt::Settled(Outcome::Refused(why))),
            None => Ok(Prepared { request, before: now.raw, untried: answer.is_none() }),
        },
        Err(refusal) if refusal.is_definite() && refusal.is_conflict() => Err(Attempt::Conflict(refusal.message)),
        Err(refusal) if refusal.may_have_happened() || refusal.is_unsent() => {
            let text = format!("nothing was written: its dry run failed: {}", refusal.message);
            Err(Attempt::Settled(Outcome::Refused(text)))
        }
        Err(refusal) => Err(Attempt::Settled(refused(&refusal))),
    }
}

/// The reason why the write would be in vain, by the answer to its dry run.
fn in_vain(step: &dyn Write, answer: &Answer) -> Option<String> {
    let tried = serde_json::from_slice(&answer.body).and_then(Object::single).ok()?;
    step.in_vain(&tried)
}

/// Reads the object again and compares it with the one shown.
async fn check(api: &Api, step: &dyn Write) -> Result<Reread, Outcome> {
    let now = reread(api, step)
        .await
        .map_err(|refusal| Outcome::Refused(format!("{} cannot be read again: {}", step.object(), refusal.unread())))?;
    match (step.guard(now.as_ref().map(|now| &now.object)), now) {
        (Guard::Holds, Some(now)) => {
            read_what_is_needed(api, step, &now.object).await.map_err(Outcome::Refused)?;
            Ok(now)
        }
        (Guard::Holds, None) if step.creates() => {
            Ok(Reread { raw: Value::Null, object: Object::default(), at: local_time() })
        }
        (Guard::Changed(text), _) => Err(Outcome::Refused(text)),
        (Guard::AlreadySo(text), _) => Err(Outcome::AlreadySo(text)),
        (Guard::Holds, None) => Err(Outcome::AlreadySo(format!("{} is already gone", step.object()))),
    }
}

/// Checks the conditions of the step besides the object itself.
async fn read_what_is_needed(api: &Api, step: &dyn Write, now: &Object) -> Result<(), String> {
    match step.needs() {
        Needs::Nothing => Ok(()),
        Needs::Empty => read_to_be_empty(api, step.object()).await,
        Needs::OnlyDefaultContent => read_to_hold(api, now, |seen| is_default_content(&seen)).await,
        Needs::OnlyLeftovers => read_to_hold(api, now, |seen| is_leftover(seen, now)).await,
        Needs::Missing(namespace) => read_to_be_missing(api, namespace).await,
    }
}

fn refused(refusal: &Refusal) -> Outcome {
    Outcome::Refused(format!("the server refuses it: {}", refusal.message))
}

/// Writes. From here on a record is on disk before anything changes.
async fn write(api: &Api, step: &dyn Write, prepared: &Prepared, journal: &mut Run) -> Attempt {
    sign(api, journal).await;
    let record = match journal.intend(step, &prepared.request, &prepared.before) {
        Ok(record) => record,
        Err(error) => return Attempt::Settled(not_on_record(&error)),
    };
    let attempt = send_and_verify(api, step, &prepared.request).await;
    let (word, text) = attempt.on_record();
    match journal.outcome(record, word, text) {
        Ok(()) => attempt,
        Err(error) => outcome_not_on_record(text, &error),
    }
}

/// Adds the user to the first record.
pub(crate) async fn sign(api: &Api, journal: &mut Run) {
    if !journal.has_begun() {
        journal.signed_by(who(api).await);
    }
}

pub(crate) fn not_on_record(error: &std::io::Error) -> Outcome {
    Outcome::Refused(format!("nothing was written: the journal cannot be written: {error}"))
}

pub(crate) fn outcome_not_on_record(text: &str, error: &std::io::Error) -> Attempt {
    let text = format!("{text}; its outcome could not be recorded: {error}");
    Attempt::Settled(Outcome::Unconfirmed(text))
}

impl Attempt {
    /// The result in the words of the journal.
    pub(crate) fn on_record(&self) -> (&'static str, &str) {
        match self {
            Self::Settled(outcome) => (outcome.word(), outcome.text()),
            Self::Conflict(message) => ("conflict", message.as_str()),
        }
    }
}

/// Sends the recorded request, and reads back.
pub(crate) async fn send_and_verify(api: &Api, step: &dyn Write, request: &WriteRequest) -> Attempt {
    match change(api, request).await {
        Ok(_) => Attempt::Settled(verify(api, step, request).await),
        Err(refusal) if refusal.is_unsent() => {
            let text = format!("nothing was written: the server cannot be reached: {}", refusal.message);
            Attempt::Settled(Outcome::Refused(text))
        }
        // The answer was lost or is not a refusal by the server: the object shows the outcome.
        Err(refusal) if refusal.may_have_happened() => Attempt::Settled(match verify(api, step, request).await {
            Outcome::Unconfirmed(text) => Outcome::Unconfirmed(format!("{}; {text}", refusal.message)),
            seen => seen,
        }),
        // An earlier step may have released the object: the next attempt finds out.
        Err(refusal) if refusal.is_conflict() => Attempt::Conflict(refusal.message),
        Err(refusal) => Attempt::Settled(refused(&refusal)),
    }
}

/// The user as the server knows them; `None` if it does not answer. Servers before 1.28 have the
/// review as v1beta1 or v1alpha1, if it was enabled
/// (<https://kubernetes.io/docs/reference/access-authn-authz/authentication/#self-subject-review>).
pub async fn who(api: &Api) -> Option<String> {
    for version in ["v1", "v1beta1", "v1alpha1"] {
        let group = format!("authentication.k8s.io/{version}");
        let review = json!({"apiVersion": group, "kind": "SelfSubjectReview"}).to_string();
        match api.review(&format!("/apis/{group}/selfsubjectreviews"), review.as_bytes()).await {
            Ok(answer) => {
                let review: Value = serde_json::from_slice(&answer.body).ok()?;
                return Some(review.pointer("/status/userInfo/username")?.as_str()?.to_owned());
            }
            // For a version that is not served, the server answers with a 404 that names no object.
            Err(refusal) if refusal.status == Some(StatusCode::NOT_FOUND) => {}
            Err(_) => return None,
        }
    }
    None
}

pub(crate) async fn reread(api: &Api, step: &dyn Write) -> Result<Option<Reread>, Refusal> {
    let accept = if step.reads_metadata_only() { METADATA } else { WHOLE };
    let answer = match api.get(&step.path(), accept).await {
        Ok(answer) => answer,
        Err(refusal) if refusal.is_not_found() => return Ok(None),
        Err(refusal) => return Err(refusal),
    };
    let parsed = serde_json::from_slice::<Value>(&answer.body).and_then(|raw| Ok((Object::single(raw.clone())?, raw)));
    let (object, raw) = parsed.map_err(|error| Refusal::garbled(&error.to_string()))?;
    Ok(Some(Reread { raw, object, at: answer.date.unwrap_or_else(local_time) }))
}

/// The server's answer to a dry run of a write; `None` if no dry run may be sent.
pub(crate) async fn dry_run(api: &Api, request: &WriteRequest) -> Result<Option<Answer>, Refusal> {
    try_out(api, request).await
}

/// Reads back until the effect shows, for a limited time.
async fn verify(api: &Api, step: &dyn Write, request: &WriteRequest) -> Outcome {
    let mut missing = format!("{} could not be read back in time", step.object());
    let look = async {
        let mut pause = Duration::from_millis(50);
        loop {
            missing = match reread(api, step).await {
                Ok(after) => match step.verify(after.as_ref().map(|after| &after.object), request) {
                    StepVerdict::Done(text) => return text,
                    StepVerdict::NotYet(text) => text,
                },
                Err(refusal) => format!("{} cannot be read back: {}", step.object(), refusal.unread()),
            };
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(1));
        }
    };
    match tokio::time::timeout(SHOWS_WITHIN, look).await {
        Ok(text) => Outcome::Done(text),
        Err(_) => Outcome::Unconfirmed(missing),
    }
}

/// Compares the current object of a write with what the write expects. Also returns its uid, which
/// is empty if the object does not exist.
///
/// # Errors
/// When it cannot be read.
pub async fn look(api: &Api, write: &dyn Write) -> Result<(Guard, String), Unread> {
    let now = reread(api, write).await.map_err(|refusal| refusal.unread())?;
    let now = now.as_ref().map(|now| &now.object);
    Ok((write.guard(now), now.map(|now| now.uid().to_owned()).unwrap_or_default()))
}

/// Whether the owner that an ownerReference in `namespace` names exists.
///
/// # Errors
/// When it cannot be read.
pub(crate) async fn is_owner_there(
    api: &Api,
    discovery: &Discovery,
    owner: &Value,
    namespace: Option<&str>,
) -> Result<bool, String> {
    let text = |field: &str| owner[field].as_str().unwrap_or_default();
    let Some(resource) = discovery.by_kind(text("apiVersion"), text("kind")) else {
        let stale = discovery.stale.iter().any(|group| group == text("apiVersion"));
        return if stale { Err(format!("{} does not answer", text("apiVersion"))) } else { Ok(false) };
    };
    let namespace = namespace.filter(|_| resource.namespaced);
    let name =
        TargetName { resource: resource.id.clone(), namespace: namespace.map(Into::into), name: text("name").into() };
    is_gone(api, &name, text("uid")).await.map(|gone| !gone).map_err(|why| why.to_string())
}

/// Whether a target is gone, by a consistent read.
///
/// # Errors
/// When it cannot be read.
pub async fn is_gone(api: &Api, target: &TargetName, uid: &str) -> Result<bool, Unread> {
    match api.get(&target.want().path(), METADATA).await {
        Ok(answer) => {
            let object: Result<Object, _> = serde_json::from_slice(&answer.body);
            // A target without a uid did not exist when the user asked about it.
            Ok(object.is_ok_and(|object| !uid.is_empty() && object.uid() != uid))
        }
        Err(refusal) if refusal.is_not_found() => Ok(true),
        Err(refusal) => Err(refusal.unread()),
    }
}

#[cfg(test)]
mod replaced;
#[cfg(test)]
mod tests;
