//! The baseline of the recorded surveys: the content of an unused cluster.

use super::control_plane::ControlPlane;
use super::wait::wait_until;
use crate::diet;
use crate::scenario::Scenario;
use kubectl_unstick::read::gather::{Freshness, api_services, begin, gather};
use kubectl_unstick::survey::{Survey, Want};
use kubectl_unstick::transport::Connection;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a new control plane must stay unchanged: it fills up for a while.
const QUIET: Duration = Duration::from_secs(5);

/// Makes sure that there is a baseline for a survey of this version.
pub fn ensure(version: &str) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if !diet::baseline_file(version).exists() {
        let empty = empty_cluster();
        assert_eq!(empty.server.as_deref(), Some(version), "another version has started");
        write(&empty);
    }
}

pub fn write(empty: &Survey) {
    let file = diet::baseline_file(empty.server.as_deref().expect("a version"));
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder for baselines");
    std::fs::write(&file, diet::baseline_text(empty)).expect("the baseline is written");
}

/// The content of a new control plane when it has settled.
pub fn empty_cluster() -> Survey {
    let plane = ControlPlane::start();
    let mut last = None;
    wait_until("a cluster at rest", Duration::from_mins(2), || {
        std::thread::sleep(QUIET);
        let now = Some(diet::baseline_of(&look(&plane)));
        let is_at_rest = now == last;
        last = now;
        is_at_rest
    });
    last.expect("it was looked at")
}

fn look(plane: &ControlPlane) -> Survey {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let connection = Connection { kubeconfig: Some(plane.kubeconfig().into()), ..Connection::default() };
        let api = connection.connect().await.expect("a connection").api;
        let fresh = Freshness::Consistent;
        let mut survey = begin(&api, BTreeSet::from([api_services()]), fresh).await.expect("the server answers");
        gather(&api, wants(), &mut survey, fresh, &|| {}).await;
        survey
    })
}

/// Every list of the whole cluster in a scenario's survey.
fn wants() -> BTreeSet<Want> {
    let files = Scenario::recorded().into_iter().map(|scenario| scenario.survey_file());
    let texts = files.filter_map(|file| std::fs::read_to_string(file).ok());
    texts.flat_map(|text| diet::cluster_wide(&text)).collect()
}
