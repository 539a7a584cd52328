//! The parameter of a policy, on which its decision depends.

use crate::facts::Facts;
use crate::kubernetes::admission::{Gate, Obstacle};
use crate::kubernetes::messages::admission::Words;
use crate::plan::full_name;
use crate::report::{Named, Ref, Sentence};
use crate::survey::Object;
use serde_json::Value;

/// The parameter of a policy; `None` if it is selected by labels.
pub(super) fn parameter(obstacle: &Obstacle<'_>, facts: &Facts<'_>) -> Option<Ref> {
    let Some(Gate::Policy { policy, binding }) = obstacle.gate else { return None };
    let (version, kind) = kind_of(policy.object)?;
    let resource = facts.discovery().by_kind(version, kind);
    Some(Ref::from(Named {
        api_version: version.into(),
        kind: kind.into(),
        resource: resource.map(|resource| resource.id.plural.clone()).unwrap_or_default(),
        namespace: place_of_parameter(obstacle, facts),
        name: binding.object.text("/spec/paramRef/name")?.into(),
        missing: obstacle.words.as_ref().is_some_and(Words::lacks_parameter),
        ..Named::default()
    }))
}

/// The version and the kind of a policy's parameter.
fn kind_of(policy: &Object) -> Option<(&str, &str)> {
    Some((policy.text("/spec/paramKind/apiVersion")?, policy.text("/spec/paramKind/kind")?))
}

/// The namespace of a policy's parameter, from the binding or from the objects to validate
/// (<https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#parameter-resources>).
pub(super) fn place_of_parameter(obstacle: &Obstacle<'_>, facts: &Facts<'_>) -> Option<String> {
    let Some(Gate::Policy { policy, binding }) = obstacle.gate else { return None };
    let (version, kind) = kind_of(policy.object)?;
    facts.discovery().by_kind(version, kind).filter(|resource| resource.namespaced)?;
    let named = binding.object.text("/spec/paramRef/namespace").map(str::to_owned);
    let own = || obstacle.objects.first().and_then(|seen| seen.object.metadata.namespace.as_deref().map(Into::into));
    named.or_else(own)
}

/// `its parameter ConfigMap ops/limits`, or the labels that select it.
pub(super) fn parameter_in_words(obstacle: &Obstacle<'_>, facts: &Facts<'_>) -> String {
    if let Some(parameter) = parameter(obstacle, facts) {
        return format!("its parameter {parameter}");
    }
    let Some(Gate::Policy { policy, binding }) = obstacle.gate else { return "its parameter".into() };
    let kind = policy.object.text("/spec/paramKind/kind").unwrap_or("object");
    let labels = binding.object.at("/spec/paramRef/selector/matchLabels").and_then(Value::as_object);
    let labels: Vec<String> = labels
        .into_iter()
        .flatten()
        .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
        .collect();
    let place = binding.object.text("/spec/paramRef/namespace").map(|name| format!(" in namespace {name}"));
    let place = place.unwrap_or_default();
    match &labels[..] {
        [] => format!("a {kind}{place} that matches the parameter selector of its binding"),
        labels => format!("a {kind}{place} with label {} as its parameter", labels.join(", ")),
    }
}

/// Tells a person to comply with `who`. For a policy with a parameter, changing the parameter may be the
/// shorter way.
pub(super) fn asked_for(who: &str, obstacle: &Obstacle<'_>, facts: &Facts<'_>) -> Sentence {
    let title = Sentence::from(format!("do what {who} asks for"));
    let Some(parameter) = parameter(obstacle, facts) else { return title };
    let show = format!("kubectl get {} -o yaml", full_name(&parameter));
    title.then(", or change ").then(&parameter).then(", its parameter").by(show)
}
