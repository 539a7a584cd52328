//! The measurements, in the order in which the control plane is filled.

use crate::clock::{in_turn, memory, timed, typical};
use crate::figure::Figure;
use crate::link::Link;
use crate::plot::Series;
use crate::store::Store;
use crate::support::control_plane::ControlPlane;
use crate::support::go::tell;
use crate::{calm, filling, raw};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");
/// The namespace that hangs, with one object in it.
const STUCK: &str = "hanging";
/// A namespace that hangs on 2,000 objects of one finalizer.
const CROWDED: &str = "crowded";
/// The namespace with many targets of one cause.
const TARGETS: &str = "targets";
/// The namespace with many targets that are followed until they are gone.
const FOLLOWED: &str = "followed";
/// The maximum number of watches on a connection, for any number of targets.
const STREAMS: usize = 40;
/// The namespace in which many removals are approved by one answer.
const REMOVALS: &str = "removals";
/// A namespace with much content that is not being deleted.
const FULL: &str = "full";
/// A namespace with custom objects that are as large as the store takes.
const LARGE: &str = "large";

/// The version, and the two documents of discovery, which every client reads.
const DISCOVERY: [&str; 3] = ["/version", "/api", "/apis"];

type Phase = fn(&mut Bench);

/// A run: its control plane, and what was measured so far.
pub struct Bench {
    plane: ControlPlane,
    store: Store,
    /// How many custom kinds were created.
    kinds: usize,
    pub quick: bool,
    pub figures: Vec<Figure>,
    /// Time and memory against objects and against targets, for the plot.
    pub series: Vec<Series>,
}

impl Bench {
    /// Starts on a fresh control plane.
    pub fn start(quick: bool) -> Self {
        let plane = ControlPlane::alone();
        let store = Store::of(&plane);
        Self { plane, store, kinds: 0, quick, figures: Vec::new(), series: Vec::new() }
    }

    /// Measures everything, or `only` the named phases.
    pub fn run(&mut self, only: Option<&str>) {
        const PHASES: [(&str, Phase); 9] = [
            ("types", Bench::few_types),
            ("links", Bench::links),
            ("crowd", Bench::crowd),
            ("large", Bench::large),
            ("objects", Bench::objects),
            ("targets", Bench::targets),
            ("followed", Bench::followed),
            ("removals", Bench::removals),
            ("sweeps", Bench::sweeps),
        ];
        let wanted: Vec<&str> = only.map(|only| only.split(',').collect()).unwrap_or_default();
        for name in &wanted {
            assert!(PHASES.iter().any(|(known, _)| known == name), "there is no phase {name:?}");
        }
        tell("a namespace that hangs …");
        filling::hanging(&self.plane, &[STUCK.to_owned()]);
        for (name, measure) in PHASES {
            if wanted.is_empty() || wanted.contains(&name) {
                measure(self);
            }
        }
    }

    fn few_types(&mut self) {
        self.version();
        self.types(60);
        self.against_raw(9);
        if self.quick {
            self.against_pasted();
        }
        self.types(330);
        self.against_raw(self.runs(15));
        if !self.quick {
            self.against_pasted();
        }
        self.requests();
    }

    fn sweeps(&mut self) {
        self.dead_api();
        if !self.quick {
            self.types(1300);
            self.against_raw(5);
        }
    }

    /// Makes this many namespaced types available.
    fn types(&mut self, count: usize) {
        tell(&format!("{count} types …"));
        let more = count.saturating_sub(filling::types(&self.plane));
        filling::kinds(&self.plane, self.kinds..self.kinds + more);
        self.kinds += more;
        self.calm();
    }

    /// Waits until the controllers have processed what was filled in.
    fn calm(&self) {
        calm::wait(Duration::from_secs(if self.quick { 6 } else { 20 }));
    }

    fn runs(&self, runs: usize) -> usize {
        if self.quick { runs.div_ceil(3) } else { runs }
    }

    fn unstick(&self, arguments: &[&str]) -> Command {
        let mut command = self.plane.command(std::env::var("UNSTICK_PROGRAM").unwrap_or_else(|_| PROGRAM.into()));
        command.args(arguments);
        command
    }

    fn add(&mut self, figure: Figure) {
        self.figures.push(figure);
    }

