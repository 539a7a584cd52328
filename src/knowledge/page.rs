//! Pages: their title and five headings, and the pages that are generated from the catalogue.
//! Written in Markdown that is also readable as plain text.

use super::catalogue::{self, CatalogueEntry, Reliability, near};
use crate::plugin::COMMAND;
use std::fmt::Write as _;

/// The headings of every page, in this order.
pub(super) const HEADINGS: [&str; 5] = ["What it means", "How to tell", "How to fix", "What may be lost", "Sources"];

/// The width to which paragraphs are wrapped.
pub(super) const WIDTH: usize = 78;

/// The title of a page: its first line.
pub(super) fn title(page: &str) -> &str {
    page.lines().next().unwrap_or_default()
}

/// A page without Markdown: headings are in capitals.
pub(super) fn plain(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    for line in page.lines() {
        match line.strip_prefix("## ") {
            Some(heading) => text.push_str(&heading.to_uppercase()),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

/// The page of a finalizer in the catalogue. `asked` is the finalizer itself, which is longer than
/// the key of a family.
pub(super) fn finalizer(asked: &str, entry: &CatalogueEntry) -> String {
    page(asked, [meaning(entry), signs(entry), way_out(entry), losses(entry), sources(entry)])
}

/// The page of an unknown finalizer: how to find its controller.
pub(super) fn unlisted(finalizer: &str) -> String {
    let domain = finalizer.split('/').next().unwrap_or(finalizer);
    let mut meaning = wrap(&format!(
        "This finalizer is not in the catalogue. Its controller asked Kubernetes to keep the object until its own \
         work is done. By convention the part before the slash is the domain of the product: {domain}."
    ));
    let alike = near(finalizer);
    if !alike.is_empty() {
        let _ = write!(meaning, "\n\nThe catalogue has:\n{}", bullets(alike));
    }
    let signs = format!(
        "    kubectl get crds -o name | grep -F {domain}\n    \
         kubectl get crd NAME -o jsonpath='{{.metadata.labels}} {{.metadata.annotations}}'\n    \
         kubectl get TYPE NAME -n NS -o yaml --show-managed-fields\n    \
         kubectl get clusterroles -o yaml | grep -F {domain}\n\n{}",
        wrap(
            "A CRD of that domain names the product; its labels and annotations say which Helm release or operator \
             installed it. In managedFields, the manager with f:finalizers set it. A role with that group belongs to \
             the service account of its controller. The workload that runs as this account is the controller."
        )
    );
    let fix = wrap(
        "If that controller exists, repair it: it then removes the finalizer. If it does not, install the product \
         again until the object is gone, or read in its documentation what the finalizer is for. Before you remove \
         it by hand, read",
    );
    let fix = format!("{fix}\n\n    {COMMAND} explain {}", catalogue::see());
    let lost = wrap(
        "It is not known what the finalizer guards. Assume something that costs money or holds data until the \
        product's documentation says otherwise. Its removal cannot be undone.",
    );
    page(finalizer, [meaning, signs, fix, lost, bullets(["staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go"])])
}

fn page(title: &str, sections: [String; 5]) -> String {
    let mut text = format!("{title}\n");
    for (heading, section) in HEADINGS.iter().zip(sections) {
        let _ = write!(text, "\n## {heading}\n{}\n", section.trim_end());
    }
    text
}

fn meaning(entry: &CatalogueEntry) -> String {
    let mut text = format!(
        "A finalizer of {}, set on {}. The finalizer guards: {}.",
        entry.product,
        in_words(entry.kinds),
        entry.guards
    );
    if let Some(minutes) = entry.takes {
        let _ = write!(text, " That usually takes up to {minutes} minutes.");
    }
    if let Some(carries) = entry.carries {
        let _ = write!(text, " Its name ({}) contains {carries}.", entry.key);
    }
    if let Some(note) = entry.note {
        let _ = write!(text, " Note: {note}.");
    }
    wrap(&text)
}

fn signs(entry: &CatalogueEntry) -> String {
    let deleted = "{.metadata.deletionTimestamp} {.metadata.finalizers}";
    let (object, fields) = match entry.kinds {
        ["Namespace"] => ("namespace NS".to_owned(), "{.metadata.finalizers} {.spec.finalizers}"),
        [kind] if !kind.contains(' ') => (format!("{} NAME -n NS", kind.to_lowercase()), deleted),
        _ => ("TYPE NAME -n NS".to_owned(), deleted),
    };
    let namespace = if is_name(entry.namespace) { format!("-n {}", entry.namespace) } else { "-A".to_owned() };
    let runs = wrap(&format!("Its controller: {}. It usually runs in: {}.", entry.controller, entry.namespace));
    format!("    kubectl get {object} -o jsonpath='{fields}'\n    kubectl get pods {namespace}\n\n{runs}")
}

fn way_out(entry: &CatalogueEntry) -> String {
    let text = wrap(&format!("{}. Before you remove it by hand, read", capitalised(entry.way_out)));
    format!("{text}\n\n    {COMMAND} explain {}", entry.see)
}

fn losses(entry: &CatalogueEntry) -> String {
    let finished = entry.if_finished.map(|text| wrap(&format!("When its controller finishes: {text}.")) + "\n\n");
    let removed = format!("When it is removed by hand ({}): {}. That cannot be undone.", entry.risk, entry.if_removed);
    finished.unwrap_or_default() + &wrap(&removed)
}

fn sources(entry: &CatalogueEntry) -> String {
    let text = bullets(entry.source.split("; "));
    match entry.evidence {
        Reliability::Source => text,
        Reliability::Sighting => text + "\nSeen in public code or objects, not read in the product's own source.",
    }
}

fn bullets<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    items.into_iter().map(|item| hang("- ", item) + "\n").collect()
}

/// `a`, `a and b`, `a, b and c`.
fn in_words(items: &[&str]) -> String {
    match items {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Whether a text is the name of a namespace rather than words about one.
fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The text with its first letter in upper case.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A paragraph in lines of [`WIDTH`] columns; a longer word gets a line of its own.
pub(super) fn wrap(text: &str) -> String {
    hang("", text)
}

/// `lead` and a paragraph, whose other lines are indented by the width of `lead`.
pub(super) fn hang(lead: &str, text: &str) -> String {
    let indent = lead.chars().count();
    let mut lines = vec![lead.to_owned()];
    let mut column = indent;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > indent && column + 1 + width > WIDTH {
            lines.push(" ".repeat(indent));
            column = indent;
        }
        let Some(line) = lines.last_mut() else { break };
        if column > indent {
            line.push(' ');
            column += 1;
        }
        line.push_str(word);
        column += width;
    }
    lines.join("\n")
}

/// The faults of a page: its title or headings, or lines that are too wide for a terminal. Commands
/// and single long words (paths, addresses) may be wider.
#[cfg(test)]
pub(super) fn faults(page: &str) -> Vec<String> {
    let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let wide = page.lines().filter(|line| {
        let single = !line.trim_start_matches("- ").contains(' ');
        line.chars().count() > 80 && !line.starts_with("    ") && !single
    });
    let mut faults: Vec<String> = wide.map(|line| format!("too wide: {line}")).collect();
    if headings != HEADINGS {
        faults.push(format!("headings: {headings:?}"));
    }
    if title(page).is_empty() || title(page).starts_with('#') || title(page).ends_with('.') {
        faults.push(format!("title: {}", title(page)));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::catalogue::{entries, lookup};

    #[test]
    fn the_page_of_every_entry_is_in_order() {
        for entry in entries() {
            assert_eq!(faults(&finalizer(entry.key, entry)), [""; 0], "{}", entry.key);
        }
    }

    #[test]
    fn the_page_of_a_finalizer_says_what_the_catalogue_knows() {
        let asked = "external-attacher/ebs-csi-aws-com";
        let page = finalizer(asked, lookup(asked).unwrap());
        assert_eq!(title(&page), asked);
        for part in [
            "Kubernetes CSI",
            "VolumeAttachment and PersistentVolume",
            "csi-attacher",
            "(loses-data)",
            "pkg/controller/util.go",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
    }

    #[test]
    fn the_page_of_an_unknown_finalizer_says_how_to_find_its_owner() {
        let page = unlisted("acme.io/backup");
        assert_eq!(faults(&page), [""; 0]);
        assert!(page.contains("not in the catalogue"));
        assert!(page.contains("grep -F acme.io\n"));
    }

    #[test]
    fn paragraphs_are_wrapped_and_long_words_kept() {
        let text = wrap(&format!("{} {} end", "word ".repeat(20), "w".repeat(90)));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH || line.len() == 90), "{text}");
        assert_eq!(
            hang("  a  ", &"word ".repeat(20)).lines().nth(1).map(|line| line.starts_with("     word")),
            Some(true)
        );
    }

    #[test]
    fn plain_text_has_its_headings_in_capitals() {
        assert_eq!(plain("Title\n\n## How to tell\nbody\n"), "Title\n\nHOW TO TELL\nbody\n");
    }
}
