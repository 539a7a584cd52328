//! The node is Ready, the grace period is over, and the kubelet still has not confirmed the pod's end:
//! a container does not end, a volume is not unmounted, or a network is not torn down.

use crate::facts::{All, Facts, Gap, Known, Readable, Target, ago, each, for_each, is_pod, since};
use crate::findings::kubelet::ask::ask_node;
use crate::findings::kubelet::devices;
use crate::findings::kubelet::force::with_force_delete;
use crate::findings::kubelet::foreseen;
use crate::findings::kubelet::holdings::carried;
use crate::findings::kubelet::server;
use crate::findings::kubelet::virtual_node::completed;
use crate::findings::kubelet::{network, volumes};
use crate::kubernetes::kubelet::devices::{NOT_PREPARED, devices, mark_unknown};
use crate::kubernetes::kubelet::foreseen::{PodsOnNode, by_node};
use crate::kubernetes::kubelet::nature::Nature;
use crate::kubernetes::kubelet::network::failing;
use crate::kubernetes::kubelet::pods::{NodeOfPod, WaitingPod, node_ref, pods_in_words, pods_wait};
use crate::kubernetes::kubelet::pull::is_pulling;
use crate::kubernetes::kubelet::virtual_kubelet::virtual_kubelet;
use crate::kubernetes::kubelet::volumes::{MountedVolume, mounted};
use crate::kubernetes::kubelet::{
    LastHeard, OwnWords, PodEvent, all_ended, has_volumes, is_mirror, overdue_by_node, own_words, running, told_of,
    with_hooks,
};
use crate::kubernetes::statements::statement::brief;
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::plan::quote;
use crate::report::{Cause, Ref, Remedy, Sentence, Verb};
use crate::survey::{Condition, Object, Seen};
use jiff::SignedDuration;

pub(super) const RULE: Rule = Rule::new(
    "kubelet-does-not-confirm",
    include_str!("kubelet_does_not_confirm.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

/// How long after the grace period the kubelet has tried several times: it retries an unmount after two
/// minutes at most (kubernetes/kubernetes: `pkg/util/goroutinemap/exponentialbackoff/exponential_backoff.go`).
const TRIED_AGAIN: SignedDuration = SignedDuration::from_mins(5);
const MAY_TAKE_A_WHILE: &str = "nothing reports a failure: an unmount, a network or a virtual kubelet may take a while";

/// How many pods of one node are checked for events.
const MAX_PODS: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let groups = overdue_by_node(target, facts)?;
    let is_silent = |heard: &LastHeard| matches!(heard, Ok(Some(heard)) if heard.silent);
    let others = groups.iter().filter(|(_, heard)| !is_silent(heard));
    found.add_all(each(others, |(pods, heard)| draft(pods, heard, facts))?);
    Ok(())
}

/// Foresees pods whose devices or volumes the kubelet of their Ready node could not release. Volumes are
/// checked if the pod itself is deleted.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    for_each(by_node(target, world.content()?, facts)?, |PodsOnNode { pods, node }| {
        if node.object.condition("Ready").map(Condition::status) != Some("True") {
            return Ok(());
        }
        let devices = foreseen::devices(&pods, node, facts);
        let volumes =
            if is_pod(target.seen.resource) { foreseen::volumes(pods[0], node, facts) } else { Ok(Vec::new()) };
        let (devices, volumes) = (devices, volumes).all()?;
        devices.into_iter().chain(volumes).for_each(|draft| out.hangs(draft));
        Ok(())
    })
}

