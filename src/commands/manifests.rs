//! Reads the names of objects from manifests: files, folders, stdin and kustomizations, as in
//! kubectl.

#![expect(clippy::disallowed_methods, reason = "the files are named on the command line")]

use super::manifest_files::{is_self_contained, manifests_in, text_in};
use super::programs;
use super::words::is_short_enough;
use crate::cli::ManifestFlags;
use crate::failure::Failure;
use crate::plan::quote;
use crate::plugin::COMMAND;
use crate::survey::{is_label, is_path_segment};
use serde_json::Value;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The file that makes a directory a Helm chart.
const CHART: &str = "Chart.yaml";
/// How many YAML documents are read at once: the reader takes at most 1,024 in one text.
const MAX_DOCUMENTS: usize = 1000;

/// The identity of the object in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Its apiVersion.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its namespace, if it names one.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// The group and kind that it defines, if it is a `CustomResourceDefinition`.
    pub defines: Option<(String, String)>,
}

impl Manifest {
    /// The group of its kind; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }
}

/// Reads the names of the objects in `-f` and `-k`.
///
/// # Errors
/// When something cannot be read, or is no manifest.
pub fn read(flags: &ManifestFlags) -> Result<Vec<Manifest>, Failure> {
    let found = whole(flags, Charts::Refused)?;
    found.iter().map(|object| manifest(object).map_err(Failure::unknown)).collect()
}

/// Whether `-f` names nothing but directories with Helm charts.
#[must_use]
pub fn are_charts(flags: &ManifestFlags) -> bool {
    !flags.filename.is_empty() && flags.filename.iter().all(|path| path.join(CHART).is_file())
}

/// The treatment of a directory with a Helm chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charts {
    /// Refused: the templates name no objects of the cluster, as the name of a release is missing.
    Refused,
    /// Rendered by helm, for a release with the name of the directory.
    Rendered,
}

/// Reads the whole objects in `-f` and `-k`.
///
/// # Errors
/// When something cannot be read, or is no manifest.
pub fn whole(flags: &ManifestFlags, charts: Charts) -> Result<Vec<Value>, Failure> {
    let mut found = Vec::new();
    if let Some(folder) = &flags.kustomize {
        let text = built("-k", "kubectl kustomize", &[folder.as_os_str()], folder, "kustomize build DIR")?;
        found = parsed(&text, &format!("kustomization {}", folder.display()))?;
    }
    for path in &flags.filename {
        if path.as_os_str() == "-" {
            let text = io::read_to_string(io::stdin()).map_err(|error| unreadable("stdin", &error))?;
            found.extend(parsed(&text, "stdin")?);
            continue;
        }
        if charts == Charts::Rendered && path.join(CHART).is_file() {
            found.extend(rendered(path)?);
            continue;
        }
        found.extend(in_files(path, flags.recursive)?);
    }
    for object in &found {
        is_short_enough(&manifest(object).map_err(Failure::unknown)?.name)?;
    }
    if found.is_empty() { Err(Failure::unknown("-f or -k names no object")) } else { Ok(found) }
}

/// The objects of a chart: those that helm renders, for a release with the name of the directory, and
/// the definitions in its `crds` directory.
fn rendered(chart: &Path) -> Result<Vec<Value>, Failure> {
    let place = chart.display().to_string();
    let full = chart.canonicalize().map_err(|error| unreadable(&place, &error))?;
    is_self_contained(&full).map_err(|error| unreadable(&format!("chart {place}"), &error))?;
    let name = full.file_name().and_then(OsStr::to_str).filter(|name| is_label(name)).unwrap_or("chart");
    let operands = [OsStr::new(name), full.as_os_str()];
    let text = built("-f", "helm template", &operands, chart, "helm template NAME DIR")?;
    let mut found = parsed(&text, &format!("chart {place}"))?;
    let crds = full.join("crds");
    if crds.is_dir() {
        let files = manifests_in(&crds, true).map_err(|error| unreadable(&place, &error))?;
        for file in files {
            found.extend(kept(in_file(&full, &file)?));
        }
    }
    Ok(found)
}

