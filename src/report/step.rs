//! One write, as it is printed and recorded in the journal; `plan` carries it out.

use super::Ref;
use crate::survey::Cascade;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One write. Only the constructors in `plan::steps` build it; they fill in the equivalent kubectl
/// command.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(into = "FlatStep", try_from = "FlatStep")]
#[must_use]
pub struct Step {
    /// The action with its parameters.
    pub action: Action,
    /// The object, by its uid.
    pub object: Ref,
    /// The equivalent kubectl command.
    pub command: String,
    /// The index of the list entry that the command removes. It shifts when an earlier entry is removed.
    pub place: Option<usize>,
}

/// A step in JSON: all fields on one level.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Step"))]
struct FlatStep {
    /// The kind of write.
    kind: StepKind,
    /// The object, by its uid.
    object: Ref,
    #[serde(flatten)]
    parameters: Parameters,
    /// The equivalent kubectl command.
    command: String,
}

/// The parameters of a step besides its object, as in its JSON.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Parameters {
    /// The finalizer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalizer: Option<String>,
    /// The entry that is changed: a webhook by its name, or a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The value of the changed field as it was shown. The step is written only if the value is still
    /// the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

impl From<Step> for FlatStep {
    fn from(step: Step) -> Self {
        let (kind, parameters) = (step.kind(), step.action.parameters());
        Self { kind, object: step.object, parameters, command: step.command }
    }
}

impl TryFrom<FlatStep> for Step {
    type Error = String;

    fn try_from(flat: FlatStep) -> Result<Self, String> {
        let action = Action::of(flat.kind, flat.parameters).ok_or("its parameters are not those of its kind")?;
        Ok(Self { action, object: flat.object, command: flat.command, place: None })
    }
}

impl Step {
    /// The kind of this step.
    #[must_use]
    pub fn kind(&self) -> StepKind {
        self.action.kind()
    }
}

