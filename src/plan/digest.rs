//! The digest of a remedy, with which a program approves what it has read in a report.

use crate::plan::WriteIdentity;
use crate::report::{Remedy, Risk, Step};
use ring::digest::{SHA256, digest};
use serde::Serialize;
use std::fmt::Write;

/// The content of a digest: other steps, other objects or values, another risk, or objects that must now be
/// named by hand make another plan.
#[derive(Serialize)]
struct Approved {
    risk: Risk,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirms: Option<Risk>,
    by_name: bool,
    steps: Vec<WriteIdentity>,
}

/// `sha256:` and 64 hexadecimal digits; empty if a person must carry out the remedy.
///
/// # Panics
/// Never: steps are plain data.
#[must_use]
pub fn of(remedy: &Remedy) -> String {
    if remedy.steps.is_empty() {
        return String::new();
    }
    let steps = remedy.steps.iter().map(Step::identity).collect();
    let confirms = Some(remedy.level()).filter(|level| *level > remedy.risk);
    let approved = Approved { risk: remedy.risk, confirms, by_name: remedy.by_name, steps };
    let text = serde_json::to_vec(&approved).expect("steps are plain data");
    let mut written = "sha256:".to_owned();
    for byte in digest(&SHA256, &text).as_ref() {
        let _ = write!(written, "{byte:02x}");
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::remove_finalizer;
    use crate::report::{Named, Ref};

    #[test]
    fn another_step_risk_or_object_is_another_plan() {
        let remedy = |uid: &str, held: &[&str], risk| {
            let object =
                Ref::from(Named { kind: "Widget".into(), name: "w".into(), uid: uid.into(), ..Named::default() });
            let held: Vec<String> = held.iter().map(|key| (*key).to_owned()).collect();
            Remedy::new(remove_finalizer::step(&object, &held, "a.io/x"), risk, "")
        };
        let one = remedy("1", &["a.io/x"], Risk::Leaks);
        assert_eq!(of(&one).len(), "sha256:".len() + 64);
        assert_eq!(of(&one), of(&Remedy { id: "r7".into(), title: "in other words".into(), ..one.clone() }));
        assert_eq!(of(&one), of(&remedy("1", &["a.io/y", "a.io/x"], Risk::Leaks)), "another place in the list");
        for other in
            [remedy("2", &["a.io/x"], Risk::Leaks), remedy("1", &["a.io/x"], Risk::LosesData), one.clone().by_name()]
        {
            assert_ne!(of(&one), of(&other), "{other:?}");
        }
        assert_eq!(of(&Remedy::manual("look", "")), "");
    }
}
