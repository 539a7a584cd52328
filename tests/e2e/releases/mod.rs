//! Whole products are removed: the forecast of a release is compared with the result, in the shown
//! order and in the installer's own.

mod forecast;
mod installers;
mod release;
mod removal;

pub use installers::Installer;
pub use release::{Release, State};

use crate::random::Random;
use crate::support::control_plane::ControlPlane;
use crate::support::program::run_script;
use installers::{INSTALLERS, WORDS};
use release::SERVING;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

const STATES: [State; 6] =
    [State::Healthy, State::Foreign, State::AtZero, State::Gone, State::ByItself, State::Orphaned];

/// The shell functions that all scripts use.
const COMMON: &str = r#"
# serve NUMBER CRD: what an operator does while it has a pod and its rights.
serve() {
  local objects
  objects=$(kubectl -n "users$1" get "$2" -o jsonpath='{.items[?(@.metadata.deletionTimestamp)].metadata.name}')
  test -n "$objects" || return 0
  test "$(kubectl -n "ops$1" get deployment "op$1" -o jsonpath='{.spec.replicas}')" = 1 || return 0
  kubectl get clusterrolebinding "ops$1-op$1" || return 0
  for object in $objects; do
    kubectl -n "users$1" patch "$2" "$object" --type=merge -p '{"metadata":{"finalizers":null}}'
  done
}
node worker Ready
backend_mode ok
"#;

/// The script that creates these releases.
pub fn script(some: &[Release]) -> String {
    let is_needed = |installer: &&Installer| some.iter().any(|release| release.installer == **installer);
    let ways: Vec<_> = INSTALLERS.iter().filter(is_needed).map(|installer| installer.way()).collect();
    let words: String = ways.iter().map(|way| way.words()).collect();
    let prepared = at_once(ways.iter().map(|way| way.preparation().to_owned()));
    format!("{WORDS}{words}{COMMON}{prepared}{}", at_once(some.iter().map(Release::script)))
}

/// Runs parts of a script side by side.
fn at_once(parts: impl Iterator<Item = String>) -> String {
    let mut text = "parts=()\n".to_owned();
    for part in parts.filter(|part| !part.is_empty()) {
        let _ = write!(text, "{{\n{part}\n}} &\nparts+=($!)\n");
    }
    format!("{text}for part in \"${{parts[@]}}\"; do wait \"$part\"; done\n")
}

/// The installers in an order that depends on a seed.
fn installers(seed: u64) -> Vec<Installer> {
    let mut all = INSTALLERS.to_vec();
    Random::new(seed).shuffle(&mut all);
    all
}

/// Each of these states with an installer. In each round, each state has another installer, and the
/// two tests use different installers.
fn releases(states: &[State], first: usize, count: usize, seed: u64) -> Vec<Release> {
    let installers = installers(seed);
    let release = |number: usize| {
        let (state, round) = (number % states.len(), number / states.len());
        let installer = installers[(first + state + 3 * round) % installers.len()];
        // Without its own objects, nothing names a package of Crossplane.
        let is_possible = installer != Installer::Crossplane || states[state] != State::Orphaned;
        Release { number, state: if is_possible { states[state] } else { State::Foreign }, installer }
    };
    (0..count).map(release).collect()
}

fn number_from(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn releases_are_removed_in_the_shown_order() {
    try_all(&STATES, 0);
}

#[test]
fn registrations_are_removed_before_their_backends() {
    try_all(&SERVING, STATES.len());
}

#[test]
fn every_installer_is_tried() {
    let both = [releases(&STATES, 0, STATES.len(), 1), releases(&SERVING, STATES.len(), SERVING.len(), 1)];
    let met = |installer: &Installer| both.iter().flatten().any(|release| release.installer == *installer);
    assert!(INSTALLERS.iter().all(met));
}

fn try_all(states: &[State], first: usize) {
    let usual = u64::try_from(states.len()).expect("a number");
    let count = usize::try_from(number_from("UNSTICK_STATES", usual)).expect("a number");
    let all = releases(states, first, count, number_from("UNSTICK_SEED", 1));
    let mut wrong = Vec::new();
    for some in all.chunks(states.len()) {
        let plane = ControlPlane::start();
        let path = plane.dir().join("releases.sh");
        std::fs::write(&path, script(some)).expect("the script is written");
        let _background = run_script(&path, &plane);
        let before = removal::everything(some, &plane);
        let tried = thread::scope(|scope| {
            let foreseen: Vec<_> =
                some.iter().map(|release| attempt(release, || forecast::look_at(release, &plane))).collect();
            let happens = some.iter().zip(foreseen).map(|(release, foreseen)| {
                let plane = &plane;
                scope.spawn(move || foreseen && attempt(release, || removal::take_out(release, plane)))
            });
            let happens: Vec<_> = happens.collect();
            happens.into_iter().map(|thread| thread.join().expect("it ends")).collect::<Vec<bool>>()
        });
        removal::nothing_else_is_gone(some, &before, &plane);
        wrong.extend(some.iter().zip(tried).filter(|(_, right)| !right).map(|(release, _)| release));
    }
    assert!(wrong.is_empty(), "{} of {} are wrong: {wrong:?}", wrong.len(), all.len());
}

/// Whether a release is as it should be. If not, the others are still tried.
#[expect(clippy::print_stdout, reason = "what was tried is shown with the failure, and to whoever counts")]
fn attempt(release: &Release, what: impl FnOnce()) -> bool {
    let tried = catch_unwind(AssertUnwindSafe(what));
    let right = tried.is_ok();
    println!("{:?} {:?}: {}", release.installer, release.state, if right { "right" } else { "wrong" });
    right
}
