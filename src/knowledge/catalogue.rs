//! The catalogue of known finalizers: who takes one off, what it guards, and
//! what is lost when it is taken off by hand.
//!
//! A finalizer belongs to the entry with exactly its key; else to the family (a
//! prefix or a pattern) that claims it, and of several to the longest.

use super::near::nearest;
use super::reader;
use crate::report::Risk;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One finalizer, or one family of them. The texts are parts of a sentence:
/// lower case unless a name, no full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The finalizer, or what its family begins with or looks like.
    pub key: &'static str,
    /// How finalizers are compared with the key.
    pub matching: Matching,
    /// What the part of the name stands for that the key leaves open.
    pub carries: Option<&'static str>,
    /// The product that sets it.
    pub product: &'static str,
    /// The kinds that carry it, or words where it may be any kind.
    pub kinds: Vec<&'static str>,
    /// Who takes it off.
    pub controller: &'static str,
    /// Where the controller usually runs: a namespace, or words.
    pub namespace: &'static str,
    /// What happens before the object may go. Reads well after “guards: ”.
    pub guards: &'static str,
    /// What is destroyed when the controller finishes its work, where that is
    /// data or something that runs.
    pub if_finished: Option<&'static str>,
    /// What stays or is lost when it is taken off by hand.
    pub if_removed: &'static str,
    /// The risk of taking it off by hand; never [`Risk::Manual`].
    pub risk: Risk,
    /// The product's own way to let go, in the imperative.
    pub way_out: &'static str,
    /// What else one should know.
    pub note: Option<&'static str>,
    /// The page to read on, where that about its kind would lead astray.
    pub see: Option<&'static str>,
    /// Where the key is set, as `owner/repository:path`, several joined by `; `.
    pub source: &'static str,
    /// How well the key is known.
    pub evidence: Evidence,
}

/// How finalizers are compared with the key of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// The finalizer is the key.
    Exact,
    /// The finalizer begins with the key and goes on.
    Prefix,
    /// The finalizer has the same parts between slashes, where a `*` (one in a
    /// part) stands for one or more characters.
    Pattern,
}

/// How well the key of an entry is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Read in the source code that sets it.
    Source,
    /// Seen in public code or objects only.
    Sighting,
}

impl Entry {
    fn claims(&self, finalizer: &str) -> bool {
        match self.matching {
            Matching::Exact => finalizer == self.key,
            Matching::Prefix => finalizer.len() > self.key.len() && finalizer.starts_with(self.key),
            Matching::Pattern => fits(self.key, finalizer),
        }
    }
}

/// The entry that a finalizer belongs to.
#[must_use]
pub fn lookup(finalizer: &str) -> Option<&'static Entry> {
    CATALOGUE.exact(finalizer).or_else(|| CATALOGUE.family(finalizer))
}

/// All entries, sorted by key.
#[must_use]
pub fn entries() -> &'static [Entry] {
    &CATALOGUE.entries
}

/// The keys that look most like `word`, the best first; few, or none.
#[must_use]
pub fn near(word: &str) -> Vec<&'static str> {
    nearest(word, entries().iter().map(|entry| entry.key))
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let read = reader::read(include_str!("finalizers.yaml"));
    // The file is compiled in, and a test reads it.
    Catalogue::new(read.unwrap_or_else(|fault| panic!("finalizers.yaml:{fault}")))
});

struct Catalogue {
    /// Sorted by key, which makes an exact key a binary search.
    entries: Vec<Entry>,
    /// Prefixes and patterns by their [`home`], the longest key first.
    families: HashMap<&'static str, Vec<usize>>,
}

impl Catalogue {
    fn new(entries: Vec<Entry>) -> Self {
        let mut families: HashMap<&'static str, Vec<usize>> = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            if entry.matching != Matching::Exact {
                families.entry(home(entry.key)).or_default().push(index);
            }
        }
        for family in families.values_mut() {
            family.sort_by_key(|index| std::cmp::Reverse(entries[*index].key.len()));
        }
        Self { entries, families }
    }

    fn exact(&self, finalizer: &str) -> Option<&Entry> {
        let index = self.entries.binary_search_by_key(&finalizer, |entry| entry.key).ok()?;
        Some(&self.entries[index]).filter(|entry| entry.claims(finalizer))
    }

    fn family(&self, finalizer: &str) -> Option<&Entry> {
        let indices = self.families.get(home(finalizer))?;
        indices.iter().map(|index| &self.entries[*index]).find(|entry| entry.claims(finalizer))
    }
}

