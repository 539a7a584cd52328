//! `version`: the versions of this program and the server, as `kubectl version` prints them.

use super::interrupt;
use super::out;
use crate::cli::{Cli, Output};
use crate::failure::{Exit, Failure};
use crate::screen::Shown;
use crate::transport::connect::Connected;
use serde_json::{Value, json};

/// Prints the versions.
///
/// # Errors
/// When the server cannot be reached. This program's version is printed first.
pub async fn run(cli: &Cli, client_only: bool) -> Result<Exit, Failure> {
    let server = if client_only { None } else { Some(interrupt::unless(server(cli)).await) };
    let known = server.as_ref().and_then(|server| server.as_ref().ok());
    out::data(&text(cli.options.output, known));
    server.transpose().map(|_| Exit::Fine)
}

async fn server(cli: &Cli) -> Result<Value, Failure> {
    let Connected { api, server, .. } = cli.connection.connect().await?;
    let cannot = |why: String| {
        Failure::unknown(format!("the API server {server} does not report its version: {why}"))
            .hint("--client prints only the version of this program")
    };
    let answer =
        api.get("/version", "application/json").await.map_err(|refusal| cannot(refusal.unread().to_string()))?;
    let version: Value = serde_json::from_slice(&answer.body).map_err(|error| cannot(error.to_string()))?;
    if version["gitVersion"].is_string() { Ok(version) } else { Err(cannot("it names none".into())) }
}

/// Go's name of a platform, as kubectl prints it.
fn platform(os: &str, arch: &str) -> String {
    let os = if os == "macos" { "darwin" } else { os };
    let arch = match arch {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{os}/{arch}")
}

fn text(output: Output, server: Option<&Value>) -> Shown {
    let mut versions = json!({"clientVersion": {
        "gitVersion": concat!("v", env!("CARGO_PKG_VERSION")),
        "platform": platform(std::env::consts::OS, std::env::consts::ARCH),
    }});
    if let Some(server) = server {
        versions["serverVersion"] = server.clone();
    }
    // Formats that are neither for programs nor lines were refused before.
    output.value(&versions).unwrap_or_else(|| {
        let line = |who: &str, version: &Value| {
            format!("{who} Version: {}", version["gitVersion"].as_str().unwrap_or_default())
        };
        let server = server.map(|server| line("Server", server));
        Shown::lines(std::iter::once(line("Client", &versions["clientVersion"])).chain(server))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_printed_as_kubectl_prints_them() {
        let server = json!({"gitVersion": "v1.36.1", "platform": "linux/amd64"});
        let client = concat!("Client Version: v", env!("CARGO_PKG_VERSION"), "\n");
        assert_eq!(text(Output::Table, None), client);
        assert_eq!(text(Output::Table, Some(&server)), format!("{client}Server Version: v1.36.1\n"));
        let json: Value = serde_json::from_str(&text(Output::Json, Some(&server))).unwrap();
        assert_eq!(json["serverVersion"], server);
        assert_eq!(
            (platform("macos", "aarch64"), platform("linux", "x86_64")),
            ("darwin/arm64".into(), "linux/amd64".into())
        );
        assert!(text(Output::Yaml, Some(&server)).contains("serverVersion:\n  gitVersion: v1.36.1\n"));
    }
}