fn draft(pods: &[WaitingPod<'_>], heard: &LastHeard, facts: &Facts<'_>) -> Known<Draft> {
    let told = each(pods.iter().take(MAX_PODS), |waiting| told_of_its_end(waiting.pod, facts).or_note(facts));
    let words = own_words(pods[0].pod, pods[0].node_name, facts);
    let NodeOfPod::Ready(whole) = pods[0].node else { unreachable!("overdue pods are on nodes that are Ready") };
    let (nature, volumes) = (Nature::of(whole, facts), mounted(pods[0].pod.object, pods[0].node_name, facts));
    let own = devices(pods[0].pod.object, pods[0].node_name, facts);
    let ((told, words), nature, volumes, mut own) = ((told, words).all(), nature, volumes, own).all()?;
    mark_unknown(&mut own, told.first().and_then(Option::as_deref).unwrap_or_default());
    let refs: Vec<Ref> = pods.iter().map(|waiting| waiting.pod.into()).collect();
    let node = node_ref(&pods[0]);
    if let Some(draft) = back(pods, whole, told.iter().flatten().flatten(), facts) {
        return Ok(draft);
    }
    let sign_of_life = heard.as_ref().ok().and_then(Option::as_ref);
    let virtual_kubelet = virtual_kubelet(whole, &nature, sign_of_life, facts)?;
    let pod = pods[0].pod.object;
    let heard_words = told.iter().flatten().flatten().find_map(Hang::told);
    let said_so = heard_words.or_else(|| Hang::by_own_words(&words, pod));
    let hang = said_so.unwrap_or_else(|| Hang::seen(pod));
    // A sandbox that is left cannot be distinguished from devices or volumes that are left.
    let is_guess = said_so.is_none();
    let left = if is_guess && hang != Hang::Containers { devices::words(&own, &node) } else { None };
    let of_devices = left.is_some();
    let left = if is_guess && hang.may_be_a_volume() { left.or(volumes::words(&volumes, &node)) } else { left };
    let draft = begin(pods, &refs, &node, &with_hook(&hang.and(left), hang, pod), said_so.is_some(), facts);
    let draft = told_by(draft, pods, &refs, &told, said_so.is_some());
    let draft = is_ready(said(carried(draft, pods), &words, &node), &node, heard, facts);
    if let Some(kubelet) = virtual_kubelet {
        let trouble = told.iter().flatten().flatten().find(|told| told.warns_of_its_end());
        return Ok(completed(draft, &refs, &node, &kubelet, trouble, facts)?.objects(refs));
    }
    let draft = if hang.may_be_a_volume() && volumes.iter().any(MountedVolume::is_unserved) {
        volumes::unserved(draft, &volumes, &node)
    } else {
        draft.works()
    };
    let draft = server::told(draft, pod, facts)?;
    let draft = if is_mirror(pod) { draft.remark(MIRROR) } else { draft };
    let draft = if hang == Hang::Network { of_network(draft, &told, whole, &node, facts)? } else { draft };
    let draft = if of_devices { devices::told(draft.likely(), &own, &refs[0], &node) } else { draft };
    let draft = draft.remedies(hang.remedies(pod, &node.name, nature.windows));
    Ok(with_force_delete(draft, pods, facts)?.objects(refs))
}

/// The remark about a mirror pod that is not removed.
const MIRROR: &str = "it mirrors a static pod: its kubelet removes a deleted mirror pod within seconds, and creates \
                      it again as long as the manifest is on the node";

/// Adds that the network agent does not work on the node: nothing else removes the pod's network.
fn of_network(
    draft: Draft,
    told: &[Option<Vec<PodEvent>>],
    whole: &Object,
    node: &Ref,
    facts: &Facts<'_>,
) -> Known<Draft> {
    let said = told.iter().flatten().flatten().find(|told| Hang::told(told) == Some(Hang::Network));
    let failing = failing(said.map(|told| told.message.as_str()).unwrap_or_default(), &node.name, facts)?;
    Ok(failing.into_iter().fold(draft, |draft, failing| network::told(draft, failing, whole, node)))
}

/// Adds that a preStop hook may still run: it keeps the grace period with which it began, whatever later requests
/// set (kubernetes/kubernetes: `pkg/kubelet/kuberuntime/kuberuntime_container.go`, killContainer).
fn with_hook(words: &str, hang: Hang, pod: &Object) -> String {
    let runs = running(pod);
    let hook = with_hooks(pod).into_iter().find(|name| hang == Hang::Containers && runs.contains(name));
    hook.map_or_else(|| words.to_owned(), |name| format!("{words}; the preStop hook of {name} may still be running"))
}

fn begin(pods: &[WaitingPod<'_>], refs: &[Ref], node: &Ref, left: &str, is_said: bool, facts: &Facts<'_>) -> Draft {
    let ended = pods[0].pod.object.metadata.deletion_timestamp;
    let over = ended.map(|ended| ago(ended, facts)).unwrap_or_default();
    let summary = format!(
        "the kubelet of node {} has not confirmed the end of {}, {over} after the grace period: {left}",
        node.name,
        pods_in_words(refs)
    );
    let draft = Draft::new(Cause::Kubelet, refs[0].clone(), summary).waits_for(node.clone());
    let late = ended.is_some_and(|ended| since(ended, facts.now()) > TRIED_AGAIN);
    let draft = if is_said || late { draft } else { draft.likely().remark(MAY_TAKE_A_WHILE) };
    draft.needs_accepted(Verb::Delete).evidence(
        format!("grace period over for {over}"),
        &refs[0],
        "metadata.deletionTimestamp",
    )
}

/// Adds the status and the events of the first few pods.
fn told_by(
    mut draft: Draft,
    pods: &[WaitingPod<'_>],
    refs: &[Ref],
    told: &[Option<Vec<PodEvent>>],
    is_said: bool,
) -> Draft {
    for (waiting, (told, named)) in pods.iter().zip(told.iter().zip(refs)) {
        draft = seen_of(draft, waiting.pod.object, named, is_said);
        draft = match told {
            Some(told) => told.iter().filter(|told| is_telling(told)).take(3).fold(draft, |draft, told| {
                let words = brief(&format!("event {}: {}", told.reason, told.message));
                draft.quoted(Sentence::quoted(words, format_args!("{named} events")), named, "events")
            }),
            None => draft.remark("its events could not be read: they may say why"),
        };
    }
    draft
}

/// Adds that the node is Ready, and when its kubelet last reported.
fn is_ready(draft: Draft, node: &Ref, heard: &LastHeard, facts: &Facts<'_>) -> Draft {
    let is_ready = match heard {
        Ok(Some(heard)) => format!("is Ready, and its kubelet last reported {} ago", heard.ago(facts)),
        Ok(None) | Err(_) => "is Ready".to_owned(),
    };
    let draft = draft.quoted(is_ready, node, "status.conditions[Ready]");
    let Err(Gap { what, why }) = heard else { return draft };
    facts.note_unread(what.clone(), why);
    draft.likely().remark("the last report of its kubelet could not be read: get leases in namespace kube-node-lease")
}

/// How long a kubelet that came back may take for the pods that should have ended meanwhile.
const RETURNED: SignedDuration = SignedDuration::from_mins(2);

/// The finding for a node that became Ready a moment ago, after the deletion: its kubelet is not late, unless it has
/// said since then what fails. A Node object that is younger than the end of the pod shows no return.
fn back<'t>(
    pods: &[WaitingPod<'_>],
    whole: &Object,
    mut told: impl Iterator<Item = &'t PodEvent>,
    facts: &Facts<'_>,
) -> Option<Draft> {
    let since_when = whole.condition("Ready")?.since()?;
    let ended = pods[0].pod.object.metadata.deletion_timestamp?;
    let was_there = whole.metadata.creation_timestamp.is_some_and(|made| made < ended);
    let fails = told.any(|told| told.last.is_some_and(|last| last > since_when) && Hang::told(told).is_some());
    if !was_there || fails || since_when < ended || since(since_when, facts.now()) > RETURNED {
        return None;
    }
    let (refs, node): (Vec<Ref>, Ref) = (pods.iter().map(|waiting| waiting.pod.into()).collect(), node_ref(&pods[0]));
    let ago = ago(since_when, facts);
    let summary =
        format!("{} for node {}, which became Ready again {ago} ago: give it time", pods_wait(&refs), node.name);
    let draft = Draft::new(Cause::Progressing, refs[0].clone(), summary)
        .likely()
        .waits_for(node.clone())
        .evidence(
            format!("became Ready {ago} ago, after the end of the pod's grace period"),
            &node,
            "status.conditions[Ready]",
        )
        .remedy(Remedy::manual("wait, and check again in a minute: its kubelet ends the pod", "nothing is lost"));
    Some(draft.objects(refs))
}

/// Adds the pod's own status.
fn seen_of(draft: Draft, pod: &Object, named: &Ref, is_said: bool) -> Draft {
    let phase = pod.text("/status/phase").unwrap_or("unknown");
    let running = running(pod);
    let (text, field) = if is_said && all_ended(pod) {
        (format!("phase {phase}: its containers have ended"), "status.phase")
    } else if running.is_empty() {
        (format!("phase {phase}: {}", Hang::seen(pod).words()), "status.phase")
    } else {
        (format!("phase {phase}; still running: {}", running.join(", ")), "status.containerStatuses")
    };
    draft.evidence(text, named, field)
}

/// Adds the kubelet's own answers.
fn said(draft: Draft, words: &OwnWords, node: &Ref) -> Draft {
    let running = words.running.as_deref().map(|running| match running {
        [] => "the kubelet says that none of its containers is still running".to_owned(),
        running => format!("the kubelet says that these still run: {}", running.join(", ")),
    });
    draft
        .with_each(running, |draft, text| draft.evidence(text, node, "proxy/runningpods"))
        .with_each(&words.log, |draft, line| {
            draft.evidence(format!("the kubelet's log says: {line}"), node, "proxy/logs")
        })
        .with_each(&words.unanswered, |draft, Gap { what, why }| {
            draft.remark(format!("could not read from the kubelet: {what}: {why}"))
        })
}

/// The reason of events about a sandbox that could not be created, perhaps before the deletion
/// (kubernetes: `pkg/kubelet/events/event.go`).
const NO_SANDBOX: &str = "failedcreatepodsandbox";

/// The events about a pod since its deletion, and older ones about a missing sandbox, devices or its image.
fn told_of_its_end(pod: Seen<'_>, facts: &Facts<'_>) -> Known<Vec<PodEvent>> {
    let asked = pod.object.deletion_asked();
    let mut told = told_of(pod, None, facts)?;
    let is_pulling = is_pulling(pod.object, &told);
    let stands = |reason: &str| [NO_SANDBOX, NOT_PREPARED].contains(&reason.to_lowercase().as_str());
    told.retain(|told| match told.reason.as_str() {
        "Pulling" => is_pulling,
        reason => told.last >= asked && told.last.is_some() || stands(reason),
    });
    Ok(told)
}

/// Whether an event may be about the pod's end, as most warnings may.
fn is_telling(told: &PodEvent) -> bool {
    told.warns_of_its_end() || told.reason == "Killing" || Hang::told(told).is_some()
}

/// The work that the kubelet does not finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hang {
    /// A volume is not unmounted or unmapped.
    Volume,
    /// The network plugin does not tear down the sandbox.
    Network,
    /// An image is still being pulled, so that no container has begun.
    Pull,
    /// The runtime does not end the containers.
    Containers,
    /// The containers have ended; the sandbox, which holds the network, is not torn down.
    Sandbox,
    /// The runtime does not stop the sandbox.
    StoppedSandbox,
    /// The containers have ended; volumes, their directories or cgroups are left.
    CleanUp,
    /// The containers have ended, and there are no volumes.
    Remains,
    /// Unknown.
    Unsaid,
}

impl Hang {
    /// The unfinished work according to an event (kubernetes/kubernetes:
    /// `pkg/kubelet/events/event.go`, `pkg/kubelet/kuberuntime/kuberuntime_manager.go`).
    fn told(told: &PodEvent) -> Option<Self> {
        let (reason, message) = (told.reason.to_lowercase(), told.message.to_lowercase());
        let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
        if reason.contains("unmount") || reason.contains("unmap") || says(&["unmountvolume", "unmount failed"]) {
            Some(Self::Volume)
        } else if reason == NO_SANDBOX || reason == "failedkillpod" && says(&["cni", "network"]) {
            Some(Self::Network)
        } else if reason == "failedkillpod" && says(&["killpodsandbox"]) {
            Some(Self::StoppedSandbox)
        } else if matches!(reason.as_str(), "failedkillpod" | "exceededgraceperiod") {
            Some(Self::Containers)
        } else if reason == "pulling" {
            Some(Self::Pull)
        } else {
            None
        }
    }

    /// The unfinished work according to the kubelet's own answers: its log, and the running containers.
    fn by_own_words(words: &OwnWords, pod: &Object) -> Option<Self> {
        let says =
            |parts: &[&str]| words.log.iter().any(|line| parts.iter().any(|part| line.to_lowercase().contains(part)));
        match words.running.as_deref() {
            _ if says(&["unmountvolume", "unmount failed", "unmounter", "volumes have not been cleaned up"]) => {
                Some(Self::Volume)
            }
            _ if says(&["killpodsandbox", "cni failed"]) => Some(Self::Network),
            Some([]) => Some(Self::ended(pod)),
            Some(_) => Some(Self::Containers),
            None => says(&["killcontainer"]).then_some(Self::Containers),
        }
    }

    /// The unfinished work according to the pod's status.
    fn seen(pod: &Object) -> Self {
        match pod.text("/status/phase") {
            Some("Succeeded" | "Failed") => Self::ended(pod),
            _ if all_ended(pod) => Self::ended(pod),
            _ if !running(pod).is_empty() => Self::Containers,
            _ => Self::Unsaid,
        }
    }

    /// The unfinished work after the containers have ended. If they would be restarted, the phase becomes
    /// Succeeded or Failed only after the sandbox is gone; otherwise as soon as they have ended
    /// (kubernetes/kubernetes: `pkg/kubelet/kubelet.go`, `SyncTerminatingPod` and `SyncTerminatedPod`;
    /// `pkg/kubelet/kubelet_pods.go`, getPhase).
    fn ended(pod: &Object) -> Self {
        let is_final = matches!(pod.text("/status/phase"), Some("Succeeded" | "Failed"));
        match pod.text("/spec/restartPolicy") {
            None | Some("Always") if !is_final => Self::Sandbox,
            _ if has_volumes(pod) => Self::CleanUp,
            _ => Self::Remains,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Volume => "a volume is not unmounted",
            Self::Network => "its network is not removed",
            Self::Pull => "its image is still being pulled, and no container of it has begun",
            Self::Containers => "its containers do not end",
            Self::Sandbox => "the containers have ended, but its sandbox is not removed yet",
            Self::StoppedSandbox => "its sandbox does not stop",
            Self::CleanUp => "the containers have ended, so volumes or cgroups are not cleaned up",
            Self::Remains => "the containers have ended, but its sandbox or cgroups are not cleaned up",
            Self::Unsaid => "the containers have not been reported as ended",
        }
    }

    /// The unfinished work in words: about devices, instead of a guess about the sandbox.
    fn and(self, devices: Option<String>) -> String {
        match devices {
            Some(devices) if matches!(self, Self::Unsaid) => devices,
            Some(devices) => format!("the containers have ended, but {devices}"),
            None => self.words().to_owned(),
        }
    }

    /// Whether it may be a volume.
    fn may_be_a_volume(self) -> bool {
        matches!(self, Self::Volume | Self::CleanUp | Self::Sandbox | Self::Unsaid)
    }

    fn remedies(self, pod: &Object, node: &str, windows: bool) -> Vec<Remedy> {
        let uid = pod.uid();
        let repair = match self {
            Self::Volume | Self::CleanUp => Some((
                "bring back the storage behind its volumes, or end what uses them on the node: the kubelet keeps trying, \
                and then continues by itself"
                    .into(),
                "nothing is lost",
            )),
            Self::Network | Self::Sandbox => Some((
                Sentence::from(format!("repair the network plugin of node {node}")).by(format_args!(
                    "kubectl get pods -A -o wide --field-selector {}",
                    quote(&format!("spec.nodeName={node}"))
                )),
                "nothing is lost: the kubelet tries again by itself",
            )),
            Self::Containers if windows => Some((
                Sentence::from(format!("on node {node}, restart the container runtime, or the machine"))
                    .by("Restart-Service containerd"),
                "running containers survive a restart of the runtime; a reboot ends all pods on the node",
            )),
            Self::Containers => Some((
                Sentence::from(format!("on node {node}, restart the container runtime"))
                    .by("systemctl restart containerd")
                    .aside("a process in uninterruptible sleep (state D) ends only when what it waits for (mostly \
                        storage) answers, or at a reboot"),
                "running containers survive a restart of the runtime; a reboot ends all pods on the node",
            )),
            Self::Pull => Some((
                format!("wait until the image is there, or check on node {node} why the pull takes so long").into(),
                "nothing is lost: the kubelet ends the pod when the pull is over",
            )),
            Self::StoppedSandbox => Some((
                format!("on node {node}, repair the container runtime{}", runtime_class(pod)).into(),
                "running containers survive a restart of the runtime; a reboot ends all pods on the node",
            )),
            Self::Remains | Self::Unsaid => None,
        };
        let ask = Remedy::manual(ask_node("check on the node what is stuck", pod, node, windows), "nothing is lost");
        let mut remedies: Vec<Remedy> = vec![ask];
        remedies.extend(repair.map(|(title, consequence)| Remedy::manual(title, consequence)));
        if self == Self::Pull {
            remedies.reverse();
        }
        if self == Self::Volume && !windows {
            remedies.push(Remedy::command(
                format!("on node {node}, unmount the volume by force, if its storage server is gone for good"),
                format_args!("umount -f -l /var/lib/kubelet/pods/{}/volumes/*/*", quote(uid)),
                "data that has not been written to the server yet is lost",
            ));
        }
        remedies
    }
}

/// The class of the pod's runtime, in words.
fn runtime_class(pod: &Object) -> String {
    let class = pod.text("/spec/runtimeClassName");
    class.map(|name| format!(", the handler of RuntimeClass {name}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pods_with_ended_containers_are_classified() {
        let seen = |phase: &str, policy: &str, volumes: serde_json::Value| {
            let ended = serde_json::json!([{"name": "c", "state": {"terminated": {"exitCode": 0}}}]);
            let pod = serde_json::json!({"metadata": {"name": "web"},
                "spec": {"restartPolicy": policy, "volumes": volumes},
                "status": {"phase": phase, "containerStatuses": ended}});
            Hang::seen(&Object::single(pod).unwrap())
        };
        let token = serde_json::json!([{"name": "t", "projected": {"sources": [{"serviceAccountToken": {}}]}}]);
        let claim = serde_json::json!([{"name": "d", "persistentVolumeClaim": {"claimName": "d"}}]);
        assert_eq!(seen("Running", "Always", claim.clone()), Hang::Sandbox);
        assert_eq!(seen("Failed", "Always", claim.clone()), Hang::CleanUp);
        assert_eq!(seen("Failed", "Always", token.clone()), Hang::Remains);
        assert_eq!(seen("Running", "Never", token), Hang::Remains);
        assert_eq!(seen("Succeeded", "Never", claim), Hang::CleanUp);
    }

    #[test]
    fn kubelet_events_are_classified() {
        let hang = |reason: &str, message: &str| {
            Hang::told(&PodEvent { reason: reason.into(), message: message.into(), last: None, warns: true })
        };
        assert_eq!(hang("FailedUnmount", "device or resource busy"), Some(Hang::Volume));
        assert_eq!(
            hang(
                "FailedKillPod",
                "error killing pod: failed to \"KillPodSandbox\" for \"u\" with KillPodSandboxError: cni"
            ),
            Some(Hang::Network)
        );
        let timed_out = "error killing pod: failed to \"KillPodSandbox\" for \"u\": context deadline exceeded";
        assert_eq!(hang("FailedKillPod", timed_out), Some(Hang::StoppedSandbox));
        assert_eq!(hang("FailedKillPod", "error killing pod: failed to \"KillContainer\""), Some(Hang::Containers));
        assert_eq!(hang("ExceededGracePeriod", "Container runtime did not kill the pod"), Some(Hang::Containers));
        assert_eq!(hang("FailedPreStopHook", "PreStopHook failed"), None);
        assert_eq!(hang("Unhealthy", "Readiness probe failed"), None);
    }
}
