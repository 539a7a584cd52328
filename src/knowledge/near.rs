//! Similar words, to suggest for an unknown one.

/// The maximum number of similar words that are shown.
const MAX_SIMILAR: usize = 5;

/// The least similarity of two words, from 0 to 1.
const MIN_LIKENESS: f64 = 0.7;

/// The candidates most similar to `word`, the best first: those that contain it, then those with a
/// similar spelling, or with a part that has one. Case is ignored.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word = word.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| (likeness(&word, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= MIN_LIKENESS)
        .collect();
    scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    scored.into_iter().take(MAX_SIMILAR).map(|(_, candidate)| candidate).collect()
}

/// The similarity: more than 1 if the candidate contains the word, which is better than accidental
/// similarity. A similar part is worth less than a similar whole.
fn likeness(word: &str, candidate: &str) -> f64 {
    let alike = |other| strsim::normalized_damerau_levenshtein(word, other);
    let whole = alike(candidate);
    if word.len() >= 3 && candidate.contains(word) {
        return 1.0 + whole;
    }
    let part = candidate.split(['.', '/']).map(alike).fold(0.0, f64::max);
    whole.max(0.9 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_matches_come_before_similar_words() {
        let candidates = ["pods-first", "pod-node-gone", "pod-node-not-ready", "finalizer"];
        assert_eq!(nearest("pod-node", candidates), ["pod-node-gone", "pod-node-not-ready"]);
        assert_eq!(nearest("finaliser", candidates), ["finalizer"]);
        assert_eq!(nearest("Pods-Frist", candidates), ["pods-first"]);
        assert_eq!(nearest("karpnter", ["karpenter.sh/termination", "longhorn.io"]), ["karpenter.sh/termination"]);
        assert!(nearest("zebra", candidates).is_empty());
        assert!(nearest("", candidates).is_empty());
    }
}
