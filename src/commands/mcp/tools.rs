//! The tools: what each is called, what it is for, which arguments it takes.

use super::call::{self, Answer, Arguments};
use crate::cli::Cli;
use crate::failure::Failure;
use serde_json::{Map, Value, json};

/// The tools, in the order in which they are listed.
pub(super) const TOOLS: [Tool; 5] = [
    Tool {
        kind: Kind::Diagnose,
        name: "diagnose",
        title: "What holds an object in Terminating",
        description: "Says what holds a Kubernetes object in Terminating, who should have released it, why that has \
                      not happened, and what could be done, the mildest first. Without a type: every namespace that \
                      is being deleted. With a type alone: all objects of it that are being deleted. Changes \
                      nothing; may send dry runs.",
        arguments: &["type", "name", "namespace", "allNamespaces", "selector", "context"],
        required: &[],
        reports: Some(include_str!("../../../docs/report.schema.json")),
    },
    Tool {
        kind: Kind::Scan,
        name: "scan",
        title: "Everything that is stuck in the cluster",
        description: "Lists everything that is stuck in deletion in the whole cluster, or in one namespace, grouped \
                      by root cause, the worst first, with the mildest remedy of each. Changes nothing.",
        arguments: &["namespace", "allNamespaces", "selector", "context"],
        required: &[],
        reports: Some(include_str!("../../../docs/report.schema.json")),
    },
    Tool {
        kind: Kind::Preflight,
        name: "preflight",
        title: "What would get stuck if it were deleted",
        description: "Says what would get stuck if an object or a namespace were deleted now, and in which order to \
                      delete. Deletes nothing; sends dry runs of DELETE.",
        arguments: &["type", "name", "namespace", "cascade", "context"],
        required: &["type"],
        reports: Some(include_str!("../../../docs/report.schema.json")),
    },
    Tool {
        kind: Kind::Owners,
        name: "owners",
        title: "Who owns an object, and what it owns",
        description: "Shows the owner references of an object, up and down, and which of these objects hang in \
                      deletion. Changes nothing.",
        arguments: &["type", "name", "namespace", "allNamespaces", "context"],
        required: &["type"],
        reports: Some(include_str!("../../../docs/ownership.schema.json")),
    },
    Tool {
        kind: Kind::Explain,
        name: "explain",
        title: "What a rule, a finalizer or a condition means",
        description: "Explains a rule of a finding, a finalizer, a condition or a word, without a cluster. Without a \
                      word: lists all that can be explained.",
        arguments: &["word"],
        required: &[],
        reports: None,
    },
];

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    kind: Kind,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [&'static str],
    required: &'static [&'static str],
    /// The schema of its report.
    reports: Option<&'static str>,
}

/// Which tool.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Diagnose,
    Scan,
    Preflight,
    Owners,
    Explain,
}

/// A call that can be made.
#[derive(Debug)]
pub(super) struct Call {
    tool: &'static Tool,
    arguments: Arguments,
}

impl Tool {
    /// What `tools/list` says of it.
    pub(super) fn listed(&self) -> Value {
        let mut tool = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": self.arguments.iter().map(|name| ((*name).to_owned(), schema(name))).collect::<Map<_, _>>(),
                "required": self.required,
                "additionalProperties": false,
            },
            "annotations": {
                "title": self.title,
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false,
            },
        });
        if let Some(schema) = self.reports.and_then(|text| serde_json::from_str::<Value>(text).ok()) {
            tool["outputSchema"] = schema;
        }
        tool
    }
}

impl Call {
    /// Understands what a client asks for.
    ///
    /// # Errors
    /// Why it is no call of a tool.
    pub(super) fn new(name: &str, arguments: Map<String, Value>) -> Result<Self, String> {
        let tool = TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            format!("there is no tool of this name; there are {}", known.join(", "))
        })?;
        if arguments.keys().any(|name| !tool.arguments.contains(&name.as_str())) {
            return Err(format!("{} takes only these arguments: {}", tool.name, tool.arguments.join(", ")));
        }
        if let Some(missing) = tool.required.iter().find(|name| !arguments.contains_key(**name)) {
            return Err(format!("{} needs the argument {missing}", tool.name));
        }
        let arguments = serde_json::from_value(Value::Object(arguments)).map_err(|error| error.to_string())?;
        Ok(Self { tool, arguments })
    }

    /// Makes it.
    ///
    /// # Errors
    /// Those of the command that the tool is named after.
    pub(super) async fn answer(&self, cli: &Cli) -> Result<Answer, Failure> {
        match self.tool.kind {
            Kind::Diagnose => call::diagnose(cli, &self.arguments).await,
            Kind::Scan => call::scan(cli, &self.arguments).await,
            Kind::Preflight => call::preflight(cli, &self.arguments).await,
            Kind::Owners => call::owners(cli, &self.arguments).await,
            Kind::Explain => call::explained(&self.arguments),
        }
    }
}

/// The schema of an argument, which means the same in each tool.
fn schema(argument: &str) -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    match argument {
        "type" => text("The type as kubectl takes it: ns, pod, deploy, widgets.acme.io; or TYPE/NAME."),
        "name" => text("The name of the object."),
        "namespace" => text("The namespace of the object; by default that of the context."),
        "allNamespaces" => json!({"type": "boolean", "description": "Look in all namespaces."}),
        "selector" => text("Only objects with these labels, as kubectl's -l: app=web,tier!=db."),
        "cascade" => json!({
            "type": "string",
            "enum": ["background", "foreground", "orphan"],
            "description": "What would become of the dependents, as for kubectl delete; background by default.",
        }),
        "word" => text("A rule as a finding names it, a finalizer, a condition, or a word."),
        _ => text("The context of the kubeconfig; by default the one that the server was started with."),
    }
}