/// The last two labels of a finalizer's domain, the part before the slash. A
/// family never spans two of them.
fn home(finalizer: &str) -> &str {
    let domain = finalizer.split('/').next().unwrap_or(finalizer);
    match domain.rmatch_indices('.').nth(1) {
        Some((dot, _)) => &domain[dot + 1..],
        None => domain,
    }
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
    use super::*;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;

    fn key(finalizer: &str) -> Option<&'static str> {
        lookup(finalizer).map(|entry| entry.key)
    }

    #[test]
    fn all_entries_are_read_and_none_was_forgotten() {
        assert_eq!(entries().len(), 501);
    }

    #[test]
    fn keys_are_sorted_and_unique() {
        for pair in entries().windows(2) {
            assert!(pair[0].key < pair[1].key, "{} before {}", pair[0].key, pair[1].key);
        }
    }

    #[test]
    fn every_text_is_there_and_is_part_of_a_sentence() {
        for entry in entries() {
            let texts = [entry.guards, entry.if_removed, entry.way_out, entry.controller, entry.namespace];
            let optional = [entry.if_finished, entry.note, entry.carries];
            for text in texts.into_iter().chain(optional.into_iter().flatten()) {
                assert!(!text.is_empty(), "{}", entry.key);
                assert!(!text.ends_with('.') || text.ends_with("*."), "full stop in {}: {text}", entry.key);
            }
            assert!(!entry.source.is_empty(), "{}", entry.key);
            assert!(!entry.kinds.is_empty(), "{}", entry.key);
            assert_ne!(entry.risk, Risk::Manual, "{}", entry.key);
            let open = entry.matching != Matching::Exact;
            assert_eq!(entry.carries.is_some(), open, "{} says what it leaves open", entry.key);
        }
    }

    #[test]
    fn a_finalizer_belongs_to_the_entry_with_its_key() {
        for entry in entries().iter().filter(|entry| entry.matching == Matching::Exact) {
            assert_eq!(key(entry.key), Some(entry.key));
        }
    }

    #[test]
    fn families_are_found_by_what_they_claim_and_the_longest_wins() {
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
    fn what_no_entry_claims_is_not_found() {
        for unknown in
            ["", "acme.io/backup", "external-attacher/", ".eventing.knative.dev", "wrangler.cattle.io", "x/y/z"]
        {
            assert_eq!(key(unknown), None, "{unknown}");
        }
    }

    /// Any two families either share nothing or one is the longer of the two
    /// prefixes, which then wins.
    #[test]
    fn no_two_families_claim_the_same_finalizer() {
        let families: Vec<&Entry> = entries().iter().filter(|entry| entry.matching != Matching::Exact).collect();
        for family in &families {
            let mut sample = family.key.replace('*', "sample");
            if family.matching == Matching::Prefix {
                sample.push_str("sample");
            }
            assert_eq!(key(&sample), Some(family.key));
            assert!(!home(family.key).contains('*'), "{}", family.key);
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

    /// The file is the YAML it looks like: a YAML crate reads the same from it.
    #[test]
    fn a_yaml_crate_reads_the_same() {
        let text = include_str!("finalizers.yaml");
        let read: Vec<BTreeMap<String, Value>> = serde_saphyr::from_str(text).unwrap();
        assert_eq!(read.len(), entries().len());
        for (read, entry) in read.iter().zip(entries()) {
            assert_eq!(*read, as_yaml(entry));
        }
    }

    fn as_yaml(entry: &Entry) -> BTreeMap<String, Value> {
        let matching = match entry.matching {
            Matching::Exact => None,
            Matching::Prefix => Some("prefix"),
            Matching::Pattern => Some("pattern"),
        };
        let evidence = (entry.evidence == Evidence::Sighting).then_some("sighting");
        let fields = json!({
            "key": entry.key, "match": matching, "carries": entry.carries, "product": entry.product,
            "kinds": entry.kinds, "controller": entry.controller, "namespace": entry.namespace,
            "guards": entry.guards, "if_finished": entry.if_finished, "if_removed": entry.if_removed,
            "risk": entry.risk.word(), "way_out": entry.way_out, "note": entry.note, "see": entry.see,
            "source": entry.source, "evidence": evidence,
        });
        let fields: BTreeMap<String, Value> = serde_json::from_value(fields).unwrap();
        fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
    }
}
