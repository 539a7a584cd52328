//! Reads the tests of the requesting user in CEL expressions of admission policies and webhooks. It
//! supports common forms; everything else is unread.
//!
//! Supported are `==`, `!=`, `in`, `startsWith`, `endsWith`, `contains` and simple `matches` of
//! `request.userInfo.username`, `in` and `exists` over `request.userInfo.groups`, comparisons of
//! `request.operation`, `variables.NAME`, and `&&`, `||`, `!` and parentheses around them
//! (<https://kubernetes.io/docs/reference/using-api/cel/>).

use std::fmt;

/// Replaces a part that only the API server evaluates.
pub(crate) const NOT_READ: &str = "(not kept)";

/// The maximum depth of an expression.
const MAX_DEPTH: usize = 16;

/// The user who sends a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asker {
    /// The user name: `system:serviceaccount:ops:acme`.
    pub username: String,
    /// The groups that the API server puts the user in.
    pub groups: Vec<String>,
}

impl Asker {
    /// A service account, with the groups that every service account has
    /// (<https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/>).
    #[must_use]
    pub fn service_account(namespace: &str, name: &str) -> Self {
        Self {
            username: format!("system:serviceaccount:{namespace}:{name}"),
            groups: vec![
                "system:serviceaccounts".into(),
                format!("system:serviceaccounts:{namespace}"),
                "system:authenticated".into(),
            ],
        }
    }
}

/// An expression, as far as it could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// `true` or `false`.
    Constant(bool),
    /// One of these is true.
    Any(Vec<Self>),
    /// All of these are true.
    All(Vec<Self>),
    /// The negation of this.
    Not(Box<Self>),
    /// A test of one string.
    Test(Subject, Test),
    /// A variable of the policy.
    Variable(String),
    /// Anything else.
    NotRead,
}

/// The subject of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// `request.userInfo.username`
    Username,
    /// Any one of `request.userInfo.groups`.
    Group,
    /// `request.operation`
    Operation,
}

/// A test of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// The string is one of these.
    Is(Vec<String>),
    /// The string begins with this.
    Starts(String),
    /// The string ends with this.
    Ends(String),
    /// The string contains this.
    Contains(String),
}

impl Test {
    fn holds(&self, text: &str) -> bool {
        match self {
            Self::Is(all) => all.iter().any(|one| one == text),
            Self::Starts(start) => text.starts_with(start.as_str()),
            Self::Ends(end) => text.ends_with(end.as_str()),
            Self::Contains(part) => text.contains(part.as_str()),
        }
    }
}

impl Expression {
    /// Reads an expression.
    #[must_use]
    pub fn read(text: &str) -> Self {
        read(text, None, 0)
    }

    /// Whether any part of it was read.
    #[must_use]
    pub fn tells(&self) -> bool {
        match self {
            Self::NotRead => false,
            Self::Any(all) | Self::All(all) => all.iter().any(Self::tells),
            Self::Not(inner) => inner.tells(),
            Self::Constant(_) | Self::Test(..) | Self::Variable(_) => true,
        }
    }

    /// The expression without names that people chose: names of Kubernetes begin with `system:`,
    /// and so do those of all service accounts.
    pub(crate) fn without_names(self) -> Self {
        let inside = |all: Vec<Self>| all.into_iter().map(Self::without_names).collect();
        let is_kubernetes_own = |text: &String| text.starts_with("system:");
        match self {
            Self::Any(all) => Self::Any(inside(all)),
            Self::All(all) => Self::All(inside(all)),
            Self::Not(inner) => Self::Not(Box::new(inner.without_names())),
            Self::Test(subject @ (Subject::Username | Subject::Group), Test::Is(all)) => {
                let hidden = |text: String| if is_kubernetes_own(&text) { text } else { NOT_READ.to_owned() };
                Self::Test(subject, Test::Is(all.into_iter().map(hidden).collect()))
            }
            Self::Test(Subject::Username | Subject::Group, Test::Starts(ref text)) if is_kubernetes_own(text) => self,
            Self::Test(Subject::Username | Subject::Group, _) => Self::NotRead,
            other => other,
        }
    }

