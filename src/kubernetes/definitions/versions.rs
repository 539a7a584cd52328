//! Kinds that cannot be read because of the versions of their definition: their objects are stored
//! in one version and requested in another, and conversion fails.

use crate::facts::{Facts, Gap, Known, Readable, SETTLE, Target, flat_each, is_late};
use crate::kubernetes::definitions::{Definition, has_begun, of_several_versions};
use crate::kubernetes::messages::conversion::{is_about_a_conversion, named_kind};
use crate::kubernetes::past_obstacle::{NAMESPACE_CONTROLLER, PastObstacle};
use crate::kubernetes::services;
use crate::report::{Cause, Need};
use crate::survey::{Condition, Form, Reason, Resource, Seen, Unread};
use jiff::Timestamp;

/// Why objects of a kind cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ConversionFailure {
    /// The conversion webhook failed, according to the server.
    Webhook,
    /// No answer came in time, and a conversion webhook is called for it.
    Silent,
    /// Objects are stored in this `group/version`, which the definition no longer has.
    Version(String),
}

/// A kind that cannot be read, with its definition.
#[derive(Debug, Clone)]
pub(crate) struct UnreadableKind<'s> {
    /// The definition.
    pub(crate) definition: Definition<'s>,
    /// Why it cannot be read.
    pub(crate) why: ConversionFailure,
    /// The request and its answer.
    pub(crate) words: String,
    /// Whether it cannot be read now; otherwise only a condition says so.
    pub(crate) now: bool,
}

impl UnreadableKind<'_> {
    /// The need that is not met because of it.
    pub(crate) fn need(&self, facts: &Facts<'_>) -> Need {
        let name = self.definition.object().name();
        let served = facts.discovery().resources.iter().find(|resource| resource.id.short() == name);
        served.map_or_else(
            || Need::Done(self.definition.reference(), Cause::Conversion),
            |resource| Need::Readable(resource.id.clone()),
        )
    }
}

/// Whether the server says that a conversion failed.
pub(crate) fn is_about_versions(why: &Unread) -> bool {
    why_in(&why.message).is_some()
}

/// Parses a message of the API server about a conversion (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/{converter,webhook_converter}.go`).
fn why_in(message: &str) -> Option<ConversionFailure> {
    if is_about_a_conversion(message) {
        return Some(ConversionFailure::Webhook);
    }
    let rest = message.split_once("request to convert CR")?.1;
    let version = rest.split_once("invalid group/version: ")?.1;
    let end = version.find(|c: char| c.is_whitespace() || ",)\"".contains(c)).unwrap_or(version.len());
    Some(ConversionFailure::Version(version[..end].trim_end_matches('.').to_owned()))
}

/// The kinds that the deletion of the target needs to list and that cannot be read because of their
/// definition.
pub(crate) fn unreadable<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<UnreadableKind<'s>>> {
    if let Some(definition) = Definition::is(target.seen) {
        if !(definition.object().is_deleting() && has_begun(definition.object(), facts)) {
            return Ok(Vec::new());
        }
        return of_definition(definition, facts);
    }
    let Some(name) = target.namespace_being_emptied().filter(|_| is_late(target.object(), facts, SETTLE)) else {
        return Ok(Vec::new());
    };
    let content = facts.sweep(name)?;
    let of_each =
        |unread: Vec<(&'s Resource, &'s Unread)>| flat_each(unread, |(resource, why)| of_kind(resource, why, facts));
    let mut kinds = of_each(content.unread)?;
    kinds.extend(of_each(beyond_the_cache(target, facts)?)?);
    let failure = target.object().condition("NamespaceDeletionContentFailure");
    if let Some(failure) = failure.filter(|failure| failure.status() == "True") {
        let more = of_condition(failure, target, facts)?;
        let known = |it: &UnreadableKind<'_>| {
            kinds.iter().any(|kind| kind.definition.object().uid() == it.definition.object().uid())
        };
        let more: Vec<UnreadableKind<'s>> = more.into_iter().filter(|it| !known(it)).collect();
        kinds.extend(more);
    }
    Ok(kinds)
}

