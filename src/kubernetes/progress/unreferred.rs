//! Built-in objects whose finalizer names the kind that refers to them, while no object of that
//! kind refers to them any more: without such an object the controller does not reconcile them.

use crate::facts::{Facts, Known};
use crate::kubernetes::finalizers::groups::{belongs_to, domain, is_custom};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::survey::{Form, Object, Resource, Seen};
use serde_json::Value;

/// The minimum length of a kind's name in a finalizer.
const MIN_KIND: usize = 5;

/// The kind that the finalizer names, if none of its objects mentions a held one.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn find(inquiry: Inquiry<'_, '_>) -> Known<Option<String>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = inquiry;
    let Some(kind) = kind(finalizer, held.first(), facts) else { return Ok(None) };
    let Some(all) = gaps.pass(facts.list(&kind.id, None, Form::Whole))? else { return Ok(None) };
    let is_mentioned = all.iter().any(|user| held.objects.iter().any(|seen| mentions(user, seen.object)));
    Ok((!is_mentioned).then(|| kind.kind.clone()))
}

/// Whether the spec or the status of `user` contains the name of `held`, and so may mean it.
fn mentions(user: &Object, held: &Object) -> bool {
    let word = Value::from(held.name()).to_string();
    let says = |field: &str| user.at(field).is_some_and(|value| value.to_string().contains(&word));
    says("/spec") || says("/status")
}

/// The kind of the finalizer's own groups that its name contains: `acme.io/databaseSecret` on a Secret.
fn kind<'s>(finalizer: &str, held: Seen<'_>, facts: &Facts<'s>) -> Option<&'s Resource> {
    let (_, name) = finalizer.rsplit_once('/').filter(|_| !is_custom(&held.resource.id.group))?;
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let own = facts.discovery().listable().filter(|kind| belongs_to(&kind.id.group, domain(finalizer)));
    let called = own.filter(|kind| kind.kind.len() >= MIN_KIND && plain.contains(&kind.kind.to_lowercase()));
    called.max_by_key(|kind| kind.kind.len())
}
