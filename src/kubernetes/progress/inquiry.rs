//! The facts about the objects that wait for a finalizer.

use crate::facts::Facts;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::ownership::traces::Traces;
use crate::kubernetes::statements::statement::Statement;

/// The facts about the waiting objects, before any workload is checked.
#[derive(Clone, Copy)]
pub(crate) struct Inquiry<'a, 's> {
    pub(crate) finalizer: &'a str,
    pub(crate) held: &'a HeldObjects<'s>,
    /// The statements that count for the finalizer; none before they are weighed.
    pub(crate) said: &'a [Statement<'s>],
    pub(crate) traces: &'a Traces<'s>,
    pub(crate) facts: &'a Facts<'s>,
    /// What could not be read so far.
    pub(crate) gaps: &'a Gaps,
}

/// The known names of the controller.
pub(crate) fn words(traces: &Traces<'_>) -> impl Iterator<Item = String> {
    traces.names.iter().map(|name| name.word.clone())
}