/// Declares the kinds of steps, each with its parameters and the field of [`Parameters`] that holds
/// each of them.
macro_rules! actions {
    ($($(#[$doc:meta])+ $kind:ident { $($(#[$about:meta])+ $field:ident: $type:ty as $written:ident,)* })+) => {
        $($(#[$doc])+
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $kind { $($(#[$about])+ pub $field: $type,)* }

        impl From<$kind> for Action {
            fn from(action: $kind) -> Self {
                Self::$kind(action)
            }
        })+

        /// The action of a step, with its parameters.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[$doc])+ $kind($kind),)+ }

        /// The closed list of writes that the program can make.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum StepKind { $($(#[$doc])+ $kind,)+ }

        impl Action {
            fn kind(&self) -> StepKind {
                match self { $(Self::$kind(_) => StepKind::$kind,)+ }
            }

            /// The parameters as they are written.
            #[must_use]
            pub fn parameters(&self) -> Parameters {
                match self { $(Self::$kind($kind { $($field,)* }) => Parameters {
                    $($written: $field.written(),)* ..Parameters::default()
                },)+ }
            }

            /// The action of this kind; `None` if the parameters do not fit it.
            fn of(kind: StepKind, parameters: Parameters) -> Option<Self> {
                Some(match kind { $(StepKind::$kind => $kind {
                    $($field: Parameter::read(parameters.$written)?,)*
                }.into(),)+ })
            }
        }
    };
}

actions! {
    /// Scale a workload from 0 replicas to 1.
    ScaleWorkload {
        /// The number of replicas that was shown.
        shown: Value as value,
    }
    /// Delete an `APIService` that is unavailable.
    DeleteApiService {
        /// The Service that it named.
        shown: Value as value,
    }
    /// Let the API server continue when one admission webhook cannot be called.
    IgnoreWebhook {
        /// The name of the webhook.
        webhook: String as entry,
        /// The failurePolicy that was shown.
        shown: Value as value,
    }
    /// Delete a webhook configuration whose backends are gone for good.
    DeleteWebhookConfiguration {
        /// Its webhooks, and the Service that each of them called.
        shown: Value as value,
    }
    /// Stop one binding of an admission policy from refusing requests.
    RelaxPolicyBinding {
        /// The check to turn off.
        relax: Relax as entry,
        /// The value of the field that was shown.
        shown: Value as value,
    }
    /// Set the conversion of a `CustomResourceDefinition` to `None` for a while.
    ConversionNone {
        /// The conversion that was shown.
        shown: Value as value,
    }
    /// Annotate a namespace so that its controller checks it at once.
    NudgeNamespace {}
    /// Delete again in the background, which removes a finalizer of the garbage
    /// collector.
    DropGarbageCollectorFinalizer {
        /// `foregroundDeletion` or `orphan`.
        finalizer: String as finalizer,
    }
    /// Remove an owner reference that no object can satisfy.
    DropOwnerReference {
        /// The owner that it names.
        owner: NamedOwner as entry,
    }
    /// Declare a node out of service, so that the control plane releases its pods and volumes.
    TaintOutOfService {}
    /// Delete a pod from the API without the confirmation of its kubelet.
    ForceDeletePod {}
    /// Create again a namespace in which objects are stranded.
    RecreateNamespace {}
    /// Delete a stranded object, or the namespace that was created again.
    DeleteObject {}
    /// Delete an object because the user requested it (`--delete`), or because it must be deleted
    /// before the targets.
    DeleteOnRequest {
        /// What happens to its dependents.
        cascade: Cascade as entry,
    }
    /// Remove one finalizer from one object.
    RemoveFinalizer {
        /// The finalizer.
        finalizer: String as finalizer,
    }
    /// Remove one entry of a namespace's `spec.finalizers`.
    FinalizeNamespace {
        /// The entry.
        finalizer: String as finalizer,
        /// Whether to remove it regardless of what is in the namespace.
        force: Force as entry,
    }
}

/// The check that a binding of an admission policy no longer makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relax {
    /// Refusing requests that violate its policy.
    Denial,
    /// Refusing all requests when its parameter does not exist.
    MissingParameter,
}

impl Relax {
    /// The pointer of the changed field.
    #[must_use]
    pub fn pointer(self) -> &'static str {
        match self {
            Self::Denial => "/spec/validationActions",
            Self::MissingParameter => "/spec/paramRef/parameterNotFoundAction",
        }
    }

    /// The changed field, as a path below `spec`.
    #[must_use]
    pub fn field(self) -> &'static str {
        self.pointer().trim_start_matches("/spec/")
    }
}

/// An owner as an ownerReference names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NamedOwner {
    /// Its kind and name.
    pub called: String,
    /// Its uid.
    pub uid: String,
}

/// Whether to skip the check that normally precedes a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Force(pub bool);

/// A value that can be written in a field of [`Parameters`].
trait Parameter<Written>: Sized {
    fn written(&self) -> Option<Written>;

    /// `None` if nothing was written.
    fn read(written: Option<Written>) -> Option<Self>;
}

impl Parameter<Self> for String {
    fn written(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn read(written: Option<Self>) -> Option<Self> {
        written
    }
}

/// Earlier versions wrote no value: their steps are only undone.
impl Parameter<Self> for Value {
    fn written(&self) -> Option<Self> {
        (!self.is_null()).then(|| self.clone())
    }

    fn read(written: Option<Self>) -> Option<Self> {
        Some(written.unwrap_or_default())
    }
}

impl Parameter<String> for Cascade {
    fn written(&self) -> Option<String> {
        Some(self.policy().into())
    }

    fn read(written: Option<String>) -> Option<Self> {
        [Self::Background, Self::Foreground, Self::Orphan].into_iter().find(|cascade| cascade.written() == written)
    }
}

impl Parameter<String> for Relax {
    fn written(&self) -> Option<String> {
        Some(self.field().into())
    }

    fn read(written: Option<String>) -> Option<Self> {
        [Self::Denial, Self::MissingParameter].into_iter().find(|relax| relax.written() == written)
    }
}

impl Parameter<String> for NamedOwner {
    fn written(&self) -> Option<String> {
        Some(format!("{}, uid {}", self.called, self.uid))
    }

    fn read(written: Option<String>) -> Option<Self> {
        let written = written?;
        let (called, uid) = written.rsplit_once(", uid ")?;
        Some(Self { called: called.into(), uid: uid.into() })
    }
}

impl Parameter<String> for Force {
    fn written(&self) -> Option<String> {
        self.0.then(|| "by force".into())
    }

    fn read(written: Option<String>) -> Option<Self> {
        [Self(false), Self(true)].into_iter().find(|force| force.written() == written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_with_wrong_parameters_for_its_kind_is_refused() {
        let read = |kind: &str, parameters: &str| {
            let step =
                format!(r#"{{"kind":"{kind}",{parameters}"object":{{"kind":"A","name":"a"}},"command":"kubectl"}}"#);
            serde_json::from_str::<Step>(&step).map(|step| step.kind()).ok()
        };
        assert_eq!(read("RemoveFinalizer", r#""finalizer":"a.io/x","#), Some(StepKind::RemoveFinalizer));
        assert_eq!(read("DeleteOnRequest", r#""entry":"Orphan","#), Some(StepKind::DeleteOnRequest));
        assert_eq!(read("ConversionNone", ""), Some(StepKind::ConversionNone), "earlier versions wrote no value");
        for (kind, parameters) in [
            ("RemoveFinalizer", ""),
            ("DeleteOnRequest", r#""entry":"Later","#),
            ("RelaxPolicyBinding", r#""entry":"spec","#),
            ("DropOwnerReference", r#""entry":"Widget w","#),
            ("FinalizeNamespace", r#""finalizer":"kubernetes","entry":"gently","#),
            ("SomethingNewer", ""),
        ] {
            assert_eq!(read(kind, parameters), None, "{kind}: {parameters}");
        }
    }
}
