//! Whether a controller that runs watches an object: it ignores objects that are paused or outside of
//! its configured scope, and kinds that it has not begun to watch.

use crate::facts::{All, Known, Readable, SETTLE, flat_each, since};
use crate::kubernetes::finalizers::groups::{domain, is_custom, is_kin};
use crate::kubernetes::mentions::{Clarity, Edge, How, edges};
use crate::kubernetes::ownership::candidates::{Candidate, Ranking};
use crate::kubernetes::ownership::owner::{Fit, fit};
use crate::kubernetes::ownership::{access, scope};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::reasons::{LooksAway, Pause, Switch};
use crate::kubernetes::progress::writes::is_tool;
use crate::kubernetes::progress::{classes, confirmation, pauses};
use crate::kubernetes::statements::statement::observed;
use crate::kubernetes::workloads::health;
use crate::kubernetes::workloads::health::Health;
use crate::report::{ControllerState, Ref};
use crate::survey::{Form, Object, Seen};
use jiff::SignedDuration;

/// How many objects that contain a held one are read.
const MAX_ABOVE: usize = 4;

/// For this long after its start, a controller may not have seen everything yet.
const BEGINS_WITHIN: SignedDuration = SignedDuration::from_mins(2);

/// Why `best` ignores the held objects. Its Ready pods are `pods`, and its possible names are
/// `names`.
pub(crate) fn looks_away<'s>(
    best: &Candidate<'s>,
    pods: &[&Object],
    names: &[String],
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<LooksAway>> {
    let Inquiry { held, .. } = inquiry;
    let above = flat_each(held.read(), |seen| Ok(Some((seen, above(seen, inquiry)?))));
    let (above, confined) = (above, confined(best, inquiry)).all()?;
    let is_own = |domain: &str| is_of_product(domain, best.seen.object, inquiry);
    let pauses: Option<Vec<Pause>> = above.iter().map(|(seen, above)| pause(*seen, above, is_own)).collect();
    let pauses = pauses.or(paused_with_its_namespace(inquiry, is_own)?.map(|pause| vec![pause]));
    let looks = looks_at_it(names, inquiry);
    // All of them must be paused: an object that is not paused waits for something else.
    let pause = pauses.and_then(|all| all.into_iter().next()).filter(|pause| !looks || pause.said.is_some());
    // A recurring job may be suspended. That does not affect its deletion, unless a condition says
    // so.
    let foreseen = held.objects.iter().all(|seen| !seen.object.is_deleting());
    let pause =
        pause.filter(|pause| !foreseen || pause.said.is_some() || !pause.by.as_ref().is_some_and(pauses::suspends));
    if let Some(pause) = pause {
        return Ok(Some(LooksAway::Paused(pause)));
    }
    let unconfirmed = held.read().find_map(|seen| Some((seen, confirmation::needed(seen)?)));
    if let Some((of, confirmation)) = unconfirmed {
        return Ok(Some(LooksAway::Unconfirmed { of: of.into(), confirmation }));
    }
    if looks {
        return Ok(None);
    }
    if let Some(to) = confined {
        return Ok(Some(LooksAway::Confined { to }));
    }
    if let Some(why) = classes::of_another(best, inquiry)? {
        return Ok(Some(why));
    }
    Ok(too_early(pods, names, inquiry))
}

/// The pause of everything in a namespace, by a label or an annotation of the namespace in the
/// controller's own domain.
fn paused_with_its_namespace(inquiry: Inquiry<'_, '_>, is_own: impl Fn(&str) -> bool) -> Known<Option<Pause>> {
    let Inquiry { held, facts, .. } = inquiry;
    let Some(home) = held.first().object.metadata.namespace.as_deref() else { return Ok(None) };
    let Some(kind) = facts.preferred("", "namespaces") else { return Ok(None) };
    let Some(object) = facts.metadata(&kind.id, None, home).if_readable()?.flatten() else { return Ok(None) };
    let seen = Seen { resource: kind, object };
    let is_foreign = |by: &Switch| match by {
        Switch::Annotation(key, _) | Switch::Label(key, _) => !key.contains('/'),
        Switch::Field(..) => true,
    };
    let by = pauses::switch(seen, is_own).filter(|by| !is_foreign(by));
    Ok(by.map(|by| Pause { of: seen.into(), own: false, by: Some(by), said: None, sure: false }))
}

