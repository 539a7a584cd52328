//! Parses the text of a survey file, with bounded time and memory for any text.

use super::brief::beginning;
use serde::de::DeserializeOwned;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::MergeKeyPolicy;
use serde_saphyr::{Error, Options};

/// The maximum depth. Answers of the API server are parsed to 128 levels, the limit of
/// `serde_json`; the file adds a few around them.
const MAX_DEPTH: usize = 128 + 8;
/// The stack size that this depth needs, with a large margin: about 20 KiB a level without
/// optimization.
pub const STACK: usize = 16 << 20;
/// The maximum number of values. Two bytes may become a value of 32 bytes, and five a map with one
/// entry, which takes over 600. An object in a list has about 20 values, or 28 nodes of YAML.
const MAX_MILLIONS: usize = 5;
const MAX_VALUES: usize = MAX_MILLIONS * 1_000_000;
/// How many characters of a parser's message are kept: it may quote the text.
const MAX_MESSAGE: usize = 200;

/// The reason why a text is refused, in one line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NotParsed {
    /// It exceeds the limits of a survey.
    Limit(String),
    /// It does not have the expected shape.
    Shape(String),
}

/// Parses the single document in `text`.
///
/// # Errors
/// When it has another shape, or is too large.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, NotParsed> {
    // To the YAML parser, the lines of a long list are one scalar.
    if text.bytes().filter(|byte| b",[{".contains(byte)).count() > MAX_VALUES {
        return Err(too_much());
    }
    serde_saphyr::from_str_with_options(text, options()).map_err(|error| why(&error))
}

/// Aliases are forbidden, since they let a small text become large; surveys have none. Without
/// them, everything is bounded by the number of nodes and the length of the text.
fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_anchors: 0,
            max_aliases: 0,
            max_depth: MAX_DEPTH,
            flow_nesting_limit: usize::MAX,
            max_events: usize::MAX,
            max_nodes: MAX_VALUES,
            max_total_scalar_bytes: usize::MAX,
        },
        merge_keys: MergeKeyPolicy::AsOrdinary,
        emit_comments: false,
        with_snippet: false,
    }
}

fn too_much() -> NotParsed {
    NotParsed::Limit(format!("it holds more than {MAX_MILLIONS} million values; take a survey of less"))
}

fn why(error: &Error) -> NotParsed {
    let at = error.location().map(|at| format!(" at line {}, column {}", at.line(), at.column())).unwrap_or_default();
    match error {
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => {
            NotParsed::Limit(format!("it nests deeper than {MAX_DEPTH} levels{at}"))
        }
        Error::Budget { breach: BudgetBreach::Nodes { .. }, .. } => too_much(),
        Error::Budget { .. } => NotParsed::Limit(format!("it uses YAML anchors or aliases, which no survey does{at}")),
        error => NotParsed::Shape(first_words(&error.to_string())),
    }
}

/// The beginning of a text in one line.
pub(super) fn first_words(text: &str) -> String {
    beginning(text.lines().next().unwrap_or_default(), MAX_MESSAGE)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::Value;
    use std::cell::Cell;
    use std::rc::Rc;

    /// How many events the parser produces for `text`.
    pub(in super::super) fn events(text: &str) -> usize {
        let events = Rc::new(Cell::new(0));
        let counted = Rc::clone(&events);
        let options = options().with_budget_report(move |report| counted.set(counted.get() + report.events));
        serde_saphyr::from_str_with_options::<Value>(text, options).unwrap();
        events.get()
    }

    fn refused(text: &str) -> String {
        let (NotParsed::Limit(why) | NotParsed::Shape(why)) = parse::<Value>(text).unwrap_err();
        assert!(why.lines().count() == 1 && why.chars().count() <= MAX_MESSAGE + 1, "{why}");
        why
    }

    #[test]
    fn a_text_that_grows_by_references_is_refused_at_the_first() {
        let bomb = "a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\nd: [*c, *c, *c]\n";
        assert_eq!(refused(bomb), "it uses YAML anchors or aliases, which no survey does at line 1, column 7");
        assert!(refused("a: *a\n").contains("anchor"), "{}", refused("a: *a\n"));
        assert!(refused("a: &a\n  <<: *a\n").contains("anchors or aliases"));
    }

    #[test]
    fn deep_nesting_is_refused_before_the_stack_ends() {
        let nest = || {
            for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", "")] {
                let nested = |levels: usize| format!("{}x{}", open.repeat(levels), close.repeat(levels));
                assert!(parse::<Value>(&nested(MAX_DEPTH)).is_ok(), "{open}");
                for levels in [MAX_DEPTH + 1, 100_000] {
                    let why = refused(&nested(levels));
                    assert!(why.contains("it nests deeper than 136 levels"), "{levels} {open}: {why}");
                }
            }
            refused(&"? ".repeat(100_000));
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(nest).unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn invalid_yaml_is_reported_in_one_line() {
        for text in ["a: [b", "a: 'b", "%", "a: b\n---\nc: d\n", "\u{1}\u{2}", "{]}", "a: 1\na: 2\n"] {
            refused(text);
        }
        let long = "x".repeat(1_000_000);
        for text in [format!("- {long}: ["), format!("\"{long}"), format!("{long}: {long}: {long}")] {
            refused(&text);
        }
        let error = serde_saphyr::from_str_with_options::<u8>(&long, options()).unwrap_err();
        assert!(matches!(why(&error), NotParsed::Shape(why) if why.chars().count() <= MAX_MESSAGE + 1));
    }

    #[test]
    fn a_large_file_is_within_the_limit() {
        let text = "- a\n".repeat(251_000);
        assert_eq!(parse::<Vec<String>>(&text).unwrap().len(), 251_000);
    }

    #[test]
    fn the_number_of_values_is_limited() {
        for many in ["[1,", "{a,", ",,,"] {
            assert_eq!(parse::<Value>(&many.repeat(MAX_VALUES / 2 + 1)).unwrap_err(), too_much());
        }
        let breach = BudgetBreach::Nodes { nodes: MAX_VALUES + 1 };
        assert_eq!(why(&Error::Budget { breach, location: serde_saphyr::Location::UNKNOWN }), too_much());
    }
}
