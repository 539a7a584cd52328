//! The server of a pod's network volume, if that is a Service of this cluster.

use crate::facts::{Facts, Known, flat_each};
use crate::findings::services::repairs_of;
use crate::kubernetes::mentions::hosts::{UnansweredService, unanswered_address};
use crate::needs::Draft;
use crate::report::Sentence;
use crate::survey::Object;

/// Adds that the server of a volume, a Service of this cluster, does not answer: then writes to the volume
/// hang, and so does the unmount.
pub(crate) fn told(draft: Draft, pod: &Object, facts: &Facts<'_>) -> Known<Draft> {
    let servers = pod.array("/spec/volumes").iter().filter_map(|volume| volume.pointer("/nfs/server")?.as_str());
    let found = flat_each(servers, |server| unanswered_address(server, "spec.volumes", facts))?;
    let Some(unserved) = found.into_iter().next() else { return Ok(draft) };
    let UnansweredService { service, why, .. } = &unserved;
    let draft = draft
        .evidence(Sentence::from("nothing answers behind the server of a volume: ").then(why), service, "spec")
        .waits_for(service.clone());
    let repairs = repairs_of(&unserved, "nothing is lost: the kubelet can then unmount the volume", facts)?;
    Ok(repairs.into_iter().rev().fold(draft, Draft::remedy_first))
}
