//! Further facts about a node that matter before its machine is given up: the object from which it was made,
//! whether it is part of the control plane, and why its kubelet cannot report.

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::kubelet::certificates::CertificateRequest;
use crate::kubernetes::kubelet::nature::{Nature, others_of_control_plane};
use crate::needs::Draft;
use crate::plan::{full_name, one, quote};
use crate::report::{Ref, Remedy, Sentence};
use crate::survey::Object;

/// Adds the certificates that its kubelet has requested and not received.
pub(crate) fn with_certificates(draft: Draft, requests: &[CertificateRequest]) -> Draft {
    requests.iter().fold(draft, |draft, CertificateRequest { request, signer, refused }| {
        let of = format!("its kubelet has requested a certificate from {signer}");
        match refused {
            Some(why) => draft
                .evidence(
                    Sentence::from(format!("{of}, which was refused: ")).then(Sentence::quoted(why, request)),
                    request,
                    "status.conditions",
                )
                .remedy(Remedy::command(
                    "check why its certificate was refused, and let its kubelet request it again",
                    format_args!("kubectl describe {}", quote(&request.kubectl())),
                    "nothing is lost",
                )),
            None => draft.evidence(format!("{of}; the request is pending"), request, "status.conditions").remedy(
                Remedy::command(
                    "approve the request, if the machine of the node sent it: its kubelet then reports again",
                    format_args!("kubectl certificate approve {}", quote(&request.name)),
                    "whoever sent the request gets the permissions of that node",
                ),
            ),
        }
    })
}

/// Adds the further facts about a node before its machine is given up.
pub(crate) fn with_nature(
    draft: Draft,
    node: &Object,
    named: &Ref,
    nature: &Nature<'_>,
    facts: &Facts<'_>,
) -> Known<Draft> {
    if !nature.control_plane {
        return Ok(draft);
    }
    let others = others_of_control_plane(node, facts).if_readable()?.flatten();
    let others = others.map(|others| format!("; {others} other nodes do")).unwrap_or_default();
    Ok(draft.evidence(format!("runs part of the control plane{others}"), named, "metadata.labels").remedy(
        Remedy::warning(
            format!(
                "before you give up node {}, check that etcd keeps a majority of its members without it",
                named.name
            ),
            "without a majority the API server accepts no writes, and nothing can be deleted",
        ),
    ))
}

/// The remedy if the machine does not exist any more.
pub(crate) fn gone_for_good(named: &Ref, nature: &Nature<'_>) -> Remedy {
    let Some(seen) = nature.made_from else {
        return Remedy::command(
            "delete the node, if its machine no longer exists",
            format_args!("kubectl delete {}", one("node", &named.name)),
            "the pod garbage collector then removes its pods; data is corrupted if the machine is in fact still \
            running",
        );
    };
    let machine = Ref::from(seen);
    if seen.object.is_deleting() {
        return Remedy::command(
            format!("check what holds {machine}, which is being deleted: the node is deleted with it"),
            format_args!("kubectl describe {}", full_name(&machine)),
            "checking loses nothing",
        );
    }
    Remedy::command(
        format!("if the machine will not come back, delete {machine}, which the node belongs to"),
        format_args!("kubectl delete {}", full_name(&machine)),
        "its controller powers the machine off and removes the node; what is on its disks is lost",
    )
}
