//! The tools: their names, purposes and arguments.

use super::call::{self, Arguments};
use super::fit::ToolAnswer;
use super::verify::verify;
use crate::cli::Cli;
use crate::failure::Failure;
use serde_json::{Map, Value, json};

/// The schemas of answers; a test keeps them up to date.
const BRIEF: &str = include_str!("../../../docs/answer.schema.json");
const FACTS: &str = include_str!("../../../docs/facts.schema.json");

/// The tools, in the order in which they are listed.
pub(super) const TOOLS: [Tool; 6] = [
    Tool {
        kind: ToolKind::Diagnose,
        name: "diagnose",
        title: "What holds an object in Terminating",
        description: "Use first when anything is stuck in Terminating (a namespace, pod, PVC, CRD or custom resource does \
                      not go away), before you remove any finalizer or force a deletion. Says what holds it, who \
                      should release it and why it has not, with evidence, and the ways out with risk and digest, the first to \
                      try first. Without type: every namespace that is being deleted; with type alone: all such objects of that type. Changes nothing; may send dry runs.",
        usage: r#"{"type": "ns", "name": "shop"} or {"type": "pod", "name": "web-1", "namespace": "shop"} or {}"#,
        arguments: &["type", "name", "namespace", "allNamespaces", "selector"],
        required: &[],
        reports: Reports::Whole(BRIEF),
    },
    Tool {
        kind: ToolKind::Scan,
        name: "scan",
        title: "Everything that is stuck in the cluster",
        description: "Use when you do not know what is stuck: lists everything that is stuck in deletion in the \
                      cluster or a namespace, by root cause, the worst first, each with the next call. Changes nothing.",
        usage: r#"{} or {"namespace": "shop"}"#,
        arguments: &["namespace", "allNamespaces", "selector"],
        required: &[],
        reports: Reports::Outline(BRIEF, "diagnose"),
    },
    Tool {
        kind: ToolKind::Preflight,
        name: "preflight",
        title: "What would get stuck if it were deleted",
        description: "Use before deleting a namespace, CRD, operator or anything with finalizers: says what would get \
                      stuck or be lost, and in which order to delete. Deletes nothing; sends dry runs of DELETE.",
        usage: r#"{"type": "ns", "name": "shop"}"#,
        arguments: &["type", "name", "namespace", "cascade"],
        required: &["type"],
        reports: Reports::Outline(BRIEF, "diagnose"),
    },
    Tool {
        kind: ToolKind::Verify,
        name: "verify",
        title: "Whether a repair or deletion worked",
        description: "Use after a repair or a deletion: is the object gone, what was stranded without its namespace or \
                      owner, and would the next deletion of this kind work? Changes nothing; sends dry runs of DELETE.",
        usage: r#"{"type": "ns", "name": "shop"}"#,
        arguments: &["type", "name", "namespace", "uid"],
        required: &["type"],
        reports: Reports::Whole(FACTS),
    },
    Tool {
        kind: ToolKind::Owners,
        name: "owners",
        title: "Who owns an object, and what it owns",
        description: "Use to follow owner references of an object up and down, and to see which of these objects are \
                      stuck in deletion. Changes nothing.",
        usage: r#"{"type": "deploy", "name": "web", "namespace": "shop"}"#,
        arguments: &["type", "name", "namespace", "allNamespaces"],
        required: &["type"],
        reports: Reports::Outline(FACTS, "verify"),
    },
    Tool {
        kind: ToolKind::Explain,
        name: "explain",
        title: "What a rule, a finalizer or a condition means",
        description: "Use to learn what a rule of an answer, a finalizer, a condition or a word means, without a \
                      cluster. Without a word: all that can be explained.",
        usage: r#"{"word": "held-by-finalizer"} or {}"#,
        arguments: &["word"],
        required: &[],
        reports: Reports::Nothing,
    },
];

/// The arguments that every tool accepts.
const PAGES: [&str; 2] = ["limit", "cursor"];

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    kind: ToolKind,
    /// The name by which a client calls it.
    pub(super) name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Examples of its arguments, for a client that called it wrongly.
    usage: &'static str,
    arguments: &'static [&'static str],
    required: &'static [&'static str],
    reports: Reports,
}

