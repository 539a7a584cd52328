//! Small clusters in memory: what the engine and the rules make of them.

mod admission;
mod controllers;
mod forecasts;
mod foreseen;
mod growth;
mod scans;
mod stale_words;
mod worlds;

use crate::survey::{Fact, Object};
use serde_json::json;

/// `APIService`s that name no Service: the API server itself answers for these.
fn served_by_the_server(names: &[&str]) -> Fact {
    let api = |name: &&str| Object::single(json!({"metadata": {"name": name, "uid": name}})).unwrap();
    Fact::Listed(names.iter().map(api).collect())
}
