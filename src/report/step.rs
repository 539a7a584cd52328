//! One write, as it is printed and kept in the journal; `plan` says what it does.

use super::Ref;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One write. Built only by the constructors in `plan::steps`, which fill in the
/// kubectl command that it equals.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Step {
    /// What is done.
    pub kind: StepKind,
    /// To which object, by its uid.
    pub object: Ref,
    /// With which finalizer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalizer: Option<String>,
    /// Which entry of it is changed: a webhook by its name, or a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The value of the field that is changed, as it was shown: only where it is still the same
    /// the step is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The kubectl command that does the same.
    pub command: String,
    /// Which entry of a list the command takes off: one that was taken off before it moves this one.
    #[serde(skip)]
    pub place: Option<usize>,
}

/// The closed list of what the program may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum StepKind {
    /// Scale a workload from 0 replicas to 1.
    ScaleWorkload,
    /// Delete an `APIService` that is unavailable.
    DeleteApiService,
    /// Have the API server go on when one admission webhook cannot be asked.
    IgnoreWebhook,
    /// Delete a webhook configuration whose backends are gone for good.
    DeleteWebhookConfiguration,
    /// Have one binding of an admission policy refuse no longer.
    RelaxPolicyBinding,
    /// Set the conversion of a `CustomResourceDefinition` to `None` for a while.
    ConversionNone,
    /// Touch a namespace so that its controller looks at once.
    NudgeNamespace,
    /// Delete again in the background, which takes off a finalizer of the garbage
    /// collector.
    DropGarbageCollectorFinalizer,
    /// Take one owner reference off an object, which no owner can answer to.
    DropOwnerReference,
    /// Declare a node out of service, so that the control plane lets go of its pods
    /// and volumes.
    TaintOutOfService,
    /// Take a pod out of the API without its kubelet's word.
    ForceDeletePod,
    /// Create a namespace again in which objects are stranded.
    RecreateNamespace,
    /// Delete a stranded object, or the namespace that was created again.
    DeleteObject,
    /// Delete an object because the user asked for it (`--delete`), or because it must
    /// go before what was asked for.
    DeleteOnRequest,
    /// Remove one finalizer from one object.
    RemoveFinalizer,
    /// Remove one entry of a namespace's `spec.finalizers`.
    FinalizeNamespace,
}
