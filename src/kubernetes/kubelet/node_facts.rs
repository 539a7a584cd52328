//! The facts about a node whose kubelet is waited for.

use crate::facts::{All, Facts, Known, Readable};
use crate::kubernetes::kubelet::certificates::{CertificateRequest, not_granted};
use crate::kubernetes::kubelet::nature::Nature;
use crate::kubernetes::kubelet::virtual_kubelet::{VirtualKubelet, virtual_kubelet};
use crate::kubernetes::kubelet::{SignOfLife, heard};
use crate::survey::Object;

/// The facts about a node.
#[derive(Debug)]
pub(crate) struct NodeFacts<'s> {
    /// The last sign of life of its kubelet.
    pub(crate) heard: Option<SignOfLife>,
    pub(crate) nature: Nature<'s>,
    /// Its kubelet, if that is a workload.
    pub(crate) kubelet: Option<VirtualKubelet<'s>>,
    /// Certificates that its kubelet has requested and not received.
    pub(crate) requests: Vec<CertificateRequest>,
}

impl<'s> NodeFacts<'s> {
    /// Reads the facts about `node`.
    pub(crate) fn at(node: &Object, facts: &Facts<'s>) -> Known<Self> {
        let heard = heard(node.name(), facts).if_readable();
        let (heard, nature, requests) = (heard, Nature::of(node, facts), not_granted(node.name(), facts)).all()?;
        let heard = heard.flatten();
        let kubelet = virtual_kubelet(node, &nature, heard.as_ref(), facts)?;
        Ok(Self { heard, nature, kubelet, requests })
    }
}
