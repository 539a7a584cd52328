//! The sentences of a report: built from parts by the rules, shown whole, and never parsed. Facts
//! that a screen needs about a sentence are kept beside its words.

use super::Ref;
use crate::survey::Unread;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Words of a report. They have no string methods: they are joined to others and shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct Sentence {
    text: String,
    /// The begin and the end of each part in the text.
    parts: Vec<(usize, usize, Part)>,
}

/// The role of a part of a sentence, for callers that need it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    /// The object that the sentence is about, at its beginning, with the space behind it.
    Subject(Ref),
    /// An object that the sentence names.
    Object(Ref),
    /// A kind whose list cannot be read.
    Unread,
    /// A reason, which another sentence may give, too.
    Reason,
    /// One of several clauses that could stand alone.
    Clause,
    /// A command with which a person does it.
    Command,
    /// Words that belong to such commands: where they are run, or what to do besides.
    Aside,
    /// Words of the cluster, which are data.
    Quoted(Source),
}

impl Part {
    /// Whether it stands below the first words on a screen.
    fn is_below(&self) -> bool {
        matches!(self, Self::Command | Self::Aside)
    }
}

/// What stands below the first words of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Below {
    /// A command.
    Command(String),
    /// Words about the commands.
    Words(Sentence),
}

/// The length of what joins a command, or words about commands, to what stands before.
const JOINT: usize = 2;

/// Where the cluster's words were read. Two sentences that say the same are the same, wherever that was
/// read.
#[derive(Debug, Clone)]
struct Source(Arc<str>);

impl PartialEq for Source {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Source {}

impl PartialOrd for Source {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Source {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Source {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Sentence {
    /// A sentence that begins with its subject: `Pod shop/web cannot be read`.
    pub fn about(subject: &Ref, words: impl Into<Self>) -> Self {
        let text = format!("{subject} ");
        Self { parts: vec![(0, text.len(), Part::Subject(subject.clone()))], text }.then(words)
    }

    /// A kind whose list cannot be read, according to the sentence.
    pub fn unread(kind: &str) -> Self {
        Self::from(kind).marked(Part::Unread)
    }

    /// Words that somebody else has written into the cluster, with where they were read. Whoever words
    /// such a text quotes it here: what is not quoted counts as the program's own.
    pub fn quoted(words: impl Into<Self>, source: impl fmt::Display) -> Self {
        let source: Arc<str> = source.to_string().into();
        let mut words = words.into();
        words.parts.retain(|(_, _, part)| !matches!(part, Part::Quoted(_)));
        words.marked(Part::Quoted(Source(source)))
    }

    /// The sentence, followed by what somebody has reported about an object, in whatever field.
    pub fn reported(self, words: impl Into<Self>) -> Self {
        self.then(Self::quoted(words, "a condition, an event, a status or a log about it"))
    }

    /// Writes the text, in which `quote` replaces each quoted part, given its words and its source.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write_with_quotes(&self, out: &mut impl Write, mut quote: impl FnMut(&str, &str) -> String) -> fmt::Result {
        let quoted = self.parts.iter().filter_map(|(from, to, part)| match part {
            Part::Quoted(source) => Some((*from, *to, &*source.0)),
            _ => None,
        });
        let mut quoted: Vec<(usize, usize, &str)> = quoted.filter(|(from, to, _)| from < to).collect();
        quoted.sort_unstable();
        let mut written = 0;
        for (from, to, source) in quoted {
            out.write_str(&self.text[written..from])?;
            out.write_str(&quote(&self.text[from..to], source))?;
            written = to;
        }
        out.write_str(&self.text[written..])
    }

    /// A reason that other sentences give with the same words.
    pub fn reason(words: impl Into<Self>) -> Self {
        words.into().marked(Part::Reason)
    }

    /// The sentence, followed by `more`.
    pub fn then(mut self, more: impl Into<Self>) -> Self {
        self.push(more.into());
        self
    }

    /// The sentence, followed by a command that does it, or by a further one.
    pub fn by(self, command: impl fmt::Display) -> Self {
        let joint = if self.last_below() == Some(&Part::Command) { "; " } else { ": " };
        self.then(joint).then(Self::from(command.to_string()).marked(Part::Command))
    }

    /// The sentence with its commands, followed by words about them.
    pub fn aside(self, words: impl Into<Self>) -> Self {
        self.then("; ").then(words.into().marked(Part::Aside))
    }

