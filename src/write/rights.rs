//! The writes of a plan that the caller may not make, according to dry runs before the first question.

use crate::plan::{Write, in_namespace, quote};
use crate::report::Step;
use crate::survey::Reason;
use crate::transport::http::Api;
use crate::transport::in_flight::bounded;
use crate::transport::refusal::Refusal;
use crate::write::apply::{dry_run, reread};

/// For each step, a sentence about the missing right; `None` if none is missing, or if that is unknown.
pub async fn missing(api: &Api, steps: Vec<Step>) -> Vec<Option<String>> {
    let tried = steps.into_iter().enumerate().map(|(place, step)| {
        let api = api.clone();
        async move { (place, try_out(&api, &step).await) }
    });
    let mut missing = bounded(|| api.in_flight(), tried, &|| {}).await;
    missing.sort_by_key(|(place, _)| *place);
    missing.into_iter().map(|(_, missing)| missing).collect()
}

async fn try_out(api: &Api, step: &Step) -> Option<String> {
    let refusal = match reread(api, step).await {
        Ok(Some(now)) => dry_run(api, &step.request(&now.raw, now.at)).await.err(),
        Ok(None) => None,
        Err(refusal) => Some(refusal),
    };
    refusal.filter(is_about_rights).map(|refusal| in_words(step, &refusal))
}

fn is_about_rights(refusal: &Refusal) -> bool {
    refusal.unread().reason == Reason::Forbidden
}

/// A sentence about the missing right. The server's message names the verb, the resource and the
/// user.
fn in_words(step: &Step, refusal: &Refusal) -> String {
    let verb = refusal.message.split_once(" cannot ").and_then(|(_, rest)| rest.split(' ').next()).unwrap_or("patch");
    let object = step.object.kubectl();
    let check = format!("kubectl auth can-i {verb} {}{}", quote(&object), in_namespace(&step.object));
    format!("{}  (check: {check})", refusal.message)
}
