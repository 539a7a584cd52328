//! Masks possible credentials in the texts of people and controllers. Rules need these texts, and
//! they are not secret as such, but programs copy addresses and answers into their errors.

use super::named::NameInText;
use std::ops::Range;

/// The text that replaces credentials.
pub const MASK: &str = "(masked)";
/// Values that only show whether something is set.
const PLAIN: [&str; 8] = ["true", "false", "null", "nil", "none", "<nil>", "yes", "no"];
/// The schemes that may follow `Authorization:`.
const SCHEMES: [&str; 14] = [
    "apikey", "aws4-hmac-sha256", "basic", "bearer", "digest", "hawk", "jwt", "key", "negotiate", "ntlm", "oauth",
    "splunk", "ssws", "token",
];
/// The schemes that are followed by a list of fields.
const LISTS: [&str; 4] = ["aws4-hmac-sha256", "digest", "hawk", "oauth"];
/// Words that continue a sentence after `authorization: token`.
const GOES_ON: [&str; 20] = [
    "and", "authentication", "could", "denied", "did", "error", "expired", "failed", "for", "from", "has", "invalid",
    "is", "missing", "not", "of", "rejected", "required", "review", "was",
];
/// The prefixes of well-known kinds of tokens, and their minimum length.
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

/// The text without possible credentials, or `None` if it has none.
#[must_use]
pub fn mask(text: &str) -> Option<String> {
    let mut found: Vec<Range<usize>> = Vec::new();
    found.extend(keys(text));
    found.extend(in_addresses(text));
    found.extend(assigned(text));
    found.extend(of_schemes(text));
    found.extend(tokens(text));
    let masked = with_masks(text, found);
    (masked != text).then_some(masked)
}

/// The text with a mask instead of each range; ranges may overlap.
#[must_use]
pub fn with_masks(text: &str, mut found: Vec<Range<usize>>) -> String {
    found.sort_by_key(|range| (range.start, range.end));
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    for Range { start, end } in found {
        if start >= done {
            masked.push_str(&text[done..start]);
            masked.push_str(MASK);
        }
        done = done.max(end);
    }
    masked + &text[done..]
}

/// Private keys in PEM format.
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

/// Credentials in addresses: `https://user:password@host`.
fn in_addresses(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices("://").filter_map(|(at, mark)| {
        let start = at + mark.len();
        let ends = |c: char| c.is_whitespace() || "/?#\"'<>`".contains(c);
        let end = text[start..].find(ends).map_or(text.len(), |length| start + length);
        let who = text[start..end].rfind('@')?;
        (who > 0).then_some(start..start + who)
    })
}

/// Values after the name of something secret: `password=x`, `"apiKey": "x"`.
fn assigned(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, sign) in text.char_indices().filter(|(_, sign)| matches!(sign, '=' | ':')) {
        // It is inside of a value.
        if found.last().is_some_and(|value| at + 1 < value.end) {
            continue;
        }
        let before = text[..at].trim_end_matches(['"', '\'', '\\', ' ']);
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let start = before.rfind(|c: char| !letter(c)).map_or(0, |place| place + 1);
        // The character before may have more than one byte.
        let name = before.get(start..).unwrap_or_default();
        let is_quote = |between: &str| between.contains(['"', '\'']);
        let rest = &text[at + 1..];
        let lead = &rest[..rest.len() - rest.trim_start_matches(LEAD).len()];
        let named = NameInText {
            name,
            is_assigned: sign == '=',
            is_quoted: is_quote(&text[before.len()..at]) && is_quote(lead),
        };
        if named.is_authorization() {
            found.extend(authorization(text, at + 1));
        } else if named.is_secret() {
            found.extend(value(text, at + 1));
        }
    }
    found
}

/// Characters that may precede a value.
const LEAD: [char; 4] = ['\\', '"', '\'', ' '];

