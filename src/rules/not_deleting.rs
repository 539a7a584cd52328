//! The deletion of this object was not requested.

use crate::facts::{Facts, Known, Readable, Target, is_pod};
use crate::findings::admission::foreseen::{Refuser, would_refuse};
use crate::kubernetes::kubelet::is_mirror;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::full_name;
use crate::plugin::COMMAND;
use crate::report::{Cause, Remedy};

pub(super) const RULE: Rule =
    Rule::new("not-deleting", include_str!("not_deleting.md"), &[Explains::Deleted(diagnose)]);

/// The namespaces that the API server never deletes (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go`).
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if target.is_deleting() || is_pod(target.seen.resource) && is_mirror(target.object()) {
        return Ok(());
    }
    if target.is_namespace() && IMMORTAL.contains(&target.object().name()) {
        found.add(immortal(target));
        return Ok(());
    }
    let draft = draft(target);
    // No deletion was requested, so unread lists are no gap.
    let refusers = would_refuse(target, facts).if_readable()?.unwrap_or_default();
    found.add(refused(draft, &refusers));
    Ok(())
}

const FIELD: &str = "metadata.deletionTimestamp";
const EVIDENCE: &str = "no deletionTimestamp: no DELETE was accepted";

fn immortal(target: &Target<'_>) -> Draft {
    let object = target.reference();
    let summary = format!("{object} is not being deleted, and cannot be");
    Draft::new(Cause::NotDeleting, object.clone(), summary).evidence(EVIDENCE, &object, FIELD).remark(
        "the API server refuses to delete it: \"this namespace may not be deleted\"; its content can be deleted",
    )
}

fn draft(target: &Target<'_>) -> Draft {
    let object = target.reference();
    let name = full_name(&object);
    Draft::new(Cause::NotDeleting, object.clone(), format!("{object} is not being deleted"))
        .evidence(EVIDENCE, &object, FIELD)
        .remedy(Remedy::command(
            "check what would hold it, and in which order to delete",
            format_args!("{COMMAND} preflight {name}"),
            "nothing is lost: this only reads",
        ))
}

/// Adds the gates that would refuse its deletion.
fn refused(draft: Draft, gates: &[Refuser]) -> Draft {
    let Some(first) = gates.first() else { return draft };
    let summary = format!("{}; its deletion {}: {}", draft.summary(), first.how, first.registration);
    gates.iter().fold(draft.says(summary), |draft, gate| draft.evidence(gate.why.clone(), &gate.registration, ""))
}
