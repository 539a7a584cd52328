//! A cluster in which manifests are installed and running: it shows what removing them would do,
//! without a request to any cluster.

mod cluster;
mod custom;
mod status;
mod workloads;

use super::{demo, out};
use crate::diagnosis::preflight;
use crate::failure::Failure;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::read::gather::local_time;
use crate::report::Report;
use crate::survey::{Cascade, Discovery, Purpose, Resource, Survey, answered};
use cluster::Imagined;
use serde_json::Value;

/// Previews the removal of `manifests`. Objects without a namespace are in `namespace`.
///
/// # Errors
/// When they name no object that can be removed, or the preview does not end.
pub fn foresee(manifests: &[Value], namespace: &str, cascade: Cascade) -> Result<Report, Failure> {
    let mut imagined = Imagined::serving(discovery(manifests)?, local_time());
    let targets = imagined.install(manifests, namespace);
    if targets.is_empty() {
        return Err(Failure::unknown("the manifests install nothing that could be removed"));
    }
    imagined.register();
    workloads::start(&mut imagined);
    let created = custom::create(&mut imagined);
    for object in &created {
        out::talk(format!("{object} is an example for each {} that exists then; no cluster was read", object.kind));
    }
    let cluster = imagined.cluster;
    let mut survey = cluster.survey();
    survey.purpose = Purpose::preflight(cascade);
    let asked = |survey: &Survey| {
        let diagnosis = preflight::diagnose(survey, &targets, cascade);
        (diagnosis.report, diagnosis.wants)
    };
    let mut report = answered(&mut survey, |want| cluster.answer(want), asked).ok_or_else(|| {
        Failure::unknown("the forecast did not come to an end").hint("please report it with the manifests")
    })?;
    report.order.iter_mut().for_each(|turn| custom::about_all(turn, &created));
    Ok(report)
}

/// The built-in kinds, as a server of the demo's version serves them, and the kinds that the
/// manifests define.
fn discovery(manifests: &[Value]) -> Result<Discovery, Failure> {
    let recorded = demo::survey()?;
    let is_own = |resource: &&Resource| !is_custom(&resource.id.group);
    let own = recorded.survey().discovery.resources.iter().filter(is_own).cloned();
    let defined = manifests.iter().flat_map(custom::defined);
    Ok(Discovery { resources: own.chain(defined).collect(), stale: Vec::new() })
}
