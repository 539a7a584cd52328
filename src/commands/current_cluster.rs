//! Identifies the current cluster, and the runs in the journal that changed it.

use super::interrupt;
use super::source::Live;
use crate::failure::Failure;
use crate::journal::RecordedRun;
use crate::plan::quote;
use crate::plugin::COMMAND;
use crate::screen::Talk;
use crate::server::Server;

/// The identity of a cluster.
#[derive(Debug)]
pub struct CurrentCluster {
    server: Server,
    /// The uid of kube-system, or `None` if it cannot be read.
    uid: Option<String>,
}

impl CurrentCluster {
    /// Reads the cluster's identity.
    ///
    /// # Errors
    /// On Ctrl-C.
    pub async fn of(live: &Live) -> Result<Self, Failure> {
        let uid = interrupt::wait_for(live.connected.cluster_uid()).await?;
        Ok(Self { server: live.connected.server.clone(), uid })
    }

    /// Whether a run was on this cluster. If the uid of either is unknown, the server's address
    /// decides.
    fn is_of(&self, run: &RecordedRun) -> bool {
        match (&run.header.cluster, &self.uid) {
            (Some(then), Some(now)) => then == now,
            _ => run.header.server == self.server,
        }
    }

    /// The first of these runs that was on this cluster; failing that, the first whose cluster is
    /// unknown, which may be this one.
    pub fn first_of<'a>(&self, runs: &[&'a RecordedRun]) -> Option<&'a RecordedRun> {
        let is_unknown = |run: &&RecordedRun| self.uid.is_none() || run.header.cluster.is_none();
        let mut all = runs.iter().copied();
        all.clone().find(|run| self.is_of(run)).or_else(|| all.find(is_unknown))
    }

    /// The sentence to print if the found run is not the newest.
    pub fn passed_over(&self, runs: &[&RecordedRun], found: Option<&RecordedRun>) -> Option<Talk> {
        let newest = runs.first().filter(|run| found.is_none_or(|found| found.id != run.id))?;
        let context = newest.header.context.as_deref();
        let named = context.map(|name| format!(", context {name}")).unwrap_or_default();
        let was = format!("run {}, was on another cluster ({}{named})", newest.id, newest.header.server);
        let way = match context {
            Some(name) => format!("{COMMAND} undo {} --context {}", newest.id, quote(name)),
            None => format!("{COMMAND} undo {} --server {}", newest.id, quote(&newest.header.server.to_string())),
        };
        Some(match found {
            Some(found) => Talk::from(format!("the newest run that can be undone, {was}"))
                .command(way)
                .and(format!("this undoes run {}, the newest one on {}", found.id, self.server)),
            None => Talk::from(format!("nothing to undo on {}: the newest run that can be undone, {was}", self.server))
                .command(way),
        })
    }

    /// Refuses to undo a run on any cluster but its own.
    ///
    /// # Errors
    /// When the run was on another cluster, or on an unknown one.
    pub fn must_be_of(&self, run: &RecordedRun) -> Result<(), Failure> {
        let then = &run.header;
        match (&then.cluster, &self.uid) {
            (Some(recorded), Some(here)) if recorded == here => Ok(()),
            (Some(recorded), Some(here)) => Err(Failure::unknown(format!(
                "run {} was on another cluster: {} (kube-system has uid {recorded}), and this is {} ({here})",
                run.id, then.server, self.server
            ))
            .hint(match &then.context {
                Some(context) => format!("its context was {}: add --context", quote(context)),
                None => "name that cluster with --context or --server".into(),
            })),
            (Some(_), None) => Err(Failure::unknown(format!(
                "cannot tell whether {} is the cluster of run {}: namespace kube-system cannot be read",
                self.server, run.id
            ))
            .hint("check whether this works with the same flags")
            .command("kubectl get namespace kube-system")),
            (None, _) if then.server == self.server => Ok(()),
            (None, _) => Err(Failure::unknown(format!(
                "cannot tell whether this is the cluster of run {}: no cluster uid is recorded; its server was {}, and \
                this is {}",
                run.id, then.server, self.server
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::RunHeader;

    fn run(id: &str, cluster: Option<&str>, server: &str) -> RecordedRun {
        let header = RunHeader {
            cluster: cluster.map(Into::into),
            server: server.into(),
            context: Some("prod".into()),
            ..RunHeader::default()
        };
        RecordedRun { id: id.into(), header, ..RecordedRun::default() }
    }

    fn here(uid: Option<&str>) -> CurrentCluster {
        CurrentCluster { server: "https://a".into(), uid: uid.map(Into::into) }
    }

    #[test]
    fn the_newest_run_on_this_cluster_is_chosen() {
        let (other, ours) = (run("2", Some("uid-b"), "https://b"), run("1", Some("uid-a"), "https://old-address"));
        let runs = [&other, &ours];
        let this = here(Some("uid-a"));
        assert_eq!(this.first_of(&runs).map(|run| run.id.as_str()), Some("1"));
        let word = this.passed_over(&runs, Some(&ours)).unwrap().plain();
        assert!(word.contains("run 2, was on another cluster (https://b, context prod)"), "{word}");
        assert!(
            word.contains("undo 2 --context prod") && word.contains("run 1, the newest one on https://a"),
            "{word}"
        );
        assert_eq!(this.passed_over(&[&ours, &other], Some(&ours)), None);
        let none = this.passed_over(&[&other], this.first_of(&[&other])).unwrap().plain();
        assert!(none.starts_with("nothing to undo on https://a: "), "{none}");
    }

    #[test]
    fn without_a_uid_the_servers_address_decides() {
        let (there, ours) = (run("2", Some("uid-b"), "https://b"), run("1", Some("uid-a"), "https://a"));
        assert_eq!(here(None).first_of(&[&there, &ours]).map(|run| run.id.as_str()), Some("1"));
        assert_eq!(
            here(Some("x")).first_of(&[&run("3", None, "https://a")]).map(|run| run.id.clone()),
            Some("3".into())
        );
        assert!(here(None).must_be_of(&ours).is_err(), "and it is said that nobody knows");
        let (first, unrecorded) = (here(None).first_of(&[&there]), run("4", None, "https://b"));
        assert_eq!(first.map(|run| run.id.as_str()), Some("2"), "it is not called one of another cluster");
        assert_eq!(here(None).passed_over(&[&there], first), None);
        assert!(here(None).must_be_of(&there).is_err());
        assert_eq!(here(Some("x")).first_of(&[&unrecorded]).map(|run| run.id.as_str()), Some("4"));
        assert!(here(Some("x")).must_be_of(&unrecorded).is_err());
    }
}
