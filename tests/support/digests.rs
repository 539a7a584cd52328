//! The digests of the steps that a run has listed, to be approved one by one.

/// The digests of the ways out that a run has offered to approve alone, up to this risk.
pub fn digests_offered(stderr: &str, most: &str) -> Vec<String> {
    const RISKS: [&str; 4] = ["harmless", "disruptive", "leaks", "loses-data"];
    let most = RISKS.iter().position(|risk| *risk == most).expect("a risk");
    let mut cost = None;
    let mut digests = Vec::new();
    for line in stderr.lines() {
        if let Some((before, _)) = line.split_once("; to approve it alone:") {
            let words = before.rsplit_once(" (").map_or("", |(_, cost)| cost);
            cost = RISKS.iter().position(|risk| words.starts_with(risk));
        } else if let Some((_, digest)) = line.split_once("--approve-plan ") {
            digests.extend(cost.take().filter(|cost| *cost <= most).map(|_| digest.trim().to_owned()));
        }
    }
    digests
}