    /// The commands, and the words about them, in order.
    #[must_use]
    pub fn below(&self) -> Vec<Below> {
        let mut below: Vec<&(usize, usize, Part)> = self.parts.iter().filter(|(_, _, part)| part.is_below()).collect();
        below.sort_unstable_by_key(|(from, _, _)| *from);
        let piece = |(from, to, part): &(usize, usize, Part)| match part {
            Part::Command => Below::Command(self.text[*from..*to].to_owned()),
            _ => Below::Words(self.quotes_in(*from, *to)),
        };
        below.into_iter().map(piece).collect()
    }

    fn last_below(&self) -> Option<&Part> {
        let below = self.parts.iter().filter(|(_, _, part)| part.is_below());
        below.max_by_key(|(from, _, _)| *from).map(|(_, _, part)| part)
    }

    /// Adds a clause, unless it is there already.
    pub fn and(&mut self, other: Self) {
        if self.all(&Part::Clause).next().is_none() {
            *self = std::mem::take(self).marked(Part::Clause);
        }
        if !self.all(&Part::Clause).any(|clause| clause == other.text) {
            self.push("; ".into());
            self.push(other.marked(Part::Clause));
        }
    }

    fn all(&self, part: &Part) -> impl Iterator<Item = &str> {
        let all = self.parts.iter().filter(move |(_, _, known)| known == part);
        all.map(|(from, to, _)| &self.text[*from..*to])
    }

    fn push(&mut self, more: Self) {
        let before = self.text.len();
        self.parts.extend(more.parts.into_iter().map(|(from, to, part)| (from + before, to + before, part)));
        self.text.push_str(&more.text);
    }

    fn marked(mut self, part: Part) -> Self {
        self.parts.insert(0, (0, self.text.len(), part));
        self
    }

    /// Whether the sentence names this object.
    #[must_use]
    pub fn names(&self, object: &Ref) -> bool {
        let is_it = |named: &Ref| {
            (&named.kind, &named.namespace, &named.name) == (&object.kind, &object.namespace, &object.name)
        };
        self.parts.iter().any(|(_, _, part)| matches!(part, Part::Subject(named) | Part::Object(named) if is_it(named)))
    }

    /// Whether the sentence says that the list of this kind cannot be read.
    #[must_use]
    pub fn tells_unread(&self, kind: &str) -> bool {
        self.all(&Part::Unread).any(|known| known == kind)
    }

    /// Whether the sentence gives a reason that `other` gives, too.
    #[must_use]
    pub fn gives_reason_of(&self, other: &Self) -> bool {
        self.all(&Part::Reason).any(|reason| other.all(&Part::Reason).any(|known| known == reason))
    }

    /// The sentence without its subject `object`, for a line that begins with this object.
    pub fn without_subject(&self, object: &Ref) -> Self {
        match self.parts.first() {
            Some((_, to, Part::Subject(subject))) if subject == object => self.quotes_in(*to, self.text.len()),
            _ => self.clone(),
        }
    }

    /// The sentence without its command; `None` if it has none.
    #[must_use]
    pub fn without_command(&self) -> Option<Self> {
        let first = self.parts.iter().filter(|(_, _, part)| part.is_below()).map(|(from, _, _)| *from).min();
        first.map(|from| self.quotes_in(0, from - JOINT))
    }

    /// A piece of the sentence, with what is quoted in it.
    fn quotes_in(&self, begin: usize, end: usize) -> Self {
        let quotes = self.parts.iter().filter(|(_, _, part)| matches!(part, Part::Quoted(_)));
        let parts = quotes.map(|(from, to, part)| (*from.max(&begin), *to.min(&end), part.clone()));
        let parts = parts.filter(|(from, to, _)| from < to);
        let parts = parts.map(|(from, to, part)| (from - begin, to - begin, part)).collect();
        Self { text: self.text[begin..end].to_owned(), parts }
    }

