//! The committed schemas of printed data, compared with its types.

use schemars::{JsonSchema, Schema};
use serde::Serialize;

/// The schema of a type as it is printed: a list that is omitted when empty is not required.
pub(crate) fn printed<T: JsonSchema>() -> Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// Compares a schema with the committed one; with `UNSTICK_RECORD=1`, rewrites the committed one.
#[expect(clippy::disallowed_methods, reason = "the schema is a file of the project")]
pub(crate) fn is_committed(name: &str, schema: &impl Serialize) {
    let path = format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let schema = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, schema, "record it: UNSTICK_RECORD=1 cargo test --lib schema");
}

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    is_committed("report.schema.json", &printed::<super::Report>());
    is_committed("ownership.schema.json", &printed::<super::OwnershipReport>());
}