/// The pause of one object, set on the object itself or on one of the objects `above` it.
fn pause(seen: Seen<'_>, above: &[Seen<'_>], is_own: impl Fn(&str) -> bool) -> Option<Pause> {
    let (said, of_its_work) = pauses::said(seen.object).unzip();
    let of_its_work = of_its_work == Some(true);
    let switch = |seen: Seen<'_>, own: bool| Some((Ref::from(seen), own, pauses::switch(seen, &is_own)?));
    match switch(seen, true).or_else(|| above.iter().find_map(|seen| switch(*seen, false))) {
        Some((of, own, by)) => Some(Pause { of, own, by: Some(by), said, sure: of_its_work }),
        None => of_its_work.then(|| Pause { of: seen.into(), own: true, by: None, said, sure: false }),
    }
}

/// Whether a domain belongs to the finalizer, the kind or the controller.
fn is_of_product(other: &str, workload: &Object, inquiry: Inquiry<'_, '_>) -> bool {
    let Inquiry { finalizer, held, traces, .. } = inquiry;
    let own = [domain(finalizer), &held.first().resource.id.group, &traces.kind.group];
    own.iter().any(|own| is_kin(own, other)) || fit(other, workload) != Fit::Not
}

/// Whether anything shows that the controller watches the held objects: a write or a statement since
/// the deletion, or the generation that it has observed.
pub(crate) fn looks_at_it(names: &[String], inquiry: Inquiry<'_, '_>) -> bool {
    let Inquiry { held, said, .. } = inquiry;
    let spoke = said.iter().any(|said| {
        !(said.before || said.began_before)
            && (said.trouble || said.goes_on)
            && !said.is_hearsay(names)
            && !pauses::tells_of_a_pause(&said.message)
    });
    // Work that was under way at the time of the deletion is written a moment later.
    let wrote = |object: &Object| {
        let since = object.deletion_asked().map(|asked| asked + SETTLE);
        object.managers().any(|manager| names.contains(&manager.name) && since.is_some() && manager.time > since)
    };
    let saw = |object: &Object| observed(object.at("/status/observedGeneration"), object);
    spoke || held.whole.iter().any(|object| object.is_deleting() && (wrote(object) || saw(object)))
}

/// Fields of a spec that name the cluster or the parent of an object.
const ABOVE: [&str; 6] =
    ["spec.clusterRef", "spec.clusterName", "spec.parentRef", "spec.parentName", "spec.ownerRef", "spec.ownerName"];

/// The objects of the same product that contain a held one: its owners, and those that its labels and
/// its spec name as its cluster or parent.
fn above<'s>(seen: Seen<'s>, inquiry: Inquiry<'_, 's>) -> Known<Vec<Seen<'s>>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let is_above = |edge: &Edge<'_>| {
        let by = match edge.how {
            How::Owner => true,
            // `acme.io/cluster-name` names a Cluster of the group acme.io.
            How::Label => edge.clarity == Clarity::Explicit && edge.field.ends_with("-name]"),
            _ => ABOVE.contains(&edge.field.as_str()),
        };
        by && is_custom(&edge.resource.id.group) && is_kin(&seen.resource.id.group, &edge.resource.id.group)
    };
    let mut above: Vec<Edge<'_>> = edges(seen, facts.discovery()).into_iter().filter(is_above).collect();
    above.dedup_by_key(|edge| (&edge.resource.id, edge.name.clone()));
    flat_each(above.into_iter().take(MAX_ABOVE), |edge| Ok(gaps.pass(edge.read(Form::Whole, facts))?.flatten()))
}