    /// The value for a request of `asker`; `None` if it depends on a part that was not read.
    /// `variables` are those of the policy.
    #[must_use]
    pub fn of(&self, asker: &Asker, operation: &str, variables: &[(&str, Self)]) -> Option<bool> {
        self.value(asker, operation, variables, 0)
    }

    fn value(&self, asker: &Asker, operation: &str, variables: &[(&str, Self)], depth: usize) -> Option<bool> {
        let value = |one: &Self| one.value(asker, operation, variables, depth + 1);
        match self {
            _ if depth > MAX_DEPTH => None,
            Self::Constant(value) => Some(*value),
            Self::NotRead => None,
            Self::Not(inner) => value(inner).map(|value| !value),
            Self::Any(all) => decided(all.iter().map(value), true),
            Self::All(all) => decided(all.iter().map(value), false),
            Self::Variable(name) => value(&variables.iter().find(|(known, _)| known == name)?.1),
            Self::Test(Subject::Username, test) => Some(test.holds(&asker.username)),
            Self::Test(Subject::Group, test) => Some(asker.groups.iter().any(|group| test.holds(group))),
            Self::Test(Subject::Operation, test) => Some(test.holds(operation)),
        }
    }
}

/// `by` if one of the values is `by`, and the opposite if all are known and none is. CEL
/// short-circuits, so a single known value may decide.
fn decided(values: impl Iterator<Item = Option<bool>>, by: bool) -> Option<bool> {
    let values: Vec<Option<bool>> = values.collect();
    if values.contains(&Some(by)) {
        return Some(by);
    }
    values.iter().all(Option::is_some).then_some(!by)
}

fn read(text: &str, bound: Option<&str>, depth: usize) -> Expression {
    let text = text.trim();
    if depth > MAX_DEPTH || text.is_empty() {
        return Expression::NotRead;
    }
    let parts = |operator: &str| -> Option<Vec<Expression>> {
        let parts = split(text, operator)?;
        (parts.len() > 1).then(|| parts.into_iter().map(|part| read(part, bound, depth + 1)).collect())
    };
    if split(text, "?").is_none_or(|parts| parts.len() > 1) {
        return Expression::NotRead;
    }
    if let Some(any) = parts("||") {
        return Expression::Any(any);
    }
    if let Some(all) = parts("&&") {
        return Expression::All(all);
    }
    if let Some(inner) = text.strip_prefix('!').filter(|rest| !rest.starts_with('=')) {
        return Expression::Not(Box::new(read(inner, bound, depth + 1)));
    }
    if let Some(inner) = inside(text, '(', ')') {
        return read(inner, bound, depth + 1);
    }
    match text {
        "true" => Expression::Constant(true),
        "false" => Expression::Constant(false),
        _ => test(text, bound, depth).unwrap_or(Expression::NotRead),
    }
}

fn test(text: &str, bound: Option<&str>, depth: usize) -> Option<Expression> {
    if let Some(name) = text.strip_prefix("variables.").filter(|name| is_word(name)) {
        return Some(Expression::Variable(name.to_owned()));
    }
    for (operator, is) in [("==", true), ("!=", false)] {
        if let Some([left, right]) = split(text, operator).and_then(|parts| <[&str; 2]>::try_from(parts).ok()) {
            let (subject, value) = match (subject(left, bound), subject(right, bound)) {
                (Some(subject), None) => (subject, literal(right)?),
                (None, Some(subject)) => (subject, literal(left)?),
                _ => return None,
            };
            let same = Expression::Test(subject, Test::Is(vec![value]));
            return Some(if is { same } else { Expression::Not(Box::new(same)) });
        }
    }
    if let Some([left, right]) = split(text, " in ").and_then(|parts| <[&str; 2]>::try_from(parts).ok()) {
        if right.trim() == GROUPS {
            return Some(Expression::Test(Subject::Group, Test::Is(vec![literal(left)?])));
        }
        let list = inside(right.trim(), '[', ']')?;
        let values: Option<Vec<String>> = split(list, ",")?.into_iter().map(literal).collect();
        return Some(Expression::Test(subject(left, bound)?, Test::Is(values?)));
    }
    let (receiver, (function, argument)) = text.strip_suffix(')').and_then(|_| called(text))?;
    if function == "exists" && receiver == GROUPS {
        let (variable, predicate) = argument.split_once(',')?;
        return Some(read(predicate, Some(variable.trim()), depth + 1)).filter(is_of_one);
    }
    let (subject, value) = (subject(receiver, bound)?, literal(argument)?);
    let call = match function {
        "startsWith" => Test::Starts(value),
        "endsWith" => Test::Ends(value),
        "contains" => Test::Contains(value),
        "matches" => pattern(&value)?,
        _ => return None,
    };
    Some(Expression::Test(subject, call))
}