    fn version(&mut self) {
        let (took, nothing) = in_turn(15, || self.unstick(&["--version"]), || self.plane.command("true"));
        // Starting any process takes as long as this machine needs for that.
        self.add(Figure::within("--version", took, nothing + Duration::from_millis(5), "starting `true` + 5 ms"));
    }

    fn against_raw(&mut self, runs: usize) {
        let types = filling::types(&self.plane);
        // Kinds that were just created are requested twice.
        timed(&mut self.unstick(&["ns", STUCK]));
        let mut same = self.requests_of(&["ns", STUCK]);
        same.retain(|uri| !DISCOVERY.contains(&uri.as_str()));
        let (ours, limit) = in_turn(runs, || self.unstick(&["ns", STUCK]), || raw::of_requests(&self.plane, &same));
        let what = format!("one namespace, {types} types: as long as the raw client that makes the same requests");
        self.add(Figure::at_most_times(&what, ours, limit, 1.3));
        // With few types, the other reads weigh more than the lists.
        if types >= 330 {
            let (ours, limit) =
                in_turn(runs, || self.unstick(&["ns", STUCK]), || raw::of_namespace(&self.plane, STUCK));
            let what = format!("one namespace, {types} types: as long as the raw client that lists the types alone");
            self.add(Figure::at_most_times(&what, ours, limit, 1.3));
        }
        let (kib, _) = memory(&self.unstick(&["ns", STUCK]));
        self.add(Figure::memory(&format!("one namespace, {types} types: memory"), kib, 64));
    }

    fn against_pasted(&mut self) {
        let ours = typical(5, || self.unstick(&["ns", STUCK]));
        let mut pasted = self.plane.command("sh");
        pasted.arg("-c").arg(format!(
            "kubectl api-resources --verbs=list --namespaced -o name | \
             xargs -n1 kubectl get --show-kind --ignore-not-found -n {STUCK}"
        ));
        let pasted = timed(&mut pasted);
        self.add(Figure::at_least_times("one namespace: faster than the pasted loop", pasted, ours, 100.0));
    }

    fn requests(&mut self) {
        let types = filling::types(&self.plane);
        let count = self.requests_of(&["ns", STUCK]).len();
        self.add(Figure::count(&format!("one namespace, {types} types: requests"), count, types + 20));
    }

    /// The requests of a run in the server's audit log, as paths with queries.
    fn requests_of(&self, arguments: &[&str]) -> Vec<String> {
        self.requests_during(|| {
            timed(&mut self.unstick(arguments));
        })
    }

    /// The program's requests while `done` runs.
    fn requests_during(&self, done: impl FnOnce()) -> Vec<String> {
        let all = || {
            let requests = self.plane.audit_requests().into_iter();
            let ours = requests.filter(|event| event.user_agent.starts_with("kubectl-unstick/"));
            ours.map(|event| event.uri).collect::<Vec<_>>()
        };
        let before = all().len();
        done();
        std::thread::sleep(Duration::from_secs(1));
        all().split_off(before)
    }

    fn links(&mut self) {
        self.types(330);
        let transfer = typical(5, || raw::of_namespace(&self.plane, STUCK));
        self.over_links("one namespace", &["ns", STUCK], 6, transfer, "6 round trips + the raw client without delay");
        tell("eight namespaces that hang …");
        let names: Vec<String> = (0..8).map(|number| format!("hanging-{number}")).collect();
        filling::hanging(&self.plane, &names);
        self.calm();
        let eight: Vec<&str> = ["ns"].into_iter().chain(names.iter().map(String::as_str)).collect();
        let transfer = 2 * typical(5, || raw::of_cluster(&self.plane));
        self.over_links("eight namespaces", &eight, 12, transfer, "12 round trips + two raw clients without delay");
        filling::release(&self.plane, &self.store, "configmaps", &names);
    }

    /// Measures a run over a slow link: its time in round trips, plus the time without a delay.
    fn over_links(&mut self, what: &str, arguments: &[&str], round_trips: u32, transfer: Duration, of: &str) {
        for millis in if self.quick { vec![50] } else { vec![50, 150] } {
            let round_trip = Duration::from_millis(millis);
            let link = Link::start(&self.plane, round_trip);
            // The first run may fill the cache of discovery.
            timed(&mut link.through(self.unstick(arguments)));
            let took = typical(self.runs(7), || link.through(self.unstick(arguments)));
            let bound = round_trips * round_trip + transfer + Duration::from_millis(150);
            self.add(Figure::within(&format!("{what} at {millis} ms"), took, bound, &format!("{of} + 0.15 s")));
        }
    }

