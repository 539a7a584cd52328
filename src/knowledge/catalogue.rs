//! The catalogue of known finalizers: the controller that removes each one, what it guards, and what
//! is lost if it is removed by hand.
//!
//! A finalizer belongs to the entry with exactly its key, or else to a family (a prefix or a
//! pattern) that matches it. If several families match, the longest wins.

use super::near::nearest;
use crate::report::Risk;

/// A finalizer, or a family of finalizers. The texts are parts of sentences: lower case except for
/// names, without full stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// The finalizer, or the prefix or pattern of its family.
    pub key: &'static str,
    /// How finalizers are compared with the key.
    pub matching: Matching,
    /// The meaning of the part of the name that the key leaves open.
    pub carries: Option<&'static str>,
    /// The product that sets it.
    pub product: &'static str,
    /// The kinds that have it, or words if it may be any kind.
    pub kinds: &'static [&'static str],
    /// Whether a framework gives this finalizer to all programs that are built with it, on any kind: the entry
    /// then names none of them.
    pub framework: bool,
    /// The controller that removes it.
    pub controller: &'static str,
    /// The names of workloads in [`Self::controller`], each with at most a `*` for what varies: such a workload is
    /// the controller, whichever program set the finalizer.
    pub names: &'static [&'static str],
    /// The controller's usual namespace, or words about it.
    pub namespace: &'static str,
    /// Where the controller may run without being seen in this cluster, if anywhere.
    pub unseen: Option<Unseen>,
    /// What happens before the object may be deleted. Reads well after “guards: ”.
    pub guards: &'static str,
    /// Whether a node is drained before that.
    pub drains: bool,
    /// The number of minutes that this may usually take, if it is known to take long.
    pub takes: Option<u8>,
    /// The data or running program that is destroyed when the controller finishes its work, if any.
    pub if_finished: Option<&'static str>,
    /// The consequences of removing it by hand: what stays or is lost.
    pub if_removed: &'static str,
    /// The risk of removing it by hand; never [`Risk::Manual`].
    pub risk: Risk,
    /// The product's own way to release the object, in the imperative.
    pub way_out: &'static str,
    /// The annotation, as `KEY=VALUE`, by which the controller leaves alone what is outside the cluster, if it has one.
    pub abandon: Option<&'static str>,
    /// Other things worth knowing.
    pub note: Option<&'static str>,
    /// A page with more information.
    pub see: &'static str,
    /// The files where the key is set, as `owner/repository:path`, joined by `; `.
    pub source: &'static str,
    /// How reliable the entry is.
    pub evidence: Reliability,
}

/// A place in which a controller is not seen from the cluster that it works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// The control plane of a managed cluster.
    Managed,
    /// Another cluster, or no workload at all.
    Elsewhere,
}

impl CatalogueEntry {
    /// Whether it applies to objects of this kind: it names the kind, or none.
    fn is_about(&self, kind: &str, group: &str) -> bool {
        let is_kind = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric);
        self.kinds.iter().any(|words| match words.split_once(' ') {
            None if is_kind(words) => *words == kind,
            Some((word, rest)) if is_kind(word) && rest.starts_with('(') => {
                word == kind && rest.trim_matches(['(', ')']) == group
            }
            _ => true,
        })
    }

    fn claims(&self, finalizer: &str) -> bool {
        match self.matching {
            Matching::Exact => finalizer == self.key,
            Matching::Prefix => finalizer.len() > self.key.len() && finalizer.starts_with(self.key),
            Matching::Pattern => fits(self.key, finalizer),
        }
    }
}

/// How finalizers are compared with the key of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// The finalizer equals the key.
    Exact,
    /// The finalizer is longer than the key and begins with it.
    Prefix,
    /// The finalizer has the same parts between slashes; a `*` (at most one in a part) stands for
    /// one or more characters.
    Pattern,
}

/// How reliable an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reliability {
    /// Read in the source code that sets it.
    Source,
    /// Only seen in public code or objects.
    Sighting,
}

// `SEE`, the page to read after that of a finalizer; `ENTRIES`, sorted by key; and `FAMILIES`, the
// prefixes and patterns with the longest key first. The build script generates them from
// `finalizers.yaml`.
include!(concat!(env!("OUT_DIR"), "/finalizers.rs"));

/// The entry of a finalizer.
#[must_use]
pub fn lookup(finalizer: &str) -> Option<&'static CatalogueEntry> {
    exact(finalizer).or_else(|| family(finalizer))
}

/// The entry of a finalizer on an object of this kind: several controllers may use the same name,
/// each for its own kinds.
#[must_use]
pub fn of(finalizer: &str, kind: &str, group: &str) -> Option<&'static CatalogueEntry> {
    lookup(finalizer).filter(|entry| entry.is_about(kind, group))
}