const GROUPS: &str = "request.userInfo.groups";

/// Whether the expression can be read as a test of any one of the groups: it consists of tests that
/// `||` joins.
fn is_of_one(inner: &Expression) -> bool {
    match inner {
        Expression::Test(Subject::Group, _) => true,
        Expression::Any(all) => all.iter().all(is_of_one),
        _ => false,
    }
}

fn subject(text: &str, bound: Option<&str>) -> Option<Subject> {
    match text.trim() {
        "request.userInfo.username" => Some(Subject::Username),
        "request.operation" => Some(Subject::Operation),
        other => (Some(other) == bound).then_some(Subject::Group),
    }
}

/// The receiver of a call, the function and its argument: `a.b.startsWith("x")`.
fn called(text: &str) -> Option<(&str, (&str, &str))> {
    let open = text.find('(')?;
    let argument = inside(&text[open..], '(', ')')?;
    let (receiver, function) = text[..open].rsplit_once('.')?;
    Some((receiver.trim(), (function.trim(), argument)))
}

/// A string in quotation marks without escapes.
fn literal(text: &str) -> Option<String> {
    let text = text.trim();
    let quote = text.chars().next().filter(|c| ['"', '\''].contains(c))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains([quote, '\\'])).then(|| inner.to_owned())
}

/// A regular expression that only tests the beginning, the end or the whole of a string.
fn pattern(text: &str) -> Option<Test> {
    let (start, end) = (text.starts_with('^'), text.ends_with('$'));
    let inner = text.trim_start_matches('^').trim_end_matches('$');
    let open = inner.ends_with(".*");
    let plain = inner.trim_end_matches(".*");
    if plain.is_empty() || plain.contains(['.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '\\', '^', '$']) {
        return None;
    }
    Some(match (start, end && !open) {
        (true, true) => Test::Is(vec![plain.to_owned()]),
        (true, false) => Test::Starts(plain.to_owned()),
        (false, true) => Test::Ends(plain.to_owned()),
        (false, false) => Test::Contains(plain.to_owned()),
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The text between two matching brackets that enclose the whole text.
fn inside(text: &str, open: char, close: char) -> Option<&str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    // The first bracket may be closed before the end.
    split(inner, "\0").map(|_| inner)
}

/// The parts of a text between operators outside of brackets and quotation marks; `None` if these
/// do not match.
fn split<'t>(text: &'t str, operator: &str) -> Option<Vec<&'t str>> {
    let (mut parts, mut from, mut depth, mut quote, mut skip) = (Vec::new(), 0, 0_usize, None, 0);
    for (at, c) in text.char_indices() {
        if at < skip {
            continue;
        }
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), '\\') => skip = at + 2,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.checked_sub(1)?,
            (None, _) if depth == 0 && text[at..].starts_with(operator) => {
                parts.push(&text[from..at]);
                from = at + operator.len();
                skip = from;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    (depth == 0 && quote.is_none()).then_some(parts)
}

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |all: &[Self], operator: &str| {
            let parts: Vec<String> = all.iter().map(|one| format!("({one})")).collect();
            parts.join(operator)
        };
        match self {
            Self::Constant(value) => write!(out, "{value}"),
            Self::NotRead => out.write_str(NOT_READ),
            Self::Not(inner) => write!(out, "!({inner})"),
            Self::Any(all) => out.write_str(&joined(all, " || ")),
            Self::All(all) => out.write_str(&joined(all, " && ")),
            Self::Variable(name) => write!(out, "variables.{name}"),
            Self::Test(Subject::Group, test) => write!(out, "{GROUPS}.exists(g, {})", with("g", test)),
            Self::Test(Subject::Username, test) => out.write_str(&with("request.userInfo.username", test)),
            Self::Test(Subject::Operation, test) => out.write_str(&with("request.operation", test)),
        }
    }
}

