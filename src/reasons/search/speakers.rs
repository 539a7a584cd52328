//! Whose statements count for a finalizer with an unknown owner, if its object has several finalizers.

use crate::kubernetes::finalizers::groups::domain;
use crate::kubernetes::finalizers::names::{ControllerName, says_something};
use crate::kubernetes::ownership::owner;
use crate::kubernetes::ownership::owner::{COMMON, Fit, speaker};
use crate::kubernetes::statements::statement::Statement;
use crate::reasons::judgement::Judgement;
use crate::reasons::{
    at_work, controller_gone, controller_unknown, dangling_reference, gives_no_reason, said_before_restart,
};
use crate::report::{ControllerState, Ref};
use crate::survey::{Object, is_collectors};

/// How much a statement counts for a finalizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Credence {
    Full,
    /// The finalizer may belong to another program.
    Perhaps,
    /// Nothing shows that the finalizer belongs to the author.
    Nothing,
}

/// The statements about held objects, by how much they count for one finalizer.
pub(super) struct WeighedStatements<'s> {
    /// Statements that count.
    pub(super) said: Vec<Statement<'s>>,
    /// Statements that do not count, with their authors.
    unheard: Vec<(Statement<'s>, String)>,
}

impl<'s> WeighedStatements<'s> {
    /// Weighs `said` for `finalizer`, whose controller has one of `names`.
    pub(super) fn of(said: Vec<Statement<'s>>, finalizer: &str, names: &[ControllerName]) -> Self {
        let mut heard = Self { said: Vec::new(), unheard: Vec::new() };
        for mut said in said {
            let weight = weight(&said, finalizer, names);
            said.is_perhaps = weight == Credence::Perhaps;
            if weight != Credence::Nothing {
                heard.said.push(said);
            } else if said.trouble || said.goes_on {
                let speaker = speaker(&said).unwrap_or_default().to_owned();
                heard.unheard.push((said, speaker));
            }
        }
        heard
    }

    /// Makes `found` less certain if somebody else spoke, to whom this finalizer may belong: then its controller is
    /// unknown, unless something else than words gives the reason.
    pub(super) fn doubt_owner(&self, found: &mut Judgement<'s>, finalizer: &str, best: Option<&Object>) {
        let is_taken_for = |speaker: &str| {
            best.is_none_or(|best| {
                owner::fit(speaker, best) != Fit::Not && owner::fit(named_part(finalizer), best) == Fit::Not
            })
        };
        let Some((said, speaker)) = self.unheard.iter().find(|(_, speaker)| is_taken_for(speaker)) else { return };
        (found.profile.stale, found.profile.sure) = (true, false);
        if found.why.is_one_of(&[
            &gives_no_reason::REASON,
            &at_work::REASON,
            &said_before_restart::REASON,
            &dangling_reference::REASON,
            &controller_gone::REASON,
            &controller_unknown::REASON,
        ]) {
            found.why = controller_unknown::found();
            found.profile.controller.state = ControllerState::Unknown;
            found.profile.controller.workload = None;
        }
        let told = [
            format!("{}: {}", Ref::from(said.of), said.text),
            format!("{speaker} says that, but nothing shows that {finalizer} belongs to it"),
        ];
        found.profile.controller.evidence.splice(0..0, told.map(Into::into));
    }
}

fn weight(said: &Statement<'_>, finalizer: &str, names: &[ControllerName]) -> Credence {
    let object = said.of.object;
    let several = object.metadata.finalizers.iter().filter(|key| !is_collectors(key)).nth(1).is_some();
    if !several || names.iter().any(|name| name.owner) {
        return Credence::Full;
    }
    let Some(speaker) = speaker(said) else { return Credence::Perhaps };
    let setter = object.finalizer_set_by(finalizer).filter(|setter| says_something(&setter.name));
    if setter.is_some_and(|setter| owner::alike(&setter.name, speaker)) {
        Credence::Full
    } else if is_called_after(finalizer, speaker) {
        Credence::Perhaps
    } else {
        Credence::Nothing
    }
}

/// Whether the domain of a finalizer and a name have a word in common.
fn is_called_after(finalizer: &str, name: &str) -> bool {
    let domain = named_part(finalizer);
    let words = |text| str::split(text, |c: char| !c.is_ascii_alphanumeric());
    let telling = |word: &&str| word.len() > 1 && !COMMON.contains(word);
    owner::share_a_word(domain, name)
        || words(domain).filter(telling).any(|word| words(name).any(|other| other == word))
}

/// `db.acme` for `db.acme.io/backup`.
fn named_part(finalizer: &str) -> &str {
    let domain = domain(finalizer);
    domain.rsplit_once('.').map_or(domain, |(named, _)| named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finalizer_is_called_after_a_name_that_shares_a_domain_word() {
        assert!(is_called_after("db.acme.io/backup", "acme-operator"));
        assert!(is_called_after("ab.io/backup", "ab-controller"));
        assert!(!is_called_after("hold.io/legal", "acme-operator"));
        assert!(!is_called_after("operator.example.com/x", "acme-operator"));
        assert!(!is_called_after("hold.cloud/legal", "cloud-keeper"));
    }
}
