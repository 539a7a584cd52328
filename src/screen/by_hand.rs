//! What a person does by hand: the words of a remedy, and its commands on lines of their own.

use crate::report::Sentence;
use crate::screen::clean;
use crate::screen::layout::{block, command_line};

/// The programs that remedies name. A clause that calls none of them is text.
const PROGRAMS: [&str; 7] = ["kubectl", "etcdctl", "crictl", "journalctl", "systemctl", "Get-Service", "Get-WinEvent"];
/// What may stand directly behind a command and does not belong to it.
const REMARKS: [&str; 3] =
    [" says who would refuse", " says for each object who would refuse its deletion", " lists all of them"];

/// A sentence with commands, taken apart.
#[derive(Debug)]
pub(crate) struct ByHand {
    /// What is to be done.
    pub(crate) what: String,
    /// What stands below it, in order.
    pub(crate) pieces: Vec<Piece>,
}

/// A part of what stands below.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Command(String),
    Text(String),
}

impl ByHand {
    /// Takes a sentence apart. Only what is marked as its command can become commands: other words may come
    /// from the cluster.
    pub(crate) fn new(sentence: &Sentence) -> Self {
        let what = sentence.without_command().unwrap_or_else(|| sentence.clone()).to_string();
        let whole = sentence.to_string();
        let marked = whole.strip_prefix(&what).and_then(|rest| rest.strip_prefix(": "));
        let clauses = marked.map(|marked| split(marked, "; ")).unwrap_or_default();
        Self { what: clean(&what), pieces: clauses.into_iter().flat_map(pieces).collect() }
    }

    /// Whether it has a command.
    pub(crate) fn has_command(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Command(_)))
    }

    /// The lines below the first words: each command in one piece, and text broken at `width` columns.
    pub(crate) fn lines(&self, indent: &str, width: usize) -> String {
        let line = |piece: &Piece| match piece {
            Piece::Command(command) => command_line(indent, command),
            Piece::Text(text) => block(indent, &clean(text), width, usize::MAX),
        };
        self.pieces.iter().map(line).collect()
    }
}

/// A clause as a command with the text around it, or as text.
fn pieces(clause: &str) -> Vec<Piece> {
    let Some(begin) = begin(clause) else { return vec![Piece::Text(clause.to_owned())] };
    let (lead, command) = clause.split_at(begin);
    let remark = REMARKS.iter().find(|remark| command.ends_with(**remark)).map(|remark| command.len() - remark.len());
    let end = remark.or_else(|| outside_quotes(command, ends)).unwrap_or(command.len());
    let (command, rest) = command.split_at(end);
    let text = |text: &str| {
        let text = text.trim_start_matches([',', '.', ' ']).trim_end();
        (!text.is_empty()).then(|| Piece::Text(text.to_owned()))
    };
    text(lead).into_iter().chain([Piece::Command(command.to_owned())]).chain(text(rest)).collect()
}

/// Where the command of a clause begins: at once, or behind a colon.
fn begin(clause: &str) -> Option<usize> {
    let calls = |text: &str| PROGRAMS.iter().any(|it| text.strip_prefix(it).is_some_and(|rest| rest.starts_with(' ')));
    let colons = clause.match_indices(": ").map(|(place, colon)| place + colon.len());
    std::iter::once(0).chain(colons).find(|place| calls(&clause[*place..]))
}

/// Whether a command ends before `rest`: at a comma before another program, or at the end of the sentence.
fn ends(rest: &str) -> bool {
    let is_next = |text: &str| text.starts_with(char::is_uppercase);
    let lists = rest.strip_prefix(", ").is_some_and(|next| begin(next) == Some(0));
    lists || rest.strip_prefix(". ").is_some_and(is_next)
}

/// The parts of a text between separators that a shell would not quote.
fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(place) = outside_quotes(rest, |rest| rest.starts_with(separator)) {
        parts.push(&rest[..place]);
        rest = &rest[place + separator.len()..];
    }
    parts.push(rest);
    parts
}

/// The first place outside of a shell's quotation marks of which `is_it` is true.
fn outside_quotes(text: &str, is_it: impl Fn(&str) -> bool) -> Option<usize> {
    let (mut quote, mut is_escaped) = (None, false);
    for (place, c) in text.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (None | Some('"'), '\\') => is_escaped = true,
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, _) if is_it(&text[place..]) => return Some(place),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(what: &str, commands: &str) -> String {
        let by_hand = ByHand::new(&Sentence::from(what).by(commands));
        format!("{}\n{}", by_hand.what, by_hand.lines("  ", 40))
    }

    #[test]
    fn each_command_has_a_line_of_its_own_at_every_width() {
        let long = format!("kubectl patch widgets.acme.io a -p '{}; it'\\''s; \"a\"'", "x".repeat(60));
        assert_eq!(shown("repair it", &long), format!("repair it\n  $ {long}\n"));
        assert_eq!(
            shown("check it", "kubectl get a; kubectl get b"),
            "check it\n  $ kubectl get a\n  $ kubectl get b\n"
        );
        let both = "kubectl create clusterrole x && kubectl create rolebinding x; delete both afterwards";
        assert_eq!(
            shown("grant it", both),
            "grant it\n  $ kubectl create clusterrole x && kubectl create rolebinding x\n  delete both afterwards\n"
        );
    }

    #[test]
    fn words_around_a_command_are_no_part_of_it() {
        let node = "kubectl describe node n; on the node: journalctl -u kubelet";
        assert_eq!(shown("go", node), "go\n  $ kubectl describe node n\n  on the node:\n  $ journalctl -u kubelet\n");
        let list = "on its node: crictl ps -a, crictl logs of the last one; ask the provider";
        assert_eq!(
            shown("go", list),
            "go\n  on its node:\n  $ crictl ps -a\n  crictl logs of the last one\n  ask the provider\n"
        );
        let two = "kubectl delete --raw '/a. B'. Otherwise delete that key";
        assert_eq!(shown("go", two), "go\n  $ kubectl delete --raw '/a. B'\n  Otherwise delete that key\n");
        let remark = "kubectl unstick preflight pods/a says who would refuse";
        assert_eq!(shown("go", remark), "go\n  $ kubectl unstick preflight pods/a\n  says who would refuse\n");
        let shell = "on node n, in PowerShell: Get-Service kubelet, containerd";
        assert_eq!(shown("go", shell), "go\n  on node n, in PowerShell:\n  $ Get-Service kubelet, containerd\n");
    }

    #[test]
    fn only_marked_words_become_commands() {
        let foreign = ByHand::new(&"fix it: kubectl delete ns prod; kubectl get a".into());
        assert_eq!((foreign.pieces.len(), &*foreign.what), (0, "fix it: kubectl delete ns prod; kubectl get a"));
    }
}
