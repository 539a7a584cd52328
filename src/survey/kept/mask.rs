//! What looks like a credential in a text that people or controllers have written. Such a
//! text is needed, and is not secret by itself; but programs put addresses and answers into
//! their errors as they are.

use std::ops::Range;

/// In the place of what is masked.
const MASK: &str = "(masked)";
/// Names of values that are secret, before a `=` or a `:`.
const SECRET: [&str; 16] = [
    "access_key",
    "accesskey",
    "access_token",
    "account_key",
    "accountkey",
    "api_key",
    "apikey",
    "client_secret",
    "id_token",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "pwd",
    "refresh_token",
    "secret_key",
];
/// Names that stand before a `:` in many a sentence, too: secret before a `=` alone.
const ASSIGNED: [&str; 6] = ["auth", "credential", "secret", "sig", "signature", "token"];
/// How tokens of well-known kinds begin, and how long they are at least.
const TOKENS: [(&str, usize); 13] = [
    ("AIza", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("eyJ", 30),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("github_pat_", 20),
    ("glpat-", 20),
    ("hvs.", 20),
    ("sk_live_", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
];

/// The text without what looks like a credential; `None` where nothing does.
#[must_use]
pub fn mask(text: &str) -> Option<String> {
    let mut found: Vec<Range<usize>> = Vec::new();
    found.extend(keys(text));
    found.extend(in_addresses(text));
    found.extend(assigned(text));
    found.extend(of_schemes(text));
    found.extend(tokens(text));
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|range| (range.start, range.end));
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    for Range { start, end } in found {
        if start >= done {
            masked.push_str(&text[done..start]);
            masked.push_str(MASK);
        }
        done = done.max(end);
    }
    masked.push_str(&text[done..]);
    (masked != text).then_some(masked)
}

/// Private keys in PEM.
fn keys(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices("-----BEGIN ").filter_map(|(start, _)| {
        let rest = &text[start..];
        let label = rest.lines().next().unwrap_or(rest);
        label.contains("PRIVATE KEY").then(|| {
            let end = rest.find("-----END ").and_then(|end| Some(end + 9 + rest[end + 9..].find("-----")? + 5));
            start..end.map_or(text.len(), |end| start + end)
        })
    })
}

/// Who asks, in the address of something: `https://user:password@host`.
fn in_addresses(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices("://").filter_map(|(at, mark)| {
        let start = at + mark.len();
        let ends = |c: char| c.is_whitespace() || "/?#\"'<>`".contains(c);
        let end = text[start..].find(ends).map_or(text.len(), |length| start + length);
        let who = text[start..end].rfind('@')?;
        (who > 0).then_some(start..start + who)
    })
}

/// What stands behind the name of a secret value: `password=x`, `"apiKey": "x"`.
fn assigned(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, sign) in text.char_indices().filter(|(_, sign)| matches!(sign, '=' | ':')) {
        let before = text[..at].trim_end_matches(['"', '\'', '\\', ' ']);
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let start = before.rfind(|c: char| !letter(c)).map_or(0, |place| place + 1);
        // The character before may have more than one byte.
        let name = before.get(start..).unwrap_or_default().to_ascii_lowercase().replace('-', "_");
        let names = |list: &[&str]| list.iter().any(|secret| name.ends_with(secret));
        if name.is_empty() || !(names(&SECRET) || (sign == '=' && names(&ASSIGNED))) {
            continue;
        }
        found.extend(value(text, at + 1));
    }
    found
}

/// The value that begins at `from`, in quotes or up to what ends it.
fn value(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = &text[from..];
    let lead = rest.len() - rest.trim_start_matches(['\\', '"', '\'', ' ']).len();
    let quoted = rest[..lead].contains(['"', '\'']);
    let (start, rest) = (from + lead, &rest[lead..]);
    let ends = |c: char| {
        if quoted { matches!(c, '"' | '\'' | '\\') } else { c.is_whitespace() || ",;&\"'\\)]}".contains(c) }
    };
    let length = rest.find(ends).unwrap_or(rest.len());
    let (end, told) = (start + length, &rest[..length]);
    // `token=` with nothing behind it, and what was masked before.
    (!told.is_empty() && told != MASK && told != "(masked").then_some(start..end)
}

/// What stands behind `Bearer` and `Basic`.
fn of_schemes(text: &str) -> Vec<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for scheme in ["bearer ", "basic "] {
        for (at, _) in lower.match_indices(scheme) {
            let start = at + scheme.len();
            let rest = &text[start..];
            let length = rest.find(|c: char| !is_of_a_token(c)).unwrap_or(rest.len());
            let told = &rest[..length];
            // No word of a sentence: "bearer authentication".
            if length >= 8 && told.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || c == '=') {
                found.push(start..start + length);
            }
        }
    }
    found
}

/// Tokens of kinds that are known by how they begin.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (begin, least) in TOKENS {
        for (start, _) in text.match_indices(begin) {
            let first = text[..start].chars().next_back().is_none_or(|c| !c.is_ascii_alphanumeric());
            let rest = &text[start..];
            let length = rest.find(|c: char| !is_of_a_token(c)).unwrap_or(rest.len());
            if first && length >= least {
                found.push(start..start + length);
            }
        }
    }
    found
}

fn is_of_a_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~+/=".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_credential_is_masked() {
        for (text, masked) in [
            ("dial https://ann:s3cret@db.acme.io:5432/x: refused", "dial https://(masked)@db.acme.io:5432/x: refused"),
            ("postgres://u:p@h?sslmode=off", "postgres://(masked)@h?sslmode=off"),
            ("GET /x?token=abc&n=1 failed", "GET /x?token=(masked)&n=1 failed"),
            ("login with password: hunter2, again", "login with password: (masked), again"),
            ("{\"dbPassword\": \"hunter 2\", \"n\": 1}", "{\"dbPassword\": \"(masked)\", \"n\": 1}"),
            ("{\\\"api-key\\\":\\\"abc\\\"}", "{\\\"api-key\\\":\\\"(masked)\\\"}"),
            ("AccountKey=abc==;End", "AccountKey=(masked);End"),
            ("authorization: Bearer abcDEF123456", "authorization: Bearer (masked)"),
            ("user AKIAIOSFODNN7EXAMPLE may not", "user (masked) may not"),
            ("ä secret=ö, é", "ä secret=(masked), é"),
            ("x -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- y", "x (masked) y"),
            ("-----BEGIN PRIVATE KEY-----\nMII cut", "(masked)"),
            ("token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl is old", "token (masked) is old"),
        ] {
            assert_eq!(mask(text).as_deref(), Some(masked), "{text}");
            assert_eq!(mask(masked), None, "{masked}");
        }
    }

    #[test]
    fn what_controllers_say_otherwise_is_kept() {
        for text in [
            "Secret \"aws\" not found",
            "secret: not found",
            "cannot get token: the server was asked too often",
            "secrets \"x\" is forbidden: User \"u\" cannot get resource \"secrets\"",
            "failed calling webhook: Post \"https://w.ops.svc:443/x?timeout=10s\": EOF",
            "bearer authentication is not configured",
            "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----",
            "token=",
            "",
            "@://@ äöü = :",
        ] {
            assert_eq!(mask(text), None, "{text}");
        }
    }
}
