//! Reads and checks `finalizers.yaml`, and generates the Rust tables that the catalogue includes.
//!
//! This runs in the build script and in its own tests, and is not part of the program.

use serde::Deserialize;
use std::fmt::Write as _;

/// The file, relative to the package.
pub(super) const FILE: &str = "src/knowledge/finalizers.yaml";

/// The whole file. The comments at its top explain each field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalogue {
    see: String,
    see_namespaces: String,
    finalizers: Vec<Block>,
}

impl Catalogue {
    /// The page to read after that of an entry.
    fn see<'a>(&'a self, block: &'a Block) -> &'a str {
        let by_kind = if block.kinds == ["Namespace"] { &self.see_namespaces } else { &self.see };
        block.see.as_ref().unwrap_or(by_kind)
    }
}

/// A block of the file: one entry.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    key: String,
    #[serde(rename = "match")]
    matching: Option<String>,
    carries: Option<String>,
    product: String,
    kinds: Vec<String>,
    framework: Option<bool>,
    controller: String,
    namespace: String,
    unseen: Option<String>,
    guards: String,
    drains: Option<bool>,
    takes: Option<String>,
    if_finished: Option<String>,
    if_removed: String,
    risk: String,
    way_out: String,
    abandon: Option<String>,
    note: Option<String>,
    see: Option<String>,
    source: String,
    evidence: Option<String>,
}

/// The allowed words of a field, with their names in the catalogue.
type AllowedWords = [(&'static str, &'static str)];

const MATCHES: &AllowedWords = &[("prefix", "Matching::Prefix"), ("pattern", "Matching::Pattern")];
/// The risks of a removal. There is no lower one: a removal cannot be undone, and skips work that
/// was intended.
const RISKS: &AllowedWords = &[("leaks", "Risk::Leaks"), ("loses-data", "Risk::LosesData")];
const UNSEEN: &AllowedWords = &[("managed", "Some(Unseen::Managed)"), ("elsewhere", "Some(Unseen::Elsewhere)")];
const EVIDENCE: &AllowedWords = &[("sighting", "Reliability::Sighting")];

/// The line above the blocks.
const LIST: &str = "finalizers:";

/// Generates the tables from the text of the file.
///
/// # Errors
/// The first mistake: file, line, entry, and what to do about it.
pub(super) fn tables(yaml: &str) -> Result<String, String> {
    let catalogue = read(yaml)?;
    let blocks = &catalogue.finalizers;
    check_lines(yaml, &catalogue)?;
    let heads = (1..).zip(yaml.lines()).filter(|(_, text)| text.starts_with("- ")).map(|(line, _)| line);
    let (mut entries, mut before) = (String::new(), "");
    for (block, line) in blocks.iter().zip(heads) {
        let entry = check(block, before).and_then(|()| entry(block, catalogue.see(block)));
        let entry = entry.map_err(|what| fault(yaml, line, &what))?;
        let _ = writeln!(entries, "    {entry},");
        before = &block.key;
    }
    let families = families(blocks);
    Ok(format!(
        "static SEE: &str = {:?};\n\nstatic ENTRIES: [CatalogueEntry; {}] = [\n{entries}];\n\n\
         static FAMILIES: [&CatalogueEntry; {}] = [\n{}];\n",
        catalogue.see,
        blocks.len(),
        families.len(),
        families.concat(),
    ))
}

fn read(yaml: &str) -> Result<Catalogue, String> {
    serde_saphyr::from_str(yaml).map_err(|error| {
        let line = error.location().and_then(|at| usize::try_from(at.line()).ok()).unwrap_or(1);
        // The message may continue with an excerpt of the file, but Cargo shows one line.
        let what = error.without_snippet().to_string();
        let what = what.lines().next().unwrap_or_default();
        fault(yaml, line, &format!("{what}; correct it as the head of the file says"))
    })
}

fn fault(yaml: &str, line: usize, what: &str) -> String {
    let head = yaml.lines().take(line).filter_map(|line| line.strip_prefix("- key: ")).last();
    let entry = head.map(|key| format!("{key}: ")).unwrap_or_default();
    format!("{FILE}:{line}: {entry}{what}")
}

