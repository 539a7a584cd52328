//! The pages about conditions and terms. Those about rules are beside the rules.

macro_rules! pages {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("terms/", $name, ".md")))),+]
    };
}

/// The conditions of a namespace that is being deleted, with their pages, in the order in which the
/// server shows them.
pub(super) const CONDITIONS: &[(&str, &str)] = pages![
    "NamespaceDeletionDiscoveryFailure",
    "NamespaceDeletionGroupVersionParsingFailure",
    "NamespaceDeletionContentFailure",
    "NamespaceContentRemaining",
    "NamespaceFinalizersRemaining",
];

/// Other terms that one encounters, with their pages.
pub(super) const WORDS: &[(&str, &str)] = pages![
    "Terminating", "deletionTimestamp", "finalizer", "controller", "grace-period", "ownerReference",
    "propagation-policy", "garbage-collector", "ordered-deletion", "preflight", "APIService", "force-finalize",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_page_in_the_folder_is_named_here() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/knowledge/terms");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let named: BTreeSet<String> = CONDITIONS.iter().chain(WORDS).map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(files, named);
    }
}
