//! What `--approve-plan` approves: the steps of the remedies with these digests, and no others.

use crate::failure::Failure;
use crate::plan::Identity;
use crate::report::{Remedy, Report, Risk, Step};
use std::collections::HashMap;

/// The approved steps, each with the risk that was shown with it.
#[derive(Debug, Default)]
pub struct Approved(HashMap<Identity, Risk>);

impl Approved {
    /// The steps of the remedies with these digests.
    ///
    /// # Errors
    /// When a digest is not of a remedy in this report: then nothing may be done.
    pub fn of(digests: &[String], report: &Report) -> Result<Self, Failure> {
        let mut steps = HashMap::new();
        for digest in digests {
            let Some(remedy) = report.remedies.iter().find(|remedy| remedy.digest == *digest) else {
                return Err(Failure::unknown(format!(
                    "--approve-plan: no remedy has the digest {digest} now: nothing was done"
                ))
                .hint("what is stuck has changed since then, or other objects are named: -o json shows the digests"));
            };
            steps.extend(remedy.steps.iter().map(|step| (step.identity(), remedy.risk)));
        }
        Ok(Self(steps))
    }

    /// Whether this step was approved, at no lower risk than it has now.
    pub fn covers(&self, remedy: &Remedy, step: &Step) -> bool {
        self.0.get(&step.identity()).is_some_and(|risk| remedy.risk <= *risk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::diagnose;
    use crate::plan::digest;
    use crate::plan::steps::remove_finalizer;
    use crate::report::{Named, Ref};
    use crate::survey::{Discovery, Survey};

    #[test]
    fn the_steps_that_were_shown_are_approved_and_no_others() {
        let survey = Survey::new("2026-01-01T00:00:00Z".parse().unwrap(), Discovery::default());
        let mut report = diagnose(&survey, &[]).report;
        let remedy = |name: &str, risk| {
            let object =
                Ref::from(Named { kind: "Widget".into(), name: name.into(), uid: name.into(), ..Named::default() });
            let remedy = Remedy::new(remove_finalizer::step(&object, &["a.io/x".to_owned()], "a.io/x"), risk, "");
            Remedy { digest: digest::of(&remedy), ..remedy }
        };
        let (one, other) = (remedy("one", Risk::Leaks), remedy("other", Risk::Leaks));
        report.remedies = vec![one.clone(), other.clone()];
        let approved = Approved::of(std::slice::from_ref(&one.digest), &report).unwrap();
        assert!(approved.covers(&one, &one.steps[0]));
        assert!(!approved.covers(&other, &other.steps[0]), "it was not approved");
        assert!(!approved.covers(&remedy("one", Risk::LosesData), &one.steps[0]), "it costs more by now");
        let error = Approved::of(&[one.digest, "sha256:00".into()], &report).unwrap_err().to_string();
        assert!(error.contains("sha256:00") && error.contains("nothing was done"), "{error}");
    }
}
