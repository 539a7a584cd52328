//! The reason in what was said about held objects.

use crate::facts::{Known, each};
use crate::kubernetes::mentions::UnservedKind;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::missing::Absent;
use crate::reasons::found_reason::FoundReason;
use crate::reasons::questions::Questions;
use crate::reasons::spoken::Spoken;
use crate::report::Sentence;

/// The reason that was said, and what the further questions need.
pub(super) struct SaidReason<'s> {
    pub(super) why: Option<FoundReason<'s>>,
    pub(super) evidence: Vec<Sentence>,
    pub(super) absent: Vec<Absent>,
    pub(super) no_kind: Option<UnservedKind>,
}

/// The reason in the statements of `inquiry`.
pub(super) fn reason_in<'s>(
    names: &[String],
    inquiry: Inquiry<'_, 's>,
    questions: &Questions,
) -> Known<SaidReason<'s>> {
    let spoken = Spoken::read(names, inquiry)?;
    let mut why = None;
    for row in questions.words {
        if why.is_none() {
            why = each(*row, |ask| ask(&spoken))?.into_iter().flatten().next();
        }
    }
    Ok(SaidReason { why, evidence: spoken.evidence(), absent: spoken.absent, no_kind: spoken.no_kind })
}
