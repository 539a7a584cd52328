//! Every scenario, live: created on a control plane of its own, diagnosed by the real program,
//! released if possible, and checked from outside.
//!
//! `UNSTICK_RECORD=1` records the surveys of the recorded tests again.

use crate::baseline;
use crate::diet;
use crate::reader;
use crate::scenario::Scenario;
use crate::support::control_plane::ControlPlane;
use crate::support::go::{control_plane, kubernetes, tell};
use crate::support::wait::wait_until;
use kubectl_unstick::survey::file;
use serde_json::Value;
use std::path::Path;
use std::process::{ChildStdin, Command, Output, Stdio};
use std::time::Duration;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");

/// Creates the scenario's state. What `make.sh` leaves running in the background ends when the
/// returned pipe is dropped.
#[must_use]
pub fn make(scenario: &Scenario, plane: &ControlPlane) -> ChildStdin {
    run_script(&scenario.dir.join("make.sh"), plane)
}

/// Runs a script with the functions of `tests/scenarios/lib.sh`. What it leaves running in the
/// background ends when the returned pipe is dropped.
#[must_use]
pub fn run_script(path: &Path, plane: &ControlPlane) -> ChildStdin {
    let script = format!(
        "set -eu\nexec 3<&0 </dev/null\n. '{}'\n. '{}'\n. '{}'\n",
        plane.dir().join("env").display(),
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/lib.sh").display(),
        path.display()
    );
    let mut child = plane
        .command("bash")
        .arg("-c")
        .arg(script)
        .env("PLANE", plane.dir())
        .env("CONTROL_PLANE", control_plane())
        .env("ALONE", if plane.is_alone() { "yes" } else { "" })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash runs");
    let stdin = child.stdin.take().expect("stdin is a pipe");
    let output = child.wait_with_output().expect("bash ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} failed: {said}", path.display());
    stdin
}

/// A run of the program that keeps its journal with the control plane.
pub fn unstick(plane: &ControlPlane) -> Command {
    let mut command = plane.command(PROGRAM);
    command.env("XDG_STATE_HOME", plane.dir().join("state")).stdin(Stdio::null());
    command
}

/// The stdout of a run.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The stderr of a run.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The whole life of a scenario.
fn prove(name: &str) {
    let scenario = Scenario::named(name);
    let minor = kubernetes().split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    if minor < Some(scenario.since()) {
        tell(&format!("{name}: not on Kubernetes {}, whose servers behave otherwise", kubernetes()));
        return;
    }
    let plane = if scenario.alone() { ControlPlane::alone() } else { ControlPlane::start() };
    let is_recorded = std::env::var_os("UNSTICK_RECORD").is_some();
    // A scenario that is about somebody's rights names them itself.
    let reader = !is_recorded && !scenario.ask().iter().any(|word| word.starts_with("--as"));
    if reader {
        reader::install(&scenario, &plane);
    }
    let _background = make(&scenario, &plane);
    if is_recorded {
        record(&scenario, &plane);
    }
    let output = unstick(&plane).args(scenario.ask()).args(["-o", "json"]).output().expect("the program runs");
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{name}: {error}: {}", stderr(&output)));
    scenario.check(&report);
    assert_eq!(output.status.code(), Some(scenario.exit()), "{name}: {}", stderr(&output));
    if reader {
        reader::look(&scenario, &plane);
    }
    match scenario.approve() {
        Some(risk) => release(&scenario, &plane, risk, &report),
        None => stop(&scenario, &plane, &report),
    }
}

/// A plan with everything approved.
fn approve(scenario: &Scenario, plane: &ControlPlane, risk: &str, before: &Value) -> Command {
    let mut command = unstick(plane);
    command.args(scenario.ask()).args(["--approve", risk]);
    if risk == "loses-data" {
        let targets = before["targets"].as_array().expect("targets").iter();
        // By type as well: objects of several types may share a name.
        let qualified = |object: &Value| match text(&object["apiVersion"]).split_once('/') {
            Some((group, _)) => format!("{}.{group}/{}", text(&object["resource"]), text(&object["name"])),
            None => text(&object["name"]),
        };
        command.args(targets.map(|target| format!("--confirm={}", qualified(&target["object"]))));
    }
    command
}

