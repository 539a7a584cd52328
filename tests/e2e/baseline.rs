//! The recorded baseline is up to date. `UNSTICK_RECORD=1 cargo test --test e2e baseline` records
//! it again.

use crate::diet;
use crate::support::baseline::{empty_cluster, write};
use crate::support::go::tell;

#[test]
fn the_baseline_is_what_an_empty_cluster_holds() {
    let empty = empty_cluster();
    let version = empty.server.as_deref().expect("a version");
    let file = diet::baseline_file(version);
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        write(&empty);
    } else if !file.exists() {
        tell(&format!("no survey is recorded on {version}: it needs no baseline"));
        return;
    }
    let recorded = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        recorded == diet::baseline_text(&empty),
        "{} is missing or out of date: UNSTICK_RECORD=1 cargo test --test e2e baseline",
        file.display()
    );
}
