//! `deploy/agents`: the files for other projects have the form that these read. Their rules are in
//! their sources; those that concern our files are restated here.

use clap::Parser;
use kubectl_unstick::cli::{Cli, Command};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/agents").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn yaml(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether a value has only these fields.
fn has_only(value: &Value, known: &[&str]) -> bool {
    value.as_object().is_some_and(|fields| fields.keys().all(|name| known.contains(&name.as_str())))
}

fn are_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|all| all.iter().all(Value::is_string))
}

/// Whether a command line starts the server on stdin and stdout.
fn starts_it(command: &Value, arguments: &Value) -> bool {
    let arguments = arguments.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut words: Vec<&str> = command.as_str().into_iter().chain(arguments).collect();
    if words.starts_with(&["kubectl", "unstick"]) {
        words.remove(0);
    }
    let parsed = Cli::try_parse_from(&words).ok().and_then(|cli| cli.command);
    matches!(parsed, Some(Command::Mcp(flags)) if flags.listen.is_none())
}

/// `HolmesGPT` (`holmes/plugins/toolsets/mcp/toolset_mcp.py`): servers by name; `config` has a
/// `mode`. With `stdio` it needs a command, and may have arguments and an environment; with
/// `streamable-http` it needs a URL and may have headers, whose values are templates.
fn wrong_for_holmes(server: &Value) -> Option<&'static str> {
    let config = &server["config"];
    if !has_only(server, &["description", "llm_instructions", "config", "enabled"]) {
        return Some("an unknown field of a server");
    }
    if !server["description"].is_string() || !server["llm_instructions"].is_string() {
        return Some("no description, or no instructions");
    }
    match config["mode"].as_str() {
        Some("stdio") if !has_only(config, &["mode", "command", "args", "env", "icon_url"]) => Some("an unknown field"),
        Some("stdio") if !starts_it(&config["command"], &config["args"]) => Some("it does not start the server"),
        Some("streamable-http")
            if !has_only(config, &["mode", "url", "headers", "verify_ssl", "extra_headers", "icon_url"]) =>
        {
            Some("an unknown field")
        }
        Some("streamable-http")
            if !config["url"].as_str().is_some_and(|url| url.starts_with("https://") && url.ends_with("/mcp")) =>
        {
            Some("no address with TLS")
        }
        Some("streamable-http")
            if !config["headers"]["Authorization"].as_str().is_some_and(|it| it.starts_with("Bearer {{ env.")) =>
        {
            Some("no token from the environment")
        }
        Some("stdio" | "streamable-http") => None,
        _ => Some("no such mode"),
    }
}

#[test]
fn holmesgpt_takes_its_files() {
    for name in ["holmesgpt.yaml", "holmesgpt-http.yaml"] {
        let mut config = yaml(&text(name));
        assert!(has_only(&config, &["mcp_servers"]), "{name}");
        assert_eq!(wrong_for_holmes(&config["mcp_servers"]["unstick"]), None, "{name}");
        config["mcp_servers"]["unstick"]["config"]["mode"] = "http".into();
        assert_eq!(wrong_for_holmes(&config["mcp_servers"]["unstick"]), Some("no such mode"), "nothing is checked");
    }
}

/// kubectl-ai (`pkg/mcp/config.go`): at least one server; each has its own name, and a command or a
/// URL. The file is converted to JSON first, so that fields have the names of the Go fields, in any
/// case: `args`, not `use_streaming`.
fn wrong_for_kubectl_ai(config: &Value) -> Option<&'static str> {
    const FIELDS: [&str; 7] = ["name", "command", "args", "env", "url", "auth", "timeout"];
    let servers = config["servers"].as_array().filter(|servers| !servers.is_empty());
    let Some(servers) = servers else { return Some("no servers configured") };
    let names: BTreeSet<&str> = servers.iter().filter_map(|server| server["name"].as_str()).collect();
    if names.len() != servers.len() || names.contains("") {
        return Some("a server without a name of its own");
    }
    if servers.iter().any(|server| !server["command"].is_string() && !server["url"].is_string()) {
        return Some("neither a URL nor a command");
    }
    let is_read =
        |server: &Value| has_only(server, &FIELDS) && (server["args"].is_null() || are_texts(&server["args"]));
    (!servers.iter().all(is_read)).then_some("a field that is not read")
}

