//! Which reason a judgement about a controller gives.

use super::{
    agent_down, at_work, awaits_confirmation, cannot_create, cleanup_job_stuck, confined_to_namespace, controller_down,
    controller_gone, controller_says, controller_unknown, dangling_reference, dependency_missing,
    driver_not_registered, failing_reference, gives_no_reason, in_use, kind_not_served, no_agent, no_longer_referenced,
    node_gone, not_its_turn, not_leader, of_another_class, out_of_scope, paused, permissions_missing, reported,
    said_before_restart, says_only_that_it_fails, scaled_to_zero, started_too_early, tenant_permissions_missing,
    waits_for_others, waits_for_what_is_gone, writes_refused,
};
use crate::kubernetes::progress::reasons::{LooksAway, NotThere};
use crate::kubernetes::progress::{Explanation, Judgement};

/// The name of the reason.
pub(super) fn name_of(found: &Judgement<'_>) -> &'static str {
    let reason = match &found.why {
        Explanation::Gone { .. } => controller_gone::REASON,
        Explanation::ScaledToZero(_) => scaled_to_zero::REASON,
        Explanation::Down { .. } => controller_down::REASON,
        Explanation::NotThere(NotThere::NodeGone(_)) => node_gone::REASON,
        Explanation::NotThere(NotThere::NoAgent { .. } | NotThere::NoAgentInZone { .. }) => no_agent::REASON,
        Explanation::NotThere(NotThere::AgentDown { .. } | NotThere::NamedPodDown { .. }) => agent_down::REASON,
        Explanation::NotThere(NotThere::NoDriver { .. }) => driver_not_registered::REASON,
        Explanation::NotThere(NotThere::HolderGone { .. } | NotThere::LedByAnother { .. }) => not_leader::REASON,
        Explanation::LooksAway(LooksAway::Paused(_)) => paused::REASON,
        Explanation::LooksAway(LooksAway::Outside { .. }) => out_of_scope::REASON,
        Explanation::LooksAway(LooksAway::Confined { .. }) => confined_to_namespace::REASON,
        Explanation::LooksAway(LooksAway::TooEarly { .. }) => started_too_early::REASON,
        Explanation::LooksAway(LooksAway::Unconfirmed { .. }) => awaits_confirmation::REASON,
        Explanation::LooksAway(LooksAway::OfAnotherClass { .. }) => of_another_class::REASON,
        Explanation::LostRights { .. } => permissions_missing::REASON,
        Explanation::Barred { .. } => writes_refused::REASON,
        Explanation::Tenant(_) => tenant_permissions_missing::REASON,
        Explanation::Missing { .. } => dependency_missing::REASON,
        Explanation::Lacks { .. } => dangling_reference::REASON,
        Explanation::NoKind(_) => kind_not_served::REASON,
        Explanation::Outlived(_) => waits_for_what_is_gone::REASON,
        Explanation::Unreferred { .. } => no_longer_referenced::REASON,
        Explanation::Blocked(_) => waits_for_others::REASON,
        Explanation::InUse(_) => in_use::REASON,
        Explanation::Unwell { .. } => failing_reference::REASON,
        Explanation::CleanupJob(_) => cleanup_job_stuck::REASON,
        Explanation::CannotCreate => cannot_create::REASON,
        Explanation::Says(_) => controller_says::REASON,
        Explanation::SaysOnly(_) => says_only_that_it_fails::REASON,
        Explanation::Hearsay(_) if found.has_stopped_elsewhere() => controller_down::REASON,
        Explanation::Hearsay(_) => reported::REASON,
        Explanation::Working(_) => at_work::REASON,
        Explanation::Idle => gives_no_reason::REASON,
        Explanation::Hindered(_) => not_its_turn::REASON,
        Explanation::SaidBefore(_) => said_before_restart::REASON,
        Explanation::Unknown => controller_unknown::REASON,
    };
    reason.name
}