/// If the API cannot repair the state, the whole plan still ends, says what is left, and writes
/// nothing that is not on record.
fn stop(scenario: &Scenario, plane: &ControlPlane, before: &Value) {
    let name = &scenario.name;
    let risk = if before["targets"].as_array().is_some_and(Vec::is_empty) { "leaks" } else { "loses-data" };
    let output = approve(scenario, plane, risk, before).args(["--timeout", "10s"]).output().expect("the program runs");
    let said = format!("{name}: {}{}", stdout(&output), stderr(&output));
    let targets = before["targets"].as_array().expect("targets");
    let held = targets.iter().any(|target| target["state"] == "Stuck");
    // If something else waited behind the cause, it gets time: a slow machine may still see it
    // released.
    let may_go = scenario.layers() > 1;
    assert!(
        may_go || !held || !targets.iter().all(|target| is_gone(plane, target)),
        "it can be released: say so with `approve`: {said}"
    );
    let folder = plane.dir().join("state/kubectl-unstick");
    let journalled = if folder.exists() { journalled_writes(plane) } else { Vec::new() };
    let code = output.status.code().expect("an exit code");
    // A repair gives a controller time; until then the target is no longer stuck.
    let is_mended = code == 0 && !journalled.is_empty();
    let is_told = code == 3 && scenario.exit() == 1;
    assert!(code == scenario.exit() || is_told || is_mended, "exit code {code}: {said}");
    assert_eq!(journalled, audited_writes(plane), "{name}: the journal and the server disagree");
}

fn is_gone(plane: &ControlPlane, target: &Value) -> bool {
    let object = &target["object"];
    let (resource, name, namespace) = (text(&object["resource"]), text(&object["name"]), text(&object["namespace"]));
    let mut arguments = vec!["get", &resource, &name, "--ignore-not-found", "-o", "name"];
    if !namespace.is_empty() {
        arguments.extend(["-n", &namespace]);
    }
    let output = plane.kubectl(&arguments);
    output.status.success() && output.stdout.is_empty()
}

fn record(scenario: &Scenario, plane: &ControlPlane) {
    let output = unstick(plane).arg("survey").args(scenario.ask()).output().expect("the program runs");
    assert!(output.status.success(), "{}: {}", scenario.name, stderr(&output));
    let whole = file::read(&stdout(&output)).expect("a survey");
    let text = if scenario.stands_alone() {
        diet::alone(&whole)
    } else {
        baseline::ensure(whole.server.as_deref().expect("a version"));
        diet::thinned(&whole)
    };
    std::fs::write(scenario.survey_file(), text).expect("the survey is written");
}

/// Applies the plan and looks from the outside: the targets are gone, nothing is
/// stranded in the store, and every write is on record.
fn release(scenario: &Scenario, plane: &ControlPlane, risk: &str, before: &Value) {
    let name = &scenario.name;
    let run = || approve(scenario, plane, risk, before).args(["--timeout", "2m"]).output().expect("the program runs");
    let mut output = run();
    // Another run agrees to the steps that came to light behind the first ones.
    for _ in 1..scenario.layers().max(2) {
        if output.status.code() == Some(3) && stderr(&output).contains("the first report did not name it") {
            output = run();
        }
    }
    assert_eq!(output.status.code(), Some(0), "{name}: {}{}", stdout(&output), stderr(&output));
    let targets = before["targets"].as_array().expect("targets").iter();
    for target in targets.filter(|target| target["state"] != "NotDeleting") {
        // The target must also be gone if a controller waits before it tries again: the API
        // server's one for definitions doubles its pause after each failure.
        wait_until(&format!("{name}: its target is gone"), Duration::from_mins(3), || is_gone(plane, target));
        let (resource, object_name) = (text(&target["object"]["resource"]), text(&target["object"]["name"]));
        if resource == "namespaces" {
            let stranded: Vec<String> = plane
                .etcd_keys("/registry/")
                .into_iter()
                .filter(|key| key.contains(&format!("/{object_name}/")))
                .collect();
            assert!(stranded.is_empty(), "{name}: stranded {stranded:?}");
        }
    }
    assert_eq!(journalled_writes(plane), audited_writes(plane), "{name}: the journal and the server disagree");
}