    fn crowd(&mut self) {
        self.types(330);
        tell("a namespace that hangs on 2,000 objects …");
        filling::crowd(&self.plane, &self.store, CROWDED, 2000);
        std::thread::sleep(Duration::from_secs(10));
        self.calm();
        let (crowd, one) = in_turn(self.runs(9), || self.unstick(&["ns", CROWDED]), || self.unstick(&["ns", STUCK]));
        self.add(Figure::at_most_times("2,000 objects on one finalizer: as long as one object", crowd, one, 2.0));
        filling::release(&self.plane, &self.store, "g0.bench.example/things0", &[CROWDED.to_owned()]);
        filling::without_operator(&self.plane);
    }

    /// Whoever may create objects of one kind can make hundreds of large ones.
    fn large(&mut self) {
        let count = if self.quick { 100 } else { 200 };
        self.types(60);
        tell(&format!("{count} objects of 0.9 MB …"));
        filling::namespaces(&self.plane, &[LARGE.to_owned()]);
        filling::large(&self.store, LARGE, count);
        self.calm();
        let (kib, _) = memory(&self.unstick(&["scan"]));
        self.add(Figure::memory(&format!("scan of {count} stuck objects of 0.9 MB: memory"), kib, 64));
        self.store.remove(&format!("/registry/g0.bench.example/things0/{LARGE}/"));
    }

    fn objects(&mut self) {
        let namespaces: Vec<String> = (0..50).map(|number| format!("busy-{number}")).collect();
        filling::namespaces(&self.plane, &namespaces);
        let mut names = ["one namespace", "orphans"].map(|what| Series::new("objects", what));
        let mut there = 0;
        for count in if self.quick { vec![1_000, 10_000] } else { vec![1_000, 10_000, 100_000] } {
            tell(&format!("{count} objects …"));
            filling::config_maps(&self.store, &namespaces, there..count);
            there = count;
            self.calm();
            for (series, arguments) in names.iter_mut().zip([&["ns", STUCK][..], &["orphans"]]) {
                let took = typical(3, || self.unstick(arguments));
                let (kib, _) = memory(&self.unstick(arguments));
                series.add(count, took, kib);
            }
        }
        let last = &names[1].points[names[1].points.len() - 1];
        let (took, kib) = (last.took, last.kib);
        let sweep = typical(3, || raw::of_cluster(&self.plane));
        let bound = 3 * sweep + Duration::from_secs(5);
        self.add(Figure::within(&format!("orphans, {there} objects"), took, bound, "1.5 × two raw sweeps + 5 s"));
        self.add(Figure::memory(&format!("orphans, {there} objects: memory"), kib, 64));
        self.series.extend(names);
        self.preflight();
    }

    fn preflight(&mut self) {
        let count = if self.quick { 5_000 } else { 20_000 };
        filling::namespaces(&self.plane, &[FULL.to_owned()]);
        filling::config_maps(&self.store, &[FULL.to_owned()], 0..count);
        self.calm();
        let (kib, _) = memory(&self.unstick(&["preflight", "ns", FULL]));
        self.add(Figure::memory(&format!("preflight of a namespace with {count} objects: memory"), kib, 64));
        let ours = || self.unstick(&["preflight", "ns", FULL]);
        let (took, raw) = in_turn(3, ours, || raw::of_namespace(&self.plane, FULL));
        self.add(Figure::at_most_times(
            &format!("preflight of a namespace with {count} objects: as long as the raw client"),
            took,
            raw,
            3.0,
        ));
    }

    fn targets(&mut self) {
        self.types(330);
        filling::namespaces(&self.plane, &[TARGETS.to_owned()]);
        let arguments = ["configmaps", "-n", TARGETS];
        let mut series = Series::new("targets", "configmaps -n NS");
        let mut there = 0;
        for count in if self.quick { vec![1_000, 5_000] } else { vec![1_000, 5_000, 20_000, 50_000] } {
            tell(&format!("{count} targets …"));
            filling::held(&self.store, TARGETS, there..count);
            there = count;
            self.calm();
            let took = typical(3, || self.unstick(&arguments));
            let (kib, _) = memory(&self.unstick(&arguments));
            series.add(count, took, kib);
        }
        let points: Vec<(usize, Duration)> = series.points.iter().map(|point| (point.count, point.took)).collect();
        let most = points[points.len() - 1].0;
        self.add(Figure::exponent(&format!("1,000 to {most} targets: exponent of the time"), &points, 1.1));
        let five = points[1].1;
        self.add(Figure::within("5,000 targets of one cause", five, Duration::from_secs(3), "absolute"));
        self.series.push(series);
    }

