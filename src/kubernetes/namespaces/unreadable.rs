//! Kinds that the namespace controller cannot list, so that it cannot know whether a namespace is
//! empty.

use crate::facts::{Facts, Known, Target};
use crate::kubernetes::definitions::versions;
use crate::kubernetes::messages::admission::is_about_admission;
use crate::survey::{Form, Reason, Resource, Unread};

/// A kind that could not be listed, and why.
pub(crate) type UnlistedKind<'s> = (&'s Resource, &'s Unread);

/// Whether the controller of a namespace cannot list a kind in it: its objects cannot be converted,
/// the server's cache is not ready, or an object in the store cannot be read.
pub(crate) fn is_kept_from_listing(target: &Target<'_>, facts: &Facts<'_>) -> Known<bool> {
    let by_version = !versions::unreadable(target, facts)?.is_empty();
    Ok(by_version
        || !versions::beyond_the_cache(target, facts)?.is_empty()
        || !unreadable_in_the_store(target, facts)?.is_empty())
}

/// The kinds that the store cannot list. The cache keeps its content for a while after an object has
/// become unreadable, so the store is read if the controller failed and does not name the kind.
pub(crate) fn unreadable_in_the_store<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<UnlistedKind<'s>>> {
    if !fails_without_a_name(target) {
        return Ok(Vec::new());
    }
    let stored = facts.sweep_as(target.object().name(), Form::Stored)?;
    Ok(stored.unread.into_iter().filter(|(_, why)| why.reason == Reason::ServerError).collect())
}

/// Whether the namespace controller's last pass failed, neither because of admission nor with an
/// error that names a kind.
fn fails_without_a_name(target: &Target<'_>) -> bool {
    let failure = target.object().condition("NamespaceDeletionContentFailure");
    failure.filter(|it| it.status() == "True").is_some_and(|failure| {
        let message = failure.message();
        !is_about_admission(message)
            && !message.contains("unexpected items still remain")
            && !versions::is_initializing(message)
    })
}