/// The kinds that the server's cache cannot list, whatever the store answers. One unreadable object
/// in any namespace keeps the cache of its kind from becoming ready, and controllers list from the
/// cache. Read only if the namespace controller reports it or has not finished its first pass
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go`).
pub(crate) fn beyond_the_cache<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<(&'s Resource, &'s Unread)>> {
    let Some(name) = target.namespace_being_emptied() else { return Ok(Vec::new()) };
    let suspected = match target.object().condition("NamespaceDeletionContentFailure") {
        Some(failure) => failure.status() == "True" && is_initializing(failure.message()),
        None => is_late(target.object(), facts, SETTLE * 3),
    };
    if !suspected {
        return Ok(Vec::new());
    }
    let cached = facts.sweep_as(name, Form::Cached)?;
    Ok(cached.unread.into_iter().filter(|(_, why)| is_initializing(&why.message)).collect())
}

/// Whether the server says that its cache of a kind is not ready.
pub(crate) fn is_initializing(message: &str) -> bool {
    message.contains("storage is (re)initializing")
}

/// The reason why listing a kind failed, if its definition explains it.
pub(crate) fn of_kind<'s>(kind: &Resource, why: &Unread, facts: &Facts<'s>) -> Known<Option<UnreadableKind<'s>>> {
    let said = why_in(&why.message);
    if said.is_none() && why.reason != Reason::TimedOut {
        return Ok(None);
    }
    let Some(definition) = Definition::of(kind, facts).or_note(facts)?.flatten() else { return Ok(None) };
    let several = definition.versions().nth(1).is_some();
    let silent = (several && definition.webhook().is_some()).then_some(ConversionFailure::Silent);
    let words = format!("LIST {}: {why}", kind.id);
    Ok(said.or(silent).map(|why| UnreadableKind { definition, why, words, now: true }))
}

/// Lists the instances in the storage version. The deletion of a definition fails at objects that
/// are stored in another version.
fn of_definition<'s>(definition: Definition<'s>, facts: &Facts<'s>) -> Known<Vec<UnreadableKind<'s>>> {
    let mut found = Vec::new();
    if let Some((resource, Err(Gap { why, .. }))) = definition.listed_as_stored(facts)? {
        found.extend(of_kind(resource, &why, facts)?);
    }
    let condition = definition.object().condition("Terminating").filter(|it| it.reason() == "InstanceDeletionFailed");
    if let (true, Some(condition)) = (found.is_empty(), condition)
        && let Some(why) = why_in(condition.message())
        && (matches!(why, ConversionFailure::Version(_)) || past(definition, facts)?.is_none())
    {
        found.push(UnreadableKind { definition, why, words: condition.says(), now: false });
    }
    Ok(found)
}

/// The failure that the namespace controller reported last, when this program's own list came from
/// a cache that still held everything.
fn of_condition<'s>(failure: Condition<'_>, target: &Target<'_>, facts: &Facts<'s>) -> Known<Vec<UnreadableKind<'s>>> {
    let message = failure.message();
    let Some(why) = why_in(message) else { return Ok(Vec::new()) };
    let kinds: Vec<&Resource> = match &why {
        ConversionFailure::Version(version) => {
            let group = version.split('/').next().unwrap_or_default();
            let of_group = facts.discovery().listable_namespaced().filter(|resource| resource.id.group == group);
            listed_otherwise(of_group.collect(), &why, target, facts)?
        }
        ConversionFailure::Webhook | ConversionFailure::Silent => named_kind(message, facts).into_iter().collect(),
    };
    flat_each(kinds, |kind| {
        let definition = Definition::of(kind, facts).if_readable()?.flatten();
        let Some(definition) = definition.filter(|it| concerns(*it, &why)) else { return Ok(None) };
        let is_so_still = back(definition, target, facts)?.is_none();
        Ok(is_so_still.then(|| UnreadableKind { definition, why: why.clone(), words: failure.says(), now: false }))
    })
}

fn concerns(definition: Definition<'_>, why: &ConversionFailure) -> bool {
    match why {
        ConversionFailure::Version(version) => lacks(definition, version),
        ConversionFailure::Webhook | ConversionFailure::Silent => definition.webhook().is_some(),
    }
}

/// The obstacle that the namespace controller reported last, if that is over: a conversion that
/// needs no webhook any more, or whose webhook answers again. If the controller's first pass has not
/// ended, any kind's conversion may have been the obstacle.
pub(crate) fn mended(target: &Target<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let Some(failure) = target.object().condition("NamespaceDeletionContentFailure") else {
        return mended_unsaid(target, facts);
    };
    if failure.status() != "True" {
        return Ok(None);
    }
    match converted(failure.message(), facts)? {
        Some(definition) if definition.webhook().is_some() => back(definition, target, facts),
        Some(definition) => ended(definition, facts),
        None => Ok(None),
    }
}

/// Like [`mended`], while no condition says what the controller met: it retries the list of a kind
/// that cannot be converted, and reports only after all kinds. Returns the conversion that was fixed
/// last, if that was after the deletion was requested. `None` within the controller's usual pause.
fn mended_unsaid(target: &Target<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let Some(asked) = target.object().deletion_asked() else { return Ok(None) };
    if !is_late(target.object(), facts, NAMESPACE_CONTROLLER) {
        return Ok(None);
    }
    // A definition that was created after the deletion was no obstacle before that.
    let is_older = |it: &Definition<'_>| it.object().metadata.creation_timestamp.is_some_and(|made| made < asked);
    let last = flat_each(of_several_versions(facts, |_| false)?.into_iter().filter(is_older), |definition| {
        Ok(answered(definition, facts)?.into_iter().chain(changed(definition)))
    })?;
    Ok(last.into_iter().filter(|it| it.until > asked).max_by_key(|it| it.until))
}

/// Like [`mended`], for the API server, when it last failed to delete the instances of a definition.
pub(crate) fn past(definition: Definition<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let condition = definition.object().condition("Terminating").filter(|it| it.reason() == "InstanceDeletionFailed");
    let said = condition.is_some_and(|it| why_in(it.message()) == Some(ConversionFailure::Webhook));
    let asked = definition.object().deletion_asked().filter(|_| said);
    let Some(asked) = asked else { return Ok(None) };
    Ok(ended(definition, facts)?.filter(|mended| mended.until > asked))
}

/// Like [`mended`], for a controller that got `message` at that time.
pub(crate) fn overtaken(message: &str, at: Option<Timestamp>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let Some(at) = at else { return Ok(None) };
    let Some(definition) = converted(message, facts)? else { return Ok(None) };
    Ok(ended(definition, facts)?.filter(|mended| mended.until > at))
}

/// The definition of the kind whose conversion failed, according to a message.
fn converted<'s>(message: &str, facts: &Facts<'s>) -> Known<Option<Definition<'s>>> {
    let Some(kind) = named_kind(message, facts) else { return Ok(None) };
    Ok(Definition::of(kind, facts).if_readable()?.flatten())
}

/// The kinds that cannot be read while the conversion that a message reports fails: all versions of
/// the kind that it names.
pub(crate) fn named_in<'s>(message: &str, facts: &Facts<'s>) -> Vec<&'s Resource> {
    let Some(named) = named_kind(message, facts) else { return Vec::new() };
    let same = |kind: &&Resource| kind.id.is(&named.id.group, &named.id.plural);
    facts.discovery().resources.iter().filter(same).collect()
}

/// The time since which the conversion of a kind has been no obstacle: no webhook is called any
/// more, or its backend answers.
fn ended(definition: Definition<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    if definition.webhook().is_some() {
        return answered(definition, facts);
    }
    let object = definition.object();
    let written = object.spec_field_written("f:conversion");
    // A field that nobody sets has no manager: the strategy `None` is the default.
    let until = written.or_else(|| object.spec_written_by().and_then(|by| by.time));
    let was = format!("the webhook that converts {} failed", object.name());
    Ok(until.map(|until| PastObstacle { was, until }))
}

/// The time since which the conversion webhook of a kind has had a backend that answers.
fn answered(definition: Definition<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let Some(service) = definition.conversion_service() else { return Ok(None) };
    let backend = services::of(&service, facts)?;
    let was = format!("the conversion webhook of {} did not answer", definition.object().name());
    Ok(services::answers_since(&backend, facts)?.map(|until| PastObstacle { was, until }))
}

/// The time since which a definition has had its present conversion: the webhook, and the CA that
/// signs its certificate. The previous conversion cannot be seen.
fn changed(definition: Definition<'_>) -> Option<PastObstacle> {
    let until = definition.object().spec_field_written("f:conversion")?;
    Some(PastObstacle {
        was: format!("the conversion of {} was set to something else", definition.object().name()),
        until,
    })
}

/// The end of a conversion's failure, if it is so recent that the namespace controller need not
/// have checked again: the webhook answers again, or was replaced.
fn back(definition: Definition<'_>, target: &Target<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let Some(asked) = target.object().deletion_asked().filter(|_| definition.webhook().is_some()) else {
        return Ok(None);
    };
    let back = answered(definition, facts)?.into_iter().chain(changed(definition)).max_by_key(|back| back.until);
    Ok(back.filter(|back| back.until > asked && back.is_fresh(asked, NAMESPACE_CONTROLLER, facts)))
}

/// Whether the definition does not have this `group/version`.
pub(crate) fn lacks(definition: Definition<'_>, version: &str) -> bool {
    let (group, version) = version.split_once('/').unwrap_or(("", version));
    definition.says("/group") == group && definition.versions().all(|known| known != version)
}

/// The kinds that the store cannot list for this reason, when a message names only their group.
fn listed_otherwise<'s>(
    kinds: Vec<&'s Resource>,
    why: &ConversionFailure,
    target: &Target<'_>,
    facts: &Facts<'s>,
) -> Known<Vec<&'s Resource>> {
    let namespace = Some(target.object().name());
    flat_each(kinds, |kind| {
        let unread = facts.list(&kind.id, namespace, Form::Stored).surveyed()?.err();
        Ok(unread.filter(|gap| why_in(&gap.why.message).as_ref() == Some(why)).map(|_| kind))
    })
}

/// The objects of a kind in a namespace, read in a version that needs no conversion of the stored
/// objects; `None` if there is no such version.
pub(crate) fn readable_otherwise<'s>(
    definition: Definition<'s>,
    namespace: &str,
    facts: &Facts<'s>,
) -> Known<Option<Vec<Seen<'s>>>> {
    let lists = flat_each(definition.kinds(facts), |resource| {
        let list = facts.list(&resource.id, Some(namespace), Form::Metadata).if_readable()?;
        Ok(list.map(|objects| objects.iter().map(|object| Seen { resource, object }).collect()))
    })?;
    Ok(lists.into_iter().next())
}

/// The definition of the objects' kind; `None` also if it cannot be read, which is not noted, since
/// only its age is of interest.
pub(crate) fn definition<'s>(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    Ok(Definition::metadata_of(objects[0].resource, facts).if_readable()?.flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_errors_name_the_webhook_or_the_version() {
        let webhook = "conversion webhook for conv.example/v1, Kind=Gadget failed: Post \"https://x\": service \"conv\" not found";
        assert_eq!(why_in(webhook), Some(ConversionFailure::Webhook));
        let version = |text: &str| why_in(text);
        let expected = Some(ConversionFailure::Version("sv.ex.com/v1alpha1".into()));
        assert_eq!(version("request to convert CR from an invalid group/version: sv.ex.com/v1alpha1"), expected);
        assert_eq!(
            version(
                "Failed to delete all resource types, 1 remaining: request to convert CR from an invalid group/version: sv.ex.com/v1alpha1, x"
            ),
            expected
        );
        assert_eq!(
            version(
                "request to convert CR list failed, list index 0 has invalid group/version: sv.ex.com/v1alpha1 (HTTP 500)"
            ),
            expected
        );
        assert_eq!(why_in("illegal base64 data at input byte 4"), None);
    }
}
