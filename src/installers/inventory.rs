//! The objects that an installer's own object lists as created by it.

use crate::kubernetes::mentions::Entry;
use crate::survey::Object;

/// The contents of an installer's own object about the objects that belong to it.
#[derive(Debug, Default)]
pub(crate) struct Inventory<'o> {
    /// The objects that it lists.
    pub(super) entries: Vec<Entry<'o>>,
    /// The reason why its deletion leaves them.
    pub(crate) stays: Option<&'static str>,
    /// Whether it created more than it lists.
    pub(super) is_part: bool,
    /// The label of the objects that it created, with its value.
    pub(super) label: Option<(&'o str, &'o str)>,
    /// The namespaces of the objects with that label, if it names them.
    pub(super) namespaces: Vec<&'o str>,
}

impl<'o> Inventory<'o> {
    /// The objects in a list of the installer's own object.
    pub(super) fn listed(own: &'o Object, list: &str) -> Self {
        Self { entries: own.array(list).iter().filter_map(Entry::of_item).collect(), ..Self::default() }
    }
}