fn with(subject: &str, check: &Test) -> String {
    match check {
        Test::Is(all) => format!("{subject} in {all:?}"),
        Test::Starts(text) => format!("{subject}.startsWith({text:?})"),
        Test::Ends(text) => format!("{subject}.endsWith({text:?})"),
        Test::Contains(text) => format!("{subject}.contains({text:?})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<bool> {
        let acme = Asker::service_account("ops", "acme");
        let variables = [("own", Expression::read("request.userInfo.username.endsWith(':acme')"))];
        let read = Expression::read(text);
        let again = Expression::read(&read.to_string());
        assert_eq!(again.of(&acme, "UPDATE", &variables), read.of(&acme, "UPDATE", &variables), "{read}");
        read.of(&acme, "UPDATE", &variables)
    }

    #[test]
    fn the_common_forms_are_read() {
        for text in [
            "request.userInfo.username == 'system:serviceaccount:ops:acme'",
            "\"system:serviceaccount:ops:acme\" == request.userInfo.username",
            "request.userInfo.username != \"admin\"",
            "request.userInfo.username.startsWith('system:serviceaccount:')",
            "request.userInfo.username.contains(':ops:')",
            "request.userInfo.username in ['a', \"system:serviceaccount:ops:acme\"]",
            "request.userInfo.username.matches('^system:serviceaccount:ops:.*$')",
            "!request.userInfo.username.matches('^admin$')",
            "'system:serviceaccounts:ops' in request.userInfo.groups",
            "request.userInfo.groups.exists(g, g == 'system:serviceaccounts')",
            "request.userInfo.groups.exists(group, group == 'x' || group.startsWith('system:serviceaccounts:'))",
            "!('system:masters' in request.userInfo.groups)",
            "(request.operation == 'UPDATE') && variables.own",
            "object.metadata.name == 'x' || variables.own",
            "!(object.x > 3 && request.userInfo.username == 'admin')",
        ] {
            assert_eq!(of(text), Some(true), "{text}");
        }
        for text in ["request.userInfo.username == 'admin'", "variables.own && false", "'a' in request.userInfo.groups"]
        {
            assert_eq!(of(text), Some(false), "{text}");
        }
    }

    #[test]
    fn everything_else_is_not_read() {
        for text in [
            "",
            "object.metadata.name != 'locked'",
            "object.spec.owner == request.userInfo.username",
            "request.userInfo.username.matches('^(a|b)$')",
            "request.userInfo.groups.exists(g, g != 'x')",
            "request.userInfo.groups.all(g, g == 'x')",
            "request.userInfo.username == 'a' ? true : false",
            "authorizer.group('').resource('pods').check('get').allowed()",
            "request.userInfo.username == 'it\\'s'",
            "(true",
            "a) || (true",
            "variables.unknown",
            "object.x && variables.own",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn unread_parts_and_user_names_are_not_kept() {
        let read = Expression::read("object.spec.password == 'hunter2' || request.userInfo.username == 'a'");
        assert_eq!(read.to_string(), "((not kept)) || (request.userInfo.username in [\"a\"])");
        assert!(read.tells() && !Expression::read("object.x").tells());
        let kept = |text: &str| Expression::read(text).without_names().to_string();
        assert_eq!(kept("request.userInfo.username == 'anna'"), "request.userInfo.username in [\"(not kept)\"]");
        assert_eq!(kept("request.userInfo.username.contains('anna')"), "(not kept)");
        let own = "request.userInfo.username.startsWith(\"system:serviceaccount:ops:\")";
        assert_eq!(kept(own), own);
    }
}
