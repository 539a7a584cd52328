//! Limits of a program to some objects, in its arguments and variables: namespaces, labels, a
//! class, a shard.

use crate::survey::Selector;
use serde_json::Value;

/// A limit of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// The limit as it is written: `--watch-namespace=team-b`, `WATCH_NAMESPACE=team-b`.
    pub text: String,
    /// The objects that remain.
    pub to: LimitedTo,
}

/// The objects to which a program is limited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LimitedTo {
    /// These namespaces.
    Namespaces(Vec<String>),
    /// The namespace that it runs in.
    OwnNamespace,
    /// The namespaces in the annotation `olm.targetNamespaces` of its pods
    /// (<https://olm.operatorframework.io/docs/advanced-tasks/operator-scoping-with-operatorgroups/>).
    TargetNamespaces,
    /// All namespaces but these.
    NotNamespaces(Vec<String>),
    /// This one namespace, unless the argument names the place of the program's own objects.
    Namespace(String),
    /// Objects whose labels match this selector.
    Labels(String),
    /// Namespaces whose labels match this selector.
    NamespaceLabels(String),
    /// Objects of the class with this name. `of` gives the kind of class, if the argument names it.
    Class {
        /// `ingress` of `--ingress-class`.
        of: String,
        /// The name.
        name: String,
    },
    /// Objects of this tenant, if both the workload and the object have a label with this word.
    Tenant {
        /// `cluster-name` or `tenant-name`.
        key: &'static str,
        /// The name.
        value: String,
    },
    /// Objects with this value under a key that ends with this word.
    Mark {
        /// `rev`, `shard`, `watch-filter` or `zone`.
        key: &'static str,
        /// The value.
        value: String,
    },
}

/// Words of settings that exclude something.
const NOT: [&str; 9] = ["deny", "denied", "except", "exclude", "excluded", "excluding", "ignore", "ignored", "skip"];
/// Words of settings that limit.
const WATCHES: [&str; 5] = ["limit", "only", "watch", "watched", "watching"];
/// Words of selectors that select managed objects.
const OF_OBJECTS: [&str; 6] = ["label", "labels", "object", "resource", "selector", "watch"];
/// Words of settings that name the zone in which a program works.
const OF_ZONES: [&str; 4] = ["availability", "topology", "watch", "zone"];
/// Things with classes that a program sets on objects that it creates.
const OTHER_CLASSES: [&str; 9] =
    ["default", "device", "log", "priority", "runtime", "snapshot", "storage", "volume", "attributes"];

/// The limits in the arguments of a container.
#[must_use]
pub fn arguments(container: &Value) -> Vec<Limit> {
    let texts = |field: &str| container.get(field).and_then(Value::as_array).into_iter().flatten();
    let words: Vec<&str> = texts("command").skip(1).chain(texts("args")).filter_map(Value::as_str).collect();
    let limit = |(at, word): (usize, &&str)| {
        let flag = word.strip_prefix('-')?.trim_start_matches('-');
        let (name, value) = flag.split_once('=').or_else(|| {
            let next = words.get(at + 1).filter(|next| !next.starts_with('-'))?;
            Some((flag, *next))
        })?;
        Some(Limit { text: format!("--{name}={value}"), to: limited(name, value, false)? })
    };
    words.iter().enumerate().filter_map(limit).collect()
}

/// The limits in the variables of a container.
#[must_use]
pub fn variables(container: &Value) -> Vec<Limit> {
    let all = container.get("env").and_then(Value::as_array).into_iter().flatten();
    all.filter_map(variable).collect()
}

/// The limit in one variable.
pub(super) fn variable(variable: &Value) -> Option<Limit> {
    let name = variable.get("name")?.as_str()?;
    if let Some(value) = variable.get("value").and_then(Value::as_str) {
        return Some(Limit { text: format!("{name}={value}"), to: limited(name, value, true)? });
    }
    let field = variable.pointer("/valueFrom/fieldRef/fieldPath")?.as_str()?;
    // The name of the namespaces does not matter: only the name of the variable counts.
    limited(name, "any", true).filter(|to| matches!(to, LimitedTo::Namespaces(_)))?;
    let to = match field {
        "metadata.namespace" => LimitedTo::OwnNamespace,
        "metadata.annotations['olm.targetNamespaces']" => LimitedTo::TargetNamespaces,
        _ => return None,
    };
    Some(Limit { text: format!("{name} ({field})"), to })
}

fn limited(name: &str, value: &str, is_variable: bool) -> Option<LimitedTo> {
    let name = name.to_lowercase().replace(['_', '.'], "-");
    let words: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let watches = has(&WATCHES);
    match *words.last()? {
        "namespace" | "namespaces" => {
            let names: Vec<String> = names(value)?;
            match words[..] {
                _ if has(&NOT) => Some(LimitedTo::NotNamespaces(names)),
                _ if watches => Some(LimitedTo::Namespaces(names)),
                ["namespaces"] if !is_variable => Some(LimitedTo::Namespaces(names)),
                ["namespace"] if !is_variable && names.len() == 1 => names.into_iter().next().map(LimitedTo::Namespace),
                _ => None,
            }
        }
        "selector" if is_selector(value) => {
            let of_objects = words.iter().all(|word| OF_OBJECTS.contains(word));
            let of_namespaces = words.iter().all(|word| ["namespace", "label", "selector", "watch"].contains(word));
            match (watches || !is_variable, of_objects) {
                (true, true) => Some(LimitedTo::Labels(value.to_owned())),
                (true, false) if of_namespaces => Some(LimitedTo::NamespaceLabels(value.to_owned())),
                _ => None,
            }
        }
        _ if !is_word(value) || has(&NOT) => None,
        "class" if !has(&OTHER_CLASSES) => Some(class(&words[..words.len() - 1], value)),
        "name" if words == ["cluster", "name"] => Some(tenant("cluster-name", value)),
        "name" if words == ["tenant", "name"] => Some(tenant("tenant-name", value)),
        "name" if words.len() > 1 && words[words.len() - 2] == "class" && !has(&OTHER_CLASSES) => {
            Some(class(&words[..words.len() - 2], value))
        }
        "revision" | "rev" if words.len() == 1 || watches => Some(mark("rev", value)),
        "shard" | "key" | "id" if has(&["shard"]) => Some(mark("shard", value)),
        "zone" if words.iter().all(|word| OF_ZONES.contains(word)) => Some(mark("zone", value)),
        "filter" if watches => Some(mark("watch-filter", value)),
        _ => None,
    }
}

