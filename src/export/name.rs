//! `-o name`: the stuck objects, for `xargs`.

use crate::report::{Ref, Report, State};
use crate::screen::{Shown, clean};
use std::collections::HashSet;
use std::fmt::Write;

/// The targets that are, or would get, stuck, one per line as in `kubectl get -o name`; without
/// targets, the objects of the causes.
pub fn names(report: &Report) -> Shown {
    let is_stuck = |state: State| matches!(state, State::Stuck | State::WouldHang);
    let targets = report.targets.iter().filter(|target| is_stuck(target.state)).map(|target| &target.object);
    let listed = report.findings.iter().filter(|it| it.is_root_cause() && it.blocks.is_empty());
    let mut known = HashSet::new();
    let mut text = String::new();
    for object in targets.chain(listed.flat_map(|finding| &finding.objects)).filter(|object| known.insert(*object)) {
        let _ = writeln!(text, "{}", clean(&name(object)));
    }
    Shown::finished(text)
}

/// The kind in lower case, its group and the name. Like kubectl, it omits the namespace
/// (`NamePrinter` in k8s.io/cli-runtime).
fn name(object: &Ref) -> String {
    let kind = object.kind.to_lowercase();
    match object.api_version.split_once('/') {
        Some((group, _)) => format!("{kind}.{group}/{}", object.name),
        None => format!("{kind}/{}", object.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;
    use crate::screen::hostile;

    #[test]
    fn an_object_is_named_as_kubectl_names_it() {
        let object = |api_version: &str, kind: &str| {
            Ref::from(Named {
                api_version: api_version.into(),
                kind: kind.into(),
                name: "web".into(),
                namespace: Some("shop".into()),
                ..Named::default()
            })
        };
        assert_eq!(name(&object("v1", "Pod")), "pod/web");
        assert_eq!(name(&object("apps/v1", "ReplicaSet")), "replicaset.apps/web");
    }

    #[test]
    fn each_stuck_object_is_one_clean_line() {
        let mut report = hostile::report();
        report.targets.push(report.targets[0].clone());
        hostile::is_clean(&names(&report));
        assert_eq!(names(&report).lines().count(), 1);
        report.targets.iter_mut().for_each(|target| target.state = State::Progressing);
        assert_eq!(names(&report), "");
    }
}
