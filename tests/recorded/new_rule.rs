//! The files that `tests/new-rule` and `tests/new-reason` start, and a check that none of their placeholders stays.

#![expect(clippy::disallowed_types, reason = "it runs the script")]

use crate::scenario::Scenario;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The placeholder for text to be written.
const MARK: &str = "write me";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Whether the line has the placeholder, and not just the end of another word before it.
fn is_marked(line: &str) -> bool {
    line.match_indices(MARK).any(|(at, _)| !line[..at].ends_with(char::is_alphabetic))
}

/// All placeholders below a root: `FILE:LINE: the line`.
fn unwritten(root: &Path) -> Vec<String> {
    let scenarios = Scenario::all().into_iter().map(|scenario| root.join("tests/scenarios").join(scenario.name));
    let of_scenarios = scenarios.flat_map(|folder| ["make.sh", "scenario.yaml"].map(|name| folder.join(name)));
    let of_rules = ["src/rules", "src/reasons"].into_iter().flat_map(|folder| files(&root.join(folder)));
    let paths = of_rules.chain(of_scenarios).chain([root.join("CHANGELOG.md")]);
    let mut found = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a text");
        let shown = path.strip_prefix(root).expect("it is below").display();
        let marked = text.lines().enumerate().filter(|(_, line)| is_marked(line));
        found.extend(marked.map(|(line, text)| format!("{shown}:{}: {}", line + 1, text.trim())));
    }
    found
}

#[test]
fn no_rule_or_reason_has_unwritten_parts() {
    let found = unwritten(root());
    assert!(found.is_empty(), "{MARK}:\n{}", found.join("\n"));
}

#[test]
fn every_scenario_is_recorded() {
    let recorded: Vec<String> = Scenario::recorded().into_iter().map(|scenario| scenario.name).collect();
    let all = Scenario::all().into_iter().map(|scenario| scenario.name);
    let without = all.filter(|name| !recorded.contains(name));
    let commands = without.map(|name| {
        let test = name.replace("--", "_").replace('-', "_");
        format!("{MARK}: tests/scenarios/{name}/make.sh, then UNSTICK_RECORD=1 cargo test --test live {test}")
    });
    let commands: Vec<String> = commands.collect();
    assert!(commands.is_empty(), "{}", commands.join("\n"));
}

/// A copy of the files that the script reads and writes.
struct Copy(PathBuf);

impl Copy {
    fn new(name: &str) -> Self {
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("new-rule-{name}-{}", std::process::id()));
        for folder in ["src/rules", "src/reasons/search", "tests/template", "tests/scenarios/demo"] {
            fs::create_dir_all(copy.join(folder)).expect("a folder");
        }
        let templates = files(&root().join("tests/template"));
        for path in templates.iter().map(|path| path.strip_prefix(root()).expect("it is below")).chain([
            Path::new("src/rules/mod.rs"),
            Path::new("src/reasons/mod.rs"),
            Path::new("CHANGELOG.md"),
            Path::new("tests/begin"),
            Path::new("tests/new-rule"),
            Path::new("tests/new-reason"),
        ]) {
            fs::copy(root().join(path), copy.join(path)).expect("it is copied");
        }
        Self(copy)
    }

    fn begin(&self, names: &[&str]) -> Output {
        self.run("new-rule", names)
    }

    fn run(&self, script: &str, names: &[&str]) -> Output {
        Command::new("bash").arg(self.0.join("tests").join(script)).args(names).output().expect("bash runs")
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Whether the result compiles is checked in `src/rules/mod.rs`, which has the template as a module.
#[test]
fn the_script_begins_every_file_of_a_rule() {
    let copy = Copy::new("begins");
    for name in ["aa-first", "middle-of-all", "zz-last"] {
        let output = copy.begin(&[name]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let module = name.replace('-', "_");
        let rule = copy.read(&format!("src/rules/{module}.rs"));
        assert!(
            rule.contains(&format!("Rule::new(\"{name}\", "))
                && rule.contains(&format!("include_str!(\"{module}.md\")"))
        );
        for file in [format!("src/rules/{module}.md"), format!("tests/scenarios/{name}/make.sh")] {
            assert!(copy.read(&file).contains(MARK), "{file}");
        }
        assert!(copy.read(&format!("tests/scenarios/{name}/scenario.yaml")).contains(&format!("rule: {name},")));
        assert!(copy.read("CHANGELOG.md").contains(&format!("\n- {MARK}: what `{name}` finds.\n- ")));
    }
    let list = copy.read("src/rules/mod.rs");
    let modules = list.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let modules: Vec<&str> = modules.filter(|module| *module != "template").collect();
    assert!(modules.is_sorted(), "{modules:?}");
    assert_eq!((modules.first(), modules.last()), (Some(&"aa_first"), Some(&"zz_last")));
    let table = list.split_once("pub static RULES").and_then(|(_, rest)| rest.split_once("\n];")).expect("a table").0;
    assert!(table.contains("middle_of_all::RULE,") && table.ends_with("zz_last::RULE,"), "{table}");
}

/// Whether the result compiles is checked in `src/reasons/mod.rs`, which has the template as a module.
#[test]
fn the_script_begins_every_file_of_a_reason() {
    let copy = Copy::new("reason");
    let output = copy.run("new-reason", &["middle-of-all"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let reason = copy.read("src/reasons/middle_of_all.rs");
    assert!(reason.contains("\"middle-of-all\"") && reason.contains("include_str!(\"middle_of_all.md\")"));
    let scenario = copy.read("tests/scenarios/middle-of-all/scenario.yaml");
    assert!(scenario.contains("rule: held-by-finalizer,"), "{scenario}");
    let list = copy.read("src/reasons/mod.rs");
    let modules = list.lines().filter_map(|line| line.split_once("mod ")?.1.strip_suffix(';'));
    let modules: Vec<&str> = modules.filter(|module| *module != "template").collect();
    assert!(modules.is_sorted() && modules.contains(&"middle_of_all"), "{modules:?}");
    assert!(list.contains("\n    middle_of_all::REASON,\n];"), "{list}");
    assert!(list.contains("\n        &[middle_of_all::ask],\n    ],\n"), "{list}");
}

#[test]
fn the_script_refuses_what_is_no_new_name() {
    let copy = Copy::new("refuses");
    assert!(copy.begin(&["some-rule"]).status.success());
    let before = copy.read("src/rules/mod.rs");
    for (names, why) in [
        (&["some-rule"][..], "src/rules/some_rule.rs is there already"),
        (&["Rule"], "Rule: a rule's name is several words in lower case"),
        (&["../rule"], "a rule's name is several words"),
        (&[], "usage: tests/new-rule NAME"),
        (&["a-b", "c-d"], "usage: tests/new-rule NAME"),
    ] {
        let output = copy.begin(names);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{names:?}: {said}");
    }
    assert_eq!(copy.read("src/rules/mod.rs"), before);
}
