//! Advice that several reasons give.

use super::case::Case;
use crate::facts::since;
use crate::findings::removal::read_log;
use crate::findings::trigger::wake;
use crate::kubernetes::messages::demand::Demand;
use crate::plan::{full_name, in_namespace, quote};
use crate::plugin::COMMAND;
use crate::report::{ControllerState, Ref, Remedy, Sentence};

/// The command that shows an object and its events.
pub(super) fn look_at(object: &Ref) -> String {
    format!("kubectl describe {}", full_name(object))
}

/// The command that shows how an object changes.
pub(super) fn watch(object: &Ref) -> String {
    let full = object.kubectl();
    let resource = full.split_once('/').map_or(full.as_str(), |(resource, _)| resource);
    format!("kubectl get {}{} --watch", quote(resource), in_namespace(object))
}

/// The wait for the end of the usual time, if that is not over.
pub(super) fn wait(case: &Case<'_, '_>) -> Option<Remedy> {
    let usual = case.usual?;
    Some(Remedy::command(format!("wait until {}", usual.end()), watch(case.first()), "nothing is lost"))
}

/// The remedy before a deletion if `message` about `of` gives the reason.
pub(super) fn fix_before(message: &str, of: &Ref) -> Remedy {
    let asked = Demand::by(message);
    let named = if asked.gives_power() { "" } else { message };
    Remedy::manual(
        Sentence::from("before you delete, ").then(asked.title("its controller", of, named)),
        "nothing is lost",
    )
}

/// The remedy before a deletion if an object that belongs to it is late already.
pub(super) fn find_out_first(late: &Ref) -> Remedy {
    let title = "find out first why it is not gone";
    Remedy::command(title, format_args!("{COMMAND} {}", full_name(late)), "nothing is changed")
}

/// How a line goes on after the name of a controller that ignores the object.
pub(super) fn stands(case: &Case<'_, '_>) -> &'static str {
    if case.found.controller.state == ControllerState::Down { " is not running, and " } else { " runs, but " }
}

/// A title with the command for the workload, if that is known.
pub(super) fn on_workload(case: &Case<'_, '_>, title: String, verb: &str, flags: &str) -> Sentence {
    match case.workload() {
        Some(workload) => Sentence::from(title).by(format_args!("kubectl {verb} {}{flags}", full_name(workload))),
        None => title.into(),
    }
}

/// The remedies for a controller that runs and gives no reason: its log may contain one, or it may check the
/// object again only after a change. If all its pods began after the deletion, a restart does not help.
pub(super) fn ask_it(case: &Case<'_, '_>) -> Vec<Remedy> {
    let object = case.first();
    let Some(workload) = case.workload() else {
        let title = format!("check what its controller logs about {object}, where it runs");
        return vec![Remedy::manual(title, "nothing is changed"), wake(object)];
    };
    let asked = case.objects.iter().filter_map(|seen| seen.object.deletion_asked()).min();
    // An agent works for its own node, so only that pod has anything to say.
    let log = read_log(
        case.found.pod.as_ref().unwrap_or(workload),
        object,
        asked.map(|asked| since(asked, case.facts.now())),
    );
    // A log that was read and says nothing is not the first thing to look at.
    if case.found.began_later || case.found.log_is_read {
        let restart = restart(workload).filter(|_| !case.found.began_later);
        return [wake(object)].into_iter().chain(restart).chain([log]).collect();
    }
    [log, wake(object)].into_iter().chain(restart(workload)).collect()
}

/// The remedy to restart a workload.
fn restart(workload: &Ref) -> Option<Remedy> {
    (workload.resource != "pods").then(|| {
        Remedy::command(
            format!("restart {workload}: it then checks everything again"),
            format_args!("kubectl rollout restart {}", full_name(workload)),
            "its work stops for a moment",
        )
    })
}

/// The same remedies, or the wait for the end of the usual time.
pub(super) fn wait_or_ask(case: &Case<'_, '_>) -> Vec<Remedy> {
    wait(case).map_or_else(|| ask_it(case), |wait| vec![wait])
}
