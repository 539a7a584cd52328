//! The table of installers.

use super::installer::Installer;
use super::{argocd, carvel, crossplane, fleet, flux, helm, instance, kapp, olm, olm_v1};
use crate::survey::{ResourceId, Seen};

/// The installers, those with the most specific marks first: an object that one installer creates through
/// another carries the marks of both.
pub(crate) static INSTALLERS: [Installer; 10] = [
    olm_v1::INSTALLER,
    olm::INSTALLER,
    flux::INSTALLER,
    argocd::INSTALLER,
    fleet::INSTALLER,
    carvel::INSTALLER,
    kapp::INSTALLER,
    crossplane::INSTALLER,
    helm::INSTALLER,
    instance::INSTALLER,
];

/// Whether this word is that of an installer.
pub(crate) fn is_word(word: &str) -> bool {
    INSTALLERS.iter().any(|installer| installer.word == word)
}

/// Whether the objects of a kind are an installer's own objects.
pub(crate) fn is_installers_own(id: &ResourceId) -> bool {
    INSTALLERS.iter().any(|it| it.own.iter().any(|(group, plural)| id.is(group, plural)))
}

/// The installer whose own object this is.
pub(super) fn owner(seen: Seen<'_>) -> Option<&'static Installer> {
    INSTALLERS.iter().find(|installer| installer.is_own(seen))
}