fn class(of: &[&str], name: &str) -> LimitedTo {
    let of: Vec<&str> = of.iter().copied().filter(|word| !["controller", "watch", "name"].contains(word)).collect();
    LimitedTo::Class { of: of.join("-"), name: name.to_owned() }
}

fn tenant(key: &'static str, value: &str) -> LimitedTo {
    LimitedTo::Tenant { key, value: value.to_owned() }
}

fn mark(key: &'static str, value: &str) -> LimitedTo {
    LimitedTo::Mark { key, value: value.to_owned() }
}

/// The names in a list of namespaces; `None` if it limits nothing or is no such list.
fn names(value: &str) -> Option<Vec<String>> {
    if !are_namespaces(value) {
        return None;
    }
    let names: Vec<String> =
        value.split(',').map(str::trim).filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect();
    (!names.is_empty()).then_some(names)
}

/// Whether a text is a list of namespaces, separated by commas.
fn are_namespaces(text: &str) -> bool {
    let is_name =
        |name: &str| name.len() <= 63 && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    text.split(',').map(str::trim).all(is_name)
}

/// Whether a text is a label selector. Any other text may be secret.
fn is_selector(value: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._/=!,() ".contains(c);
    value.len() <= 200 && value.chars().all(plain) && Selector::parse(value).is_ok()
}

fn is_word(value: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._/".contains(c);
    (1..=63).contains(&value.len()) && value.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(arguments_of: &[&str]) -> Vec<LimitedTo> {
        arguments(&json!({ "args": arguments_of })).into_iter().map(|limit| limit.to).collect()
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn arguments_limit_what_their_name_says() {
        assert_eq!(told(&["--watch-namespaces=a,b"]), [LimitedTo::Namespaces(names(&["a", "b"]))]);
        assert_eq!(told(&["--watch-namespace", "a", "--v=2"]), [LimitedTo::Namespaces(names(&["a"]))]);
        assert_eq!(told(&["--namespace=a"]), [LimitedTo::Namespace("a".into())]);
        assert_eq!(told(&["--exclude-namespaces=a"]), [LimitedTo::NotNamespaces(names(&["a"]))]);
        assert_eq!(told(&["--watch-label-selector=team in (a,b)"]), [LimitedTo::Labels("team in (a,b)".into())]);
        assert_eq!(told(&["--namespace-selector=env=prod"]), [LimitedTo::NamespaceLabels("env=prod".into())]);
        let class = |of: &str| LimitedTo::Class { of: of.into(), name: "blue".into() };
        assert_eq!(told(&["--ingress-class=blue", "--class-name=blue"]), [class("ingress"), class("")]);
        assert_eq!(told(&["--watch-filter=x"]), [mark("watch-filter", "x")]);
        assert_eq!(told(&["--zone=eu-1a", "--dns-zone=acme.io"]), [mark("zone", "eu-1a")]);
        assert_eq!(told(&["--revision=1-2", "--shard-key=s1"]), [mark("rev", "1-2"), mark("shard", "s1")]);
    }

    #[test]
    fn other_arguments_are_no_limits() {
        let all = ["--watch-namespace=", "--watch-namespaces=*", "--storage-class=fast", "--leader-elect-namespace=a"];
        assert!(told(&all).is_empty());
        assert!(told(&["--pod-selector=a=b", "--node-selector=a=b", "--namespace=A b"]).is_empty());
        assert!(told(&["--watch-label-selector=TOKEN", "--class=SECRET", "watch-namespace=a"]).is_empty());
    }

    #[test]
    fn variables_limit_only_if_their_name_says_so() {
        let told = |env: Value| -> Vec<LimitedTo> {
            variables(&json!({ "env": [env] })).into_iter().map(|limit| limit.to).collect()
        };
        assert_eq!(told(json!({"name": "WATCH_NAMESPACE", "value": "a"})), [LimitedTo::Namespaces(names(&["a"]))]);
        assert!(told(json!({"name": "POD_NAMESPACE", "value": "a"})).is_empty());
        let field = |path: &str| json!({"fieldRef": {"fieldPath": path}});
        let own = |name: &str| json!({"name": name, "valueFrom": field("metadata.namespace")});
        assert_eq!(told(own("WATCH_NAMESPACE")), [LimitedTo::OwnNamespace]);
        assert!(told(own("NAMESPACE")).is_empty());
        let olm =
            json!({"name": "WATCH_NAMESPACE", "valueFrom": field("metadata.annotations['olm.targetNamespaces']")});
        assert_eq!(told(olm), [LimitedTo::TargetNamespaces]);
    }
}
