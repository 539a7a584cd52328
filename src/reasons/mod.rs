//! Why the controller of a finalizer has not released its objects: one file per reason, each with its page
//! beside it.
//!
//! `waits` words the finding about objects that wait, and `foreseen` the forecast.

#![expect(clippy::unnecessary_wraps, reason = "every question has the same type")]

mod advice;
mod agent_down;
mod agent_place;
mod answer;
mod asked;
mod at_work;
mod awaits_confirmation;
mod cannot_create;
mod case;
mod cleanup_job_stuck;
mod common;
mod confined_to_namespace;
mod controller_deleted_first;
mod controller_down;
pub(crate) mod controller_gone;
mod controller_says;
pub(crate) mod controller_unknown;
mod dangling_reference;
mod dependency_missing;
pub(crate) mod drains;
pub(crate) mod driver;
mod driver_not_registered;
mod failing_reference;
pub(crate) mod foreseen;
mod found_reason;
pub(crate) mod gives_no_reason;
mod grant;
pub(crate) mod in_use;
pub(crate) mod judgement;
mod kind_not_served;
pub(crate) mod let_through;
mod marks;
mod missing_object;
pub(crate) mod next_layer;
mod no_agent;
mod no_longer_referenced;
mod node_gone;
mod not_its_turn;
mod not_late_yet;
mod not_leader;
mod of_another_class;
mod older_entry;
pub(crate) mod order;
mod others;
mod out_of_scope;
mod paused;
mod permissions_missing;
mod place;
mod profile;
mod protection;
mod questions;
mod quoted;
mod reason;
mod reported;
mod run;
mod said_before_restart;
mod says_only_that_it_fails;
mod scaled_to_zero;
mod search;
mod set_by_hand;
mod silent;
mod spoken;
mod started_too_early;
mod statement_times;
mod tenant_permissions_missing;
mod unsaid;
mod usual;
pub(crate) mod waits;
mod waits_for_others;
mod waits_for_what_is_gone;
mod work;
mod writes_refused;

/// The template of a reason for `tests/new-reason`, which is compiled like every reason.
#[cfg(test)]
#[path = "../../tests/template/your_reason.rs"]
mod template;

use crate::facts::{Facts, Known};
use crate::kubernetes::finalizers::HeldObjects;
use judgement::Judgement;
use questions::Questions;
pub use reason::{NamedReason, Stage};

/// All reasons, in the order in which they are asked about.
pub static REASONS: &[NamedReason] = &[
    controller_gone::REASON,
    set_by_hand::REASON,
    scaled_to_zero::REASON,
    controller_down::REASON,
    controller_deleted_first::REASON,
    node_gone::REASON,
    no_agent::REASON,
    agent_down::REASON,
    driver_not_registered::REASON,
    not_leader::REASON,
    paused::REASON,
    awaits_confirmation::REASON,
    out_of_scope::REASON,
    confined_to_namespace::REASON,
    of_another_class::REASON,
    started_too_early::REASON,
    permissions_missing::REASON,
    tenant_permissions_missing::REASON,
    writes_refused::REASON,
    cannot_create::REASON,
    dependency_missing::REASON,
    kind_not_served::REASON,
    waits_for_others::REASON,
    waits_for_what_is_gone::REASON,
    controller_says::REASON,
    reported::REASON,
    says_only_that_it_fails::REASON,
    dangling_reference::REASON,
    failing_reference::REASON,
    older_entry::REASON,
    cleanup_job_stuck::REASON,
    in_use::REASON,
    no_longer_referenced::REASON,
    at_work::REASON,
    not_late_yet::REASON,
    not_its_turn::REASON,
    said_before_restart::REASON,
    gives_no_reason::REASON,
    controller_unknown::REASON,
];

/// The questions of all reasons.
static QUESTIONS: Questions = Questions {
    running: &[
        &[
            not_leader::ask,
            place::ask_on_node,
            paused::ask,
            awaits_confirmation::ask,
            confined_to_namespace::ask,
            of_another_class::ask,
            started_too_early::ask,
        ],
        &[place::ask_named_pod],
        &[permissions_missing::ask, writes_refused::ask, tenant_permissions_missing::ask],
    ],
    words: &[
        &[
            cannot_create::ask,
            dependency_missing::ask,
            kind_not_served::ask,
            waits_for_others::ask,
            dangling_reference::ask_said_absent,
        ],
        &[
            dependency_missing::ask_of_sources,
            waits_for_others::ask_without_kind,
            waits_for_what_is_gone::ask,
            waits_for_others::ask_partners,
            reported::ask,
            controller_says::ask,
            dangling_reference::ask_host,
            says_only_that_it_fails::ask,
            waits_for_others::ask_partners_going,
        ],
    ],
    unsaid: &[
        not_leader::ask_leaderless,
        at_work::ask,
        controller_unknown::ask,
        reported::ask_standing,
        dangling_reference::ask_lacking,
        kind_not_served::ask_named,
        permissions_missing::ask_blind,
        waits_for_others::ask_users_going,
        said_before_restart::ask,
    ],
    silent: &[
        &[
            cleanup_job_stuck::ask,
            waits_for_others::ask_recorded_user,
            waits_for_others::ask_parts,
            waits_for_others::ask_pods,
            waits_for_others::ask_group,
            in_use::ask,
        ],
        &[
            reported::ask_about_others,
            scaled_to_zero::ask_sibling,
            place::ask_sibling,
            failing_reference::ask,
            dangling_reference::ask,
            no_longer_referenced::ask,
        ],
        &[older_entry::ask],
    ],
    last: &[writes_refused::ask_trial],
};

/// Finds the controller that removes `finalizer` from `held`, and why it has not.
pub(crate) fn find<'s>(finalizer: &str, held: &HeldObjects<'s>, facts: &Facts<'s>) -> Known<Judgement<'s>> {
    search::find(finalizer, held, facts, &QUESTIONS)
}

/// The names and explanations of the reasons, for `explain`.
#[must_use]
pub fn explanations() -> Vec<(&'static str, &'static str)> {
    REASONS.iter().map(|reason| (reason.name, reason.page)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const _: asked::Ask = template::ask;

    #[test]
    fn every_page_belongs_to_a_reason_in_the_order_of_the_stages() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/reasons");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let pages = files.filter(|path| path.extension().is_some_and(|found| found == "md"));
        let pages: BTreeSet<String> =
            pages.map(|path| path.file_stem().unwrap().to_string_lossy().replace('_', "-")).collect();
        let listed: BTreeSet<String> = REASONS.iter().map(|reason| reason.name.to_owned()).collect();
        assert_eq!(pages, listed);
        assert_eq!(listed.len(), REASONS.len(), "a name is used twice");
        assert!(!listed.contains(template::REASON.name), "the template is no reason");
        assert!(REASONS.is_sorted_by_key(|reason| reason.stage), "the stages come one after the other");
    }
}