/// The value that begins at `from`, in quotes or up to a delimiter.
fn value(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = &text[from..];
    let lead = rest.len() - rest.trim_start_matches(LEAD).len();
    let quoted = rest[..lead].contains(['"', '\'']);
    let (start, rest) = (from + lead, &rest[lead..]);
    let ends = |c: char| {
        if quoted { matches!(c, '"' | '\'' | '\\') } else { c.is_whitespace() || ",;&\"'\\)]}".contains(c) }
    };
    let length = rest.find(ends).unwrap_or(rest.len());
    let (end, told) = (start + length, &rest[..length]);
    // `token=` without a value, something already masked, or the beginning of an object.
    let is_nothing = told.trim_matches(['{', '[']).is_empty() || told == MASK || told == "(masked";
    (!is_nothing && !PLAIN.contains(&told)).then_some(start..end)
}

/// The credentials after `Authorization:`, perhaps after a scheme: `Token abc`.
fn authorization(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = &text[from..];
    let start =
        from + rest.len() - rest.trim_start_matches(LEAD).trim_start_matches('[').trim_start_matches(LEAD).len();
    let ends = |c: char| "\r\n\"'\\]}".contains(c);
    let line = &text[start..];
    let line = &line[..line.find(ends).unwrap_or(line.len())];
    let (first, behind) = line.split_once(' ').unwrap_or((line, ""));
    let told = behind.trim_start();
    if told.is_empty() || !SCHEMES.contains(&first.to_ascii_lowercase().as_str()) {
        let length = first.find([',', ';']).unwrap_or(first.len());
        return looks_made(&first[..length]).then_some(start..start + length);
    }
    let begin = start + line.len() - told.len();
    let word = told.find([' ', ',', ';']).unwrap_or(told.len());
    if told.starts_with(MASK) || GOES_ON.contains(&told[..word].trim_end_matches('.')) {
        return None;
    }
    // `Digest username="ann", response="…"`: the quotes belong to it.
    let is_list = LISTS.contains(&first.to_ascii_lowercase().as_str()) && told[..word].contains('=');
    let length = if is_list { text[begin..].find(['\r', '\n']).unwrap_or(text.len() - begin) } else { word };
    (length > 0).then_some(begin..begin + length)
}

/// Whether the text looks generated, unlike a word in a sentence.
fn looks_made(told: &str) -> bool {
    told.len() >= 8 && told.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || c == '=')
}

/// Credentials after `Bearer` and `Basic`.
fn of_schemes(text: &str) -> Vec<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for scheme in ["bearer ", "basic "] {
        for (at, _) in lower.match_indices(scheme) {
            let start = at + scheme.len();
            let rest = &text[start..];
            let length = rest.find(|c: char| !is_of_a_token(c)).unwrap_or(rest.len());
            let told = &rest[..length];
            // A scheme may also be a word, as in "bearer authentication".
            if looks_made(told) {
                found.push(start..start + length);
            }
        }
    }
    found
}

