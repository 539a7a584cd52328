//! `explain WORD`: the page about a rule, a reason, a condition, a term or a finalizer. Works offline:
//! everything is compiled in.

use super::catalogue::{self, CatalogueEntry};
use super::glossary::{Word, words};
use super::near::nearest;
use super::page;
use super::terms::{CONDITIONS, WORDS};
use crate::plugin::named;
use std::collections::BTreeMap;
use std::fmt;

/// The page that a word refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explained<'a> {
    /// A rule, a reason, a condition or a term, with a handwritten page.
    Markdown {
        /// One sentence: the first line of the page.
        title: &'a str,
        /// The whole page.
        text: &'a str,
    },
    /// A finalizer of the catalogue.
    Finalizer {
        /// The finalizer as the user typed it, which is longer than the key of a family.
        asked: &'a str,
        /// Its entry in the catalogue.
        entry: &'static CatalogueEntry,
    },
    /// A finalizer, since it contains a slash, that is not in the catalogue.
    Unlisted(&'a str),
}

impl Explained<'_> {
    /// The page in Markdown: a title line, then the five headings.
    #[must_use]
    pub fn markdown(&self) -> String {
        match self {
            Self::Markdown { text, .. } => named(text),
            Self::Finalizer { asked, entry } => page::finalizer(asked, entry),
            Self::Unlisted(finalizer) => page::unlisted(finalizer),
        }
    }
}

/// Names with their pages, which stand beside the source of what they explain.
#[derive(Debug, Clone, Default)]
pub struct Pages<'a> {
    /// The rules.
    pub rules: Vec<(&'a str, &'a str)>,
    /// The reasons why a controller has not released an object.
    pub reasons: Vec<(&'a str, &'a str)>,
}

impl<'a> Pages<'a> {
    /// Those of the source, and those about conditions and terms.
    fn all(&self) -> impl Iterator<Item = &(&'a str, &'a str)> {
        self.rules.iter().chain(&self.reasons).chain(CONDITIONS).chain(WORDS)
    }
}

