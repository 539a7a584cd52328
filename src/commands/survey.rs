//! `survey`: writes everything that a diagnosis reads to a file.

use super::source::{Diagnosed, Live};
use super::unfinished::reported;
use super::{out, removal, words};
use crate::cli::{Cli, ManifestFlags};
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use crate::read::gather::Freshness;
use crate::survey::{Cascade, Scan, file};

/// Writes the survey to stdout.
///
/// # Errors
/// When the cluster cannot be read, or `cascade` is given without a preflight.
pub async fn run(cli: &Cli, words: &[String], cascade: Option<Cascade>) -> Result<Exit, Failure> {
    if cascade.is_some() && words.first().is_none_or(|word| word != "preflight") {
        return Err(Failure::unknown("--cascade cannot be used with a survey that was not taken for a preflight")
            .hint(format!("leave it out, or: {COMMAND} survey preflight TYPE NAME --cascade=HOW")));
    }
    if words == ["orphans"] {
        return of_orphans(cli).await;
    }
    if words == ["scan"] {
        let scan = Scan { namespace: cli.connection.namespace.clone(), selector: None };
        let live = reported(Live::connect_for_scan(&cli.connection, cli.options.logs, scan)).await?;
        return write(&live.diagnose(Freshness::Consistent).await?);
    }
    if words == ["apis"] {
        return write(&reported(Live::connect_for_apis(cli)).await?.diagnose(Freshness::Consistent).await?);
    }
    if words == ["products"] {
        return write(&reported(Live::connect_for_products(cli)).await?.diagnose(Freshness::Consistent).await?);
    }
    if let Some(("preflight", words)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        let asked = removal::asked(words, &ManifestFlags::default(), &format!("{COMMAND} survey preflight TYPE NAME"))?;
        let live = reported(asked.connect(cli, cascade.unwrap_or_default())).await?;
        return write(&live.diagnose(Freshness::Consistent).await?);
    }
    let named = if words.is_empty() { Vec::new() } else { words::parse(words)? };
    let live = reported(Live::connect(cli, named)).await?;
    let diagnosed = live.diagnose(Freshness::Consistent).await?;
    if diagnosed.survey.targets.is_empty() {
        out::talk("no namespace is terminating, so the survey contains little; name an object to survey it");
    }
    write(&diagnosed)
}

/// Surveys everything that `orphans` reads.
async fn of_orphans(cli: &Cli) -> Result<Exit, Failure> {
    let live = reported(Live::connect_for_orphans(cli)).await?;
    write(&live.look_for_orphans(|_| true).await?)
}

fn write(diagnosed: &Diagnosed) -> Result<Exit, Failure> {
    let written = file::write_telling(&diagnosed.survey).map_err(|error| Failure::unknown(error.to_string()));
    let (text, left_out) = written?;
    out::file(&format!("# {left_out}\n{text}"));
    out::talk(format!("{left_out}; it contains labels, names and messages: read it before you send it"));
    Ok(Exit::Fine)
}
