//! Each command that a screen suggests can be pasted: it stands whole on a line of its own, and a shell hands
//! the program the words that the report means.

use crate::preflights;
use crate::scenario::Scenario;
use crate::{diagnosed, diet, distributions, owners_of};
use kubectl_unstick::export::json;
use kubectl_unstick::report::Report;
use kubectl_unstick::screen::{
    Look, Shown, commands, owners_table, owners_tree, scan_screen, screen, screen_before_question,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The widths of the screens.
const WIDTHS: [usize; 3] = [80, 100, 120];
/// The lines of the question below a screen.
const QUESTION: usize = 8;
/// The programs that are called. Each has a stand-in, and a shell finds no other program.
const PROGRAMS: [&str; 14] = [
    "kubectl", "etcdctl", "crictl", "journalctl", "systemctl", "umount", "ip", "aliyun", "aws", "az", "gcloud",
    "Get-Service", "Get-WinEvent", "Restart-Service",
];
/// Prints the words with which it is called, each followed by a NUL, and a line break behind the last.
const STAND_IN: &str = "#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$@\"\necho\n";
/// How calls of this program begin.
const OWN: &str = "kubectl unstick ";
/// The only substitution that most states suggest, and what it may give.
const NOW: (&str, &str) = ("$(date -u +%FT%TZ)", "2026-11-29T17:40:00Z");
/// One in how many commands may be left out, because it has a pipe, a redirection or a substitution.
const MAX_LEFT_OUT: usize = 20;

#[test]
fn every_suggested_command_can_be_pasted() {
    let (mut seen, mut left_out, mut pasted, mut unlike) = (0, 0, BTreeSet::new(), BTreeSet::new());
    for (name, report) in reports() {
        let meant = Meant::of(&report);
        for line in suggested(&report) {
            // The calls of this program are simple, and would hide how many others are left out.
            seen += usize::from(!line.starts_with(OWN));
            let line = at_a_known_time(&line);
            if !meant.has(&line) {
                unlike.insert(format!("{name}: {line}"));
            } else if needs_more_than_words(&line) {
                left_out += 1;
            } else {
                pasted.insert(line);
            }
        }
    }
    assert!(unlike.is_empty(), "no commands of the report: {unlike:#?}");
    assert!(pasted.len() > 100, "only {} commands", pasted.len());
    assert!(left_out * MAX_LEFT_OUT <= seen, "{left_out} of {seen} commands are left out");
    let pasted: Vec<String> = pasted.into_iter().collect();
    let shell = Shell::new();
    let heard = shell.paste(&pasted);
    assert_eq!(heard.len(), pasted.len());
    for (line, heard) in pasted.iter().zip(heard) {
        assert_eq!(heard, words(line), "{line}");
    }
}

/// A person who does everything by hand needs what the screen suggests, too.
#[test]
fn the_same_by_hand_has_the_commands_of_manual_remedies() {
    let mut compared = 0;
    for (name, report) in reports() {
        let by_hand = commands(&report);
        let by_hand: BTreeSet<&str> = by_hand.lines().filter_map(command).collect();
        let text = screen(&report, Look { width: 80, colour: false, all: true });
        let remedies = text.split_once(" WHAT TO DO\n").map(|(_, below)| below).unwrap_or_default();
        let remedies = remedies.split_once("\n\n").map_or(remedies, |(remedies, _)| remedies);
        for line in remedies.lines().filter_map(command).filter(|line| !line.starts_with(OWN)) {
            assert!(by_hand.contains(line), "{name}: {line}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared} commands");
}

/// A command within a sentence would be broken where the sentence is.
#[test]
fn no_command_stands_within_a_sentence() {
    // A tenant may write commands into what a log quotes.
    for (name, report) in reports().into_iter().filter(|(name, _)| *name != "controller-says--log-with-commands-in-it")
    {
        for screen in screens(&report) {
            let sentences: Vec<&str> = screen.lines().filter(|line| command(line).is_none()).map(str::trim).collect();
            let sentences = sentences.join(" ");
            let programs =
                PROGRAMS.iter().flat_map(|program| [": ", "; ", "(", "`"].map(|it| format!("{it}{program} ")));
            let found = programs.into_iter().find_map(|words| sentences.find(&words));
            assert!(found.is_none(), "{name}: {}", &sentences[found.unwrap_or_default()..]);
        }
    }
}

/// The command as a shell has it once it knows the time: nothing is substituted here, and the other words of
/// the command are tried.
fn at_a_known_time(line: &str) -> String {
    line.replace(NOW.0, NOW.1)
}

/// Every recorded state and forecast.
fn reports() -> Vec<(String, Report)> {
    let scenarios = Scenario::recorded().into_iter().map(|it| (it.name.clone(), diagnosed(&it)));
    let forecasts = preflights::recorded().into_iter().map(|path| {
        let survey = diet::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.display().to_string(), distributions::report(survey))
    });
    scenarios.chain(forecasts).collect()
}

/// The commands of all screens of a report, at all widths.
fn suggested(report: &Report) -> Vec<String> {
    let of = |screen: &Shown| screen.lines().filter_map(command).map(str::to_owned).collect::<Vec<_>>();
    screens(report).iter().flat_map(of).collect()
}

/// All screens of a report, at all widths.
fn screens(report: &Report) -> Vec<Shown> {
    let screens = WIDTHS.into_iter().flat_map(|width| {
        let look = |all| Look { width, colour: false, all };
        [
            screen(report, look(false)),
            screen(report, look(true)),
            screen_before_question(report, look(false), QUESTION),
            scan_screen(report, None, look(false)),
            scan_screen(report, None, look(true)),
        ]
    });
    screens.chain([commands(report)]).collect()
}

/// The command that a line suggests.
fn command(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("$ ")
}

/// Owners suggest the command that leads out.
#[test]
fn the_screen_of_owners_suggests_whole_commands() {
    let mut found = 0;
    for scenario in Scenario::recorded().into_iter().filter(|it| it.name.starts_with("owner")) {
        let report = owners_of(&scenario);
        let whole: BTreeSet<String> = report
            .targets
            .iter()
            .map(|it| format!("kubectl unstick {}", place(&it.object.kubectl(), it.object.namespace.as_deref())))
            .collect();
        for width in WIDTHS {
            let look = Look { width, colour: false, all: false };
            for screen in [owners_table(&report, look), owners_tree(&report, look)] {
                let lines: Vec<&str> = screen.lines().filter_map(command).collect();
                assert!(lines.iter().all(|line| whole.contains(*line)), "{}: {lines:?}", scenario.name);
                found += lines.len();
            }
        }
    }
    assert!(found > 0, "no command");
}

fn place(name: &str, namespace: Option<&str>) -> String {
    namespace.map_or_else(|| name.to_owned(), |namespace| format!("{name} -n {namespace}"))
}

/// The commands that a report means.
struct Meant {
    /// Those of steps and turns, and those of this program.
    commands: BTreeSet<String>,
    /// Sentences that may contain commands: what a person does by hand, and evidence.
    titles: Vec<String>,
}

impl Meant {
    fn of(report: &Report) -> Self {
        let report: Value = serde_json::from_str(&json(report)).expect("the report is JSON");
        let list = |value: &Value, field: &str| value[field].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let remedies = list(&report, "remedies");
        let steps = remedies.iter().flat_map(|it| list(it, "steps")).map(|step| text(&step["command"]));
        let turns = list(&report, "order").into_iter().flat_map(|turn| list(&turn, "commands")).map(|it| text(&it));
        let mut commands: BTreeSet<String> =
            steps.chain(turns).map(|command| without_places(&at_a_known_time(&command))).collect();
        commands.extend(["apis", "explain clusterrole"].map(|words| format!("kubectl unstick {words}")));
        for finding in list(&report, "findings") {
            let page = if finding["reason"].is_null() { &finding["rule"] } else { &finding["reason"] };
            commands.insert(format!("kubectl unstick explain {}", text(page)));
            for remedy in remedies.iter().filter(|it| list(&finding, "remedies").contains(&it["id"])) {
                let target = &finding["blocks"][0];
                let group = text(&target["apiVersion"]).split_once('/').map(|(group, _)| format!(".{group}"));
                let name =
                    format!("{}{}/{}", text(&target["resource"]), group.unwrap_or_default(), text(&target["name"]));
                let target = place(&name, target["namespace"].as_str());
                commands.insert(format!("kubectl unstick {target} --approve-plan {}", text(&remedy["digest"])));
            }
            for target in list(&finding, "blocks") {
                let (name, kind) = (text(&target["name"]), text(&target["kind"]));
                let resource = if kind == "Namespace" { "ns".to_owned() } else { text(&target["resource"]) };
                let named = place(&format!("{resource} {name}"), target["namespace"].as_str());
                commands.insert(format!("kubectl unstick {named}"));
            }
        }
        let evidence = list(&report, "findings").into_iter().flat_map(|it| list(&it, "evidence"));
        let titles = remedies.iter().map(|it| text(&it["title"])).chain(evidence.map(|it| text(&it["text"])));
        Self { commands, titles: titles.map(|it| at_a_known_time(&it)).collect() }
    }

    /// Whether this is one of them, from its beginning to its end.
    fn has(&self, line: &str) -> bool {
        let begins = |before: &str| [": ", "; ", ", "].iter().any(|it| before.ends_with(it));
        let ends = |behind: &str| {
            behind.is_empty() || ["; ", ", ", ". ", " says ", " lists "].iter().any(|it| behind.starts_with(it))
        };
        let is_in = |title: &String| {
            let mut places = title.match_indices(line);
            places.any(|(place, _)| begins(&title[..place]) && ends(&title[place + line.len()..]))
        };
        self.commands.contains(&without_places(line)) || self.titles.iter().any(is_in)
    }
}

/// The command without the index of an entry: it is another one once entries before it are removed.
fn without_places(command: &str) -> String {
    let mut text = command.to_owned();
    for list in ["/metadata/finalizers/", "/metadata/ownerReferences/"] {
        let parts: Vec<&str> = text.split(list).collect();
        let rest = parts[1..].iter().map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
        text = std::iter::once(parts[0]).chain(rest).collect::<Vec<_>>().join(list);
    }
    text
}

/// Whether a shell does more with this command than to call programs.
fn needs_more_than_words(command: &str) -> bool {
    let (mut quote, mut before) = (None, ' ');
    for c in command.chars() {
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (None, '\'' | '"') if before != '\\' => quote = Some(c),
            (None | Some('"'), '`') | (None, '|' | '<' | '>') => return true,
            (None | Some('"'), '(') if before == '$' => return true,
            _ => {}
        }
        before = c;
    }
    false
}

/// The words of the programs that a command calls, as POSIX has them split: written down once more here, so
/// that the shell is no witness for itself.
fn words(command: &str) -> Vec<Vec<String>> {
    let (mut calls, mut word, mut quote) = (vec![Vec::new()], None::<String>, None);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, ' ') => calls.last_mut().expect("a call").extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
        if quote.is_none() && word.as_deref() == Some("&&") {
            word = None;
            calls.push(Vec::new());
        }
    }
    calls.last_mut().expect("a call").extend(word);
    calls
}

