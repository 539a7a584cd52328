//! The inputs that fuzzing has found, and properties of everything that is parsed.

use super::*;
use proptest::prelude::*;

type FuzzTarget = (&'static str, fn(&[u8]));

const TARGETS: [FuzzTarget; 12] = [
    ("list", list),
    ("watch", watch),
    ("discovery", discovery),
    ("answer", answer),
    ("survey", survey),
    ("diagnosis", diagnosis),
    ("journal", journal),
    ("selector", selector),
    ("manifests", manifests),
    ("chart", chart),
    ("kubeconfig", kubeconfig),
    ("log", log),
];

/// Valid input for each parser, which tests cut off and change everywhere.
const VALID: [(&str, &[u8]); 12] = [
    ("list", b"\x02{\"kind\":\"L\",\"metadata\":{\"continue\":\"t\"},\"items\":[{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"manager\":\"m\",\"fieldsV1\":{\"f:metadata\":{}}}]}}, {\"metadata\":{}}]}"),
    ("list", b"\x03k8s\0\n\x06\n\x02v1\x12\0\x12\x12\n\x02\x12\0\x12\x0c\n\x0a\n\x01a\x1a\x01n:\x02\x08\x01\x1a\0\"\0"),
    ("watch", b"{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"uid\":\"u\"}}}"),
    ("discovery", b"{\"items\":[{\"metadata\":{\"name\":\"g\"},\"versions\":[{\"version\":\"v1\",\"freshness\":\"Stale\",\"resources\":[{\"resource\":\"r\",\"scope\":\"Namespaced\",\"verbs\":[\"get\"]}]}]}],\"groups\":[],\"versions\":[\"v1\"]}"),
    ("answer", b"{\"kind\":\"Status\",\"message\":\"pods \\\"a\\\" not found\",\"reason\":\"NotFound\",\"details\":{\"name\":\"a\"}}"),
    ("answer", b"k8s\0\n\x0c\n\x02v1\x12\x06Status\x12\x0c\x1a\x03abc\"\x01N*\x02\n\0"),
    ("journal", b"{\"record\":\"run\",\"version\":\"unstick.dev/journal/v1\",\"at\":\"2026-01-01T00:00:00Z\",\"run\":{}}\n{\"record\":\"intend\",\"step\":1,\"what\":{}}\n{\"record\":\"outcome\",\"step\":1,\"outcome\":\"done\",\"text\":\"t\"}\n"),
    ("selector", b"app=web,tier!=db,env in (a,b),!canary,x notin (y)\napp=web,env=a"),
    ("manifests", b"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n{}\n"),
    ("chart", b"{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"a\",\"labels\":{\"a\":\"b\"},\"annotations\":{}},\"spec\":{\"template\":{\"metadata\":{},\"spec\":{\"containers\":[{\"name\":\"c\"}]}}}}"),
    ("kubeconfig", b"apiVersion: v1\nclusters: [{name: k, cluster: {server: \"https://a\"}}]\ncontexts: [{name: c, context: {cluster: k, user: u}}]\nusers: [{name: u, user: {token: t}}]\n"),
    ("log", b"2026-01-01T00:00:00Z error shop/held: cannot remove acme.io/hold\n\n2026-01-01T00:00:01Z panic: u-1\n"),
];

fn target(name: &str) -> fn(&[u8]) {
    TARGETS.iter().find(|(known, _)| *known == name).expect("a target").1
}

/// Runs work on a large stack: deeply nested files need more than a test has.
pub(super) fn on_a_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(file::STACK).spawn(work).expect("a thread");
    thread.join().expect("no input panics");
}

/// `fuzz/corpus/TARGET/…` and `fuzz/crashes/TARGET-…`.
#[test]
#[expect(clippy::disallowed_methods, reason = "the inputs are files")]
fn the_corpus_and_known_crashes_do_not_panic() {
    on_a_large_stack(|| {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
        let files = |folder: PathBuf| {
            std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path())
        };
        for (name, feed) in TARGETS {
            let is_its = |path: &PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name));
            let crashes = files(fuzz.join("crashes")).filter(is_its);
            for path in files(fuzz.join("corpus").join(name)).chain(crashes) {
                feed(&std::fs::read(&path).expect("a file"));
            }
        }
    });
}

#[test]
fn valid_input_cut_at_any_length_does_not_panic() {
    for (name, bytes) in VALID {
        (0..=bytes.len()).for_each(|length| target(name)(&bytes[..length]));
    }
}

#[test]
fn charts_with_a_value_of_any_shape_do_not_panic() {
    on_a_large_stack(|| {
        let text = text(&tests().join("chart/rendered.yaml"));
        let mut whole: Vec<Value> = serde_saphyr::from_multiple(&text).expect("YAML");
        // The findings about these two would fill the screen.
        whole.retain(|object| object["kind"] != "Job" && object["kind"] != "ServiceMonitor");
        for (at, document) in whole.iter().enumerate() {
            let mut places = Vec::new();
            walk(document, String::new(), &mut places);
            for place in places.iter().filter(|place| !place.is_empty()) {
                for other in ["x".into(), serde_json::json!([1])] {
                    let mut one = document.clone();
                    *one.pointer_mut(place).expect("a place") = other;
                    let items: Vec<&Value> =
                        whole.iter().enumerate().map(|(n, it)| if n == at { &one } else { it }).collect();
                    chart(serde_json::json!({"kind": "List", "items": items}).to_string().as_bytes());
                }
            }
        }
    });
}

#[test]
fn recorded_surveys_are_written_and_read_back_unchanged() {
    on_a_large_stack(|| recorded().iter().take(40).for_each(|recorded| survey(recorded.to_string().as_bytes())));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for (_, feed) in TARGETS {
            feed(&bytes);
        }
    }

    #[test]
    fn edited_valid_input_does_not_panic(
        which in 0..VALID.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..6),
    ) {
        let (name, valid) = VALID[which];
        let mut bytes = valid.to_vec();
        for (place, byte, how) in edits {
            let place = place.index(bytes.len());
            match how {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => { bytes.remove(place); }
            }
            if bytes.is_empty() { break; }
        }
        target(name)(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// Covers RBAC, webhooks, managedFields, conditions, events and all other facts that rules read.
    #[test]
    fn a_recorded_survey_with_other_values_is_diagnosed(bytes in prop::collection::vec(any::<u8>(), 4..40)) {
        diagnosis(&bytes);
    }
}
