//! Nobody has asked for the deletion of this object.

use crate::facts::{Facts, Known, Target};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::quote;
use crate::report::Cause;

pub(super) const RULE: Rule =
    Rule { name: "not-deleting", explanation: include_str!("not_deleting.md"), explains: &[Explains::Done(diagnose)] };

/// The namespaces that the API server never lets go (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go`).
const IMMORTAL: [&str; 3] = ["default", "kube-system", "kube-public"];

#[expect(clippy::unnecessary_wraps, reason = "every rule has this shape")]
fn diagnose(target: &Target<'_>, _: &Facts<'_>, found: &mut Findings) -> Known {
    if !target.is_deleting() {
        found.add(draft(target));
    }
    Ok(())
}

fn draft(target: &Target<'_>) -> Draft {
    let object = target.reference();
    let field = "metadata.deletionTimestamp";
    let evidence = "no deletionTimestamp: no DELETE was accepted";
    if target.is_namespace() && IMMORTAL.contains(&object.name.as_str()) {
        return Draft::new(
            Cause::NotDeleting,
            object.clone(),
            format!("{object} is not being deleted, and never will be"),
        )
        .evidence(evidence, &object, field)
        .remark(
            "the API server refuses to delete it: \"this namespace may not be deleted\"; what is in it can be deleted",
        );
    }
    let draft = Draft::new(Cause::NotDeleting, object.clone(), format!("{object} is not being deleted"));
    let draft = draft.evidence(evidence, &object, field);
    if target.is_namespace() {
        let name = quote(&object.name);
        draft.remark(format!("whether a DELETE would be accepted: kubectl delete namespace {name} --dry-run=server"))
    } else {
        draft
    }
}
