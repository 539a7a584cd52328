//! Printed commands run nothing that a tenant has put into a name.

use super::*;
use crate::survey::each_text;

/// What a tenant appends to everything that names something.
const INJECTED: &str = ";touch${IFS}PWNED";

/// Appends it to every value that is one of these names, wherever it stands.
fn inject(value: &mut Value, names: &[String]) {
    match value {
        Value::String(text) if names.contains(text) => text.push_str(INJECTED),
        Value::Array(items) => items.iter_mut().for_each(|item| inject(item, names)),
        Value::Object(fields) => fields.values_mut().for_each(|field| inject(field, names)),
        _ => {}
    }
}

/// The names and namespaces of the objects in a survey.
fn names_in(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| names_in(item, names)),
        Value::Object(fields) => {
            let metadata = fields.get("metadata");
            let texts = ["name", "namespace"].iter().filter_map(|key| metadata?.get(key)?.as_str());
            names.extend(texts.map(str::to_owned));
            fields.values().for_each(|field| names_in(field, names));
        }
        _ => {}
    }
}

/// Whether a shell would find the injected words outside of quotes.
fn runs_it(command: &str) -> bool {
    let (mut in_single, mut in_double) = (false, false);
    for (at, c) in command.char_indices() {
        match c {
            '\'' if !in_double => in_single = !in_single,
            '"' if !in_single => in_double = !in_double,
            ';' if !in_single && command[at..].starts_with(INJECTED) => return true,
            _ => {}
        }
    }
    false
}

#[test]
fn no_printed_command_has_a_name_that_a_shell_would_run() {
    tests::on_a_large_stack(|| {
        let mut quoted = 0;
        for recorded in recorded().iter().step_by(4) {
            let (mut names, mut survey) = (Vec::new(), recorded.clone());
            names_in(recorded, &mut names);
            inject(&mut survey, &names);
            let Ok(mut survey) = file::read_on(&survey.to_string(), |_| Ok(base())) else { continue };
            let report = (0..8).find_map(|_| {
                let diagnosis = diagnose_survey(&survey);
                let ends = diagnosis.wants.is_empty();
                close(&mut survey, diagnosis.wants);
                ends.then_some(diagnosis.report)
            });
            let value = serde_json::to_value(report).expect("JSON");
            each_text(&value, &mut |text| {
                let Some((_, command)) = text.split_once("kubectl ") else { return };
                let command = command.split('`').next().unwrap_or_default();
                assert!(!runs_it(command), "{text}");
                quoted += usize::from(command.contains(INJECTED));
            });
        }
        assert!(quoted > 50, "{quoted}");
    });
}
