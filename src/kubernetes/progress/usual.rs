//! How long a clean-up may take before it is late.

use crate::knowledge::catalogue;
use jiff::SignedDuration;

/// How long an unknown clean-up usually takes, after the deletion or after its controller's
/// return.
pub(crate) const USUALLY: SignedDuration = SignedDuration::from_mins(1);

/// How long the clean-up of a finalizer may take if nothing is known of its controller.
pub(crate) fn takes(finalizer: &str) -> SignedDuration {
    known(finalizer).map_or(USUALLY, |known| known.max(USUALLY))
}

/// The time that the catalogue gives the clean-up of a finalizer.
pub(crate) fn known(finalizer: &str) -> Option<SignedDuration> {
    Some(SignedDuration::from_mins(catalogue::lookup(finalizer)?.takes?.into()))
}
