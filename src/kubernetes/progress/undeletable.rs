//! Parts of an object that its controller may create but not delete. It may be trying to delete
//! them.

use crate::facts::{Known, Readable, flat_each};
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::permits::Permits;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::report::{Ref, Sentence};
use crate::survey::{Form, Object, Resource};

/// The built-in kinds of the parts that controllers create for their objects.
const KINDS: [(&str, &str); 9] = [
    ("", "configmaps"),
    ("", "persistentvolumeclaims"),
    ("", "secrets"),
    ("", "serviceaccounts"),
    ("", "services"),
    ("apps", "deployments"),
    ("apps", "statefulsets"),
    ("batch", "jobs"),
    ("networking.k8s.io", "ingresses"),
];

/// How many kinds are listed.
const MAX_KINDS: usize = 2;

/// The note about the first such part that still exists.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn find(best: &Candidate<'_>, inquiry: Inquiry<'_, '_>) -> Known<Option<Sentence>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let seen = held.first();
    let Some(place) = seen.object.metadata.namespace.as_deref() else { return Ok(None) };
    let Some(permits) = Permits::of(&best.account(), Some(place), facts).if_readable()? else { return Ok(None) };
    let lacks = |kind: &&Resource| {
        let may = |verb: &str| permits.allow(verb, &kind.id.group, &kind.id.plural);
        may("create") && !may("delete") && !may("deletecollection")
    };
    let kinds = KINDS.iter().filter_map(|(group, plural)| facts.preferred(group, plural)).filter(lacks);
    let parts = flat_each(kinds.take(MAX_KINDS), |kind| {
        let all = gaps.pass(facts.list(&kind.id, Some(place), Form::Metadata))?.unwrap_or_default();
        let is_part = |part: &&Object| !part.is_deleting() && part.is_owned_by(seen.object);
        Ok(all.iter().find(is_part).map(|part| Ref::of(kind, part)))
    })?;
    Ok(parts.first().map(|part| {
        let workload = best.reference();
        Sentence::from(&workload).then(" may create but not delete ").then(part).then(", which belongs to the object")
    }))
}
