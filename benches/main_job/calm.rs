//! Waits until the control plane has processed what was filled in: its controllers look at each new
//! object, which keeps the machine busy.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// They are calm when they use less than a tenth of a processor.
const SPAN: Duration = Duration::from_secs(1);
const MOST: u64 = 10;

/// Waits until the child processes are calm, for at most `patience`. Returns at once if the system
/// does not tell.
pub fn wait(patience: Duration) {
    let start = Instant::now();
    let mut before = ticks();
    while start.elapsed() < patience {
        std::thread::sleep(SPAN);
        let now = ticks();
        if now.saturating_sub(before) < MOST {
            return;
        }
        before = now;
    }
}

/// The processor time that the descendants of this process have used, in hundredths of a second
/// (Linux: `proc_pid_stat(5)`).
fn ticks() -> u64 {
    let processes: HashMap<u32, (u32, u64)> =
        fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| process(&entry.path())).collect();
    let own = std::process::id();
    let is_ours = |mut pid: u32| loop {
        match processes.get(&pid) {
            Some((parent, _)) if *parent == own => return true,
            Some((parent, _)) => pid = *parent,
            None => return false,
        }
    };
    processes.iter().filter(|(pid, _)| is_ours(**pid)).map(|(_, (_, ticks))| ticks).sum()
}

/// A process: its id, its parent's, and its ticks.
fn process(folder: &std::path::Path) -> Option<(u32, (u32, u64))> {
    let pid = folder.file_name()?.to_str()?.parse().ok()?;
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    // The name before it may contain anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
    Some((pid, (u32::try_from(number(1)?).ok()?, number(11)? + number(12)?)))
}
