//! The network agent on a node: the runtime's plugin calls it when a sandbox is created or removed,
//! so no sandbox is removed while it does not work.

use crate::facts::{All, Facts, Known, Readable};
use crate::kubernetes::workloads::health;
use crate::report::Ref;
use crate::survey::{Form, Object, Seen};

/// Words in the names of plugins that do not identify the product.
const COMMON: [&str; 8] = ["bridge", "cni", "k8s", "kube", "net", "network", "node", "plugin"];

/// An agent that does not work, and why.
#[derive(Debug)]
pub(crate) struct FailingAgent {
    /// Its pod on the node, or the workload that has none there.
    pub(crate) agent: Ref,
    /// Why it does not work.
    pub(crate) why: String,
}

/// The network agent that does not work on the node `node`, for the plugin that `words` name.
pub(crate) fn failing(words: &str, node: &str, facts: &Facts<'_>) -> Known<Option<FailingAgent>> {
    let (Some(pods), Some(daemons)) = (facts.preferred("", "pods"), facts.preferred("apps", "daemonsets")) else {
        return Ok(None);
    };
    let plugin = plugin(words);
    let here = facts.pods_on(&pods.id, node).if_readable();
    let all = facts.list(&daemons.id, None, Form::Whole).if_readable();
    let (Some(here), Some(all)) = (here, all).all()? else { return Ok(None) };
    let mut agents = all.iter().filter(|daemon| is_called(daemon.name(), plugin));
    let (Some(agent), None) = (agents.next(), agents.next()) else { return Ok(None) };
    let is_its = |pod: &&&Object| pod.metadata.owner_references.iter().any(|owner| owner.uid == agent.uid());
    Ok(match here.iter().find(is_its) {
        None => Some(FailingAgent {
            agent: Ref::from(Seen { resource: daemons, object: agent }),
            why: format!("it has no pod on node {node}"),
        }),
        Some(pod) if health::says_ready(pod) => None,
        Some(pod) => {
            let going = if pod.is_deleting() { "it is itself being deleted: " } else { "" };
            let why = format!("{going}{}", health::why_not_ready(pod));
            Some(FailingAgent { agent: Ref::from(Seen { resource: pods, object: pod }), why })
        }
    })
}

/// `aws-cni` of `plugin type="aws-cni" name="aws-cni" failed (delete)`
/// (<https://github.com/containernetworking/cni/blob/main/libcni/api.go>).
fn plugin(words: &str) -> &str {
    let quoted = words.split_once("plugin type=").map(|(_, rest)| rest.trim_start_matches(['\\', '"']));
    quoted.and_then(|rest| rest.split(['"', '\\', ' ']).next()).unwrap_or_default()
}

/// Whether a workload has a name like `plugin`: `aws-node` is like `aws-cni`, `ovnkube-node` like
/// `ovn-k8s-cni-overlay`.
fn is_called(workload: &str, plugin: &str) -> bool {
    let mut telling = plugin.split('-').filter(|word| word.len() > 2 && !COMMON.contains(word));
    telling.any(|word| workload.split('-').any(|part| part.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_of_a_plugin_is_known_by_its_name() {
        assert_eq!(plugin(r#"failed: plugin type=\"aws-cni\" name=\"aws-cni\" failed (delete)"#), "aws-cni");
        assert_eq!(plugin(r#"plugin type="calico" failed"#), "calico");
        assert_eq!(plugin("cni failed"), "");
        assert!(is_called("aws-node", "aws-cni") && is_called("ovnkube-node", "ovn-k8s-cni-overlay"));
        assert!(!is_called("node-agent", "node-cni") && !is_called("agent", ""));
    }
}
