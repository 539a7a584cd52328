//! Waits for the effect of steps, and shows the reason and the remaining time.

use crate::commands::source::{Diagnosed, Live};
use crate::commands::{interrupt, out};
use crate::facts::since;
use crate::report::{Cause, ControllerState, Finding, Ref, Report, State};
use crate::screen::clean;
use crate::survey::Fact;
use crate::write::existence::drop_gone;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::time::Duration;

/// The interval at which to check whether the targets are gone.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// A shorter wait is not announced.
const MIN_ANNOUNCED: Duration = Duration::from_secs(2);

/// Waits until the targets are gone, for at most `limit`. Returns how long it took.
pub async fn until_gone(live: &Live, diagnosed: &Diagnosed, limit: Duration, what: &str) -> Duration {
    let countdown = Countdown::new(what, limit);
    let mut waited = Duration::ZERO;
    let there = diagnosed.report.targets.iter().filter(|target| target.state != State::Gone);
    let mut left: Vec<&Ref> = there.map(|target| &target.object).collect();
    let wait = async {
        loop {
            drop_gone(&live.connected.api, &mut left).await;
            if left.is_empty() {
                return;
            }
            countdown.show(limit.saturating_sub(waited));
            tokio::time::sleep(LOOK_EVERY).await;
            waited += LOOK_EVERY;
        }
    };
    let in_time = tokio::select! {
        waited = tokio::time::timeout(limit, wait) => waited.is_ok(),
        () = interrupt::pressed() => true,
    };
    if in_time { waited } else { limit }
}

/// How long to wait after steps before surveying again. The namespace controller needs some
/// seconds; other objects disappear at once.
pub fn effect_shows_within(report: &Report) -> Duration {
    let any_namespace = report.targets.iter().any(|target| target.object.kind == "Namespace");
    Duration::from_secs(if any_namespace { 8 } else { 1 })
}

/// How long a normal deletion may take: a minute, plus the longest grace period that is left to a
/// pod among the targets. The namespace controller pauses for at most a minute after an error
/// (kubernetes/kubernetes: `pkg/controller/namespace/namespace_controller.go`).
pub fn usual(diagnosed: &Diagnosed) -> Duration {
    const MINUTE: Duration = Duration::from_mins(1);
    let now = diagnosed.survey.taken_at;
    let pods = diagnosed.report.targets.iter().filter(|target| target.object.kind == "Pod");
    let over = pods.filter_map(|target| {
        let want = target.object.target().want();
        let Some(Fact::Found(pod)) = diagnosed.survey.fact(&want) else { return None };
        Some(since(now, pod.metadata.deletion_timestamp?))
    });
    let longest = over.max().and_then(|left| Duration::try_from(left).ok()).unwrap_or_default();
    MINUTE.saturating_add(longest)
}

/// Whether something is still being deleted normally, with nothing left to decide.
pub fn is_going(report: &Report) -> bool {
    report.targets.iter().any(|target| matches!(target.state, State::Progressing | State::Unknown))
        || report.findings.iter().any(|finding| finding.cause == Cause::NamespaceController)
}

/// A phrase for the controllers or objects that are waited for.
pub fn for_whom(report: &Report, started: &[Ref]) -> String {
    let alive = |finding: &&Finding| {
        finding.controller.as_ref().is_some_and(|controller| controller.state == ControllerState::Alive)
    };
    let going = |finding: &&Finding| matches!(finding.cause, Cause::Progressing | Cause::NamespaceController);
    if let [workload, ..] = started {
        return format!("{workload} to do its clean-up");
    }
    if let Some(finding) = report.findings.iter().find(going) {
        return match (finding.cause, finding.subject.kind.as_str()) {
            (Cause::NamespaceController, _) => {
                format!("the namespace controller to check {} again", spoken(&finding.subject))
            }
            (_, "Namespace") => format!("{} to be empty", spoken(&finding.subject)),
            _ => format!("{} to be deleted", finding.subject),
        };
    }
    let at_work = report.findings.iter().find(alive).and_then(|finding| finding.controller.as_ref()?.workload.as_ref());
    match (at_work, report.targets.iter().any(|target| target.object.kind == "Namespace")) {
        (Some(workload), _) => format!("{workload} to continue"),
        (None, true) => "the namespace controller to check again".into(),
        (None, false) => "the object to be gone".into(),
    }
}

/// `namespace shop`, as in a sentence.
fn spoken(object: &Ref) -> String {
    if object.kind == "Namespace" { format!("namespace {}", object.name) } else { object.to_string() }
}

/// A line that counts down on a terminal until this is dropped, and is printed once elsewhere.
pub struct Countdown(Option<ProgressBar>);

impl Countdown {
    /// Starts to wait for `what`.
    pub fn new(what: &str, limit: Duration) -> Self {
        if limit < MIN_ANNOUNCED {
            return Self(None);
        }
        if !out::can_draw() {
            out::talk(format!("waiting up to {} s for {what}", limit.as_secs()));
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let bar = bar.with_finish(ProgressFinish::AndClear);
        let style = ProgressStyle::with_template("  {prefix} s left  {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_prefix(limit.as_secs().to_string());
        bar.set_message(format!("waiting for {}", clean(what)));
        Self(Some(bar))
    }

    /// Shows how much time is left.
    pub fn show(&self, left: Duration) {
        if let Some(bar) = &self.0 {
            bar.set_prefix(left.as_secs().to_string());
            bar.tick();
        }
    }
}