/// The clauses of an entry's text that apply to a kind: `for a Volume its replicas are deleted; for an Engine …`. `None`
/// if all of them are about other kinds.
#[must_use]
pub fn clauses_about(text: &str, kind: &str) -> Option<String> {
    let applies = |clause: &&str| {
        let Some(rest) = clause.strip_prefix("for a ").or_else(|| clause.strip_prefix("for an ")) else { return true };
        let words = rest.split(' ').map(|word| word.trim_end_matches(','));
        let mut kinds = words.take_while(|word| *word == "or" || word.starts_with(char::is_uppercase)).peekable();
        kinds.peek().is_none() || kinds.any(|word| word == kind)
    };
    let kept: Vec<&str> = text.split("; ").filter(applies).collect();
    (!kept.is_empty()).then(|| kept.join("; "))
}

/// The data and running programs that the controllers of these finalizers destroy in their work.
pub fn destroyed(finalizers: &[String]) -> impl Iterator<Item = &'static str> {
    finalizers.iter().filter_map(|key| lookup(key)?.if_finished)
}

/// All entries, sorted by key.
#[must_use]
pub fn entries() -> &'static [CatalogueEntry] {
    if is_empty() { &[] } else { &ENTRIES }
}

#[cfg(debug_assertions)]
thread_local! {
    static EMPTY: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs `work` on this thread as if the catalogue were empty. Tests use it to show that the
/// catalogue decides nothing; a release does not contain it.
#[cfg(debug_assertions)]
#[doc(hidden)]
pub fn without<T>(work: impl FnOnce() -> T) -> T {
    let before = EMPTY.replace(true);
    let done = work();
    EMPTY.set(before);
    done
}

fn is_empty() -> bool {
    #[cfg(debug_assertions)]
    return EMPTY.get();
    #[cfg(not(debug_assertions))]
    false
}

/// The page to read about a finalizer about which nothing else is known.
#[must_use]
pub fn see() -> &'static str {
    SEE
}

/// The keys most similar to `word`, the best first; few, or none.
#[must_use]
pub fn near(word: &str) -> Vec<&'static str> {
    nearest(word, entries().iter().map(|entry| entry.key))
}

fn exact(finalizer: &str) -> Option<&'static CatalogueEntry> {
    let index = entries().binary_search_by_key(&finalizer, |entry| entry.key).ok()?;
    Some(&entries()[index]).filter(|entry| entry.claims(finalizer))
}

/// There are so few families that trying each is faster than a lookup.
fn family(finalizer: &str) -> Option<&'static CatalogueEntry> {
    FAMILIES.iter().copied().find(|entry| entry.claims(finalizer)).filter(|_| !is_empty())
}

fn fits(pattern: &str, finalizer: &str) -> bool {
    let mut parts = finalizer.split('/');
    let all = pattern.split('/').all(|pattern| parts.next().is_some_and(|part| part_fits(pattern, part)));
    all && parts.next().is_none()
}

