//! Checks whether objects are gone from the store, for many at a time.

use crate::report::Ref;
use crate::survey::{TargetName, Unread};
use crate::transport::at_once::{AT_ONCE, at_once};
use crate::transport::http::Api;
use crate::write::apply::is_gone;

/// Whether each object is gone, by consistent reads, [`AT_ONCE`] at a time.
pub async fn are_gone(api: &Api, targets: &[(TargetName, String)]) -> Vec<Result<bool, Unread>> {
    let mut answers = Vec::with_capacity(targets.len());
    for some in targets.chunks(AT_ONCE) {
        answers.extend(at_once(some.iter().map(|(target, uid)| is_gone(api, target, uid))).await);
    }
    answers
}

/// Removes objects that are gone from the end of `objects`, up to the first that still exists:
/// while one exists, the others need not be read.
pub(crate) async fn drop_gone(api: &Api, objects: &mut Vec<&Ref>) {
    // Usually the last object still exists, so it is read alone first.
    let mut some = 1;
    while !objects.is_empty() {
        let last = objects.split_off(objects.len().saturating_sub(some));
        let there = still_there(api, &last).await;
        if !there.is_empty() {
            objects.extend(there);
            return;
        }
        some = AT_ONCE;
    }
}

/// The `objects` that exist or cannot be read.
pub(crate) async fn still_there<'r>(api: &Api, objects: &[&'r Ref]) -> Vec<&'r Ref> {
    let targets: Vec<_> = objects.iter().map(|object| (object.target(), object.uid.clone())).collect();
    let answers = are_gone(api, &targets).await;
    objects.iter().zip(answers).filter(|(_, gone)| *gone != Ok(true)).map(|(object, _)| *object).collect()
}