    /// Follows many targets to their end: a target that is not seen to disappear would keep it from
    /// ending.
    fn followed(&mut self) {
        let count = if self.quick { 1_000 } else { 10_000 };
        tell(&format!("{count} targets that are followed …"));
        filling::namespaces(&self.plane, &[FOLLOWED.to_owned()]);
        filling::held(&self.store, FOLLOWED, 0..count);
        self.calm();
        let arguments = ["configmaps", "-n", FOLLOWED, "--watch", "--timeout", "5m"];
        let requests = self.requests_during(|| {
            let mut command = self.unstick(&arguments);
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
            let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
            lines.next().expect("a line").expect("text");
            // A watch that begins during one large revision of the store does not report it.
            std::thread::sleep(Duration::from_secs(2));
            self.store.remove(&format!("/registry/configmaps/{FOLLOWED}/"));
            let last = lines.map_while(Result::ok).last().unwrap_or_default();
            let status = child.wait().expect("it ends");
            assert!(status.success() && last.contains("0 objects left"), "{status}: {last}");
        });
        let watches = requests.iter().filter(|uri| uri.contains("watch=true")).count();
        self.add(Figure::count(&format!("{count} targets followed until they are gone: watches"), watches, STREAMS));
    }

    fn removals(&mut self) {
        let count = if self.quick { 1_000 } else { 5_000 };
        tell(&format!("{count} removals …"));
        let raw_place = format!("{REMOVALS}-raw");
        filling::namespaces(&self.plane, &[REMOVALS.to_owned(), raw_place.clone()]);
        filling::held(&self.store, REMOVALS, 0..count);
        filling::held(&self.store, &raw_place, 0..count);
        self.calm();
        let arguments = ["configmaps", "-n", REMOVALS, "--approve", "leaks"];
        let ours = timed(&mut self.unstick(&arguments));
        let limit = timed(&mut raw::of_removals(&self.plane, &raw_place));
        let left = self.plane.etcd_keys(&format!("/registry/configmaps/{REMOVALS}/settings-"));
        self.add(Figure::count("removals that were not made, + 1", left.len() + 1, 1));
        self.add(Figure::at_most_times(&format!("{count} removals: as long as the raw client"), ours, limit, 2.0));
        if !self.quick {
            self.add(Figure::within("5,000 removals", ours, Duration::from_secs(20), "absolute"));
        }
    }

    fn dead_api(&mut self) {
        self.types(330);
        let all: Vec<String> = (0..100).map(|number| format!("behind-{number}")).collect();
        let steps = if self.quick { vec![1, 10] } else { vec![1, 10, 100] };
        let mut there = 0;
        let mut series = Series::new("terminating namespaces", "kubectl unstick");
        for count in steps {
            tell(&format!("{count} namespaces behind a dead API …"));
            filling::behind_a_dead_api(&self.plane, &all[there..count]);
            there = count;
            self.calm();
            let (ours, sweep) = in_turn(3, || self.unstick(&[]), || raw::of_cluster(&self.plane));
            let (kib, _) = memory(&self.unstick(&[]));
            series.add(count, ours, kib);
            let what = format!("{count} namespaces behind a dead API");
            self.add(Figure::at_most_times(&format!("{what}: as long as one raw sweep"), ours, sweep, 1.5));
            self.add(Figure::memory(&format!("{what}: memory"), kib, 64));
        }
        let (types, requests) = (filling::types(&self.plane), self.requests_of(&[]).len());
        self.add(Figure::count(&format!("{there} namespaces, {types} types: requests"), requests, types + 60));
        let link = Link::start(&self.plane, Duration::from_millis(50));
        let (ours, sweep) =
            in_turn(3, || link.through(self.unstick(&[])), || link.through(raw::of_cluster(&self.plane)));
        let what = format!("{there} namespaces behind a dead API at 50 ms: as long as one raw sweep");
        self.add(Figure::at_most_times(&what, ours, sweep, 1.5));
        self.series.push(series);
    }
}