#[test]
fn kubectl_ai_takes_its_file() {
    let mut config = yaml(&text("kubectl-ai.yaml"));
    assert_eq!(wrong_for_kubectl_ai(&config), None);
    let server = &config["servers"][0];
    assert!(starts_it(&server["command"], &server["args"]));
    config["servers"][0]["use_streaming"] = true.into();
    assert_eq!(wrong_for_kubectl_ai(&config), Some("a field that is not read"));
}

/// kagent (kagent-dev/kmcp, `api/v1alpha1/mcpserver_types.go` and the translator of its
/// controller): a deployment, one of two transports, an image unless the command is that of a
/// package manager, and either the name of an account or one to create.
fn wrong_for_kagent(server: &Value) -> Option<&'static str> {
    let (spec, deployment) = (&server["spec"], &server["spec"]["deployment"]);
    if (server["apiVersion"].as_str(), server["kind"].as_str()) != (Some("kagent.dev/v1alpha1"), Some("MCPServer")) {
        return Some("no MCPServer");
    }
    if !has_only(spec, &["deployment", "transportType", "stdioTransport", "httpTransport", "timeout"]) {
        return Some("an unknown field");
    }
    let fields = [
        "image", "imagePullPolicy", "port", "cmd", "args", "env", "serviceAccount", "serviceAccountName",
        "podSecurityContext", "securityContext", "resources",
    ];
    if !has_only(deployment, &fields) || !are_texts(&deployment["args"]) || !deployment["port"].is_u64() {
        return Some("an unknown field of the deployment, or one of another type");
    }
    if spec["transportType"] != "stdio" || !spec["stdioTransport"].is_object() {
        return Some("no transport");
    }
    if !deployment["image"].is_string() {
        return Some("no image");
    }
    let accounts = ["serviceAccount", "serviceAccountName"].iter().filter(|name| deployment.get(**name).is_some());
    (accounts.count() != 1).then_some("no account, or two")
}

#[test]
fn kagent_takes_its_file_and_runs_the_account_that_may_read() {
    let mut server = yaml(&text("kagent.yaml"));
    assert_eq!(wrong_for_kagent(&server), None);
    let account = text("../account.yaml");
    let account: Vec<Value> = account.split("\n---\n").map(yaml).collect();
    let deployment = &server["spec"]["deployment"];
    assert_eq!(deployment["serviceAccountName"], account[1]["metadata"]["name"]);
    assert_eq!(server["metadata"]["namespace"], account[1]["metadata"]["namespace"]);
    let program = deployment["cmd"].as_str().expect("a command");
    assert!(text("../Dockerfile").contains(&format!("{program}\"]")), "the image has no {program}");
    assert!(starts_it(&Path::new(program).file_name().and_then(|name| name.to_str()).into(), &deployment["args"]));
    assert_eq!(deployment["podSecurityContext"]["runAsNonRoot"], true);
    assert_eq!(deployment["securityContext"]["capabilities"]["drop"][0], "ALL");
    server["spec"]["deployment"]["serviceAccount"] = Value::Object(serde_json::Map::new());
    assert_eq!(wrong_for_kagent(&server), Some("no account, or two"));
}

/// A skill (agentskills.io): a folder with its name, with at most 64 lower-case letters, digits and
/// single dashes, and a description of at most 1,024 characters that states when to use it.
#[test]
fn the_skill_is_one_that_clients_find() {
    let folder = "kubectl-unstick";
    let text = text(&format!("{folder}/SKILL.md"));
    let (head, body) = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).expect("a head");
    let head = yaml(head);
    assert!(has_only(&head, &["name", "description", "license"]));
    let name = head["name"].as_str().expect("a name");
    let is_plain = name
        .split('-')
        .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()));
    assert!(name == folder && name.len() <= 64 && is_plain, "{name}");
    let description = head["description"].as_str().expect("a description");
    assert!(description.len() <= 1_024 && description.contains("Use first when"), "{description}");
    assert!(body.lines().count() < 500);
    let commands: Vec<&str> = body.lines().filter_map(|line| line.strip_prefix("kubectl unstick ")).collect();
    assert!(commands.len() >= 5);
    for command in commands {
        let words = std::iter::once("kubectl-unstick").chain(command.split_whitespace());
        assert!(Cli::try_parse_from(words).is_ok(), "{command}");
    }
}