    /// Whether the sentence is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self { text, parts: Vec::new() }
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for Sentence {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<&Ref> for Sentence {
    fn from(object: &Ref) -> Self {
        Self::from(object.to_string()).marked(Part::Object(object.clone()))
    }
}

impl From<&Unread> for Sentence {
    fn from(why: &Unread) -> Self {
        let reason = Self::from(why.reason_in_words());
        if why.message.is_empty() {
            return reason;
        }
        reason.then(": ").then(Self::quoted(&why.message, "the API server's answer to a read"))
    }
}

impl From<&Self> for Sentence {
    fn from(other: &Self) -> Self {
        other.clone()
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Sentence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

/// Lets tests read the text. Code outside of tests cannot.
#[cfg(test)]
impl std::ops::Deref for Sentence {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
impl std::borrow::Borrow<str> for Sentence {
    fn borrow(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
impl<T: AsRef<str>> PartialEq<T> for Sentence {
    fn eq(&self, other: &T) -> bool {
        self.text == other.as_ref()
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Sentence {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        String::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    fn pod(name: &str) -> Ref {
        Named { kind: "Pod".into(), namespace: Some("shop".into()), name: name.into(), ..Named::default() }.into()
    }

    #[test]
    fn a_sentence_knows_its_subject_and_the_objects_it_names() {
        let line = Sentence::about(&pod("a"), "waits for ").then(&pod("b")).then(": it is down");
        assert_eq!(line, "Pod shop/a waits for Pod shop/b: it is down");
        assert_eq!(["a", "b", "c"].map(|name| line.names(&pod(name))), [true, true, false]);
        assert!(line.names(&pod("b").with_uid("u1")), "whichever of that name");
        assert_eq!(line.without_subject(&pod("a")), "waits for Pod shop/b: it is down");
        assert_eq!(line.without_subject(&pod("b")), line);
        assert!(!Sentence::from("Pod shop/a is down").names(&pod("a")), "words name nothing");
    }

    #[test]
    fn a_reason_is_recognized_in_another_sentence() {
        let why = |text: &str| Sentence::reason(text);
        let line = Sentence::from("it is down: ").then(why("not scheduled"));
        assert!(line.gives_reason_of(&Sentence::from("no Ready pod: ").then(why("not scheduled"))));
        assert!(!line.gives_reason_of(&why("not started")) && !line.gives_reason_of(&"not scheduled".into()));
    }

    #[test]
    fn quoted_words_are_known_wherever_the_sentence_goes() {
        let says =
            Sentence::about(&pod("a"), "is held: ").then(Sentence::quoted("it is held: x", "pods a")).by("kubectl x");
        let mark = |sentence: &Sentence| {
            let mut text = String::new();
            sentence.write_with_quotes(&mut text, |words, source| format!("[{words} of {source}]")).unwrap();
            text
        };
        assert_eq!(mark(&says), "Pod shop/a is held: [it is held: x of pods a]: kubectl x");
        assert_eq!(says, "Pod shop/a is held: it is held: x: kubectl x");
        assert_eq!(mark(&says.without_subject(&pod("a"))), "is held: [it is held: x of pods a]: kubectl x");
        assert_eq!(mark(&says.without_command().unwrap()), "Pod shop/a is held: [it is held: x of pods a]");
        assert_eq!(mark(&"it is held: x".into()), "it is held: x", "the program's own words");
        assert!(Sentence::quoted("x", "a") == Sentence::quoted("x", "b"));
    }

    #[test]
    fn a_clause_is_added_once_and_a_command_can_be_left_out() {
        let mut all = Sentence::from("the disk stays");
        for clause in ["the disk stays", "the lock is lost", "the lock is lost"] {
            all.and(clause.into());
        }
        assert_eq!(all, "the disk stays; the lock is lost");
        let check = Sentence::from("check it").by("kubectl describe pod a");
        assert_eq!(check, "check it: kubectl describe pod a");
        assert_eq!(check.without_command(), Some("check it".into()));
        let all = check.by("kubectl logs a").aside("on its node").by("crictl ps").aside("or ask");
        assert_eq!(all, "check it: kubectl describe pod a; kubectl logs a; on its node: crictl ps; or ask");
        assert_eq!(all.without_command(), Some("check it".into()));
        let command = |text: &str| Below::Command(text.to_owned());
        let words = |text: &str| Below::Words(text.into());
        let [describe, logs, crictl] = ["kubectl describe pod a", "kubectl logs a", "crictl ps"].map(command);
        assert_eq!(all.below(), [describe, logs, words("on its node"), crictl, words("or ask")]);
        assert_eq!(Sentence::from("wait: kubectl is no help").without_command(), None);
    }
}
