//! `mcp`: a server of the Model Context Protocol (<https://modelcontextprotocol.io>) on stdin
//! and stdout, so that agents get the same answers as people.
//!
//! It only reads, by construction: nothing that writes can be reached from here, which
//! `tests/house.rs` proves from the imports.
//!
//! The protocol is spoken by hand. Its own crate, rmcp 3.11 with nothing but `server`, brought 24
//! crates and made a program of 12.4 MB, where this makes 11.6 and 12 is the bound; its transport passes over what is no
//! JSON, which is answered here. A server of tools needs few methods: `initialize`,
//! `ping`, `tools/list`, `tools/call`, and `notifications/cancelled`.

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
/// When flags do not go with it; on Ctrl-C.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    contradictions(&cli.options)?;
    let mut cli = cli.clone();
    // A credential plugin that asks on stdin would read what the client says.
    cli.connection.keeps_stdin = true;
    let served = server::serve(cli, tokio::io::stdin(), tokio::io::stdout());
    interrupt::unless(async {
        served.await;
        Ok(Exit::Fine)
    })
    .await
}

/// Flags that do not go with a server that only reads.
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
