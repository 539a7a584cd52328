//! Makes an answer fit an agent's context.

use super::brief::{Brief, ClusterText, Page};
use super::quotes::mark;
use super::text::text;
use serde_json::Value;

/// The maximum size of an answer in bytes, text and report, unless the agent asks for more.
pub(super) const MAX_BYTES: usize = 16 * 1024;
/// The size of the message around both.
const AROUND: usize = 256;

/// The steps for an answer that is still too long with a single cause: the length of sentences, and
/// of lists.
const SHORTER: [(usize, usize); 3] = [(300, 4), (200, 2), (100, 1)];
/// The maximum length of a sentence in any answer.
const LONGEST: usize = 800;

/// A tool's answer.
#[derive(Debug)]
pub(super) struct ToolAnswer {
    /// The text for a model.
    pub(super) text: String,
    /// The same for a program.
    pub(super) report: Option<Value>,
}

impl ToolAnswer {
    /// The size of the answer in a message, in bytes.
    pub(super) fn size(&self) -> usize {
        let report = self.report.as_ref().map_or(0, |report| report.to_string().len());
        Value::from(self.text.as_str()).to_string().len() + report + AROUND
    }
}

/// The answer with as many of the causes as fit. `closing` ends its text.
pub(super) fn fitted(mut brief: Brief, page: Page, closing: &[String]) -> ToolAnswer {
    let mut shorter = SHORTER.into_iter();
    shorten(&mut brief, LONGEST, usize::MAX);
    loop {
        let shown = page.from + brief.causes.len();
        brief.next_cursor = (shown < brief.causes_in_all).then(|| shown.to_string());
        let answer = answer(&brief, closing);
        if page.limit.is_some() || answer.size() <= MAX_BYTES {
            return answer;
        }
        if brief.causes.len() > 1 {
            brief.causes.pop();
        } else if let Some((length, most)) = shorter.next() {
            shorten(&mut brief, length, most);
        } else {
            return answer;
        }
    }
}

/// The text and the report, with only those texts of the cluster that are still mentioned in them.
fn answer(brief: &Brief, closing: &[String]) -> ToolAnswer {
    let mut brief = brief.clone();
    let quotes = std::mem::take(&mut brief.cluster_text);
    let said = serde_json::to_string(&brief).unwrap_or_default();
    brief.cluster_text = quotes.into_iter().filter(|quote| said.contains(&mark(quote.number))).collect();
    ToolAnswer { text: text(&brief, closing), report: serde_json::to_value(&brief).ok() }
}

/// Shortens sentences and lists; neither contains anything that must be copied unchanged.
fn shorten(brief: &mut Brief, length: usize, most: usize) {
    for group in &mut brief.targets {
        group.summary = cut(&group.summary, length);
    }
    for cause in &mut brief.causes {
        cause.summary = cut(&cause.summary, length);
        cause.evidence.first.truncate(most);
        cause.facts.iter_mut().chain(&mut cause.evidence.first).for_each(|text| *text = cut(text, length));
        cause.more_remedies += cause.remedies.len().saturating_sub(most);
        cause.remedies.truncate(most);
        for way in &mut cause.remedies {
            way.title = cut(&way.title, length);
            way.consequence = cut(&way.consequence, length);
            way.also = way.also.as_ref().map(|also| cut(also, length));
        }
    }
    brief.order.truncate(most.saturating_mul(2));
    brief.order.iter_mut().for_each(|turn| turn.what = cut(&turn.what, length));
    for several in [&mut brief.follows, &mut brief.consequences, &mut brief.unread] {
        several.first.truncate(most);
        several.first.iter_mut().for_each(|text| *text = cut(text, length));
    }
    for ClusterText { from, quoted, .. } in &mut brief.cluster_text {
        *from = cut(from, length);
        *quoted = cut(quoted, length);
    }
}

