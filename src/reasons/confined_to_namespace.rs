//! The controller may work on the kind only in another namespace.

use super::advice::stands;
use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::facts::Known;
use crate::kubernetes::namespaces::takes_nothing_new;
use crate::kubernetes::ownership::access;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::report::{Remedy, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("confined-to-namespace", include_str!("confined_to_namespace.md"), Stage::Attention);

/// The controller's namespace, if roles allow it to write the kind only there, and not in the object's.
pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let (account, Inquiry { held, traces, facts, gaps, .. }) = (asked.best.account(), asked.inquiry);
    let kind = &held.first().resource.id;
    let home = held.first().object.metadata.namespace.as_deref();
    let here = asked.best.seen.object.metadata.namespace.as_deref();
    let here = here.filter(|here| home.is_some_and(|home| home != *here));
    let applies = traces.kind == kind && traces.rights.complete && !traces.rights.may_write(&account);
    let Some(here) = here.filter(|_| applies && !asked.watches) else { return Ok(None) };
    let rules = gaps.pass(access::rules_of(&account, &[here], facts))?.unwrap_or_default();
    let writes = rules.iter().any(|rule| access::lets_write(rule, kind).is_some());
    let to = here.to_owned();
    Ok(writes.then(|| REASON.found(move |case| answer(case, &to))))
}

/// `to` is the namespace in which it may work on the kind.
fn answer<'s>(case: &Case<'_, 's>, to: &str) -> WordedReason<'s> {
    let place = case.first().namespace.as_deref().unwrap_or_default();
    let title =
        format!("also apply the product's own RBAC for namespace {place}: {} has no permissions there", case.name());
    // No RoleBinding can be created in a namespace that is being deleted.
    let is_closed = takes_nothing_new(place, case.facts);
    let because = if is_closed {
        Sentence::from(format!("its controller seems to have gone with namespace {place}: "))
            .then(case.name())
            .then(format!(" may work on this kind only in namespace {to}"))
    } else {
        case.name().then(stands(case)).then(format!("may work on this kind only in namespace {to}"))
    };
    let way = (!is_closed).then(|| Remedy::manual(title, case.clean_up()));
    REASON.likely(case, because).can_be_mended(!is_closed).remedies(way)
}
