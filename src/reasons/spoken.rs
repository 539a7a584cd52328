//! The statements about held objects, and what they name.

use super::found_reason::FoundReason;
use crate::facts::{All, Known};
use crate::kubernetes::mentions::bare_names::{NamedWithoutKind, named_without_kind};
use crate::kubernetes::mentions::inventory::listed_and_going;
use crate::kubernetes::mentions::message::in_the_way;
use crate::kubernetes::mentions::no_kind::unserved_kind;
use crate::kubernetes::mentions::{InTheWay, UnservedKind};
use crate::kubernetes::messages::admission::INVALID;
use crate::kubernetes::messages::trouble::{is_about_use, is_waiting};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::missing::{self, Absent};
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::statements::statement::Statement;
use crate::report::{ControllerState, Ref, Sentence};

/// Asks whether something that was said is the reason.
pub(super) type AskSpoken = for<'s> fn(&Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>>;

/// The statements about held objects, and what they name.
pub(super) struct Spoken<'a, 's> {
    /// The names of the controller.
    pub(super) names: &'a [String],
    pub(super) inquiry: Inquiry<'a, 's>,
    /// The statements about trouble.
    pub(super) troubles: Vec<&'a Statement<'s>>,
    /// Objects that the held ones or the messages name, and that do not exist.
    pub(super) absent: Vec<Absent>,
    /// Objects that are being deleted and that messages name, or else that held objects list as their own.
    pub(super) in_the_way: Vec<InTheWay<'s>>,
    /// Whether no message names the objects in the way.
    pub(super) lists_in_the_way: bool,
    /// Whether held objects list objects that are being deleted as their own.
    pub(super) lists_going: bool,
    /// A kind without a definition that the held objects or the messages name.
    pub(super) no_kind: Option<UnservedKind>,
}

impl<'a, 's> Spoken<'a, 's> {
    pub(super) fn read(names: &'a [String], inquiry: Inquiry<'a, 's>) -> Known<Self> {
        let Inquiry { held, said, facts, gaps, .. } = inquiry;
        let parts = listed_and_going(held, facts, gaps);
        let (absent, mentioned, parts) = (missing::absent(inquiry), in_the_way(said, facts), parts).all()?;
        let (is_unnamed, lists_going) = (mentioned.is_empty(), !parts.is_empty());
        Ok(Self {
            names,
            inquiry,
            troubles: said.iter().filter(|said| said.trouble).collect(),
            absent,
            in_the_way: if is_unnamed { parts } else { mentioned },
            lists_in_the_way: is_unnamed,
            lists_going,
            no_kind: unserved_kind(held, said, facts.discovery()),
        })
    }

    /// The statements and what they name, in words.
    pub(super) fn evidence(&self) -> Vec<Sentence> {
        let listed = self.in_the_way.iter().filter(|_| self.lists_in_the_way).take(2).map(|edge| {
            format!("{} lists {} as its own, which is being deleted", Ref::from(edge.waiting), Ref::from(edge.blocker))
        });
        // The lines of a log are evidence by themselves.
        let told = self.troubles.iter().filter(|said| said.said_in != SaidIn::Log);
        let said = told.take(3).map(|said| format!("{}: {}", Ref::from(said.of), said.text));
        let absent =
            self.absent.iter().take(2).map(|it| format!("{} names {}, which does not exist", it.field, it.what));
        let no_kind = self
            .no_kind
            .iter()
            .map(|it| format!("{} names {}, but no definition serves that kind", it.field, it.full()));
        listed.chain(said).chain(absent).chain(no_kind).map(Into::into).collect()
    }

    /// The first statement that says why, of the controller itself if there is one.
    pub(super) fn telling(&self) -> Option<&'a Statement<'s>> {
        let mut telling = self.troubles.iter().copied().filter(|said| said.tells_why());
        let first = telling.clone().next();
        telling.find(|said| !said.is_hearsay(self.names)).or(first)
    }

    /// The objects that statements about trouble name without their kind. The refusal of a write names the written
    /// object, which is no obstacle.
    pub(super) fn named_without_kind(&self) -> Known<NamedWithoutKind<'s>> {
        let Inquiry { finalizer, held, facts, gaps, .. } = self.inquiry;
        let naming: Vec<&Statement<'s>> =
            self.troubles.iter().copied().filter(|said| !said.message.contains(INVALID)).collect();
        named_without_kind(&naming, finalizer, held, facts, gaps)
    }

    /// Where statements were read whose message passes `test`: of several places, the one that the fewest may write to.
    pub(super) fn place(&self, test: impl Fn(&str) -> bool) -> Option<SaidIn<'s>> {
        self.inquiry.said.iter().filter(|said| test(&said.message)).map(|said| said.said_in).min()
    }

    /// The same of statements about trouble.
    pub(super) fn place_of_trouble(&self, test: impl Fn(&str) -> bool) -> Option<SaidIn<'s>> {
        self.troubles.iter().filter(|said| test(&said.message)).map(|said| said.said_in).min()
    }

    /// The reason `why` with the place of its words. Waiting for another object is no failure, and words may be about
    /// another finalizer.
    pub(super) fn says(&self, why: FoundReason<'s>, place: Option<SaidIn<'s>>) -> FoundReason<'s> {
        let waits = |said: &&Statement<'_>| is_waiting(&said.message) || is_about_use(&said.message);
        let state = match self.troubles.iter().all(waits) {
            _ if self.troubles.is_empty() => why.state,
            true => ControllerState::Alive,
            false => ControllerState::Failing,
        };
        let perhaps = self.troubles.iter().any(|said| said.is_perhaps);
        why.said_in(place).doubtful(perhaps).state(state)
    }
}
