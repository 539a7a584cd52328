//! `ns NAME --finalize`: the last resort for a namespace that still contains something, or whose
//! content cannot be read. The user must type the name below the list of objects that would be
//! stranded. The journal keeps that list, and `orphans` repairs the damage.

use super::apply::{self, Consent};
use super::ask::{self, Reply};
use super::source::{Diagnosed, Live};
use super::{diagnose, exit, interrupt, not_found, out, record, unfinished, words};
use crate::cli::{Cli, DryRun, MaxRisk};
use crate::confirm::{self, Question};
use crate::facts::Sweep;
use crate::failure::{Exit, Failure};
use crate::journal::Run;
use crate::plan::{Approval, By, quote, steps};
use crate::plugin::COMMAND;
use crate::read::content::Content;
use crate::read::gather::Freshness;
use crate::report::{Ref, Remedy, Risk, State, Step};
use crate::screen::Talk;
use crate::survey::{Fact, Object};
use crate::write::apply::{Outcome, carry_out, is_gone, who};
use std::collections::BTreeSet;
use std::time::Duration;

/// How many of the objects that would be stranded are listed before the question; `d` lists all.
const MAX_LISTED: usize = 25;
/// How soon a namespace without finalizers disappears.
const GONE_WITHIN: Duration = Duration::from_secs(5);

/// Shows the objects that would be stranded, asks, and finalizes.
///
/// # Errors
/// When the arguments name anything but one namespace that is being deleted, when it cannot be
/// read, or on Ctrl-C.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    let named = words::parse(&cli.words)?;
    if cli.options.from.is_some() || named.len() != 1 {
        return Err(Failure::unknown("--finalize needs one namespace of a cluster")
            .hint("name one")
            .command(format!("{COMMAND} ns NAME --finalize")));
    }
    let live = unfinished::reported(Live::connect(cli, named)).await?;
    let diagnosed = live.diagnose(Freshness::Consistent).await?;
    not_found::say(&live, &diagnosed, &cli.options).await?;
    let Some(namespace) = being_deleted(&diagnosed)? else {
        return Ok(exit::of(&diagnosed.report, &cli.options));
    };
    let entries: Vec<String> =
        namespace.array("/spec/finalizers").iter().filter_map(|key| Some(key.as_str()?.to_owned())).collect();
    let reference = diagnosed.report.targets[0].object.clone();
    if entries.is_empty() {
        return Err(Failure::refused(format!("{reference} has nothing left in spec.finalizers"))
            .hint("see what else holds it")
            .command(format!("{COMMAND} ns {}", quote(&reference.name))));
    }
    apply::confirmed(&diagnosed.report, &diagnosed.survey, &cli.options)?;
    let content = read(&live, &reference).await?;
    let plan = Forced { live: &live, cli, namespace: reference, entries, content };
    plan.carry_out(&diagnosed).await
}

/// The target, if it is a namespace that is being deleted.
fn being_deleted(diagnosed: &Diagnosed) -> Result<Option<&Object>, Failure> {
    let target = &diagnosed.report.targets[0];
    if target.object.resource != "namespaces" {
        return Err(Failure::unknown(format!(
            "--finalize works only for namespaces, and {} is not one",
            target.object
        ))
        .hint("name one")
        .command(format!("{COMMAND} ns NAME --finalize")));
    }
    match diagnosed.survey.fact(&target.object.target().want()) {
        Some(Fact::Found(namespace)) if namespace.is_deleting() => Ok(Some(namespace)),
        Some(Fact::Found(_)) => {
            Err(Failure::refused(format!("{} is not being deleted: nothing was done", target.object))
                .hint("check its deletion first")
                .command(format!("{COMMAND} preflight ns {}", quote(&target.object.name))))
        }
        _ => Ok(None),
    }
}

async fn read(live: &Live, namespace: &Ref) -> Result<Content, Failure> {
    interrupt::unless(async {
        let content = Content::of(&live.connected.api, &namespace.name).await;
        content.map_err(|why| Failure::unknown(format!("the content of {namespace} cannot be read: {why}")))
    })
    .await
}