/// The word is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    /// Similar words, the best first; may be empty.
    pub near: Vec<String>,
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no page for that word: it is not a known rule, reason, condition, term or finalizer")?;
        if !self.near.is_empty() {
            write!(f, "; did you mean {}?", self.near.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownWord {}

/// Finds what `word` refers to. For rules, reasons, conditions and terms, case, dashes and a final s are ignored.
///
/// # Errors
/// [`UnknownWord`] with similar words when there is nothing.
pub fn find<'a>(word: &'a str, pages: &Pages<'a>) -> Result<Explained<'a>, UnknownWord> {
    if let Some((_, text)) = pages.all().find(|(name, _)| folded(name) == folded(word)) {
        return Ok(Explained::Markdown { title: page::title(text), text });
    }
    let is_it = |known: &Word| known.names().any(|name| folded(name) == folded(word));
    // `orphan` is also a finalizer.
    if let Some(known) = words().find(is_it).filter(|_| catalogue::lookup(word).is_none()) {
        return Ok(Explained::Markdown { title: known.title, text: known.text });
    }
    if let Some(entry) = catalogue::lookup(word).or_else(|| in_other_case(word)) {
        return Ok(Explained::Finalizer { asked: word, entry });
    }
    if let Some(entry) = of_last_part(word) {
        return Ok(Explained::Finalizer { asked: entry.key, entry });
    }
    if word.contains('/') {
        return Ok(Explained::Unlisted(word));
    }
    let keys = catalogue::entries().iter().map(|entry| entry.key);
    let known = words().flat_map(Word::names).map(|name| -> &str { name });
    let near = nearest(word, pages.all().map(|(name, _)| -> &str { name }).chain(known).chain(keys));
    Err(UnknownWord { near: near.into_iter().map(str::to_owned).collect() })
}

/// The page about `word` as plain text.
///
/// # Errors
/// Those of [`find`].
pub fn explain(word: &str, pages: &Pages<'_>) -> Result<String, UnknownWord> {
    find(word, pages).map(|found| page::plain(&found.markdown()))
}

/// Rules, reasons, conditions and terms, each with its title.
#[must_use]
pub fn titles(pages: &Pages<'_>) -> Vec<(String, String)> {
    let pages = pages.all().map(|(name, text)| ((*name).to_owned(), subject(name, text)));
    let known = words().filter_map(|word| Some((word.names().next()?.to_owned(), page::capitalised(word.title))));
    pages.chain(known).collect()
}

/// Everything that can be explained: rules, reasons, conditions and terms with their titles, and the number
/// of finalizers of each product.
#[must_use]
pub fn index(pages: &Pages<'_>) -> String {
    let mut products: BTreeMap<String, (&str, usize)> = BTreeMap::new();
    for entry in catalogue::entries() {
        products.entry(entry.product.to_lowercase()).or_insert((entry.product, 0)).1 += 1;
    }
    let counted: Vec<String> = products.values().map(|(product, count)| format!("{product} {count}")).collect();
    format!(
        "RULES\n{}\nREASONS OF A CONTROLLER\n{}\nCONDITIONS\n{}\nTERMS\n{}\nWORDS OF THE SCREENS\n{}\n\nFINALIZERS\n{} finalizers of {} products\n{}\n",
        listing(&pages.rules),
        listing(&pages.reasons),
        listing(CONDITIONS),
        listing(WORDS),
        page::hang("  ", &words().filter_map(|word| word.names().next()).collect::<Vec<_>>().join(", ")),
        catalogue::entries().len(),
        products.len(),
        page::hang("  ", &counted.join(", ")),
    )
}

/// The finalizer of Kubernetes with this word behind the domain, such as `pvc-protection`, or else the
/// only one.
fn of_last_part(word: &str) -> Option<&'static CatalogueEntry> {
    let is_it = |entry: &&CatalogueEntry| entry.key.rsplit_once('/').is_some_and(|(_, last)| last == word);
    let of_kubernetes = format!("kubernetes.io/{word}");
    if let Some(entry) = catalogue::entries().iter().find(|entry| entry.key == of_kubernetes) {
        return Some(entry);
    }
    let mut fitting = catalogue::entries().iter().filter(is_it);
    fitting.next().filter(|_| fitting.next().is_none())
}

fn listing(pages: &[(&str, &str)]) -> String {
    let width = pages.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    pages.iter().map(|(name, text)| page::hang(&format!("  {name:width$}  "), &subject(name, text)) + "\n").collect()
}

/// The title of a page without the name that the list shows beside it.
fn subject(name: &str, text: &str) -> String {
    let title = page::title(text);
    match title.split_once(": ") {
        Some((head, rest)) if head == "Condition" || folded(head) == folded(name) => page::capitalised(rest),
        _ => title.to_owned(),
    }
}

/// A word for comparisons: letters only.
fn folded(word: &str) -> String {
    let letters: String = word.chars().filter(|letter| !matches!(letter, '-' | '_' | ' ')).collect();
    let letters = letters.to_lowercase();
    letters.strip_suffix('s').map(str::to_owned).unwrap_or(letters)
}

fn in_other_case(word: &str) -> Option<&'static CatalogueEntry> {
    catalogue::entries().iter().find(|entry| entry.key.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Pages<'static> {
        let rules = vec![
            ("pods-first", "Pods go first\n\n## What it means\nIn order.\n"),
            ("held-by-finalizer", "A finalizer keeps the object\n"),
        ];
        Pages { rules, reasons: vec![("paused", "The object is paused\n")] }
    }

    fn found(word: &str) -> Explained<'_> {
        find(word, &some()).unwrap()
    }

    fn title(word: &str) -> String {
        found(word).markdown().lines().next().unwrap().to_owned()
    }

    #[test]
    fn rules_conditions_and_terms_are_found_however_they_are_spelled() {
        assert_eq!(title("pods-first"), "Pods go first");
        assert_eq!(title("Pods_First"), "Pods go first");
        assert_eq!(title("finalizers"), title("finalizer"));
        assert_eq!(title("ownerreferences"), title("ownerReference"));
        assert_eq!(title("propagationPolicy"), title("propagation-policy"));
        assert_eq!(title("apiservice"), title("APIService"));
        assert!(title("namespacecontentremaining").starts_with("Condition: "));
    }

    #[test]
    fn finalizers_are_found_also_in_another_case() {
        assert!(matches!(found("orphan"), Explained::Finalizer { entry, .. } if entry.key == "orphan"));
        assert!(
            matches!(found("foregrounddeletion"), Explained::Finalizer { entry, .. } if entry.key == "foregroundDeletion")
        );
        assert!(matches!(found("external-attacher/x"), Explained::Finalizer { asked: "external-attacher/x", .. }));
        assert!(matches!(found("acme.io/backup"), Explained::Unlisted("acme.io/backup")));
    }

    #[test]
    fn a_finalizer_is_found_by_the_word_behind_its_domain() {
        let key = "kubernetes.io/pvc-protection";
        assert!(
            matches!(found("pvc-protection"), Explained::Finalizer { asked, entry } if asked == key && entry.key == key)
        );
        assert_eq!(title("held"), title("held by"));
        assert_eq!(title("Paused"), "The object is paused");
    }

    #[test]
    fn an_unknown_word_has_near_misses() {
        let near = |word| find(word, &some()).unwrap_err().near;
        assert_eq!(near("held-by-finaliser").first().map(String::as_str), Some("held-by-finalizer"));
        assert!(near("longhorn").contains(&"longhorn.io".to_owned()));
        assert!(near("qqqqqqqqqq").is_empty());
        let unknown = UnknownWord { near: vec!["a".into(), "b".into()] };
        assert_eq!(
            unknown.to_string(),
            "there is no page for that word: it is not a known rule, reason, condition, term or finalizer; did you mean a, b?"
        );
    }

    #[test]
    fn the_plain_page_has_no_heading_marks() {
        assert_eq!(explain("pods-first", &some()).unwrap(), "Pods go first\n\nWHAT IT MEANS\nIn order.\n");
    }

    #[test]
    fn every_page_has_the_five_headings_in_order_and_fits_a_terminal() {
        for (name, text) in crate::rules::explanations().all() {
            assert_eq!(page::faults(text), [""; 0], "{name}");
            assert!((15..=46).contains(&text.lines().count()), "{name} has {} lines", text.lines().count());
        }
    }

    #[test]
    fn every_page_that_an_entry_points_at_exists() {
        let pages = crate::rules::explanations();
        for see in catalogue::entries().iter().map(|entry| entry.see).chain([catalogue::see()]) {
            assert!(matches!(find(see, &pages), Ok(Explained::Markdown { .. })), "{see}");
        }
    }

    #[test]
    fn every_listed_term_is_explained_as_it_is_listed() {
        for (term, _) in titles(&some()) {
            assert!(find(&term, &some()).is_ok(), "{term}");
        }
    }

    #[test]
    fn the_index_lists_everything_and_fits_a_terminal() {
        let index = index(&crate::rules::explanations());
        for part in [
            "pods-first", "gives-no-reason", "NamespaceContentRemaining", "propagation-policy", "508 finalizers of ",
            "Argo CD 5",
        ] {
            assert!(index.contains(part), "{part} in {index}");
        }
        assert!(index.lines().all(|line| line.chars().count() <= 80), "{index}");
    }
}
