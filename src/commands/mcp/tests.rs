//! Conversations with a client, and answers about recorded clusters.

use super::brief::Page;
use super::call::answer;
use super::fit::MAX_BYTES;
use super::serve;
use super::server::{MAX_MESSAGE, McpServer};
use super::tools::Clusters;
use crate::cli::Cli;
use crate::commands::source::RecordedSurvey;
use crate::report::{About, Named, Ref, Report};
use crate::survey::Purpose;
use clap::Parser;
use serde_json::{Value, json};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use tokio::io::AsyncReadExt;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/commands/demo/survey.yaml");

/// The answers to these lines, in any order.
async fn told(lines: &[String]) -> Vec<Value> {
    let cli = Cli::parse_from(["kubectl-unstick", "mcp", "--from", DEMO]);
    let (output, mut told) = tokio::io::duplex(1 << 24);
    let input = Cursor::new(lines.join("\n") + "\n");
    serve(McpServer::new(cli, Clusters::Any), input, output).await.unwrap();
    let mut text = String::new();
    told.read_to_string(&mut text).await.unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn request(id: u64, method: &str, parameters: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}).to_string()
}

fn greeting(revision: &str) -> String {
    let client = json!({"name": "test", "version": "1"});
    request(0, "initialize", &json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client}))
}

/// The answer to one request, by a client that greets first.
async fn asked(method: &str, parameters: &Value) -> Value {
    let told = told(&[greeting("2025-06-18"), request(1, method, parameters)]).await;
    told.into_iter().find(|answer| answer["id"] == 1).unwrap()
}

async fn call(name: &str, arguments: Value) -> Value {
    asked("tools/call", &json!({"name": name, "arguments": arguments})).await
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

#[tokio::test]
async fn older_protocol_revisions_are_supported() {
    for (asked, spoken) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let told = told(&[greeting(asked), request(1, "ping", &json!({})), request(2, "tools/list", &json!({}))]).await;
        let by = |id: u64| &told.iter().find(|answer| answer["id"] == id).unwrap()["result"];
        assert_eq!(by(0)["protocolVersion"], spoken);
        assert_eq!(by(0)["serverInfo"]["name"], "kubectl-unstick");
        assert!(by(0)["instructions"].as_str().unwrap().contains("never instructions"));
        assert_eq!(by(1), &json!({}));
        assert_eq!(by(2)["resultType"], Value::Null, "it is of a later revision");
    }
}

/// The metadata of each request in the revision without a greeting.
fn stateless(revision: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[tokio::test]
async fn the_stateless_revision_needs_no_greeting() {
    let meta = stateless("2026-07-28");
    let told = told(&[
        request(1, "server/discover", &json!({"_meta": meta})),
        request(2, "tools/list", &json!({"_meta": meta})),
        request(3, "tools/call", &json!({"_meta": meta, "name": "explain", "arguments": {"word": "finalizer"}})),
        request(4, "prompts/list", &json!({"_meta": meta})),
        request(5, "tools/list", &json!({"_meta": stateless("2031-01-01")})),
        request(6, "ping", &json!({"_meta": meta})),
        request(7, "prompts/get", &json!({"_meta": meta, "name": "unstick"})),
    ])
    .await;
    let by = |id: u64| told.iter().find(|answer| answer["id"] == id).unwrap();
    let discovered = &by(1)["result"];
    assert!(discovered["supportedVersions"].as_array().unwrap().contains(&"2026-07-28".into()), "{discovered}");
    assert_eq!(discovered["capabilities"], json!({"tools": {}, "prompts": {}}));
    assert_eq!(discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "kubectl-unstick");
    for list in [1, 2, 4] {
        let listed = &by(list)["result"];
        assert_eq!((&listed["resultType"], &listed["cacheScope"]), (&"complete".into(), &"public".into()), "{listed}");
        assert!(listed["ttlMs"].as_u64().unwrap() > 0);
    }
    assert!([3, 7].iter().all(|id| by(*id)["result"]["resultType"] == "complete"), "{}", by(7));
    assert!(text(by(3)).contains("finalizer"));
    assert_eq!(by(5)["error"]["code"], -32022, "{}", by(5));
    assert_eq!(by(6)["error"]["code"], -32601, "that revision has no ping");
}

#[tokio::test]
async fn each_tool_says_that_it_reads_and_each_prompt_uses_tools() {
    let answer = asked("tools/list", &json!({})).await;
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["diagnose", "scan", "preflight", "verify", "owners", "explain"]);
    for tool in tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        let arguments = tool["inputSchema"]["properties"].as_object().unwrap();
        assert!(arguments.values().all(|schema| schema["description"].is_string()), "{tool}");
    }
    let answer = asked("prompts/list", &json!({})).await;
    for prompt in answer["result"]["prompts"].as_array().unwrap() {
        let arguments = json!({"type": "ns", "name": "shop"});
        let parameters = json!({"name": prompt["name"], "arguments": arguments});
        let said = asked("prompts/get", &parameters).await["result"]["messages"][0]["content"].to_string();
        assert!(said.contains("ns shop") && names.iter().any(|name| said.contains(name)), "{said}");
    }
    assert_eq!(asked("prompts/get", &json!({"name": "delete"})).await["error"]["code"], -32602);
}

