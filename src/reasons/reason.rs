//! The type of a reason.

/// A reason: its name (file stem, `explain` argument and JSON field; it never changes meaning) and its
/// explanation.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedReason {
    /// The kebab-case name.
    pub name: &'static str,
    /// Markdown with fixed headings.
    pub page: &'static str,
    /// What is asked about the controller.
    pub stage: Stage,
}

/// The questions about a controller, in the order in which they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Whether a workload exists and has a pod that works.
    There,
    /// Whether the controller runs where the object needs it.
    Place,
    /// Whether the controller watches the object.
    Attention,
    /// Whether the controller has the permissions for its clean-up.
    Rights,
    /// Whether admission lets the controller's writes pass.
    Gates,
    /// What messages say.
    Stated,
    /// Whether the objects that the held one refers to exist and work.
    Dependency,
    /// Who still uses the object, or was created for its clean-up.
    Use,
    /// Whether the controller works on the object.
    Work,
    /// Nothing that could be read gives a reason.
    Silence,
}

impl NamedReason {
    /// A reason with its page.
    pub(super) const fn new(name: &'static str, page: &'static str, stage: Stage) -> Self {
        Self { name, page, stage }
    }
}
