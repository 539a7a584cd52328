//! All facts about a cluster at one time, and their lookup.

use super::fact::{Fact, Reason};
use super::log::LogReading;
use super::purpose::{Purpose, TargetName};
use super::resource::Discovery;
use super::want::{Form, Sought, Want};
use indexmap::IndexMap;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};

/// All facts about a cluster at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// The time when it was taken, by the server's clock.
    pub taken_at: Timestamp,
    /// The kubeconfig context.
    pub context: Option<String>,
    /// The server's version, such as `v1.36.3`.
    pub server: Option<String>,
    /// The targets for which it was taken.
    pub targets: Vec<TargetName>,
    /// The purpose of the survey.
    pub purpose: Purpose,
    /// When logs of controllers are read.
    pub logs: LogReading,
    /// The resources that the server serves.
    pub discovery: Discovery,
    /// Whether a log was read.
    pub(crate) holds_logs: bool,
    /// Whether this program had already written to the cluster.
    pub wrote: bool,
    /// Hashed, since with many targets most of the work is looking up facts.
    pub(super) facts: IndexMap<Want, Fact>,
    /// Facts that no rule has asked for yet. They become part of the survey when a rule does.
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
            purpose: Purpose::default(),
            logs: LogReading::Never,
            discovery,
            holds_logs: false,
            wrote: false,
            facts: IndexMap::new(),
            aside: HashMap::new(),
        }
    }

    /// Adds the result of a read, without the parts that must not be kept.
    pub fn record(&mut self, want: Want, mut fact: Fact) {
        let private = want.resource.is_private();
        match &mut fact {
            Fact::Listed(objects) => objects.iter_mut().for_each(|object| object.strip(private)),
            Fact::Found(object) => object.strip(private),
            Fact::Logged(_) | Fact::Probed(_) | Fact::Missing | Fact::Unread(_) => {}
        }
        self.holds_logs |= matches!(fact, Fact::Logged(_));
        self.facts.insert(want, fact);
    }

    /// Keeps a fact that came with another read, in case a rule asks for it later.
    pub(crate) fn lay_aside(&mut self, want: Want, fact: Fact) {
        self.aside.insert(want, fact);
    }

    /// Moves facts in `wants` that came with other reads into the survey.
    pub fn recall(&mut self, wants: &mut BTreeSet<Want>) {
        let known: Vec<Want> = wants.extract_if(.., |want| self.aside.contains_key(want)).collect();
        for want in known {
            if let Some(fact) = self.aside.remove(&want) {
                self.record(want, fact);
            }
        }
    }

    /// The fact for a want. A whole object also answers for its metadata, and a full list for the
    /// objects in it that have owners.
    #[must_use]
    pub fn fact(&self, want: &Want) -> Option<&Fact> {
        self.find(want.sought())
    }

    /// Like [`Self::fact`], for a borrowed want.
    pub(crate) fn find(&self, sought: Sought<'_>) -> Option<&Fact> {
        let larger: &[Form] = match sought.form {
            Form::Whole | Form::Stored | Form::Cached => &[],
            Form::Metadata => &[Form::Whole],
            Form::Owned | Form::Deleting => &[Form::Metadata, Form::Whole],
        };
        let forms = std::iter::once(&sought.form).chain(larger);
        forms.map(|form| sought.in_form(*form)).find_map(|sought| self.facts.get(&sought))
    }

    /// Every fact, in a stable order.
    pub fn facts(&self) -> impl Iterator<Item = (&Want, &Fact)> {
        let mut facts: Vec<(&Want, &Fact)> = self.facts.iter().collect();
        facts.sort_unstable_by_key(|(want, _)| *want);
        facts.into_iter()
    }

    /// Every fact, in any order.
    pub fn facts_unsorted(&self) -> impl Iterator<Item = (&Want, &Fact)> {
        self.facts.iter()
    }

    /// The kinds of which a list or an object could not be read, each once, and the groups that the
    /// server could not discover.
    pub(crate) fn unread_kinds(&self) -> BTreeSet<String> {
        let kinds = self.facts.iter().filter_map(|(want, fact)| match fact {
            Fact::Unread(why) if why.reason != Reason::NotServed && want.probe.is_none() && want.log.is_none() => {
                Some(want.resource.short())
            }
            _ => None,
        });
        kinds.chain(self.discovery.stale.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::ResourceId;

    #[test]
    fn extra_results_join_the_survey_when_wanted() {
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
