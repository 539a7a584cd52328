//! Parses TYPE NAME… and TYPE/NAME… as in kubectl.

use crate::cli;
use crate::failure::{Failure, Hint};
use crate::inert::quote;
use crate::installers;
use crate::plugin::COMMAND;
use crate::survey::{Discovery, Resource, ResourceId, Selector, TargetName, is_label, is_path_segment};

/// The maximum length of a word. No server accepts much longer paths, and most names have at most
/// 253 characters (RFC 1123, as kubernetes/kubernetes checks them:
/// `staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go`).
const MAX_WORD: usize = 4096;

/// An object as the user named it: its type and name.
pub type TypeAndName = (String, String);

/// Parses the words.
///
/// # Errors
/// When they are not TYPE NAME… or TYPE/NAME….
pub fn parse(words: &[String]) -> Result<Vec<TypeAndName>, Failure> {
    let usage = |text: String| {
        let examples = ["ns shop", "pod web-1 -n shop", "widgets.acme.io/orders"];
        let failure = Failure::unknown(text).hint("for example");
        examples.iter().fold(failure, |failure, words| failure.command(format!("{COMMAND} {words}")))
    };
    for word in words {
        is_short_enough(word)?;
    }
    let Some((first, names)) = words.split_first() else {
        return Err(usage("TYPE and NAME are missing".into()));
    };
    if first.contains('/') {
        let both = |word| with_slash(word).ok_or_else(|| usage(format!("{word:?} is not TYPE/NAME")));
        return words.iter().map(|word| both(word).and_then(|object| is_name(&object.1).map(|()| object))).collect();
    }
    if names.is_empty() {
        let word = quote(first);
        let failure = Failure::unknown(format!("{first:?} needs a NAME"));
        return Err(if cli::is_type(first) {
            failure.hint(format!("{word} NAME, or {word}/NAME"))
        } else if installers::is_word(first) {
            failure.hint(format!("{word}/NAME is what {word} has installed"))
        } else {
            failure.hint(format!("add its TYPE: ns {word}, pod {word} -n NAMESPACE, helm/{word}"))
        });
    }
    for name in names {
        if name.contains('/') {
            return Err(usage(format!("{name:?} already includes a TYPE; leave out {first:?}")));
        }
        if name.is_empty() {
            return Err(usage("NAME is empty".into()));
        }
        is_name(name)?;
    }
    let types = types(first)?;
    Ok(types.iter().flat_map(|kind| names.iter().map(|name| (kind.clone(), name.clone()))).collect())
}

/// Refuses a word that is too long for a request.
///
/// # Errors
/// When it is too long.
pub fn is_short_enough(word: &str) -> Result<(), Failure> {
    if word.len() <= MAX_WORD {
        return Ok(());
    }
    let beginning: String = word.chars().take(40).collect();
    Err(Failure::unknown(format!("{beginning:?}… is {} bytes long, which is too long for a name", word.len()))
        .hint("write TYPE NAME"))
}

/// Refuses a name that no object can have. In a request, it would lead to another path.
///
/// # Errors
/// When no object can have it.
pub fn is_name(name: &str) -> Result<(), Failure> {
    is_short_enough(name)?;
    if is_path_segment(name) {
        return Ok(());
    }
    Err(Failure::unknown(format!("{name:?} is not a valid name of an object"))
        .hint("a name is not empty, not \".\" or \"..\", and has no \"/\" and no \"%\""))
}

/// Refuses a name that no namespace can have.
///
/// # Errors
/// When no namespace can have it.
pub fn is_namespace(name: &str) -> Result<(), Failure> {
    is_short_enough(name)?;
    if is_label(name) {
        return Ok(());
    }
    Err(Failure::unknown(format!("{name:?} is not a valid name of a namespace"))
        .hint("it has at most 63 small letters, digits and dashes, and no dash at its ends"))
}

/// Refuses a text that is not a label selector.
///
/// # Errors
/// When it is not.
pub fn is_selector(text: &str) -> Result<(), Failure> {
    Selector::parse(text).map(drop).map_err(|why| {
        Failure::unknown(format!("-l is not a label selector: {why}"))
            .hint("-l app=web, -l 'tier!=db', -l 'env in (a,b)'")
    })
}

/// Splits `TYPE1,TYPE2`.
///
/// # Errors
/// When one of them is empty.
pub fn types(word: &str) -> Result<Vec<String>, Failure> {
    is_short_enough(word)?;
    let types: Vec<String> = word.split(',').map(str::to_owned).collect();
    if types.iter().any(String::is_empty) {
        return Err(Failure::unknown(format!("{word:?}: TYPE is empty")).hint(format!("{COMMAND} pods,services NAME")));
    }
    Ok(types)
}

fn with_slash(word: &str) -> Option<TypeAndName> {
    let (kind, name) = word.split_once('/')?;
    (!kind.is_empty() && !kind.contains(',') && !name.is_empty() && !name.contains('/'))
        .then(|| (kind.into(), name.into()))
}

/// The target that the type and name refer to.
///
/// # Errors
/// When the server serves no such TYPE.
pub fn resolve(named: &TypeAndName, discovery: &Discovery, namespace: &str) -> Result<TargetName, Failure> {
    let (kind, name) = named;
    let resource = resource(kind, discovery)?;
    let namespace = resource.namespaced.then(|| namespace.to_owned());
    Ok(TargetName { resource: resource.id.clone(), namespace, name: name.clone() })
}

