//! The data that every output format prints: the JSON contract (`unstick.dev/v1alpha1`, with its
//! schema in `docs/report.schema.json`).

mod finding;
mod need;
mod note;
mod numbering;
mod order;
mod owner;
mod ownership;
mod product;
mod reference;
mod remedy;
#[cfg(test)]
pub(crate) mod schema;
mod sentence;
mod step;
mod target;

pub use finding::{
    Cause, Certainty, Controller, ControllerState, Evidence, Finding, Link, LinkState, Outside, Product, Said, SetBy,
    Why,
};
pub use need::{Need, NeedKind, NeedState, Requirement, Verb};
pub use note::{Note, NoteSubject, ObjectNote};
pub use numbering::{Numbered, by_cause, count_causes};
pub use order::Turn;
pub use owner::{Owner, OwnerState, Ownership};
pub use ownership::{Node, OwnershipReport, Propagation, Reference};
pub use product::{InstalledKind, InstalledProduct, Removable};
pub use reference::{Named, Ref};
pub(crate) use reference::{and_more, and_more_kinds, counted, number_of, objects_in_words, refs, some_of};
pub use remedy::{Confirms, Deletion, Remedy, Risk};
pub use sentence::{Below, Sentence};
pub use step::{
    Action, ConversionNone, DeleteApiService, DeleteObject, DeleteOnRequest, DeleteWebhookConfiguration,
    DropGarbageCollectorFinalizer, DropOwnerReference, FinalizeNamespace, Force, ForceDeletePod, IgnoreWebhook,
    NamedOwner, NudgeNamespace, Parameters, RecreateNamespace, Relax, RelaxPolicyBinding, RemoveFinalizer,
    ScaleWorkload, Step, StepKind, TaintOutOfService,
};
pub use target::{State, TargetReport};

use jiff::Timestamp;
use serde::Serialize;
use std::collections::BTreeSet;

/// The result of one call of the program.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The subject of the report, for the wording on a screen.
    #[serde(skip)]
    pub about: About,
    /// `unstick.dev/v1alpha1`.
    pub api_version: &'static str,
    /// `Report`.
    pub kind: &'static str,
    /// When the facts were read, by the server's clock.
    #[cfg_attr(test, schemars(with = "String"))]
    pub taken_at: Timestamp,
    /// The kubeconfig context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The server's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The targets.
    pub targets: Vec<TargetReport>,
    /// The findings, root causes first.
    pub findings: Vec<Finding>,
    /// The remedies, in the order in which to carry them out.
    pub remedies: Vec<Remedy>,
    /// The installed products that the report is about; only in a preflight or from `products`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<InstalledProduct>,
    /// The order in which to delete so that nothing gets stuck needlessly; only in a preflight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Turn>,
    /// Consequences of a deletion that do not block it; only in a preflight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consequences: Vec<ObjectNote>,
    /// The conditions for the targets to be gone, as a graph. It gives the root causes, the waiting
    /// objects and what else is broken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Requirement>,
    /// Everything that could not be read. Unread does not mean empty.
    pub unread: Vec<Note>,
    /// The kinds of which some objects could not be read, each once.
    #[serde(skip)]
    pub unread_kinds: BTreeSet<String>,
    /// The products that were asked for and left nothing; `unread` names them, too.
    #[serde(skip)]
    pub absent_products: BTreeSet<String>,
    /// Objects that only wait for a target.
    pub waiters: Vec<ObjectNote>,
    /// Objects that are broken but not a cause.
    pub also_broken: Vec<ObjectNote>,
}

/// The subject of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum About {
    /// The objects that the user named.
    #[default]
    Targets,
    /// The objects that a forced finalize left behind.
    Orphans,
    /// All objects that are being deleted.
    Scan,
    /// The aggregated APIs, and how many there are.
    Apis(usize),
    /// What would happen if the named objects were deleted.
    Preflight,
    /// The installed products.
    Products,
}

impl Report {
    /// The definitions that are deleted with these objects although their kinds have objects, or may
    /// have some.
    pub fn definitions_lost_with<'r, 'u>(
        &'r self,
        uids: impl Iterator<Item = &'u String> + Clone,
    ) -> impl Iterator<Item = &'r String> {
        let kinds = self.products.iter().flat_map(|product| &product.kinds);
        kinds.filter(move |kind| kind.is_lost_with(uids.clone())).map(|kind| &kind.resource)
    }

    /// The remedies of a finding, in the order of the finding.
    pub fn remedies_of<'a>(&'a self, finding: &'a Finding) -> impl Iterator<Item = &'a Remedy> {
        finding.remedies.iter().filter_map(|id| self.remedy(id))
    }

    /// The remedy with this id. Ids follow the order of the list.
    fn remedy(&self, id: &str) -> Option<&Remedy> {
        let place = id.strip_prefix('r').and_then(|number| number.parse::<usize>().ok());
        let there = place.and_then(|place| self.remedies.get(place.checked_sub(1)?));
        there.filter(|remedy| remedy.id == id).or_else(|| self.remedies.iter().find(|remedy| remedy.id == id))
    }
}