/// Checks that each field has one line, in a fixed order, since the file is searched and reviewed by
/// line. It must also mean what it seems to mean: YAML silently removes comments, anchors and tags
/// from a text.
fn check_lines(yaml: &str, catalogue: &Catalogue) -> Result<(), String> {
    let pages = [("see", catalogue.see.clone()), ("see_namespaces", catalogue.see_namespaces.clone())];
    let mut fields = pages.into_iter().chain(catalogue.finalizers.iter().flat_map(fields));
    for (line, text) in (1..).zip(yaml.lines()) {
        if text.is_empty() || text.starts_with('#') || text == LIST {
            continue;
        }
        let (field, value) = fields.next().unwrap_or_default();
        let name = field.trim_start_matches(['-', ' ']);
        if text != format!("{field}: {value}") && text != format!("{field}: \"{value}\"") {
            let what = format!(
                "YAML reads `{name}: {value}` where something else is written; write that as the head of the file \
                 says, without a remark, in double quotes where YAML needs them"
            );
            return Err(fault(yaml, line, &what));
        }
        if value.is_empty() || value == "[]" {
            let what = format!("`{name}` is empty; fill it in, or leave it out where it is optional");
            return Err(fault(yaml, line, &what));
        }
    }
    Ok(())
}

/// The fields of a block that are present, in their order.
fn fields(block: &Block) -> impl Iterator<Item = (&'static str, String)> {
    let fields = [
        ("- key", Some(block.key.clone())),
        ("  match", block.matching.clone()),
        ("  carries", block.carries.clone()),
        ("  product", Some(block.product.clone())),
        ("  kinds", Some(format!("[{}]", block.kinds.join(", ")))),
        ("  framework", block.framework.map(|framework| framework.to_string())),
        ("  controller", Some(block.controller.clone())),
        ("  namespace", Some(block.namespace.clone())),
        ("  unseen", block.unseen.clone()),
        ("  guards", Some(block.guards.clone())),
        ("  drains", block.drains.map(|drains| drains.to_string())),
        ("  takes", block.takes.clone()),
        ("  if_finished", block.if_finished.clone()),
        ("  if_removed", Some(block.if_removed.clone())),
        ("  risk", Some(block.risk.clone())),
        ("  way_out", Some(block.way_out.clone())),
        ("  abandon", block.abandon.clone()),
        ("  note", block.note.clone()),
        ("  see", block.see.clone()),
        ("  source", Some(block.source.clone())),
        ("  evidence", block.evidence.clone()),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name, value?)))
}

fn check(block: &Block, before: &str) -> Result<(), String> {
    if block.key == before {
        return Err("this key exists twice; join the two entries".into());
    }
    if block.key.as_str() < before {
        return Err(format!("must be before {before}: the entries are sorted by key, in byte order"));
    }
    for (name, value) in fields(block) {
        let name = name.trim_start_matches(['-', ' ']);
        let is_text = !matches!(name, "key" | "product" | "kinds" | "see" | "source");
        if is_text && value.ends_with('.') && !value.ends_with("*.") {
            return Err(format!("`{name}` ends with a full stop; remove it: the text becomes part of a sentence"));
        }
    }
    match &block.abandon {
        Some(annotation) if !annotation.split_once('=').is_some_and(|(key, _)| key.contains('/')) => {
            Err(format!("`abandon` cannot be `{annotation}`; write an annotation, as KEY=VALUE"))
        }
        _ => check_family(block),
    }
}

/// Checks that a family matches only finalizers of one domain, by its last two labels.
fn check_family(block: &Block) -> Result<(), String> {
    if block.matching.is_some() != block.carries.is_some() {
        return Err("has only one of `match` and `carries`; a family has both, any other entry neither".into());
    }
    let domain = block.key.split('/').next().unwrap_or_default();
    let what = match block.matching.as_deref() {
        Some("prefix") if !block.key.contains('/') => "a prefix needs a slash; otherwise it matches other domains",
        Some("pattern") if block.key.split('/').any(|part| part.matches('*').count() > 1) => {
            "a pattern has one `*` at most between two slashes"
        }
        Some("pattern") if domain.rsplit('.').take(2).any(|label| label.contains('*')) => {
            "a pattern must contain the last two labels of its domain; otherwise it matches other domains"
        }
        None if block.key.contains('*') => "a key with a `*` needs `match: pattern`",
        _ => return Ok(()),
    };
    Err(format!("{what}; correct the key"))
}

