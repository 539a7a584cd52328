//! `mcp`: a server of the Model Context Protocol (<https://modelcontextprotocol.io>) on stdin and
//! stdout, or on HTTP, so that agents get the same answers as people.
//!
//! It only reads, by construction: nothing that writes can be reached from here, which
//! `tests/house.rs` proves from the imports.

mod brief;
mod call;
mod delayed_end;
mod entrance;
mod facts;
mod fit;
mod http;
mod manual_commands;
mod owned;
mod plans;
mod prompts;
mod quotes;
mod server;
#[cfg(test)]
mod tests;
mod text;
mod tools;
mod verify;

use super::source::hide_progress;
use super::{interrupt, survey_file};
use crate::cli::{Cli, DryRun, McpFlags, Options};
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use delayed_end::DelayedEnd;
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::async_rw::AsyncRwTransport;
use server::{MAX_MESSAGE, McpServer};
use tokio::io::{AsyncRead, AsyncWrite};
use tools::Clusters;

/// The report for an agent, for the tests of all commands.
#[cfg(test)]
pub(crate) fn as_an_agent_reads(report: &crate::report::Report) -> serde_json::Value {
    serde_json::to_value(brief::brief(report, brief::Page::default(), &quotes::Scribe::default())).unwrap_or_default()
}

/// Serves until stdin ends, or on HTTP until Ctrl-C.
///
/// # Errors
/// When a flag is not valid, or the address cannot be served; on Ctrl-C.
pub async fn run(cli: &Cli, flags: &McpFlags) -> Result<Exit, Failure> {
    contradictions(&cli.options)?;
    hide_progress();
    let mut cli = cli.clone();
    // A credential plugin that prompts on stdin would read the client's messages.
    cli.connection.keeps_stdin = true;
    if let Some(listen) = flags.listen {
        interrupt::unless(http::serve(McpServer::new(cli, Clusters::One), listen, flags)).await?;
    } else {
        let server = McpServer::new(cli, Clusters::Any);
        interrupt::unless(serve(server, tokio::io::stdin(), tokio::io::stdout())).await?;
    }
    Ok(Exit::Fine)
}

/// Serves one client until its `input` ends.
async fn serve(
    server: McpServer,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), Failure> {
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(MAX_MESSAGE);
    let broken = |error: &dyn std::error::Error| Failure::unknown(format!("the client does not speak MCP: {error}"));
    match serve_server(server, DelayedEnd::new(transport)).await {
        Ok(running) => running.waiting().await.map(drop).map_err(|error| broken(&error)),
        // The client left without a message.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(broken(&error)),
    }
}

/// Refuses flags that make no sense for a server that only reads.
fn contradictions(options: &Options) -> Result<(), Failure> {
    let acts = [
        (options.yes, "--yes"),
        (options.approve.is_some(), "--approve"),
        (!options.approve_plan.is_empty(), "--approve-plan"),
        (!options.confirm.is_empty(), "--confirm"),
        (options.one_by_one, "--one-by-one"),
        (options.dry_run != DryRun::None, "--dry-run"),
        (options.timeout.is_some(), "--timeout"),
    ];
    if let Some((_, flag)) = acts.iter().find(|(given, _)| *given) {
        return Err(Failure::unknown(format!("{flag} cannot be used with mcp, which only reads"))
            .hint("leave it out; a person carries out the steps")
            .command(format!("{COMMAND} TYPE NAME")));
    }
    if options.from.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(Failure::unknown("--from - cannot be used with mcp, which reads its messages from stdin")
            .hint("name a file")
            .command(format!("{COMMAND} mcp --from FILE")));
    }
    survey_file::has_no_logs(options)
}