#[tokio::test]
async fn an_answer_has_one_fact_per_line_and_the_command_lines_digests() {
    let answer = call("diagnose", json!({"type": "ns", "name": "shop"})).await;
    let named = [("ns".to_owned(), "shop".to_owned())];
    let report =
        RecordedSurvey::open(DEMO.as_ref()).await.unwrap().report(&Purpose::Targets, &named, "default").unwrap();
    let answered = &answer["result"]["structuredContent"];
    let roots = report.root_causes();
    assert_eq!(answered["causesInAll"], roots.len());
    for (cause, findings) in answered["causes"].as_array().unwrap().iter().zip(&roots) {
        assert_eq!(cause["rule"], findings[0].rule);
        let ways = report.ways_out_of(findings);
        let digests: Vec<&str> = ways.iter().map(|(_, remedy)| remedy.digest.as_str()).take(4).collect();
        let told: Vec<&str> = cause["remedies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|way| way["digest"].as_str().unwrap_or_default())
            .collect();
        assert_eq!(told, digests);
    }
    let quoted = answered["clusterText"].as_array().unwrap();
    assert!(
        quoted.iter().any(|it| it["quoted"] == "NodeStatusUnknown: Kubelet stopped posting node status."),
        "{quoted:?}"
    );
    let text = text(&answer);
    assert!(text.starts_with("Stuck: 1: Namespace shop, deletion requested ") && text.is_ascii(), "{text}");
    assert!(text.contains("\ncause 1: ") && text.contains("\nremedy 1.1: ") && text.contains("\nevidence: "), "{text}");
    assert_eq!(answer["result"]["isError"], false);
}

#[test]
fn an_answer_ends_with_what_a_person_runs() {
    let mut recorded = demo();
    let report = shop(&mut recorded);
    let command = "kubectl unstick ns shop --context prod";
    let told = answer(&report, recorded.survey(), Page::default(), Some(command));
    let digest = report.remedies.iter().find(|remedy| !remedy.digest.is_empty()).unwrap().digest.clone();
    let (_, commands) = told.text.split_once("\nOnly a person decides.").unwrap();
    let mut lines = commands.lines().skip(1);
    assert!(commands.contains(&format!("): {command} --approve-plan {digest}\n")), "{commands}");
    assert!(lines.all(|line| line.starts_with("remedy ") && line.contains(command)), "{commands}");
}

#[test]
fn a_scan_ends_with_a_command_for_each_cause_and_the_next_call() {
    let mut recorded = demo();
    let mut report = shop(&mut recorded);
    (report.about, report.context) = (About::Scan, Some("prod".into()));
    let told = answer(&report, recorded.survey(), Page::default(), Some("kubectl unstick"));
    let causes = report.root_causes().len();
    let next = told.text.matches("\nnext call: diagnose {\"name\":\"shop\",\"type\":\"namespaces\"}\n").count();
    assert_eq!(next, causes, "{}", told.text);
    let last =
        format!("cause {causes}, with a question for each step: kubectl unstick namespaces/shop --context prod\n");
    assert!(told.text.ends_with(&last) && !told.text.contains("--approve-plan"), "{}", told.text);
}

fn demo() -> RecordedSurvey {
    recorded(DEMO.as_ref())
}

#[expect(clippy::disallowed_methods, reason = "surveys are files of the project")]
fn recorded(path: &Path) -> RecordedSurvey {
    RecordedSurvey::parse(&std::fs::read_to_string(path).unwrap(), "a scenario").unwrap()
}

fn shop(recorded: &mut RecordedSurvey) -> Report {
    recorded.report(&Purpose::Targets, &[("ns".to_owned(), "shop".to_owned())], "default").unwrap()
}

#[test]
fn hundreds_of_objects_are_a_count_and_three_names() {
    let mut recorded = demo();
    let mut report = shop(&mut recorded);
    let named = |number: usize| {
        let name = format!("orders-{number:03}-{}", "x".repeat(60));
        Ref::from(Named { kind: "Database".into(), namespace: Some("shop".into()), name, ..Named::default() })
    };
    let target = report.targets[0].clone();
    report.targets =
        (0..300).map(|number| crate::report::TargetReport { object: named(number), ..target.clone() }).collect();
    let finding = report.findings[0].clone();
    report.findings = (0..300)
        .map(|number| {
            let (objects, broken_link) = ((0..300).map(named).collect(), Some(named(number)));
            crate::report::Finding { objects, broken_link, ..finding.clone() }
        })
        .collect();
    let told = answer(&report, recorded.survey(), Page::default(), Some("kubectl unstick ns shop"));
    assert!(told.size() <= MAX_BYTES, "{}", told.size());
    let brief = told.report.unwrap();
    assert_eq!(brief["targets"][0]["objects"]["count"], 300);
    assert_eq!(brief["causes"][0]["objects"]["first"].as_array().unwrap().len(), 3);
    assert_eq!((&brief["causesInAll"], brief["nextCursor"].is_string()), (&300.into(), true));
    let more = answer(&report, recorded.survey(), Page { from: 298, limit: Some(300) }, None).report.unwrap();
    assert_eq!((more["causes"].as_array().unwrap().len(), &more["nextCursor"]), (2, &Value::Null));
    assert_eq!(more["causes"][0]["objects"]["first"].as_array().unwrap().len(), 300);
}

#[test]
fn findings_with_one_broken_end_are_one_cause() {
    let mut recorded = demo();
    let mut report = shop(&mut recorded);
    let operator = Ref::from(Named { kind: "Deployment".into(), name: "operator".into(), ..Named::default() });
    let first = crate::report::Finding { root: true, broken_link: Some(operator), ..report.findings[0].clone() };
    let second = crate::report::Finding { summary: "a second finalizer waits".into(), ..first.clone() };
    report.findings = vec![first, second];
    let told = answer(&report, recorded.survey(), Page::default(), None);
    assert!(told.text.contains("\nroot causes: 1\n") && !told.text.contains("\ncause 2: "), "{}", told.text);
    assert!(told.text.contains("\nfor the same reason: a second finalizer waits\n"), "{}", told.text);
    assert_eq!(told.report.unwrap()["causes"].as_array().unwrap().len(), 1);
}

/// The scenarios with the longest surveys.
fn scenarios(most: usize) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(Path::new(ROOT).join("tests/scenarios")).unwrap();
    let surveys = folders.map(|folder| folder.unwrap().path().join("survey.yaml")).filter(|path| path.is_file());
    let mut surveys: Vec<(u64, PathBuf)> = surveys.map(|path| (path.metadata().unwrap().len(), path)).collect();
    surveys.sort();
    surveys.into_iter().rev().take(most).map(|(_, path)| path).collect()
}

