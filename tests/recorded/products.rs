//! All products in `tests/products` are installed side by side; the controller of each is found by
//! its traces alone.

use crate::diagnosed;
use crate::scenario::Scenario;
use kubectl_unstick::export::json;
use serde_json::Value;
use std::path::Path;

/// The header of a product's file.
pub(crate) struct Product {
    /// The file's stem.
    name: String,
    /// The workload that removes the finalizer: `Kind namespace/name`.
    pub(crate) expect: String,
    pub(crate) finalizer: String,
    /// The object with the finalizer: `resource.group/namespace/name`.
    pub(crate) object: String,
}

impl Product {
    pub(crate) fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/products");
        let mut files: Vec<_> =
            std::fs::read_dir(folder).expect("tests/products").map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files.iter().map(|file| Self::read(file)).collect()
    }

    fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).expect("a product");
        let header = |field: &str| {
            let start = format!("# {field}: ");
            let line = text.lines().find_map(|line| line.strip_prefix(&start));
            line.unwrap_or_else(|| panic!("{}: no {field}", file.display())).to_owned()
        };
        Self {
            name: file.file_stem().expect("a name").to_string_lossy().into_owned(),
            expect: header("expect"),
            finalizer: header("finalizer"),
            object: header("object"),
        }
    }

    /// The controller that a report names for this product's object.
    fn found(&self, report: &Value) -> String {
        let findings = report["findings"].as_array().expect("findings");
        let finding = findings.iter().find(|finding| {
            let objects = finding["objects"].as_array().expect("objects");
            finding["finalizer"] == self.finalizer.as_str() && objects.iter().any(|object| path(object) == self.object)
        });
        let workload = finding.map_or(&Value::Null, |finding| &finding["controller"]["workload"]);
        format!("{} {}/{}", text(&workload["kind"]), text(&workload["namespace"]), text(&workload["name"]))
    }
}

/// `resource.group/namespace/name`
fn path(object: &Value) -> String {
    let (resource, group) = (text(&object["resource"]), text(&object["apiVersion"]));
    let group = group.split_once('/').map(|(group, _)| format!(".{group}")).unwrap_or_default();
    let namespace = object.get("namespace").map(|namespace| format!("{}/", text(namespace))).unwrap_or_default();
    format!("{resource}{group}/{namespace}{}", text(&object["name"]))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn each_products_controller_is_found() {
    let products = Product::all();
    assert!(products.len() >= 30, "the products are gone");
    let report = diagnosed(&Scenario::named("controller-down--products"));
    let report: Value = serde_json::from_str(&json(&report)).expect("the report is JSON");
    let wrong: Vec<String> = products
        .iter()
        .map(|product| (product, product.found(&report)))
        .filter(|(product, found)| product.expect != *found)
        .map(|(product, found)| format!("{}: {found}, not {}", product.name, product.expect))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), products.len(), wrong.join("\n"));
}
