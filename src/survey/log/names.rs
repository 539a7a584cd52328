//! Words and names in texts.

/// Whether `text` contains `word` as a complete name.
pub(super) fn holds(text: &str, word: &str) -> bool {
    count(text, word) > 0
}

/// How often `text` contains `word` as a complete name: the dot at the end of a sentence does not
/// continue a name, the dot in `a.b` does.
pub(super) fn count(text: &str, word: &str) -> usize {
    if word.is_empty() {
        return 0;
    }
    let before = |start: usize| goes_on(text[..start].chars().rev());
    let after = |end: usize| goes_on(text[end..].chars());
    text.match_indices(word).filter(|(start, _)| !before(*start) && !after(start + word.len())).count()
}

/// Whether the characters beside a word belong to the same name.
fn goes_on(mut beside: impl Iterator<Item = char>) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '-';
    match beside.next() {
        Some('.') => beside.next().is_some_and(letter),
        other => other.is_some_and(letter),
    }
}

/// The words of a text without signs around them: `KafkaTopic(shop/orders)` is two.
pub(super) fn words(text: &str) -> Vec<&str> {
    let signs = |c: char| c.is_whitespace() || "\"'`,;()[]{}<>=\\".contains(c);
    let words = text.split(signs).flat_map(|word| {
        // `namespace:shop` is two words, `10.0.0.1:443` and `s3:PutObject` are one.
        let pair = word.split_once(':').filter(|(key, _)| matches!(*key, "namespace" | "name" | "uid" | "kind"));
        let (first, second) = pair.unwrap_or((word, ""));
        [first, second]
    });
    words.map(|word| word.trim_end_matches(['.', ':', '!', '?'])).filter(|word| !word.is_empty()).collect()
}

/// Whether a name is so unusual that it stands for nothing else: it is long and has a digit.
pub(super) fn is_unusual(name: &str) -> bool {
    name.len() >= 12 && name.contains(|c: char| c.is_ascii_digit())
}

/// The last word of a kind: `topic` of `KafkaTopic`, in lower case.
pub(super) fn last_hump(kind: &str) -> String {
    let start = kind.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0);
    kind[start..].to_ascii_lowercase()
}

/// The text without numbers, ids, names in quotes and durations.
pub(super) fn template(text: &str) -> String {
    let mut template = String::with_capacity(text.len());
    for (place, piece) in text.split('"').enumerate() {
        // A text between quotes is a name.
        let is_name = place % 2 == 1;
        if is_name {
            template.push('"');
        } else {
            template.extend(piece.split_inclusive(|c: char| c.is_whitespace() || ",;()[]'".contains(c)).map(masked));
        }
    }
    template
}

/// The word, or a sign for it if it contains a digit.
fn masked(word: &str) -> &str {
    if word.contains(|c: char| c.is_ascii_digit()) { "# " } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_longer_names_do_not_match() {
        for (text, word, times) in [
            ("shop/orders.", "orders", 1),
            ("orders-2 my-orders orders.x reorders x.orders", "orders", 0),
            ("\"name\":\"orders\",orders", "orders", 2),
            ("database_controller.go", "database", 1),
            ("ä.orders öorders …orders", "orders", 1),
            ("anything", "", 0),
        ] {
            assert_eq!(count(text, word), times, "{text}");
        }
    }

    #[test]
    fn templates_differ_in_words_only() {
        let same = |one: &str, other: &str| template(one) == template(other);
        assert!(same("dial 10.0.0.1:443: refused after 3s", "dial 10.0.0.2:443: refused after 12ms"));
        assert!(same("secret \"a\" not found", "secret \"b\" not found"));
        assert!(same("id 0f3c-11 (try 2)", "id 77 (try 3)"));
        assert!(!same("bucket not empty", "bucket not found"));
    }
}