/// An entry as Rust code, with the page to read. The `Debug` format of a text, a list and an
/// `Option` is valid Rust.
fn entry(block: &Block, see: &str) -> Result<String, String> {
    let matching = block.matching.as_deref().map_or(Ok("Matching::Exact"), |word| variant("match", MATCHES, word))?;
    let risk = variant("risk", RISKS, &block.risk)?;
    let evidence =
        block.evidence.as_deref().map_or(Ok("Reliability::Source"), |word| variant("evidence", EVIDENCE, word))?;
    let unseen = block.unseen.as_deref().map_or(Ok("None"), |word| variant("unseen", UNSEEN, word))?;
    let (framework, drains) = (block.framework.unwrap_or_default(), block.drains.unwrap_or_default());
    let names = names_in(&block.controller);
    let takes = block.takes.as_deref().map(minutes).transpose()?;
    let Block { key, carries, product, kinds, controller, namespace, guards, if_finished, .. } = block;
    let Block { if_removed, way_out, abandon, note, source, .. } = block;
    Ok(format!(
        "CatalogueEntry {{ key: {key:?}, matching: {matching}, carries: {carries:?}, product: {product:?}, \
         kinds: &{kinds:?}, framework: {framework}, controller: {controller:?}, names: &{names:?}, namespace: {namespace:?}, unseen: {unseen}, guards: {guards:?}, \
         drains: {drains}, takes: {takes:?}, \
         if_finished: {if_finished:?}, if_removed: {if_removed:?}, risk: {risk}, way_out: {way_out:?}, abandon: {abandon:?}, note: {note:?}, see: {see:?}, \
         source: {source:?}, evidence: {evidence} }}"
    ))
}

fn variant(name: &str, words: &AllowedWords, word: &str) -> Result<&'static str, String> {
    words.iter().find(|(known, _)| *known == word).map(|(_, variant)| *variant).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
        format!("`{name}` cannot be `{word}`; write {}", known.join(" or "))
    })
}

/// The minutes in `15m`: at most two hours, since nobody should be asked to wait for longer.
fn minutes(text: &str) -> Result<u8, String> {
    let minutes = text.strip_suffix('m').and_then(|minutes| minutes.parse().ok());
    let minutes = minutes.filter(|minutes| (1..=120).contains(minutes) && text == format!("{minutes}m"));
    minutes.ok_or_else(|| format!("`takes` cannot be `{text}`; write 1m to 120m, in minutes"))
}