/// A forced finalize, and the objects that it would strand.
struct Forced<'a> {
    live: &'a Live,
    cli: &'a Cli,
    namespace: Ref,
    entries: Vec<String>,
    content: Content,
}

impl Forced<'_> {
    async fn carry_out(&self, diagnosed: &Diagnosed) -> Result<Exit, Failure> {
        let options = &self.cli.options;
        if options.output.is_screen() {
            out::report(&diagnosed.report, options);
        }
        out::talk(Talk::apart().then(self.what_would_be_stranded(MAX_LISTED)));
        let steps: Vec<Step> =
            self.entries.iter().map(|key| steps::finalize_namespace::by_force(&self.namespace, key)).collect();
        if !self.is_agreed(&steps[0]).await? {
            return Ok(Exit::Stuck);
        }
        if let Some(new) = self.came_since().await? {
            return Err(Failure::refused(format!("not done: the namespace now contains more than was shown: {new}"))
                .hint("run this again to decide on the current state"));
        }
        let dry = options.dry_run == DryRun::Server;
        let targets = vec![self.namespace.clone()];
        let by = Consent::of(options).map_or(By::Person, Consent::by);
        let mut approval = Approval::new(by, targets, &diagnosed.report);
        approval.agree_to(&steps, Risk::LosesData);
        let mut journal = record::begin(self.live, diagnosed, approval).await;
        let mut bad = false;
        if !dry {
            self.leave_a_note(&mut journal).await?;
        }
        for step in &steps {
            let record = if dry { None } else { Some(&mut journal) };
            let outcome = carry_out(&self.live.connected.api, step, record, &interrupt::is_pressed).await;
            let word = if matches!(outcome, Outcome::WouldDo(_)) { "dry run: " } else { "" };
            out::talk(Talk::verdict(outcome.is_good(), &format!("{word}{}", outcome.text())));
            bad |= !outcome.is_good();
            if bad {
                break;
            }
        }
        if dry {
            return Ok(if bad { Exit::Refused } else { Exit::Stuck });
        }
        self.finish(journal, bad).await
    }

    /// The objects that finalizing would leave behind, and the consequences.
    fn what_would_be_stranded(&self, most: usize) -> Talk {
        let name = &self.namespace.name;
        if self.content.is_empty() {
            return Talk::from(format!(
                "every kind in namespace {name} was listed: nothing is left in it, and nothing would be stranded"
            ));
        }
        let objects = &self.content.objects;
        let mut lines = Vec::new();
        if !objects.is_empty() {
            lines.push(format!(
                "not done without the namespace's name, because it would strand {}:",
                Sweep::count(objects)
            ));
            lines.extend(objects.iter().take(most).map(|object| format!("  · {object}")));
        }
        if objects.len() > most {
            lines.push(format!("  … and {} more (details list them)", objects.len() - most));
        }
        if !self.content.unread.is_empty() {
            lines.push("could not be read, and may hold more:".into());
            lines.extend(self.content.unread.iter().map(|unread| format!("  ? {unread}")));
        }
        lines.push(format!(
            "without their namespace they cannot be changed or released, and they come back with the next namespace of \
            that name; `{COMMAND} orphans -n {}` is the way out",
            quote(name)
        ));
        Talk::default().and_all(lines)
    }

    /// Asks for the namespace's name, unless `--confirm` gives it.
    async fn is_agreed(&self, step: &Step) -> Result<bool, Failure> {
        let options = &self.cli.options;
        if options.dry_run == DryRun::Server || options.approve == Some(MaxRisk::LosesData) {
            return Ok(true);
        }
        if options.dry_run == DryRun::Client || !options.output.is_screen() || !out::can_ask() {
            let how =
                format!("to let this program do it: --approve loses-data --confirm {}", quote(&self.namespace.name));
            out::talk(Talk::from("nothing was written; to do the same by hand:").command(&step.command).and(how));
            return Ok(false);
        }
        let consequence = match self.content.objects.len() {
            0 if self.content.is_empty() => "nothing is left in it".to_owned(),
            0 => "whatever could not be read is stranded".to_owned(),
            _ => format!(
                "stranded in etcd without their namespace: {}; the journal keeps the list",
                Sweep::count(&self.content.objects)
            ),
        };
        let remedy = Remedy::new(step.clone(), Risk::LosesData, consequence);
        let asked = Question { alike: vec![step.clone()], risk: remedy.level(), by_name: true };
        let context = self.live.connected.context.as_deref();
        let question = Talk::apart().then(confirm::question("Last resort", context, &remedy, &asked));
        let show = || self.what_would_be_stranded(usize::MAX);
        let yes = ask::put(question, asked.name(), &show).await? == Reply::Yes;
        if !yes {
            out::talk("nothing was changed");
        }
        Ok(yes)
    }

    /// The objects that are in the namespace now but were not shown.
    async fn came_since(&self) -> Result<Option<String>, Failure> {
        let now = read(self.live, &self.namespace).await?;
        let shown: BTreeSet<&Ref> = self.content.objects.iter().collect();
        let new: Vec<Ref> = now.objects.iter().filter(|object| !shown.contains(object)).cloned().collect();
        let unread = now.unread.iter().find(|unread| !self.content.unread.contains(unread));
        Ok(if new.is_empty() { unread.cloned() } else { Some(Sweep::count(&new)) })
    }

    /// Before the write, records which objects will be stranded and how to repair that.
    async fn leave_a_note(&self, journal: &mut Run) -> Result<(), Failure> {
        journal.signed_by(who(&self.live.connected.api).await);
        let unread = match self.content.unread.as_slice() {
            [] => String::new(),
            unread => format!("; not read: {}", unread.join(", ")),
        };
        let left = if self.content.objects.is_empty() { "nothing".into() } else { Sweep::count(&self.content.objects) };
        let text = format!(
            "{} is finalized by force with {} left in it{unread}; to release what is stranded: {COMMAND} orphans -n {}",
            self.namespace,
            left,
            quote(&self.namespace.name)
        );
        let kept = journal.note(None, &text, &self.content.objects);
        kept.map_err(|error| Failure::refused(format!("nothing was written: the journal cannot be written: {error}")))
    }

    /// Reads the namespace back, and reports which objects are stranded.
    async fn finish(&self, mut journal: Run, bad: bool) -> Result<Exit, Failure> {
        let gone = self.is_gone_soon().await;
        record::close(&mut journal, self.how_it_ended(gone));
        if gone {
            out::talk(format!("verified: {} is gone", self.namespace));
        }
        if gone && !self.content.is_empty() {
            out::talk(format!(
                "its content is stranded; to release it: {COMMAND} orphans -n {}",
                quote(&self.namespace.name)
            ));
        }
        let after = self.live.diagnose(Freshness::Consistent).await?.report;
        if !self.cli.options.output.is_screen() || after.targets.iter().any(|target| target.state != State::Gone) {
            out::report(&after, &self.cli.options);
        }
        Ok(match (bad, gone, self.content.is_empty()) {
            (true, _, _) => Exit::Refused,
            (false, true, true) => Exit::Fine,
            (false, _, _) => Exit::Stuck,
        })
    }

    fn how_it_ended(&self, gone: bool) -> &'static str {
        match (gone, self.content.is_empty()) {
            (true, true) => "released",
            (true, false) => "finalized by force: its content is stranded",
            (false, _) => "ended",
        }
    }

    async fn is_gone_soon(&self) -> bool {
        let (api, target) = (&self.live.connected.api, self.namespace.target());
        let look = async {
            while is_gone(api, &target, &self.namespace.uid).await != Ok(true) {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(GONE_WITHIN, look).await.is_ok()
    }
}
