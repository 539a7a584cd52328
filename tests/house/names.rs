//! A name that occurs in two rooms means the same in both.

use super::{FOR_TESTS, is_item_for_tests, list};
use std::collections::BTreeMap;
use std::path::Path;
use syn::Item;

/// The names of the types that an item defines beside those of its tests.
fn defined(item: &Item) -> Option<String> {
    Some(match item {
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

#[test]
fn each_type_has_a_name_of_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    list(&root, &mut paths);
    paths.retain(|path| !FOR_TESTS.iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name)));
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the source is text");
        let parsed = syn::parse_file(&text).expect("it is parsed");
        let place = path.strip_prefix(&root).expect("a file of src").display().to_string();
        for name in parsed.items.iter().filter(|item| !is_item_for_tests(item)).filter_map(defined) {
            places.entry(name).or_default().push(place.clone());
        }
    }
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "these names mean two things: {places:#?}");
}
