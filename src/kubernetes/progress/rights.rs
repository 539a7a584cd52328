//! Whether a controller that runs has the permissions for its clean-up: to list the kind, to write the
//! object and its status, and those that the server has reported as missing.

use crate::facts::{Known, Readable};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::rights::lacked;
use crate::kubernetes::ownership::access::Account;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::lost_rights::{Lack, LostRights, WATCH, WRITE};
use crate::kubernetes::ownership::owner::{self, Fit};
use crate::kubernetes::ownership::permits::Permits;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::statements::said_in::SaidIn;
use crate::survey::{Object, ResourceId, Seen};

/// The permissions that a controller lacks.
pub(crate) struct LackingRights<'s> {
    pub(crate) lost: LostRights,
    pub(crate) evidence: Vec<String>,
    /// Where it was read that the clean-up needs them, if words say so.
    pub(crate) said_in: Option<SaidIn<'s>>,
}

/// The permission that `best` lacks for its clean-up.
pub(crate) fn lost<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<LackingRights<'s>>> {
    let Inquiry { held, traces, .. } = inquiry;
    let rights = traces.rights_on_held();
    let account = best.account();
    if !rights.complete {
        return Ok(None);
    }
    let kind = &held.first().resource.id;
    let lack = if rights.may_write(&account) {
        beyond_writing(best.seen.object, &account, inquiry)?
    } else {
        Some((Lack::of(&WRITE, &kind.plural, kind.clone()), None))
    };
    let Some((lack, said_in)) = lack else { return Ok(None) };
    Ok(Some(LackingRights { said_in, ..explained(best, lack, inquiry)? }))
}

/// The permission to watch, if `best`, about which nothing else is known, may list the kind but not watch
/// it, and so does not learn of changes.
pub(crate) fn blind<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<LackingRights<'s>>> {
    let Inquiry { held, facts, .. } = inquiry;
    let namespace = held.first().object.metadata.namespace.as_deref();
    let kind = &held.first().resource.id;
    let Some(permits) = Permits::of(&best.account(), namespace, facts).if_readable()? else { return Ok(None) };
    if !is_custom(&kind.group) || permits.allow(WATCH, &kind.group, &kind.plural) {
        return Ok(None);
    }
    let lack = Lack::of(&[WATCH], &kind.plural, kind.clone());
    explained(best, lack, inquiry).map(Some)
}

/// What `best` lacks, and who should restore it.
fn explained<'s>(best: &Candidate<'s>, lack: Lack, inquiry: Inquiry<'_, 's>) -> Known<LackingRights<'s>> {
    let Inquiry { held, traces, facts, .. } = inquiry;
    let account = best.account();
    let place = held.first().object.metadata.namespace.as_ref().map(|name| format!(" in namespace {name}"));
    let (words, place) = (lack.words(), place.unwrap_or_default());
    let mut evidence = vec![format!("RBAC: no role lets ServiceAccount {account} {words}{place}")];
    let lost = LostRights::of(best.seen, traces.kind, held.first(), lack, facts)?;
    evidence.extend(lost.narrowed());
    evidence.push(lost.evidence());
    Ok(LackingRights { lost, evidence, said_in: None })
}

/// The permission that an account lacks for its work, besides the permission to write the objects, and where it was
/// read if words say so.
fn beyond_writing<'s>(
    workload: &Object,
    account: &Account,
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<(Lack, Option<SaidIn<'s>>)>> {
    let Inquiry { held, said, facts, .. } = inquiry;
    let namespace = held.first().object.metadata.namespace.as_deref();
    let Some(permits) = Permits::of(account, namespace, facts).if_readable()? else { return Ok(None) };
    let kind = &held.first().resource.id;
    // A quoted refusal counts only if the roles agree: anybody may write such a message.
    let user = format!("system:serviceaccount:{}:{}", account.namespace, account.name);
    let told = said.iter().filter(|said| said.trouble).filter_map(|said| Some((lacked(&said.message)?, said.said_in)));
    for (right, said_in) in told.filter(|(right, _)| right.user == user) {
        let there = Permits::of(account, right.namespace.as_deref(), facts).if_readable()?;
        if there.is_some_and(|there| !there.allow(&right.verb, &right.group, &right.resource)) {
            let plural = right.resource.split('/').next().unwrap_or_default();
            let served = facts.preferred(&right.group, plural).map(|found| found.id.clone());
            let kind = served.unwrap_or_else(|| ResourceId::new(&right.group, "v1", plural));
            return Ok(Some((Lack::of(&[&right.verb], right.resource, kind), Some(said_in))));
        }
    }
    if !permits.allow("list", &kind.group, &kind.plural) {
        return Ok(Some((Lack::of(&["list"], &kind.plural, kind.clone()), None)));
    }
    let status = format!("{}/status", kind.plural);
    // The status may be another program's, while this one writes only the finalizer.
    let is_its = |seen: Seen<'_>| {
        let setter = seen.object.finalizer_set_by(inquiry.finalizer);
        seen.object.status_written_apart_by().any(|writer| {
            setter.as_ref().is_some_and(|setter| setter.name == writer.name)
                || owner::fit(&writer.name, workload) == Fit::Name
        })
    };
    Ok((held.read().any(is_its) && !permits.allow_to_write(&kind.group, &status))
        .then(|| (Lack::of(&WRITE, status, kind.clone()), None)))
}