/// The objects in a file, or in the files of a folder.
fn in_files(path: &Path, recursive: bool) -> Result<Vec<Value>, Failure> {
    if path.is_dir() {
        let files = files(path, recursive)?;
        return Ok(files.iter().map(|file| in_file(path, file)).collect::<Result<Vec<_>, _>>()?.concat());
    }
    if path.to_str().is_some_and(|text| text.starts_with("http://") || text.starts_with("https://")) {
        return Err(Failure::unknown(format!("{} is a URL, and -f reads only files", path.display()))
            .hint("pipe its content into this command")
            .command(format!("curl -sL {} | {COMMAND} -f -", word(path))));
    }
    // The user has named it, and it may be a pipe.
    let place = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&place, &error))?;
    parsed(&text, &place)
}

/// The objects in a file of a folder.
fn in_file(folder: &Path, file: &Path) -> Result<Vec<Value>, Failure> {
    let place = file.display().to_string();
    let text = text_in(folder, file).map_err(|error| {
        let failure = unreadable(&place, &error);
        let is_outside = error.kind() == io::ErrorKind::PermissionDenied;
        if is_outside { failure.hint("name the file itself with -f to read it all the same") } else { failure }
    })?;
    parsed(&text, &place)
}

/// Marks the definitions of a chart's `crds` directory, which helm installs and never deletes
/// (<https://helm.sh/docs/chart_best_practices/custom_resource_definitions/>), as kept.
pub(crate) fn kept(mut found: Vec<Value>) -> Vec<Value> {
    for definition in &mut found {
        definition["metadata"]["annotations"]["helm.sh/resource-policy"] = "keep".into();
    }
    found
}

/// A path as a word of a command.
fn word(path: &Path) -> String {
    quote(&path.display().to_string())
}

fn unreadable(place: &str, error: &io::Error) -> Failure {
    Failure::unknown(format!("{place} cannot be read: {error}"))
}

/// The manifests in a folder, sorted by name.
fn files(path: &Path, deep: bool) -> Result<Vec<PathBuf>, Failure> {
    if path.join(CHART).is_file() {
        let render = format!("helm template NAME {} | {COMMAND} preflight -f -", word(path));
        return Err(Failure::unknown(format!("{} is a Helm chart: its templates name no objects yet", path.display()))
            .hint("render it like the installed release")
            .command(render));
    }
    let found = manifests_in(path, deep).map_err(|error| unreadable(&path.display().to_string(), &error))?;
    if found.is_empty() {
        let hint = if deep { "name another directory" } else { "-R also reads its subdirectories" };
        return Err(
            Failure::unknown(format!("directory {} contains no .json, .yaml or .yml file", path.display())).hint(hint)
        );
    }
    Ok(found)
}