/// The writes that the journal holds: method and path.
pub fn journalled_writes(plane: &ControlPlane) -> Vec<String> {
    let folder = plane.dir().join("state/kubectl-unstick");
    let mut writes = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a journal") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a journal file");
        let records = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record"));
        writes.extend(records.filter(|record| record["record"] == "intend").map(|record| {
            format!("{} {}", text_of(&record["request"]["method"]), text_of(&record["request"]["path"]))
        }));
    }
    writes.sort();
    writes
}

/// The writes that the server saw from this program, dry runs apart.
pub fn audited_writes(plane: &ControlPlane) -> Vec<String> {
    let mut writes: Vec<String> = plane
        .audit_requests()
        .into_iter()
        .filter(|event| event.user_agent.starts_with("kubectl-unstick/") && !event.uri.contains("dryRun=All"))
        // Asks who writes, and changes nothing.
        .filter(|event| !event.uri.contains("/selfsubjectreviews"))
        .filter_map(|event| {
            let method = match event.verb.as_str() {
                "get" | "list" | "watch" => return None,
                "patch" => "PATCH",
                "create" => "POST",
                "delete" => "DELETE",
                _ => "PUT",
            };
            Some(format!("{method} {}", event.uri))
        })
        .collect();
    writes.sort();
    writes
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn text_of(value: &Value) -> String {
    text(value)
}

/// A test for each scenario, and one that none is forgotten.
macro_rules! scenarios {
    ($($test:ident = $name:literal,)*) => {
        $(#[test] fn $test() { prove($name); })*

        #[test]
        fn no_scenario_is_forgotten() {
            let mut listed = vec![$($name.to_owned()),*];
            listed.sort();
            let found: Vec<String> = Scenario::all().into_iter().map(|scenario| scenario.name).collect();
            assert_eq!(found, listed);
        }
    };
}

scenarios! {
    aggregated_api_fails = "aggregated-api-fails",
    aggregated_api_fails_and_a_finalizer = "aggregated-api-fails--and-a-finalizer",
    aggregated_api_fails_behind_a_service = "aggregated-api-fails--behind-a-service",
    aggregated_api_fails_ghosts = "aggregated-api-fails--ghosts",
    aggregated_api_fails_never_answers = "aggregated-api-fails--never-answers",
    aggregated_api_fails_web_page = "aggregated-api-fails--web-page",
    apiservice_unavailable = "apiservice-unavailable",
    apiservice_unavailable_certificate = "apiservice-unavailable--certificate",
    apiservice_unavailable_crash_looping = "apiservice-unavailable--crash-looping",
    apiservice_unavailable_in_the_namespace = "apiservice-unavailable--in-the-namespace",
    apiservice_unavailable_needs_repair = "apiservice-unavailable--needs-repair",
    apiservice_unavailable_no_answer = "apiservice-unavailable--no-answer",
    apiservice_unavailable_no_route = "apiservice-unavailable--no-route",
    apiservice_unavailable_node_not_ready = "apiservice-unavailable--node-not-ready",
    apiservice_unavailable_not_in_the_way = "apiservice-unavailable--not-in-the-way",
    apiservice_unavailable_one_backend = "apiservice-unavailable--one-backend",
    apiservice_unavailable_scaled_to_zero = "apiservice-unavailable--scaled-to-zero",
    apiservice_unavailable_service_deleted = "apiservice-unavailable--service-deleted",
    apiservice_unavailable_wrong_port = "apiservice-unavailable--wrong-port",
    claim_in_use = "claim-in-use",
    claim_in_use_finished_pod = "claim-in-use--finished-pod",
    claim_in_use_in_a_namespace = "claim-in-use--in-a-namespace",
    claim_in_use_pod_on_dead_node = "claim-in-use--pod-on-dead-node",
    content_hidden = "content-hidden",
    content_remains = "content-remains",
    content_remains_fresh_lease = "content-remains--fresh-lease",
    content_remains_webhook_mended = "content-remains--webhook-mended",
    content_unreadable = "content-unreadable",
    content_unreadable_elsewhere = "content-unreadable--elsewhere",
    content_unreadable_object = "content-unreadable--object",
    controller_manager_down = "controller-manager-down",
    controller_refused = "controller-refused",
    conversion_webhook_dead = "conversion-webhook-dead",
    conversion_webhook_dead_and_a_finalizer = "conversion-webhook-dead--and-a-finalizer",
    conversion_webhook_dead_definition = "conversion-webhook-dead--definition",
    conversion_webhook_dead_empty_namespace = "conversion-webhook-dead--empty-namespace",
    conversion_webhook_dead_never_answers = "conversion-webhook-dead--never-answers",
    conversion_webhook_dead_scaled_to_zero = "conversion-webhook-dead--scaled-to-zero",
    crd_waits_for_instances = "crd-waits-for-instances",
    crd_waits_for_instances_blocked = "crd-waits-for-instances--blocked",
    crd_waits_for_instances_stranded = "crd-waits-for-instances--stranded",
    creation_refused = "creation-refused",
    dangling_owner = "dangling-owner",
    dangling_owner_orphans = "dangling-owner--orphans",
    deletion_in_progress = "deletion-in-progress",
    deletion_in_progress_pods = "deletion-in-progress--pods",
    deletion_refused = "deletion-refused",
    deletion_refused_everything = "deletion-refused--everything",
    deletion_refused_in_the_namespace = "deletion-refused--in-the-namespace",
    deletion_refused_live_policy = "deletion-refused--live-policy",
    deletion_refused_live_webhook = "deletion-refused--live-webhook",
    deletion_refused_old_lease = "deletion-refused--old-lease",
    deletion_refused_parameter_gone = "deletion-refused--parameter-gone",
    demo = "demo",
    discovery_stale = "discovery-stale",
    eviction_refused = "eviction-refused",
    eviction_refused_two_budgets = "eviction-refused--two-budgets",
    finalizer_removal_refused = "finalizer-removal-refused",
    finalizer_removal_refused_changed_field = "finalizer-removal-refused--changed-field",
    finalizer_removal_refused_definition_going = "finalizer-removal-refused--definition-going",
    finalizer_removal_refused_live_policy = "finalizer-removal-refused--live-policy",
    finalizer_removal_refused_two_webhooks = "finalizer-removal-refused--two-webhooks",
    finished_pod_held = "finished-pod-held",
    finished_pod_held_job_gone = "finished-pod-held--job-gone",
    foreground_deletion_waits = "foreground-deletion-waits",
    foreground_deletion_waits_background_instead = "foreground-deletion-waits--background-instead",
    foreground_deletion_waits_in_a_namespace = "foreground-deletion-waits--in-a-namespace",
    foreground_deletion_waits_namespace = "foreground-deletion-waits--namespace",
    foreground_deletion_waits_other_namespace = "foreground-deletion-waits--other-namespace",
    foreground_deletion_waits_pods = "foreground-deletion-waits--pods",
    foreground_deletion_waits_progressing = "foreground-deletion-waits--progressing",
    garbage_collector_blind = "garbage-collector-blind",
    garbage_collector_idle = "garbage-collector-idle",
    garbage_collector_idle_cannot_list = "garbage-collector-idle--cannot-list",
    garbage_collector_idle_deletion_refused = "garbage-collector-idle--deletion-refused",
    garbage_collector_idle_keeps_its_reference = "garbage-collector-idle--keeps-its-reference",
    garbage_collector_idle_not_asked = "garbage-collector-idle--not-asked",
    held_by_finalizer = "held-by-finalizer",
    held_by_finalizer_argo_cd = "held-by-finalizer--argo-cd",
    held_by_finalizer_back_a_moment_ago = "held-by-finalizer--back-a-moment-ago",
    held_by_finalizer_blocked_down_to_the_node = "held-by-finalizer--blocked-down-to-the-node",
    held_by_finalizer_blocked_three_deep = "held-by-finalizer--blocked-three-deep",
    held_by_finalizer_cannot_create_in_namespace = "held-by-finalizer--cannot-create-in-namespace",
    held_by_finalizer_class_gone = "held-by-finalizer--class-gone",
    held_by_finalizer_controller_cannot_list = "held-by-finalizer--controller-cannot-list",
    held_by_finalizer_core_objects = "held-by-finalizer--core-objects",
    held_by_finalizer_credential_gone = "held-by-finalizer--credential-gone",
    held_by_finalizer_crossplane = "held-by-finalizer--crossplane",
    held_by_finalizer_crossplane_in_use = "held-by-finalizer--crossplane-in-use",
    held_by_finalizer_dead_api_beside = "held-by-finalizer--dead-api-beside",
    held_by_finalizer_deletion_refused = "held-by-finalizer--deletion-refused",
    held_by_finalizer_external_system_unreachable = "held-by-finalizer--external-system-unreachable",
    held_by_finalizer_flux = "held-by-finalizer--flux",
    held_by_finalizer_forged_words = "held-by-finalizer--forged-words",
    held_by_finalizer_in_its_usual_time = "held-by-finalizer--in-its-usual-time",
    held_by_finalizer_kubernetes_comes_back = "held-by-finalizer--kubernetes-comes-back",
    held_by_finalizer_known_by_its_marks = "held-by-finalizer--known-by-its-marks",
    held_by_finalizer_leads_and_does_nothing = "held-by-finalizer--leads-and-does-nothing",
    held_by_finalizer_list_not_allowed = "held-by-finalizer--list-not-allowed",
    held_by_finalizer_lists_in_its_status = "held-by-finalizer--lists-in-its-status",
    held_by_finalizer_lists_what_is_held = "held-by-finalizer--lists-what-is-held",
    held_by_finalizer_load_balancer = "held-by-finalizer--load-balancer",
    held_by_finalizer_load_balancer_pieces = "held-by-finalizer--load-balancer-pieces",
    held_by_finalizer_load_balancer_refused = "held-by-finalizer--load-balancer-refused",
    held_by_finalizer_log_of_the_crash = "held-by-finalizer--log-of-the-crash",
    held_by_finalizer_logs_say_why = "held-by-finalizer--logs-say-why",
    held_by_finalizer_longhorn = "held-by-finalizer--longhorn",
    held_by_finalizer_look_alike = "held-by-finalizer--look-alike",
    held_by_finalizer_machine = "held-by-finalizer--machine",
    held_by_finalizer_namesake = "held-by-finalizer--namesake",
    held_by_finalizer_nobody_drains = "held-by-finalizer--nobody-drains",
    held_by_finalizer_one_for_each_tenant = "held-by-finalizer--one-for-each-tenant",
    held_by_finalizer_only_rights_point = "held-by-finalizer--only-rights-point",
    held_by_finalizer_operator_elsewhere = "held-by-finalizer--operator-elsewhere",
    held_by_finalizer_operator_at_zero = "held-by-finalizer--operator-at-zero",
    held_by_finalizer_operator_crash_looping = "held-by-finalizer--operator-crash-looping",
    held_by_finalizer_operator_image_missing = "held-by-finalizer--operator-image-missing",
    held_by_finalizer_operator_in_the_namespace = "held-by-finalizer--operator-in-the-namespace",
    held_by_finalizer_operator_namespace_terminating = "held-by-finalizer--operator-namespace-terminating",
    held_by_finalizer_operator_node_dead = "held-by-finalizer--operator-node-dead",
    held_by_finalizer_operator_over_quota = "held-by-finalizer--operator-over-quota",
    held_by_finalizer_operator_slow = "held-by-finalizer--operator-slow",
    held_by_finalizer_operator_unscheduled = "held-by-finalizer--operator-unscheduled",
    held_by_finalizer_operator_without_service_account = "held-by-finalizer--operator-without-service-account",
    held_by_finalizer_owned = "held-by-finalizer--owned",
    held_by_finalizer_patched_in_vain = "held-by-finalizer--patched-in-vain",
    held_by_finalizer_pending_elsewhere = "held-by-finalizer--pending-elsewhere",
    held_by_finalizer_pending_of_another_group = "held-by-finalizer--pending-of-another-group",
    held_by_finalizer_products = "held-by-finalizer--products",
    held_by_finalizer_rights_narrowed = "held-by-finalizer--rights-narrowed",
    held_by_finalizer_rights_on_services = "held-by-finalizer--rights-on-services",
    held_by_finalizer_rights_lost = "held-by-finalizer--rights-lost",
    held_by_finalizer_said_before_it_came_back = "held-by-finalizer--said-before-it-came-back",
    held_by_finalizer_says_for_an_hour = "held-by-finalizer--says-for-an-hour",
    held_by_finalizer_set_by_another = "held-by-finalizer--set-by-another",
    held_by_finalizer_strimzi = "held-by-finalizer--strimzi",
    held_by_finalizer_two_namespaces = "held-by-finalizer--two-namespaces",
    held_by_finalizer_two_operators = "held-by-finalizer--two-operators",
    held_by_finalizer_two_owners = "held-by-finalizer--two-owners",
    held_by_finalizer_unknown_product_down = "held-by-finalizer--unknown-product-down",
    held_by_finalizer_unknown_product_gone = "held-by-finalizer--unknown-product-gone",
    held_by_finalizer_victoria_metrics = "held-by-finalizer--victoria-metrics",
    held_by_finalizer_waited_for = "held-by-finalizer--waited-for",
    held_by_finalizer_waits_for_what_is_going = "held-by-finalizer--waits-for-what-is-going",
    held_by_finalizer_webhook_mended = "held-by-finalizer--webhook-mended",
    kubelet_does_not_confirm = "kubelet-does-not-confirm",
    kubelet_does_not_confirm_cannot_be_asked = "kubelet-does-not-confirm--cannot-be-asked",
    kubelet_does_not_confirm_network = "kubelet-does-not-confirm--network",
    kubelet_does_not_confirm_volume = "kubelet-does-not-confirm--volume",
    kubelet_silent = "kubelet-silent",
    namespace_controller_waits = "namespace-controller-waits",
    namespace_controller_waits_api_came_back = "namespace-controller-waits--api-came-back",
    namespace_controller_waits_conversion_mended = "namespace-controller-waits--conversion-mended",
    namespace_controller_without_rights = "namespace-controller-without-rights",
    namespace_held_by_finalizer = "namespace-held-by-finalizer",
    namespace_held_by_finalizer_operator_at_zero = "namespace-held-by-finalizer--operator-at-zero",
    namespace_spec_finalizer = "namespace-spec-finalizer",
    namespace_spec_finalizer_read_only_kind = "namespace-spec-finalizer--read-only-kind",
    not_deleting = "not-deleting",
    not_deleting_immortal = "not-deleting--immortal",
    not_deleting_would_be_refused = "not-deleting--would-be-refused",
    older_than_its_definition = "older-than-its-definition",
    older_than_its_namespace = "older-than-its-namespace",
    older_than_its_namespace_orphans = "older-than-its-namespace--orphans",
    orphan_not_handled = "orphan-not-handled",
    orphan_not_handled_no_dependents = "orphan-not-handled--no-dependents",
    orphan_not_handled_update_refused = "orphan-not-handled--update-refused",
    owner_out_of_reach = "owner-out-of-reach",
    owner_out_of_reach_collected = "owner-out-of-reach--collected",
    owner_out_of_reach_stays = "owner-out-of-reach--stays",
    ownership_ring = "ownership-ring",
    ownership_ring_with_finalizers = "ownership-ring--with-finalizers",
    pod_grace_period = "pod-grace-period",
    pod_node_gone = "pod-node-gone",
    pod_node_gone_collector_hindered = "pod-node-gone--collector-hindered",
    pod_node_not_ready = "pod-node-not-ready",
    pod_node_not_ready_and_a_finalizer = "pod-node-not-ready--and-a-finalizer",
    pod_node_not_ready_out_of_service = "pod-node-not-ready--out-of-service",
    pod_node_not_ready_stateful = "pod-node-not-ready--stateful",
    pods_first = "pods-first",
    resource_claim_in_use = "resource-claim-in-use",
    finalizer_removal_refused_put_back = "finalizer-removal-refused--put-back",
    attributes_class_in_use = "attributes-class-in-use",
    service_range_in_use = "service-range-in-use",
    ring_of_waits = "ring-of-waits",
    schema_refuses_update = "schema-refuses-update",
    snapshot_in_the_way = "snapshot-in-the-way",
    static_pod = "static-pod",
    stored_version_missing = "stored-version-missing",
    stranded_in_missing_namespace = "stranded-in-missing-namespace",
    stranded_in_missing_namespace_orphans = "stranded-in-missing-namespace--orphans",
    stranded_in_missing_namespace_selective_webhook = "stranded-in-missing-namespace--selective-webhook",
    volume_still_attached = "volume-still-attached",
    volume_still_attached_two_drivers = "volume-still-attached--two-drivers",
    volume_still_bound = "volume-still-bound",
    volume_still_bound_down_to_the_node = "volume-still-bound--down-to-the-node",
}