#[tokio::test]
async fn answers_about_recorded_clusters_fit_and_are_made_for_agents() {
    let scenarios = scenarios(12);
    assert_eq!(scenarios.len(), 12);
    for path in scenarios {
        let mut recorded = RecordedSurvey::open(&path).await.unwrap();
        let Ok(report) = recorded.report(&Purpose::Targets, &[], "default") else { continue };
        let told = answer(&report, recorded.survey(), Page::default(), Some("kubectl unstick ns shop"));
        assert!(told.size() <= MAX_BYTES, "{}: {}", path.display(), told.size());
        for line in told.text.lines() {
            assert!(!line.contains("-o wide") && !line.contains("   "), "{}: {line}", path.display());
            let is_marked = line.starts_with("[clusterText ") || line.starts_with("Text from the cluster");
            assert!(
                is_marked || line.starts_with("Only a person") || line.contains(": "),
                "{}: {line}",
                path.display()
            );
        }
    }
}

#[tokio::test]
async fn failures_are_answers_with_the_right_usage() {
    for (name, arguments, said) in [
        ("diagnose", json!({"type": "widget", "name": "a"}), "the server doesn't have a resource type \"widget\""),
        ("diagnose", json!({"type": "ns"}), "\"ns\" needs a NAME"),
        ("diagnose", json!({"type": "pods", "selector": "a=b"}), "--selector cannot be used with --from"),
        ("diagnose", json!({"context": "other"}), "context cannot be used: the server reads a file (--from)"),
        ("scan", json!({}), "the survey was not taken for a scan"),
        ("scan", json!({"selector": "a in"}), "-l is not a label selector"),
        ("preflight", json!({"type": "ns/shop"}), "the survey was not taken for a preflight"),
        ("verify", json!({"type": "ns/shop"}), "verify needs a cluster"),
        ("explain", json!({"word": "pod-first"}), "did you mean pods-first"),
        ("diagnose", json!({"type": "ns", "delete": true}), "has no parameter \"delete\", only type, name"),
        ("explain", json!({"type": "ns"}), "has no parameter \"type\", only word, limit, cursor"),
        ("owners", json!({}), "owners needs type"),
        ("diagnose", json!({"type": 3}), "expected a string"),
        ("preflight", json!({"type": "ns/a", "cascade": "sideways"}), "unknown variant"),
        ("diagnose", json!({"cursor": "next"}), "cursor must be the nextCursor"),
        ("diagnose", json!({"limit": 0}), "limit must be a number from 1 to 1000"),
    ] {
        let answer = call(name, arguments).await;
        let text = text(&answer);
        assert!(text.starts_with("error: ") && text.contains(said), "{text}");
        assert!(text.contains(&format!("\nusage: {name} {{")), "{text}");
        assert_eq!(answer["result"]["isError"], true);
    }
}

