//! The name of a run's file: the time at which the run began to write, and its process id. Names
//! sort by time, and no two runs have the same name.

use jiff::{SignedDuration, Timestamp};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The suffix of the files.
pub(super) const SUFFIX: &str = "jsonl";
/// How many names are tried, one millisecond apart.
const MAX_TRIES: i64 = 1_000;

/// Creates the file of a run that begins at `begun`. Runs of one process may begin at the same
/// instant, and processes in containers that share a folder may have the same id; if the name is
/// taken, the next free one is used.
pub(super) fn make_file(folder: &Path, begun: Timestamp, process: u32) -> io::Result<(File, PathBuf)> {
    let mut options = OpenOptions::new();
    options.append(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut tried = 0;
    loop {
        let at = begun.saturating_add(SignedDuration::from_millis(tried)).unwrap_or(begun);
        let path = folder.join(format!("{}.{SUFFIX}", name(at, process)));
        match options.open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tried < MAX_TRIES => tried += 1,
            Err(error) => return Err(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
        }
    }
}

fn name(begun: Timestamp, process: u32) -> String {
    format!("{}-{process}", begun.strftime("%Y%m%dT%H%M%S%.3fZ"))
}

/// The time in a run's name. Earlier versions wrote no fraction of the second.
pub(super) fn begun(id: &str) -> Option<Timestamp> {
    let (stamp, _) = id.split_once('-')?;
    let time = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%S%.fZ", stamp).ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::super::{Run, list};
    use super::*;
    use crate::journal::testing::{folder, header, intend};
    use std::collections::BTreeSet;

    const ID: &str = "20260101T000000.250Z-7";

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_tells_when_the_run_began() {
        assert_eq!(name(at("2026-01-01T00:00:00.25Z"), 7), ID);
        assert_eq!(begun(ID), Some(at("2026-01-01T00:00:00.25Z")));
        assert_eq!(begun("20260101T000000Z-7"), Some(at("2026-01-01T00:00:00Z")), "of an earlier version");
        for none in ["", "x", "20260101T000000Z", "2026-01-01T00:00:00Z", "20261301T000000Z-7"] {
            assert_eq!(begun(none), None, "{none}");
        }
    }

    #[test]
    fn names_sort_by_time_across_versions() {
        let instants = ["23:59:59Z", "23:59:59.009Z", "23:59:59.01Z", "23:59:59.9Z"];
        let mut names: Vec<String> = instants.iter().map(|time| name(at(&format!("2025-12-31T{time}")), 10)).collect();
        names.insert(0, "20251231T235958Z-9".into());
        names.push("20260101T000000Z-8".into());
        assert!(names.is_sorted(), "{names:?}");
    }

    #[test]
    fn runs_of_the_same_instant_have_different_names() {
        let folder = folder("instant");
        std::fs::create_dir_all(&folder).unwrap();
        let begun = at("2026-01-01T00:00:00.25Z");
        let made = || {
            let (_, path) = make_file(&folder, begun, 7).unwrap();
            path.file_stem().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!([made(), made(), made()], [ID, "20260101T000000.251Z-7", "20260101T000000.252Z-7"]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn concurrent_runs_are_all_recorded() {
        let folder = folder("at-once");
        let paths: BTreeSet<PathBuf> = std::thread::scope(|threads| {
            let run = || {
                let mut run = Run::new(Some(folder.clone()), header(), crate::plan::Approval::default());
                intend(&mut run).unwrap();
                run.end("released").unwrap();
                run.path().unwrap().to_owned()
            };
            let begun: Vec<_> = (0..16).map(|_| threads.spawn(move || [run(), run()])).collect();
            begun.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(paths.len(), 32);
        let listing = list(&folder).unwrap();
        assert_eq!((listing.runs.len(), listing.unreadable.len()), (32, 0));
        assert!(listing.runs.iter().all(|run| run.steps.len() == 1 && run.outcome() == "released"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn problems_with_the_folder_are_reported_at_once() {
        let why = make_file(Path::new("/nowhere"), at("2026-01-01T00:00:00Z"), 7).unwrap_err();
        assert_eq!(why.kind(), io::ErrorKind::NotFound);
        assert!(why.to_string().contains("/nowhere/20260101T000000.000Z-7.jsonl"), "{why}");
    }
}