/// The names of workloads in the text of `controller`: `virt-controller, virt-handler or virt-operator`.
/// `provider-<name>-<hash>` becomes `provider-*-*`.
fn names_in(words: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in
        words.split([',', ';', '(', ')']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "))
    {
        let alone = !part.trim().contains(' ');
        for word in part.split_whitespace() {
            let pattern = glob(word);
            let plain = pattern.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.*".contains(c));
            let tells = !["manager", "controller", "controller-manager", "operator"].contains(&pattern.as_str());
            if plain && tells && (alone || pattern.contains('-')) && pattern.trim_matches(['*', '-']).len() > 2 {
                names.push(pattern);
            }
        }
    }
    names
}

/// The pattern of a word: any text between `<` and `>` becomes `*`.
fn glob(word: &str) -> String {
    let mut pattern = String::new();
    let mut inside = false;
    for c in word.chars() {
        match c {
            '<' => {
                inside = true;
                pattern.push('*');
            }
            '>' => inside = false,
            _ if inside => {}
            other => pattern.push(other),
        }
    }
    pattern
}

/// The references to prefixes and patterns, the longest key first: the first match wins.
fn families(blocks: &[Block]) -> Vec<String> {
    let mut families: Vec<usize> = (0..blocks.len()).filter(|index| blocks[*index].matching.is_some()).collect();
    families.sort_by_key(|index| std::cmp::Reverse(blocks[*index].key.len()));
    families.into_iter().map(|index| format!("    &ENTRIES[{index}],\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "\
see: a-page
see_namespaces: another-page

finalizers:
";

    const BLOCK: &str = "\
# a remark

- key: \"*.widgets.acme.io\"
  match: pattern
  carries: the plural of the kind
  product: Acme
  kinds: [Widget, any kind of Acme]
  controller: acme-operator
  namespace: acme
  guards: the last backup is taken first
  if_removed: the last backup is not taken
  risk: loses-data
  way_out: bring acme-operator back
  source: acme/acme:main.go
";

    /// The tables of a file with these blocks.
    fn tables_of(blocks: &str) -> Result<String, String> {
        tables(&format!("{HEAD}{blocks}"))
    }

    fn refused(change: &str, to: &str) -> String {
        let whole = format!("{HEAD}{BLOCK}");
        let text = whole.replace(change, to);
        assert_ne!(text, whole);
        let fault = tables(&text).unwrap_err();
        assert!(fault.starts_with(FILE) && fault.contains("; ") && !fault.contains('\n'), "{fault}");
        fault
    }

    #[track_caller]
    fn says(fault: &str, parts: &[&str]) {
        for part in parts {
            assert!(fault.contains(part), "{part} in {fault}");
        }
    }

    #[test]
    fn a_block_is_an_entry_and_a_family() {
        let tables = tables_of(BLOCK).unwrap();
        says(
            &tables,
            &["static ENTRIES: [CatalogueEntry; 1]", "static FAMILIES: [&CatalogueEntry; 1]", "&ENTRIES[0],"],
        );
        says(&tables, &["key: \"*.widgets.acme.io\", matching: Matching::Pattern, carries: Some(\"the plural of"]);
        says(&tables, &["kinds: &[\"Widget\", \"any kind of Acme\"]", "if_finished: None", "risk: Risk::LosesData"]);
        says(&tables, &["evidence: Reliability::Source", "framework: false", "names: &[\"acme-operator\"]"]);
    }

    #[test]
    fn controller_names_are_found_in_the_words_of_an_entry() {
        for (words, names) in [
            (
                "virt-controller, virt-handler or virt-operator",
                vec!["virt-controller", "virt-handler", "virt-operator"],
            ),
            ("cloud-controller-manager (service controller)", vec!["cloud-controller-manager"]),
            ("provider-<name>-<hash>", vec!["provider-*-*"]),
            ("crossplane", vec!["crossplane"]),
            ("the controller of the broker", vec![]),
        ] {
            assert_eq!(names_in(words), names, "{words}");
        }
    }

    #[test]
    fn an_entry_names_the_page_to_read_on() {
        let see = |change: &str, to: &str| {
            let tables = tables_of(&BLOCK.replace(change, to)).unwrap();
            says(&tables, &["static SEE: &str = \"a-page\";"]);
            let (_, from) = tables.split_once(" see: \"").unwrap();
            from.split_once('"').unwrap().0.to_owned()
        };
        assert_eq!(see("", ""), "a-page");
        assert_eq!(see("[Widget, any kind of Acme]", "[Namespace]"), "another-page");
        assert_eq!(see("  source", "  see: a-third\n  source"), "a-third");
        assert!(tables(BLOCK).is_err());
        says(&refused("see: a-page", "see: a-page # of all"), &[":1: ", "`see: a-page`"]);
        says(&refused("see_namespaces: another-page\n", ""), &["missing field `see_namespaces`"]);
        says(&refused("see: a-page\n", "see: \"\"\n"), &[":1: ", "`see` is empty; fill it in"]);
    }

    #[test]
    fn the_longest_family_comes_first() {
        let short = BLOCK.replace("\"*.widgets.acme.io\"", "acme.io/").replace("pattern", "prefix");
        let long = short.replace("acme.io/", "acme.io/widget-");
        says(&tables_of(&(short + &long)).unwrap(), &["    &ENTRIES[1],\n    &ENTRIES[0],\n"]);
    }

    #[test]
    fn faults_name_the_line_and_the_entry() {
        let fault = refused("loses-data", "manual");
        let at = format!("{FILE}:7: \"*.widgets.acme.io\": ");
        let what = "`risk` cannot be `manual`; write leaks or loses-data";
        assert_eq!(fault, at + what);
    }

    #[test]
    fn missing_unknown_and_duplicate_fields_are_refused() {
        says(&refused("  product: Acme\n", ""), &["*.widgets.acme.io", "missing field `product`"]);
        says(&refused("  product: Acme", "  products: Acme"), &[":10: ", "unknown field `products`"]);
        says(&refused("  risk:", "  product: Acme\n  risk:"), &[":16: ", "product"]);
        says(&refused("[Widget, any kind of Acme]", "Widget"), &[":11: "]);
        refused("- key", "  key");
        refused("  product", "product");
        refused("product: Acme", "product");
    }

    #[test]
    fn words_outside_a_closed_set_are_refused() {
        says(&refused("match: pattern", "match: regex"), &["`match` cannot be `regex`; write prefix or pattern"]);
        says(&refused("main.go", "main.go\n  evidence: rumour"), &["`evidence` cannot be `rumour`; write sighting"]);
        refused("  risk: loses-data\n", "");
    }

    #[test]
    fn durations_are_written_in_minutes() {
        let takes = |text: &str| BLOCK.replace("  if_removed", &format!("  takes: {text}\n  if_removed"));
        says(&tables_of(&takes("15m")).unwrap(), &["takes: Some(15)"]);
        says(&tables_of(BLOCK).unwrap(), &["takes: None"]);
        for wrong in ["15", "0m", "121m", "015m", "1h", "15 m", "-1m"] {
            says(&tables_of(&takes(wrong)).unwrap_err(), &[&format!("`takes` cannot be `{wrong}`; write 1m to 120m")]);
        }
    }

    #[test]
    fn ambiguous_yaml_is_refused() {
        for value in
            ["*.acme.io", "'acme'", "a: b", "a #b", "acme:", " acme", "\"acme", "\"ac\\\\me\"", "&a b", "!a b", "", "~"]
        {
            refused("product: Acme", &format!("product: {value}"));
        }
        refused("is not taken", "is\n    not taken");
        refused("is not taken", "is not taken\n  note: ~");
    }

    #[test]
    fn fields_in_another_order_are_refused() {
        let swapped = "  namespace: acme\n  controller: acme-operator\n";
        let fault = refused("  controller: acme-operator\n  namespace: acme\n", swapped);
        says(&fault, &[":12: ", "`controller: acme-operator`"]);
    }

    #[test]
    fn unordered_and_duplicate_entries_are_refused() {
        let other = BLOCK.replace("\"*.widgets.acme.io\"", "acme.io/").replace("pattern", "prefix");
        assert!(tables_of(&format!("{BLOCK}{other}")).is_ok());
        says(&tables_of(&format!("{other}{BLOCK}")).unwrap_err(), &[":21: ", "must be before acme.io/"]);
        says(&tables_of(&format!("{BLOCK}{BLOCK}")).unwrap_err(), &["this key exists twice; join the two entries"]);
    }

    #[test]
    fn texts_that_are_empty_or_a_whole_sentence_are_refused() {
        says(&refused("taken first", "taken first."), &["`guards` ends with a full stop; remove it"]);
        says(&refused("guards: the last backup is taken first", "guards: \"\""), &["`guards` is empty; fill it in"]);
        says(&refused("[Widget, any kind of Acme]", "[]"), &["`kinds` is empty; fill it in"]);
        refused("[Widget,", "[Widget, \"\",");
        refused("[Widget,", "[Widget, ,");
        refused("[Widget,", "[Widget,,");
        refused("[Widget,", "[\"Widget, Gadget\",");
    }

    #[test]
    fn a_family_names_its_variable_part_and_keeps_to_its_domain() {
        says(&refused("  carries: the plural of the kind\n", ""), &["only one of `match` and `carries`"]);
        says(&refused("\"*.widgets.acme.io\"", "\"*.acme.*\""), &["one `*` at most"]);
        says(&refused("\"*.widgets.acme.io\"", "\"*.io\""), &["the last two labels"]);
        says(&refused("\"*.widgets.acme.io\"\n  match: pattern", "acme\n  match: prefix"), &["needs a slash"]);
        let exact = refused("  match: pattern\n  carries: the plural of the kind\n", "");
        says(&exact, &["needs `match: pattern`"]);
    }
}
