//! The other operators in the cluster with their kinds and objects. A third of them is parked or
//! crashes, and several may write everything. None is involved in any state.

use crate::draft::{Draft, Phase};
use crate::nodes;
use crate::operator::{Operator, Pods, Rights, WORKER};
use crate::random::Random;
use serde_json::json;

/// The number of operators.
const OPERATORS: usize = 44;

/// A draft with all of them; the same for every seed.
pub fn draft() -> Draft {
    let mut draft = Draft::new(Random::new(0xC0_FFEE), "commons", false);
    nodes::ready(&mut draft, WORKER);
    nodes::ready(&mut draft, "worker-2");
    for namespace in ["commons", "team-one", "team-two"] {
        let manifest = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        draft.create(Phase::Ground, manifest);
    }
    for number in 0..OPERATORS {
        let pods = match number % 6 {
            0 => Pods::Parked,
            1 => Pods::Crashing,
            _ => Pods::Ready,
        };
        let rights = match number % 11 {
            0 => Rights::Everything,
            1..=4 => Rights::AndCommon,
            _ => Rights::OwnKind,
        };
        let operator = Operator::invent(&mut draft);
        operator.define(&mut draft);
        operator.install(&mut draft, &pods, rights);
        let (namespace, name) = (*draft.random.pick(&["team-one", "team-two"]), draft.random.word());
        operator.adopt(&mut draft, namespace, &name);
    }
    draft
}
