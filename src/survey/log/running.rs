//! The containers that a kubelet runs.

use super::line::{Bearing, LogLine, LogOf};
use serde_json::Value;

/// How many containers are kept.
const MAX_CONTAINERS: usize = 20;

/// The containers of one pod in a kubelet's list of running pods, one per line.
///
/// # Errors
/// When `text` is no such list.
pub fn running(text: &str, of: &LogOf) -> Result<Vec<LogLine>, serde_json::Error> {
    let list: Value = serde_json::from_str(text)?;
    let pods = list.get("items").and_then(Value::as_array);
    let is_it = |pod: &&Value| {
        let text = |pointer: &str| pod.pointer(pointer).and_then(Value::as_str);
        match text("/metadata/uid").filter(|uid| !uid.is_empty()) {
            Some(uid) => uid == of.about.uid,
            None => {
                text("/metadata/name") == Some(&of.about.name)
                    && text("/metadata/namespace") == of.about.namespace.as_deref()
            }
        }
    };
    let containers =
        pods.into_iter().flatten().filter(is_it).filter_map(|pod| pod.pointer("/spec/containers")?.as_array());
    let names = containers.flatten().filter_map(|container| container.get("name")?.as_str());
    Ok(names.take(MAX_CONTAINERS).map(|name| LogLine::new(None, Bearing::Names, name)).collect())
}