#[tokio::test]
async fn invalid_messages_are_refused_and_the_server_continues() {
    assert_eq!(call("delete", json!({})).await["error"]["code"], -32602);
    let too_long = format!("{{\"jsonrpc\": \"2.0\", \"x\": \"{}\"}}", "x".repeat(MAX_MESSAGE));
    let told = told(&[
        greeting("2025-06-18"),
        "no JSON".into(),
        too_long,
        r#"{"jsonrpc": "2.0", "id": 1, "method": 3}"#.into(),
        request(2, "resources/read", &json!({"uri": "file:///etc/passwd"})),
        request(3, "ping", &json!({})),
    ])
    .await;
    let answers = |id: u64| told.iter().find(|answer| answer["id"] == id);
    assert_eq!(answers(2).unwrap()["error"]["code"], -32601);
    assert_eq!(answers(3).unwrap()["result"], json!({}));
}

#[tokio::test]
async fn the_number_of_concurrent_calls_is_limited() {
    let calls = (1..20).map(|id| request(id, "tools/call", &json!({"name": "diagnose", "arguments": {}})));
    let told = told(&std::iter::once(greeting("2025-06-18")).chain(calls).collect::<Vec<_>>()).await;
    assert_eq!(told.len(), 20);
    let refused = told.iter().filter(|answer| answer["result"]["isError"] == true);
    assert!(refused.clone().all(|answer| text(answer).contains("8 calls are already running")));
    assert!(refused.count() <= 11);
}

#[tokio::test]
async fn a_cancelled_call_is_not_answered() {
    let call = request(1, "tools/call", &json!({"name": "diagnose", "arguments": {}}));
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let told = told(&[greeting("2025-06-18"), call, cancel.to_string()]).await;
    assert_eq!(told.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(), [0]);
}
