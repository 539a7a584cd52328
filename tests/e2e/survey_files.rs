//! Files for `--from` that are not surveys, or keep the reader waiting: each leads to a sentence,
//! exit code 2 and little memory. None of these tests needs a cluster.

use crate::bad_input::{folder, refused};
use crate::scenario::Scenario;
use crate::support::program::{PROGRAM, stderr, stdout};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The address space of the program in KiB: a few times the largest file that it reads.
const ADDRESSES: &str = "ulimit -v 2000000 && exec \"$@\"";

/// The program with `--from`, without any cluster, and with bounded memory.
fn from(path: &Path) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", ADDRESSES, "bash", PROGRAM, "--from"]).arg(path);
    command.env_remove("KUBECONFIG").stdin(Stdio::null());
    command
}

fn read(path: &Path) -> Output {
    from(path).output().expect("the program runs")
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file");
    path
}

/// A named pipe, and a thread that fills it until it is closed.
fn pipe(folder: &Path, mut fill: impl FnMut(&mut File) -> std::io::Result<()> + Send + 'static) -> PathBuf {
    let path = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    let to = path.clone();
    std::thread::spawn(move || {
        let mut pipe = std::fs::OpenOptions::new().write(true).open(to).expect("a reader");
        while fill(&mut pipe).is_ok() {}
    });
    path
}

fn a_survey() -> Vec<u8> {
    // The only survey that needs no base.
    std::fs::read(Scenario::named("demo").survey_file()).expect("a survey")
}

#[test]
fn only_files_of_limited_size_are_read() {
    let home = folder("no-survey");
    refused(&read(&home), 2, &["no-survey", "is a directory", "hint: name the file in it"]);
    let large = home.join("large.yaml");
    File::create(&large).and_then(|file| file.set_len(2 << 30)).expect("a file with a hole");
    refused(&read(&large), 2, &["large.yaml is larger than 256 MiB", "hint: take a smaller survey"]);
    std::fs::remove_file(large).expect("it goes");
}

#[test]
fn endless_input_is_read_up_to_the_limit() {
    let home = folder("endless");
    let larger = ["is larger than 256 MiB", "hint: take a smaller survey"];
    refused(&read(Path::new("/dev/zero")), 2, &larger);
    refused(&read(&pipe(&home, |pipe| pipe.write_all(&[b'a'; 1 << 14]))), 2, &larger);
    let stdin = from(Path::new("-")).stdin(File::open("/dev/zero").expect("a device")).output();
    refused(&stdin.expect("the program runs"), 2, &larger);
}

#[test]
fn a_pipe_that_ends_is_read() {
    let mut survey = Some(a_survey());
    let mut once = move |pipe: &mut File| match survey.take() {
        Some(survey) => pipe.write_all(&survey),
        None => Err(std::io::ErrorKind::BrokenPipe.into()),
    };
    let output = read(&pipe(&folder("pipe"), move |pipe| once(pipe)));
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ""));
}

#[test]
fn waiting_for_a_pipe_is_given_up_on_ctrl_c() {
    let home = folder("waiting");
    let path = home.join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo runs").success());
    let mut child = from(&path).stderr(Stdio::piped()).spawn().expect("the program runs");
    let begun = Instant::now();
    let status = loop {
        std::thread::sleep(Duration::from_millis(100));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it still waits");
    };
    // Before the program listens for the signal, it is killed by it.
    assert!(matches!(status.code(), Some(130) | None), "{status}");
}

#[test]
fn bytes_that_are_no_text() {
    let home = folder("no-text");
    for (name, bytes) in
        [("latin-1", &b"kind: Surv\xe9y\n"[..]), ("gzip", b"\x1f\x8b\x08\0\0\0"), ("zero", b"kind: \0")]
    {
        refused(&read(&file(&home, name, bytes)), 2, &[name, "is not text: byte", "unpack it first"]);
    }
}

#[test]
fn text_that_is_no_survey() {
    let home = folder("no-yaml");
    let bomb = "a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a]\nfacts: [*b, *b, *b]\n";
    let survey = String::from_utf8(a_survey()).expect("text");
    let deep = survey.replacen("complete: true", &format!("deep: {}\ncomplete: true", "[".repeat(100_000)), 1);
    for (name, text, words) in [
        ("empty", String::new(), "not a survey, or an incomplete one"),
        ("bomb", bomb.into(), "not read: it uses YAML anchors or aliases"),
        (
            "values",
            format!("facts: [{}1]", "1,".repeat(5_000_000)),
            "more than 5 million values; take a survey of less",
        ),
        ("deep", deep, "not read: it nests deeper than 136 levels"),
        ("nested", "- ".repeat(100_000), "not a survey"),
        ("line", "x".repeat(4 << 20), "not a survey"),
        ("quoted", format!("\"{}", "x".repeat(4 << 20)), "not a survey"),
        ("kind", format!("apiVersion: v1\nkind: \"{}\"\n", "x".repeat(4 << 20)), "its kind is \"xxx"),
        ("controls", "\u{1}\u{2}\u{3}".into(), "not a survey"),
    ] {
        let output = read(&file(&home, name, text.as_bytes()));
        refused(&output, 2, &[&format!("{name}: "), words]);
        let said = stderr(&output);
        assert!(said.lines().count() <= 2 && said.len() < 1000, "{name}: {said}");
    }
}

/// A file also provides the commands of the steps, but no server to ask.
#[test]
fn a_dry_run_of_a_file_shows_the_commands() {
    let survey = Scenario::named("controller-gone--two-owners").survey_file();
    let shown = from(&survey).arg("--dry-run").output().expect("the program runs");
    let said = stdout(&shown);
    let (_, commands) = said.split_once("THE SAME BY HAND\n").expect("the commands");
    assert!(commands.starts_with(" 1  # remove finalizer acme.io/backup"), "{commands}");
    // When the second command runs, the finalizer before it is removed already.
    assert_eq!(commands.matches("\"path\":\"/metadata/finalizers/0\"").count(), 4, "{commands}");
    assert_eq!(shown.status.code(), Some(1), "{}", stderr(&shown));
    let refused = from(&survey).arg("--dry-run=server").output().expect("the program runs");
    assert_eq!((refused.status.code(), stdout(&refused).as_str()), (Some(2), ""));
    assert!(stderr(&refused).contains("cannot be used with --from"), "{}", stderr(&refused));
}
