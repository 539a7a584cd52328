//! Everything known about the cluster at one time, and how it is looked up.

use super::fact::Fact;
use super::purpose::{Cascade, Scan, Scope, TargetName};
use super::resource::Discovery;
use super::want::{Form, Lookup, Sought, Want};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};

/// Everything known about the cluster at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// When, by the server's clock.
    pub taken_at: Timestamp,
    /// The kubeconfig context it was read through.
    pub context: Option<String>,
    /// The server's version, such as `v1.36.3`.
    pub server: Option<String>,
    /// What it was taken for.
    pub targets: Vec<TargetName>,
    /// Where stranded objects are looked for, when it was taken for these and
    /// not for targets.
    pub orphans: Option<Scope>,
    /// What of all that is being deleted is looked at, when it was taken for that and not
    /// for targets.
    pub scan: Option<Scan>,
    /// Whether it was taken for the aggregated APIs and not for targets.
    pub apis: bool,
    /// How the targets would be deleted, when it was taken to foresee that.
    pub preflight: Option<Cascade>,
    /// Whether logs of controllers may be read.
    pub logs: bool,
    /// What the server serves.
    pub discovery: Discovery,
    /// Whether this program has written to the cluster before it was taken.
    pub wrote: bool,
    /// By hash: of many targets most of a diagnosis is to look them up.
    pub(super) facts: HashMap<Want, Fact>,
    /// What came along unasked. It is no part of the survey until somebody asks for it.
    aside: HashMap<Want, Fact>,
}

impl Survey {
    /// An empty survey.
    #[must_use]
    pub fn new(taken_at: Timestamp, discovery: Discovery) -> Self {
        Self {
            taken_at,
            context: None,
            server: None,
            targets: Vec::new(),
            orphans: None,
            scan: None,
            apis: false,
            preflight: None,
            logs: false,
            discovery,
            wrote: false,
            facts: HashMap::new(),
            aside: HashMap::new(),
        }
    }

    /// Adds what a read gave, without the parts that must not be kept.
    pub fn record(&mut self, want: Want, mut fact: Fact) {
        let private = want.resource.is_private();
        match &mut fact {
            Fact::Listed(objects) => objects.iter_mut().for_each(|object| object.strip(private)),
            Fact::Found(object) => object.strip(private),
            Fact::Logged(_) | Fact::Probed(_) | Fact::Missing | Fact::Unread(_) => {}
        }
        self.facts.insert(want, fact);
    }

    /// Keeps what another read gave, in case that somebody asks for it.
    pub fn lay_aside(&mut self, want: Want, fact: Fact) {
        self.aside.insert(want, fact);
    }

    /// Records those of `wants` that came along with another read, and leaves the rest.
    pub fn recall(&mut self, wants: &mut BTreeSet<Want>) {
        let known = if self.aside.is_empty() {
            Vec::new()
        } else {
            wants.extract_if(.., |want| self.aside.contains_key(want)).collect()
        };
        for want in known {
            if let Some(fact) = self.aside.remove(&want) {
                self.record(want, fact);
            }
        }
    }

    /// The fact for a want; a whole object answers for its metadata too, and all
    /// objects for those that have an owner.
    #[must_use]
    pub fn fact(&self, want: &Want) -> Option<&Fact> {
        self.find(want.sought())
    }

    /// As [`Self::fact`], for a want that owns nothing.
    pub(crate) fn find(&self, sought: Sought<'_>) -> Option<&Fact> {
        let larger: &[Form] = match sought.form {
            Form::Whole | Form::Stored | Form::Cached => &[],
            Form::Metadata => &[Form::Whole],
            Form::Owned | Form::Deleting => &[Form::Metadata, Form::Whole],
        };
        let forms = std::iter::once(&sought.form).chain(larger);
        forms.map(|form| sought.in_form(*form)).find_map(|sought| self.facts.get(&sought as &dyn Lookup))
    }

    /// Whether the diagnosis finds its targets itself, when none are named.
    #[must_use]
    pub fn finds_its_targets(&self) -> bool {
        self.orphans.is_some() || self.scan.is_some() || self.apis
    }

    /// Every fact, in a stable order.
    pub fn facts(&self) -> impl Iterator<Item = (&Want, &Fact)> {
        let mut facts: Vec<(&Want, &Fact)> = self.facts.iter().collect();
        facts.sort_unstable_by_key(|(want, _)| *want);
        facts.into_iter()
    }

    /// Every fact, in whichever order.
    pub fn facts_unsorted(&self) -> impl Iterator<Item = (&Want, &Fact)> {
        self.facts.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::ResourceId;

    #[test]
    fn what_came_along_is_part_of_the_survey_when_somebody_asks_for_it() {
        let mut survey = Survey::new(Timestamp::UNIX_EPOCH, Discovery::default());
        let want = |plural: &str| Want::list(&ResourceId::new("", "v1", plural), None, Form::Deleting);
        survey.lay_aside(want("pods"), Fact::Listed(Vec::new()));
        survey.lay_aside(want("secrets"), Fact::Listed(Vec::new()));
        assert_eq!(survey.facts().count(), 0);
        let mut wants = BTreeSet::from([want("pods"), want("services")]);
        survey.recall(&mut wants);
        assert_eq!(wants, BTreeSet::from([want("services")]));
        assert_eq!(survey.fact(&want("pods")), Some(&Fact::Listed(Vec::new())));
        assert_eq!(survey.facts().count(), 1);
    }
}
