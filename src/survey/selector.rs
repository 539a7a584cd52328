//! Label selectors, as in `-l` (kubernetes/kubernetes:
//! staging/src/k8s.io/apimachinery/pkg/labels/selector.go).

use super::texts::Texts;
use std::collections::BTreeSet;

/// A selector; all of its terms must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector(Vec<Term>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    key: String,
    test: LabelTest,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum LabelTest {
    Exists,
    DoesNotExist,
    In(BTreeSet<String>),
    /// Also matches labels without the key.
    NotIn(BTreeSet<String>),
}

impl Selector {
    /// Parses `app=web,tier!=db,env in (a,b),!canary`.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = split(text).into_iter().map(str::trim);
        let requirements = parts.filter(|part| !part.is_empty()).map(requirement).collect::<Result<Vec<_>, _>>()?;
        if requirements.is_empty() { Err("it requires nothing".into()) } else { Ok(Self(requirements)) }
    }

    /// Whether it matches these labels.
    #[must_use]
    pub fn matches(&self, labels: &Texts) -> bool {
        self.0.iter().all(|requirement| {
            let value = labels.get(&requirement.key);
            match &requirement.test {
                LabelTest::Exists => value.is_some(),
                LabelTest::DoesNotExist => value.is_none(),
                LabelTest::In(values) => value.is_some_and(|value| values.contains(value)),
                LabelTest::NotIn(values) => value.is_none_or(|value| !values.contains(value)),
            }
        })
    }
}

/// Splits at commas outside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
}

fn requirement(text: &str) -> Result<Term, String> {
    let made = |key: &str, test| Ok(Term { key: word(key, text)?, test });
    let one = |value: &str| -> Result<BTreeSet<String>, String> { Ok([value_of(value, text)?].into()) };
    if let Some(key) = text.strip_prefix('!') {
        return made(key, LabelTest::DoesNotExist);
    }
    if let Some((key, value)) = text.split_once("!=") {
        return made(key, LabelTest::NotIn(one(value)?));
    }
    if let Some((key, value)) = text.split_once("==").or_else(|| text.split_once('=')) {
        return made(key, LabelTest::In(one(value)?));
    }
    let Some((head, values)) = text.split_once('(') else { return made(text, LabelTest::Exists) };
    let values = values.strip_suffix(')').ok_or_else(|| format!("{text:?} has no closing parenthesis"))?;
    let values = values.split(',').map(|value| value_of(value, text)).collect::<Result<BTreeSet<_>, _>>()?;
    match head.split_whitespace().collect::<Vec<_>>()[..] {
        [key, "in"] => made(key, LabelTest::In(values)),
        [key, "notin"] => made(key, LabelTest::NotIn(values)),
        _ => Err(format!("{text:?} is neither of the form KEY in (…) nor KEY notin (…)")),
    }
}

/// A key, which must not be empty.
fn word(key: &str, of: &str) -> Result<String, String> {
    match value_of(key, of)? {
        key if key.is_empty() => Err(format!("{of:?} does not name a label")),
        key => Ok(key),
    }
}

fn value_of(value: &str, of: &str) -> Result<String, String> {
    let value = value.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    if value.chars().all(plain) {
        Ok(value.to_owned())
    } else {
        Err(format!("{of:?}: {value:?} is not a valid label key or value"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selects(selector: &str, labels: &[(&str, &str)]) -> bool {
        let mut texts = Texts::new();
        for (key, text) in labels {
            texts.insert((*key).to_owned(), (*text).to_owned());
        }
        Selector::parse(selector).unwrap().matches(&texts)
    }

    #[test]
    fn selectors_match_as_in_kubectl() {
        let web = [("app", "web"), ("example.com/tier", "front")];
        for selector in [
            "app=web",
            "app==web",
            "app = web , example.com/tier=front",
            "app!=db",
            "canary!=yes",
            "app",
            "!canary",
            "app in (web, db),example.com/tier notin (back)",
            "canary notin (yes)",
        ] {
            assert!(selects(selector, &web), "{selector}");
        }
        for selector in
            ["app=db", "app!=web", "!app", "canary", "app in (db)", "app notin (web)", "app=", "app=web,canary"]
        {
            assert!(!selects(selector, &web), "{selector}");
        }
        assert!(selects("app=", &[("app", "")]));
    }

    #[test]
    fn invalid_selectors_are_refused_with_a_reason() {
        for (selector, why) in [
            ("", "requires nothing"),
            (",", "requires nothing"),
            ("=web", "does not name a label"),
            ("!", "does not name a label"),
            ("app in (a", "closing parenthesis"),
            ("app of (a)", "neither"),
            ("app=a b", "not a valid label key or value"),
            ("app=a=b", "not a valid label key or value"),
        ] {
            let said = Selector::parse(selector).unwrap_err();
            assert!(said.contains(why), "{selector}: {said}");
        }
    }
}