/// Tokens that are recognized by their prefix.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (begin, least) in TOKENS {
        let mut done = 0;
        for (start, _) in text.match_indices(begin) {
            // It is inside of a token.
            if start < done {
                continue;
            }
            let first = text[..start].chars().next_back().is_none_or(|c| !c.is_ascii_alphanumeric());
            let rest = &text[start..];
            let length = rest.find(|c: char| !is_of_a_token(c)).unwrap_or(rest.len());
            if first && length >= least {
                done = start + length;
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
    fn possible_credentials_are_masked() {
        for (text, masked) in [
            ("dial https://ann:s3cret@db.acme.io:5432/x: refused", "dial https://(masked)@db.acme.io:5432/x: refused"),
            ("postgres://u:p@h?sslmode=off", "postgres://(masked)@h?sslmode=off"),
            ("GET /x?token=abc&n=1 failed", "GET /x?token=(masked)&n=1 failed"),
            ("login with password: hunter2, again", "login with password: (masked), again"),
            ("{\"dbPassword\": \"hunter 2\", \"n\": 1}", "{\"dbPassword\": \"(masked)\", \"n\": 1}"),
            ("{\\\"api-key\\\":\\\"abc\\\"}", "{\\\"api-key\\\":\\\"(masked)\\\"}"),
            ("AccountKey=abc==;End", "AccountKey=(masked);End"),
            ("authorization: Bearer abcDEF123456", "authorization: Bearer (masked)"),
            ("{clientSecret: s3 ClientSecret:x}", "{clientSecret: (masked) ClientSecret:(masked)}"),
            ("accessToken=a, refreshToken: b", "accessToken=(masked), refreshToken: (masked)"),
            ("{\"privateKey\": \"a b\"}", "{\"privateKey\": \"(masked)\"}"),
            ("secretKey: a; idToken: b", "secretKey: (masked); idToken: (masked)"),
            ("DOCKER_PASS=hunter2 dockerPass: x", "DOCKER_PASS=(masked) dockerPass: (masked)"),
            ("OAUTH2_CLIENT_SECRET_1: x", "OAUTH2_CLIENT_SECRET_1: (masked)"),
            ("{\"token\":\"abc\",\"auth\": \"dTpw\"}", "{\"token\":\"(masked)\",\"auth\": \"(masked)\"}"),
            ("X-Vault-Token: abc", "X-Vault-Token: (masked)"),
            ("PRIVATE-TOKEN: abc webhookSecret: def", "PRIVATE-TOKEN: (masked) webhookSecret: (masked)"),
            ("AWS_SESSION_TOKEN=a secretAccessKey: b", "AWS_SESSION_TOKEN=(masked) secretAccessKey: (masked)"),
            ("clientsecret=a htpasswd: b", "clientsecret=(masked) htpasswd: (masked)"),
            ("authorization: Token abcdef", "authorization: Token (masked)"),
            ("Authorization:[Token abc]", "Authorization:[Token (masked)]"),
            ("\"Authorization\": \"ApiKey a\"", "\"Authorization\": \"ApiKey (masked)\""),
            ("authorization: AbCd1234", "authorization: (masked)"),
            ("Authorization: Digest username=\"u\", response=\"r\"", "Authorization: Digest (masked)"),
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
    fn other_messages_of_controllers_are_kept() {
        for text in [
            "Secret \"aws\" not found",
            "secret: not found",
            "cannot get token: the server was asked too often",
            "secrets \"x\" is forbidden: User \"u\" cannot get resource \"secrets\"",
            "failed calling webhook: Post \"https://w.ops.svc:443/x?timeout=10s\": EOF",
            "bearer authentication is not configured",
            "secretName: regcred, imagePullSecrets: regcred, imagePullSecret: regcred",
            "tokenreviews.authentication.k8s.io, tokenReviews: none",
            "token expired",
            "authorization: token expired",
            "authorization: failed for user",
            "Authorization: Bearer is missing",
            "keys: a, key: b, topologyKey: kubernetes.io/hostname, monkey=banana, publicKey: x",
            "automountServiceAccountToken: false, hasToken: true, password: null",
            "ExpiredToken: The security token included in the request is expired",
            "InvalidClientTokenId: x, invalidtoken: y, nextToken: z",
            "secretKeyRef: {name: aws, key: b}, secretRef: aws, password: {",
            "finalizers: [kubernetes.io/pvc-protection, secrets.acme.io/hold]",
            "secret shop/db-token: not found, db-secret: not found",
            "pass: 3, fail: 0, bypass=true, compass: north",
            "author: ann, design: x, passed: 2, tokens: 5, secrets: 3",
            "system:serviceaccount:ops:token-controller",
            "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----",
            "token=",
            "",
            "@://@ äöü = :",
        ] {
            assert_eq!(mask(text), None, "{text}");
        }
    }
}
