//! The removal of a release.

use super::installers::Definition;
use super::release::{Part, Release, State};
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use std::collections::BTreeSet;
use std::process::Output;
use std::thread;
use std::time::Duration;

fn is_there(plane: &ControlPlane, words: &str) -> bool {
    let words: Vec<&str> = ["get", "--ignore-not-found", "-o", "name"].into_iter().chain(words.split(' ')).collect();
    !plane.kubectl(&words).stdout.is_empty()
}

/// Removes a release, in the shown order if that helps, otherwise as its installer does.
pub fn take_out(release: &Release, plane: &ControlPlane) {
    if release.is_avoidable() && release.state != State::ByItself {
        delete_in_order(release, plane);
        return;
    }
    if !release.is_avoidable() {
        let refused = delete(release, plane);
        assert_ne!(refused.status.code(), Some(0), "{release:?}: {}", stderr(&refused));
        for member in release.members().into_iter().chain(release.own()).chain([gear(release)]) {
            assert!(is_there(plane, &member), "{member} was not deleted: {release:?}: {}", stderr(&refused));
        }
    }
    delete_by_its_own_order(release, plane);
}

/// Its object.
fn gear(release: &Release) -> String {
    format!("{}/one -n {}", release.crd(), release.users())
}

/// How often to retry if something could not be read.
const TIMES: usize = 3;

/// Deletes it in the shown order. A busy server may not answer in time; another run continues from
/// the state of the cluster.
fn delete(release: &Release, plane: &ControlPlane) -> Output {
    let (_, name, _) = release.installer.way().asked(release);
    let confirm = format!("{name},{}", release.crd());
    let mut command = unstick(plane);
    command.args(release.words()).args(["--delete", "--approve", "loses-data", "--confirm", &confirm]);
    let mut run = || command.output().expect("it runs");
    let mut output = run();
    for _ in 1..TIMES {
        if output.status.code() != Some(2) {
            break;
        }
        thread::sleep(Duration::from_secs(5));
        output = run();
    }
    output
}

fn delete_in_order(release: &Release, plane: &ControlPlane) {
    let output = delete(release, plane);
    let said = format!("{release:?}: {}{}", stdout(&output), stderr(&output));
    // Another run may find that nothing is left.
    let is_gone = stderr(&output).contains("not found: no object's labels");
    assert!(output.status.code() == Some(0) || is_gone, "{said}");
    assert!(!is_there(plane, &gear(release)), "{said}");
    let way = release.installer.way();
    let is_kept = way.definition(release) == Definition::Kept;
    // A registration goes before its backend, whoever has made it.
    let registers = |part: &Part| release.registrations().iter().any(|it| it.words() == part.words());
    let is_kept =
        |part: &Part| (is_kept && part.kind == "CustomResourceDefinition") || (!way.takes(part) && !registers(part));
    let parts = release.parts().into_iter().chain(release.registrations());
    let (keeps, goes): (Vec<Part>, Vec<Part>) = parts.partition(is_kept);
    let goes = goes.iter().map(Part::words).chain(release.own()).chain(way.along(release));
    // The garbage collector may come after the objects that the program waits for.
    for object in goes {
        wait_until(&format!("{object} is gone: {said}"), Duration::from_secs(30), || !is_there(plane, &object));
    }
    assert!(keeps.iter().all(|part| is_there(plane, &part.words())), "{said}");
}

/// Deletes everything at once, as installers do, and checks what hangs.
fn delete_by_its_own_order(release: &Release, plane: &ControlPlane) {
    let mut all = release.own();
    if all.is_empty() {
        all = release.members();
        all.sort_by_key(|member| member.contains(&release.crd()));
    }
    for object in all {
        let words: Vec<&str> = ["delete", "--wait=false"].into_iter().chain(object.split(' ')).collect();
        plane.kubectl_ok(&words);
    }
    let gear = gear(release);
    let words: Vec<&str> = gear.split(' ').collect();
    if release.installer.way().definition(release) != Definition::Goes {
        let goes = |part: &Part| part.kind != "CustomResourceDefinition" && is_there(plane, &part.words());
        wait_until("its installer has removed it", Duration::from_mins(1), || !release.parts().iter().any(goes));
        plane.kubectl_ok(&[&["delete", "--wait=false"], &words[..]].concat());
    }
    let asked = [&["get"], &words[..], &["-o", "jsonpath={.metadata.deletionTimestamp}"]].concat();
    wait_until("its object is asked to go", Duration::from_mins(1), || !plane.kubectl(&asked).stdout.is_empty());
    // Longer than its operator would take.
    thread::sleep(Duration::from_secs(6));
    assert!(is_there(plane, &gear), "it hangs, as was foreseen: {release:?}");
}

/// All objects except pods and their helpers, by kind, namespace and name.
pub fn everything(some: &[Release], plane: &ControlPlane) -> BTreeSet<[String; 3]> {
    let mut kinds = vec![
        "namespaces,configmaps,serviceaccounts,services,deployments,clusterroles,clusterrolebindings,crds".to_owned(),
        "validatingwebhookconfigurations,apiservices".to_owned(),
    ];
    let own = some.iter().flat_map(|release| release.installer.way().own(release).into_iter());
    let own = own.chain(some.iter().flat_map(|release| release.installer.way().along(release)));
    kinds.extend(own.filter_map(|object| object.split('/').next().map(str::to_owned)));
    let format = "jsonpath={range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name} {end}";
    let text = plane.kubectl_ok(&["get", &kinds.join(","), "-A", "-o", format]);
    let parts = text.split_whitespace().filter_map(|object| {
        let parts: Vec<String> = object.splitn(3, '/').map(str::to_owned).collect();
        parts.try_into().ok()
    });
    parts.collect()
}

/// Whether an object is deleted with a release.
fn goes_with([kind, namespace, name]: &[String; 3], release: &Release) -> bool {
    let is_part = |part: &Part| part.kind == kind && part.namespace == *namespace && part.name == *name;
    let way = release.installer.way();
    let is_own = |own: &String| {
        let mut words = own.split([' ', '/']);
        let (plural, called) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        plural.starts_with(&kind.to_lowercase()) && called == name && own.ends_with(namespace.as_str())
    };
    // The API of a definition disappears with it.
    let of_definition = kind == "APIService" && *name == format!("v1.kind{}.example", release.number);
    release.parts().iter().chain(&release.registrations()).any(is_part)
        || way.own(release).iter().chain(&way.along(release)).any(is_own)
        || of_definition
}

/// Checks that only objects of these releases were deleted.
pub fn nothing_else_is_gone(some: &[Release], before: &BTreeSet<[String; 3]>, plane: &ControlPlane) {
    let after = everything(some, plane);
    let others = before.difference(&after).filter(|object| !some.iter().any(|release| goes_with(object, release)));
    let others: Vec<_> = others.collect();
    assert!(others.is_empty(), "{some:?}: {others:?}");
}
