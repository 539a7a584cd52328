//! The steps, one file each: how it is built, what must still be true before
//! it, the request that it is, and what must be true after it.

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