/// How `tools/list` describes a tool's report. The client's context contains all of it, so nothing
/// is repeated.
#[derive(Debug, Clone, Copy)]
enum Reports {
    /// With this schema.
    Whole(&'static str),
    /// With the outline of this schema, which the other tool shows completely.
    Outline(&'static str, &'static str),
    /// Not at all: the tool returns only text.
    Nothing,
}

/// The kind of tool.
#[derive(Debug, Clone, Copy)]
enum ToolKind {
    Diagnose,
    Scan,
    Preflight,
    Verify,
    Owners,
    Explain,
}

/// The clusters that the server may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clusters {
    /// Any cluster of the kubeconfig: the client is on the same machine as its user.
    Any,
    /// The cluster with which the server was started.
    One,
}

/// A valid call.
#[derive(Debug)]
pub(super) struct Call {
    tool: &'static Tool,
    arguments: Arguments,
}

impl Tool {
    /// The tool's entry in `tools/list`.
    pub(super) fn listed(&self, clusters: Clusters) -> Value {
        let arguments = self.takes(clusters);
        let mut tool = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": arguments.map(|name| (name.to_owned(), schema(name))).collect::<Map<_, _>>(),
                "required": self.required,
                "additionalProperties": false,
            },
            "annotations": {
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false,
            },
        });
        if let Some(schema) = self.reports.schema() {
            tool["outputSchema"] = schema;
        }
        tool
    }

    fn takes(&self, clusters: Clusters) -> impl Iterator<Item = &'static str> {
        let reads = !matches!(self.kind, ToolKind::Explain);
        let context = (clusters == Clusters::Any && reads).then_some("context");
        self.arguments.iter().copied().chain(context).chain(PAGES)
    }
}

impl Reports {
    fn schema(self) -> Option<Value> {
        match self {
            Self::Whole(text) => serde_json::from_str(text).ok(),
            Self::Outline(text, tool) => {
                let whole: Value = serde_json::from_str(text).ok()?;
                let as_that = format!("The same as that of {tool}.");
                Some(json!({"type": "object", "description": as_that, "required": whole["required"]}))
            }
            Self::Nothing => None,
        }
    }
}

impl Call {
    /// Parses a call.
    ///
    /// # Errors
    /// `None` when there is no such tool; otherwise why its arguments are wrong.
    pub(super) fn new(name: &str, arguments: Map<String, Value>, clusters: Clusters) -> Option<Result<Self, Failure>> {
        let tool = TOOLS.iter().find(|tool| tool.name == name)?;
        let takes: Vec<&str> = tool.takes(clusters).collect();
        let wrong = |why: String| Some(Err(Failure::unknown(why)));
        if let Some(other) = arguments.keys().find(|name| !takes.contains(&name.as_str())) {
            return wrong(format!("{name} has no parameter {other:?}, only {}", takes.join(", ")));
        }
        if let Some(missing) = tool.required.iter().find(|name| !arguments.contains_key(**name)) {
            return wrong(format!("{name} needs {missing}"));
        }
        Some(match serde_json::from_value(Value::Object(arguments)) {
            Ok(arguments) => Ok(Self { tool, arguments }),
            Err(error) => Err(Failure::unknown(error.to_string())),
        })
    }

    /// Runs the call.
    ///
    /// # Errors
    /// Those of the command that the tool is named after.
    pub(super) async fn answer(&self, cli: &Cli) -> Result<ToolAnswer, Failure> {
        match self.tool.kind {
            ToolKind::Diagnose => call::diagnose(cli, &self.arguments).await,
            ToolKind::Scan => call::scan(cli, &self.arguments).await,
            ToolKind::Preflight => call::preflight(cli, &self.arguments).await,
            ToolKind::Verify => verify(cli, &self.arguments).await,
            ToolKind::Owners => call::owners(cli, &self.arguments).await,
            ToolKind::Explain => call::explained(&self.arguments),
        }
    }
}

/// The usage of a tool, for a client that called it wrongly.
pub(super) fn usage(name: &str) -> String {
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    tool.map(|tool| format!("{name} {}", tool.usage)).unwrap_or_default()
}

/// The names of all tools.
pub(super) fn names() -> String {
    TOOLS.map(|tool| tool.name).join(", ")
}

/// The schema of an argument, which is the same for all tools.
fn schema(argument: &str) -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    match argument {
        "type" => text("As in kubectl: ns, pod, deploy, widgets.acme.io; or TYPE/NAME."),
        "name" => text("Name of the object."),
        "namespace" => text("By default the namespace of the context."),
        "allNamespaces" => json!({"type": "boolean", "description": "Read all namespaces."}),
        "selector" => text("Only objects with these labels, like kubectl's -l: app=web,tier!=db."),
        "uid" => text("UID of the deleted object, to distinguish it from a new one of the same name."),
        "limit" => json!({
            "type": "integer",
            "description": "Maximum number of causes and names. By default an answer has at most 16 KB.",
        }),
        "cursor" => text("nextCursor of the previous answer."),
        "cascade" => json!({
            "type": "string",
            "enum": ["background", "foreground", "orphan"],
            "description": "As with kubectl delete.",
        }),
        "word" => text("A rule, a finalizer, a condition, or a word."),
        _ => text("Context of the kubeconfig; by default that of the server."),
    }
}

