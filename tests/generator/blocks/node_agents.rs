//! A custom resource that an agent on its node releases: the agents skip the node, or the node is
//! gone. In the twin the node has an agent, which crashes.

use crate::draft::{Draft, Phase};
use crate::nodes;
use crate::object::Id;
use crate::operator::{Operator, crashing, ready};
use crate::truth::Truth;
use serde_json::json;

/// The state of its node.
enum Node {
    LeftOut,
    Gone,
    Served,
}

/// The agents' selector excludes the node.
pub fn left_out(draft: &mut Draft) -> Id {
    build(draft, &Node::LeftOut)
}

/// The node no longer exists.
pub fn gone(draft: &mut Draft) -> Id {
    build(draft, &Node::Gone)
}

/// The node's agent crashes, while another node's is healthy.
pub fn crashes(draft: &mut Draft) -> Id {
    build(draft, &Node::Served)
}

fn build(draft: &mut Draft, node: &Node) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    let label = format!("{}/agent", operator.group);
    let agents = operator.install_on_nodes(draft, &label);
    let (other, own) = (format!("node-{}", draft.random.suffix()), format!("node-{}", draft.random.suffix()));
    let labelled = |draft: &mut Draft, name: &str| {
        let (node, label) = (nodes::ready(draft, name), label.clone());
        draft.act(Phase::Things, move |api| {
            Ok(api.patch(&node, &json!({"metadata": {"labels": {label: "yes"}}}), "kubectl-label")?)
        });
    };
    labelled(draft, &other);
    let mut said = vec![(other, ready())];
    match node {
        Node::LeftOut => {
            nodes::ready(draft, &own);
        }
        Node::Gone => {}
        Node::Served => {
            labelled(draft, &own);
            said.push((own.clone(), crashing()));
        }
    }
    let agent = operator.clone();
    draft.act(Phase::Pods, move |api| agent.agents_say(api, &said));
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let (of, on) = (object.clone(), own.clone());
    draft.act(Phase::Pods, move |api| Ok(api.patch(&of, &json!({"spec": {"nodeName": on}}), "kubectl-edit")?));
    let of = Id::of("Node", None, &own);
    let truth = match node {
        Node::LeftOut => Truth::object("no agent runs on its node", &agents).or(&of),
        Node::Gone => Truth::object("its node is gone", &of).or(&agents),
        Node::Served => Truth::object("the agent on its node crashes", &agents).or(&of),
    };
    draft.truths.push(truth.says(&own));
    draft.allowed.push(object.clone());
    draft.youngest = draft.youngest.max(900);
    draft.releasable = false;
    object
}