/// The resource that a TYPE names.
///
/// # Errors
/// When the server serves no such TYPE.
pub fn resource<'d>(kind: &str, discovery: &'d Discovery) -> Result<&'d Resource, Failure> {
    let Some(resource) = discovery.resolve(kind).map(|found| real(found, discovery)) else {
        let near = discovery.near(kind);
        let unlisted = match discovery.stale.join(", ") {
            stale if stale.is_empty() => stale,
            stale => format!(" (the server could not list {stale} just now)"),
        };
        let hint = if installers::is_word(kind) {
            let kind = quote(kind);
            Hint::from(format!("{kind}/NAME is what {kind} has installed{unlisted}"))
                .command(format!("{COMMAND} preflight {kind}/NAME"))
                .command(format!("{COMMAND} {kind}/NAME --delete"))
        } else if near.is_empty() {
            Hint::from(format!("this lists the types{unlisted}")).command("kubectl api-resources")
        } else {
            format!("did you mean {}?{unlisted}", near.join(" or ")).into()
        };
        return Err(Failure::unknown(format!("the server doesn't have a resource type {kind:?}"))
            .hint(hint)
            .about_type());
    };
    Ok(resource)
}

/// The resource itself. `OpenShift`'s Projects are another name for namespaces, behind an
/// aggregated API; deleting a Project deletes the namespace (openshift/openshift-apiserver:
/// `pkg/project/apiserver/registry/project/proxy/proxy.go`).
pub fn real<'d>(resource: &'d Resource, discovery: &'d Discovery) -> &'d Resource {
    let is_project = resource.id.is("project.openshift.io", "projects");
    let namespaces = discovery.preferred("", "namespaces").filter(|_| is_project);
    namespaces.unwrap_or(resource)
}

/// Resolves the most common types without discovery, so that they can be read in the first round
/// trip.
pub fn resolve_early(named: &TypeAndName, namespace: &str) -> Option<TargetName> {
    let (kind, name) = named;
    let (plural, namespace) = match kind.to_lowercase().as_str() {
        "ns" | "namespace" | "namespaces" => ("namespaces", None),
        "po" | "pod" | "pods" => ("pods", Some(namespace.to_owned())),
        _ => return None,
    };
    Some(TargetName { resource: ResourceId::new("", "v1", plural), namespace, name: name.clone() })
}

/// `1 object is`, `3 objects are`
pub(super) fn objects_are(count: usize) -> String {
    if count == 1 { "1 object is".to_owned() } else { format!("{count} objects are") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Vec<TypeAndName>, Failure> {
        parse(&line.split_whitespace().map(Into::into).collect::<Vec<_>>())
    }

    #[test]
    fn both_ways_to_name_objects_are_accepted() {
        assert_eq!(words("ns a b").unwrap(), [("ns".into(), "a".into()), ("ns".into(), "b".into())]);
        assert_eq!(words("po,svc a").unwrap(), [("po".into(), "a".into()), ("svc".into(), "a".into())]);
        assert_eq!(words("ns/a pod/b").unwrap(), [("ns".into(), "a".into()), ("pod".into(), "b".into())]);
    }

    #[test]
    fn a_project_is_its_namespace() {
        let resource = |group: &str, plural: &str, kind: &str| Resource {
            id: ResourceId::new(group, "v1", plural),
            kind: kind.into(),
            namespaced: false,
            singular: kind.to_lowercase(),
            short_names: Vec::new(),
            verbs: ["get", "list", "delete"].map(Into::into).to_vec(),
        };
        let resources = vec![
            resource("", "namespaces", "Namespace"),
            resource("project.openshift.io", "projects", "Project"),
            resource("acme.io", "plans", "Plan"),
        ];
        let discovery = Discovery { resources, stale: Vec::new() };
        let named =
            |kind: &str| resolve(&(kind.into(), "shop".into()), &discovery, "default").unwrap().resource.short();
        assert_eq!(
            (named("project"), named("projects.project.openshift.io")),
            ("namespaces".into(), "namespaces".into())
        );
        assert_eq!(named("plan"), "plans.acme.io");
    }

    #[test]
    fn invalid_words_are_refused_with_a_reason() {
        for (line, reason) in [
            ("", "TYPE and NAME are missing"),
            ("ns", "needs a NAME"),
            ("ns a/b", "already includes a TYPE"),
            ("ns/a pod", "not TYPE/NAME"),
            ("ns/", "not TYPE/NAME"),
            ("po,svc/a", "not TYPE/NAME"),
            ("po,,svc a", "TYPE is empty"),
            ("ns a%2Fb", "not a valid name"),
            ("ns/..", "not a valid name"),
        ] {
            let text = words(line).unwrap_err().to_string();
            assert!(text.contains(reason), "{line}: {text}");
        }
    }

    #[test]
    fn a_word_alone_gets_what_it_lacks() {
        for (word, hint) in [
            ("ns", "ns NAME, or ns/NAME"),
            ("helm", "helm/NAME is what helm has installed"),
            ("gizmo", "add its TYPE: ns gizmo, pod gizmo -n NAMESPACE, helm/gizmo"),
        ] {
            let failure = words(word).unwrap_err();
            assert_eq!(failure.hints()[0].words(), hint, "{failure}");
        }
    }

    #[test]
    fn a_namespace_is_one_label() {
        for name in ["inner/pods/admin:80/proxy/shutdown", "..", "a%2Fb", "", "-a", "A", "a.b", "a\nb"] {
            assert!(is_namespace(name).is_err(), "{name:?}");
        }
        assert!(is_namespace("kube-system").is_ok() && is_namespace(&"a".repeat(63)).is_ok());
    }

    #[test]
    fn a_name_that_nothing_can_have_is_refused_without_repeating_it() {
        let long = "a".repeat(100_000);
        let text = words(&format!("ns {long}")).unwrap_err().to_string();
        assert!(text.contains("is 100000 bytes long") && text.len() < 200, "{text}");
        assert!(types(&long).is_err() && words(&format!("ns {}", "a".repeat(4096))).is_ok());
    }
}