/// The controller's namespace, if roles allow it to write the kind only there, and not in the object's.
fn confined<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<String>> {
    let Inquiry { held, traces, facts, gaps, .. } = inquiry;
    let (account, kind) = (best.account(), &held.first().resource.id);
    let home = held.first().object.metadata.namespace.as_deref();
    let here = best.seen.object.metadata.namespace.as_deref().filter(|here| home.is_some_and(|home| home != *here));
    let applies = traces.kind == kind && traces.rights.complete && !traces.rights.may_write(&account);
    let Some(here) = here.filter(|_| applies) else { return Ok(None) };
    let rules = gaps.pass(access::rules_of(&account, &[here], facts))?.unwrap_or_default();
    let writes = rules.iter().any(|rule| access::lets_write(rule, kind).is_some());
    Ok(writes.then(|| here.to_owned()))
}

/// Whether `pods` have run since before the kind was served, or were started while its definition was
/// being deleted, and have never written to the held objects.
fn too_early(pods: &[&Object], names: &[String], inquiry: Inquiry<'_, '_>) -> Option<LooksAway> {
    let Inquiry { held, traces, facts, .. } = inquiry;
    let definition = traces.definition.filter(|_| traces.kind == &held.first().resource.id)?;
    let started = health::running_since(pods)?;
    let asked = held.objects.iter().filter_map(|seen| seen.object.deletion_asked()).max()?;
    let touched = held.whole.iter().flat_map(|object| object.managers());
    let touched = touched.into_iter().any(|by| names.contains(&by.name) && by.time.is_some_and(|time| time >= started));
    // A finalizer set by a program, whatever its name, shows that it watched the object then.
    let set = held.whole.iter().filter_map(|object| object.finalizer_set_by(inquiry.finalizer));
    let set = set.filter(|by| !is_tool(&by.name)).filter_map(|by| by.time);
    let touched = touched || set.max() >= Some(started);
    let waited = since(asked.max(started), facts.now()) > BEGINS_WITHIN;
    let before = definition.metadata.creation_timestamp.is_some_and(|made| started < made);
    let going = definition.metadata.deletion_timestamp.is_some_and(|going| started > going);
    let kind = facts.preferred("apiextensions.k8s.io", "customresourcedefinitions")?;
    (waited && !touched && (before || going))
        .then(|| LooksAway::TooEarly { definition: Ref::of(kind, definition), going })
}

/// A workload that would be the controller if it were not configured to watch other objects, and its
/// state.
pub(crate) struct OutOfScope {
    pub(crate) workload: Ref,
    pub(crate) state: ControllerState,
    pub(crate) why: LooksAway,
    pub(crate) text: String,
}

/// The first workload that was ruled out because it is configured to watch other objects.
pub(crate) fn out_of_scope<'s>(ranking: &Ranking<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<OutOfScope>> {
    let Inquiry { traces, facts, gaps, .. } = inquiry;
    let mut told = ranking.ruled_out.iter().filter_map(|(seen, out)| Some((*seen, out.outside.clone()?)));
    let Some((seen, outside)) = told.next() else { return Ok(None) };
    let workload = Ref::from(seen);
    let (state, text) = match health::of(seen.object, facts, gaps)? {
        Health::Runs(pods) => (ControllerState::Failing, format!("{workload} runs: pod {} is Ready", pods[0].name())),
        Health::ScaledToZero => (ControllerState::Down, format!("{workload} is scaled to 0 replicas")),
        Health::Down(down) => (ControllerState::Down, format!("{workload} has no Ready pod: {}", down.reason)),
        Health::Unread(text) => (ControllerState::Unknown, format!("{workload}: {text}")),
    };
    let account = access::account_of(seen.object);
    // It is certain if the arguments and the permissions agree.
    let sure = matches!(outside.only, scope::Only::In(_))
        && ranking.complete
        && traces.rights.complete
        && !traces.rights.may_write(&account);
    Ok(Some(OutOfScope { workload, state, why: LooksAway::Outside { outside, sure }, text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_one_product_share_their_domain() {
        assert!(is_kin("infra.fleet.acme.io", "controlplane.fleet.acme.io"));
        assert!(is_kin("acme.io", "db.acme.io") && is_kin("acme.io", "acme.io"));
        assert!(!is_kin("acme.io", "gitops.tools") && !is_kin("db.acme.io", "db.other.io"));
        assert!(!is_kin("snapshot.storage.k8s.io", "gateway.networking.k8s.io"));
    }
}