/// A shell that finds nothing but stand-ins.
struct Shell {
    folder: PathBuf,
}

impl Shell {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pasted-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for program in PROGRAMS {
            let file = folder.join(program);
            std::fs::write(&file, STAND_IN).expect("a stand-in");
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
        }
        Self { folder }
    }

    /// What the programs of each command hear.
    fn paste(&self, commands: &[String]) -> Vec<Vec<Vec<String>>> {
        let program = |command: &String| command.split(' ').next().unwrap_or_default().to_owned();
        assert!(commands.iter().all(|it| PROGRAMS.contains(&program(it).as_str())), "{commands:#?}");
        let script: String = commands.iter().flat_map(|command| [command.as_str(), "\necho END\n"]).collect();
        let mut shell = Command::new("/bin/sh");
        let file = self.folder.join("pasted.sh");
        std::fs::write(&file, script).expect("a script");
        shell.env_clear().env("PATH", &self.folder).current_dir(&self.folder).stdin(Stdio::null()).arg(file);
        let output = shell.output().expect("a shell");
        let problems = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && problems.is_empty(), "{problems}");
        let text = String::from_utf8(output.stdout).expect("text");
        let calls = |text: &str| -> Vec<Vec<String>> {
            let calls = text.split_terminator("\0\n");
            calls.map(|call| call.split('\0').map(str::to_owned).collect()).collect()
        };
        text.split_terminator("END\n").map(calls).collect()
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}
