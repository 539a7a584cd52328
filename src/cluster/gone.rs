//! Whether objects are gone from the store, many of them at a time.

use super::apply::is_gone;
use super::at_once::{TOGETHER, at_once};
use super::http::Api;
use crate::report::Ref;
use crate::survey::{TargetName, Unread};

/// Whether each of these is gone, by consistent reads, [`TOGETHER`] at a time.
pub async fn are_gone(api: &Api, targets: &[(TargetName, String)]) -> Vec<Result<bool, Unread>> {
    let mut answers = Vec::with_capacity(targets.len());
    for some in targets.chunks(TOGETHER) {
        answers.extend(at_once(some.iter().map(|(target, uid)| is_gone(api, target, uid))).await);
    }
    answers
}

/// Takes those off `objects` that are gone, from the end on, up to the first that are
/// there: as long as one is, the others need not be asked for.
pub async fn take_off_gone(api: &Api, objects: &mut Vec<&Ref>) {
    // Mostly it is the same one that is there still: it is asked for alone.
    let mut some = 1;
    while !objects.is_empty() {
        let asked = objects.split_off(objects.len().saturating_sub(some));
        let targets: Vec<_> = asked.iter().map(|object| (object.target(), object.uid.clone())).collect();
        let answers = are_gone(api, &targets).await;
        let there = asked.into_iter().zip(answers).filter(|(_, gone)| *gone != Ok(true)).map(|(object, _)| object);
        let before = objects.len();
        objects.extend(there);
        if objects.len() > before {
            return;
        }
        some = TOGETHER;
    }
}

/// Those of `objects` that are there, or cannot be read.
pub async fn that_are_there<'r>(api: &Api, objects: &[&'r Ref]) -> Vec<&'r Ref> {
    let targets: Vec<_> = objects.iter().map(|object| (object.target(), object.uid.clone())).collect();
    let answers = are_gone(api, &targets).await;
    objects.iter().zip(answers).filter(|(_, gone)| *gone != Ok(true)).map(|(object, _)| *object).collect()
}
