//! The rules: one file per cause, each with its explanation beside it.
//!
//! A rule reads facts and adds findings. It never fetches, never prints and never reads the clock.
//! `?` on a fact that was not surveyed yet ends the rule for this round; it runs again with the
//! fact. No rule calls another: judgements that several rules need are in [`crate::kubernetes`],
//! and texts that several rules use are in [`crate::findings`].
//!
//! `tests/new-rule NAME` begins one; CONTRIBUTING.md says what belongs to it.

mod aggregated_api_fails;
mod apiservice_unavailable;
mod attributes_class_in_use;
mod claim_in_use;
mod content_hidden;
mod content_remains;
mod content_unreadable;
mod controller_manager_down;
mod controller_refused;
mod conversion_webhook_dead;
mod crd_waits_for_instances;
mod creation_refused;
mod dangling_owner;
mod deletion_in_progress;
mod deletion_refused;
mod discovery_stale;
mod eviction_refused;
mod finalizer_removal_refused;
mod finished_pod_held;
mod foreground_deletion_waits;
mod garbage_collector_blind;
mod garbage_collector_idle;
mod held_by_finalizer;
mod kubelet_does_not_confirm;
mod kubelet_silent;
mod made_again;
mod namespace_controller_waits;
mod namespace_controller_without_rights;
mod namespace_held_by_finalizer;
mod namespace_spec_finalizer;
mod not_deleting;
mod older_than_its_definition;
mod older_than_its_namespace;
mod orphan_not_handled;
mod owner_out_of_reach;
mod ownership_ring;
mod pod_grace_period;
mod pod_node_gone;
mod pod_node_not_ready;
mod pods_first;
mod resource_claim_in_use;
mod ring_of_waits;
mod schema_refuses_update;
mod service_range_in_use;
mod snapshot_in_the_way;
mod static_pod;
mod stored_version_missing;
mod stranded_in_missing_namespace;
mod volume_still_attached;
mod volume_still_bound;

/// The template of a rule for `tests/new-rule`, which is compiled like every rule.
#[cfg(test)]
#[path = "../../tests/template/your_rule.rs"]
mod template;

use crate::facts::Facts;
use crate::knowledge::explain::Pages;
use crate::needs::Rule;
use crate::reasons;
use crate::survey::Survey;

/// All rules, in the order of repair: findings whose repair frees most and costs least come first. In a report,
/// this order decides among causes for which as many targets wait, and for as long.
pub static RULES: &[Rule] = &[
    stranded_in_missing_namespace::RULE,
    made_again::RULE,
    not_deleting::RULE,
    dangling_owner::RULE,
    creation_refused::RULE,
    apiservice_unavailable::RULE,
    discovery_stale::RULE,
    aggregated_api_fails::RULE,
    conversion_webhook_dead::RULE,
    stored_version_missing::RULE,
    content_unreadable::RULE,
    deletion_refused::RULE,
    finalizer_removal_refused::RULE,
    controller_refused::RULE,
    controller_manager_down::RULE,
    namespace_controller_without_rights::RULE,
    pod_grace_period::RULE,
    pod_node_gone::RULE,
    pod_node_not_ready::RULE,
    kubelet_silent::RULE,
    static_pod::RULE,
    kubelet_does_not_confirm::RULE,
    finished_pod_held::RULE,
    resource_claim_in_use::RULE,
    snapshot_in_the_way::RULE,
    claim_in_use::RULE,
    volume_still_attached::RULE,
    volume_still_bound::RULE,
    attributes_class_in_use::RULE,
    service_range_in_use::RULE,
    eviction_refused::RULE,
    ring_of_waits::RULE,
    schema_refuses_update::RULE,
    held_by_finalizer::RULE,
    older_than_its_namespace::RULE,
    older_than_its_definition::RULE,
    ownership_ring::RULE,
    owner_out_of_reach::RULE,
    garbage_collector_blind::RULE,
    garbage_collector_idle::RULE,
    orphan_not_handled::RULE,
    foreground_deletion_waits::RULE,
    crd_waits_for_instances::RULE,
    content_hidden::RULE,
    pods_first::RULE,
    content_remains::RULE,
    namespace_held_by_finalizer::RULE,
    namespace_spec_finalizer::RULE,
    namespace_controller_waits::RULE,
    deletion_in_progress::RULE,
];

/// The facts of `survey`, with the finalizers that belong to one rule.
#[must_use]
pub fn facts(survey: &Survey) -> Facts<'_> {
    Facts::new(survey).with_owned(RULES.iter().flat_map(|rule| rule.owns).copied())
}

/// The names and explanations of the rules and the reasons, for `explain`.
#[must_use]
pub fn explanations() -> Pages<'static> {
    let rules = RULES.iter().map(|rule| (rule.name, rule.explanation)).collect();
    Pages { rules, reasons: reasons::explanations() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_rule_file_is_in_the_list_and_has_an_explanation() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules");
        let files = |extension: &str| -> BTreeSet<String> {
            std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|found| found == extension))
                .map(|path| path.file_stem().unwrap().to_string_lossy().replace('_', "-"))
                .filter(|stem| stem != "mod" && stem != "support")
                .collect()
        };
        let listed: BTreeSet<String> = RULES.iter().map(|rule| rule.name.to_owned()).collect();
        assert_eq!(files("rs"), listed);
        assert_eq!(files("md"), listed);
        assert_eq!(listed.len(), RULES.len(), "a name is used twice");
        assert!(!listed.contains(template::RULE.name), "the template is no rule");
    }
}
