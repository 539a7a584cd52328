//! Refusals by admission that controllers met, according to their messages about the objects that they
//! hold.

use crate::facts::{Facts, Known, Target, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::late::MAX_FINALIZERS;
use crate::kubernetes::finalizers::late::{by_finalizer, waiting};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::statements::statement;
use crate::survey::Seen;
use jiff::Timestamp;

/// A refusal in a controller's message, and the held objects.
#[derive(Debug)]
pub(crate) struct StatedRefusal<'s> {
    /// The message.
    pub(crate) message: String,
    /// When it was last written, if that can be seen.
    pub(crate) at: Option<Timestamp>,
    /// The objects that wait for the same finalizer, the one with the message first.
    pub(crate) objects: Vec<Seen<'s>>,
}

/// The refusals that the controllers of the target's late objects report.
pub(crate) fn refusals<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<StatedRefusal<'s>>> {
    let groups = by_finalizer(waiting(target, facts)?.into_iter(), facts);
    flat_each(groups.iter().take(MAX_FINALIZERS), |(_, objects)| of(objects, facts))
}

fn of<'s>(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<StatedRefusal<'s>>> {
    let held = HeldObjects::read_whole(objects, facts)?;
    // The search for the controller notes what could not be read.
    let said = statement::said(&held, facts, &Gaps::default())?;
    let refused = said.into_iter().filter(|said| said.trouble && is_about_admission(&said.message));
    let with_others = |said: statement::Statement<'s>| {
        let others = objects.iter().copied().filter(|seen| seen.object.uid() != said.of.object.uid());
        StatedRefusal { message: said.message, at: said.at, objects: std::iter::once(said.of).chain(others).collect() }
    };
    Ok(refused.map(with_others).collect())
}
