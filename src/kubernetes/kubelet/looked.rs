//! All that is known of a node whose kubelet is waited for.

use crate::facts::{All, Facts, Known, Readable};
use crate::kubernetes::kubelet::certificates::{CertificateRequest, not_granted};
use crate::kubernetes::kubelet::nature::Nature;
use crate::kubernetes::kubelet::virtual_kubelet::{VirtualKubelet, virtual_kubelet};
use crate::kubernetes::kubelet::{SignOfLife, heard};
use crate::survey::Object;

/// What is known of a node.
#[derive(Debug)]
pub(crate) struct Looked<'s> {
    /// When its kubelet was heard of last.
    pub(crate) heard: Option<SignOfLife>,
    pub(crate) nature: Nature<'s>,
    /// Its kubelet, where that is a workload.
    pub(crate) kubelet: Option<VirtualKubelet<'s>>,
    /// Certificates that its kubelet has asked for in vain.
    pub(crate) requests: Vec<CertificateRequest>,
}

impl<'s> Looked<'s> {
    /// Looks at `node`.
    ///
    /// # Errors
    /// When something was not surveyed yet.
    pub(crate) fn at(node: &Object, facts: &Facts<'s>) -> Known<Self> {
        let heard = heard(node.name(), facts).if_readable();
        let (heard, nature, requests) = (heard, Nature::of(node, facts), not_granted(node.name(), facts)).all()?;
        let heard = heard.flatten();
        let kubelet = virtual_kubelet(node, &nature, heard.as_ref(), facts)?;
        Ok(Self { heard, nature, kubelet, requests })
    }
}
