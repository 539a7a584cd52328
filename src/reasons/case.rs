//! The facts about objects that wait for a finalizer and about its controller, from which a reason is worded.

use super::profile::Profile;
use super::usual::Usual;
use crate::facts::{Facts, is_late};
use crate::knowledge::catalogue::{CatalogueEntry, clauses_about};
use crate::kubernetes::finalizers::HeldObjects;
use crate::needs::{Relation, World};
use crate::report::{Cause, Ref, Remedy, Sentence};
use crate::survey::Seen;
use jiff::SignedDuration;

/// The consequence of a repair after which a controller acts by itself.
pub(crate) const CLEANS_UP: &str = "nothing is lost: it does its own clean-up";

/// How old a deletion must be before it counts as stuck.
const IS_LATE: SignedDuration = SignedDuration::from_mins(1);

/// Objects that wait for a finalizer, or would wait for it, and what is known about its controller.
pub(super) struct Case<'c, 's> {
    pub(super) finalizer: &'c str,
    /// The kind of cause, unless the reason has one of its own.
    pub(super) cause: Cause,
    pub(super) objects: &'c [Seen<'s>],
    pub(super) refs: &'c [Ref],
    pub(super) held: &'c HeldObjects<'s>,
    pub(super) found: &'c Profile<'s>,
    /// The catalogue's entry about the finalizer on this kind.
    pub(super) entry: Option<&'static CatalogueEntry>,
    /// The usual time of the clean-up, while that is not over.
    pub(super) usual: Option<Usual>,
    /// The world after the deletion, if that is only foreseen.
    pub(super) foreseen: Option<Foreseen<'c>>,
    pub(super) facts: &'c Facts<'s>,
}

/// A deletion that is only foreseen.
#[derive(Clone, Copy)]
pub(super) struct Foreseen<'c> {
    pub(super) world: &'c World<'c>,
    /// The relation of the objects to the target; `None` if they are part of its deletion.
    pub(super) relation: Option<Relation>,
}

impl Case<'_, '_> {
    pub(super) fn first(&self) -> &Ref {
        &self.refs[0]
    }

    pub(super) fn is_foreseen(&self) -> bool {
        self.foreseen.is_some()
    }

    /// When something is to be done, for the end of a title.
    pub(super) fn when(&self) -> &'static str {
        if self.is_foreseen() { " before you delete" } else { "" }
    }

    /// The workload of the controller.
    pub(super) fn workload(&self) -> Option<&Ref> {
        self.found.controller.workload.as_ref()
    }

    /// The name of the controller in a line.
    pub(super) fn name(&self) -> Sentence {
        self.workload().map_or_else(|| "its controller".into(), Sentence::from)
    }

    /// The consequence of a repair, with what the clean-up destroys according to the catalogue.
    pub(super) fn clean_up(&self) -> String {
        if self.is_foreseen() {
            return "it does its own clean-up".to_owned();
        }
        let Some(entry) = self.entry else { return CLEANS_UP.to_owned() };
        let of_kind = |text: &'static str| clauses_about(text, &self.first().kind);
        let destroys = entry.if_finished.and_then(of_kind).map(|text| format!("; when it has finished, {text}"));
        // What it guards stands beside the cause.
        destroys.map_or_else(|| CLEANS_UP.to_owned(), |destroys| format!("it does its clean-up{destroys}"))
    }

    /// The product's own way out, for the end of a title.
    pub(super) fn own_way(&self) -> String {
        self.entry.map(|entry| format!(": {}", entry.way_out)).unwrap_or_default()
    }

    /// A repair after which the controller does its clean-up.
    pub(super) fn by_hand(&self, title: impl Into<Sentence>) -> Remedy {
        let clean_up = if self.is_foreseen() { CLEANS_UP.to_owned() } else { self.clean_up() };
        Remedy::manual(title, clean_up)
    }

    /// The checks that did not find the reason: those that the reason names, and what was noticed beside them.
    pub(super) fn looked_at(&self, first: Sentence) -> Option<Sentence> {
        let found = self.found;
        let first = match &found.lead {
            Some(lead) => lead.clone().then("; otherwise ").then(first),
            None => first,
        };
        let more = found.aside.iter().take(2).cloned().chain(found.unread.first().cloned());
        let all = more.fold(first, |all, more| if all.is_empty() { more } else { all.then("; ").then(more) });
        (!all.is_empty()).then_some(all)
    }

    /// The places that were searched for the words of a workload.
    pub(super) fn searched(&self, workload: &Ref) -> Sentence {
        let log = match self.found {
            found if found.log_is_read => ", and its log",
            found if found.log_is_unread => ", not its log, which could not be read (-o wide says why)",
            _ => ", not its log (--logs reads it)",
        };
        Sentence::from("the conditions and events of the object, and the pods of ").then(workload).then(log)
    }

    /// An object that should be deleted by now, if another deletion is foreseen.
    pub(super) fn overdue(&self) -> Option<Ref> {
        let late = self.objects.iter().find(|seen| is_late(seen.object, self.facts, IS_LATE));
        late.filter(|_| self.is_foreseen()).map(|seen| (*seen).into())
    }
}
