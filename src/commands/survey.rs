//! `survey`: everything that a diagnosis reads, as a file.

use super::source::{Diagnosed, Live};
use super::{out, unfinished, words};
use crate::cli::Cli;
use crate::cluster::gather::Freshness;
use crate::failure::{Exit, Failure};
use crate::survey::{Scan, file};

/// Writes the survey to stdout.
///
/// # Errors
/// When the cluster cannot be read.
pub async fn run(cli: &Cli, words: &[String]) -> Result<Exit, Failure> {
    if words == ["orphans"] {
        return of_orphans(cli).await;
    }
    if words == ["scan"] {
        let scan = Scan { namespace: cli.connection.namespace.clone(), selector: None };
        let live = connected(Live::connect_for_scan(cli.connection.connection(), cli.options.logs, scan)).await?;
        return write(&live.diagnose(Freshness::Consistent).await?);
    }
    if words == ["apis"] {
        return write(&connected(Live::connect_for_apis(cli)).await?.diagnose(Freshness::Consistent).await?);
    }
    if let Some(("preflight", words)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        let cascade = cli.cascade.map(Into::into).unwrap_or_default();
        let live = connected(Live::connect_for_preflight(cli, words::parse(words)?, cascade)).await?;
        return write(&live.diagnose(Freshness::Consistent).await?);
    }
    let named = if words.is_empty() { Vec::new() } else { words::parse(words)? };
    let live = connected(Live::connect(cli, named)).await?;
    let diagnosed = live.diagnose(Freshness::Consistent).await?;
    if diagnosed.survey.targets.is_empty() {
        out::talk("no namespace is terminating: the survey holds little; name an object to survey it");
    }
    write(&diagnosed)
}

async fn connected(live: impl Future<Output = Result<Live, Failure>>) -> Result<Live, Failure> {
    unfinished::told(live.await?).await
}

/// All that `orphans` reads.
async fn of_orphans(cli: &Cli) -> Result<Exit, Failure> {
    let live = connected(Live::connect_for_orphans(cli)).await?;
    write(&live.look_for_orphans(|_| true).await?)
}

fn write(diagnosed: &Diagnosed) -> Result<Exit, Failure> {
    let written = file::write_telling(&diagnosed.survey).map_err(|error| Failure::unknown(error.to_string()));
    let (text, left_out) = written?;
    out::data(&format!("# {left_out}\n{text}"));
    out::talk(&format!("{left_out}; labels, names and messages are in it: read it before you send it"));
    Ok(Exit::Fine)
}
