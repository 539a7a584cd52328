//! Real operators: each state is brought about with the products' own programs, which run under
//! their own manifests on a real control plane. Only the node is a stand-in.
//!
//! The tests are the files `products/PRODUCT/states/STATE.yaml`; `kueue/states/stopped.yaml` is the
//! test `kueue::stopped`. A product that is not built is skipped with a line about it; `-- --build
//! [PRODUCT...]` builds products. With `UNSTICK_RECORD=1`, `docs/operators.md` is written.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

mod answer;
mod node;
mod product;
mod run;
mod state;
mod table;
#[path = "../support"]
mod support {
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod control_plane;
    #[expect(dead_code, reason = "the packaging tests use more of it")]
    pub mod go;
}

use libtest_mimic::{Arguments, Trial};
use product::Product;
use state::State;
use std::process::ExitCode;
use std::sync::Arc;
use support::go::build::NotBuilt;
use support::go::tell;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(place) = words.iter().position(|word| word == "--build") {
        return build(&words[place + 1..]);
    }
    let mut arguments = Arguments::from_args();
    // Each test runs a control plane with an operator, and mostly waits.
    arguments.test_threads = arguments.test_threads.or(Some(2));
    let products: Vec<Arc<Product>> = Product::all().into_iter().map(Arc::new).collect();
    let trials = if let Some(why) = node::missing() {
        tell(&format!("NOT RUN: operators: {why}"));
        Vec::new()
    } else {
        products.iter().flat_map(|product| trials(product, &products)).collect()
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Builds these products, or all, and reports the result for each.
fn build(names: &[String]) -> ExitCode {
    let products = Product::all();
    let known = |name: &String| products.iter().any(|product| product.name == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        tell(&format!("there is no product {unknown}"));
        return ExitCode::from(2);
    }
    let wanted = |product: &&Product| names.is_empty() || names.contains(&product.name);
    let mut code = ExitCode::SUCCESS;
    for product in products.iter().filter(wanted) {
        match product.build() {
            Ok(()) => tell(&format!("{} is built", product.name)),
            // A proxy may serve tomorrow what it refuses today.
            Err(NotBuilt::Refused(refusal)) => tell(&format!("{} is passed over: {refusal}", product.name)),
            Err(NotBuilt::Failed(why)) => {
                tell(&format!("{} is not built: {why}", product.name));
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

/// The tests of a product's states, if this product and the products beside it are built.
fn trials(product: &Arc<Product>, all: &[Arc<Product>]) -> Vec<Trial> {
    if !product.is_built() {
        let how = format!("cargo test --test operators -- --build {}", product.name);
        tell(&format!("NOT RUN: operators: {} is not built: {how}", product.name));
        return Vec::new();
    }
    let mut trials = Vec::new();
    for state in State::all(product) {
        let beside: Vec<Arc<Product>> =
            all.iter().filter(|other| state.beside.contains(&other.name)).cloned().collect();
        if let Some(missing) = beside.iter().find(|other| !other.is_built()) {
            tell(&format!("NOT RUN: operators: {}::{}: {} is not built", product.name, state.name, missing.name));
            continue;
        }
        let products = std::iter::once(product.clone()).chain(beside).collect::<Vec<_>>();
        let name = format!("{}::{}", product.name, state.name).replace('-', "_");
        trials.push(Trial::test(name, move || run::prove(&state, &products).map_err(Into::into)));
    }
    trials
}