#[cfg(test)]
mod tests {
    use super::super::brief::Brief;
    use super::super::facts::FactList;
    use super::*;
    use crate::report::schema;

    /// How many bytes all tools may take in a client's context.
    const MAX_BYTES: usize = 12 * 1024;

    /// The shortest form of the schema of a type.
    fn shortest<T: schemars::JsonSchema>() -> Value {
        let mut schema = schema::printed::<T>().to_value();
        without_words(&mut schema, true);
        schema
    }

    /// Removes what a model need not read. A field that may be left out is never null.
    fn without_words(schema: &mut Value, is_root: bool) {
        if let Some(fields) = schema.as_object_mut() {
            for word in ["$schema", "title", "format", "minimum", "default"] {
                fields.remove(word);
            }
            if is_root {
                fields.remove("description");
            }
            if let Some(Value::Array(types)) = fields.get("type") {
                let only = types.iter().find(|name| **name != "null").cloned();
                fields.extend(only.map(|only| ("type".to_owned(), only)));
            }
            let maps = ["properties", "$defs"];
            for (word, inner) in fields.iter_mut() {
                match inner {
                    Value::Object(named) if maps.contains(&word.as_str()) => {
                        named.values_mut().for_each(|schema| without_words(schema, word == "$defs"));
                    }
                    Value::Object(_) => without_words(inner, false),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn the_committed_schemas_of_answers_are_those_of_the_types() {
        schema::is_committed("answer.schema.json", &shortest::<Brief>());
        schema::is_committed("facts.schema.json", &shortest::<FactList>());
    }

    #[test]
    fn all_tools_fit_a_context() {
        for clusters in [Clusters::Any, Clusters::One] {
            let listed: Vec<Value> = TOOLS.iter().map(|tool| tool.listed(clusters)).collect();
            let size = Value::from(listed.clone()).to_string().len();
            assert!(size <= MAX_BYTES, "{size} bytes");
            for (tool, listed) in TOOLS.iter().zip(&listed) {
                let schema = &listed["outputSchema"];
                assert_eq!(schema.is_null(), matches!(tool.reports, Reports::Nothing), "{}", tool.name);
                assert_eq!(schema.to_string().contains("$defs"), matches!(tool.reports, Reports::Whole(_)));
                let context = &listed["inputSchema"]["properties"]["context"];
                assert_eq!(context.is_object(), clusters == Clusters::Any && tool.name != "explain");
                assert!(tool.description.starts_with("Use "), "{}", tool.description);
            }
        }
    }

    /// The word by which a description shows that it is about its own parameter.
    const TELLING: [(&str, &str); 10] = [
        ("type", "kubectl: ns, pod"),
        ("name", "name of the object"),
        ("namespace", "namespace"),
        ("allNamespaces", "all namespaces"),
        ("selector", "labels"),
        ("uid", "uid"),
        ("limit", "maximum"),
        ("cursor", "nextcursor"),
        ("cascade", "kubectl delete"),
        ("word", "word"),
    ];

    #[test]
    fn each_parameter_is_described_by_its_own_words() {
        let all = TOOLS.iter().flat_map(|tool| tool.takes(Clusters::Any));
        let mut told = std::collections::HashMap::new();
        for name in all {
            let description = schema(name)["description"].as_str().unwrap_or_default().to_lowercase();
            let word = TELLING.iter().find(|(of, _)| *of == name).map_or("context", |(_, word)| word);
            assert!(description.contains(word), "{name}: {description}");
            assert_eq!(description.contains("uid"), name == "uid", "{name}: {description}");
            assert_eq!(*told.entry(description).or_insert(name), name, "two parameters have one description");
        }
    }

    #[test]
    fn the_usage_of_a_tool_is_a_valid_call() {
        for tool in &TOOLS {
            for call in tool.usage.split(" or ") {
                let Ok(Value::Object(arguments)) = serde_json::from_str(call) else { panic!("{call}") };
                let parsed = Call::new(tool.name, arguments, Clusters::One);
                assert!(matches!(parsed, Some(Ok(_))), "{} {call}", tool.name);
            }
        }
        assert_eq!(usage("nothing"), "");
    }
}
