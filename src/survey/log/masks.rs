//! Masks what looks like a credential in a record, before anything else sees it.

use super::super::credentials::{MASK, mask, with_masks};
use std::ops::Range;

/// How long a run of letters and digits is that may be a key.
const LONG: usize = 40;
/// How far before such a run a word may tell that it is one.
const BESIDE: usize = 48;
/// How many bytes a login has at most.
const MAX_LOGIN: usize = 256;
/// Words that tell so.
const WORDS: [&str; 8] = ["secret", "token", "password", "passwd", "key", "credential", "signature", "auth"];
/// Names before `:` that are also the words of sentences.
const VAGUE: [&str; 3] = ["secret", "token", "passwd"];

/// The text without possible credentials.
pub(super) fn masked(text: String) -> String {
    let text = mask(&text).map_or(text, |text| replaced(text, rests));
    let text = replaced(text, without_begin);
    let text = replaced(text, of_data_sources);
    let text = replaced(text, after_names);
    replaced(text, long_keys)
}

fn replaced(text: String, find: fn(&str) -> Vec<Range<usize>>) -> String {
    let found = find(&text);
    if found.is_empty() { text } else { with_masks(&text, found) }
}

/// The masks and the rests of passwords behind them: a password may contain signs that end a value elsewhere.
fn rests(text: &str) -> Vec<Range<usize>> {
    let ends = |c: char| c.is_whitespace() || "\"'\\)]}".contains(c);
    let rest = |(at, mask): (usize, &str)| {
        let start = at + mask.len();
        let behind = &text[start..];
        let length = behind.find(ends).unwrap_or(behind.len());
        let behind = &behind[..length];
        // In an address or a list, `&` and `,` begin the next field.
        let is_field = behind.contains(['=', ':', '@', '/']);
        (behind.len() > 1 && behind.starts_with(['&', ',', ';']) && !is_field).then_some(at..start + length)
    };
    text.match_indices(MASK).filter_map(rest).collect()
}

/// The end of a private key whose beginning was cut off.
fn without_begin(text: &str) -> Vec<Range<usize>> {
    const END: &str = "PRIVATE KEY-----";
    let end = text.find("-----END ").and_then(|end| Some(end + text[end..].find(END)? + END.len()));
    end.map(|end| 0..end).into_iter().collect()
}

/// The login in the address of a database: `user:password@tcp(host:3306)/name`.
fn of_data_sources(text: &str) -> Vec<Range<usize>> {
    let login = |(at, _): (usize, &str)| {
        let begin = text.floor_char_boundary(at.saturating_sub(MAX_LOGIN));
        let login = text[begin..at].rsplit(|c: char| c.is_whitespace() || "\"'=".contains(c)).next()?;
        login.contains(':').then_some(at - login.len()..at)
    };
    ["@tcp(", "@unix("].iter().flat_map(|mark| text.match_indices(mark)).filter_map(login).collect()
}

/// Values after `token:` that are no word and no name, and after `--token`.
fn after_names(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut at, mut is_named) = (0, false);
    for word in text.split_inclusive(char::is_whitespace) {
        let value = word.trim_end().trim_matches(['"', '\'', ',', ';']);
        if is_named && looks_made(value) {
            let start = at + word.find(value).unwrap_or(0);
            found.push(start..start + value.len());
        }
        let name = value.to_ascii_lowercase();
        let flag = name.strip_prefix("--").is_some_and(|flag| WORDS.iter().any(|word| flag.ends_with(word)));
        is_named = flag || name.strip_suffix(':').is_some_and(|name| VAGUE.contains(&name.trim_matches(['"', '\''])));
        at += word.len();
    }
    found
}

/// Whether a word is neither a word of a sentence nor the name of an object.
fn looks_made(word: &str) -> bool {
    let has = |fits: fn(char) -> bool| word.contains(fits);
    let is_mixed = has(|c| c.is_ascii_digit()) && has(|c| c.is_ascii_alphabetic());
    word.len() >= 6 && (is_mixed || has(|c| "!@#$%^&*+".contains(c))) && !has(|c| "-/.:(".contains(c))
}

/// Long runs of base64 or hex behind a word such as `secret`.
fn long_keys(text: &str) -> Vec<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let fits = |c: char| c.is_ascii_alphanumeric() || "+/=_".contains(c);
    let mut found = Vec::new();
    let mut at = 0_usize;
    for run in text.split_inclusive(|c| !fits(c)) {
        let key = run.trim_end_matches(|c| !fits(c));
        if key.len() >= LONG && is_random(key) {
            let before = &lower[lower.floor_char_boundary(at.saturating_sub(BESIDE))..at];
            if WORDS.iter().any(|word| before.contains(word)) {
                found.push(at..at + key.len());
            }
        }
        at += run.len();
    }
    found
}

/// Whether a run is hex, or mixes capitals, small letters and digits, unlike a path.
fn is_random(run: &str) -> bool {
    let has = |fits: fn(&u8) -> bool| run.bytes().any(|byte| fits(&byte));
    let is_hex = run.bytes().all(|byte| byte.is_ascii_hexdigit());
    has(u8::is_ascii_digit) && (is_hex || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_masked() {
        let long = "aB3".repeat(16);
        let hex = "0f3c".repeat(12);
        let word = ["hunter", "22"].concat();
        for (text, secret) in [
            (format!("Password: {word} again"), &word),
            (format!("PASSWD={word}"), &word),
            (format!("password=a7&{word} for user app"), &word),
            (format!("{{\"api_key\":\"{word}\"}}"), &word),
            (format!("token: {word}"), &word),
            (format!("Secret: '{word}'"), &word),
            (format!("run with --db-password {word} failed"), &word),
            (format!("root:{word}@tcp(db:3306)/shop"), &word),
            (format!("postgres://root:{word}@db/shop"), &word),
            (format!("access_key={word}"), &word),
            (format!("the signing key was {long}"), &long),
            (format!("secret {hex} is not valid"), &hex),
            (format!("Authorization: Bearer {long}"), &long),
            (format!("{long}\n-----END RSA {} KEY----- gone", "PRIVATE"), &long),
            (format!("-----BEGIN {} KEY-----\n{long}\ncut", "PRIVATE"), &long),
        ] {
            let safe = masked(text.clone());
            assert!(!safe.contains(secret.as_str()) && safe.contains(MASK), "{text}: {safe}");
            assert_eq!(masked(safe.clone()), safe);
        }
    }

    #[test]
    fn names_and_sentences_are_kept() {
        for text in [
            "secret \"shop/creds\" not found",
            "cannot get Secret shop/creds2",
            "secret: creds-2 not found, token expired",
            "Secret: not found",
            "the token: expired",
            "secret /var/lib/kubelet/pods/0f3c0f3c-1111-2222-3333-444455556666/volumes/kubernetes.io~secret/creds",
            "mail to ann@tcp.acme.io",
        ] {
            assert_eq!(masked(text.to_owned()), text);
        }
    }
}
