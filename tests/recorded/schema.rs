//! Every report matches its committed schema. Only the parts of JSON Schema that it uses are checked.

use crate::{diagnosed, scenario::Scenario};
use kubectl_unstick::export::json;
use serde_json::Value;

#[test]
fn every_report_is_as_the_schema_says() {
    let schema: Value = serde_json::from_str(include_str!("../../docs/report.schema.json")).expect("JSON");
    for scenario in Scenario::recorded() {
        let report: Value = serde_json::from_str(&json(&diagnosed(&scenario))).expect("JSON");
        let wrong = wrong(&report, &schema, &schema);
        assert_eq!(wrong, None, "{}", scenario.name);
        let mut without = report;
        without.as_object_mut().expect("an object").remove("findings");
        assert!(self::wrong(&without, &schema, &schema).is_some(), "nothing is checked");
    }
}

/// The first mismatch between a value and its schema.
fn wrong(value: &Value, schema: &Value, root: &Value) -> Option<String> {
    if let Some(named) = schema["$ref"].as_str() {
        return wrong(value, root.pointer(&named[1..]).expect("a definition"), root);
    }
    let fits = |schema: &Value| wrong(value, schema, root).is_none();
    for choice in ["anyOf", "oneOf"] {
        if let Some(all) = schema[choice].as_array()
            && !all.iter().any(fits)
        {
            return Some(format!("{value} is none of {choice}"));
        }
    }
    let is_const = schema.get("const").is_none_or(|only| only == value);
    if !is_const || !is_of_type(value, &schema["type"]) {
        return Some(format!("{value} is not {schema}"));
    }
    let missing = |name: &&Value| value.get(name.as_str().unwrap_or_default()).is_none();
    if let Some(name) = schema["required"].as_array().into_iter().flatten().find(missing) {
        return Some(format!("{name} is missing in {value}"));
    }
    let fields = schema["properties"].as_object().into_iter().flatten();
    let mut fields = fields.filter_map(|(name, schema)| Some((value.get(name)?, schema)));
    let mut items = value.as_array().into_iter().flatten().filter(|_| schema["items"].is_object());
    fields
        .find_map(|(field, schema)| wrong(field, schema, root))
        .or_else(|| items.find_map(|item| wrong(item, &schema["items"], root)))
}

fn is_of_type(value: &Value, named: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("{other} is a type that no schema of ours has"),
    };
    match named {
        Value::String(name) => is(name),
        Value::Array(several) => several.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}