fn part_fits(pattern: &str, part: &str) -> bool {
    match pattern.split_once('*') {
        None => part == pattern,
        Some((head, tail)) => part.len() > head.len() + tail.len() && part.starts_with(head) && part.ends_with(tail),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_entry_is_about_the_kinds_that_it_names() {
        let product = |kind, group| super::of("finalizers.fluxcd.io", kind, group).map(|entry| entry.product);
        assert_eq!(product("Kustomization", "kustomize.toolkit.fluxcd.io"), Some("Flux"));
        assert_eq!(product("RoleBinding", "rbac.authorization.k8s.io"), None);
    }

    #[test]
    fn advice_for_some_kinds_of_an_entry_names_them() {
        let entry = super::lookup("finalizers.fluxcd.io").unwrap();
        assert!(!entry.way_out.contains("suspend"), "a suspended GitRepository is not released: {}", entry.way_out);
        let note = entry.note.unwrap();
        assert!(note.contains("on a Kustomization or a HelmRelease") && note.contains("on a GitRepository"), "{note}");
    }

    use super::*;
    use serde::Deserialize;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;

    fn key(finalizer: &str) -> Option<&'static str> {
        lookup(finalizer).map(|entry| entry.key)
    }

    #[test]
    fn all_entries_are_read_and_none_was_forgotten() {
        assert_eq!(entries().len(), 508);
    }

    #[test]
    fn a_finalizer_belongs_to_the_entry_with_its_key() {
        for entry in entries().iter().filter(|entry| entry.matching == Matching::Exact) {
            assert_eq!(key(entry.key), Some(entry.key));
        }
    }

    #[test]
    fn the_longest_matching_family_wins() {
        assert_eq!(key("external-attacher/ebs-csi-aws-com"), Some("external-attacher/"));
        assert_eq!(key("finalizers.s3.services.k8s.aws/Bucket"), Some("finalizers.*.services.k8s.aws/*"));
        assert_eq!(key("brokers.eventing.knative.dev"), Some("*.eventing.knative.dev"));
        assert_eq!(key("deletion.finalizers.queues.rabbitmq.com"), Some("deletion.finalizers.*.rabbitmq.com"));
        assert_eq!(
            key("deletion.finalizers.rabbitmqclusters.rabbitmq.com"),
            Some("deletion.finalizers.rabbitmqclusters.rabbitmq.com"),
        );
        assert_eq!(key("wrangler.cattle.io/some-handler"), Some("wrangler.cattle.io/"));
        assert_eq!(
            key("wrangler.cattle.io/vm-image-controller").and_then(lookup).map(|entry| entry.product),
            Some("Harvester")
        );
        assert_eq!(
            key("clusterscoped.controller.cattle.io/user-node-remove_c-x7k2p"),
            Some("clusterscoped.controller.cattle.io/user-node-remove_"),
        );
        assert_eq!(key("clusterscoped.controller.cattle.io/other_local"), Some("clusterscoped.controller.cattle.io/"));
    }

    #[test]
    fn unclaimed_finalizers_are_not_found() {
        for unknown in
            ["", "acme.io/backup", "external-attacher/", ".eventing.knative.dev", "wrangler.cattle.io", "x/y/z"]
        {
            assert_eq!(key(unknown), None, "{unknown}");
        }
    }

    /// Any two families either share nothing, or one is the longer of two prefixes, which then
    /// wins.
    #[test]
    fn no_two_families_claim_the_same_finalizer() {
        let families: Vec<&CatalogueEntry> =
            entries().iter().filter(|entry| entry.matching != Matching::Exact).collect();
        for family in &families {
            let mut sample = family.key.replace('*', "sample");
            if family.matching == Matching::Prefix {
                sample.push_str("sample");
            }
            assert_eq!(key(&sample), Some(family.key));
            for other in families.iter().filter(|other| other.claims(&sample)) {
                assert!(family.key.starts_with(other.key), "{} and {}", family.key, other.key);
            }
        }
    }

    #[test]
    fn near_misses_are_found_by_part_and_by_likeness() {
        assert_eq!(near("pvc-protection").first(), Some(&"kubernetes.io/pvc-protection"));
        assert_eq!(near("karpenter.sh/terminaton").first(), Some(&"karpenter.sh/termination"));
        assert!(near("qqqqqqqqqq").is_empty());
    }

    #[derive(Deserialize)]
    struct File {
        see: String,
        see_namespaces: String,
        finalizers: Vec<BTreeMap<String, Value>>,
    }

    /// The build script drops nothing and misreads nothing.
    #[test]
    fn the_tables_say_what_the_file_says() {
        let read: File = serde_saphyr::from_str(include_str!("finalizers.yaml")).unwrap();
        assert_eq!(see(), read.see);
        assert_eq!(read.finalizers.len(), entries().len());
        for (mut read_entry, entry) in read.finalizers.into_iter().zip(entries()) {
            let usual = if entry.kinds == ["Namespace"] { &read.see_namespaces } else { &read.see };
            read_entry.entry("see".into()).or_insert_with(|| usual.as_str().into());
            assert_eq!(read_entry, as_yaml(entry));
        }
    }

    fn as_yaml(entry: &CatalogueEntry) -> BTreeMap<String, Value> {
        let matching = match entry.matching {
            Matching::Exact => None,
            Matching::Prefix => Some("prefix"),
            Matching::Pattern => Some("pattern"),
        };
        let evidence = (entry.evidence == Reliability::Sighting).then_some("sighting");
        let unseen = entry.unseen.map(|place| match place {
            Unseen::Managed => "managed",
            Unseen::Elsewhere => "elsewhere",
        });
        let fields = json!({
            "key": entry.key, "match": matching, "carries": entry.carries, "product": entry.product,
            "kinds": entry.kinds, "framework": entry.framework.then_some(true), "controller": entry.controller, "namespace": entry.namespace,
            "unseen": unseen, "drains": entry.drains.then_some(true), "guards": entry.guards, "takes": entry.takes.map(|minutes| format!("{minutes}m")), "if_finished": entry.if_finished, "if_removed": entry.if_removed,
            "risk": entry.risk.word(), "way_out": entry.way_out, "abandon": entry.abandon, "note": entry.note, "see": entry.see,
            "source": entry.source, "evidence": evidence,
        });
        let fields: BTreeMap<String, Value> = serde_json::from_value(fields).unwrap();
        fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
    }
}
