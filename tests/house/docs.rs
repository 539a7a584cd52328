//! Checks that the source has what the pages name.

use super::pages::pages;
use super::{Module, list, module_of};
use std::path::{Path, PathBuf};

/// The pages beside those in `docs`.
const PAGES: [&str; 3] = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];

/// A page about the source of one day.
const OF_ONE_DAY: &str = "mutants.md";

/// Crates of others of which a page names a module.
const OF_OTHERS: [&str; 1] = ["kube_runtime"];

/// Parts of a path that its reader replaces.
const PLACEHOLDERS: [&str; 4] = ["your_", "your-", "NAME", "VERSION"];

/// The words before the name of something that is declared.
const DECLARE: [&str; 8] = ["const", "enum", "fn", "mod", "static", "struct", "trait", "type"];

/// The files of `src`, each with its module and its text.
struct Source(Vec<(Module, String)>);

impl Source {
    fn read(root: &Path) -> Self {
        let root = root.join("src");
        let mut paths = Vec::new();
        list(&root, &mut paths);
        let read = |path: &PathBuf| {
            let module = module_of(path.strip_prefix(&root).expect("a file of src"))?;
            Some((module, std::fs::read_to_string(path).expect("the source is text")))
        };
        Self(paths.iter().filter_map(read).collect())
    }

    /// Whether a path names a module, or what a module or a type in it declares. It need not begin at the crate.
    fn has(&self, path: &[&str]) -> bool {
        let mut within: Vec<&(Module, String)> = self.0.iter().collect();
        let mut of_type = false;
        for (place, name) in path.iter().enumerate() {
            let (inside, others): (Vec<_>, Vec<_>) =
                within.into_iter().partition(|(module, _)| module.iter().any(|part| part == name));
            let is_type = name.starts_with(char::is_uppercase);
            within = inside;
            if within.is_empty() && (is_type || place > 0 && place + 1 == path.len()) {
                within = others.into_iter().filter(|(_, text)| declares(text, name, of_type)).collect();
            }
            of_type = is_type;
        }
        !within.is_empty()
    }
}

/// Whether a file declares `name`, has methods for it or, as `of_type`, has a field or a variant of that name.
fn declares(text: &str, name: &str, of_type: bool) -> bool {
    let mut lines = text.lines().map(str::trim_start).filter(|line| line.contains(name) && !line.starts_with("//"));
    lines.any(|line| {
        let words: Vec<&str> = line.split(|c: char| !is_of_a_name(c)).filter(|word| !word.is_empty()).collect();
        let first = words.iter().find(|word| !["pub", "crate", "super"].contains(*word));
        words.windows(2).any(|pair| DECLARE.contains(&pair[0]) && pair[1] == name)
            || (line.starts_with("impl") && words.contains(&name))
            || (of_type && first == Some(&name))
    })
}

fn is_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The files and folders of the source and the tests that a line names.
fn files(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !is_of_a_name(c) && !['.', '-', '/'].contains(&c));
    let words = words.map(|word| word.trim_start_matches("../").trim_end_matches(['.', '/']));
    words.filter(|word| word.starts_with("src/") || word.starts_with("tests/"))
}

/// The paths of modules that a line names: `survey::file`.
fn modules(line: &str) -> impl Iterator<Item = Vec<&str>> {
    let code = line.split('`').skip(1).step_by(2).filter(|code| code.contains("::"));
    let is_name = |part: &&str| !part.is_empty() && part.chars().all(is_of_a_name);
    code.map(|code| code.split("::").collect::<Vec<_>>()).filter(move |path| path.iter().all(is_name))
}

/// The names in a page that the source does not have.
fn stale(page: &str, root: &Path, source: &Source) -> Vec<String> {
    let is_there =
        |path: &&str| root.join(path).exists() || PLACEHOLDERS.iter().any(|placeholder| path.contains(placeholder));
    let is_known = |path: &Vec<&str>| OF_OTHERS.contains(&path[0]) || source.has(path);
    let lines = page.lines().enumerate().flat_map(|(number, line)| {
        let files = files(line).filter(|path| !is_there(path)).map(ToOwned::to_owned);
        let modules = modules(line).filter(|path| !is_known(path)).map(|path| path.join("::"));
        files.chain(modules).map(move |name| format!("{}: {name}", number + 1)).collect::<Vec<_>>()
    });
    lines.collect()
}

#[test]
fn pages_name_only_what_the_source_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = Source::read(root);
    let docs = pages(&root.join("docs")).into_iter().filter(|path| !path.ends_with(OF_ONE_DAY));
    let all: Vec<PathBuf> = PAGES.iter().map(|name| root.join(name)).chain(docs).collect();
    let wrong: Vec<String> = all
        .iter()
        .flat_map(|path| {
            let page = std::fs::read_to_string(path).expect("a page is text");
            stale(&page, root, &source).into_iter().map(move |name| format!("{}:{name}", path.display()))
        })
        .collect();
    assert!(wrong.is_empty(), "these are not there any more:\n{}", wrong.join("\n"));
}

#[test]
fn a_stale_name_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = Source::read(root);
    for there in
        ["`survey::file`", "`survey::Survey`", "`Explains::Ring`", "`write::apply::carry_out`", "src/survey/*.rs"]
    {
        assert_eq!(stale(there, root, &source), [""; 0], "{there}");
    }
    for gone in ["`render::Shown`", "`survey::no_such_file`", "`Explains::NoSuchRing`", "(src/survey/kept/lists.rs)"] {
        assert_eq!(stale(gone, root, &source).len(), 1, "{gone}");
    }
}
