//! The steps, one file each: the constructor, the guard, the request, the verification, and the
//! undo.

pub mod conversion_none;
pub mod delete_api_service;
pub mod delete_object;
pub mod delete_on_request;
pub mod delete_webhook_configuration;
pub mod drop_garbage_collector_finalizer;
pub mod drop_owner_reference;
pub mod finalize_namespace;
pub mod force_delete_pod;
pub mod ignore_webhook;
pub mod nudge_namespace;
pub mod recreate_namespace;
pub mod relax_policy_binding;
pub mod remove_finalizer;
pub mod scale_workload;
pub mod taint_out_of_service;

use super::Behaviour;
use crate::report::Action;

/// The table of the steps: the behaviour of each kind.
pub(super) fn behaviour(action: &Action) -> &dyn Behaviour {
    match action {
        Action::ScaleWorkload(it) => it,
        Action::DeleteApiService(it) => it,
        Action::IgnoreWebhook(it) => it,
        Action::DeleteWebhookConfiguration(it) => it,
        Action::RelaxPolicyBinding(it) => it,
        Action::ConversionNone(it) => it,
        Action::NudgeNamespace(it) => it,
        Action::DropGarbageCollectorFinalizer(it) => it,
        Action::DropOwnerReference(it) => it,
        Action::TaintOutOfService(it) => it,
        Action::ForceDeletePod(it) => it,
        Action::RecreateNamespace(it) => it,
        Action::DeleteObject(it) => it,
        Action::DeleteOnRequest(it) => it,
        Action::RemoveFinalizer(it) => it,
        Action::FinalizeNamespace(it) => it,
    }
}

#[cfg(test)]
pub(crate) mod lives;
#[cfg(all(test, unix))]
mod operands;
#[cfg(test)]
mod tests;
