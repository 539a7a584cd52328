//! The other cluster that a controller applies an object to: a field of the spec names the Secret with the
//! kubeconfig (fluxcd/pkg: `apis/meta/reference_types.go`, `KubeConfigReference`).

use super::silence::is_silent;
use crate::facts::Facts;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::mentions::spec::spec_edges;
use crate::kubernetes::messages::trouble::is_about_access;
use crate::reasons::judgement::Judgement;
use crate::reasons::profile::RemoteCluster;
use crate::reasons::{controller_says, reported};
use crate::report::{Ref, Sentence};
use crate::survey::{Discovery, Seen, TargetName};

/// Adds the remote cluster of `held`, if the message of their controller says that something denies
/// access or cannot be reached. A controller that gives no reason may have met the same obstacle.
pub(super) fn look(found: &mut Judgement<'_>, held: &HeldObjects<'_>, facts: &Facts<'_>) {
    if !is_silent(&found.why) && !found.why.words.as_deref().is_some_and(is_about_access) {
        return;
    }
    let Some(remote) = held.read().next().and_then(|seen| remote_of(seen, facts.discovery())) else { return };
    if found.why.is_one_of(&[&controller_says::REASON, &reported::REASON]) {
        found.profile.remote = Some(remote);
    } else if found.profile.lead.is_none() {
        let RemoteCluster { secret, field } = remote;
        let lead = Sentence::from("it is applied to another cluster, which was not looked at: ");
        found.profile.lead = Some(lead.then(format!("{field} names ")).then(&secret));
    }
}

/// The cluster that an object names by the Secret with its kubeconfig.
fn remote_of<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Option<RemoteCluster> {
    let is_kubeconfig = |field: &str| field.to_lowercase().contains("kubeconfig");
    let all = spec_edges(seen, discovery);
    let named = all.into_iter().find(|it| it.resource.id.plural == "secrets" && is_kubeconfig(&it.field))?;
    let target = TargetName { resource: named.resource.id.clone(), namespace: named.namespace, name: named.name };
    Some(RemoteCluster { secret: Ref::named(named.resource, &target), field: named.field })
}
