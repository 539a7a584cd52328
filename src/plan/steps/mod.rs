//! The steps, one file each: how it is built, what must still be true before
//! it, the request that it is, what must be true after it, and how it is undone.

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

use super::action::Action;
use crate::report::StepKind;

/// The table of the steps: who speaks for which kind.
pub(super) fn action(kind: StepKind) -> &'static dyn Action {
    match kind {
        StepKind::ScaleWorkload => &scale_workload::ScaleWorkload,
        StepKind::DeleteApiService => &delete_api_service::DeleteApiService,
        StepKind::IgnoreWebhook => &ignore_webhook::IgnoreWebhook,
        StepKind::DeleteWebhookConfiguration => &delete_webhook_configuration::DeleteWebhookConfiguration,
        StepKind::RelaxPolicyBinding => &relax_policy_binding::RelaxPolicyBinding,
        StepKind::ConversionNone => &conversion_none::ConversionNone,
        StepKind::NudgeNamespace => &nudge_namespace::NudgeNamespace,
        StepKind::DropGarbageCollectorFinalizer => &drop_garbage_collector_finalizer::DropGarbageCollectorFinalizer,
        StepKind::DropOwnerReference => &drop_owner_reference::DropOwnerReference,
        StepKind::TaintOutOfService => &taint_out_of_service::TaintOutOfService,
        StepKind::ForceDeletePod => &force_delete_pod::ForceDeletePod,
        StepKind::RecreateNamespace => &recreate_namespace::RecreateNamespace,
        StepKind::DeleteObject => &delete_object::DeleteObject,
        StepKind::DeleteOnRequest => &delete_on_request::DeleteOnRequest,
        StepKind::RemoveFinalizer => &remove_finalizer::RemoveFinalizer,
        StepKind::FinalizeNamespace => &finalize_namespace::FinalizeNamespace,
    }
}

#[cfg(all(test, unix))]
mod operands;
#[cfg(test)]
pub(crate) mod tests;
