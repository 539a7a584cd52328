//! Findings about pods on a node without a machine: a workload is its kubelet, and the pods' work runs
//! elsewhere. There is no machine to power off, and the work does not end when a pod is force-deleted from
//! the API.

use crate::facts::{Facts, Known};
use crate::findings::start;
use crate::kubernetes::kubelet::PodEvent;
use crate::kubernetes::kubelet::pods::{pods_in_words, pods_wait};
use crate::kubernetes::kubelet::virtual_kubelet::VirtualKubelet;
use crate::kubernetes::workloads::health::Health;
use crate::needs::Draft;
use crate::plan::{full_name, quote};
use crate::report::{Ref, Remedy, Sentence};
use crate::survey::Seen;

/// The effect of the kubelet's return.
const ENDS: &str = "nothing is lost: it ends the work that the pods represent, and confirms that";

/// Completes the finding that `pods` wait for the virtual node `node`, about which `trouble` was reported.
pub(crate) fn completed(
    draft: Draft,
    pods: &[Ref],
    node: &Ref,
    kubelet: &VirtualKubelet<'_>,
    trouble: Option<&PodEvent>,
    facts: &Facts<'_>,
) -> Known<Draft> {
    let VirtualKubelet { sign: (sign, field), workload, why } = kubelet;
    let who = format!("{} for virtual node {}", pods_wait(pods), node.name);
    let draft = draft.evidence(sign, node, field);
    let draft = match workload {
        Some((seen, health)) => {
            let named = Ref::from(*seen);
            let draft = draft.evidence(why, &named, "").waits_for(named);
            by_health(draft, &who, node, (*seen, health), trouble, facts)?
        }
        None => draft
            .likely()
            .says(format!("{who}, whose kubelet does not run on a machine; its workload was not found"))
            .remedy(Remedy::command(
                format!("find the workload that is the kubelet of node {}, and check whether it is running", node.name),
                format_args!("kubectl get {} -o yaml", quote(&node.kubectl())),
                ENDS,
            )),
    };
    Ok(draft.remedy(do_not_force(pods)))
}

/// Completes the finding by the health of the kubelet's workload.
fn by_health(
    draft: Draft,
    who: &str,
    node: &Ref,
    (seen, health): (Seen<'_>, &Health<'_>),
    trouble: Option<&PodEvent>,
    facts: &Facts<'_>,
) -> Known<Draft> {
    let workload = Ref::from(seen);
    let name = full_name(&workload);
    let look =
        |what: &str| Remedy::command(format!("{what} {workload}"), format_args!("kubectl describe {name}"), ENDS);
    let is = format!("{who}: its kubelet is {workload}, ");
    Ok(match health {
        Health::ScaledToZero => draft.says(is + "which is scaled to 0").remedy(start::server(
            seen,
            &format!("the kubelet of node {} runs again and ends its pods", node.name),
            facts,
        )?),
        Health::Down(down) => draft
            .says(Sentence::from(is + "which has no Ready pod: ").then(Sentence::reason(&down.reason)))
            .remedy(look("repair")),
        Health::Unread(text) => draft
            .likely()
            .says(is + "whose pods could not be read")
            .remark(text.clone())
            .remedy(look("check whether it is running:")),
        Health::Runs(_) if let Some(trouble) = trouble => draft
            .likely()
            .says(
                Sentence::from(is + "which runs and reports: ")
                    .then(Sentence::reason(Sentence::default().reported(&trouble.message))),
            )
            .remedy(look("fix what it reports, and check")),
        Health::Runs(running) => draft
            .likely()
            .says(is + "which runs and has not confirmed their end")
            .remark(format!("its pod {} is Ready", running.first().map_or("", |pod| pod.name())))
            .remedy(Remedy::command(
                format!("check what {workload} logs about it"),
                format_args!("kubectl logs {name} --all-containers --since=10m"),
                ENDS,
            )),
    })
}

fn do_not_force(pods: &[Ref]) -> Remedy {
    Remedy::warning(
        format!("do not force-delete {}", pods_in_words(pods)),
        "what the pod started outside the cluster would keep running and cost money",
    )
}