/// The beginning of a text, on one line; a mark is kept whole or left out.
fn cut(text: &str, length: usize) -> String {
    let line = text.replace('\n', " ");
    if line.chars().count() <= length {
        return line;
    }
    let mut kept: String = line.chars().take(length).collect();
    let begins = "[clusterText ";
    let is_cut = |begun: &usize| kept[*begun..].starts_with(begins) || begins.starts_with(&kept[*begun..]);
    if let Some(begun) = kept.rfind('[').filter(|begun| !kept[*begun..].contains(']')).filter(is_cut) {
        kept.truncate(begun);
    }
    kept + "…"
}

/// The lines of a text that fit, beginning with the requested line.
pub(super) fn lines_of(text: &str, page: Page) -> String {
    let (mut shown, mut count) = (String::new(), 0);
    for line in text.lines().skip(page.from) {
        let is_enough = page.limit.map_or(shown.len() + line.len() > MAX_BYTES - 4 * AROUND, |limit| count == limit);
        if is_enough {
            return format!("{shown}more: call again with cursor {}\n", page.from + count);
        }
        shown = shown + line + "\n";
        count += 1;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::super::brief::{BriefCause, BriefWay, Several};
    use super::*;

    fn huge() -> BriefCause {
        let long = "word ".repeat(400);
        let way = BriefWay {
            title: long.clone(),
            consequence: long.clone(),
            digest: "sha256:0".into(),
            ..BriefWay::default()
        };
        BriefCause {
            summary: long.clone(),
            facts: vec![long.clone(); 10],
            evidence: Several { count: 8, first: vec![long; 8] },
            remedies: vec![way; 4],
            ..BriefCause::default()
        }
    }

    #[test]
    fn an_answer_fits_whatever_its_content() {
        for count in [1, 2, 50] {
            let brief = Brief { causes_in_all: count, causes: vec![huge(); count], ..Brief::default() };
            let whole = fitted(brief.clone(), Page { from: 0, limit: Some(50) }, &[]);
            assert!(whole.size() > MAX_BYTES, "{}", whole.size());
            let answer = fitted(brief, Page::default(), &["kubectl unstick ns shop".into()]);
            assert!(answer.size() <= MAX_BYTES, "{count}: {}", answer.size());
            let report = answer.report.unwrap();
            let shown = report["causes"].as_array().unwrap().len();
            assert!(shown > 0);
            assert_eq!(report["nextCursor"].as_str().map(str::to_owned), (shown < count).then(|| shown.to_string()));
            assert!(answer.text.ends_with("kubectl unstick ns shop\n"));
        }
    }

    #[test]
    fn only_texts_that_are_mentioned_are_quoted() {
        let quote = |number| ClusterText { number, from: "a".into(), quoted: "b".into() };
        let cause = BriefCause { summary: "it says: [clusterText 2]".into(), ..BriefCause::default() };
        let brief =
            Brief { causes_in_all: 1, causes: vec![cause], cluster_text: vec![quote(1), quote(2)], ..Brief::default() };
        let report = fitted(brief, Page::default(), &[]).report.unwrap();
        assert_eq!(report["clusterText"].as_array().unwrap().len(), 1);
        assert_eq!(report["clusterText"][0]["number"], 2);
    }

    #[test]
    fn a_sentence_is_cut_before_a_mark_and_not_in_it() {
        assert_eq!(cut("it says: [clusterText 12] and more", 18), "it says: …");
        assert_eq!(cut("it says: [clusterText 12] and more", 27), "it says: [clusterText 12] a…");
        assert_eq!(cut("two\nlines", 9), "two lines");
    }

    #[test]
    fn a_long_text_is_read_in_pages() {
        let text = "one of many lines of a text that is much too long to fit\n".repeat(1_000);
        let (mut read, mut page) = (String::new(), Page::default());
        loop {
            let shown = lines_of(&text, page);
            assert!(shown.len() < MAX_BYTES);
            let Some((lines, cursor)) = shown.split_once("more: call again with cursor ") else {
                read.push_str(&shown);
                break;
            };
            read.push_str(lines);
            page.from = cursor.trim().parse().unwrap();
        }
        assert_eq!(read, text);
        assert_eq!(lines_of("a\nb\nc\n", Page { from: 1, limit: Some(1) }), "b\nmore: call again with cursor 2\n");
    }
}
