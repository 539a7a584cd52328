//! Reports in the form of the snapshots: YAML in which everything stands once. An object's identity is written at
//! the end, and its short name wherever it is mentioned; a summary that a target shares with a finding stands in
//! the finding. Left out are empty lists, `undo: false`, and what a finding blocks if that is its subject alone.

use crate::compact::{Tree, scalar};
use kubectl_unstick::export::json;
use kubectl_unstick::report::Report;

/// The maximum width of a line.
const WIDTH: usize = 240;
/// The fields of a finding that begin a line; all others share lines.
const LONG: [&str; 3] = ["summary", "evidence", "controller"];

type Fields = Vec<(String, Tree)>;

/// The whole report.
pub fn text(report: &Report) -> String {
    let mut objects = Objects::default();
    let Tree::Map(fields) = objects.named_shortly(Tree::read(&json(report))) else { unreachable!("a report is a map") };
    let summaries: Vec<String> = fields.iter().filter(|(name, _)| name == "findings").flat_map(summaries_of).collect();
    let is_short = |(name, value): &(String, Tree)| name == "targets" || scalar_of(value).is_some();
    let (head, body): (Fields, Fields) = fields.into_iter().partition(is_short);
    let head = head.into_iter().map(|(name, value)| part(name, value, &summaries)).collect();
    let mut parts = vec![("report".to_owned(), Tree::Map(head).on_full_lines())];
    parts.extend(body.into_iter().map(|(name, value)| part(name, value, &summaries)));
    let identities = objects.0.into_iter().map(|(_, identity)| Tree::Scalar(scalar(&identity)));
    parts.push(("objects".into(), Tree::List(identities.collect()).on_full_lines()));
    Tree::Map(parts).text(WIDTH)
}

fn scalar_of(tree: &Tree) -> Option<&str> {
    match tree {
        Tree::Scalar(text) => Some(text),
        _ => None,
    }
}

/// The YAML of a scalar field.
fn field<'t>(fields: &'t [(String, Tree)], wanted: &str) -> Option<&'t str> {
    scalar_of(&fields.iter().find(|(name, _)| name == wanted)?.1)
}

/// The fields that say something.
fn without_defaults(fields: Fields) -> Fields {
    let subject = field(&fields, "subject").map(str::to_owned);
    let says_nothing = |(name, value): &(String, Tree)| match value {
        Tree::List(items) => match &items[..] {
            [] => true,
            [only] => {
                let is_subject = subject.is_some() && scalar_of(only) == subject.as_deref();
                is_subject && ["blocks", "objects"].contains(&name.as_str())
            }
            _ => false,
        },
        value => name == "undo" && scalar_of(value) == Some("false"),
    };
    fields.into_iter().filter(|field| !says_nothing(field)).collect()
}

/// A field of the report, laid out.
fn part(name: String, value: Tree, summaries: &[String]) -> (String, Tree) {
    let value = match value {
        Tree::List(items) if name == "findings" => Tree::List(items.into_iter().map(with_long_fields_apart).collect()),
        Tree::List(items) if name == "remedies" => Tree::List(items.into_iter().map(Tree::on_full_lines).collect()),
        Tree::List(items) if name == "targets" => {
            Tree::List(items.into_iter().map(|target| without_summary(target, summaries)).collect()).on_full_lines()
        }
        value => value.on_full_lines(),
    };
    (name, value)
}

/// A finding: its short fields as one map, `is`, and the others below it.
fn with_long_fields_apart(finding: Tree) -> Tree {
    let Tree::Map(fields) = finding else { return finding };
    let (long, short): (Fields, Fields) = fields.into_iter().partition(|(name, _)| LONG.contains(&name.as_str()));
    let is = ("is".to_owned(), Tree::Map(short).on_full_lines());
    let long = long.into_iter().map(|(name, value)| (name, value.on_full_lines()));
    Tree::Map([is].into_iter().chain(long).collect())
}

/// A target without a summary that a finding has.
fn without_summary(target: Tree, summaries: &[String]) -> Tree {
    let Tree::Map(fields) = target else { return target };
    let is_told = |text: &str| summaries.iter().any(|told| told == text);
    let stays = |(name, value): &(String, Tree)| name != "summary" || !scalar_of(value).is_some_and(is_told);
    Tree::Map(fields.into_iter().filter(stays).collect())
}

fn summaries_of((_, findings): &(String, Tree)) -> Vec<String> {
    let Tree::List(findings) = findings else { return Vec::new() };
    let summary = |finding: &Tree| match finding {
        Tree::Map(fields) => field(fields, "summary").map(str::to_owned),
        _ => None,
    };
    findings.iter().filter_map(summary).collect()
}

/// The objects of a report by their short names, with their identities.
#[derive(Default)]
struct Objects(Vec<(String, String)>);

impl Objects {
    /// The tree with each reference to an object as a scalar: its short name, if no other object has that.
    fn named_shortly(&mut self, tree: Tree) -> Tree {
        match tree {
            Tree::List(items) => Tree::List(items.into_iter().map(|item| self.named_shortly(item)).collect()),
            Tree::Map(fields) => {
                if let Some((short, identity)) = reference(&fields) {
                    return Tree::Scalar(scalar(&self.name(short, identity)));
                }
                let named = fields.into_iter().map(|(name, value)| (name, self.named_shortly(value)));
                Tree::Map(without_defaults(named.collect()))
            }
            other => other,
        }
    }

    fn name(&mut self, short: String, identity: String) -> String {
        match self.0.iter().find(|(known, _)| *known == short) {
            Some((_, known)) if *known != identity => identity,
            Some(_) => short,
            None => {
                self.0.push((short.clone(), identity));
                short
            }
        }
    }
}

/// `Kind NAMESPACE/NAME`, and this with the other fields of a reference.
fn reference(fields: &[(String, Tree)]) -> Option<(String, String)> {
    let parts = ["kind", "namespace", "name", "apiVersion", "resource", "uid", "missing"];
    let is_reference = fields.iter().all(|(name, _)| parts.contains(&name.as_str()));
    let part = |wanted: &str| Some(field(fields, wanted)?.trim_matches('"'));
    let (kind, name) = (part("kind").filter(|_| is_reference)?, part("name")?);
    let name = part("namespace").map_or_else(|| name.to_owned(), |namespace| format!("{namespace}/{name}"));
    let missing = part("missing").map(|_| "missing");
    let rest = [part("apiVersion"), part("resource"), part("uid"), missing];
    let short = format!("{kind} {name}");
    let identity = [Some(&*short)].into_iter().chain(rest).flatten().collect::<Vec<_>>().join(" ");
    Some((short, identity))
}
