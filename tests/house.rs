//! Checks the structure of the source: each room of `src` uses only rooms below it, no files use
//! each other in a circle, and no file is too long. Rules do not know each other, and nothing else
//! knows a rule by its name.
//!
//! It reads `use` lines, paths and texts, except what is built only for tests. A name that a
//! `mod.rs` re-exports belongs to the file that defines it.

#![expect(clippy::disallowed_methods, reason = "it reads the source")]

use proc_macro2::{TokenStream, TokenTree};
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprMethodCall, ExprPath, ImplItem, Item, ItemUse, Lit, LitStr, Macro, MetaList, UseTree};

#[path = "house/docs.rs"]
mod docs;
#[path = "house/names.rs"]
mod names;
#[path = "support/pages.rs"]
mod pages;
#[path = "house/prose.rs"]
mod prose;
#[path = "house/texts.rs"]
mod texts;

/// The rooms from the top to the bottom.
const ROOMS: [&str; 26] = [
    "fuzzing", "commands", "cli", "confirm", "export", "screen", "write", "read", "transport", "journal", "diagnosis",
    "rules", "reasons", "findings", "needs", "plan", "installers", "kubernetes", "facts", "knowledge", "report",
    "survey", "failure", "server", "plugin", "inert",
];

/// Files with these names are built for tests alone.
const FOR_TESTS: [&str; 5] = ["tests", "fixtures", "lives", "operands", "stand_in"];

/// No file is longer, its tests included.
const LONGEST: usize = 500;

/// A module as its path below the crate: `["survey", "file"]`.
type Module = Vec<String>;

/// One file of the source.
struct File {
    path: PathBuf,
    lines: usize,
    uses: Vec<Use>,
    texts: Vec<Text>,
    /// The names that it passes on from other files, each with its full path.
    passes_on: HashMap<String, Module>,
}

/// A string literal with its line.
struct Text {
    value: String,
    line: usize,
}

/// A full path into this crate, with its line.
struct Use {
    path: Module,
    line: usize,
}

/// Every file of `src`, by its module.
struct House(BTreeMap<Module, File>);

impl House {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut paths = Vec::new();
        list(&root, &mut paths);
        let files = paths.into_iter().filter_map(|path| {
            let module = module_of(path.strip_prefix(&root).expect("a file of src"))?;
            let text = std::fs::read_to_string(&path).expect("the source is text");
            let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("a file of the project").to_owned();
            let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut reader = Reader::new(&module, &parsed);
            reader.visit_file(&parsed);
            let Reader { uses, texts, passes_on, .. } = reader;
            Some((module, File { path, lines: text.lines().count(), uses, texts, passes_on }))
        });
        Self(files.collect())
    }

    /// The file that defines the item at `path`; `None` if that is not in this crate.
    fn home(&self, path: &[String]) -> Option<&Module> {
        let known = (1..=path.len()).rev().find_map(|length| self.0.get_key_value(&path[..length]));
        let (module, file) = known?;
        match path.get(module.len()).and_then(|name| file.passes_on.get(name)) {
            Some(passed) => self.home(passed).or(Some(module)),
            None => Some(module),
        }
    }

    /// The files of the rules.
    fn rules(&self) -> impl Iterator<Item = &Module> {
        self.0.keys().filter(|module| module.len() == 2 && module[0] == "rules")
    }

    /// The files that each file uses, with the place of the first such line.
    fn edges(&self) -> BTreeMap<&Module, BTreeMap<&Module, String>> {
        let mut edges: BTreeMap<&Module, BTreeMap<&Module, String>> = BTreeMap::new();
        for (module, file) in &self.0 {
            let known = edges.entry(module).or_default();
            for used in &file.uses {
                let Some(home) = self.home(&used.path).filter(|home| *home != module) else { continue };
                let place = || format!("{}:{} uses {}", file.path.display(), used.line, used.path.join("::"));
                known.entry(home).or_insert_with(place);
            }
        }
        edges
    }
}

