//! The subject of `preflight` and `--delete`: objects that the user or manifests name, and
//! installed products.

use super::manifests::{self, Manifest};
use super::source::{Diagnosed, Live, recorded};
use super::words::{self, TypeAndName};
use super::{out, select};
use crate::cli::{Cli, ManifestFlags};
use crate::failure::{Failure, Hint};
use crate::installers;
use crate::plugin::COMMAND;
use crate::survey::{Cascade, Discovery, ProductName, Purpose};
use std::collections::{BTreeMap, BTreeSet};

/// The objects to delete, according to the command line.
#[derive(Debug)]
pub enum Removal {
    /// Objects that the user names.
    Named(Vec<TypeAndName>),
    /// Objects that manifests name.
    Manifests(Vec<Manifest>),
}

/// Parses the arguments and the flags that replace them. `hint` gives examples.
///
/// # Errors
/// When nothing is named, both are, or a manifest cannot be read.
pub fn asked(words: &[String], flags: &ManifestFlags, hint: Hint) -> Result<Removal, Failure> {
    if let Some(flag) = flags.given() {
        if !words.is_empty() {
            return Err(Failure::contradiction(format!("{flag} names the objects: leave out TYPE and NAME")));
        }
        return manifests::read(flags).map(Removal::Manifests);
    }
    if words.is_empty() {
        return Err(Failure::unknown("TYPE and NAME are missing").hint(hint));
    }
    words::parse(words).map(Removal::Named)
}

impl Removal {
    /// The forecast from the file of `--from`; `None` without that flag.
    ///
    /// # Errors
    /// When manifests name the objects, or the survey was not taken for a preflight.
    pub async fn recorded(&self, cli: &Cli, cascade: Cascade) -> Result<Option<Diagnosed>, Failure> {
        match self {
            Self::Named(named) => recorded(cli, named, &Purpose::preflight(cascade)).await,
            Self::Manifests(_) if cli.options.from.is_none() => Ok(None),
            Self::Manifests(_) => Err(Failure::unknown("-f and -k cannot be used with --from, which reads a file")
                .hint("name what would be deleted")
                .command(format!("{COMMAND} preflight TYPE NAME --from FILE"))),
        }
    }

    /// Connects to preview the deletion.
    ///
    /// # Errors
    /// When the cluster cannot be reached, or does not serve a named kind.
    pub async fn connect(self, cli: &Cli, cascade: Cascade) -> Result<Live, Failure> {
        let manifests = match self {
            Self::Named(named) => return connect_to(cli, named, cascade).await,
            Self::Manifests(manifests) => manifests,
        };
        let live = Live::connect_for(cli, Purpose::preflight(cascade)).await?.taken_from(Vec::new());
        let discovery = live.discovery().await?;
        let served = served(manifests, &discovery)?;
        let given = cli.connection.namespace.as_deref();
        let targets = served.iter().map(|manifest| select::place(manifest, &discovery, &live, given));
        live.choose(targets.collect::<Result<_, _>>()?);
        Ok(live)
    }
}

/// Connects for objects and for products, which are named `INSTALLER/NAME`. If the server serves a
/// TYPE with the name of an installer, the TYPE is meant.
async fn connect_to(cli: &Cli, named: Vec<TypeAndName>, cascade: Cascade) -> Result<Live, Failure> {
    let (asked, others): (Vec<TypeAndName>, Vec<TypeAndName>) =
        named.iter().cloned().partition(|(word, _)| installers::is_word(word));
    if asked.is_empty() {
        return Ok(Live::connect(cli, named).await?.for_purpose(Purpose::preflight(cascade)));
    }
    let mut live = Live::connect(cli, others).await?;
    let discovery = live.discovery().await?;
    let products: Vec<&TypeAndName> = asked.iter().filter(|(word, _)| discovery.resolve(word).is_none()).collect();
    for (word, name) in asked.iter().filter(|one| !products.contains(one)) {
        let kind = discovery.resolve(word).map(|resource| resource.id.short()).unwrap_or_default();
        out::talk(format!(
            "{word} is a TYPE here, {kind}: {word}/{name} names an object of it, and nothing that {word} has installed"
        ));
    }
    if products.len() < asked.len() {
        let objects = named.iter().filter(|one| !products.contains(one)).cloned().collect();
        live = Live::connect(cli, objects).await?;
    }
    if products.is_empty() {
        return Ok(live.for_purpose(Purpose::preflight(cascade)));
    }
    let namespace = &cli.connection.namespace;
    let products = products.into_iter().map(|(installer, name)| ProductName {
        installer: installer.clone(),
        name: name.clone(),
        namespace: namespace.clone(),
        ..ProductName::default()
    });
    let purpose = Purpose::Preflight { cascade, products: products.collect() };
    Ok(live.taken_from(Vec::new()).for_purpose(purpose))
}

/// Refuses to continue if one of the requested products does not exist, or if several have its
/// name.
///
/// # Errors
/// When that is the case.
pub fn has_products(diagnosed: &Diagnosed) -> Result<(), Failure> {
    let names = diagnosed.survey.purpose.named_products();
    let asked = |what: &str| names.iter().any(|name| name.to_string() == what);
    let report = &diagnosed.report;
    let Some(note) = report.unread.iter().find(|note| asked(&note.what)) else { return Ok(()) };
    let failure = Failure::unknown(format!("{}: {}", note.what, note.why));
    let others = report.unread.len() - 1;
    if others == 0 {
        return Err(failure);
    }
    let first = report.unread.iter().find(|note| !asked(&note.what));
    let first = first.map(|note| format!("{}: {}", note.what, note.why)).unwrap_or_default();
    Err(failure.hint(format!("not everything could be read ({first}): it may be among what was not read")))
}

/// How many kinds that the server does not serve are listed.
const MAX_LISTED: usize = 10;

/// The manifests of kinds that the server serves. Objects of other kinds cannot exist, which is
/// reported, unless the server could not discover a group just now.
fn served(manifests: Vec<Manifest>, discovery: &Discovery) -> Result<Vec<Manifest>, Failure> {
    let defined: BTreeSet<(String, String)> = manifests.iter().filter_map(|it| it.defines.clone()).collect();
    let mut unserved: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut served = Vec::new();
    for manifest in manifests {
        if discovery.by_kind(&manifest.api_version, &manifest.kind).is_some() {
            served.push(manifest);
            continue;
        }
        let group = manifest.group().to_owned();
        if discovery.stale.iter().any(|stale| stale.split('/').next() == Some(&group)) {
            return Err(Failure::unknown(format!(
                "it is not known whether there is any {} {}: the server could not list {group} just now",
                manifest.kind, manifest.name
            ))
            .hint("see why")
            .command(format!("{COMMAND} apis")));
        }
        *unserved.entry((group, manifest.kind)).or_default() += 1;
    }
    let lines = unserved.iter().map(|(kind, count)| {
        let (group, name) = kind;
        let why =
            if defined.contains(kind) { "its definition is not installed" } else { "the server serves no such kind" };
        let group = if group.is_empty() { String::new() } else { format!(" in {group}") };
        let objects = words::objects_are(*count);
        format!("{name}{group}: {objects} skipped: {why}, so none exists")
    });
    out::talk_of_some(lines, MAX_LISTED, |more| format!("and {more} more kinds that are not served"));
    if served.is_empty() {
        return Err(Failure::unknown(
            "the server serves none of the kinds that -f or -k names, so none of the objects exists",
        )
        .hint("to forecast their removal as if they were installed")
        .command(format!("{COMMAND} preflight -f FILE --as-installed")));
    }
    Ok(served)
}
