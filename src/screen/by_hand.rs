//! Takes a remedy that a person carries out apart: its words, and its commands on lines of their own.

use crate::report::{Below, Sentence};
use crate::screen::clean;
use crate::screen::layout::{block, command_line};

/// A sentence with commands, taken apart.
#[derive(Debug)]
pub(crate) struct ByHand {
    /// What is to be done.
    pub(crate) what: String,
    /// What stands below it, in order.
    pub(crate) pieces: Vec<Below>,
}

impl ByHand {
    /// Takes a sentence apart. Only what is marked as a command becomes one: other words may come from the cluster.
    pub(crate) fn new(sentence: &Sentence) -> Self {
        let what = sentence.without_command().map_or_else(|| sentence.to_string(), |what| what.to_string());
        Self { what: clean(&what), pieces: sentence.below() }
    }

    /// Whether it has a command.
    pub(crate) fn has_command(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Below::Command(_)))
    }

    /// The lines below the first words: each command in one piece, and text broken at `width` columns.
    pub(crate) fn lines(&self, indent: &str, width: usize) -> String {
        let line = |piece: &Below| match piece {
            Below::Command(command) => command_line(indent, command),
            Below::Words(words) => block(indent, &clean(&words.to_string()), width, usize::MAX),
        };
        self.pieces.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_line_of_its_own_at_every_width() {
        let long = format!("kubectl patch widgets.acme.io a -p '{}; it'\\''s; \"a\"'", "x".repeat(60));
        let by_hand =
            ByHand::new(&Sentence::from("repair it").by(&long).by("kubectl get b").aside("delete b afterwards"));
        assert_eq!(by_hand.what, "repair it");
        assert_eq!(by_hand.lines("  ", 40), format!("  $ {long}\n  $ kubectl get b\n  delete b afterwards\n"));
    }

    #[test]
    fn only_marked_words_become_commands() {
        let foreign = ByHand::new(&"fix it: kubectl delete ns prod; kubectl get a".into());
        assert_eq!((foreign.pieces.len(), &*foreign.what), (0, "fix it: kubectl delete ns prod; kubectl get a"));
    }
}
