//! Things are left in a terminating namespace that nobody has asked to go,
//! though no pod stands before them: their deletion was refused, or the
//! namespace controller has not begun.

use super::Rule;
use super::support::ago;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Ref, Sweep, Target};
use crate::plan::Remedy;
use crate::survey::Condition;

pub(super) const RULE: Rule =
    Rule { name: "content-remains", explanation: include_str!("content_remains.md"), diagnose };

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(()) };
    if !target.is_settled(facts) {
        return Ok(());
    }
    let content = facts.sweep(namespace)?;
    let pods: Vec<Ref> = content.pods().filter(|pod| !pod.object.is_deleting()).map(Into::into).collect();
    let rest: Vec<Ref> = content.rest().filter(|seen| !seen.object.is_deleting()).map(Into::into).collect();
    // While a pod remains, the rest is not tried: pods_first says so.
    let left = if content.pods().next().is_some() { pods } else { rest };
    let Some(first) = left.first().cloned() else { return Ok(()) };
    let object = target.object();
    let counted = Sweep::count(&left);
    let draft = match object.condition("NamespaceDeletionContentFailure") {
        Some(condition) if condition.status() == "True" => refused(target, &counted, condition),
        // Nothing refuses it, so it was not tried: namespace_controller_waits says so.
        Some(_) => return Ok(()),
        None => unattended(target, &counted, facts),
    };
    found.add(draft.evidence("not asked to go", &first, "metadata.deletionTimestamp").objects(left));
    Ok(())
}

/// The controller tried, and the server's words say why it failed.
fn refused(target: &Target<'_>, counted: &str, condition: Condition<'_>) -> Draft {
    let namespace = target.reference();
    let message = condition.message();
    let admission = message.contains("admission webhook")
        || message.contains("failed calling webhook")
        || message.contains("ValidatingAdmissionPolicy");
    let cause = if admission { Cause::Admission } else { Cause::NamespaceController };
    let by = if admission { "admission refuses their deletion" } else { "their deletion fails" };
    let advice = if admission {
        "repair the webhook or policy that the message names, or its backend: kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicybindings"
    } else {
        "mend what the message names; the namespace controller tries again within 60 seconds"
    };
    Draft::new(cause, namespace.clone(), format!("{counted} left in namespace {}: {by}", namespace.name))
        .likely()
        .evidence(condition.says(), &namespace, "status.conditions[NamespaceDeletionContentFailure]")
        .remedy(Remedy::manual(advice, "nothing is lost"))
}

/// No condition at all: the controller never got to it.
fn unattended(target: &Target<'_>, counted: &str, facts: &Facts<'_>) -> Draft {
    let namespace = target.reference();
    let asked = target.object().deletion_asked().map(|asked| ago(asked, facts)).unwrap_or_default();
    Draft::new(
        Cause::NamespaceController,
        namespace.clone(),
        format!("the namespace controller has not begun with {}: {counted} left", namespace.name),
    )
    .likely()
    .evidence(format!("no conditions, {asked} after the deletion was asked for"), &namespace, "status.conditions")
    .remedy(Remedy::manual(
        "see whether kube-controller-manager runs: kubectl -n kube-system get lease kube-controller-manager",
        "nothing is lost",
    ))
}
