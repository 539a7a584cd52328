//! `survey`: writes everything that a diagnosis reads to a file.

use super::source::{Diagnosed, Live};
use super::unfinished::reported;
use super::{out, removal, words};
use crate::cli::{Cli, ManifestFlags};
use crate::failure::{Exit, Failure, Hint};
use crate::plugin::COMMAND;
use crate::read::gather::Freshness;
use crate::survey::{Cascade, Purpose, Scan, file};

/// Writes the survey to stdout.
///
/// # Errors
/// When the cluster cannot be read, or `cascade` is given without a preflight.
pub async fn run(cli: &Cli, words: &[String], cascade: Option<Cascade>) -> Result<Exit, Failure> {
    if cascade.is_some() && words.first().is_none_or(|word| word != "preflight") {
        return Err(Failure::unknown("--cascade cannot be used with a survey that was not taken for a preflight")
            .hint("leave it out, or take a survey for one")
            .command(format!("{COMMAND} survey preflight TYPE NAME --cascade=HOW")));
    }
    let parts: Vec<&str> = words.iter().map(String::as_str).collect();
    let namespace = cli.connection.namespace.clone();
    let live = match parts[..] {
        ["orphans"] => {
            let live = reported(Live::connect_for(cli, Purpose::orphans(namespace))).await?;
            return write(&live.look_for_orphans(|_| true).await?);
        }
        ["scan"] => reported(Live::connect_for(cli, Purpose::Scan(Scan { namespace, selector: None }))).await?,
        ["apis"] => reported(Live::connect_for(cli, Purpose::Apis)).await?,
        ["products"] => reported(Live::connect_for(cli, Purpose::Products(namespace))).await?,
        ["preflight", ..] => {
            let hint =
                Hint::from("name what would be deleted").command(format!("{COMMAND} survey preflight TYPE NAME"));
            let asked = removal::asked(&words[1..], &ManifestFlags::default(), hint)?;
            reported(asked.connect(cli, cascade.unwrap_or_default())).await?
        }
        [] => reported(Live::connect(cli, Vec::new())).await?,
        _ => reported(Live::connect(cli, words::parse(words)?)).await?,
    };
    let diagnosed = live.diagnose(Freshness::Consistent).await?;
    if words.is_empty() && diagnosed.survey.targets.is_empty() {
        out::talk("no namespace is terminating, so the survey contains little; name an object to survey it");
    }
    write(&diagnosed)
}

fn write(diagnosed: &Diagnosed) -> Result<Exit, Failure> {
    let written = file::write_telling(&diagnosed.survey).map_err(|error| Failure::unknown(error.to_string()));
    let (text, left_out) = written?;
    out::file(&format!("# {left_out}\n{text}"));
    out::talk(format!("{left_out}; it contains labels, names and messages: read it before you send it"));
    Ok(Exit::Fine)
}