fn list(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of src") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            list(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// `None` for `main.rs` and `lib.rs`, and for folders of tests.
fn module_of(file: &Path) -> Option<Module> {
    let mut module: Module = file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    let of_tests = module.iter().any(|part| FOR_TESTS.contains(&part.as_str()));
    (!of_tests && module != ["main"] && module != ["lib"]).then_some(module)
}

/// Reads one file.
struct Reader {
    module: Module,
    /// The files below it that it declares.
    children: BTreeSet<String>,
    uses: Vec<Use>,
    texts: Vec<Text>,
    passes_on: HashMap<String, Module>,
}

impl Reader {
    fn new(module: &Module, file: &syn::File) -> Self {
        let child = |item: &Item| match item {
            Item::Mod(item) if item.content.is_none() => Some(item.ident.to_string()),
            _ => None,
        };
        let children = file.items.iter().filter_map(child).collect();
        Self { module: module.clone(), children, uses: Vec::new(), texts: Vec::new(), passes_on: HashMap::new() }
    }

    /// The full path of `path`; `None` when it does not begin in this crate.
    fn full(&self, path: &[String]) -> Option<Module> {
        let mut above = 0;
        match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            child if self.children.contains(child) => return Some(self.module.iter().chain(path).cloned().collect()),
            "self" => {}
            "super" => above = path.iter().take_while(|part| *part == "super").count(),
            _ => return None,
        }
        let base = self.module.len().checked_sub(above)?;
        let skipped = above.max(1);
        Some(self.module[..base].iter().chain(&path[skipped..]).cloned().collect())
    }

    fn add(&mut self, path: &[String], line: usize) {
        if let Some(path) = self.full(path) {
            self.uses.push(Use { path, line });
        }
    }

    fn add_text(&mut self, text: &LitStr) {
        self.texts.push(Text { value: text.value(), line: text.span().start().line });
    }

    /// The string literals among the unparsed tokens of a macro or an attribute.
    fn add_texts(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.add_texts(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Lit::Str(text) = Lit::new(literal) {
                        self.add_text(&text);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}

/// Whether an item is compiled for tests alone.
fn is_item_for_tests(item: &Item) -> bool {
    let attributes = match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(is_for_tests)
}

impl<'a> Visit<'a> for Reader {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_item_for_tests(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        let for_tests = matches!(item, ImplItem::Fn(item) if item.attrs.iter().any(is_for_tests));
        if !for_tests {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        let mut leaves = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut leaves);
        let passes_on = !matches!(item.vis, syn::Visibility::Inherited);
        for (path, name) in leaves {
            let line = item.use_token.span.start().line;
            if !passes_on {
                self.add(&path, line);
                continue;
            }
            if let Some(full) = self.full(&path) {
                self.passes_on.insert(name, full);
            }
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if parts.len() > 1 {
            self.add(&parts, path.segments[0].ident.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_lit_str(&mut self, text: &'a LitStr) {
        self.add_text(text);
    }

    fn visit_macro(&mut self, given: &'a Macro) {
        visit::visit_macro(self, given);
        self.add_texts(given.tokens.clone());
    }

    fn visit_meta_list(&mut self, given: &'a MetaList) {
        visit::visit_meta_list(self, given);
        self.add_texts(given.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        // A doc comment is an attribute with a text.
        if !attribute.path().is_ident("doc") {
            visit::visit_attribute(self, attribute);
        }
    }
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
}

/// Every path of a `use` tree, with the name that it gets.
fn flatten(tree: &UseTree, before: &mut Module, into: &mut Vec<(Module, String)>) {
    let with = |last: &syn::Ident, before: &Module| {
        let last = Some(last.to_string()).filter(|last| last != "self");
        before.iter().cloned().chain(last).collect::<Module>()
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, into);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, into)),
        UseTree::Name(name) => into.push((with(&name.ident, before), name.ident.to_string())),
        UseTree::Rename(renamed) => into.push((with(&renamed.ident, before), renamed.rename.to_string())),
        UseTree::Glob(_) => into.push((before.clone(), "*".into())),
    }
}

#[test]
fn each_room_uses_only_what_stands_below_it() {
    let house = House::read();
    let place = |module: &Module| {
        let room = &module[0];
        ROOMS.iter().position(|known| known == room).unwrap_or_else(|| panic!("{room} is in no list of rooms"))
    };
    let wrong: Vec<String> = house
        .edges()
        .into_iter()
        .flat_map(|(from, used)| used.into_iter().map(move |(to, line)| (from, to, line)))
        .filter(|(from, to, _)| place(from) > place(to))
        .map(|(_, _, line)| line)
        .collect();
    assert!(wrong.is_empty(), "these go up:\n{}", wrong.join("\n"));
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let house = House::read();
    let edges = house.edges();
    let mut lines: BTreeSet<&str> = BTreeSet::new();
    for (from, used) in &edges {
        for (to, line) in used {
            if reaches(to, from, &edges) {
                lines.insert(line);
            }
        }
    }
    let lines: Vec<&str> = lines.into_iter().collect();
    assert!(lines.is_empty(), "these lead back to where they come from:\n{}", lines.join("\n"));
}

/// The lines by which the direct entries of `folder` use each other: files, folders, and the
/// folder's own `mod.rs`.
fn neighbours<'a>(
    folder: &[String],
    edges: &'a BTreeMap<&Module, BTreeMap<&Module, String>>,
) -> BTreeMap<Module, BTreeMap<Module, Vec<&'a str>>> {
    let within =
        |module: &Module| module.starts_with(folder).then(|| module[..module.len().min(folder.len() + 1)].to_vec());
    let mut between: BTreeMap<Module, BTreeMap<Module, Vec<&str>>> = BTreeMap::new();
    for (from, used) in edges {
        let Some(from) = within(from) else { continue };
        for (to, line) in used {
            if let Some(to) = within(to).filter(|to| *to != from) {
                between.entry(from.clone()).or_default().entry(to).or_default().push(line);
            }
        }
    }
    between
}

#[test]
fn no_folders_use_each_other_in_a_circle() {
    let house = House::read();
    let edges = house.edges();
    let folders: BTreeSet<&[String]> =
        house.0.keys().flat_map(|module| (0..module.len()).map(|length| &module[..length])).collect();
    let mut lines: BTreeSet<&str> = BTreeSet::new();
    for folder in folders {
        let between = neighbours(folder, &edges);
        for (from, used) in &between {
            let back = |to: &&Module| reaches(to, from, &between);
            lines.extend(used.keys().filter(back).flat_map(|to| &used[to]));
        }
    }
    let lines: Vec<&str> = lines.into_iter().collect();
    assert!(lines.is_empty(), "these lead back to the folder that they come from:\n{}", lines.join("\n"));
}

fn reaches<'a, T>(
    from: &'a Module,
    to: &Module,
    edges: &'a BTreeMap<impl Borrow<Module> + Ord, BTreeMap<impl Borrow<Module> + Ord, T>>,
) -> bool {
    let (mut known, mut next) = (BTreeSet::from([from]), vec![from]);
    while let Some(module) = next.pop() {
        if module == to {
            return true;
        }
        let used = edges.get(module).into_iter().flat_map(BTreeMap::keys).map(Borrow::borrow);
        next.extend(used.filter(|used| known.insert(used)));
    }
    false
}

/// The files that send requests that change something, or decide whether that happens.
const WRITES: [&[&str]; 6] = [
    &["write"],
    &["journal"],
    &["commands", "apply"],
    &["commands", "delete"],
    &["commands", "finalize"],
    &["commands", "undo"],
];

/// The path from the server for agents to a file that writes, one line for each file.
fn ways_to_write(edges: &BTreeMap<&Module, BTreeMap<&Module, String>>) -> Vec<String> {
    let served: Vec<&Module> = edges.keys().filter(|module| module.starts_with(&mcp())).copied().collect();
    let (mut known, mut next) = (served.iter().copied().collect::<BTreeSet<_>>(), served);
    let mut ways = Vec::new();
    while let Some(module) = next.pop() {
        for (used, line) in &edges[module] {
            if WRITES.iter().any(|room| is_in(used, room)) {
                ways.push(line.clone());
            } else if known.insert(used) {
                next.push(used);
            }
        }
    }
    ways
}

fn is_in(module: &Module, room: &[&str]) -> bool {
    module.len() >= room.len() && module.iter().zip(room).all(|(part, name)| part == name)
}

fn mcp() -> Module {
    ["commands", "mcp"].map(Into::into).to_vec()
}

#[test]
fn the_server_for_agents_reaches_nothing_that_writes() {
    let house = House::read();
    let edges = house.edges();
    assert!(edges.contains_key(&mcp()), "the server for agents is gone");
    for room in WRITES {
        let is_there = edges.keys().any(|module| is_in(module, room));
        assert!(is_there, "{room:?} is gone: name what writes now");
    }
    let ways = ways_to_write(&edges);
    assert!(ways.is_empty(), "these lead to a write:\n{}", ways.join("\n"));
    // The check itself is tested: writes are found where they are used.
    let (from, to) = (mcp(), vec!["commands".to_owned(), "diagnose".to_owned()]);
    let mut leading = edges.clone();
    leading.entry(&from).or_default().insert(&to, "to the command that writes".into());
    assert!(!ways_to_write(&leading).is_empty());
}

/// Checks that types shared by reading and writing have no methods in files that write: a method
/// can be called without naming the file that defines it.
#[test]
fn shared_types_have_no_methods_that_write() {
    let http = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/transport/http.rs"));
    let http = http.expect("the file that sends requests");
    assert!(!http.contains("limits.write"), "a write is sent by write::send alone");
    let house = House::read();
    let writes = |module: &Module| module.as_slice() == ["write", "send"];
    let senders = house.edges().into_iter().filter(|(_, used)| used.keys().any(|used| writes(used)));
    let senders: Vec<&Module> = senders.map(|(module, _)| module).collect();
    assert_eq!(senders, [&["write".to_owned(), "apply".to_owned()].to_vec()]);
}

/// Tests of one file use nothing of another file's tests: what they share is in a file of its own.
#[test]
fn no_test_uses_what_another_test_defines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    list(&root, &mut paths);
    let mut found = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the source is text");
        let uses = text.lines().enumerate().filter(|(_, line)| line.contains("use ") && line.contains("::tests::"));
        found.extend(uses.map(|(line, text)| format!("{}:{}: {}", path.display(), line + 1, text.trim())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_rule_uses_another() {
    let house = House::read();
    let edges = house.edges();
    let lines: Vec<&str> = house
        .rules()
        .flat_map(|rule| &edges[rule])
        .filter(|(used, _)| used[0] == "rules")
        .map(|(_, line)| line.as_str())
        .collect();
    assert!(
        lines.is_empty(),
        "what these need to know belongs in src/kubernetes, what they say in src/findings:\n{}",
        lines.join("\n")
    );
}

#[test]
fn the_name_of_a_rule_stands_in_its_own_file() {
    let house = House::read();
    let rules: HashMap<String, &Module> = house.rules().map(|rule| (rule[1].replace('_', "-"), rule)).collect();
    assert!(!rules.is_empty(), "no rules were found");
    let elsewhere: Vec<String> = house
        .0
        .iter()
        .flat_map(|(module, file)| file.texts.iter().map(move |text| (module, file, text)))
        .filter(|(module, _, text)| rules.get(&text.value).is_some_and(|own| own != module))
        .map(|(_, file, text)| format!("{}:{} says {:?}", file.path.display(), text.line, text.value))
        .collect();
    assert!(elsewhere.is_empty(), "only its own file names a rule:\n{}", elsewhere.join("\n"));
}

/// Checks that the plugin is named in one place, so that renaming it takes one line in
/// `Cargo.toml`, the name in `plugin.yaml`, and file names.
#[test]
fn the_plugin_is_named_in_one_place() {
    let called = ["kubectl unstick", "kubectl-unstick", "kubectl_complete-unstick"];
    let elsewhere: Vec<String> = House::read()
        .0
        .iter()
        .filter(|(module, _)| module[0] != "plugin")
        .flat_map(|(_, file)| file.texts.iter().map(move |text| (file, text)))
        .filter(|(_, text)| called.iter().any(|name| text.value.contains(name)))
        .map(|(file, text)| format!("{}:{} says {:?}", file.path.display(), text.line, text.value))
        .collect();
    assert!(elsewhere.is_empty(), "src/plugin.rs has the name:\n{}", elsewhere.join("\n"));
    let package = env!("CARGO_PKG_NAME");
    let read = |path: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    assert!(
        read("Cargo.toml").contains(&format!("[[bin]]\nname = \"{package}\"\n")),
        "Cargo.toml names another program"
    );
    let plugin = package.strip_prefix("kubectl-").expect("a name for kubectl").replace('_', "-");
    let manifest = read("plugin.yaml");
    assert!(manifest.contains(&format!("\nmetadata:\n  name: {plugin}\n")), "plugin.yaml has another name");
    for line in manifest.lines().filter(|line| line.contains(" bin: ") || line.contains("addURIAndSha")) {
        let file = line.rsplit('/').next().unwrap_or_default();
        let named = line.trim().strip_prefix("bin: ").unwrap_or(file);
        assert!(named.starts_with(package), "plugin.yaml: {line}");
    }
}

/// Checks that addresses, which may contain a password, are known only where the connection is
/// made. The name of a server (`src/server.rs`) contains none.
#[test]
fn an_address_of_a_server_is_known_in_one_place() {
    let read = |file: &File| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file.path));
    let holders = |word: &str| -> Vec<String> {
        let house = House::read();
        let files = house.0.iter().map(|(module, file)| (module.join("/"), read(file).expect("the source is text")));
        let code = files.map(|(module, text)| (module, text.split("#[cfg(test)]\nmod").next().map(str::to_owned)));
        code.filter(|(_, text)| text.as_ref().is_some_and(|text| text.contains(word)))
            .map(|(module, _)| module)
            .collect()
    };
    assert_eq!(holders("cluster_url"), ["transport/connect"], "where the address is");
    assert_eq!(holders("Login"), ["server", "transport/credentials"], "who logs in by an address");
    let secrets = ["transport/connect", "transport/credentials", "transport/tls"];
    assert_eq!(holders("expose_secret"), secrets, "who sees --server, --token and --password as they were given");
}

/// A rule that asks for a field which no file keeps would judge a file differently from the cluster
/// that it was taken from.
#[test]
fn a_survey_file_keeps_every_requested_field() {
    const FIRST: [&str; 9] =
        ["spec", "status", "webhooks", "rules", "subjects", "roleRef", "endpoints", "involvedObject", "series"];
    let house = House::read();
    let asks = |module: &Module| {
        ["diagnosis", "facts", "findings", "kubernetes", "needs", "reasons", "rules"].contains(&module[0].as_str())
    };
    let texts = house.0.iter().filter(|(module, _)| asks(module)).flat_map(|(_, file)| {
        let pointers = file.texts.iter().filter_map(|text| Some((text.value.strip_prefix('/')?, text.line)));
        pointers.map(|(pointer, line)| (pointer, format!("{}:{line}", file.path.display())))
    });
    // A path that is made with `format!` is known up to its first parameter.
    let known =
        texts.map(|(pointer, place)| (pointer.split('{').next().unwrap_or_default().trim_end_matches('/'), place));
    let pointers: Vec<(&str, String)> =
        known.filter(|(pointer, _)| FIRST.contains(&pointer.split('/').next().unwrap_or_default())).collect();
    assert!(pointers.len() > 100, "{} pointers", pointers.len());
    let lost = pointers.iter().filter(|(pointer, _)| !kubectl_unstick::survey::keeps(pointer));
    let lost: Vec<String> = lost.map(|(pointer, place)| format!("{place}: /{pointer}")).collect();
    assert!(lost.is_empty(), "add these to src/survey/allowed/lists.rs:\n{}", lost.join("\n"));
}

/// Only `src/facts` distinguishes facts that were not surveyed yet from unreadable ones, and only
/// it keeps answers for later: its combinators read everything first.
#[test]
fn which_facts_are_read_in_one_round_is_decided_in_one_place() {
    let house = House::read();
    let others = house.0.iter().filter(|(module, _)| module[0] != "facts").map(|(_, file)| &file.path);
    let read = |path: &PathBuf| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
    let wrong: Vec<String> = others
        .flat_map(|path| {
            let text = read(path).expect("the source is text");
            let words = ["Unknown::NotSurveyed", "Vec<Known<"].into_iter().filter(move |word| text.contains(word));
            words.map(|word| format!("{} says {word}", path.display())).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "use what src/facts/reading.rs has:\n{}", wrong.join("\n"));
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = House::read()
        .0
        .values()
        .filter(|file| file.lines > LONGEST)
        .map(|file| format!("{} has {} lines", file.path.display(), file.lines))
        .collect();
    assert!(long.is_empty(), "longer than {LONGEST} lines:\n{}", long.join("\n"));
}

/// Rooms that present the findings of others. Facts about a sentence are in fields beside it.
const SPEAKERS: [&str; 4] = ["export", "screen", "diagnosis", "plan"];

/// Files there that search texts, none of which is a sentence of a report.
const LOOK_INTO_TEXTS: [(&str, &str); 17] = [
    ("screen/ascii", "leaves the lines of commands as they are"),
    ("export/argocd", "splits the groups of kinds that the catalogue names, and escapes for Lua"),
    ("export/dot", "escapes what a label may not hold"),
    ("screen/layout", "breaks lines, and keeps a command in one piece"),
    ("export/markdown", "escapes what Markdown would obey"),
    ("export/name", "splits group and version"),
    ("screen/owners", "finds where a drawn branch ends"),
    ("screen/palette", "paints lines by the labels that the program itself has written"),
    ("export/prometheus", "escapes what a label may not hold"),
    ("screen/undo", "cuts a long shell command"),
    ("diagnosis/missing_pods", "splits group and version"),
    ("diagnosis/requirements", "splits group and version"),
    ("diagnosis/waiters", "reads labels and names of managers"),
    ("plan/shape", "takes the index out of the path of a JSON patch"),
    ("plan/shell", "quotes words for a shell"),
    ("plan/turn", "quotes names that look like a flag"),
    ("plan/steps/taint_out_of_service", "quotes names that look like a flag"),
];

/// Methods that find words in a text.
const FIND_WORDS: [&str; 24] = [
    "strip_prefix", "strip_suffix", "split_once", "rsplit_once", "replace", "replacen", "starts_with", "ends_with",
    "split", "rsplit", "splitn", "rsplitn", "split_at", "split_terminator", "split_whitespace", "rfind",
    "match_indices", "trim_matches", "trim_start_matches", "trim_end_matches", "to_lowercase", "to_uppercase",
    "eq_ignore_ascii_case", "char_indices",
];

/// Methods of collections, too: they search a text if their argument is a text.
const FIND_IN_ANYTHING: [&str; 3] = ["contains", "find", "matches"];

/// The places where a file finds words in texts.
#[derive(Default)]
struct WordsFound(Vec<(String, usize)>);

impl WordsFound {
    fn in_source(text: &str) -> Self {
        let mut found = Self::default();
        found.visit_file(&syn::parse_file(text).expect("the source is Rust"));
        found
    }
}

impl<'a> Visit<'a> for WordsFound {
    fn visit_item(&mut self, item: &'a Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !attributes.iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let name = call.method.to_string();
        let first = call.args.first();
        let finds = FIND_WORDS.contains(&name.as_str())
            || (FIND_IN_ANYTHING.contains(&name.as_str()) && first.is_some_and(is_text));
        if finds && !first.is_some_and(is_blank) {
            self.0.push((name, call.method.span().start().line));
        }
        visit::visit_expr_method_call(self, call);
    }

    /// `str::split_once(text, ": ")`
    fn visit_expr_path(&mut self, path: &'a ExprPath) {
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [.., owner, name] = &names[..]
            && ["str", "String"].contains(&owner.as_str())
            && (FIND_WORDS.contains(&name.as_str()) || FIND_IN_ANYTHING.contains(&name.as_str()))
        {
            self.0.push((name.clone(), path.path.segments[0].ident.span().start().line));
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_macro(&mut self, given: &'a Macro) {
        let arguments = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        for argument in given.parse_body_with(arguments).into_iter().flatten() {
            <Self as Visit<'_>>::visit_expr(self, &argument);
        }
    }
}

/// Whether the argument is a text, and not an item of a collection.
fn is_text(sought: &Expr) -> bool {
    match sought {
        Expr::Lit(lit) => matches!(lit.lit, Lit::Str(_) | Lit::Char(_)),
        Expr::Reference(of) => is_text(&of.expr),
        Expr::Macro(of) => of.mac.path.is_ident("format"),
        Expr::MethodCall(call) => call.method == "to_string",
        Expr::Array(of) => of.elems.iter().all(is_text),
        Expr::Closure(of) => of.inputs.iter().any(|input| matches!(input, syn::Pat::Type(_))),
        Expr::Path(of) => of.path.segments.first().is_some_and(|first| first.ident == "char"),
        _ => false,
    }
}

/// Blanks and line breaks are layout, not words.
fn is_blank(sought: &Expr) -> bool {
    match sought {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => text.value().chars().all(char::is_whitespace),
            Lit::Char(c) => c.value().is_whitespace(),
            _ => false,
        },
        _ => false,
    }
}

/// Screens and plans take their facts from fields and from parts of sentences. Nothing searches the
/// words for facts: they may change, and strangers may have written them.
#[test]
fn no_sentence_of_a_report_is_read_back() {
    let read = |file: &File| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file.path));
    let house = House::read();
    let rooms = house.0.iter().filter(|(module, _)| SPEAKERS.contains(&module[0].as_str()));
    let rooms = rooms.filter(|(module, _)| !module.iter().any(|part| part == "hostile"));
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for (module, file) in rooms {
        let found = WordsFound::in_source(&read(file).expect("the source is text")).0;
        let name = module.join("/");
        if let (Some((known, _)), false) = (LOOK_INTO_TEXTS.iter().find(|(known, _)| *known == name), found.is_empty())
        {
            used.insert(*known);
            continue;
        }
        wrong.extend(found.iter().map(|(method, line)| format!("{}:{line} {method}", file.path.display())));
    }
    assert!(wrong.is_empty(), "these look for words; give the report a field instead:\n{}", wrong.join("\n"));
    let unused: Vec<&str> = LOOK_INTO_TEXTS.iter().map(|(name, _)| *name).filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "these look into no text any more: {unused:?}");
}

#[test]
fn searching_for_words_is_detected() {
    let lines = |body: &str| WordsFound::in_source(&format!("fn f() {{ {body} }}")).0.len();
    for body in [
        "finding.summary.to_string().split_once(\": \");",
        "text.contains(\"guards\");",
        "text.contains(&format!(\"{a}\"));",
        "text.find(|c: char| c == ':');",
        "let b = str::strip_prefix(text, \"set by \");",
        "format!(\"{}\", text.replace(\" already\", \"\"));",
    ] {
        assert_eq!(lines(body), 1, "{body}");
    }
    for body in ["list.contains(&item);", "list.iter().find(|it| it.is_so());", "text.replace('\\u{a0}', \" \");"] {
        assert_eq!(lines(body), 0, "{body}");
    }
}

/// The names in a type.
#[derive(Default)]
struct Names(Vec<String>);

impl<'a> Visit<'a> for Names {
    fn visit_ident(&mut self, name: &'a syn::Ident) {
        self.0.push(name.to_string());
    }
}

/// The words of a sentence can be shown, but not taken out of it.
#[test]
fn a_sentence_has_no_methods_of_a_string() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/sentence.rs");
    let source = std::fs::read_to_string(path).expect("the file of the sentence");
    let items = syn::parse_file(&source).expect("the source is Rust").items;
    let shipped = items.iter().filter_map(|item| match item {
        Item::Impl(of) if !of.attrs.iter().any(is_for_tests) => Some(of),
        _ => None,
    });
    let mut traits = BTreeSet::new();
    for of in shipped {
        traits.extend(of.trait_.as_ref().and_then(|(_, path, _)| Some(path.segments.last()?.ident.to_string())));
        for item in &of.items {
            let ImplItem::Fn(method) = item else { continue };
            let mut given = Names::default();
            given.visit_return_type(&method.sig.output);
            let is_open = matches!(method.vis, syn::Visibility::Public(_) | syn::Visibility::Restricted(_));
            let gives_text = given.0.iter().any(|name| name == "str" || name == "String");
            assert!(!(is_open && gives_text), "{} gives the words away", method.sig.ident);
        }
    }
    // To compare two sentences takes no words out of them.
    let allowed = ["Display", "Eq", "From", "Hash", "Ord", "PartialEq", "PartialOrd", "Serialize"];
    assert_eq!(traits.iter().map(String::as_str).collect::<Vec<_>>(), allowed);
}
