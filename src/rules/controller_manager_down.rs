//! kube-controller-manager does not run: nothing empties namespaces, collects garbage or removes the
//! built-in finalizers.

use crate::facts::{Facts, Known, Readable, Target, ago};
use crate::kubernetes::control_plane::{Manager, Stopped, manager, releases, stopped, worked_since};
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::report::{Cause, Named, Ref, Remedy, Sentence};
use crate::survey::{Cascade, Form, Object, ResourceId, Seen};
use serde_json::Value;

pub(super) const RULE: Rule = Rule::new(
    "controller-manager-down",
    include_str!("controller_manager_down.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(Stopped { lease, renewed, holder }) = stopped(target, facts)? else { return Ok(()) };
    let namespace = target.reference();
    let since = ago(renewed, facts);
    let summary = format!(
        "kube-controller-manager is not running, so no namespace is emptied: its lease was last renewed {since} ago"
    );
    let mut draft = Draft::new(Cause::NamespaceController, namespace.clone(), summary)
        .waits_for(lease.clone())
        .evidence(format!("renewed {since} ago, by {holder}"), &lease, "spec.renewTime");
    draft = match target.object().condition("NamespaceDeletionContentFailure") {
        Some(_) => draft.evidence("its controller has not acted since", &namespace, "status.conditions"),
        None => draft.evidence("no conditions: its controller has never processed it", &namespace, "status.conditions"),
    };
    draft = draft.with_each(its_pod(&holder, facts)?, |draft, (pod, text)| draft.evidence(text, &pod, "status"));
    found.add(
        draft.remark("garbage collection and the built-in finalizers wait for it, too").remedy(Remedy::manual(
            Sentence::from("bring kube-controller-manager back")
                .by("kubectl -n kube-system get pods,lease | grep controller-manager")
                .aside("on its node, with the log of its last container and its manifest in /etc/kubernetes/manifests")
                .by("crictl ps -a --name kube-controller-manager")
                .aside("in a managed cluster ask the provider"),
            "nothing is lost: namespace deletions then continue by themselves",
        )),
    );
    Ok(())
}

/// The static pod on the node of the last holder, whose name is `NODE_uuid`.
fn its_pod(holder: &str, facts: &Facts<'_>) -> Known<Option<(Ref, String)>> {
    let Some((node, _)) = holder.rsplit_once('_').filter(|(node, _)| !node.is_empty()) else { return Ok(None) };
    let name = format!("kube-controller-manager-{node}");
    let pod = facts.get(&ResourceId::new("", "v1", "pods"), Some("kube-system"), &name, Form::Whole);
    let Some(pod) = pod.if_readable()?.flatten() else { return Ok(None) };
    let reference = Ref::from(Named {
        api_version: "v1".into(),
        kind: "Pod".into(),
        resource: "pods".into(),
        namespace: Some("kube-system".into()),
        name,
        uid: pod.uid().into(),
        missing: false,
    });
    Ok(Some((reference, state(pod))))
}

fn state(pod: &Object) -> String {
    let status = pod.array("/status/containerStatuses").first();
    let at = |pointer: &str| status.and_then(|status| status.pointer(pointer));
    let text = |pointer: &str| at(pointer).and_then(Value::as_str);
    let restarts = at("/restartCount").and_then(Value::as_i64).unwrap_or_default();
    let phase = pod.text("/status/phase").unwrap_or("Unknown");
    match text("/state/waiting/reason").or_else(|| text("/state/terminated/reason")) {
        Some(reason) => format!("{phase}: {reason}, restarts: {restarts}"),
        None => format!("{phase}, restarts: {restarts}"),
    }
}

/// Foresees work that nobody would do, because kube-controller-manager does not run.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let content = world.content()?;
    let waits = |seen: &Seen<'_>| seen.object.metadata.finalizers.iter().any(|key| releases(key));
    let needed = target.is_namespace()
        || world.going.cascade != Cascade::Background
        || waits(&target.seen)
        || content.iter().any(waits);
    if !needed {
        return Ok(());
    }
    let Manager::Old(Stopped { lease, renewed, .. }) = manager(facts)? else { return Ok(()) };
    // Then the Lease is a leftover: leader election was turned off, or moved to another Lease.
    if worked_since(renewed, target.object(), content) {
        return Ok(());
    }
    let text = format!("its lease was last renewed {} ago", ago(renewed, facts));
    let object = target.reference();
    let summary = format!("{object} would wait for kube-controller-manager: {text}");
    let draft = Draft::new(Cause::NamespaceController, object.clone(), summary)
        .waits_for(lease.clone())
        .evidence(text, &lease, "spec.renewTime")
        .remedy(Remedy::manual("repair kube-controller-manager before you delete", "nothing is lost"));
    out.hangs(draft);
    Ok(())
}
