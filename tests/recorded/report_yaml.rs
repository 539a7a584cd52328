//! Reports in the form of the snapshots: YAML, with each reference to an object on one line.

use crate::compact::{Tree, scalar};
use kubectl_unstick::export::json;
use kubectl_unstick::report::Report;

/// The maximum width of a line: a need or a piece of evidence fits.
const WIDTH: usize = 200;

/// The whole report.
pub fn text(report: &Report) -> String {
    with_references(Tree::read(&json(report))).text(WIDTH)
}

/// The tree with each reference to an object as a scalar.
fn with_references(tree: Tree) -> Tree {
    match tree {
        Tree::List(items) => Tree::List(items.into_iter().map(with_references).collect()),
        Tree::Map(fields) => match reference(&fields) {
            Some(text) => Tree::Scalar(scalar(&text)),
            None => Tree::Map(fields.into_iter().map(|(name, value)| (name, with_references(value))).collect()),
        },
        other => other,
    }
}

/// `Kind NAMESPACE/NAME`, and the other fields of a reference.
fn reference(fields: &[(String, Tree)]) -> Option<String> {
    let parts = ["kind", "namespace", "name", "apiVersion", "resource", "uid", "missing"];
    let is_reference = fields.iter().all(|(name, _)| parts.contains(&name.as_str()));
    let part = |wanted: &str| {
        fields.iter().find(|(name, _)| name == wanted).and_then(|(_, value)| match value {
            Tree::Scalar(text) => Some(text.trim_matches('"')),
            _ => None,
        })
    };
    let (kind, name) = (part("kind").filter(|_| is_reference)?, part("name")?);
    let name = part("namespace").map_or_else(|| name.to_owned(), |namespace| format!("{namespace}/{name}"));
    let missing = part("missing").map(|_| "missing");
    let rest = [part("apiVersion"), part("resource"), part("uid"), missing];
    Some([Some(kind), Some(&name)].into_iter().chain(rest).flatten().collect::<Vec<_>>().join(" "))
}
