//! What is known of those who wait for a finalizer, and what that says of why its owner
//! does not get on.

use crate::facts::{Facts, Known};
use crate::kubernetes::controllers::found::Why;
use crate::kubernetes::controllers::gaps::Gaps;
use crate::kubernetes::controllers::held::Held;
use crate::kubernetes::controllers::said::{CANNOT_CREATE, Said};
use crate::kubernetes::controllers::traces::Traces;
use crate::kubernetes::controllers::{inventory, obstacles, references};
use crate::report::{ControllerState, Ref};

/// What was read of those who wait, before any workload is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a, 's> {
    pub(crate) finalizer: &'a str,
    pub(crate) held: &'a Held<'s>,
    pub(crate) said: &'a [Said<'s>],
    pub(crate) traces: &'a Traces<'s>,
    pub(crate) facts: &'a Facts<'s>,
}

/// What the object and the controller's words say of why it does not get on.
pub(crate) fn obstacle<'s>(
    names: &[String],
    case: Case<'_, 's>,
    gaps: &mut Gaps,
    evidence: &mut Vec<String>,
) -> Known<Option<(ControllerState, Why<'s>)>> {
    let Case { held, said, facts, .. } = case;
    let absent = references::absent(held, said, facts, gaps);
    let in_the_way = obstacles::in_the_way(said, facts);
    let listed = inventory::listed(held, facts, gaps);
    let (absent, mut in_the_way, listed) = (absent?, in_the_way?, listed?);
    if in_the_way.is_empty() {
        evidence.extend(listed.iter().take(2).map(|edge| {
            format!("{} lists {} as its own, which is being deleted", Ref::from(edge.waiting), Ref::from(edge.blocker))
        }));
        in_the_way = listed;
    }
    let troubles: Vec<&Said<'_>> = said.iter().filter(|said| said.trouble).collect();
    evidence.extend(troubles.iter().take(3).map(|said| format!("{}: {}", Ref::from(said.of), said.text)));
    if troubles.iter().any(|said| said.message.contains(CANNOT_CREATE)) {
        return Ok(Some((ControllerState::Failing, Why::CannotCreate)));
    }
    let first = absent.iter().position(|absent| absent.named);
    for absent in absent.iter().take(2) {
        evidence.push(format!(
            "{}: {} names {}, which does not exist",
            held.first().object.name(),
            absent.field,
            absent.what
        ));
    }
    // What a spec names may as well be what the controller has cleaned up: only
    // its own words say that it misses something.
    if let Some(absent) = first.and_then(|at| absent.into_iter().nth(at)) {
        return Ok(Some((ControllerState::Failing, Why::Missing { what: absent.what })));
    }
    if !in_the_way.is_empty() {
        return Ok(Some((ControllerState::Failing, Why::Blocked(in_the_way))));
    }
    let own = troubles.iter().find(|said| !said.is_hearsay(names)).or(troubles.first());
    Ok(own.map(|said| {
        let message = said.message.clone();
        let why = if said.is_hearsay(names) { Why::Hearsay(message) } else { Why::Says(message) };
        (ControllerState::Failing, why)
    }))
}
