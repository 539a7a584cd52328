//! Kinds that no client can list, so that the namespace controller cannot know whether the namespace is
//! empty either.

use crate::facts::{Facts, Known, Readable, SETTLE, Target, each, is_late};
use crate::findings::overload;
use crate::kubernetes::aggregation::{available_groups, unavailable_groups};
use crate::kubernetes::definitions::versions;
use crate::kubernetes::namespaces::{UnlistedKind, unreadable_in_the_store};
use crate::needs::{Draft, Explains, Findings, NotRead, Rule};
use crate::plan::quote;
use crate::report::{Cause, Named, NoteSubject, Ref, Remedy, Sentence};
use crate::survey::{Form, Reason, Resource, Unread};

pub(super) const RULE: Rule = Rule::new(
    "content-unreadable",
    include_str!("content_unreadable.md"),
    &[Explains::Listed(diagnose), Explains::Readable(for_unread)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    if !(target.is_namespace() && target.is_deleting()) {
        return Ok(());
    }
    let content = facts.sweep(target.object().name())?;
    let unavailable = unavailable_groups(facts)?;
    // A kind of an aggregated API is read from its own server, not from the store.
    let aggregated = available_groups(facts)?;
    let elsewhere = |resource: &Resource| {
        let group = resource.id.api_version();
        unavailable.contains(&group) || aggregated.contains(&group)
    };
    let by_version = versions::unreadable(target, facts)?;
    let explained =
        |resource: &Resource| by_version.iter().any(|kind| kind.definition.object().name() == resource.id.short());
    let overloaded = overload::kinds(&content, facts)?;
    if let Some(draft) = overload::draft(target, &content, &overloaded, facts) {
        found.add(draft);
    }
    let mut failing = Vec::new();
    for (resource, why) in content.unread {
        if unavailable.contains(&resource.id.api_version()) || overloaded.contains(&resource.id) {
            continue;
        }
        let what = format!("{} in namespace {}", resource.id, target.object().name());
        facts.note_unread(NoteSubject::list(&resource.id, what), why);
        if !explained(resource) && !elsewhere(resource) && why.is_the_servers() {
            failing.push((resource, why));
        }
    }
    if target.namespace_being_emptied().is_none() || !is_late(target.object(), facts, SETTLE) {
        return Ok(());
    }
    if failing.is_empty() && by_version.is_empty() {
        failing =
            unreadable_in_the_store(target, facts)?.into_iter().filter(|(resource, _)| !elsewhere(resource)).collect();
    }
    let is_known = |resource: &Resource| failing.iter().any(|(known, _)| known.id == resource.id);
    let mut hidden = versions::beyond_the_cache(target, facts)?;
    hidden.retain(|(resource, _)| !explained(resource) && !is_known(resource));
    if !failing.is_empty() {
        found.add(draft(target, &failing));
    }
    found.add_all(each(hidden, |kind| beyond_the_cache(target, kind, facts))?);
    Ok(())
}

/// The finding for a namespace whose own objects can all be read: the controller reads the cache.
fn beyond_the_cache(target: &Target<'_>, (resource, why): UnlistedKind<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let namespace = target.reference();
    let kind = resource.id.short();
    let elsewhere = facts.list(&resource.id, None, Form::Stored).surveyed()?.err().map(|gap| gap.why);
    let words = elsewhere.as_ref().map_or(why.message.as_str(), |why| why.message.as_str());
    let cause =
        if is_corrupt(words) { ": one stored object of this kind, in some namespace, cannot be decoded" } else { "" };
    let listed = Sentence::from(format!("LIST {kind}, as controllers ask: ")).then(why);
    let summary = format!("no controller can list {kind}, so the namespace controller finds no namespace empty{cause}");
    let draft = Draft::new(Cause::Unreadable, namespace.clone(), summary)
        .remark(&listed)
        .quoting(listed, None)
        .with_each(&elsewhere, |draft, why| {
            draft.remark(Sentence::from(format!("LIST {kind} from etcd, in all namespaces: ")).then(why))
        })
        .remark(format!(
            "in namespace {} it can be listed from etcd: the broken object is in another namespace",
            namespace.name
        ));
    let draft = with_remedies(draft, &[(resource, words)], None);
    Ok(if elsewhere.is_some() { draft } else { draft.likely() })
}

/// The finding for an object or a kind that cannot be read itself.
#[expect(clippy::unnecessary_wraps, reason = "as every rule is asked")]
fn for_unread(unread: &NotRead<'_>, _: &Facts<'_>) -> Known<Option<Draft>> {
    let NotRead { kind: resource, object, why } = *unread;
    if why.reason != Reason::ServerError || !is_corrupt(&why.message) {
        return Ok(None);
    }
    let Some(object) = object else { return Ok(Some(of_kind(resource, why))) };
    let summary = Sentence::about(object, "cannot be read: the object stored in etcd cannot be decoded");
    let words = Sentence::from(format!("GET {}: ", resource.id)).then(why);
    let draft = Draft::new(Cause::Unreadable, object.clone(), summary)
        .remark(&words)
        .quoting(words, None)
        .remark("an object that cannot be read cannot be changed or deleted either");
    Ok(Some(with_remedies(draft, &[(resource, &why.message)], Some(object))))
}

/// The finding for a kind that no controller can list.
fn of_kind(resource: &Resource, why: &Unread) -> Draft {
    let kind = resource.id.short();
    let subject = Ref::from(Named { kind: "Kind".into(), name: kind.clone(), ..Named::default() });
    let summary =
        format!("no controller can list {kind}: one stored object of this kind, in some namespace, cannot be decoded");
    let words = Sentence::from(format!("LIST {kind}, as controllers ask: ")).then(why);
    let draft = Draft::new(Cause::Unreadable, subject, summary).remark(&words).quoting(words, None);
    with_remedies(draft, &[(resource, &why.message)], None)
}

/// Whether a message of the API server is about a stored object that cannot be decoded or decrypted
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go`,
/// `staging/src/k8s.io/apiserver/pkg/storage/value/transformer.go`).
fn is_corrupt(message: &str) -> bool {
    const WORDS: [&str; 14] = [
        "StorageReadError",
        "unable to transform key",
        "no matching prefix found",
        "no matching key was found for the provided",
        "failed to decrypt",
        "error decrypting",
        "message authentication failed",
        "invalid padding on input",
        "illegal base64",
        "couldn't get version/kind",
        "yaml: ",
        "illegal wireType",
        "proto: ",
        "looking for beginning of value",
    ];
    WORDS.iter().any(|words| message.contains(words))
}

/// Whether the stored object may be complete and only the encryption key is missing.
fn is_encrypted(message: &str) -> bool {
    ["transform", "decrypt", "no matching prefix", "no matching key", "authentication failed", "invalid padding"]
        .iter()
        .any(|words| message.contains(words))
}

/// The object's key in etcd, if the message contains it.
fn key(message: &str) -> Option<&str> {
    let from = &message[message.find("/registry/")?..];
    let end = from.find(|c: char| c.is_whitespace() || "\"',:".contains(c)).unwrap_or(from.len());
    Some(&from[..end])
}

fn draft(target: &Target<'_>, failing: &[UnlistedKind<'_>]) -> Draft {
    let namespace = target.reference();
    let name = namespace.name.clone();
    let kinds: Vec<String> = failing.iter().map(|(resource, _)| resource.id.short()).collect();
    let first = Sentence::unread(&kinds[0]);
    let what = match &kinds[..] {
        [_] => first,
        several => Sentence::from(format!("{} kinds (", several.len())).then(first).then(" …)"),
    };
    let corrupt = failing.iter().all(|(_, why)| is_corrupt(&why.message));
    let because = if corrupt {
        "one stored object of this kind cannot be decoded"
    } else {
        "it is not known whether any are left"
    };
    let joined = if corrupt { ":" } else { ", so" };
    let summary = what.then(format!(" in namespace {name} cannot be listed{joined} {because}"));
    let mut draft = Draft::new(Cause::Unreadable, namespace, summary);
    for (resource, why) in failing {
        let words = Sentence::from(format!("LIST {}: ", resource.id)).then(*why);
        draft = draft.remark(&words).quoting(words, None);
        draft = draft.with_each(key(&why.message), |draft, key| draft.remark(format!("its key in etcd: {key}")));
    }
    draft = draft.remark("the namespace controller gets the same error and cannot find the namespace empty");
    let words: Vec<(&Resource, &str)> =
        failing.iter().map(|(resource, why)| (*resource, why.message.as_str())).collect();
    let draft = if corrupt { with_remedies(draft, &words, None) } else { draft.remedy(mend(&kinds[0], &name)) };
    // A timeout of this program need not be one for the controller.
    if failing.iter().all(|(_, why)| why.reason == Reason::TimedOut) { draft.likely() } else { draft }
}

fn mend(kind: &str, namespace: &str) -> Remedy {
    Remedy::command(
        "repair what the message names, until this answers",
        format_args!("kubectl get {} -n {}", quote(kind), quote(namespace)),
        "nothing is lost; the namespace controller tries again within 60 seconds",
    )
}

/// Adds remedies for the administrator of the control plane.
fn with_remedies(mut draft: Draft, failing: &[(&Resource, &str)], object: Option<&Ref>) -> Draft {
    if failing.iter().any(|(_, words)| is_encrypted(words)) {
        draft = draft.remedy(Remedy::manual(
            "give the API server back the key that encrypted the object (--encryption-provider-config)",
            "nothing is lost: the stored object is complete, and only its encryption key is missing",
        ));
    }
    let Some((resource, words)) = failing.first() else { return draft };
    let row = key(words).map(|key| (format!(" {key}"), path(resource, key)));
    let row = row.or_else(|| object.map(|object| (String::new(), object.target().want().path())));
    draft.remedy(match row {
        Some((key, path)) => Remedy::manual(
            Sentence::from(format!(
                "restore the object{key} from a backup of etcd, or delete it without reading it. That needs the \
                    feature gate AllowUnsafeMalformedObjectDeletion (beta and on by default in the newest versions, \
                    alpha and off before) and the permission for the verb unsafe-delete-ignore-read-errors"
            ))
            .by(format_args!(
                "kubectl delete --raw {}",
                quote(&format!("{path}?ignoreStoreReadErrorWithClusterBreakingPotential=true"))
            ))
            .aside("without these two, delete only that key from etcd"),
            "the object is deleted without finalizers and admission: the resources behind it stay",
        ),
        None => Remedy::manual(
            Sentence::from("find the key that causes this error")
                .by(format_args!(
                    "etcdctl get --prefix --keys-only {}",
                    quote(&format!("/registry/{}", resource.id.plural))
                ))
                .aside(
                    "then get each object by its name; restore the object that cannot be read from a backup of etcd, \
                        or delete only its key",
                ),
            "deleting a key from etcd removes the object without its finalizers and without admission; back up etcd \
            first",
        ),
    })
}

/// The URL path of the object with this key in etcd, which ends in the namespace and the name
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`).
fn path(resource: &Resource, key: &str) -> String {
    let mut parts = key.rsplit('/');
    let name = parts.next();
    let namespace = if resource.namespaced { parts.next() } else { None };
    resource.id.path(namespace, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_storage_key_is_read_from_the_servers_error() {
        let words = "unable to transform key \"/registry/secrets/shop/login\": no matching prefix found";
        assert!(is_corrupt(words) && is_encrypted(words));
        assert_eq!(key(words), Some("/registry/secrets/shop/login"));
        let secrets = Resource::tested("", "secrets", "Secret", true);
        assert_eq!(path(&secrets, "/registry/secrets/shop/login"), "/api/v1/namespaces/shop/secrets/login");
        assert_eq!(key("illegal base64 data at input byte 4"), None);
        assert!(!is_corrupt("etcdserver: request timed out"));
    }
}