/// The manifests that another program builds from a directory. `by_hand` does the same in a shell.
fn built(flag: &str, command: &str, operands: &[&OsStr], folder: &Path, by_hand: &str) -> Result<String, Failure> {
    let (program, subcommand) = command.split_once(' ').unwrap_or((command, ""));
    let output = programs::output(program, subcommand, operands).map_err(|error| {
        let failure =
            Failure::unknown(format!("{flag}: cannot start {program} to build {}: {error}", folder.display()));
        failure
            .hint(format!("put {program} on PATH, or build it elsewhere"))
            .command(format!("{by_hand} | {COMMAND} preflight -f -"))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().trim_start_matches("error: ").trim_start_matches("Error: ");
        return Err(Failure::unknown(format!("{command} {}: {said}", folder.display())));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::unknown(format!("{command} {} printed something that is not text", folder.display())))
}

fn parsed(text: &str, place: &str) -> Result<Vec<Value>, Failure> {
    objects(text).map_err(|why| {
        let failure = Failure::unknown(format!("{place} contains no manifests: {why}"));
        // It is one of Helm's templates, or a file in which parts of a template are left.
        if text.contains("{{") && text.contains("}}") {
            return failure
                .hint("it contains templates; render them first")
                .command(format!("helm template NAME DIR | {COMMAND} preflight -f -"));
        }
        failure
    })
}

/// The identities of the objects in a text.
#[cfg(test)]
pub(crate) fn manifests(text: &str) -> Result<Vec<Manifest>, String> {
    objects(text)?.iter().map(manifest).collect()
}

/// The objects in a text. Each must have an identity.
pub(crate) fn objects(text: &str) -> Result<Vec<Value>, String> {
    let mut found = Vec::new();
    for document in documents(text)?.into_iter().filter(|document| !document.is_null()) {
        add(document, &mut found)?;
    }
    Ok(found)
}

/// Splits a text into documents. JSON documents follow each other directly, YAML documents have a
/// separator.
fn documents(text: &str) -> Result<Vec<Value>, String> {
    if text.trim_start().starts_with('{') {
        let json: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
        if let Ok(documents) = json {
            return Ok(documents);
        }
    }
    let mut found = Vec::new();
    let mut lines_before = 0;
    for part in parts(text) {
        let documents: Result<Vec<Value>, _> = serde_saphyr::from_multiple(part);
        // If that fails, the part is parsed again below as many empty lines as there are lines
        // before it, so that the error names the line of the whole text.
        let documents = documents.or_else(|_| serde_saphyr::from_multiple(&("\n".repeat(lines_before) + part)));
        found.extend(documents.map_err(|error| malformed(&error))?);
        lines_before += part.matches('\n').count();
    }
    Ok(found)
}

/// Where a text is no YAML. The parser's own message quotes the text, which may be no manifest at all.
fn malformed(error: &serde_saphyr::Error) -> String {
    let place = |at: serde_saphyr::Location| format!(" at line {}, column {}", at.line(), at.column());
    format!("it is not valid YAML{}", error.location().map(place).unwrap_or_default())
}

/// The text in parts of at most [`MAX_DOCUMENTS`] YAML documents. A line that begins with three
/// hyphens begins a document, wherever it is (<https://yaml.org/spec/1.2.2/#912-document-markers>).
fn parts(text: &str) -> Vec<&str> {
    let ends_there = |at: &usize| text[at + 3..].chars().next().is_none_or(char::is_whitespace);
    let separators = text.match_indices("\n---").map(|(at, _)| at + 1).filter(ends_there);
    let mut parts = Vec::new();
    let mut begin = 0;
    for at in separators.skip(MAX_DOCUMENTS - 1).step_by(MAX_DOCUMENTS) {
        parts.push(&text[begin..at]);
        begin = at;
    }
    parts.push(&text[begin..]);
    parts
}

fn add(mut document: Value, found: &mut Vec<Value>) -> Result<(), String> {
    let is_list = document["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
    if let Some(Value::Array(items)) = document.get_mut("items").filter(|_| is_list).map(Value::take) {
        return items.into_iter().try_for_each(|item| add(item, found));
    }
    manifest(&document)?;
    found.push(document);
    Ok(())
}

fn manifest(object: &Value) -> Result<Manifest, String> {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    let must = |pointer: &str| {
        let field = || pointer[1..].replace('/', ".");
        let text = text(pointer).map(str::to_owned).ok_or_else(|| format!("an object has no {}", field()))?;
        if text.contains("{{") { Err(format!("{} is a template", field())) } else { Ok(text) }
    };
    for field in ["labels", "annotations"] {
        if object["metadata"].get(field).is_some_and(|texts| !texts.is_null() && !texts.is_object()) {
            return Err(format!("metadata.{field} is no map"));
        }
    }
    let is_placed = text("/metadata/namespace").is_none_or(|namespace| namespace.contains("{{") || is_label(namespace));
    if !is_placed || text("/metadata/name").is_some_and(|name| !is_path_segment(name)) {
        return Err("metadata.name or metadata.namespace is not a valid name".into());
    }
    Ok(Manifest {
        api_version: must("/apiVersion")?,
        kind: must("/kind")?,
        name: must("/metadata/name")?,
        namespace: text("/metadata/namespace").map(|_| must("/metadata/namespace")).transpose()?,
        defines: text("/kind")
            .filter(|kind| *kind == "CustomResourceDefinition")
            .and_then(|_| Some((text("/spec/group")?.to_owned(), text("/spec/names/kind")?.to_owned()))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_name_their_objects() {
        let text = "---\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: shop}\ndata: {x: eQ==}\n---\n\
                    kind: List\napiVersion: v1\nitems: [{apiVersion: acme.io/v1, kind: Widget, metadata: {name: w}}]\n";
        let found = manifests(text).unwrap();
        assert_eq!((found[0].name.as_str(), found[0].namespace.as_deref()), ("a", Some("shop")));
        assert_eq!((found[1].kind.as_str(), found[1].namespace.as_deref(), found.len()), ("Widget", None, 2));
        for (text, why) in [
            ("kind: Pod", "no apiVersion"),
            ("apiVersion: v1\nkind: Pod\nmetadata: {generateName: a}", "no metadata.name"),
            ("apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: '{{ .Release.Namespace }}'}", "is a template"),
            ("a: [", ""),
        ] {
            assert!(manifests(text).unwrap_err().contains(why), "{text}");
        }
        assert_eq!(manifests("").unwrap(), [], "a folder may hold an empty file");
    }

    #[test]
    fn documents_of_json_need_no_mark_between_them() {
        let one = |name: &str| {
            format!("{{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {{\"name\": \"{name}\"}}}}")
        };
        let list = format!("{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{}, {}]}}", one("b"), one("c"));
        let names = |text: &str| manifests(text).unwrap().into_iter().map(|found| found.name).collect::<Vec<_>>();
        assert_eq!(names(&format!("{}\n{list}\n", one("a"))), ["a", "b", "c"]);
        assert_eq!(names(&format!("{}\n---\n{}\n", one("a"), one("b"))), ["a", "b"]);
        assert_eq!(names("{apiVersion: v1, kind: Pod, metadata: {name: a}}"), ["a"], "no JSON, but YAML");
    }

    #[test]
    fn a_text_of_many_documents_is_read_in_parts() {
        let one = |number: usize| format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: p{number}}}\n");
        let all: Vec<String> = (0..=2 * MAX_DOCUMENTS).map(one).collect();
        let names: Vec<String> = manifests(&all.join("---\n")).unwrap().into_iter().map(|found| found.name).collect();
        assert_eq!((names.len(), names.last().unwrap().as_str()), (all.len(), "p2000"));
        let broken = manifests(&(all.join("---\n") + "---\na: [\n")).unwrap_err();
        let line = all.len() * 4 + 1;
        assert!((line - 1..=line + 1).any(|line| broken.contains(&format!("line {line}"))), "{broken}");
    }

    #[test]
    fn a_folder_is_read_as_kubectl_reads_it() {
        let folder = std::env::temp_dir().join(format!("unstick-manifests-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("deep")).unwrap();
        for file in ["b.yaml", "a.yml", "c.json", "README.md", "deep/d.yaml"] {
            let text = format!(
                "{{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {{\"name\": \"{}\"}}}}",
                &file[..1]
            );
            std::fs::write(folder.join(file), text).unwrap();
        }
        let names = |path: &Path, recursive| {
            let flags = ManifestFlags { filename: vec![path.to_owned()], recursive, kustomize: None };
            read(&flags).map(|found| found.into_iter().map(|found| found.name).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names(&folder, false).unwrap(), "a b c");
        assert_eq!(names(&folder, true).unwrap(), "a b c d");
        std::fs::remove_file(folder.join("deep/d.yaml")).unwrap();
        let why = names(&folder.join("deep"), false).unwrap_err().to_string();
        assert!(why.contains("contains no .json, .yaml or .yml file") && why.contains("-R"), "{why}");
        std::fs::write(folder.join("Chart.yaml"), "name: shop").unwrap();
        let why = names(&folder, true).unwrap_err().to_string();
        assert!(why.contains("is a Helm chart") && why.contains("helm template NAME"), "{why}");
        let why = names(Path::new("https://a/b.yaml"), false).unwrap_err().to_string();
        assert!(why.contains("is a URL") && why.contains("-f -"), "{why}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
