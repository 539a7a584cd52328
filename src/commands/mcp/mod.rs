//! `mcp`: a server of the Model Context Protocol (<https://modelcontextprotocol.io>) on stdin and
//! stdout, so that agents get the same answers as people.
//!
//! It only reads, by construction: nothing that writes can be reached from here, which
//! `tests/house.rs` proves from the imports.
//!
//! The protocol is implemented here. The official crate, rmcp 3.11 with only `server`, adds 24
//! crates and makes the program 12.4 MB large; this makes it 11.6 MB, and the limit is 12. Its
//! transport also ignores lines that are no JSON, which are answered here. A server of tools needs
//! few methods: `initialize`, `ping`, `tools/list`, `tools/call`, and `notifications/cancelled`.

mod call;
mod lines;
mod message;
mod quotes;
mod server;
mod tools;

use super::{interrupt, survey_file};
use crate::cli::{Cli, DryRun, Options};
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;

/// Serves until stdin ends.
///
/// # Errors
/// When a flag does not fit; on Ctrl-C.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    contradictions(&cli.options)?;
    let mut cli = cli.clone();
    // A credential plugin that prompts on stdin would read the client's messages.
    cli.connection.keeps_stdin = true;
    interrupt::wait_for(server::serve(cli, tokio::io::stdin(), tokio::io::stdout())).await?;
    Ok(Exit::Fine)
}

/// Refuses flags that do not fit a server that only reads.
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
        return Err(Failure::unknown(format!("mcp only reads, and {flag} is about steps"))
            .hint(format!("leave it out; a person does the steps: {COMMAND} TYPE NAME")));
    }
    if options.from.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return Err(Failure::unknown("--from - reads stdin, where the messages of mcp come from")
            .hint(format!("name a file: {COMMAND} mcp --from FILE")));
    }
    survey_file::has_no_logs(options)
}
