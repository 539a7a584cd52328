//! The words that people read: every text of the program in one list, `docs/texts.txt`, to read as
//! a whole before the next one is written. `docs/style.md` says how they are worded.

use super::{Module, is_for_tests, is_in, is_item_for_tests, list, module_of};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, ExprMethodCall, ImplItem, Item, ItemEnum, ItemStruct, Lit, LitStr, Macro, Meta};

/// Modules without texts for people: fuzzing, names, and words of other programs that are searched for.
const WITHOUT_WORDS: [&[&str]; 10] = [
    &["fuzzing"],
    &["plugin"],
    &["kubernetes", "messages"],
    &["survey", "credentials"],
    &["survey", "log", "about"],
    &["survey", "log", "header"],
    &["survey", "log", "record"],
    &["survey", "log", "records"],
    &["survey", "log", "sentence"],
    &["survey", "log", "trouble"],
];

/// Words that mean nothing to a reader who does not know this program. Use others instead: removed,
/// created, continues, reported, is deleted with it.
const RIDDLES: [&str; 16] = [
    "comes off", "taken off", "takes it off", "take it off", "is touched", "held back", "goes on", "gets on",
    "lets go", "goes with it", "seen to", "sees to", "stands for", "anew", "in vain", "heard of",
];

/// Openings that turn a sentence around.
const TURNED_AROUND: [&str; 4] = ["Of ", "So many ", "Whoever ", "What nothing "];

/// The texts of one file that people can meet.
#[derive(Default)]
struct Words(BTreeSet<String>);

impl Words {
    fn add(&mut self, text: &str) {
        if is_wording(text) {
            self.0.insert(text.trim().replace('\n', "\\n"));
        }
    }

    /// The string literals among the unparsed tokens of a macro.
    fn add_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Lit::Str(text) = Lit::new(literal) {
                        self.add(&text.value());
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    /// clap shows the comment of a flag or a value as its help.
    fn add_help<'a>(&mut self, attributes: impl Iterator<Item = &'a Attribute>) {
        let mut help = String::new();
        for attribute in attributes.filter(|attribute| attribute.path().is_ident("doc")) {
            let Meta::NameValue(doc) = &attribute.meta else { continue };
            let syn::Expr::Lit(syn::ExprLit { lit: Lit::Str(line), .. }) = &doc.value else { continue };
            help = format!("{help} {}", line.value().trim());
        }
        self.add(&help);
    }
}

/// Whether it is wording, not a name, path or pattern: two words of letters with a blank between.
fn is_wording(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(char::is_ascii_lowercase).count() > 1;
    let quoted = text.trim_start().starts_with(['{', '[']) && text.contains("\":");
    text.split_whitespace().filter(is_word).count() > 1 && !quoted
}

impl<'a> Visit<'a> for Words {
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

    fn visit_item_struct(&mut self, item: &'a ItemStruct) {
        if is_of_the_command_line(&item.attrs) {
            self.add_help(item.attrs.iter());
            item.fields.iter().for_each(|field| self.add_help(field.attrs.iter()));
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'a ItemEnum) {
        if is_of_the_command_line(&item.attrs) {
            for variant in &item.variants {
                self.add_help(variant.attrs.iter());
                variant.fields.iter().for_each(|field| self.add_help(field.attrs.iter()));
            }
        }
        visit::visit_item_enum(self, item);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        // A panic message states an assumption, for the authors of the program.
        if call.method == "expect" {
            self.visit_expr(&call.receiver);
        } else {
            visit::visit_expr_method_call(self, call);
        }
    }

    fn visit_lit_str(&mut self, text: &'a LitStr) {
        self.add(&text.value());
    }

    fn visit_macro(&mut self, given: &'a Macro) {
        let panics = ["unreachable", "assert", "debug_assert", "panic"];
        if !panics.iter().any(|name| given.path.is_ident(name)) {
            self.add_tokens(given.tokens.clone());
        }
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        let shown = ["arg", "command", "value"].iter().any(|name| attribute.path().is_ident(name));
        if let (true, Meta::List(given)) = (shown, &attribute.meta) {
            self.add_tokens(given.tokens.clone());
        }
    }
}

/// Whether clap derives something from it.
fn is_of_the_command_line(attributes: &[Attribute]) -> bool {
    let derived = attributes.iter().filter(|attribute| attribute.path().is_ident("derive"));
    let derived = derived.filter_map(|attribute| attribute.meta.require_list().ok());
    derived.flat_map(|list| list.tokens.clone()).any(|token| {
        matches!(token, TokenTree::Ident(name) if ["Args", "Parser", "Subcommand", "ValueEnum"].iter().any(|known| name == known))
    })
}

/// The files that `file` declares for tests alone.
fn modules_for_tests(module: &Module, file: &syn::File) -> Vec<Module> {
    let declared = file.items.iter().filter_map(|item| match item {
        Item::Mod(item) if item.attrs.iter().any(is_for_tests) => Some(item.ident.to_string()),
        _ => None,
    });
    declared.map(|name| [module.as_slice(), &[name]].concat()).collect()
}

/// All texts of `src`, in the order of their words.
fn all_texts() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    list(&root, &mut paths);
    let read = |path: &std::path::PathBuf| {
        let module = module_of(path.strip_prefix(&root).expect("a file of src"))?;
        let text = std::fs::read_to_string(path).expect("the source is text");
        Some((module, syn::parse_file(&text).expect("the source is Rust")))
    };
    let files: Vec<(Module, syn::File)> = paths.iter().filter_map(read).collect();
    let for_tests: BTreeSet<Module> = files.iter().flat_map(|(module, file)| modules_for_tests(module, file)).collect();
    let mut words = Words::default();
    for (module, file) in &files {
        let is_left_out = WITHOUT_WORDS.iter().any(|room| is_in(module, room));
        if !is_left_out && !for_tests.iter().any(|folder| module.starts_with(folder)) {
            words.visit_file(file);
        }
    }
    words.0.into_iter().collect::<Vec<_>>().join("\n") + "\n"
}

/// The list of all texts is kept, so that the next one can be worded like them. `UNSTICK_RECORD=1` writes it.
#[test]
fn texts_are_kept_in_one_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/texts.txt");
    let texts = all_texts();
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::write(&path, &texts).expect("docs can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == texts, "docs/texts.txt is old: UNSTICK_RECORD=1 cargo test --test house texts");
}

/// The pages of `explain` and the catalogue, which contain only text.
fn pages() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = ["rules", "reasons", "knowledge", "knowledge/terms"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder of src"));
    let paths = files.map(|entry| entry.expect("an entry").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md" || extension == "yaml"));
    pages.map(|path| std::fs::read_to_string(path).expect("a page is text")).collect::<Vec<_>>().join("\n")
}

#[test]
fn no_text_is_a_riddle() {
    let all = all_texts() + &pages();
    let has = |line: &str, words: &str| {
        let mut found = line.match_indices(words).map(|(at, _)| (at, at + words.len()));
        let is_inside = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        found.any(|(from, to)| !is_inside(line[..from].chars().next_back()) && !is_inside(line[to..].chars().next()))
    };
    let is_riddle = |line: &&str| {
        RIDDLES.iter().any(|words| has(line, words)) || TURNED_AROUND.iter().any(|opening| line.starts_with(opening))
    };
    let riddles: Vec<&str> = all.lines().filter(is_riddle).collect();
    assert!(riddles.is_empty(), "say who does what (docs/style.md):\n{}", riddles.join("\n"));
}
